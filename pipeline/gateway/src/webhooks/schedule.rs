//! Schedule of retries: when a message that failed is sent again.

use std::time::Duration;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;

/// Delays of the Standard Webhooks specification, in seconds: three days in all.
const STANDARD_DELAYS: [u64; 9] =
    [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

/// The longest time that a receiver may ask for with `Retry-After`.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(24 * HOUR);

/// Delays before the second try, the third, and so on; after the last, a message is dead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetrySchedule(Vec<Duration>);

impl Default for RetrySchedule {
    fn default() -> Self {
        Self(STANDARD_DELAYS.map(Duration::from_secs).to_vec())
    }
}

impl RetrySchedule {
    #[must_use]
    pub fn new(delays: Vec<Duration>) -> Self {
        Self(delays)
    }

    /// Time until the next try after so many, a tenth more or less, so that receivers that were down together are not sent
    /// everything at once; `None` after the last. Never earlier than the receiver asks for, within a day.
    pub(crate) fn delay_after(&self, attempts: u32, retry_after: Option<Duration>) -> Option<Duration> {
        let delay = self.0.get(usize::try_from(attempts).ok()?.checked_sub(1)?)?;
        let spread = delay.mul_f64(0.9 + 0.2 * random_fraction());
        Some(spread.max(retry_after.unwrap_or_default().min(MAX_RETRY_AFTER)))
    }
}

/// From 0 to 1; the middle where the operating system has no random numbers.
fn random_fraction() -> f64 {
    getrandom::u32().map_or(0.5, |number| f64::from(number) / f64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_are_spread_over_three_days_and_end() {
        let schedule = RetrySchedule::default();
        for (attempts, seconds) in (1..).zip(STANDARD_DELAYS) {
            let delay = schedule.delay_after(attempts, None).unwrap().as_secs_f64();
            let expected = Duration::from_secs(seconds).as_secs_f64();
            assert!((0.89 * expected..=1.11 * expected).contains(&delay), "{attempts}: {delay}");
        }
        assert_eq!(schedule.delay_after(10, Some(Duration::from_secs(1))), None);
        assert_eq!(RetrySchedule::new(Vec::new()).delay_after(1, None), None);
    }

    #[test]
    fn a_receiver_may_ask_for_more_time_and_not_for_less() {
        let schedule = RetrySchedule::default();
        let after = |seconds| schedule.delay_after(1, Some(Duration::from_secs(seconds))).unwrap();
        assert_eq!(after(3600), Duration::from_secs(3600));
        assert!(after(1) > Duration::from_secs(4));
        assert_eq!(after(10 * 24 * 3600), MAX_RETRY_AFTER);
    }
}
