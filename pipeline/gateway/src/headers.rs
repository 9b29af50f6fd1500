//! Which headers pass, in both directions, and those that the gateway adds.

use std::fmt::{self, Write as _};

use bytes::BytesMut;
use chrono::{DateTime, Utc};
use fdna_api::{API_VERSION, Plan};
use fdna_http::X_REQUEST_ID;
use hyper::header::{
    AUTHORIZATION, CACHE_CONTROL, CONNECTION, CONTENT_LENGTH, EXPECT, FORWARDED, HOST, HeaderMap, HeaderName,
    HeaderValue, TE, TRAILER, TRANSFER_ENCODING, UPGRADE, VIA,
};
use uuid::Uuid;

use crate::counter::{Gauge, Standing};
use crate::credential::X_API_KEY;

/// The gateway's release, behind that of the contract.
pub const GATEWAY_VERSION: &str = "2026-09-06.3+gw.2026-09-07.1";

const X_API_VERSION: HeaderName = HeaderName::from_static("x-api-version");
const X_GATEWAY_VERSION: HeaderName = HeaderName::from_static("x-gateway-version");
const X_UPSTREAM_REQUEST_ID: HeaderName = HeaderName::from_static("x-upstream-request-id");
const X_PLAN: HeaderName = HeaderName::from_static("x-plan");
const KEEP_ALIVE: HeaderName = HeaderName::from_static("keep-alive");

/// Limit, remaining and reset of the minute, then of the month.
const GAUGES: [[HeaderName; 3]; 2] = [
    [
        HeaderName::from_static("x-ratelimit-limit"),
        HeaderName::from_static("x-ratelimit-remaining"),
        HeaderName::from_static("x-ratelimit-reset"),
    ],
    [
        HeaderName::from_static("x-quota-limit"),
        HeaderName::from_static("x-quota-remaining"),
        HeaderName::from_static("x-quota-reset"),
    ],
];

/// The same as the IETF's draft writes it.
const RATELIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATELIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Of one connection, not of the request: RFC 9110, 7.6.1.
const HOP_BY_HOP: [HeaderName; 6] = [CONNECTION, KEEP_ALIVE, TE, TRAILER, TRANSFER_ENCODING, UPGRADE];

/// The key, the body that no operation takes, and where the client says that it came from or whither it goes.
const NOT_FORWARDED: [HeaderName; 8] = [
    AUTHORIZATION,
    X_API_KEY,
    HOST,
    CONTENT_LENGTH,
    EXPECT,
    FORWARDED,
    VIA,
    HeaderName::from_static("x-real-ip"),
];

/// What is ours to say: names that begin so, with an `x` or `r`, are taken from neither side.
const OURS: [&str; 6] = ["x-forwarded", "x-plan", "x-quota", "x-ratelimit", "ratelimit", "x-gateway"];

/// What is added to a canonical host's headers, at most.
const ADDED: usize = 12;

/// Bytes of what is told of limits, mostly: one piece of memory, which the headers share.
const TOLD: usize = 256;

/// The client's headers as the canonical host gets them, but for its name.
pub(crate) fn forwarded(client: &HeaderMap) -> impl Iterator<Item = (&HeaderName, &HeaderValue)> {
    let named = named_by_connection(client);
    client.iter().filter(move |(name, _)| {
        // Programs that turn `-` into `_` take these for others.
        let is_odd = name.as_str().contains('_') || name.as_str().starts_with("proxy-");
        let is_id = **name == X_REQUEST_ID || **name == X_UPSTREAM_REQUEST_ID;
        let is_dropped = is_odd || is_id || NOT_FORWARDED.contains(name);
        !is_dropped && !is_hop_by_hop(name, &named) && !is_ours(name)
    })
}

/// The canonical host's headers as the client gets them: its request id stands beside ours.
pub(crate) fn pass_back(headers: &mut HeaderMap) {
    let named = named_by_connection(headers);
    let is_dropped = |name: &&HeaderName| {
        is_hop_by_hop(name, &named) || is_ours(name) || name.as_str().starts_with("proxy-")
    };
    // Mostly none.
    let dropped: Vec<HeaderName> = headers.keys().filter(is_dropped).cloned().collect();
    for name in dropped {
        headers.remove(name);
    }
    // Once, for all that the gateway says.
    headers.reserve(ADDED);
    headers.remove(X_UPSTREAM_REQUEST_ID);
    if let Some(id) = headers.remove(X_REQUEST_ID) {
        headers.insert(X_UPSTREAM_REQUEST_ID, id);
    }
    make_private(headers);
}

/// A cache that many use must not give one client's answer to another, who may have no key.
fn make_private(headers: &mut HeaderMap) {
    let Some(policy) = headers.get(CACHE_CONTROL).and_then(|value| value.to_str().ok()) else { return };
    if policy.starts_with("max-age")
        && let Ok(value) = HeaderValue::try_from(format!("private, {policy}"))
    {
        headers.insert(CACHE_CONTROL, value);
    }
}

