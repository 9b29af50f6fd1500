//! The accounting thread: the only one that calls the store. It reserves requests for many accounts in one commit,
//! writes down usage, and reloads keys. Without it nothing is counted and no revocation is seen, so that a gateway whose
//! accounting thread has died becomes unready and stops.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use arc_swap::{ArcSwap, ArcSwapOption, Guard};
use chrono::{DateTime, TimeDelta, Utc};
use fdna_http::Clock;
use tokio::sync::watch;
use uuid::Uuid;

use crate::key::KeyProduct;
use crate::key_index::KeyIndex;
use crate::metrics::Metrics;
use crate::plan::Plans;
use crate::rate_limiter::{RateLimiter, Refund, ReservationRequest, UsageCount, UsageKey};
use crate::store::{Reservation, Store, StoreError, UsageFlush, describe_error};
use crate::usage_tracker::UsageTracker;
use crate::window::Window;

/// Between two checks whether keys have changed: a revoked key is refused within a second.
const KEY_POLL_INTERVAL: Duration = Duration::from_millis(200);

const FLUSH_INTERVAL: Duration = Duration::from_secs(1);

/// Between two deletions of old minutes.
const CLEANUP_INTERVAL: Duration = Duration::from_secs(60);

/// Minutes that ended longer ago are deleted.
const MINUTE_RETENTION: TimeDelta = TimeDelta::hours(1);

/// Messages whose reservations go into one commit.
const MAX_BATCH: usize = 256;

/// Attempts to flush at shutdown: one flush may be pending, and the connection may have broken.
const FINAL_FLUSH_ATTEMPTS: usize = 4;

/// State of the store as the gateway knows it, and the channel to the accounting thread.
#[derive(Debug)]
pub(crate) struct Accounting {
    sender: Sender<Message>,
    shared: Arc<SharedState>,
}

#[derive(Debug)]
struct SharedState {
    key_index: ArcSwap<KeyIndex>,
    /// The error of the last call of the store, if it failed.
    problem: ArcSwapOption<String>,
    clock: Clock,
    /// True when the thread has panicked.
    failed: watch::Sender<bool>,
    metrics: Metrics,
}

/// Owns the accounting thread.
#[derive(Debug)]
pub(crate) struct AccountingHandle {
    sender: Sender<Message>,
    thread: JoinHandle<()>,
}

enum Message {
    Reserve(Arc<UsageTracker>, Vec<ReservationRequest>),
    Close,
}

/// Reads the keys and starts the accounting thread.
///
/// # Errors
/// The store cannot be read, or no thread can be started.
pub(crate) fn open_accounting(
    mut store: Box<dyn Store>,
    product: KeyProduct,
    plans: Plans,
    clock: Clock,
    metrics: Metrics,
) -> Result<(Accounting, AccountingHandle), StoreError> {
    let key_index = KeyIndex::build_index(product, store.key_registry()?, &plans, &KeyIndex::default());
    let shared = Arc::new(SharedState {
        key_index: ArcSwap::from_pointee(key_index),
        problem: ArcSwapOption::empty(),
        clock,
        failed: watch::Sender::new(false),
        metrics,
    });
    let (sender, receiver) = channel();
    let worker = AccountingWorker {
        store,
        product,
        plans,
        shared: Arc::clone(&shared),
        gateway: Uuid::new_v4().to_string(),
        flushes: 0,
        usage: BTreeMap::new(),
        refunds: Vec::new(),
        pending: None,
        cleaned_up_at: None,
    };
    let thread = std::thread::Builder::new().name("accounting".to_owned()).spawn(move || {
        let _reporter = PanicReporter(Arc::clone(&worker.shared));
        worker.run_worker(&receiver);
    });
    let thread =
        thread.map_err(|source| StoreError::Query { operation: "start a thread", source: source.into() })?;
    Ok((Accounting { sender: sender.clone(), shared }, AccountingHandle { sender, thread }))
}

impl Accounting {
    /// The current keys. The guard must not be held for long.
    pub(crate) fn key_index(&self) -> Guard<Arc<KeyIndex>> {
        self.shared.key_index.load()
    }

