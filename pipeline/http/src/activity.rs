//! What a connection is doing, and when it has done nothing for too long.
//!
//! hyper has no timer for a client that sends nothing, or half an HTTP/2 preface, nor for one that does not read.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::limits::Limits;
use crate::progress::Progress;

/// One connection's requests. Aligned: connections of several threads are not to share a line of the processors' caches.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Activity {
    since: Instant,
    /// Milliseconds after `since` at which something last moved.
    moved: AtomicU64,
    /// The same of the last bytes that came while nothing was being answered.
    came: AtomicU64,
    /// The same of a request's first byte, plus one; 0 while none is on its way.
    half: AtomicU64,
    /// Bytes came that are of a request behind the one being answered.
    is_ahead: AtomicBool,
    /// The last bytes that came do not end a head.
    is_open: AtomicBool,
    is_late: AtomicBool,
    is_h2: AtomicBool,
    begun: AtomicU64,
    ended: AtomicU64,
    /// Of the answer on its way, of which HTTP/1 has one at a time.
    progress: Progress,
    /// Of each of them in HTTP/2.
    streams: Mutex<Vec<Arc<Progress>>>,
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
    /// It takes it more slowly than it must.
    Slow,
    /// Room is needed.
    Evicted,
}

/// A request that is being answered; it ends with this value.
#[derive(Debug)]
pub(crate) struct InFlight {
    activity: Arc<Activity>,
    /// In HTTP/2.
    stream: Option<Arc<Progress>>,
}

impl Activity {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            since: Instant::now(),
            moved: AtomicU64::default(),
            came: AtomicU64::default(),
            half: AtomicU64::default(),
            is_ahead: AtomicBool::default(),
            is_open: AtomicBool::default(),
            is_late: AtomicBool::default(),
            is_h2: AtomicBool::default(),
            begun: AtomicU64::default(),
            ended: AtomicU64::default(),
            progress: Progress::default(),
            streams: Mutex::default(),
            leave: Notify::new(),
        })
    }

    /// Bytes came, which are the last of a head or not.
    pub(crate) fn heard(&self, is_end: bool) {
        self.is_open.store(!is_end, Ordering::Relaxed);
        if self.is_idle() {
            let now = self.millis();
            self.came.store(now, Ordering::Relaxed);
            let _ = self.half.compare_exchange(0, now + 1, Ordering::Relaxed, Ordering::Relaxed);
        } else {
            self.is_ahead.store(true, Ordering::Relaxed);
        }
    }

    /// Since when half a request is there. HTTP/2 has frames that belong to none.
    pub(crate) fn half_since(&self) -> Option<Instant> {
        let half = self.half.load(Ordering::Relaxed);
        (half > 0 && !self.is_h2()).then(|| self.since + Duration::from_millis(half - 1))
    }

    /// The rest did not come in time.
    pub(crate) fn is_late(&self) {
        self.is_late.store(true, Ordering::Relaxed);
    }

    pub(crate) fn was_late(&self) -> bool {
        self.is_late.load(Ordering::Relaxed)
    }

    pub(crate) fn begin(self: &Arc<Self>, is_h2: bool) -> InFlight {
        self.is_h2.store(is_h2, Ordering::Relaxed);
        self.half.store(0, Ordering::Relaxed);
        self.is_ahead.store(false, Ordering::Relaxed);
        self.begun.fetch_add(1, Ordering::Relaxed);
        let mut stream = None;
        if is_h2 {
            self.move_on();
            let progress = Arc::<Progress>::default();
            self.streams().push(Arc::clone(&progress));
            stream = Some(progress);
        } else {
            self.progress.clear();
            // The clock was asked when it came, or, of one that came behind another, when that one's answer left.
            self.moved.fetch_max(self.came.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        InFlight { activity: Arc::clone(self), stream }
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
        self.is_idle().then(|| self.moved_at())
    }

    /// Ends when the connection should be closed.
    pub(crate) async fn lapse(&self, limits: &Limits) -> Lapse {
        loop {
            if self.is_slow(limits) {
                return Lapse::Slow;
            }
            let (after, lapse) = self.deadline(limits);
            let left = after.saturating_sub(self.moved_at().elapsed());
            if left.is_zero() {
                return lapse;
            }
            // What it does may change before that is over, and another time hold.
            tokio::select! {
                () = tokio::time::sleep(left.min(limits.write_timeout).min(limits.rate_window)) => {}
                () = self.leave.notified() => return Lapse::Evicted,
            }
        }
    }

    /// For how long nothing may move in the present state.
    fn deadline(&self, limits: &Limits) -> (Duration, Lapse) {
        match (self.begun.load(Ordering::Relaxed), self.is_idle()) {
            (0, _) => (limits.header_timeout, Lapse::Unasked),
            (_, true) => (limits.idle_timeout, Lapse::Idle),
            (_, false) => (limits.write_timeout, Lapse::Unread),
        }
    }

    /// Whether any answer is taken more slowly than it must be.
    fn is_slow(&self, limits: &Limits) -> bool {
        self.is_any(|progress| progress.is_slow(limits, self.millis()))
    }

    /// Since when a connection moved last that has taken too little of an answer so far: when there is no room, it is
    /// in the way of others.
    pub(crate) fn slow_since(&self, limits: &Limits) -> Option<Instant> {
        self.is_any(|progress| progress.is_slow_so_far(limits, self.millis())).then(|| self.moved_at())
    }

    fn is_any(&self, is: impl Fn(&Progress) -> bool) -> bool {
        match self.is_h2() {
            true => self.streams().iter().any(|progress| is(progress)),
            false => !self.is_idle() && is(&self.progress),
        }
    }

    fn streams(&self) -> MutexGuard<'_, Vec<Arc<Progress>>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_idle(&self) -> bool {
        self.in_flight() == 0
    }

    /// Requests that are being answered.
    pub(crate) fn in_flight(&self) -> u64 {
        // First: whoever sees that one ended sees that it began.
        let ended = self.ended.load(Ordering::Acquire);
        self.begun.load(Ordering::Relaxed) - ended
    }

    /// The client took so much of its answer. In HTTP/2 the bytes of a socket may be anybody's, and say nothing.
    pub(crate) fn took(&self, bytes: u64) {
        if !self.is_h2() {
            self.progress.took(bytes, self.move_on());
        }
    }

    fn move_on(&self) -> u64 {
        let now = self.millis();
        self.moved.store(now, Ordering::Relaxed);
        now
    }

    fn moved_at(&self) -> Instant {
        self.since + Duration::from_millis(self.moved.load(Ordering::Relaxed))
    }

    fn millis(&self) -> u64 {
        u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl InFlight {
    /// In HTTP/2: the client took so many bytes of the answer, which may just begin.
    pub(crate) fn took(&self, bytes: u64) {
        let now = self.activity.move_on();
        if let Some(progress) = &self.stream {
            progress.took(bytes, now);
        }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let activity = &self.activity;
        // In HTTP/1 the last of the answer is still to be taken, or just was.
        if let Some(ended) = &self.stream {
            activity.move_on();
            activity.streams().retain(|stream| !Arc::ptr_eq(stream, ended));
        }
        if activity.is_ahead.load(Ordering::Relaxed) || activity.is_open.load(Ordering::Relaxed) {
            activity.half.store(activity.millis() + 1, Ordering::Relaxed);
        }
        activity.ended.fetch_add(1, Ordering::Release);
    }
}
