//! The router, made from the list of operations.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{Method, Response};
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodRouter, any};
use fdna_api::{ApiInfo, ErrorCode, Failure, MMA_API, all_operations};
use fdna_http::OperationSlot;
use fdna_view::operations::handler;

use crate::dispatch::{self, Route};
use crate::metrics::Metrics;
use crate::serving_state::ServingState;
use crate::{docs, guard, health, paths, respond};

/// The whole HTTP interface over what is served.
pub fn router(served: Arc<ServingState>) -> Router {
    router_with(served, AdminPages::NoMetrics)
}

/// Where metrics and readiness are served.
pub(crate) enum AdminPages {
    /// Beside the operations.
    Here(Metrics),
    /// The same, without connections that could be counted.
    NoMetrics,
    /// On an address of its own.
    Elsewhere,
}

/// The admin pages, on an address of their own.
pub(crate) fn admin_pages(
    api: &'static ApiInfo,
    metrics: Metrics,
    readyz: impl Fn(&Parts) -> Response<Body> + Clone + Send + Sync + 'static,
) -> Router {
    Router::new()
        .route("/metrics", plain(api, move |_| metrics.answer()))
        .route("/healthz", plain(api, |_| health::healthz()))
        .route("/readyz", plain(api, readyz))
        .fallback(plain(api, move |_| respond::failure(&no_admin_page().by(api), None)))
        .layer(from_fn_with_state(None, guard::guard))
}

fn no_admin_page() -> Failure {
    Failure::new(ErrorCode::NotFound, "No such route: /metrics, /healthz and /readyz are here")
}

/// A page of an API that needs nothing but the head of the request.
pub(crate) fn plain(
    api: &'static ApiInfo,
    get: impl Fn(&Parts) -> Response<Body> + Clone + Send + Sync + 'static,
) -> MethodRouter {
    any(move |request: Request| {
        let (head, _) = request.into_parts();
        std::future::ready(refused(&head.method, api).unwrap_or_else(|| get(&head)))
    })
}

/// A route an operation.
pub(crate) fn operations(served: &Arc<ServingState>) -> Router {
    let mut router = Router::new();
    for (place, operation) in all_operations().enumerate() {
        let handler = handler(operation.id);
        let served = Arc::clone(served);
        let route = Route { operation, handler, slot: OperationSlot(place) };
        let answer = move |request: Request| {
            let served = Arc::clone(&served);
            async move {
                let (head, _) = request.into_parts();
                let mut response = match refused(&head.method, &MMA_API) {
                    Some(refused) => refused,
                    None => dispatch::respond(&served, route, &head).await,
                };
                response.extensions_mut().insert(route.slot);
                response
            }
        };
        router = router.route(operation.path, any(answer));
    }
    router
}

/// A route an operation, and beside them what an operator asks, if that is to be here.
pub(crate) fn router_with(served: Arc<ServingState>, admin: AdminPages) -> Router {
    let mut router = operations(&served);
    let is_elsewhere = matches!(admin, AdminPages::Elsewhere);
    if let AdminPages::Here(metrics) = admin {
        router = router.route("/metrics", plain(&MMA_API, move |_| metrics.answer()));
    }
    let admitting = Arc::clone(&served);
    let ready = move |head: &Parts| {
        let is_stranger = is_elsewhere || !served.admits(&head.headers);
        health::readyz(&served, is_stranger)
    };
    router
        .route("/openapi.json", plain(&MMA_API, docs::document))
        .route("/docs", plain(&MMA_API, docs::docs))
        .route("/healthz", plain(&MMA_API, |_| health::healthz()))
        .route("/readyz", plain(&MMA_API, ready))
        .route("/", plain(&MMA_API, paths::root))
        .fallback(plain(&MMA_API, paths::nowhere))
        .layer(from_fn_with_state(Some(admitting), guard::guard))
}

/// The answer to methods that ask for nothing. GET and HEAD do, the latter without the body, which the router
/// leaves out.
pub(crate) fn refused(method: &Method, api: &'static ApiInfo) -> Option<Response<Body>> {
    match *method {
        Method::GET | Method::HEAD => None,
        Method::OPTIONS => Some(respond::methods()),
        _ => {
            let why = "This interface is read-only: use GET";
            Some(respond::failure(&Failure::new(ErrorCode::MethodNotAllowed, why).by(api), None))
        }
    }
}
