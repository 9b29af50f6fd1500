//! Gateways that share a store, under clocks and crashes of every kind.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use proptest::prelude::*;

use super::*;

/// A store in memory.
#[derive(Debug, Default)]
struct Reserved(BTreeMap<Window, u64>);

impl Reserved {
    fn reserve(&mut self, request: ReservationRequest) -> Grant {
        let reserved = self.0.entry(request.window).or_default();
        let granted = grant_size(*reserved, request.limit, request.amount);
        *reserved += granted;
        Grant { window: request.window, granted, reserved: *reserved }
    }

    fn return_refunds(&mut self, limiter: &mut RateLimiter) {
        for refund in limiter.drain_usage().1 {
            *self.0.get_mut(&refund.window).unwrap() -= refund.count;
        }
    }
}

/// Reserves what a request needs, as a gateway does.
fn request(limiter: &mut RateLimiter, store: &mut Reserved, limits: Limits, now: DateTime<Utc>) -> Admission {
    loop {
        match limiter.admit_request(1, "events", limits, now) {
            Admission::NeedsReservation(needs) => {
                needs.into_iter().for_each(|w| limiter.add_grant(store.reserve(w), now))
            }
            Admission::Admitted { status, usage_key, top_up } => {
                top_up.into_iter().for_each(|w| limiter.add_grant(store.reserve(w), now));
                store.return_refunds(limiter);
                return Admission::Admitted { status, usage_key, top_up: Vec::new() };
            }
            refused => return refused,
        }
    }
}

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

/// The usage key of a request at this time.
fn usage_key(now: DateTime<Utc>) -> UsageKey {
    UsageKey { key_id: 1, day: now.date_naive(), operation: "events" }
}

const DEVELOPER: Limits = limits_of(60, 25_000);

/// Limits of requests alone.
const fn limits_of(per_minute: u64, per_month: u64) -> Limits {
    Limits { per_minute, per_month, download_bytes_per_month: None }
}

#[test]
fn sixty_of_sixty_go_through_and_the_next_waits_for_its_minute() {
    let (mut limiter, mut store) = (RateLimiter::default(), Reserved::default());
    let now = at("2026-09-07T12:00:30Z");
    for n in 1..=60 {
        let Admission::Admitted { status, .. } = request(&mut limiter, &mut store, DEVELOPER, now) else {
            panic!("request {n}")
        };
        assert_eq!((status.minute.remaining, status.month.remaining), (60 - n, 25_000 - n));
    }
    let Admission::RateLimited(status) = request(&mut limiter, &mut store, DEVELOPER, now) else { panic!() };
    assert_eq!(status.minute.remaining, 0);
    assert_eq!(status.minute.window.ends_at(), at("2026-09-07T12:01:00Z").timestamp());
    assert_eq!(status.month.remaining, 24_940);
    let next = request(&mut limiter, &mut store, DEVELOPER, at("2026-09-07T12:01:00Z"));
    assert!(matches!(next, Admission::Admitted { .. }));
}

#[test]
fn the_month_is_used_to_its_last_request_and_begins_anew() {
    let limits = limits_of(1_000_000, 2_500);
    let (mut limiter, mut store) = (RateLimiter::default(), Reserved::default());
    let end = at("2026-09-30T23:59:59.9Z");
    let through = (0..4000)
        .filter(|_| matches!(request(&mut limiter, &mut store, limits, end), Admission::Admitted { .. }));
    assert_eq!(through.count(), 2500);
    let Admission::QuotaExceeded(status) = request(&mut limiter, &mut store, limits, end) else { panic!() };
    assert_eq!(status.month.window.ends_at(), at("2026-10-01T00:00:00Z").timestamp());
    assert!(status.minute.remaining > 0);
    let next = request(&mut limiter, &mut store, limits, at("2026-10-01T00:00:00Z"));
    let Admission::Admitted { status, .. } = next else { panic!() };
    assert_eq!(status.month.remaining, 2499);
}

