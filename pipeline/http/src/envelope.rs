//! Refusals as answers, and the headers of every answer.

use axum_core::body::Body;
use fdna_api::{API_VERSION, ErrorBody, ErrorCode, Failure, Id};
use http_body::Body as _;
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER,
    X_CONTENT_TYPE_OPTIONS,
};
use hyper::{Method, Response, StatusCode};
use uuid::Uuid;

/// Names the answer, for both sides' logs.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The contract's release that an answer is by.
pub const X_API_VERSION: HeaderName = HeaderName::from_static("x-api-version");

/// The snapshot that an answer is of.
pub const X_SNAPSHOT_ID: HeaderName = HeaderName::from_static("x-snapshot-id");

/// Methods that every path answers.
pub const ALLOWED: &str = "GET, HEAD, OPTIONS";

/// An error in the envelope; never kept by a cache.
#[must_use]
pub fn failure_response(failure: &Failure, request_id: Uuid) -> Response<Body> {
    let body = serde_json::to_vec(&ErrorBody::new(failure, Id(request_id))).unwrap_or_default();
    let mut response = Response::new(Body::from(body));
    let status = StatusCode::from_u16(failure.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    set_common_headers(headers, request_id);
    headers.insert(X_API_VERSION, HeaderValue::from_static(failure.api.version));
    if status == StatusCode::METHOD_NOT_ALLOWED {
        headers.insert(ALLOW, HeaderValue::from_static(ALLOWED));
    }
    let is_unavailable = status == StatusCode::SERVICE_UNAVAILABLE;
    if let Some(secs) = failure.retry_after.or_else(|| retry_after(failure.code)).filter(|_| is_unavailable) {
        headers.insert(RETRY_AFTER, HeaderValue::from(secs));
    }
    response
}

/// Headers of every answer.
pub fn set_common_headers(headers: &mut HeaderMap, request_id: Uuid) {
    headers.insert(X_API_VERSION, HeaderValue::from_static(API_VERSION));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let mut text = Uuid::encode_buffer();
    if let Ok(id) = HeaderValue::from_str(request_id.hyphenated().encode_lower(&mut text)) {
        headers.insert(X_REQUEST_ID, id);
    }
}

/// Whether an answer is a stream of server-sent events, which lasts as long as its client likes.
#[must_use]
pub fn is_event_stream(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    kind.split(|byte| *byte == b';')
        .next()
        .is_some_and(|kind| kind.eq_ignore_ascii_case(b"text/event-stream"))
}

/// HEAD is answered as GET, without the body.
#[must_use]
pub fn without_body(method: &Method, response: Response<Body>) -> Response<Body> {
    if method != Method::HEAD {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    if let Some(length) = body.size_hint().exact() {
        parts.headers.entry(CONTENT_LENGTH).or_insert_with(|| HeaderValue::from(length));
    }
    Response::from_parts(parts, Body::empty())
}

/// Seconds: a snapshot may be loaded in a moment, the next run may write the ledger. What no source tells does not come
/// while the snapshot stands: a program that asked again would ask for ever.
fn retry_after(code: ErrorCode) -> Option<u32> {
    match code {
        ErrorCode::Overloaded | ErrorCode::AccountingNotAvailable => Some(1),
        ErrorCode::SnapshotNotAvailable | ErrorCode::Busy => Some(5),
        ErrorCode::LedgerDamaged => Some(60),
        ErrorCode::LedgerNotAvailable => Some(3600),
        _ => None,
    }
}
