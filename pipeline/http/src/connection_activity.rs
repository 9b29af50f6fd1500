//! Activity of a connection, and its idle timeouts.
//!
//! hyper has no timer for a client that sends nothing, or half an HTTP/2 preface, nor for one that does not read.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::limits::ConnectionLimits;
use crate::progress::WriteProgress;

/// One connection's requests. Aligned: connections of several threads are not to share a line of the processors' caches.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct ConnectionActivity {
    since: Instant,
    /// Milliseconds after `since` at which something last moved.
    last_progress: AtomicU64,
    /// The same of the last bytes that came while nothing was being answered.
    last_read: AtomicU64,
    /// The same of a request's first byte, plus one; 0 while none is on its way.
    header_started: AtomicU64,
    /// Bytes came that are of a request behind the one being answered.
    pipelined: AtomicBool,
    /// The last bytes that came do not end a head.
    is_open: AtomicBool,
    is_late: AtomicBool,
    is_h2: AtomicBool,
    /// The connection is over: answers that it still has do not leave any more.
    is_over: AtomicBool,
    begun: AtomicU64,
    ended: AtomicU64,
    /// Of the answer on its way, of which HTTP/1 has one at a time.
    progress: WriteProgress,
    /// Of each of them in HTTP/2.
    streams: Mutex<Vec<Arc<WriteProgress>>>,
    leave: Notify,
}

/// Why a connection is closed from this side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CloseReason {
    /// No whole request came in time.
    HeaderTimeout,
    /// No further request for long.
    Idle,
    /// The client does not take its answer.
    WriteTimeout,
    /// It takes it more slowly than it must.
    Slow,
    /// Room is needed.
    Evicted,
}

/// A request that is being answered; it ends with this value.
#[derive(Debug)]
pub(crate) struct InFlight {
    activity: Arc<ConnectionActivity>,
    /// In HTTP/2.
    stream: Option<Arc<WriteProgress>>,
}

