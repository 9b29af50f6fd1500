//! Refusals before any route: requests that a proxy in front or a server behind could read in another way.

use fdna_api::{ErrorCode, Failure};
use hyper::header::{
    AUTHORIZATION, CONTENT_LENGTH, HOST, HeaderMap, HeaderName, HeaderValue, TRANSFER_ENCODING,
};
use hyper::{Method, Request, Version};

/// Header fields of a request, at most.
pub const MAX_HEADERS: usize = 64;

/// Bytes of a request's path and query, at most.
pub const MAX_TARGET_BYTES: usize = 8 * 1024;

/// Headers that carry a credential.
const CREDENTIALS: [HeaderName; 2] = [AUTHORIZATION, HeaderName::from_static("x-api-key")];

/// Refuses a request that is not in normal form, is too large, or has a body.
///
/// # Errors
/// What is wrong with it: 400, 414 or 431.
pub fn check_request<B>(request: &Request<B>) -> Result<(), Failure> {
    let (headers, uri) = (request.headers(), request.uri());
    if headers.len() > MAX_HEADERS {
        return Err(Failure::new(ErrorCode::HeadersTooLarge, "Too many header fields: 64 at most"));
    }
    if uri.path_and_query().is_some_and(|target| target.as_str().len() > MAX_TARGET_BYTES) {
        return Err(Failure::new(
            ErrorCode::UriTooLong,
            "The URL is too long: path and query may take 8192 bytes",
        ));
    }
    if !has_one_host(request) {
        return Err(invalid_request("The request must name exactly one Host"));
    }
    if has_repeated_credential(headers) {
        return Err(invalid_request("Send one credential: Authorization and X-API-Key must not be repeated"));
    }
    if has_body(request.method(), headers) {
        return Err(invalid_request("Requests take no body: every operation is GET"));
    }
    if !is_normal(uri.path()) {
        return Err(invalid_request(
            "The path must not contain //, ;, \\, . or .. segments, plain or percent-encoded",
        ));
    }
    Ok(())
}

fn invalid_request(why: &str) -> Failure {
    Failure::new(ErrorCode::InvalidRequest, why)
}

/// One `Host` in HTTP/1.1; in HTTP/2 the authority stands for it. Where both are given they must agree.
#[must_use]
pub fn has_one_host<B>(request: &Request<B>) -> bool {
    let authority = request.uri().authority().map(|a| a.as_str());
    let mut hosts = request.headers().get_all(HOST).iter().map(HeaderValue::as_bytes);
    match (hosts.next(), hosts.next(), authority) {
        (Some(host), None, None) => !host.is_empty(),
        (Some(host), None, Some(authority)) => host.eq_ignore_ascii_case(authority.as_bytes()),
        (None, _, Some(_)) => request.version() == Version::HTTP_2,
        _ => false,
    }
}

/// Two credentials of one kind: whoever stands in front may have checked the other one.
#[must_use]
pub fn has_repeated_credential(headers: &HeaderMap) -> bool {
    CREDENTIALS.iter().any(|name| headers.get_all(name).iter().nth(1).is_some())
}

/// Whether a request brings a body to an operation that takes none. In chunks, perhaps with a length beside it, is
/// how requests are smuggled, so that is refused whatever the method; a method that is not answered at all is told
/// so rather than this.
#[must_use]
pub fn has_body(method: &Method, headers: &HeaderMap) -> bool {
    let is_answered = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
    let is_empty = |length: &HeaderValue| length.as_bytes().iter().all(|digit| *digit == b'0');
    headers.contains_key(TRANSFER_ENCODING)
        || (is_answered && !headers.get_all(CONTENT_LENGTH).iter().all(is_empty))
}

/// No empty or dot segment, no parameter, no backslash, nothing encoded that would make one.
#[must_use]
pub fn is_normal(path: &str) -> bool {
    const ENCODED: [&str; 5] = ["%2e", "%2f", "%5c", "%3b", "%00"];
    let has_none_encoded = || {
        let lower = path.to_ascii_lowercase();
        !ENCODED.iter().any(|code| lower.contains(code))
    };
    // Short, and in every request: looked at byte by byte, where a search would take longer to begin.
    let bytes = path.as_bytes();
    bytes.starts_with(b"/")
        && !bytes.windows(2).any(|pair| pair == b"//")
        && !bytes.iter().any(|byte| matches!(byte, b';' | b'\\'))
        && !bytes.split(|byte| *byte == b'/').any(|segment| matches!(segment, b"." | b".."))
        && (!bytes.contains(&b'%') || has_none_encoded())
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
