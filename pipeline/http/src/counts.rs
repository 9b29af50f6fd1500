//! What happened to connections, in numbers.

use std::sync::atomic::{AtomicU64, Ordering};

/// A number that several threads count.
#[derive(Debug, Default)]
pub struct Count(AtomicU64);

impl Count {
    /// The number now.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn up(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn down(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Connections of one server since it started; `open` is how many there are now.
#[derive(Debug, Default)]
pub struct Counts {
    pub accepted: Count,
    pub open: Count,
    /// Answered 503, or closed unanswered, because all others were at work.
    pub refused: Count,
    /// Closed because no whole request came in time.
    pub lapsed_unasked: Count,
    /// Closed because they were idle for long.
    pub lapsed_idle: Count,
    /// Closed because the client did not take its answer.
    pub lapsed_unread: Count,
    /// Closed, idle, to make room for others.
    pub evicted: Count,
}
