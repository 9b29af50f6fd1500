//! Headers that pass in either direction, and those that the gateway adds.

mod limits;
mod response;

use fdna_api::API_VERSION;
use fdna_http::{X_API_VERSION, X_REQUEST_ID};
use hyper::header::{CONNECTION, HeaderMap, HeaderName, HeaderValue};
use uuid::Uuid;

pub(crate) use limits::{for_key, seconds_left};
pub(crate) use response::merge_response_headers;

/// The gateway's release, after that of the API contract.
pub const GATEWAY_VERSION: &str = "2026-09-06.3+gw.2026-09-07.1";

/// The same before the multi-sport catalog.
pub(crate) const CATALOG_GATEWAY_VERSION: &str = "2026-11-23.1+gw.2026-11-24.1";

const X_GATEWAY_VERSION: HeaderName = HeaderName::from_static("x-gateway-version");
const X_UPSTREAM_REQUEST_ID: HeaderName = HeaderName::from_static("x-upstream-request-id");

/// The client's headers that are sent to an upstream.
pub(crate) fn forwarded_headers(client: &HeaderMap) -> HeaderMap {
    let connection_options = connection_options(client);
    let mut headers = HeaderMap::with_capacity(client.len());
    for (name, value) in client {
        // CGI-like programs read `_` as `-`: `x_plan` would become `x-plan`.
        let has_underscore = name.as_str().contains('_');
        if !has_underscore
            && !is_request_only(name.as_str())
            && !is_blocked(name.as_str(), &connection_options)
        {
            headers.append(name, value.clone());
        }
    }
    headers
}

/// Headers of every response, with a valid key or without.
pub(crate) fn for_anyone(request_id: Uuid) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(X_REQUEST_ID, uuid_value(request_id));
    // Replaced by the upstream's, if it has one.
    headers.insert(X_API_VERSION, HeaderValue::from_static(API_VERSION));
    add_gateway_version(&mut headers);
    headers
}

pub(crate) fn add_gateway_version(headers: &mut HeaderMap) {
    set_gateway_version(headers, GATEWAY_VERSION);
}

pub(crate) fn set_gateway_version(headers: &mut HeaderMap, version: &'static str) {
    headers.insert(X_GATEWAY_VERSION, HeaderValue::from_static(version));
}

pub(crate) fn uuid_value(id: Uuid) -> HeaderValue {
    let mut text = Uuid::encode_buffer();
    // Hexadecimal digits and hyphens are always a valid value.
    HeaderValue::from_str(id.hyphenated().encode_lower(&mut text)).unwrap_or(HeaderValue::from_static(""))
}

/// The options of all `Connection` headers, in lower case.
fn connection_options(headers: &HeaderMap) -> Vec<String> {
    let values = headers.get_all(CONNECTION).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(|option| option.trim().to_ascii_lowercase()).collect()
}

/// Blocked in both directions: it belongs to one connection, or only the gateway may set it.
fn is_blocked(name: &str, connection_options: &[String]) -> bool {
    is_hop_by_hop(name) || is_gateway_header(name) || connection_options.iter().any(|option| option == name)
}

/// RFC 9110, 7.6.1.
fn is_hop_by_hop(name: &str) -> bool {
    matches!(name, "connection" | "keep-alive" | "te" | "trailer" | "transfer-encoding" | "upgrade")
        || name.starts_with("proxy-")
}

/// Blocked in requests: credentials, the body that no operation takes, and addresses as the client claims them.
fn is_request_only(name: &str) -> bool {
    matches!(
        name,
        "authorization"
            | "x-api-key"
            | "host"
            | "content-length"
            | "expect"
            | "forwarded"
            | "via"
            | "x-real-ip"
            | "x-request-id"
            | "x-upstream-request-id"
    )
}

fn is_gateway_header(name: &str) -> bool {
    const PREFIXES: [&str; 6] = ["x-forwarded", "x-plan", "x-quota", "x-ratelimit", "ratelimit", "x-gateway"];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(headers: &[(&str, &str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(HeaderName::from_bytes(name.as_bytes()).unwrap(), value.parse().unwrap());
        }
        map
    }

    #[test]
    fn what_a_client_says_of_itself_or_of_the_connection_is_not_forwarded() {
        let dropped = [
            "Authorization",
            "X-API-Key",
            "X_API_Key",
            "Host",
            "Content-Length",
            "Expect",
            "X-Plan",
            "X-Forwarded-For",
            "X-Forwarded-Host",
            "X-Forwarded",
            "Forwarded",
            "Via",
            "X-Real-IP",
            "X-Request-Id",
            "X-Upstream-Request-Id",
            "X-Quota-Remaining",
            "X-RateLimit-Limit",
            "RateLimit",
            "X-Gateway-Version",
            "Keep-Alive",
            "TE",
            "Trailer",
            "Transfer-Encoding",
            "Upgrade",
            "Proxy-Authorization",
            "Proxy-Connection",
            "X-Named",
            "x-also",
        ];
        let mut client = map(&dropped.map(|name| (name, "spoofed")));
        client.append(CONNECTION, "close, X-Named".parse().unwrap());
        client.append(CONNECTION, "X-ALSO".parse().unwrap());
        assert!(forwarded_headers(&client).is_empty(), "{:?}", forwarded_headers(&client));
    }

    #[test]
    fn what_asks_for_an_answer_is_forwarded_as_it_is() {
        let kept = map(&[
            ("accept-encoding", "br, gzip"),
            ("if-none-match", "W/\"a\""),
            ("if-none-match", "\"b\""),
            ("user-agent", "test"),
            ("traceparent", "00-a-b-01"),
        ]);
        assert_eq!(forwarded_headers(&kept), kept);
    }
}
