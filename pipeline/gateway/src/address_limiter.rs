//! Limits events by IP address and minute: responses 401 and 403, which become 429, and pages read without a key.
//!
//! A request that its key and plan allow is never limited here: behind a load balancer or a company's router many
//! customers share an address. Addresses are hashed to a fixed number of counters, so that any number of them takes the
//! same memory; IPv6 is counted by /64, which is what one customer has.

use std::hash::{BuildHasher as _, RandomState};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicU64, Ordering};

use chrono::{DateTime, Utc};

use crate::window::Window;

/// Counters: 64 KiB of them.
const COUNTERS: usize = 8192;

/// Counts the events of the current minute, by address.
#[derive(Debug)]
pub struct AddressLimiter {
    /// `None` for no limit.
    limit: Option<u32>,
    /// Random in every process, so that nobody outside knows which addresses share a counter.
    hasher: RandomState,
    counters: Box<[MinuteCounter]>,
}

/// The events of the current minute: the minute in the upper half, and the number of its events in the lower.
#[derive(Debug, Default)]
pub struct MinuteCounter(AtomicU64);

/// A limit is exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitExceeded {
    pub limit: u32,
    /// In seconds.
    pub retry_after: i64,
}

impl MinuteCounter {
    /// Counts an event. `Some` if there are more than `limit` in this minute.
    pub fn count_event(&self, limit: u32, now: DateTime<Utc>) -> Option<LimitExceeded> {
        self.count_events(1, limit, now)
    }

    /// Counts so many. `Some` if there are more than `limit` in this minute.
    pub fn count_events(&self, events: u32, limit: u32, now: DateTime<Utc>) -> Option<LimitExceeded> {
        let minute = Window::minute_of(now);
        let current = (minute.number.unsigned_abs() & u64::from(u32::MAX)) << 32;
        let increment = |value: u64| {
            let counted = if value & !u64::from(u32::MAX) == current { value } else { current };
            let full = current | u64::from(u32::MAX);
            (counted < full).then(|| full.min(counted + u64::from(events)))
        };
        let before =
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, increment).unwrap_or_else(|full| full);
        let counted = increment(before).unwrap_or(before) & u64::from(u32::MAX);
        let retry_after = (minute.ends_at() - now.timestamp()).max(1);
        (counted > u64::from(limit)).then_some(LimitExceeded { limit, retry_after })
    }
}

impl AddressLimiter {
    /// A limit in a minute; 0 for none.
    #[must_use]
    pub fn new(limit: u32) -> Self {
        let counters = (0..COUNTERS).map(|_| MinuteCounter::default()).collect();
        Self { limit: (limit > 0).then_some(limit), hasher: RandomState::new(), counters }
    }

    /// Counts an event. `Some` if the limit is exceeded.
    pub fn count_event(&self, address: IpAddr, now: DateTime<Utc>) -> Option<LimitExceeded> {
        self.counter_of(network_of(address)).count_event(self.limit?, now)
    }

    fn counter_of(&self, network: IpAddr) -> &MinuteCounter {
        let index = self.hasher.hash_one(network) % COUNTERS as u64;
        &self.counters[usize::try_from(index).unwrap_or_default()]
    }
}

/// The addresses that are counted together.
fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn one_address_collects_so_many_in_a_minute() {
        let limiter = AddressLimiter::new(3);
        let now = at("2026-09-07T12:00:20Z");
        for _ in 0..3 {
            assert_eq!(limiter.count_event(ip("192.0.2.1"), now), None);
        }
        assert_eq!(
            limiter.count_event(ip("192.0.2.1"), now),
            Some(LimitExceeded { limit: 3, retry_after: 40 })
        );
        assert_eq!(limiter.count_event(ip("::ffff:192.0.2.1"), now).map(|exceeded| exceeded.limit), Some(3));
        assert_eq!(limiter.count_event(ip("192.0.2.1"), at("2026-09-07T12:01:00Z")), None);
    }

    #[test]
    fn any_number_of_events_fills_a_counter_and_no_more() {
        let (counter, now) = (MinuteCounter::default(), at("2026-09-07T12:00:20Z"));
        assert_eq!(counter.count_events(3, 3, now), None);
        assert_eq!(counter.count_events(0, 3, now), None);
        let exceeded = Some(LimitExceeded { limit: 3, retry_after: 40 });
        assert_eq!(counter.count_events(u32::MAX, 3, now), exceeded);
        assert_eq!(counter.count_event(3, now), exceeded);
        assert_eq!(counter.count_event(3, at("2026-09-07T12:01:00Z")), None);
    }

    #[test]
    fn a_customers_network_is_one_address_and_its_neighbour_another() {
        let now = at("2026-09-07T12:00:20Z");
        assert_eq!(network_of(ip("2001:db8:0:1:a::1")), network_of(ip("2001:db8:0:1:b::2")));
        assert_ne!(network_of(ip("2001:db8:0:1::1")), network_of(ip("2001:db8:0:2::1")));
        assert_ne!(network_of(ip("192.0.2.1")), network_of(ip("192.0.2.2")));
        let limiter = AddressLimiter::new(1);
        assert_eq!(limiter.count_event(ip("2001:db8:0:1:a::1"), now), None);
        assert!(limiter.count_event(ip("2001:db8:0:1:b::2"), now).is_some());
    }

    #[test]
    fn any_number_of_addresses_takes_the_same_memory_and_none_is_held_back_without_a_limit() {
        let (limiter, now) = (AddressLimiter::new(1000), at("2026-09-07T12:00:20Z"));
        let many =
            (0..1_000_000_u32).filter(|n| limiter.count_event(IpAddr::from(n.to_be_bytes()), now).is_some());
        assert_eq!((many.count(), limiter.counters.len()), (0, COUNTERS));
        let limiter = AddressLimiter::new(0);
        assert!((0..10_000).all(|_| limiter.count_event(ip("192.0.2.1"), now).is_none()));
    }
}
