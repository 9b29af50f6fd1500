//! Headers that tell a client its plan, its limits, and what remains of them.

use fdna_api::Plan;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use uuid::Uuid;

use crate::rate_limiter::{LimitStatus, WindowStatus};

const X_PLAN: HeaderName = HeaderName::from_static("x-plan");

const X_RATELIMIT_LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const X_RATELIMIT_REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const X_RATELIMIT_RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
const X_QUOTA_LIMIT: HeaderName = HeaderName::from_static("x-quota-limit");
const X_QUOTA_REMAINING: HeaderName = HeaderName::from_static("x-quota-remaining");
const X_QUOTA_RESET: HeaderName = HeaderName::from_static("x-quota-reset");

/// The same limits in the format of the IETF draft `draft-ietf-httpapi-ratelimit-headers`.
const RATELIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATELIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Headers of every response to a valid key. `now` and the reset times are in seconds since 1970, the draft's `t` is in
/// seconds from now.
pub(crate) fn for_key(plan: Plan, status: &LimitStatus, now: i64, request_id: Uuid) -> HeaderMap {
    let LimitStatus { minute, month } = status;
    let mut headers = super::for_anyone(request_id);
    headers.insert(X_PLAN, HeaderValue::from_static(plan.name()));
    headers.insert(X_RATELIMIT_LIMIT, minute.limit.into());
    headers.insert(X_RATELIMIT_REMAINING, minute.remaining.into());
    headers.insert(X_RATELIMIT_RESET, minute.window.ends_at().into());
    headers.insert(X_QUOTA_LIMIT, month.limit.into());
    headers.insert(X_QUOTA_REMAINING, month.remaining.into());
    headers.insert(X_QUOTA_RESET, month.window.ends_at().into());
    let remaining = |status: &WindowStatus| format!("r={};t={}", status.remaining, seconds_left(status, now));
    headers.insert(RATELIMIT, per_window(remaining(minute), remaining(month)));
    let policy = |status: &WindowStatus| format!("q={};w={}", status.limit, status.window.length());
    headers.insert(RATELIMIT_POLICY, per_window(policy(minute), policy(month)));
    headers
}

fn per_window(minute: String, month: String) -> HeaderValue {
    let text = format!("\"minute\";{minute}, \"month\";{month}");
    // Names, digits and punctuation are always a valid value.
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static(""))
}

/// Seconds until a window ends: at least 1, and at most its length, though a request may have arrived before it began.
pub(crate) fn seconds_left(status: &WindowStatus, now: i64) -> i64 {
    (status.window.ends_at() - now).clamp(1, status.window.length())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Limits;
    use crate::rate_limiter::RateLimiter;
    use chrono::{DateTime, Utc};

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn headers_at(plan: Plan, limits: Limits, now: DateTime<Utc>) -> HeaderMap {
        for_key(plan, &RateLimiter::default().status(limits, now), now.timestamp(), Uuid::nil())
    }

    #[test]
    fn limits_are_in_both_formats() {
        let now = at("2026-02-28T23:59:30.7Z");
        let limits = Limits { per_minute: 60, per_month: 25_000, download_bytes_per_month: None };
        let headers = headers_at(Plan::Developer, limits, now);
        let of = |name: &str| headers[name].to_str().unwrap();
        assert_eq!(of("x-plan"), "developer");
        assert_eq!((of("x-ratelimit-limit"), of("x-ratelimit-remaining")), ("60", "60"));
        assert_eq!((of("x-quota-limit"), of("x-quota-remaining")), ("25000", "25000"));
        let midnight = at("2026-03-01T00:00:00Z").timestamp().to_string();
        assert_eq!((of("x-ratelimit-reset"), of("x-quota-reset")), (midnight.as_str(), midnight.as_str()));
        assert_eq!(of("ratelimit-policy"), "\"minute\";q=60;w=60, \"month\";q=25000;w=2419200");
        assert_eq!(of("ratelimit"), "\"minute\";r=60;t=30, \"month\";r=25000;t=30");
    }

    #[test]
    fn no_more_is_left_than_all_of_a_window_that_a_request_came_before() {
        let limits = Limits { per_minute: 60, per_month: 900, download_bytes_per_month: None };
        let status = RateLimiter::default().status(limits, at("2026-03-01T00:00:00Z"));
        let received_at = at("2026-02-28T23:59:59.9Z").timestamp();
        let headers = for_key(Plan::Pro, &status, received_at, Uuid::nil());
        assert_eq!(headers["ratelimit"], "\"minute\";r=60;t=60, \"month\";r=900;t=2678400");
        assert_eq!(seconds_left(&status.minute, received_at), 60);
    }
}
