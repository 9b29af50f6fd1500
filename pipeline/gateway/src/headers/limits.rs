//! What answers tell of a key's limits. Most of it holds for a whole minute, and is written once in it.

use std::sync::Arc;

use arc_swap::{ArcSwapOption, Guard};
use bytes::BytesMut;
use chrono::{DateTime, Utc};
use fdna_api::Plan;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};

use crate::counter::{Gauge, Standing};

const X_PLAN: HeaderName = HeaderName::from_static("x-plan");

/// Of the minute, then of the month.
const LIMIT: [HeaderName; 2] =
    [HeaderName::from_static("x-ratelimit-limit"), HeaderName::from_static("x-quota-limit")];
const REMAINING: [HeaderName; 2] =
    [HeaderName::from_static("x-ratelimit-remaining"), HeaderName::from_static("x-quota-remaining")];
const RESET: [HeaderName; 2] =
    [HeaderName::from_static("x-ratelimit-reset"), HeaderName::from_static("x-quota-reset")];

/// The same as the IETF's draft writes it.
const RATELIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATELIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Bytes of all that an answer tells, mostly.
const BYTES: usize = 256;

/// A key's headers of this kind.
#[derive(Debug)]
pub(crate) struct LimitHeaders {
    plan: Plan,
    fixed: ArcSwapOption<Fixed>,
}

/// What holds until a window ends or a limit changes.
#[derive(Debug)]
struct Fixed {
    /// Number and limit of the windows that it holds for.
    of: [(i64, u64); 2],
    /// Seconds since 1970.
    ends: [i64; 2],
    limit: [String; 2],
    reset: [String; 2],
    policy: String,
}

impl LimitHeaders {
    pub(crate) fn of(plan: Plan) -> Self {
        Self { plan, fixed: ArcSwapOption::empty() }
    }

    /// Writes what every answer to a valid key carries. Resets are in seconds since 1970, `t` in seconds from now.
    pub(crate) fn write(&self, headers: &mut HeaderMap, standing: &Standing, now: DateTime<Utc>) {
        let gauges = [&standing.minute, &standing.month];
        let fixed = self.fixed(gauges);
        let Some(fixed) = fixed.as_deref() else { return };
        headers.insert(X_PLAN, HeaderValue::from_static(self.plan.name()));
        // One piece of memory, which the values share. A value that all answers shared would be counted by all threads.
        let mut text = BytesMut::with_capacity(BYTES);
        for (place, gauge) in gauges.into_iter().enumerate() {
            insert(headers, &LIMIT[place], piece(&mut text, &fixed.limit[place]));
            let remaining = piece(&mut text, itoa::Buffer::new().format(gauge.remaining));
            insert(headers, &REMAINING[place], remaining);
            insert(headers, &RESET[place], piece(&mut text, &fixed.reset[place]));
        }
        insert(headers, &RATELIMIT_POLICY, piece(&mut text, &fixed.policy));
        ratelimit(&mut text, gauges, fixed.ends, now);
        insert(headers, &RATELIMIT, text);
    }

    /// Looked at where it is, not taken: the requests of a key come to all threads.
    fn fixed(&self, gauges: [&Gauge; 2]) -> Guard<Option<Arc<Fixed>>> {
        let of = gauges.map(|gauge| (gauge.window.number, gauge.limit));
        let kept = self.fixed.load();
        if kept.as_ref().is_some_and(|fixed| fixed.of == of) {
            return kept;
        }
        let fixed = Some(Arc::new(Fixed::of(gauges)));
        self.fixed.store(fixed.clone());
        Guard::from_inner(fixed)
    }
}

impl Fixed {
    fn of(gauges: [&Gauge; 2]) -> Self {
        let ends = gauges.map(|gauge| gauge.window.ends_at());
        let [(q_minute, w_minute), (q_month, w_month)] =
            gauges.map(|gauge| (gauge.limit, gauge.window.length()));
        let policy = format!("\"minute\";q={q_minute};w={w_minute}, \"month\";q={q_month};w={w_month}");
        Self {
            of: gauges.map(|gauge| (gauge.window.number, gauge.limit)),
            ends,
            limit: gauges.map(|gauge| gauge.limit.to_string()),
            reset: ends.map(|end| end.to_string()),
            policy,
        }
    }
}

/// Without the formatter: it would take longer than all else that is told.
fn ratelimit(text: &mut BytesMut, gauges: [&Gauge; 2], ends: [i64; 2], now: DateTime<Utc>) {
    let names = ["\"minute\";r=", ", \"month\";r="];
    for ((name, gauge), ends) in names.into_iter().zip(gauges).zip(ends) {
        let (mut remaining, mut left) = (itoa::Buffer::new(), itoa::Buffer::new());
        let (remaining, left) = (remaining.format(gauge.remaining), left.format(seconds_until(ends, now)));
        [name, remaining, ";t=", left].iter().for_each(|part| text.extend_from_slice(part.as_bytes()));
    }
}

fn piece(text: &mut BytesMut, of: &str) -> BytesMut {
    text.extend_from_slice(of.as_bytes());
    text.split()
}

fn insert(headers: &mut HeaderMap, name: &HeaderName, text: BytesMut) {
    if let Ok(value) = HeaderValue::from_maybe_shared(text.freeze()) {
        headers.insert(name, value);
    }
}

/// Seconds until a window ends, rounded up: never none.
pub(crate) fn seconds_left(gauge: &Gauge, now: DateTime<Utc>) -> i64 {
    seconds_until(gauge.window.ends_at(), now)
}

fn seconds_until(end: i64, now: DateTime<Utc>) -> i64 {
    (end - now.timestamp()).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::Counter;
    use crate::plan::Limits;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn told(of: &LimitHeaders, limits: Limits, now: DateTime<Utc>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        of.write(&mut headers, &Counter::default().standing(limits, now), now);
        headers
    }

    #[test]
    fn limits_are_told_in_both_ways() {
        let now = at("2026-02-28T23:59:30.7Z");
        let limits = Limits { per_minute: 60, per_month: 25_000 };
        let headers = told(&LimitHeaders::of(Plan::Developer), limits, now);
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
    fn what_is_kept_is_told_no_longer_than_it_holds() {
        let kept = LimitHeaders::of(Plan::Pro);
        let (some, more) = (
            Limits { per_minute: 60, per_month: 900 },
            Limits { per_minute: 61, per_month: 1_000_000_000_000 },
        );
        for (limits, now) in [
            (some, "2026-02-28T23:58:30Z"),
            (some, "2026-02-28T23:58:31Z"),
            (some, "2026-02-28T23:59:00Z"),
            (some, "2026-02-28T23:58:59Z"),
            (more, "2026-02-28T23:58:59Z"),
            (more, "2026-03-01T00:00:00Z"),
            (some, "2027-03-01T00:00:00Z"),
        ] {
            let now = at(now);
            assert_eq!(told(&kept, limits, now), told(&LimitHeaders::of(Plan::Pro), limits, now), "{now}");
        }
    }
}
