//! Errors as they are answered: the house's envelope, with the codes of this product. No text has a value of a request.

use axum_core::body::Body;
use fdna_api::{ApiInfo, Failure};
use fdna_http::{X_API_VERSION, set_common_headers};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use hyper::{Response, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

/// The API of leads and properties.
pub(crate) const LEADS_API: ApiInfo = ApiInfo { name: "leads", version: "2026-11-29.1" };

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal $status:literal,)+) => {
        /// Codes of `error.code`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Code { $($(#[doc = $doc])+ $variant),+ }

        impl Code {
            pub(crate) const ALL: &[Self] = &[$(Self::$variant),+];

            pub(crate) fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            pub(crate) fn status(self) -> StatusCode {
                let status = match self { $(Self::$variant => $status),+ };
                StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
            }
        }
    };
}

codes! {
    /// A query parameter is unknown, repeated or out of bounds.
    InvalidParameter "invalid_parameter" 400,
    /// The request itself is refused: its path, its headers.
    InvalidRequest "invalid_request" 400,
    /// The body is no JSON object, or repeats a name.
    InvalidBody "invalid_body" 400,
    /// A field of the body is unknown, missing or out of bounds; `details.field` names it.
    InvalidField "invalid_field" 400,
    /// No key, or one that is not valid.
    Unauthorized "unauthorized" 401,
    /// The key may not make leads.
    CreateScopeRequired "create_scope_required" 403,
    /// The key may not read leads.
    ReadScopeRequired "read_scope_required" 403,
    /// The key may not change leads.
    WriteScopeRequired "write_scope_required" 403,
    /// The key may not erase leads.
    EraseScopeRequired "erase_scope_required" 403,
    /// No such route.
    NotFound "not_found" 404,
    /// No lead has this id.
    LeadNotFound "lead_not_found" 404,
    /// No property has this address.
    PropertyNotFound "property_not_found" 404,
    /// No snapshot of properties has the id.
    SnapshotNotFound "snapshot_not_found" 404,
    /// The path has other methods; `Allow` lists them.
    MethodNotAllowed "method_not_allowed" 405,
    /// The body did not come in time.
    RequestTimeout "request_timeout" 408,
    /// The `Idempotency-Key` was sent with another body, or what it made was erased.
    IdempotencyConflict "idempotency_conflict" 409,
    /// Several properties have this address; `details.properties` has them.
    AmbiguousAddress "ambiguous_address" 409,
    /// Changes behind `after` are not kept any more: read the leads, and go on behind the newest.
    ChangesNotKept "changes_not_kept" 410,
    /// The lead is of another version, or the file another, than `If-Match` says.
    PreconditionFailed "precondition_failed" 412,
    /// The body is larger than the operation takes.
    BodyTooLarge "body_too_large" 413,
    /// Path and query are too long.
    UriTooLong "uri_too_long" 414,
    /// The body is of another type than `application/json`.
    UnsupportedMediaType "unsupported_media_type" 415,
    /// `Range` names no byte of the file, or too many ranges; `Content-Range` says how long the file is.
    RangeNotSatisfiable "range_not_satisfiable" 416,
    /// Requests of this minute are used up.
    RateLimited "rate_limited" 429,
    /// Too many header fields.
    HeadersTooLarge "headers_too_large" 431,
    /// A fault of ours.
    Internal "internal" 500,
    /// Too many files are being downloaded, or streams are open; `Retry-After` says when to ask again.
    Busy "busy" 503,
    /// A snapshot of properties, or a table of it, cannot be read.
    SnapshotNotAvailable "snapshot_not_available" 503,
    /// The store of leads does not answer.
    StoreNotAvailable "store_not_available" 503,
    /// No properties are served here, or none yet.
    PropertiesNotAvailable "properties_not_available" 503,
    /// The property has no value: the message says why.
    ValuationNotAvailable "valuation_not_available" 503,
}

/// An error before it has a request id.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) code: Code,
    pub(crate) message: String,
    /// The field or parameter that is wrong.
    pub(crate) field: Option<String>,
    /// Properties among which the request does not choose.
    pub(crate) properties: Option<Value>,
    /// Seconds.
    pub(crate) retry_after: Option<i64>,
    /// Of the answer, beside its own.
    pub(crate) headers: Box<HeaderMap>,
}

impl Refusal {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        let (field, properties, retry_after, headers) = Default::default();
        Self { code, message: message.into(), field, properties, retry_after, headers }
    }

    /// Of a field of the body.
    pub(crate) fn of_field(name: &str, what: &str) -> Self {
        let printable = crate::json_body::printable_name(name);
        let field = printable.trim_matches('`').to_owned();
        Self { field: Some(field), ..Self::new(Code::InvalidField, format!("{printable} {what}")) }
    }

    /// As envelopes have it.
    pub(crate) fn error_record(&self) -> Value {
        let Self { code, message, field, properties, .. } = self;
        let mut error = json!({"code": code.name(), "message": message, "docs": "/docs#errors"});
        if let Some(field) = field {
            error["details"] = json!({ "field": field });
        }
        if let Some(properties) = properties {
            error["details"] = json!({ "properties": properties });
        }
        error
    }

    pub(crate) fn respond(&self, request_id: Uuid) -> Response<Body> {
        let Self { code, retry_after, headers: more, .. } = self;
        let error = self.error_record();
        let ApiInfo { name, version } = LEADS_API;
        let meta = json!({"api": name, "version": version, "request_id": request_id.to_string()});
        let body = json!({"ok": false, "error": error, "meta": meta}).to_string();
        let mut response = json_response(code.status(), body, request_id);
        let headers = response.headers_mut();
        let seconds = retry_after.or(match code {
            Code::StoreNotAvailable => Some(1),
            Code::PropertiesNotAvailable => Some(60),
            // What it is for want of comes with the next captures.
            Code::ValuationNotAvailable => Some(86_400),
            _ => None,
        });
        if let Some(seconds) = seconds {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        headers.extend((**more).clone());
        response
    }
}

impl From<Failure> for Refusal {
    /// A refusal of another crate, whose codes have the names of this one's.
    fn from(failure: Failure) -> Self {
        let same = Code::ALL.iter().find(|code| code.name() == failure.code.name());
        let unnamed = if failure.code.status() < 500 { Code::InvalidRequest } else { Code::Internal };
        let retry_after = failure.retry_after.map(i64::from);
        Self { retry_after, ..Self::new(same.copied().unwrap_or(unnamed), failure.message) }
    }
}

/// An answer that no cache keeps.
pub(crate) fn json_response(status: StatusCode, body: String, request_id: Uuid) -> Response<Body> {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    set_common_headers(headers, request_id);
    headers.insert(X_API_VERSION, HeaderValue::from_static(LEADS_API.version));
    response
}
