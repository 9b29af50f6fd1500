//! The router, made from the list of operations.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{Method, Response};
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodRouter, any};
use fdna_api::{ErrorCode, Failure, all_operations};
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
    metrics: Metrics,
    readyz: impl Fn(&Parts) -> Response<Body> + Clone + Send + Sync + 'static,
) -> Router {
    Router::new()
        .route("/metrics", plain(move |_| metrics.answer()))
        .route("/healthz", plain(|_| health::healthz()))
        .route("/readyz", plain(readyz))
        .fallback(plain(|_| respond::failure(&paths::no_route(), None)))
        .layer(from_fn_with_state(None, guard::guard))
}

/// A page that needs nothing but the head of the request.
pub(crate) fn plain(get: impl Fn(&Parts) -> Response<Body> + Clone + Send + Sync + 'static) -> MethodRouter {
    any(move |request: Request| {
        let (head, _) = request.into_parts();
        std::future::ready(refused(&head.method).unwrap_or_else(|| get(&head)))
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
                let mut response = match refused(&head.method) {
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
        router = router.route("/metrics", plain(move |_| metrics.answer()));
    }
    let admitting = Arc::clone(&served);
    let ready = move |head: &Parts| {
        let is_stranger = is_elsewhere || !served.admits(&head.headers);
        health::readyz(&served, is_stranger)
    };
    router
        .route("/openapi.json", plain(docs::document))
        .route("/docs", plain(docs::docs))
        .route("/healthz", plain(|_| health::healthz()))
        .route("/readyz", plain(ready))
        .route("/", plain(paths::root))
        .fallback(plain(paths::nowhere))
        .layer(from_fn_with_state(Some(admitting), guard::guard))
}

/// The answer to methods that ask for nothing. GET and HEAD do, the latter without the body, which the router
/// leaves out.
pub(crate) fn refused(method: &Method) -> Option<Response<Body>> {
    match *method {
        Method::GET | Method::HEAD => None,
        Method::OPTIONS => Some(respond::methods()),
        _ => {
            let why = "This interface is read-only: use GET";
            Some(respond::failure(&Failure::new(ErrorCode::MethodNotAllowed, why), None))
        }
    }
}
