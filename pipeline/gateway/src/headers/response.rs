//! The headers of a response to the client: the upstream's that may pass, and the gateway's own.

use fdna_http::{X_API_VERSION, X_REQUEST_ID};
use hyper::header::{CACHE_CONTROL, CONNECTION, HeaderMap, HeaderName, HeaderValue};

use super::{X_UPSTREAM_REQUEST_ID, connection_options, is_blocked};

/// Treatment of an upstream's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HeaderRole {
    /// The upstream's id of the request.
    RequestId,
    /// The release of the API contract that the upstream implements.
    ApiVersion,
    CacheControl,
    /// Not passed on.
    Blocked,
    Passed,
}

impl HeaderRole {
    fn of_header(name: &HeaderName) -> Self {
        match name {
            name if *name == CACHE_CONTROL => Self::CacheControl,
            name if *name == X_REQUEST_ID => Self::RequestId,
            name if *name == X_API_VERSION => Self::ApiVersion,
            name if *name == X_UPSTREAM_REQUEST_ID => Self::Blocked,
            name if is_blocked(name.as_str(), &[]) => Self::Blocked,
            _ => Self::Passed,
        }
    }
}

/// Adds the upstream's headers to the gateway's own.
pub(crate) fn merge_response_headers(mut own: HeaderMap, upstream: &HeaderMap) -> HeaderMap {
    let connection_options =
        if upstream.contains_key(CONNECTION) { connection_options(upstream) } else { Vec::new() };
    own.reserve(upstream.len());
    for (name, value) in upstream {
        if connection_options.iter().any(|option| name == option.as_str()) {
            continue;
        }
        match HeaderRole::of_header(name) {
            HeaderRole::Blocked => {}
            HeaderRole::RequestId => add_request_id(&mut own, value),
            HeaderRole::ApiVersion => drop(own.insert(name, value.clone())),
            HeaderRole::CacheControl => drop(own.append(name, private_policy(value))),
            HeaderRole::Passed => drop(own.append(name, value.clone())),
        }
    }
    own
}

/// The upstream's first id becomes `X-Upstream-Request-Id`. If it is a UUID, it replaces the gateway's id too: it is the id
/// in the body, which an upstream that does not trust the gateway generates itself.
fn add_request_id(own: &mut HeaderMap, id: &HeaderValue) {
    if own.contains_key(X_UPSTREAM_REQUEST_ID) {
        return;
    }
    if is_uuid(id) && own.contains_key(X_REQUEST_ID) {
        own.insert(X_REQUEST_ID, id.clone());
    }
    own.insert(X_UPSTREAM_REQUEST_ID, id.clone());
}

fn is_uuid(value: &HeaderValue) -> bool {
    value.len() == uuid::fmt::Hyphenated::LENGTH && uuid::Uuid::try_parse_ascii(value.as_bytes()).is_ok()
}

