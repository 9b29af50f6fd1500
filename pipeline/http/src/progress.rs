//! Rate at which a client reads an answer.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::limits::ConnectionLimits;

/// Part of the window after which a slow client may have to leave for another.
const SO_FAR: u32 = 6;

/// Bytes taken since a moment: when the answer began, or the last window ended. Moments are milliseconds of a
/// connection.
#[derive(Debug, Default)]
pub(crate) struct WriteProgress {
    /// Plus one; 0 while nothing is on its way.
    since: AtomicU64,
    bytes: AtomicU64,
    /// The answer has bytes only now and then: how fast a client takes them says nothing.
    is_unpaced: AtomicBool,
}

impl WriteProgress {
    /// Nothing is on its way.
    pub(crate) fn clear_window(&self) {
        self.since.store(0, Ordering::Relaxed);
        self.is_unpaced.store(false, Ordering::Relaxed);
    }

    /// The answer that begins is a stream of events: nothing is asked of its rate.
    pub(crate) fn set_unpaced(&self) {
        self.is_unpaced.store(true, Ordering::Relaxed);
    }

    /// The client took so many bytes; the first of an answer may be none.
    pub(crate) fn record_taken(&self, bytes: u64, now: u64) {
        if self.since.load(Ordering::Relaxed) == 0 {
            self.begin_window(now);
        }
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Whether a window is over in which the client took less than it must. Another begins then.
    pub(crate) fn is_slow(&self, limits: &ConnectionLimits, now: u64) -> bool {
        let Some((age, is_less)) = self.window_rate(limits, now) else { return false };
        let is_over = age >= limits.rate_window;
        if is_over {
            self.begin_window(now);
        }
        is_over && is_less
    }

    /// Whether it has taken less than it must for a while.
    pub(crate) fn is_slow_so_far(&self, limits: &ConnectionLimits, now: u64) -> bool {
        self.window_rate(limits, now)
            .is_some_and(|(age, is_less)| age >= limits.rate_window / SO_FAR && is_less)
    }

    fn begin_window(&self, now: u64) {
        self.bytes.store(0, Ordering::Relaxed);
        self.since.store(now + 1, Ordering::Relaxed);
    }

    /// The age of the window, and whether fewer bytes were taken than in its time must be.
    fn window_rate(&self, limits: &ConnectionLimits, now: u64) -> Option<(Duration, bool)> {
        if self.is_unpaced.load(Ordering::Relaxed) {
            return None;
        }
        let since = self.since.load(Ordering::Relaxed).checked_sub(1)?;
        let age = now.saturating_sub(since);
        let least = limits.min_rate.saturating_mul(age) / 1000;
        Some((Duration::from_millis(age), self.bytes.load(Ordering::Relaxed) < least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_window_must_have_its_bytes_and_the_first_may_begin_late() {
        let (limits, progress) = (ConnectionLimits::default(), WriteProgress::default());
        assert!(!progress.is_slow(&limits, 100_000), "nothing is on its way");
        progress.record_taken(0, 100_000);
        assert!(!progress.is_slow(&limits, 129_999) && progress.is_slow_so_far(&limits, 105_000));
        progress.record_taken(30 * 1024, 129_999);
        assert!(!progress.is_slow(&limits, 130_000) && !progress.is_slow_so_far(&limits, 134_000));
        progress.record_taken(30 * 1024 - 1, 140_000);
        assert!(progress.is_slow(&limits, 160_000));
        progress.clear_window();
        assert!(!progress.is_slow(&limits, 300_000));
    }

    #[test]
    fn of_a_stream_no_rate_is_asked_and_of_the_answer_behind_it_one_is() {
        let (limits, progress) = (ConnectionLimits::default(), WriteProgress::default());
        progress.set_unpaced();
        progress.record_taken(14, 0);
        assert!(!progress.is_slow(&limits, 100_000) && !progress.is_slow_so_far(&limits, 100_000));
        progress.clear_window();
        progress.record_taken(14, 100_000);
        assert!(progress.is_slow(&limits, 130_000));
    }
}
