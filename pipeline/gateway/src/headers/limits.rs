//! What answers tell of a key's limits. Most of it holds for a whole minute, and is written once in it.

use std::cell::RefCell;

use bytes::BytesMut;
use fdna_api::{API_VERSION, Plan};
use fdna_http::{X_API_VERSION, X_REQUEST_ID};
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use uuid::Uuid;

use crate::counter::{Gauge, Standing};

const X_PLAN: HeaderName = HeaderName::from_static("x-plan");

const X_RATELIMIT_LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const X_RATELIMIT_REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const X_RATELIMIT_RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
const X_QUOTA_LIMIT: HeaderName = HeaderName::from_static("x-quota-limit");
const X_QUOTA_REMAINING: HeaderName = HeaderName::from_static("x-quota-remaining");
const X_QUOTA_RESET: HeaderName = HeaderName::from_static("x-quota-reset");

/// The same as the IETF's draft writes it.
const RATELIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATELIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// What differs from answer to answer.
const MOVED: usize = 4;
static MOVING: [HeaderName; MOVED] = [X_REQUEST_ID, X_RATELIMIT_REMAINING, X_QUOTA_REMAINING, RATELIMIT];

const NONE: HeaderValue = HeaderValue::from_static("");

/// Bytes of what differs from answer to answer, mostly: an id, four numbers of a limit's size, two of seconds.
const MOVING_BYTES: usize = 192;

/// Plans with their limits of which a thread keeps what holds, at most, some of customers' own among them. With more
/// at a time, some of it is written anew.
const KEPT: usize = 64;

/// Headers of most answers, with those of the canonical hosts, by which a map's index is sized.
const USUAL_HEADERS: usize = 32;

thread_local! {
    /// By thread: values that all threads shared would be counted by all of them, for every answer.
    static FIXED: RefCell<Vec<Fixed>> = const { RefCell::new(Vec::new()) };
}

/// What holds until a window ends or a limit changes.
#[derive(Debug)]
struct Fixed {
    plan: Plan,
    /// Number and limit of the windows that it holds for.
    of: [(i64, u64); 2],
    lasts: [Lasts; 2],
    /// First those that differ, without a value, in the order of [`MOVING`].
    headers: HeaderMap,
}

/// What every answer to a valid key carries. Resets, as `now`, are in seconds since 1970, `t` in seconds from now.
pub(crate) fn of_key(plan: Plan, standing: &Standing, now: i64, id: Uuid) -> HeaderMap {
    let gauges = [&standing.minute, &standing.month];
    FIXED.with_borrow_mut(|kept| {
        let fixed = Fixed::kept(kept, plan, gauges);
        let mut headers = fixed.headers.clone();
        // A map has its headers in the order in which they came.
        for (value, place) in moving(gauges, fixed.lasts, now, id).into_iter().zip(headers.values_mut()) {
            *place = value;
        }
        headers
    })
}

impl Fixed {
    /// The one for this plan, these windows and limits, made if it is not kept.
    fn kept<'a>(kept: &'a mut Vec<Self>, plan: Plan, gauges: [&Gauge; 2]) -> &'a Self {
        let of = gauges.map(|gauge| (gauge.window.number, gauge.limit));
        // The last ones first: those before may be of minutes that are over.
        let place =
            kept.iter().rposition(|fixed| fixed.plan == plan && fixed.of == of).unwrap_or_else(|| {
                if kept.len() >= KEPT {
                    let minute = of[0].0;
                    kept.retain(|fixed| fixed.of[0].0 == minute);
                    kept.truncate(KEPT / 2);
                }
                kept.push(Self::new(plan, gauges, of));
                kept.len() - 1
            });
        &kept[place]
    }

    fn new(plan: Plan, gauges: [&Gauge; 2], of: [(i64, u64); 2]) -> Self {
        let [minute, month] = gauges;
        let lasts = gauges.map(Lasts::of);
        let [in_minute, in_month] =
            gauges.map(|gauge| format!("q={};w={}", gauge.limit, gauge.window.length()));
        let policy = format!("\"minute\";{in_minute}, \"month\";{in_month}");
        let mut headers = HeaderMap::with_capacity(USUAL_HEADERS);
        for name in &MOVING {
            headers.insert(name, NONE);
        }
        headers.insert(X_PLAN, HeaderValue::from_static(plan.name()));
        headers.insert(X_RATELIMIT_LIMIT, minute.limit.into());
        headers.insert(X_RATELIMIT_RESET, lasts[0].end.into());
        headers.insert(X_QUOTA_LIMIT, month.limit.into());
        headers.insert(X_QUOTA_RESET, lasts[1].end.into());
        headers.insert(RATELIMIT_POLICY, HeaderValue::try_from(policy).unwrap_or(NONE));
        // Unless a host says its own.
        headers.insert(X_API_VERSION, HeaderValue::from_static(API_VERSION));
        super::sign(&mut headers);
        Self { plan, of, lasts, headers }
    }
}