/// What every answer of the gateway carries.
pub(crate) fn sign(headers: &mut HeaderMap, request_id: Uuid) {
    let mut text = Uuid::encode_buffer();
    if let Ok(id) = HeaderValue::from_str(request_id.hyphenated().encode_lower(&mut text)) {
        headers.insert(X_REQUEST_ID, id);
    }
    headers.entry(X_API_VERSION).or_insert(HeaderValue::from_static(API_VERSION));
    headers.insert(X_GATEWAY_VERSION, HeaderValue::from_static(GATEWAY_VERSION));
}

/// What every answer to a valid key carries. Resets are in seconds since 1970, `t` in seconds from now.
pub(crate) fn tell(headers: &mut HeaderMap, plan: Plan, standing: &Standing, now: DateTime<Utc>) {
    headers.insert(X_PLAN, HeaderValue::from_static(plan.name()));
    let Standing { minute, month } = standing;
    let mut text = BytesMut::with_capacity(TOLD);
    let mut tell = |name: &HeaderName, value: fmt::Arguments<'_>| {
        if text.write_fmt(value).is_ok()
            && let Ok(value) = HeaderValue::from_maybe_shared(text.split().freeze())
        {
            headers.insert(name, value);
        }
    };
    for ([limit, remaining, reset], gauge) in GAUGES.iter().zip([minute, month]) {
        tell(limit, format_args!("{}", gauge.limit));
        tell(remaining, format_args!("{}", gauge.remaining));
        tell(reset, format_args!("{}", gauge.window.ends_at()));
    }
    let (of_minute, of_month) = (minute.window.length(), month.window.length());
    let (q_minute, q_month) = (minute.limit, month.limit);
    let policy = format_args!("\"minute\";q={q_minute};w={of_minute}, \"month\";q={q_month};w={of_month}");
    tell(&RATELIMIT_POLICY, policy);
    let (t_minute, t_month) = (seconds_left(minute, now), seconds_left(month, now));
    let (r_minute, r_month) = (minute.remaining, month.remaining);
    let left = format_args!("\"minute\";r={r_minute};t={t_minute}, \"month\";r={r_month};t={t_month}");
    tell(&RATELIMIT, left);
}

/// Seconds until a window ends, rounded up: never none.
pub(crate) fn seconds_left(gauge: &Gauge, now: DateTime<Utc>) -> i64 {
    (gauge.window.ends_at() - now.timestamp()).max(1)
}

fn named_by_connection(headers: &HeaderMap) -> Vec<String> {
    let values = headers.get_all(CONNECTION).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(|name| name.trim().to_ascii_lowercase()).collect()
}

fn is_hop_by_hop(name: &HeaderName, named: &[String]) -> bool {
    HOP_BY_HOP.contains(name) || named.iter().any(|other| other == name.as_str())
}

fn is_ours(name: &HeaderName) -> bool {
    let name = name.as_str();
    name.starts_with(['x', 'r']) && OURS.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Limits;

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

    #[test]
    fn a_host_cannot_speak_for_the_gateway() {
        let mut headers = map(&[
            ("x-request-id", "theirs"),
            ("x-upstream-request-id", "whose"),
            ("x-plan", "enterprise"),
            ("x-quota-remaining", "9"),
            ("connection", "x-secret"),
            ("x-secret", "s"),
            ("transfer-encoding", "chunked"),
            ("etag", "W/\"a\""),
            ("content-encoding", "br"),
            ("cache-control", "max-age=60"),
        ]);
        pass_back(&mut headers);
        let kept = map(&[
            ("x-upstream-request-id", "theirs"),
            ("etag", "W/\"a\""),
            ("content-encoding", "br"),
            ("cache-control", "private, max-age=60"),
        ]);
        assert_eq!(headers, kept);
    }

    #[test]
    fn errors_stay_unkept() {
        let mut headers = map(&[("cache-control", "no-store")]);
        pass_back(&mut headers);
        assert_eq!(headers[CACHE_CONTROL], "no-store");
    }

    #[test]
    fn limits_are_told_in_both_ways() {
        let now: DateTime<Utc> = "2026-02-28T23:59:30.7Z".parse().unwrap();
        let limits = Limits { per_minute: 60, per_month: 25_000 };
        let standing = crate::counter::Counter::default().standing(limits, now);
        let mut headers = HeaderMap::new();
        tell(&mut headers, Plan::Developer, &standing, now);
        let of = |name: &str| headers[name].to_str().unwrap();
        assert_eq!(of("x-plan"), "developer");
        assert_eq!((of("x-ratelimit-limit"), of("x-ratelimit-remaining")), ("60", "60"));
        assert_eq!((of("x-quota-limit"), of("x-quota-remaining")), ("25000", "25000"));
        let midnight = "2026-03-01T00:00:00Z".parse::<DateTime<Utc>>().unwrap().timestamp().to_string();
        assert_eq!((of("x-ratelimit-reset"), of("x-quota-reset")), (midnight.as_str(), midnight.as_str()));
        assert_eq!(of("ratelimit-policy"), "\"minute\";q=60;w=60, \"month\";q=25000;w=2419200");
        assert_eq!(of("ratelimit"), "\"minute\";r=60;t=30, \"month\";r=25000;t=30");
    }
}