impl ConnectionActivity {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            since: Instant::now(),
            last_progress: AtomicU64::default(),
            last_read: AtomicU64::default(),
            header_started: AtomicU64::default(),
            pipelined: AtomicBool::default(),
            is_open: AtomicBool::default(),
            is_late: AtomicBool::default(),
            is_h2: AtomicBool::default(),
            is_over: AtomicBool::default(),
            begun: AtomicU64::default(),
            ended: AtomicU64::default(),
            progress: WriteProgress::default(),
            streams: Mutex::default(),
            leave: Notify::new(),
        })
    }

    /// Bytes came, which are the last of a head or not.
    pub(crate) fn bytes_received(&self, is_end: bool) {
        self.is_open.store(!is_end, Ordering::Relaxed);
        if self.is_idle() {
            let now = self.elapsed_millis();
            self.last_read.store(now, Ordering::Relaxed);
            let _ = self.header_started.compare_exchange(0, now + 1, Ordering::Relaxed, Ordering::Relaxed);
        } else {
            self.pipelined.store(true, Ordering::Relaxed);
        }
    }

    /// Since when half a request is there. HTTP/2 has frames that belong to none.
    pub(crate) fn header_started_at(&self) -> Option<Instant> {
        let header_started = self.header_started.load(Ordering::Relaxed);
        (header_started > 0 && !self.is_h2()).then(|| self.since + Duration::from_millis(header_started - 1))
    }

    /// The rest did not come in time.
    pub(crate) fn is_late(&self) {
        self.is_late.store(true, Ordering::Relaxed);
    }

    pub(crate) fn was_late(&self) -> bool {
        self.is_late.load(Ordering::Relaxed)
    }

    /// Says so when what it returns is dropped: before the connection is.
    pub(crate) fn over_on_drop(self: &Arc<Self>) -> ConnectionEnd {
        ConnectionEnd(Arc::clone(self))
    }

    pub(crate) fn begin_request(self: &Arc<Self>, is_h2: bool) -> InFlight {
        self.is_h2.store(is_h2, Ordering::Relaxed);
        self.header_started.store(0, Ordering::Relaxed);
        self.pipelined.store(false, Ordering::Relaxed);
        self.begun.fetch_add(1, Ordering::Relaxed);
        let mut stream = None;
        if is_h2 {
            self.move_on();
            let progress = Arc::<WriteProgress>::default();
            self.lock_streams().push(Arc::clone(&progress));
            stream = Some(progress);
        } else {
            self.progress.clear_window();
            // The clock was asked when it came, or, of one that came behind another, when that one's answer left.
            self.last_progress.fetch_max(self.last_read.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        InFlight { activity: Arc::clone(self), stream }
    }

    pub(crate) fn is_h2(&self) -> bool {
        self.is_h2.load(Ordering::Relaxed)
    }

    /// Asks the connection to leave for another.
    pub(crate) fn ask_to_leave(&self) {
        self.leave.notify_one();
    }

    /// Since when nothing is asked; `None` while a request is being answered.
    pub(crate) fn idle_since(&self) -> Option<Instant> {
        self.is_idle().then(|| self.moved_at())
    }

    /// Ends when the connection should be closed.
    pub(crate) async fn close_reason(&self, limits: &ConnectionLimits) -> CloseReason {
        loop {
            if self.is_slow(limits) {
                return CloseReason::Slow;
            }
            let (after, close_reason) = self.idle_deadline(limits);
            let left = after.saturating_sub(self.moved_at().elapsed());
            if left.is_zero() {
                return close_reason;
            }
            // What it does may change before that is over, and another time hold.
            tokio::select! {
                () = tokio::time::sleep(left.min(limits.write_timeout).min(limits.rate_window)) => {}
                () = self.leave.notified() => return CloseReason::Evicted,
            }
        }
    }

    /// For how long nothing may move in the present state.
    fn idle_deadline(&self, limits: &ConnectionLimits) -> (Duration, CloseReason) {
        match (self.begun.load(Ordering::Relaxed), self.is_idle()) {
            (0, _) => (limits.header_timeout, CloseReason::HeaderTimeout),
            (_, true) => (limits.idle_timeout, CloseReason::Idle),
            (_, false) => (limits.write_timeout, CloseReason::WriteTimeout),
        }
    }

    /// Whether any answer is taken more slowly than it must be.
    fn is_slow(&self, limits: &ConnectionLimits) -> bool {
        self.is_any(|progress| progress.is_slow(limits, self.elapsed_millis()))
    }

    /// Since when a connection moved last that has taken too little of an answer so far: when there is no room, it is
    /// in the way of others.
    pub(crate) fn slow_since(&self, limits: &ConnectionLimits) -> Option<Instant> {
        self.is_any(|progress| progress.is_slow_so_far(limits, self.elapsed_millis()))
            .then(|| self.moved_at())
    }

    fn is_any(&self, is: impl Fn(&WriteProgress) -> bool) -> bool {
        match self.is_h2() {
            true => self.lock_streams().iter().any(|progress| is(progress)),
            false => !self.is_idle() && is(&self.progress),
        }
    }

    fn lock_streams(&self) -> MutexGuard<'_, Vec<Arc<WriteProgress>>> {
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
    pub(crate) fn record_taken(&self, bytes: u64) {
        if !self.is_h2() {
            self.progress.record_taken(bytes, self.move_on());
        }
    }

    fn move_on(&self) -> u64 {
        let now = self.elapsed_millis();
        self.last_progress.store(now, Ordering::Relaxed);
        now
    }

    fn moved_at(&self) -> Instant {
        self.since + Duration::from_millis(self.last_progress.load(Ordering::Relaxed))
    }

    fn elapsed_millis(&self) -> u64 {
        u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl InFlight {
    /// In HTTP/2: the client took so many bytes of the answer, which may just begin.
    pub(crate) fn record_taken(&self, bytes: u64) {
        let now = self.activity.move_on();
        if let Some(progress) = &self.stream {
            progress.record_taken(bytes, now);
        }
    }

    /// The answer is a stream of events, of which no rate is asked.
    pub(crate) fn set_unpaced(&self) {
        self.stream.as_deref().unwrap_or(&self.activity.progress).set_unpaced();
    }

    /// Whether the connection ended before the answer had left.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.activity.is_over.load(Ordering::Relaxed)
    }
}

/// The end of a connection.
pub(crate) struct ConnectionEnd(Arc<ConnectionActivity>);

impl Drop for ConnectionEnd {
    fn drop(&mut self) {
        self.0.is_over.store(true, Ordering::Relaxed);
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let activity = &self.activity;
        // In HTTP/1 the last of the answer is still to be taken, or just was.
        if let Some(ended) = &self.stream {
            activity.move_on();
            activity.lock_streams().retain(|stream| !Arc::ptr_eq(stream, ended));
        }
        if activity.pipelined.load(Ordering::Relaxed) || activity.is_open.load(Ordering::Relaxed) {
            activity.header_started.store(activity.elapsed_millis() + 1, Ordering::Relaxed);
        }
        activity.ended.fetch_add(1, Ordering::Release);
    }
}