    /// Why the store cannot be used; `None` if it can.
    pub(crate) fn store_problem(&self) -> Option<String> {
        self.shared.problem.load().as_deref().cloned()
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.shared.clock.now()
    }

    /// Completes when the thread has panicked.
    pub(crate) async fn wait_for_failure(&self) {
        let mut failed = self.shared.failed.subscribe();
        // The sender lives as long as `self`.
        let _ = failed.wait_for(|failed| *failed).await;
    }

    pub(crate) fn has_failed(&self) -> bool {
        *self.shared.failed.borrow()
    }

    /// Starts a reservation, whose result the tracker gets. False if accounting is closed.
    pub(crate) fn send_reservations(
        &self,
        tracker: Arc<UsageTracker>,
        requests: Vec<ReservationRequest>,
    ) -> bool {
        self.sender.send(Message::Reserve(tracker, requests)).is_ok()
    }
}

impl AccountingHandle {
    /// Flushes usage, refunds the unused reservations, and ends the thread. Blocks.
    pub(crate) fn close(self) {
        let is_sent = self.sender.send(Message::Close).is_ok();
        if !is_sent || self.thread.join().is_err() {
            tracing::error!("accounting was not closed: the unused reservations are not refunded");
        }
    }
}

/// Reports a panic of the thread that drops it.
struct PanicReporter(Arc<SharedState>);

impl Drop for PanicReporter {
    fn drop(&mut self) {
        if std::thread::panicking() {
            tracing::error!("the accounting thread died: nothing is counted any more");
            self.0.problem.store(Some(Arc::new("the accounting thread died".to_owned())));
            self.0.failed.send_replace(true);
        }
    }
}

struct AccountingWorker {
    store: Box<dyn Store>,
    /// Keys of another are not valid.
    product: KeyProduct,
    plans: Plans,
    shared: Arc<SharedState>,
    /// A unique id of this process, and the number of its flushes: the store applies each flush once.
    gateway: String,
    flushes: i64,
    /// Usage and refunds that are in no flush yet.
    usage: BTreeMap<UsageKey, UsageCount>,
    refunds: Vec<(i64, Refund)>,
    /// A flush of which it is unknown whether it was applied. It is sent unchanged until the store confirms it.
    pending: Option<UsageFlush>,
    cleaned_up_at: Option<Instant>,
}