#[test]
fn the_rate_is_told_before_the_month() {
    let limits = limits_of(5, 5);
    let (mut limiter, mut store) = (RateLimiter::default(), Reserved::default());
    let now = at("2026-09-07T12:00:00Z");
    for _ in 0..5 {
        assert!(matches!(request(&mut limiter, &mut store, limits, now), Admission::Admitted { .. }));
    }
    assert!(matches!(request(&mut limiter, &mut store, limits, now), Admission::RateLimited(_)));
    let later = at("2026-09-07T12:01:00Z");
    assert!(matches!(request(&mut limiter, &mut store, limits, later), Admission::QuotaExceeded(_)));
}

#[test]
fn what_does_not_count_is_given_back_to_the_month_and_not_to_the_minute() {
    let limits = limits_of(3, 2);
    let (mut limiter, mut store) = (RateLimiter::default(), Reserved::default());
    let now = at("2026-09-07T12:00:00Z");
    for _ in 0..3 {
        assert!(matches!(request(&mut limiter, &mut store, limits, now), Admission::Admitted { .. }));
        limiter.refund_request(usage_key(now), Window::month_of(now));
        // One was counted, and drained by the request; one is taken back.
        assert_eq!(limiter.drain_usage().0, BTreeMap::from([(usage_key(now), UsageCount::of_requests(-1))]));
    }
    assert!(matches!(request(&mut limiter, &mut store, limits, now), Admission::RateLimited(_)));
    assert_eq!(limiter.status(limits, now).month.remaining, 2);
}

#[test]
fn a_clock_that_steps_back_finds_the_minute_as_it_left_it() {
    let limits = limits_of(10, 1000);
    let (mut limiter, mut store) = (RateLimiter::default(), Reserved::default());
    let (before, after) = (at("2026-09-07T11:59:59Z"), at("2026-09-07T12:00:00Z"));
    let mut through = BTreeMap::new();
    for n in 0..100 {
        let now = if n % 2 == 0 { before } else { after };
        if matches!(request(&mut limiter, &mut store, limits, now), Admission::Admitted { .. }) {
            *through.entry(now).or_insert(0) += 1;
        }
    }
    assert_eq!(through, BTreeMap::from([(before, 10), (after, 10)]));
}

#[test]
fn a_plan_that_changes_holds_at_once() {
    let (small, large) = (limits_of(4, 100), limits_of(8, 100));
    let (mut limiter, mut store) = (RateLimiter::default(), Reserved::default());
    let now = at("2026-09-07T12:00:00Z");
    let mut count = |limits| {
        (0..20)
            .filter(|_| matches!(request(&mut limiter, &mut store, limits, now), Admission::Admitted { .. }))
            .count()
    };
    assert_eq!((count(small), count(large), count(small)), (4, 4, 0));
}

#[test]
fn a_used_up_month_is_asked_for_again_after_a_while() {
    let limits = limits_of(1000, 8);
    let (mut one, mut two, mut store) = (RateLimiter::default(), RateLimiter::default(), Reserved::default());
    let now = at("2026-09-07T12:00:00Z");
    assert!(matches!(request(&mut one, &mut store, limits, now), Admission::Admitted { .. }));
    while matches!(request(&mut two, &mut store, limits, now), Admission::Admitted { .. }) {}
    two.refund_request(usage_key(now), Window::month_of(now));
    two.refund_grants();
    store.return_refunds(&mut two);
    assert!(matches!(
        request(&mut two, &mut store, limits, now + TimeDelta::seconds(60)),
        Admission::Admitted { .. }
    ));
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Request { gateway: usize, fails: bool },
    Clock { seconds: i64 },
    Crash { gateway: usize },
    Restart { gateway: usize },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        20 => (0..3usize, prop::bool::weighted(0.1)).prop_map(|(gateway, fails)| Step::Request { gateway, fails }),
        2 => prop_oneof![0..5i64, -90..90i64, Just(86_400), Just(-86_400), Just(40 * 86_400)]
            .prop_map(|seconds| Step::Clock { seconds }),
        1 => (0..3usize).prop_map(|gateway| Step::Crash { gateway }),
        1 => (0..3usize).prop_map(|gateway| Step::Restart { gateway }),
    ];
    prop::collection::vec(step, 1..400)
}

