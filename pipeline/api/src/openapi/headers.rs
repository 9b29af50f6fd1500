//! Headers of answers.

use serde_json::{Map, Value, json};

/// Name in the document, name on the wire, schema, whether each answer of its kind has it, and what it says.
type Header = (&'static str, &'static str, fn() -> Value, bool, &'static str);

const COMMON: &[Header] = &[
    (
        "RequestId",
        "X-Request-Id",
        || json!({"type": "string", "format": "uuid"}),
        true,
        "Id of the request, as `meta.request_id`, at both hosts.",
    ),
    ("ApiVersion", "X-API-Version", text, true, "Version of the data contract, as `meta.version`."),
    (
        "CacheControl",
        "Cache-Control",
        text,
        true,
        "How long the answer may be kept: up to a minute; for ever as of a date on a named snapshot; errors not at all.",
    ),
    (
        "SnapshotId",
        "X-Snapshot-Id",
        || json!({"type": "string", "pattern": "^[0-9a-f]{32}$"}),
        false,
        "Snapshot that was answered from, if one is loaded.",
    ),
];

const SUCCESS: &[Header] = &[
    (
        "ETag",
        "ETag",
        || json!({"type": "string", "pattern": "^W/\"[0-9a-f]{32}\"$"}),
        true,
        "Weak validator: bodies of one tag differ in request id and encoding.",
    ),
    (
        "Vary",
        "Vary",
        text,
        true,
        "`Accept-Encoding`: answers are compressed as zstd, br or gzip for who accepts it.",
    ),
    ("Link", "Link", text, false, "Of a list with more pages: the address of the next, `<…>; rel=\"next\"`."),
];

const RETRY: &[Header] = &[(
    "RetryAfter",
    "Retry-After",
    count,
    false,
    "Whole seconds: on every 429, and on 503 where a later request can succeed. Without it, asking again is of no use \
     while the snapshot stands.",
)];

const CHALLENGE: &[Header] =
    &[("WwwAuthenticate", "WWW-Authenticate", text, true, "Which credential is asked for: `Bearer`.")];

/// What the gateway adds.
const GATEWAY: &[Header] = &[
    (
        "UpstreamRequestId",
        "X-Upstream-Request-Id",
        || json!({"type": "string", "format": "uuid"}),
        false,
        "From the gateway: the id of the request at the canonical host, which takes the gateway's.",
    ),
    ("GatewayVersion", "X-Gateway-Version", text, false, "From the gateway: its release."),
    (
        "Plan",
        "X-Plan",
        || json!({"$ref": "#/components/schemas/PlanName"}),
        false,
        "From the gateway: the caller's plan.",
    ),
    ("RateLimitLimit", "X-RateLimit-Limit", count, false, "From the gateway: requests per minute."),
    (
        "RateLimitRemaining",
        "X-RateLimit-Remaining",
        count,
        false,
        "From the gateway: those left in this minute.",
    ),
    (
        "RateLimitReset",
        "X-RateLimit-Reset",
        count,
        false,
        "From the gateway: when the next minute begins, in seconds since 1970.",
    ),
    ("QuotaLimit", "X-Quota-Limit", count, false, "From the gateway: requests per month."),
    ("QuotaRemaining", "X-Quota-Remaining", count, false, "From the gateway: those left in this month."),
    (
        "QuotaReset",
        "X-Quota-Reset",
        count,
        false,
        "From the gateway: when the next month begins, in seconds since 1970.",
    ),
    (
        "RateLimit",
        "RateLimit",
        text,
        false,
        "From the gateway, of both windows as the IETF draft writes it: `\"minute\";r=59;t=40, \"month\";r=24999;t=1900000`, \
         `r` requests left and `t` seconds to the end.",
    ),
    (
        "RateLimitPolicy",
        "RateLimit-Policy",
        text,
        false,
        "From the gateway, as the IETF draft writes it: `\"minute\";q=60;w=60, \"month\";q=25000;w=2592000`, `q` requests \
         in `w` seconds.",
    ),
];

fn text() -> Value {
    json!({"type": "string"})
}

fn count() -> Value {
    json!({"type": "integer", "minimum": 0})
}

/// All of them, for `components`.
pub(super) fn all() -> Map<String, Value> {
    let header = |(name, _, schema, required, about): &Header| {
        ((*name).to_owned(), json!({"description": about, "schema": schema(), "required": required}))
    };
    [COMMON, SUCCESS, RETRY, CHALLENGE, GATEWAY].into_iter().flatten().map(header).collect()
}

/// Of 200 and 304.
pub(super) fn of_success() -> Map<String, Value> {
    refs(&[COMMON, SUCCESS, GATEWAY])
}

/// Of an answer that the gateway makes itself.
pub(super) fn of_gateway() -> Map<String, Value> {
    refs(&[COMMON, GATEWAY])
}

/// Of an error: with `Retry-After` where a later request can succeed, with a challenge where a key is asked for.
pub(super) fn of_error(status: u16) -> Map<String, Value> {
    match status {
        401 => refs(&[COMMON, CHALLENGE, GATEWAY]),
        429 | 503 => refs(&[COMMON, RETRY, GATEWAY]),
        _ => refs(&[COMMON, GATEWAY]),
    }
}

fn refs(lists: &[&[Header]]) -> Map<String, Value> {
    let header = |(name, wire, ..): &Header| {
        ((*wire).to_owned(), json!({"$ref": format!("#/components/headers/{name}")}))
    };
    lists.iter().copied().flatten().map(header).collect()
}