impl AccountingWorker {
    fn run_worker(mut self, receiver: &Receiver<Message>) {
        self.read_downloads();
        let (mut polled_at, mut flushed_at) = (Instant::now(), Instant::now());
        loop {
            let first = match receiver.recv_timeout(KEY_POLL_INTERVAL.saturating_sub(polled_at.elapsed())) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => Some(Message::Close),
            };
            let mut batch = Vec::new();
            for message in first.into_iter().chain(receiver.try_iter().take(MAX_BATCH)) {
                match message {
                    Message::Reserve(tracker, requests) => batch.push((tracker, requests)),
                    Message::Close => return self.close(),
                }
            }
            self.make_reservations(&batch);
            if polled_at.elapsed() >= KEY_POLL_INTERVAL {
                self.reload_keys();
                polled_at = Instant::now();
            }
            if flushed_at.elapsed() >= FLUSH_INTERVAL {
                self.flush_usage();
                self.read_downloads();
                flushed_at = Instant::now();
            }
        }
    }

    fn make_reservations(&mut self, batch: &[(Arc<UsageTracker>, Vec<ReservationRequest>)]) {
        if batch.is_empty() {
            return;
        }
        let reservations = batch.iter().flat_map(|(tracker, requests)| {
            requests.iter().map(|request| Reservation { account_id: tracker.account_id, request: *request })
        });
        let started = Instant::now();
        let granted = self.store.reserve_quota(&reservations.collect::<Vec<_>>());
        let metrics = &self.shared.metrics;
        metrics.reservation_seconds.observe(started.elapsed().as_secs_f64());
        if granted.is_err() {
            metrics.reservation_failures.inc();
        }
        match self.record_result(granted) {
            Some(grants) => {
                let mut grants = grants.into_iter();
                let now = self.shared.clock.now();
                for (tracker, requests) in batch {
                    tracker.add_grants(grants.by_ref().take(requests.len()), now);
                }
            }
            None => batch.iter().for_each(|(tracker, _)| tracker.reservation_failed()),
        }
    }

    /// Reads accounts and keys if they have changed.
    fn reload_keys(&mut self) {
        let generation = self.store.generation();
        let Some(generation) = self.record_result(generation) else { return };
        let previous = self.shared.key_index.load_full();
        if previous.generation == Some(generation) {
            return;
        }
        let registry = self.store.key_registry();
        if let Some(registry) = self.record_result(registry) {
            let index = KeyIndex::build_index(self.product, registry, &self.plans, &previous);
            self.shared.key_index.store(Arc::new(index));
        }
    }

    /// Writes down usage and refunds.
    fn flush_usage(&mut self) {
        self.collect_usage();
        if self.pending.is_none() && !self.is_flushed() {
            self.flushes += 1;
            self.pending = Some(UsageFlush {
                gateway: self.gateway.clone(),
                number: self.flushes,
                at: self.shared.clock.now(),
                refunds: std::mem::take(&mut self.refunds),
                usage: std::mem::take(&mut self.usage),
                delete_minutes_before: self.delete_minutes_before(),
            });
        }
        let Some(flush) = &self.pending else { return };
        let flushed = self.store.flush_usage(flush);
        if self.record_result(flushed).is_some() {
            self.pending = None;
        }
    }

    /// Tells the trackers what all gateways have sent of table files in this month.
    fn read_downloads(&mut self) {
        let month = Window::month_of(self.shared.clock.now());
        let read = self.store.downloads_of_month(month);
        let Some(downloads) = self.record_result(read) else { return };
        let by_account: BTreeMap<i64, u64> = downloads.into_iter().collect();
        for tracker in self.shared.key_index.load().trackers() {
            let bytes = by_account.get(&tracker.account_id).copied().unwrap_or_default();
            tracker.with_limiter(|limiter| limiter.set_downloaded(month, bytes));
        }
    }

    /// Collects usage and refunds from the rate limiters.
    fn collect_usage(&mut self) {
        for tracker in self.shared.key_index.load().trackers() {
            let (usage, refunds) = tracker.with_limiter(RateLimiter::drain_usage);
            usage.into_iter().for_each(|(key, count)| *self.usage.entry(key).or_default() += count);
            self.refunds.extend(refunds.into_iter().map(|refund| (tracker.account_id, refund)));
        }
        self.usage.retain(|_, count| !count.is_zero());
    }

    fn is_flushed(&self) -> bool {
        self.usage.is_empty() && self.refunds.is_empty() && self.pending.is_none()
    }

    /// Deleting scans all minutes, which is done once in [`CLEANUP_INTERVAL`].
    fn delete_minutes_before(&mut self) -> Option<DateTime<Utc>> {
        let is_due = self.cleaned_up_at.is_none_or(|at| at.elapsed() >= CLEANUP_INTERVAL);
        is_due.then(|| {
            self.cleaned_up_at = Some(Instant::now());
            self.shared.clock.now() - MINUTE_RETENTION
        })
    }

    fn close(mut self) {
        let index = self.shared.key_index.load_full();
        index.trackers().for_each(|tracker| tracker.with_limiter(RateLimiter::refund_grants));
        for _ in 0..FINAL_FLUSH_ATTEMPTS {
            self.flush_usage();
            if self.is_flushed() {
                return;
            }
        }
        tracing::error!("the last usage could not be written down");
    }

    /// Remembers whether the store works, and logs changes.
    fn record_result<T>(&self, result: Result<T, StoreError>) -> Option<T> {
        let problem = &self.shared.problem;
        match result {
            Ok(value) => {
                if problem.load().is_some() {
                    problem.store(None);
                    tracing::info!("the key store works again");
                }
                Some(value)
            }
            Err(error) => {
                let text = describe_error(&error);
                if problem.load().as_deref() != Some(&text) {
                    tracing::error!(problem = text, "the key store cannot be used");
                    problem.store(Some(Arc::new(text)));
                }
                None
            }
        }
    }
}