proptest! {
    #[test]
    fn no_window_ever_lets_one_too_many_through(
        steps in steps(), per_minute in 1..40u64, per_month in 1..120u64, start in 0..100_000_000i64,
    ) {
        let limits = limits_of(per_minute, per_month);
        let mut store = Reserved::default();
        let mut gateways: [RateLimiter; 3] = Default::default();
        let mut now = DateTime::from_timestamp(1_700_000_000 + start, 0).unwrap();
        let mut passed: BTreeMap<Window, u64> = BTreeMap::new();
        for step in steps {
            match step {
                Step::Clock { seconds } => now += TimeDelta::seconds(seconds),
                Step::Crash { gateway } => gateways[gateway] = RateLimiter::default(),
                Step::Restart { gateway } => {
                    gateways[gateway].refund_grants();
                    store.return_refunds(&mut gateways[gateway]);
                }
                Step::Request { gateway, fails } => {
                    let limiter = &mut gateways[gateway];
                    if matches!(request(limiter, &mut store, limits, now), Admission::Admitted { .. }) {
                        *passed.entry(Window::minute_of(now)).or_default() += 1;
                        if fails {
                            limiter.refund_request(usage_key(now), Window::month_of(now));
                        } else {
                            *passed.entry(Window::month_of(now)).or_default() += 1;
                        }
                    }
                }
            }
            for (window, count) in &passed {
                let limit = if window.kind == WindowKind::Minute { per_minute } else { per_month };
                prop_assert!(*count <= limit, "{window:?}");
            }
        }
    }

    #[test]
    fn one_gateway_lets_through_exactly_what_is_allowed(
        requests in 1..300u64, per_minute in 1..200u64, per_month in 1..200u64,
    ) {
        let limits = limits_of(per_minute, per_month);
        let (mut limiter, mut store) = (RateLimiter::default(), Reserved::default());
        let now = at("2026-02-28T23:59:59Z");
        let through = (0..requests)
            .filter(|_| matches!(request(&mut limiter, &mut store, limits, now), Admission::Admitted { .. }));
        prop_assert_eq!(through.count() as u64, requests.min(per_minute).min(per_month));
    }

    #[test]
    fn a_crash_wastes_one_portion_at_most(requests in 1..5000u64, per_month in 1..2_000_000u64) {
        let limits = limits_of(1_000_000_000, per_month);
        let (mut limiter, mut store) = (RateLimiter::default(), Reserved::default());
        let now = at("2026-02-28T23:59:59Z");
        let through = (0..requests)
            .filter(|_| matches!(request(&mut limiter, &mut store, limits, now), Admission::Admitted { .. }))
            .count() as u64;
        let wasted = store.0[&Window::month_of(now)] - through;
        prop_assert!(wasted <= max_reservation(WindowKind::Month, per_month), "{wasted}");
    }

    #[test]
    fn portions_never_sum_up_to_more_than_the_limit(limit in 0..10_000u64, amount in 0..2000u64) {
        let (mut reserved, mut rounds) = (0, 0);
        loop {
            let granted = grant_size(reserved, limit, amount);
            reserved += granted;
            rounds += 1;
            prop_assert!(reserved <= limit && rounds <= 10_001);
            if granted == 0 { break; }
        }
        prop_assert_eq!(reserved, limit);
    }
}

#[test]
fn requests_are_written_down_by_key_day_and_operation() {
    let limits = limits_of(100, 100);
    let (mut limiter, mut store) = (RateLimiter::default(), Reserved::default());
    let mut expected = BTreeMap::new();
    let times = ["2026-09-07T23:59:59Z", "2026-09-08T00:00:00Z"].map(at);
    for (now, key_id, operation) in
        [(times[0], 1, "events"), (times[1], 1, "events"), (times[1], 1, "card"), (times[1], 2, "card")]
    {
        loop {
            match limiter.admit_request(key_id, operation, limits, now) {
                Admission::NeedsReservation(needs) => {
                    needs.into_iter().for_each(|w| limiter.add_grant(store.reserve(w), now))
                }
                Admission::Admitted { usage_key, .. } => {
                    assert_eq!(usage_key, UsageKey { key_id, day: now.date_naive(), operation });
                    expected.insert(usage_key, UsageCount::of_requests(1));
                    break;
                }
                refused => panic!("{refused:?}"),
            }
        }
    }
    assert_eq!(limiter.drain_usage().0, expected);
}
