//! What is refused before any route, and how refusals of the layers around look.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{Response, StatusCode};
use axum::middleware::Next;

use crate::respond;

/// Refuses a request that is not in normal form.
pub(crate) async fn guard(request: Request, next: Next) -> Response<Body> {
    match fdna_http::guard::check(&request) {
        Ok(()) => next.run(request).await,
        Err(refused) => fdna_http::without_body(request.method(), respond::failure(&refused, None)),
    }
}

/// Compression answers 406 where a client refuses every encoding; a client that refuses even the plain
/// one gets it all the same, as RFC 9110 allows.
pub(crate) async fn never_406(mut response: Response<Body>) -> Response<Body> {
    if response.status() == StatusCode::NOT_ACCEPTABLE {
        *response.status_mut() = StatusCode::OK;
    }
    response
}
