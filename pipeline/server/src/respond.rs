//! Answers: headers, validators and cache policy.

use axum::body::{Body, Bytes};
use axum::http::header::{ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, VARY};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode};
use chrono::TimeDelta;
use fdna_api::{API_VERSION, Failure};
use fdna_http::{ALLOWED, X_SNAPSHOT_ID, has_current, request_id};
use fdna_view::operations::digest;
use uuid::Uuid;

use fdna_http::Encoding;

/// Longest that a client may keep an answer of the current snapshot: a newer one may come.
const MAX_AGE_SECS: i64 = 60;

/// How long an answer may be kept, as `Cache-Control` says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CachePolicy {
    /// Up to [`MAX_AGE_SECS`]; fewer where time changes the answer first.
    Snapshot { secs: i64 },
    /// For ever: what was known of a date, in a snapshot that is named.
    Immutable,
    /// Not at all: errors.
    Never,
}

impl CachePolicy {
    /// For an answer that stays as it is for this long, if the snapshot does.
    pub(crate) fn lasting(left: Option<TimeDelta>) -> Self {
        let secs = left.map_or(MAX_AGE_SECS, |left| left.num_seconds().clamp(0, MAX_AGE_SECS));
        Self::Snapshot { secs }
    }

    fn value(self) -> HeaderValue {
        match self {
            Self::Snapshot { secs } => HeaderValue::from_str(&format!("max-age={secs}"))
                .unwrap_or_else(|_| HeaderValue::from_static("no-store")),
            Self::Immutable => HeaderValue::from_static("max-age=31536000, immutable"),
            Self::Never => HeaderValue::from_static("no-store"),
        }
    }
}

/// A weak validator: bodies of one tag differ in request id and encoding. `parts` say which answer it is.
pub(crate) fn etag(parts: &[&str]) -> String {
    let mut named = Vec::new();
    for part in [API_VERSION, env!("CARGO_PKG_VERSION")].iter().chain(parts) {
        named.extend_from_slice(&part.len().to_le_bytes());
        named.extend_from_slice(part.as_bytes());
    }
    format!("W/\"{}\"", &digest(&named)[..32])
}

/// A body that is the same for every snapshot, or 304 if the client has it.
pub(crate) fn fixed(
    body: impl FnOnce(Encoding) -> Bytes,
    content_type: HeaderValue,
    tag: &str,
    request_headers: &HeaderMap,
) -> Response<Body> {
    let encoding = Encoding::accepted(request_headers);
    let is_known = has_current(request_headers, tag);
    let mut response = match is_known {
        true => status(StatusCode::NOT_MODIFIED, Body::empty()),
        false => status(StatusCode::OK, Body::from(body(encoding))),
    };
    let headers = response.headers_mut();
    common(headers, request_id(), None, CachePolicy::lasting(None));
    headers.insert(CONTENT_TYPE, content_type);
    headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
    if let Some(encoding) = encoding.header().filter(|_| !is_known) {
        headers.insert(CONTENT_ENCODING, encoding);
    }
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(ETAG, tag);
    }
    response
}

/// An error in the envelope.
pub(crate) fn failure(failure: &Failure, snapshot_id: Option<&str>) -> Response<Body> {
    let mut response = fdna_http::failure_response(failure, request_id());
    if let Some(id) = snapshot_id.and_then(|id| HeaderValue::from_str(id).ok()) {
        response.headers_mut().insert(X_SNAPSHOT_ID, id);
    }
    response
}

/// The methods of a path, for OPTIONS.
pub(crate) fn methods() -> Response<Body> {
    let mut response = status(StatusCode::NO_CONTENT, Body::empty());
    common(response.headers_mut(), request_id(), None, CachePolicy::Never);
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(ALLOWED));
    response
}

/// Text outside the envelope: metrics.
pub(crate) fn text(kind: &'static str, text: String) -> Response<Body> {
    let mut response = status(StatusCode::OK, Body::from(text));
    common(response.headers_mut(), request_id(), None, CachePolicy::Never);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// JSON outside the envelope: health.
pub(crate) fn plain(code: StatusCode, body: &serde_json::Value) -> Response<Body> {
    let mut response = json(code, body.to_string().into_bytes());
    common(response.headers_mut(), request_id(), None, CachePolicy::Never);
    response
}

fn status(code: StatusCode, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = code;
    response
}

fn json(code: StatusCode, body: Vec<u8>) -> Response<Body> {
    let mut response = status(code, Body::from(body));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// The headers of every answer.
pub(crate) fn common(
    headers: &mut HeaderMap,
    request_id: Uuid,
    snapshot_id: Option<&HeaderValue>,
    cache: CachePolicy,
) {
    fdna_http::set_common_headers(headers, request_id);
    headers.insert(CACHE_CONTROL, cache.value());
    if let Some(id) = snapshot_id {
        headers.insert(X_SNAPSHOT_ID, id.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_depends_on_every_part_and_on_where_parts_end() {
        let tag = etag(&["snapshot", "events", "limit=1"]);
        assert_eq!(tag, etag(&["snapshot", "events", "limit=1"]));
        assert_ne!(tag, etag(&["snapshot2", "events", "limit=1"]));
        assert_ne!(etag(&["ab", "c"]), etag(&["a", "bc"]));
        assert!(tag.starts_with("W/\"") && tag.ends_with('"') && tag.len() == 36);
    }

    #[test]
    fn an_answer_is_kept_for_a_minute_or_until_time_changes_it() {
        let kept = |left: Option<i64>| CachePolicy::lasting(left.map(TimeDelta::seconds)).value();
        assert_eq!(kept(None), "max-age=60");
        assert_eq!(
            (kept(Some(3600)), kept(Some(7)), kept(Some(-1))),
            (kept(None), "max-age=7".parse().unwrap(), "max-age=0".parse().unwrap())
        );
        assert_eq!(CachePolicy::Never.value(), "no-store");
    }
}
