//! Pages of other origins: which of them a browser may let read answers.
//!
//! Nobody is let without being named. Credentials of a browser (cookies) are never asked for: a key is sent as a header,
//! which a page has to be given.

use axum_core::body::Body;
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, HeaderMap,
    HeaderValue, ORIGIN, VARY,
};
use hyper::{Method, Request, Response, StatusCode, Uri};

use crate::{ALLOWED, request_id, set_common_headers};

/// Headers that a page may send.
const SENT: HeaderValue = HeaderValue::from_static(
    "authorization, x-api-key, if-match, if-none-match, if-range, last-event-id, range",
);

/// Headers that a page may read, beside those that it may always.
const READ: HeaderValue = HeaderValue::from_static(
    "accept-ranges, content-disposition, content-location, content-range, repr-digest, etag, link, retry-after, ratelimit, ratelimit-policy, x-request-id, x-upstream-request-id, x-snapshot-id, \
     x-api-version, x-gateway-version, x-plan, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, \
     x-quota-limit, x-quota-remaining, x-quota-reset, www-authenticate",
);

/// Seconds for which a browser need not ask again.
const MAX_AGE: HeaderValue = HeaderValue::from_static("600");

/// A configured origin that is none.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not an origin: use a scheme and a host such as https://app.example, or *")]
pub struct BadOrigin(String);

/// Origins whose pages may read answers; none by default.
#[derive(Debug, Clone, Default)]
pub struct Cors {
    origins: Vec<HeaderValue>,
    any: bool,
}

impl Cors {
    /// Of origins as browsers write them, `https://app.example`, or `*` for all.
    ///
    /// # Errors
    /// One of them is none.
    pub fn for_origins<S: AsRef<str>>(origins: &[S]) -> Result<Self, BadOrigin> {
        let mut cors = Self::default();
        for origin in origins.iter().map(AsRef::as_ref) {
            if origin == "*" {
                cors.any = true;
                continue;
            }
            let origin = normal_origin(origin).ok_or_else(|| BadOrigin(origin.to_owned()))?;
            cors.origins.push(origin);
        }
        Ok(cors)
    }

    /// Whether anybody is let.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.any || !self.origins.is_empty()
    }

    /// The answer to a browser that asks whether a page may ask: before any key is looked for, since browsers send none.
    /// It is marked as all answers are.
    pub fn answer_preflight<B>(&self, request: &Request<B>) -> Option<Response<Body>> {
        let headers = request.headers();
        let is_asked =
            *request.method() == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
        let origin = headers.get(ORIGIN).filter(|_| is_asked && self.is_on())?;
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NO_CONTENT;
        let headers = response.headers_mut();
        set_common_headers(headers, request_id());
        if self.allows_origin(origin) {
            headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(ALLOWED));
            headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, SENT);
            headers.insert(ACCESS_CONTROL_MAX_AGE, MAX_AGE);
        }
        Some(response)
    }

    /// Tells a browser whether the page that asked may read the answer.
    pub(crate) fn mark_response(&self, origin: Option<&HeaderValue>, headers: &mut HeaderMap) {
        if !self.is_on() {
            return;
        }
        headers.append(VARY, HeaderValue::from_static("Origin"));
        if let Some(origin) = origin.filter(|origin| self.allows_origin(origin)) {
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, READ);
        }
    }

    fn allows_origin(&self, origin: &HeaderValue) -> bool {
        self.any || self.origins.contains(origin)
    }
}

/// As browsers write it: scheme, host in small letters, port unless it is the scheme's own; no path.
fn normal_origin(text: &str) -> Option<HeaderValue> {
    let uri: Uri = text.parse().ok()?;
    let scheme = uri.scheme_str().filter(|scheme| matches!(*scheme, "http" | "https"))?;
    let authority = uri.authority().filter(|authority| !authority.as_str().contains('@'))?;
    let is_bare =
        matches!(text.strip_prefix(scheme)?.strip_prefix("://")?, rest if !rest.contains(['/', '?', '#']));
    let own = if scheme == "https" { ":443" } else { ":80" };
    let host = authority.as_str().to_ascii_lowercase();
    let host = host.strip_suffix(own).unwrap_or(&host);
    HeaderValue::try_from(format!("{scheme}://{host}")).ok().filter(|_| is_bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(method: &str, origin: &str) -> Request<()> {
        let request = Request::builder().method(method).header(ORIGIN, origin);
        request.header(ACCESS_CONTROL_REQUEST_METHOD, "GET").body(()).unwrap()
    }

    #[test]
    fn a_page_of_a_named_origin_may_ask_and_no_other() {
        let cors = Cors::for_origins(&["https://app.example"]).unwrap();
        let allowed = |origin: &str| {
            let mut response = cors.answer_preflight(&asked("OPTIONS", origin)).unwrap();
            cors.mark_response(HeaderValue::from_str(origin).ok().as_ref(), response.headers_mut());
            assert_eq!(
                (response.status().as_u16(), &response.headers()[VARY]),
                (204, &HeaderValue::from_static("Origin"))
            );
            response.headers().contains_key(ACCESS_CONTROL_ALLOW_ORIGIN)
                && response.headers().contains_key(ACCESS_CONTROL_ALLOW_HEADERS)
        };
        assert!(allowed("https://app.example"));
        for other in ["http://app.example", "https://app.example.evil", "https://evil", "null"] {
            assert!(!allowed(other), "{other}");
        }
        assert!(cors.answer_preflight(&asked("GET", "https://app.example")).is_none());
        assert!(Cors::default().answer_preflight(&asked("OPTIONS", "https://app.example")).is_none());
    }

    #[test]
    fn origins_are_as_browsers_write_them() {
        for (text, origin) in [
            ("https://app.example", Some("https://app.example")),
            ("HTTPS://App.Example:443", None),
            ("https://App.Example:443", Some("https://app.example")),
            ("http://localhost:3000", Some("http://localhost:3000")),
            ("https://app.example/", None),
            ("app.example", None),
            ("ftp://app.example", None),
            ("https://user@app.example", None),
        ] {
            let read = normal_origin(text);
            assert_eq!(read.as_ref().and_then(|v| v.to_str().ok()), origin, "{text}");
        }
        assert!(
            Cors::for_origins(&["*"])
                .unwrap()
                .allows_origin(&HeaderValue::from_static("https://any.example"))
        );
        assert!(Cors::for_origins(&["nowhere"]).is_err());
    }
}
