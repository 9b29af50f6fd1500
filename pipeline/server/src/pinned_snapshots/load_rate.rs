//! Rate at which snapshots may be loaded because requests name them: all clients together, and each of them half of that.

use std::collections::HashMap;
use std::time::Duration;

use tokio::time::Instant;

use crate::client::ClientId;

/// A load that took long counts for several: no more than one part in so many of the time goes into loading.
const SHARE_OF_TIME: u32 = 20;

/// Loads at a rate, with a few ahead of it (the generic cell rate algorithm).
#[derive(Debug, Clone, Copy)]
struct TokenRate {
    every: Duration,
    burst: u32,
}

impl TokenRate {
    /// How long the next load must wait; `due` is when the loads so far are paid off.
    fn wait(self, due: Option<Instant>, now: Instant) -> Duration {
        let ahead = due.map_or(Duration::ZERO, |due| due.saturating_duration_since(now));
        ahead.saturating_sub(self.every * self.burst.saturating_sub(1))
    }

    fn charged(self, due: Option<Instant>, now: Instant) -> Instant {
        due.map_or(now, |due| due.max(now)) + self.every
    }
}

/// What was loaded lately, and for whom.
#[derive(Debug)]
pub(super) struct LoadRateLimiter {
    of_all: TokenRate,
    of_one: TokenRate,
    due: Option<Instant>,
    clients: HashMap<ClientId, Instant>,
}

impl LoadRateLimiter {
    /// One load in `every` in the long run, and `burst` at once after a pause; a client alone has half of both. No time
    /// is no limit.
    pub(super) fn new(every: Duration, burst: u32) -> Self {
        let of_one = TokenRate { every: every * 2, burst: burst.div_ceil(2) };
        Self { of_all: TokenRate { every, burst }, of_one, due: None, clients: HashMap::new() }
    }

    /// Counts a load, for this client if there is one, or tells how long to wait for the next one.
    pub(super) fn admit(&mut self, client: Option<&ClientId>, now: Instant) -> Result<(), Duration> {
        // Those that are paid off are as if they had never been; there are as few others as loads.
        self.clients.retain(|_, due| *due > now);
        let of_client = client.and_then(|client| self.clients.get(client).copied());
        let wait = self.of_all.wait(self.due, now).max(self.of_one.wait(of_client, now));
        if !wait.is_zero() {
            return Err(wait);
        }
        self.due = Some(self.of_all.charged(self.due, now));
        if let Some(client) = client {
            self.clients.insert(client.clone(), self.of_one.charged(of_client, now));
        }
        Ok(())
    }

    /// Charges what a load that was admitted took beyond what was reckoned with.
    pub(super) fn took(&mut self, client: Option<&ClientId>, time: Duration) {
        if self.of_all.every.is_zero() {
            return;
        }
        let more = |rate: TokenRate| (time * SHARE_OF_TIME).saturating_sub(rate.every);
        self.due = self.due.map(|due| due + more(self.of_all));
        if let Some(due) = client.and_then(|client| self.clients.get_mut(client)) {
            *due += more(self.of_one);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn of(name: &str) -> ClientId {
        ClientId::named(name)
    }

    #[test]
    fn one_client_gets_half_of_what_all_get_and_never_more() {
        let (mut pace, begun) = (LoadRateLimiter::new(30 * SECOND, 4), Instant::now());
        let mut request =
            |client: &str, secs: u32| pace.admit(Some(&of(client)), begun + secs * SECOND).is_ok();
        assert_eq!([0, 1, 2].map(|secs| request("a", secs)), [true, true, false]);
        assert_eq!([3, 4, 5].map(|secs| request("b", secs)), [true, true, false]);
        assert!(!request("c", 6), "all together have had theirs");
        assert!(request("c", 30));
        let in_an_hour = (31..3631).filter(|secs| request("a", *secs)).count();
        assert!((59..=61).contains(&in_an_hour), "{in_an_hour} loads for one client in an hour");
    }

    #[test]
    fn a_gateway_that_names_nobody_has_what_all_have() {
        let (mut pace, begun) = (LoadRateLimiter::new(30 * SECOND, 4), Instant::now());
        let admitted = (0..10).filter(|_| pace.admit(None, begun).is_ok()).count();
        assert_eq!(admitted, 4);
    }

    #[test]
    fn who_must_wait_is_told_how_long_and_is_served_then() {
        let (mut pace, begun) = (LoadRateLimiter::new(30 * SECOND, 2), Instant::now());
        pace.admit(Some(&of("a")), begun).unwrap();
        let wait = pace.admit(Some(&of("a")), begun + SECOND).unwrap_err();
        assert_eq!(wait, 59 * SECOND);
        assert!(pace.admit(Some(&of("a")), begun + SECOND + wait - SECOND).is_err());
        assert!(pace.admit(Some(&of("a")), begun + SECOND + wait).is_ok());
    }

    #[test]
    fn a_load_that_takes_long_is_charged_by_its_time() {
        let (mut pace, begun) = (LoadRateLimiter::new(30 * SECOND, 1), Instant::now());
        pace.admit(Some(&of("a")), begun).unwrap();
        pace.took(Some(&of("a")), 10 * SECOND);
        assert_eq!(pace.admit(Some(&of("b")), begun).unwrap_err(), 200 * SECOND);
        assert!(pace.admit(Some(&of("b")), begun + 200 * SECOND).is_ok());
    }

    #[test]
    fn without_an_interval_nobody_waits() {
        let (mut pace, now) = (LoadRateLimiter::new(Duration::ZERO, 1), Instant::now());
        for _ in 0..100 {
            assert!(pace.admit(Some(&of("a")), now).is_ok());
            pace.took(Some(&of("a")), SECOND);
        }
    }
}
