//! What a connection is doing, and when it has done nothing for too long.
//!
//! hyper's header timer begins with the first byte that is no HTTP/2 preface, so a client that sends nothing, or half
//! a preface, is timed here; and so is one that does not read, for which hyper has no timer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::limits::Limits;

/// One connection's requests.
#[derive(Debug)]
pub(crate) struct Activity {
    since: Instant,
    /// Milliseconds after `since` at which something last moved.
    moved: AtomicU64,
    begun: AtomicU64,
    ended: AtomicU64,
    is_h2: AtomicBool,
    leave: Notify,
}

/// Why a connection is closed from this side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lapse {
    /// No whole request came in time.
    Unasked,
    /// No further request for long.
    Idle,
    /// The client does not take its answer.
    Unread,
    /// Room is needed.
    Evicted,
}

/// A request that is being answered; it ends with this value.
#[derive(Debug)]
pub(crate) struct InFlight(Arc<Activity>);

impl Activity {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            since: Instant::now(),
            moved: AtomicU64::default(),
            begun: AtomicU64::default(),
            ended: AtomicU64::default(),
            is_h2: AtomicBool::default(),
            leave: Notify::new(),
        })
    }

    pub(crate) fn begin(self: &Arc<Self>, is_h2: bool) -> InFlight {
        self.is_h2.store(is_h2, Ordering::Relaxed);
        self.begun.fetch_add(1, Ordering::Relaxed);
        self.move_on();
        InFlight(Arc::clone(self))
    }

    pub(crate) fn is_h2(&self) -> bool {
        self.is_h2.load(Ordering::Relaxed)
    }

    /// Asks the connection to leave for another.
    pub(crate) fn evict(&self) {
        self.leave.notify_one();
    }

    /// Since when nothing is asked; `None` while a request is being answered.
    pub(crate) fn idle_since(&self) -> Option<Instant> {
        let (begun, ended) = (self.begun.load(Ordering::Relaxed), self.ended.load(Ordering::Relaxed));
        (begun == ended).then(|| self.moved_at())
    }

    /// Ends when the connection should be closed.
    pub(crate) async fn lapse(&self, limits: &Limits) -> Lapse {
        loop {
            let (after, lapse) = self.deadline(limits);
            let left = after.saturating_sub(self.moved_at().elapsed());
            if left.is_zero() {
                return lapse;
            }
            // What it does may change before it is over, and another time hold.
            tokio::select! {
                () = tokio::time::sleep(left.min(limits.write_timeout)) => {}
                () = self.leave.notified() => return Lapse::Evicted,
            }
        }
    }

    /// For how long nothing may move in the present state.
    fn deadline(&self, limits: &Limits) -> (Duration, Lapse) {
        match (self.begun.load(Ordering::Relaxed), self.idle_since()) {
            (0, _) => (limits.header_timeout, Lapse::Unasked),
            (_, Some(_)) => (limits.idle_timeout, Lapse::Idle),
            (_, None) => (limits.write_timeout, Lapse::Unread),
        }
    }

    fn move_on(&self) {
        let millis = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.moved.store(millis, Ordering::Relaxed);
    }

    fn moved_at(&self) -> Instant {
        self.since + Duration::from_millis(self.moved.load(Ordering::Relaxed))
    }
}

impl InFlight {
    /// The client took some of the answer.
    pub(crate) fn move_on(&self) {
        self.0.move_on();
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.move_on();
        self.0.ended.fetch_add(1, Ordering::Relaxed);
    }
}