/// A shared cache must not give one client's response to another, who may have no key.
fn private_policy(policy: &HeaderValue) -> HeaderValue {
    // Commas in quoted strings would need a parser.
    if policy.as_bytes().contains(&b'"') {
        return HeaderValue::from_static("no-store");
    }
    let is_one_of =
        |name: &[u8], names: &[&str]| names.iter().any(|other| name.eq_ignore_ascii_case(other.as_bytes()));
    let directives = || policy.as_bytes().split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    if directives().any(|directive| is_one_of(directive, &["private", "no-store", "no-cache"])) {
        return policy.clone();
    }
    let is_for_shared_caches = |directive: &[u8]| {
        let name = directive.split(|byte| *byte == b'=').next().unwrap_or(directive);
        is_one_of(name, &["public", "s-maxage"])
    };
    let mut private = b"private".to_vec();
    for directive in
        directives().filter(|directive| !directive.is_empty() && !is_for_shared_caches(directive))
    {
        private.extend([b", ", directive].concat());
    }
    HeaderValue::try_from(private).unwrap_or(HeaderValue::from_static("private"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(headers: &[(&str, &str)]) -> HeaderMap {
        passed_onto(HeaderMap::new(), headers)
    }

    fn passed_onto(own: HeaderMap, headers: &[(&str, &str)]) -> HeaderMap {
        let mut upstream = HeaderMap::new();
        for (name, value) in headers {
            upstream.append(HeaderName::from_bytes(name.as_bytes()).unwrap(), value.parse().unwrap());
        }
        merge_response_headers(own, &upstream)
    }

    fn map(headers: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_static(value));
        }
        map
    }

    #[test]
    fn a_host_cannot_speak_for_the_gateway() {
        let headers = passed(&[
            ("x-request-id", "theirs"),
            ("x-upstream-request-id", "whose"),
            ("x-secret", "s"),
            ("x-plan", "enterprise"),
            ("x-quota-remaining", "9"),
            ("connection", "close, X-Secret"),
            ("connection", "x-other"),
            ("x-other", "o"),
            ("keep-alive", "timeout=5"),
            ("proxy-authenticate", "Basic"),
            ("transfer-encoding", "chunked"),
            ("etag", "W/\"a\""),
            ("content-encoding", "br"),
            ("content-length", "5"),
            ("x-two", "a"),
            ("x-two", "b"),
        ]);
        let kept = map(&[
            ("x-upstream-request-id", "theirs"),
            ("etag", "W/\"a\""),
            ("content-encoding", "br"),
            ("content-length", "5"),
            ("x-two", "a"),
            ("x-two", "b"),
        ]);
        assert_eq!(headers, kept);
    }

    #[test]
    fn what_a_host_says_stands_beneath_what_the_gateway_says() {
        let own = map(&[("x-request-id", "ours"), ("x-plan", "pro"), ("x-api-version", "1")]);
        let with = |more: &[(&'static str, &'static str)]| {
            let mut headers = own.clone();
            headers.extend(map(more));
            headers
        };
        for (theirs, expected) in [
            (&[("x-request-id", "a")][..], with(&[("x-upstream-request-id", "a")])),
            (&[("x-request-id", "a"), ("x-request-id", "b")], with(&[("x-upstream-request-id", "a")])),
            (&[("x-request-id", "a"), ("connection", "x-request-id")], with(&[])),
            (
                &[("connection", "x-upstream-request-id"), ("x-request-id", "a")],
                with(&[("x-upstream-request-id", "a")]),
            ),
            (&[("x-api-version", "2")], with(&[("x-api-version", "2")])),
            (&[("x-api-version", "2"), ("x-api-version", "3")], with(&[("x-api-version", "3")])),
            (&[("x-plan", "enterprise"), ("x-gateway-version", "9")], with(&[])),
        ] {
            assert_eq!(passed_onto(own.clone(), theirs), expected, "{theirs:?}");
        }
    }

    #[test]
    fn the_id_of_the_answer_is_the_one_in_its_body() {
        let (ours, theirs) = ("00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002");
        let answered = |theirs: &str| {
            let own = map(&[("x-request-id", ours)]);
            let headers = passed_onto(own, &[("x-request-id", theirs)]);
            headers[X_REQUEST_ID].to_str().unwrap().to_owned()
        };
        assert_eq!((answered(ours).as_str(), answered(theirs).as_str()), (ours, theirs));
        assert_eq!(answered("no id at all, or one that is too long"), ours);
    }

    #[test]
    fn what_may_be_kept_is_kept_by_its_client_alone() {
        for (theirs, ours) in [
            ("max-age=60", "private, max-age=60"),
            ("max-age=7", "private, max-age=7"),
            ("max-age=31536000, immutable", "private, max-age=31536000, immutable"),
            ("public, max-age=60, s-maxage=900", "private, max-age=60"),
            ("PUBLIC", "private"),
            ("", "private"),
            ("must-revalidate,", "private, must-revalidate"),
            ("no-store", "no-store"),
            ("no-cache", "no-cache"),
            ("max-age=60, private", "max-age=60, private"),
            ("max-age=60, ext=\"a, no-store, b\"", "no-store"),
        ] {
            assert_eq!(passed(&[("cache-control", theirs)])[CACHE_CONTROL], ours);
        }
        let both = passed(&[("cache-control", "max-age=60"), ("cache-control", "public")]);
        assert_eq!(
            both.get_all(CACHE_CONTROL).iter().collect::<Vec<_>>(),
            ["private, max-age=60", "private"]
        );
    }
}
