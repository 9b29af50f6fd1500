//! Which headers pass, in both directions, and those that the gateway adds.

mod back;
mod limits;

use fdna_api::API_VERSION;
use fdna_http::{X_API_VERSION, X_REQUEST_ID};
use hyper::header::{CONNECTION, HeaderMap, HeaderName, HeaderValue};
use uuid::Uuid;

pub(crate) use back::{Back, Part, shared, usual};
pub(crate) use limits::{of_key, seconds_left};

/// The gateway's release, behind that of the contract.
pub const GATEWAY_VERSION: &str = "2026-09-06.3+gw.2026-09-07.1";

const X_GATEWAY_VERSION: HeaderName = HeaderName::from_static("x-gateway-version");
const X_UPSTREAM_REQUEST_ID: HeaderName = HeaderName::from_static("x-upstream-request-id");

/// The client's headers as the canonical host gets them, but for its name.
pub(crate) fn forwarded(client: &HeaderMap) -> impl Iterator<Item = (&HeaderName, &HeaderValue)> {
    let named = named_by_connection(client);
    client.iter().filter(move |(name, _)| {
        let name = name.as_str();
        // Programs that turn `-` into `_` take these for others.
        let is_odd = name.contains('_');
        !is_odd && !is_clients_own(name) && !is_of_one_side(name, &named)
    })
}

/// What an answer to anyone carries, whoever asks.
pub(crate) fn of_anyone(id: Uuid) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let mut text = Uuid::encode_buffer();
    if let Ok(id) = HeaderValue::from_str(id.hyphenated().encode_lower(&mut text)) {
        headers.insert(X_REQUEST_ID, id);
    }
    headers.insert(X_API_VERSION, HeaderValue::from_static(API_VERSION));
    sign(&mut headers);
    headers
}

/// What the gateway's own answers carry too, without a valid key.
pub(crate) fn sign(headers: &mut HeaderMap) {
    headers.insert(X_GATEWAY_VERSION, HeaderValue::from_static(GATEWAY_VERSION));
}

fn named_by_connection(headers: &HeaderMap) -> Vec<String> {
    headers.get_all(CONNECTION).iter().flat_map(named).collect()
}

/// What a `Connection` names, in small letters.
fn named(connection: &HeaderValue) -> impl Iterator<Item = String> {
    let text = connection.to_str().unwrap_or_default();
    text.split(',').map(|name| name.trim().to_ascii_lowercase())
}

/// What is said between the gateway and one of its neighbours, or is the gateway's alone to say.
fn is_of_one_side(name: &str, named: &[String]) -> bool {
    is_hop_by_hop(name) || is_ours(name) || named.iter().any(|other| other == name)
}

/// Of one connection, not of the request: RFC 9110, 7.6.1.
fn is_hop_by_hop(name: &str) -> bool {
    matches!(name, "connection" | "keep-alive" | "te" | "trailer" | "transfer-encoding" | "upgrade")
        || name.starts_with("proxy-")
}

/// The key, the body that no operation takes, and where the client says that it came from or whither it goes.
fn is_clients_own(name: &str) -> bool {
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

/// What is taken from neither side.
fn is_ours(name: &str) -> bool {
    const PREFIXES: [&str; 6] = ["x-forwarded", "x-plan", "x-quota", "x-ratelimit", "ratelimit", "x-gateway"];
    name.starts_with(['x', 'r']) && PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forwarded(client: &HeaderMap) -> HeaderMap {
        super::forwarded(client).map(|(name, value)| (name.clone(), value.clone())).collect()
    }

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
        assert!(forwarded(&client).is_empty(), "{:?}", forwarded(&client));
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
        assert_eq!(forwarded(&kept), kept);
    }
}
