//! `GET /v1/account/usage`: the limits of an account and its usage. The gateway's own operation, free of charge.

use axum_core::body::Body;
use chrono::{DateTime, SecondsFormat, Utc};
use fdna_api::{
    AccountKey, AccountUsage, ApiInfo, DownloadUsage, ErrorCode, ErrorDetails, Failure, Id, Meta, MetaExtra,
    Plan, WindowUsage,
};
use fdna_http::{ALLOWED, set_common_headers};
use hyper::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use hyper::{Method, Response, StatusCode};
use serde::Serialize;
use uuid::Uuid;

use crate::key_index::ApiKeyIdentity;
use crate::rate_limiter::{LimitStatus, WindowStatus};

/// The envelope of a success.
#[derive(Serialize)]
struct Envelope<'a, T> {
    ok: bool,
    data: T,
    meta: Meta<'a>,
}

pub(crate) fn respond_usage(
    limits: &LimitStatus,
    identity: &ApiKeyIdentity,
    method: &Method,
    query: Option<&str>,
    (id, api): (Uuid, &'static ApiInfo),
) -> Result<Response<Body>, Failure> {
    if let Some(response) = check_request(method, query)? {
        return Ok(response);
    }
    let usage = AccountUsage {
        account: &identity.account,
        plan: identity.plan,
        key: AccountKey { shown: &identity.shown, expires_at: identity.expires_at.map(format_instant) },
        minute: window_usage("minute", &limits.minute),
        month: window_usage("month", &limits.month),
        downloads: download_usage(identity, &limits.month),
    };
    account_response(usage, (id, api))
}

/// Refuses all but a read without parameters; the answer to `OPTIONS`.
pub(crate) fn check_request(method: &Method, query: Option<&str>) -> Result<Option<Response<Body>>, Failure> {
    match *method {
        Method::GET | Method::HEAD => {}
        Method::OPTIONS => {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::NO_CONTENT;
            response.headers_mut().insert(ALLOW, HeaderValue::from_static(ALLOWED));
            return Ok(Some(response));
        }
        _ => return Err(Failure::new(ErrorCode::MethodNotAllowed, "This interface is read-only: use GET")),
    }
    if let Some(query) = query.filter(|query| !query.is_empty()) {
        let name: String = query.split(['=', '&']).next().unwrap_or_default().chars().take(50).collect();
        let message = format!("This operation takes no query parameters (got `{name}`)");
        let details = ErrorDetails::of_parameter(&name, "no parameters");
        return Err(Failure::new(ErrorCode::InvalidParameter, message).with(details));
    }
    Ok(None)
}

/// A success of one of the gateway's own operations.
pub(crate) fn account_response(
    data: impl Serialize,
    (id, api): (Uuid, &'static ApiInfo),
) -> Result<Response<Body>, Failure> {
    let meta = Meta {
        api: api.name,
        version: api.version,
        ..Meta::new(Id(id), Plan::Developer, &MetaExtra::None {})
    };
    let fault = |_| Failure::new(ErrorCode::Internal, "answer could not be written");
    let body = serde_json::to_vec(&Envelope { ok: true, data, meta }).map_err(fault)?;
    let mut response = Response::new(Body::from(body));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    set_common_headers(headers, id);
    Ok(response)
}

fn window_usage(window: &'static str, status: &WindowStatus) -> WindowUsage {
    let resets_at = DateTime::from_timestamp(status.window.ends_at(), 0).unwrap_or_default();
    WindowUsage {
        window,
        limit: status.limit,
        used: status.limit.saturating_sub(status.remaining),
        remaining: status.remaining,
        resets_at: format_instant(resets_at),
    }
}

fn download_usage(identity: &ApiKeyIdentity, month: &WindowStatus) -> DownloadUsage {
    let (limit, used) = (identity.limits.download_bytes_per_month, identity.tracker.downloaded(month.window));
    DownloadUsage {
        window: "month",
        limit,
        used,
        remaining: limit.map(|limit| limit.saturating_sub(used)),
        resets_at: window_usage("month", month).resets_at,
    }
}

pub(crate) fn format_instant(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, false)
}
