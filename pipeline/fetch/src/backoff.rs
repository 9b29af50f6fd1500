//! Delay before a retry: longer each time, never in step with others, as the host asks.

use std::time::Duration;

use chrono::{DateTime, Utc};

/// The wait before the n-th retry, the first being 0: it doubles, and a share of up to a half is left to chance.
pub(crate) fn backoff_delay(first: Duration, retry: u32, longest: Duration, chance: u64) -> Duration {
    let longest_delay = first.saturating_mul(2_u32.saturating_pow(retry)).min(longest);
    // Thousandths of the upper half.
    let share = u32::try_from(chance % 1_000).unwrap_or(0);
    longest_delay / 2 + longest_delay / 2 * share / 1_000
}

/// `Retry-After`, in seconds or as a date; `None` for what is neither. A date gone by is no wait.
pub(crate) fn retry_after(text: &str, now: DateTime<Utc>) -> Option<Duration> {
    let text = text.trim();
    if let Ok(secs) = text.parse::<u64>() {
        return Some(Duration::from_secs(secs));
    }
    let at = DateTime::<Utc>::from(httpdate::parse_http_date(text).ok()?);
    Some((at - now).to_std().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn waits_double_up_to_the_longest_and_at_least_half_is_sure() {
        let longest = Duration::from_secs(30);
        let least = [0, 1, 2, 3, 10, 40].map(|retry| backoff_delay(SECOND, retry, longest, 0).as_millis());
        assert_eq!(least, [500, 1_000, 2_000, 4_000, 15_000, 15_000]);
        for chance in [0, 1, 500, 999, u64::MAX] {
            let wait = backoff_delay(SECOND, 2, longest, chance).as_millis();
            assert!((2_000..4_000).contains(&wait), "{wait}");
        }
        assert_ne!(backoff_delay(SECOND, 2, longest, 7), backoff_delay(SECOND, 2, longest, 8));
    }

    #[test]
    fn what_a_host_asks_for_is_in_seconds_or_a_date() {
        let now: DateTime<Utc> = "2026-03-01T12:00:00Z".parse().unwrap();
        assert_eq!(retry_after(" 120 ", now), Some(Duration::from_secs(120)));
        assert_eq!(retry_after("Sun, 01 Mar 2026 12:00:30 GMT", now), Some(Duration::from_secs(30)));
        assert_eq!(retry_after("Sun, 01 Mar 2026 11:00:00 GMT", now), Some(Duration::ZERO));
        for text in ["", "soon", "-5", "1.5", "99999999999999999999999"] {
            assert_eq!(retry_after(text, now), None, "{text}");
        }
    }
}
