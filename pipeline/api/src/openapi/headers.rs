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

/// Of a file that is sent, or that the client has.
const FILE: &[Header] = &[
    (
        "FileETag",
        "ETag",
        || json!({"type": "string", "pattern": "^\"[0-9a-f]{64}\"$"}),
        true,
        "Strong validator: the SHA-256 of the file as the manifest has it.",
    ),
    (
        "ContentLocation",
        "Content-Location",
        text,
        false,
        "Of an address that says `current`: the address of the same file by the id of its snapshot.",
    ),
];

/// Of a file that is sent.
const CONTENT: &[Header] = &[
    (
        "AcceptRanges",
        "Accept-Ranges",
        || json!({"type": "string", "const": "bytes"}),
        true,
        "Parts may be asked for.",
    ),
    (
        "ReprDigest",
        "Repr-Digest",
        sha256,
        true,
        "SHA-256 of the whole file (RFC 9530), whatever part of it is sent.",
    ),
    ("ContentDisposition", "Content-Disposition", text, true, "A name to save the file under."),
];

/// Of a whole file that is the content of its answer.
const WHOLE: &[Header] = &[(
    "ContentDigest",
    "Content-Digest",
    sha256,
    false,
    "SHA-256 of what is sent (RFC 9530): of a whole file alone, and not of HEAD.",
)];

const PART: &[Header] = &[(
    "ContentRange",
    "Content-Range",
    text,
    false,
    "Which bytes are sent, and of how many; of several parts, each says it of itself. `bytes */N` where there are none.",
)];

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

/// A SHA-256 as RFC 9530 writes it.
fn sha256() -> Value {
    json!({"type": "string", "pattern": "^sha-256=:[A-Za-z0-9+/]{43}=:$"})
}

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
    [COMMON, SUCCESS, FILE, CONTENT, WHOLE, PART, RETRY, CHALLENGE, GATEWAY]
        .into_iter()
        .flatten()
        .map(header)
        .collect()
}

/// Of 200 and 304.
pub(super) fn of_success() -> Map<String, Value> {
    refs(&[COMMON, SUCCESS, GATEWAY])
}

/// Of 200 and 206 of a file.
pub(super) fn of_file(is_part: bool) -> Map<String, Value> {
    refs(&[COMMON, FILE, CONTENT, if is_part { PART } else { WHOLE }, GATEWAY])
}

/// Of 304 of a file.
pub(super) fn of_unchanged_file() -> Map<String, Value> {
    refs(&[COMMON, FILE, GATEWAY])
}

/// Of an answer that the gateway makes itself.
pub(super) fn of_gateway() -> Map<String, Value> {
    refs(&[COMMON, GATEWAY])
}

/// Of an error: with `Retry-After` where a later request can succeed, with a challenge where a key is asked for.
pub(super) fn of_error(status: u16) -> Map<String, Value> {
    match status {
        401 => refs(&[COMMON, CHALLENGE, GATEWAY]),
        416 => refs(&[COMMON, PART, GATEWAY]),
        429 | 503 => refs(&[COMMON, RETRY, GATEWAY]),
        _ => refs(&[COMMON, GATEWAY]),
    }
}

/// The definitions that these references name, for a document without such components.
pub(super) fn resolve(headers: &mut Value) {
    let definitions = all();
    let Some(headers) = headers.as_object_mut() else { return };
    headers.retain(|wire, _| GATEWAY.iter().all(|(_, gateway, ..)| gateway != wire));
    for reference in headers.values_mut() {
        let name = reference["$ref"].as_str().and_then(|path| path.rsplit('/').next());
        if let Some(definition) = name.and_then(|name| definitions.get(name)) {
            *reference = definition.clone();
        }
    }
}

fn refs(lists: &[&[Header]]) -> Map<String, Value> {
    let header = |(name, wire, ..): &Header| {
        ((*wire).to_owned(), json!({"$ref": format!("#/components/headers/{name}")}))
    };
    lists.iter().copied().flatten().map(header).collect()
}
