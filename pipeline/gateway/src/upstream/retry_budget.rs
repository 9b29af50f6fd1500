//! The retry budget: a tenth of all requests may be retried, after a burst; each at most once (`UpstreamPool::send_request`).
//! An upstream that dies under load loses no
//! request, and upstreams that all fail do not get twice the load.

use std::sync::atomic::{AtomicI64, Ordering};

/// In tenths of a retry.
const COST: i64 = 10;
const DEPOSIT: i64 = 1;

/// Retries of a burst.
const MAX_BURST: i64 = 512;

#[derive(Debug)]
pub(super) struct RetryBudget(AtomicI64);

impl Default for RetryBudget {
    fn default() -> Self {
        Self(AtomicI64::new(MAX_BURST * COST))
    }
}

impl RetryBudget {
    /// Each request pays for a tenth of a retry.
    pub(super) fn deposit(&self) {
        let deposit = |balance: i64| (balance < MAX_BURST * COST).then_some(balance + DEPOSIT);
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, deposit);
    }

    /// Whether a request may be retried.
    pub(super) fn withdraw(&self) -> bool {
        let withdraw = |balance: i64| (balance >= COST).then_some(balance - COST);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, withdraw).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_burst_a_tenth_is_retried() {
        let budget = RetryBudget::default();
        (0..MAX_BURST).for_each(|_| assert!(budget.withdraw()));
        assert!(!budget.withdraw());
        (0..1000).for_each(|_| budget.deposit());
        assert_eq!((0..1000).filter(|_| budget.withdraw()).count(), 100);
    }

    #[test]
    fn the_balance_has_a_maximum() {
        let budget = RetryBudget::default();
        (0..100_000).for_each(|_| budget.deposit());
        assert_eq!((0..10_000).filter(|_| budget.withdraw()).count(), 512);
    }
}
