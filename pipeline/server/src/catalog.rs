//! The multi-sport catalog over HTTP. One handler answers every route: which there are is data (`fdna-catalog`).

mod answer;
mod docs;
mod envelope;
mod served;
mod tables;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, Response};
use axum::middleware::{from_fn_with_state, map_response};
use fdna_api::CATALOG_API;
use fdna_catalog::{CHANGES_STREAM, CatalogRoute, RouteCatalog, TablesPage, without_prefix};
use fdna_http::{OperationSlot, X_API_VERSION, without_body};
use fdna_view::catalog::{CatalogChanges, CatalogLake};
use fdna_view::error_chain;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::http::{Options, ServeError, ServerState};
use crate::metrics::{Metrics, RequestObserver, ServedCollector};
use crate::router::{AdminPages, admin_pages, plain, refused};
use crate::serving_state::ServingState;
use crate::{LocalApi, guard, http};

pub use served::ServedCatalog;

/// Names of what is counted, by [`slot`].
fn operations(catalog: &'static RouteCatalog) -> impl Iterator<Item = &'static str> {
    answer::PAGE_NAMES
        .into_iter()
        .chain(TablesPage::ALL.map(TablesPage::name))
        .chain(catalog.routes().map(|route| route.operation))
}

/// Where the requests of a route are counted.
fn slot(route: &CatalogRoute) -> OperationSlot {
    OperationSlot(answer::PAGE_NAMES.len() + TablesPage::ALL.len() + route.place)
}

/// The whole HTTP interface of the catalog.
pub fn catalog_router(served: Arc<ServingState>, catalog: impl Into<ServedCatalog>) -> Router {
    router_with(served, Arc::new(catalog.into()), AdminPages::NoMetrics)
}

/// The routes, and nothing about them.
pub(crate) fn catalog_operations(served: Arc<ServingState>, catalog: Arc<ServedCatalog>) -> Router {
    Router::new().fallback(move |request: Request| {
        let (served, catalog) = (Arc::clone(&served), Arc::clone(&catalog));
        async move {
            let (head, _) = request.into_parts();
            let response = match (refused(&head.method, &CATALOG_API), TablesPage::find(head.uri.path())) {
                (Some(refused), _) => refused,
                (None, None) if without_prefix(head.uri.path()) == CHANGES_STREAM => {
                    answer::stream(&served, &catalog, &head).await
                }
                (None, Some(page)) => {
                    let mut response = tables::answer(page, &served, &catalog, &head).await;
                    let slot = OperationSlot(answer::PAGE_NAMES.len() + tables::place(page));
                    response.extensions_mut().insert(slot);
                    response
                }
                (None, None) => answer::answer(&served, &catalog, &head),
            };
            without_body(&head.method, response)
        }
    })
}

fn router_with(served: Arc<ServingState>, catalog: Arc<ServedCatalog>, admin: AdminPages) -> Router {
    let (admitting, ready) = (Arc::clone(&served), Arc::clone(&catalog));
    let mut router = catalog_operations(served, catalog);
    if let AdminPages::Here(metrics) = admin {
        router = router.route("/metrics", plain(&CATALOG_API, move |_| metrics.answer()));
    }
    router
        .route("/openapi.json", plain(&CATALOG_API, docs::document))
        .route("/docs", plain(&CATALOG_API, docs::page))
        .route("/healthz", plain(&CATALOG_API, |_| crate::health::healthz()))
        .route("/readyz", plain(&CATALOG_API, move |_| answer::readyz(&ready)))
        .layer(from_fn_with_state(Some(admitting), guard::guard))
        .layer(map_response(|mut response: Response<axum::body::Body>| {
            let version = HeaderValue::from_static(CATALOG_API.version);
            response.headers_mut().insert(X_API_VERSION, version);
            std::future::ready(response)
        }))
}

/// Serves the catalog until `shutdown`, then lets requests in flight finish. The options' source is not asked, but their
/// lake of the catalog is followed.
///
/// # Errors
/// The listener broke, or the first snapshot cannot be loaded and must be.
pub async fn serve_catalog(
    listener: TcpListener,
    mut options: Options,
    catalog: &'static RouteCatalog,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let served = Arc::new(http::served(&options).of_api(&CATALOG_API));
    let (mut beside, catalog) = (JoinSet::new(), Arc::new(ServedCatalog::new(catalog)));
    let followed = options.catalog.take();
    let followed_changes = followed.clone().map(|lake| CatalogChanges { lake, routes: catalog.routes });
    begin(&catalog, followed, &mut beside, &options).await?;
    if let Some(changes) = followed_changes {
        let (streams, current) = (Arc::clone(&served.change_streams), Arc::clone(&catalog));
        let id = move || current.snapshot().map(|snapshot| snapshot.id.clone());
        beside.spawn(streams.follow(Arc::new(changes), options.poll, id));
    }
    if let Some(key) = options.key.clone() {
        beside.spawn(key.follow());
    }
    let server = http::server(listener, &options).of_api(&CATALOG_API);
    let watching = RequestObserver::new(options.access_log.clone(), operations(catalog.routes));
    let (tls, key) = (options.tls.as_ref(), options.key.as_ref());
    let collector = ServedCollector::Catalog(Arc::clone(&catalog), Arc::clone(&served));
    let metrics = Metrics::of(collector, &server.counts(), &watching, tls, key);
    let admin = match options.admin.take() {
        None => AdminPages::Here(metrics),
        Some(listener) => {
            let told = Arc::clone(&catalog);
            let pages = admin_pages(&CATALOG_API, metrics, move |_| answer::readyz(&told));
            beside.spawn(http::serve_admin(listener, options.limits.clone(), pages));
            AdminPages::Elsewhere
        }
    };
    if let Some(pages) = options.pages.take() {
        let api = LocalApi::of_catalog(Arc::clone(&served), Arc::clone(&catalog));
        beside.spawn(http::serve_pages(pages, api, &options));
    }
    let streams = Arc::clone(&served.change_streams);
    let router = router_with(served, catalog, admin);
    let state = options.state.clone();
    let shutdown = async move {
        shutdown.await;
        streams.leave();
        state.send_modify(|state| state.is_leaving = true);
    };
    Ok(server.observed_by(Arc::new(watching)).serve(router, shutdown).await?)
}

/// The routes over the current snapshot of a lake for who asks within the process, and what loads it and follows the lake for
/// ever.
pub fn follow_catalog(
    served: ServingState,
    catalog: &'static RouteCatalog,
    lake: CatalogLake,
    every: Duration,
) -> (LocalApi, impl Future<Output = ()> + Send) {
    let catalog = Arc::new(ServedCatalog::new(catalog));
    let mut watcher = served::CatalogWatcher::new(Arc::clone(&catalog), lake);
    let api = LocalApi::of_catalog(Arc::new(served.of_api(&CATALOG_API)), catalog);
    let following = async move {
        loop {
            // What fails is in the log.
            let _ = watcher.tick().await;
            tokio::time::sleep(every).await;
        }
    };
    (api, following)
}

/// Loads the current snapshot, and follows what comes after it.
async fn begin(
    catalog: &Arc<ServedCatalog>,
    lake: Option<CatalogLake>,
    beside: &mut JoinSet<()>,
    options: &Options,
) -> Result<(), ServeError> {
    let mut first = Ok(());
    if let Some(lake) = lake {
        let mut watcher = served::CatalogWatcher::new(Arc::clone(catalog), lake);
        first = watcher.tick().await;
        tell(&options.state, catalog, first.as_ref().err().map(|error| error_chain(&**error)));
        let (state, every, catalog) = (options.state.clone(), options.poll, Arc::clone(catalog));
        beside.spawn(async move {
            loop {
                tokio::time::sleep(every).await;
                let ended = watcher.tick().await;
                tell(&state, &catalog, ended.err().map(|error| error_chain(&*error)));
            }
        });
    } else {
        tell(&options.state, catalog, None);
    }
    first.or_else(|error| if options.must_load { Err(ServeError::FirstLoad(error)) } else { Ok(()) })
}

/// Tells what is served, and why it is not the newest.
fn tell(state: &watch::Sender<ServerState>, catalog: &ServedCatalog, problem: Option<String>) {
    let id = catalog.snapshot().map_or_else(|| "catalog".to_owned(), |snapshot| snapshot.id.clone());
    state.send_if_modified(|told| {
        let is_new = told.snapshot_id.as_ref() != Some(&id) || told.problem != problem;
        (told.snapshot_id, told.problem) = (Some(id), problem);
        is_new
    });
}
