//! The multi-sport catalog over HTTP. One handler answers every route: which there are is data (`fdna-catalog`).

mod answer;
mod docs;

use std::future::Future;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, Response};
use axum::middleware::{from_fn_with_state, map_response};
use fdna_api::CATALOG_API;
use fdna_catalog::{CatalogRoute, RouteCatalog};
use fdna_http::{OperationSlot, X_API_VERSION, without_body};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::http::{Options, ServeError};
use crate::metrics::{Metrics, RequestObserver};
use crate::router::{AdminPages, admin_pages, plain, refused};
use crate::serving_state::ServingState;
use crate::{guard, http};

/// Names of what is counted, by [`slot`].
fn operations(catalog: &'static RouteCatalog) -> impl Iterator<Item = &'static str> {
    ["sports", "health"].into_iter().chain(catalog.routes().map(|route| route.operation))
}

/// Where the requests of a route are counted.
fn slot(route: &CatalogRoute) -> OperationSlot {
    OperationSlot(2 + route.place)
}

/// The whole HTTP interface of the catalog.
pub fn catalog_router(served: Arc<ServingState>, catalog: &'static RouteCatalog) -> Router {
    router_with(served, catalog, AdminPages::NoMetrics)
}

fn router_with(served: Arc<ServingState>, catalog: &'static RouteCatalog, admin: AdminPages) -> Router {
    let admitting = Arc::clone(&served);
    let answer = move |request: Request| {
        let (head, _) = request.into_parts();
        let response = refused(&head.method).unwrap_or_else(|| answer::answer(&served, catalog, &head));
        std::future::ready(without_body(&head.method, response))
    };
    let mut router = Router::new();
    if let AdminPages::Here(metrics) = admin {
        router = router.route("/metrics", plain(move |_| metrics.answer()));
    }
    router
        .route("/openapi.json", plain(docs::document))
        .route("/docs", plain(docs::page))
        .route("/healthz", plain(|_| crate::health::healthz()))
        .route("/readyz", plain(|_| answer::readyz()))
        .fallback(answer)
        .layer(from_fn_with_state(Some(admitting), guard::guard))
        .layer(map_response(|mut response: Response<axum::body::Body>| {
            let version = HeaderValue::from_static(CATALOG_API.version);
            response.headers_mut().insert(X_API_VERSION, version);
            std::future::ready(response)
        }))
}

/// Serves the catalog until `shutdown`, then lets requests in flight finish. The options' source is not asked.
///
/// # Errors
/// The listener broke.
pub async fn serve_catalog(
    listener: TcpListener,
    mut options: Options,
    catalog: &'static RouteCatalog,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let served = Arc::new(http::served(&options).of_api(&CATALOG_API));
    let mut beside = JoinSet::new();
    if let Some(key) = options.key.clone() {
        beside.spawn(key.follow());
    }
    let server = http::server(listener, &options).of_api(&CATALOG_API);
    let watching = RequestObserver::new(options.access_log.clone(), operations(catalog));
    let metrics = Metrics::of(None, &server.counts(), &watching, options.tls.as_ref(), options.key.as_ref());
    let admin = match options.admin.take() {
        None => AdminPages::Here(metrics),
        Some(listener) => {
            let pages = admin_pages(metrics, |_| answer::readyz());
            beside.spawn(http::serve_admin(listener, options.limits.clone(), pages));
            AdminPages::Elsewhere
        }
    };
    options.state.send_modify(|state| state.snapshot_id = Some("catalog".to_owned()));
    let router = router_with(served, catalog, admin);
    let state = options.state.clone();
    let shutdown = async move {
        shutdown.await;
        state.send_modify(|state| state.is_leaving = true);
    };
    Ok(server.observed_by(Arc::new(watching)).serve(router, shutdown).await?)
}