/// What differs from answer to answer, in the order of [`MOVING`].
fn moving(gauges: [&Gauge; 2], lasts: [Lasts; 2], now: i64, id: Uuid) -> [HeaderValue; MOVED] {
    // One piece of memory, which the values share.
    let mut text = BytesMut::with_capacity(MOVING_BYTES);
    text.extend_from_slice(id.hyphenated().encode_lower(&mut Uuid::encode_buffer()).as_bytes());
    let id = value(text.split());
    let [in_minute, in_month] = gauges.map(|gauge| {
        text.extend_from_slice(itoa::Buffer::new().format(gauge.remaining).as_bytes());
        value(text.split())
    });
    ratelimit(&mut text, gauges, lasts, now);
    [id, in_minute, in_month, value(text)]
}

/// Digits and the like, of which none is refused.
fn value(text: BytesMut) -> HeaderValue {
    HeaderValue::from_maybe_shared(text.freeze()).unwrap_or(NONE)
}

/// Without the formatter: it would take longer than all else that is told.
fn ratelimit(text: &mut BytesMut, gauges: [&Gauge; 2], lasts: [Lasts; 2], now: i64) {
    let names = ["\"minute\";r=", ", \"month\";r="];
    for ((name, gauge), lasts) in names.into_iter().zip(gauges).zip(lasts) {
        let (mut remaining, mut left) = (itoa::Buffer::new(), itoa::Buffer::new());
        let (remaining, left) = (remaining.format(gauge.remaining), left.format(lasts.left(now)));
        [name, remaining, ";t=", left].iter().for_each(|part| text.extend_from_slice(part.as_bytes()));
    }
}

/// Seconds until a window ends, rounded up: never none.
pub(crate) fn seconds_left(gauge: &Gauge, now: i64) -> i64 {
    Lasts::of(gauge).left(now)
}

/// How long a window lasts, in seconds, of which the end is since 1970.
#[derive(Debug, Clone, Copy)]
struct Lasts {
    length: i64,
    end: i64,
}

impl Lasts {
    fn of(gauge: &Gauge) -> Self {
        Self { length: gauge.window.length(), end: gauge.window.ends_at() }
    }

    /// Never more than all of it, though a request may have come before it began.
    fn left(self, now: i64) -> i64 {
        (self.end - now).clamp(1, self.length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::Counter;
    use crate::plan::Limits;
    use chrono::{DateTime, Utc};

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn told(plan: Plan, limits: Limits, now: DateTime<Utc>) -> HeaderMap {
        of_key(plan, &Counter::default().standing(limits, now), now.timestamp(), Uuid::nil())
    }

    #[test]
    fn limits_are_told_in_both_ways() {
        let now = at("2026-02-28T23:59:30.7Z");
        let limits = Limits { per_minute: 60, per_month: 25_000 };
        let headers = told(Plan::Developer, limits, now);
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
            for plan in [Plan::Pro, Plan::Scale] {
                let now = at(now);
                let anew = std::thread::spawn(move || told(plan, limits, now)).join().unwrap();
                assert_eq!(told(plan, limits, now), anew, "{plan:?} {now}");
            }
        }
    }

    #[test]
    fn no_more_is_left_than_all_of_a_window_that_a_request_came_before() {
        let limits = Limits { per_minute: 60, per_month: 900 };
        let standing = Counter::default().standing(limits, at("2026-03-01T00:00:00Z"));
        let came = at("2026-02-28T23:59:59.9Z").timestamp();
        let headers = of_key(Plan::Pro, &standing, came, Uuid::nil());
        assert_eq!(headers["ratelimit"], "\"minute\";r=60;t=60, \"month\";r=900;t=2678400");
        assert_eq!(seconds_left(&standing.minute, came), 60);
    }

    #[test]
    fn so_many_are_kept_and_no_more() {
        let now = at("2026-02-28T23:58:30Z");
        for per_minute in 0..1000 {
            let headers = told(Plan::Enterprise, Limits { per_minute, per_month: 7 }, now);
            assert_eq!(headers["x-ratelimit-limit"], per_minute.to_string());
        }
        assert!(FIXED.with_borrow(Vec::len) <= KEPT);
    }
}
