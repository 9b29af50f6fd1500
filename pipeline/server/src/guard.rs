//! What is refused before any route: addresses that someone in front could read in another way.

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CONTENT_LENGTH, HOST, TRANSFER_ENCODING};
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, Version};
use axum::middleware::Next;
use fdna_api::{ErrorCode, Failure};

use crate::respond;

/// Header fields of a request, at most.
pub(crate) const MAX_HEADERS: usize = 64;

/// Refuses a request that is not in normal form.
pub(crate) async fn guard(request: Request, next: Next) -> Response<Body> {
    match check(&request) {
        Ok(()) => next.run(request).await,
        Err(refused) => without_body(request.method(), respond::failure(&refused, None)),
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

/// HEAD is answered as GET, without the body.
fn without_body(method: &Method, response: Response<Body>) -> Response<Body> {
    use axum::body::HttpBody as _;
    if method != Method::HEAD {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    if let Some(length) = body.size_hint().exact() {
        parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    Response::from_parts(parts, Body::empty())
}

fn check(request: &Request) -> Result<(), Failure> {
    if request.headers().len() > MAX_HEADERS {
        return Err(Failure::new(ErrorCode::HeadersTooLarge, "more than 64 header fields"));
    }
    if !has_one_host(request) {
        return Err(Failure::new(ErrorCode::InvalidRequest, "a request must name exactly one host"));
    }
    // Two credentials: whoever stands in front may have checked the other one.
    if ["authorization", "x-api-key"].iter().any(|name| request.headers().get_all(*name).iter().count() > 1) {
        return Err(Failure::new(ErrorCode::InvalidRequest, "a request may carry one credential"));
    }
    // No operation takes a body; one in chunks, perhaps with a length beside it, is how requests are smuggled.
    if request.headers().contains_key(TRANSFER_ENCODING) {
        return Err(Failure::new(ErrorCode::InvalidRequest, "no operation takes a body"));
    }
    if !is_normal(request.uri().path()) {
        return Err(Failure::new(ErrorCode::InvalidRequest, "path is not in normal form"));
    }
    Ok(())
}

/// One `Host` in HTTP/1.1; in HTTP/2 the authority stands for it. Where both are given they must agree.
fn has_one_host(request: &Request) -> bool {
    let authority = request.uri().authority().map(|a| a.as_str());
    match (hosts(request.headers()).as_slice(), authority) {
        ([host], None) => !host.is_empty(),
        ([host], Some(authority)) => host.eq_ignore_ascii_case(authority.as_bytes()),
        ([], Some(_)) => request.version() == Version::HTTP_2,
        _ => false,
    }
}

fn hosts(headers: &HeaderMap) -> Vec<&[u8]> {
    headers.get_all(HOST).iter().map(HeaderValue::as_bytes).collect()
}

/// No empty or dot segment, no parameter, no backslash, nothing encoded that would make one.
fn is_normal(path: &str) -> bool {
    const ENCODED: [&str; 5] = ["%2e", "%2f", "%5c", "%3b", "%00"];
    let lower = path.to_ascii_lowercase();
    path.starts_with('/')
        && !path.contains("//")
        && !path.contains([';', '\\'])
        && !path.split('/').any(|segment| segment == "." || segment == "..")
        && !ENCODED.iter().any(|code| lower.contains(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_could_be_read_in_two_ways_are_not_normal() {
        for path in [
            "//v1/mma",
            "/v1//mma",
            "/v1/mma/../x",
            "/v1/./mma",
            "/v1/mma/%2e%2E/x",
            "/v1/mma%2Fevents",
            "/v1/mma;a=b",
            "/v1\\mma",
            "/v1/%5cmma",
            "/v1/mma/%3b",
            "/v1/%00",
            "*",
            "",
            "/..",
            "/v1/mma/events/.",
        ] {
            assert!(!is_normal(path), "{path}");
        }
        for path in [
            "/",
            "/v1/mma",
            "/v1/mma/fighters/jon-jones-07225ba2",
            "/v1/mma/fighters/a.b",
            "/a..b",
            "/%C3%A9",
        ] {
            assert!(is_normal(path), "{path}");
        }
    }
}
