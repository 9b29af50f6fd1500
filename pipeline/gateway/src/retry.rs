//! How many requests may be sent a second time: a tenth of all, and a number at once, so that a host that dies under
//! load loses none, and hosts that are all ill are not asked twice as often for it.

use std::sync::atomic::{AtomicI64, Ordering};

/// In tenths of a retry.
const COST: i64 = 10;
const EARNED: i64 = 1;

/// Retries at once, at most.
const AT_ONCE: i64 = 512;

/// What is left for retries, of all threads: while it is full, it is only looked at.
#[derive(Debug)]
pub(crate) struct RetryBudget(AtomicI64);

impl Default for RetryBudget {
    fn default() -> Self {
        Self(AtomicI64::new(AT_ONCE * COST))
    }
}

impl RetryBudget {
    /// A request came.
    pub(crate) fn earn(&self) {
        let earned = |left: i64| (left < AT_ONCE * COST).then_some(left + EARNED);
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, earned);
    }

    /// Whether a request may be sent again.
    pub(crate) fn spend(&self) -> bool {
        let spent = |left: i64| (left >= COST).then_some(left - COST);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, spent).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_the_first_ones_a_tenth_may_be_sent_again() {
        let budget = RetryBudget::default();
        (0..AT_ONCE).for_each(|_| assert!(budget.spend()));
        assert!(!budget.spend());
        (0..1000).for_each(|_| budget.earn());
        assert_eq!((0..1000).filter(|_| budget.spend()).count(), 100);
    }

    #[test]
    fn no_more_is_earned_than_fits() {
        let budget = RetryBudget::default();
        (0..100_000).for_each(|_| budget.earn());
        assert_eq!((0..10_000).filter(|_| budget.spend()).count(), 512);
    }
}
