//! Served snapshot and ledger; the watcher follows the lake's pointer.

mod snapshot_watcher;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use arc_swap::ArcSwapOption;
use axum::http::HeaderMap;
use chrono::{DateTime, Utc};
use fdna_api::{ApiInfo, Failure, MMA_API};
use fdna_http::EventCounter;
use fdna_http::upstream_timeouts::HOST_ANSWER_WAIT;
use fdna_http::{Clock, Cors};
use tokio::sync::{SetOnce, watch};

use crate::api_key::KeyFile;
use crate::change_streams::ChangeStreams;
use crate::client::ClientId;
use crate::downloads::TableDownloads;
use crate::pinned_snapshots::{PinnedSnapshotLimits, PinnedSnapshots};
use crate::response_cache::ResponseCache;
use crate::row_explainer::{RowExplainer, SharedExplainer};
use fdna_view::Ledger;
use fdna_view::{Dataset, LoadError, SnapshotSource};

pub(crate) use snapshot_watcher::TICKS_TO_RETRY;
pub use snapshot_watcher::watch_snapshots;

/// Why a server with a snapshot is not ready.
pub(crate) const DAMAGE: &str = "a file of the snapshot that is served has changed, or cannot be read any more; `fightdna verify` names it";

/// What is served now. A request takes the dataset and the time once, at its start.
#[derive(Debug)]
pub struct ServingState {
    dataset: ArcSwapOption<Dataset>,
    ledger: ArcSwapOption<Ledger>,
    problem: ArcSwapOption<String>,
    /// The same of the ledger: that a snapshot can be read says nothing about it.
    ledger_problem: ArcSwapOption<String>,
    /// Set when a snapshot is served for the first time, or could not be.
    has_begun: SetOnce<()>,
    /// Whether the ledger was looked for. Who serves without following a source has it or has none.
    is_ledger_known: watch::Sender<bool>,
    /// That the source was asked, and has no snapshot yet.
    is_empty: AtomicBool,
    /// A file of the snapshot that is served turned out to be damaged, or cannot be read any more.
    is_damaged: AtomicBool,
    /// Times that one did.
    pub(crate) damaged_reads: EventCounter,
    pub(crate) downloads: TableDownloads,
    pub(crate) change_streams: Arc<ChangeStreams>,
    pub(crate) explainer: Option<SharedExplainer>,
    pins: Arc<PinnedSnapshots>,
    pub(crate) response_cache: ResponseCache,
    key: Option<Arc<KeyFile>>,
    cors: Arc<Cors>,
    media_base_url: Option<String>,
    clock: Clock,
    api: &'static ApiInfo,
    pub(crate) swaps: SwapCounters,
}

/// What came of following the source.
#[derive(Debug, Default)]
pub(crate) struct SwapCounters {
    /// Snapshots that were put in service.
    pub(crate) done: EventCounter,
    /// Snapshots and ledgers that could not be loaded.
    pub(crate) failed: EventCounter,
    /// Seconds since 1970 at which the one served now was put in service; 0 before the first.
    pub(crate) at: AtomicI64,
    /// Why the newest snapshot could not be loaded.
    failure: watch::Sender<Option<Arc<LoadError>>>,
}

impl ServingState {
    /// Nothing served yet. `media_base_url` is where images are, for the index.
    #[must_use]
    pub fn new(media_base_url: Option<String>, clock: Clock) -> Self {
        let (dataset, ledger, problem, ledger_problem, is_empty) = Default::default();
        let (is_damaged, damaged_reads, downloads) = Default::default();
        Self {
            dataset,
            ledger,
            problem,
            ledger_problem,
            has_begun: SetOnce::new(),
            is_ledger_known: watch::Sender::new(true),
            is_empty,
            is_damaged,
            damaged_reads,
            downloads,
            change_streams: Arc::default(),
            explainer: None,
            pins: Arc::new(PinnedSnapshots::new(None, PinnedSnapshotLimits::default())),
            response_cache: ResponseCache::default(),
            key: None,
            cors: Arc::default(),
            media_base_url,
            clock,
            api: &MMA_API,
            swaps: SwapCounters::default(),
        }
    }

    /// Loads from here the snapshots that requests name, within the default limits.
    #[must_use]
    pub fn with_source(self, source: Arc<dyn SnapshotSource>) -> Self {
        self.with_pins(source, PinnedSnapshotLimits::default())
    }

    /// The same within these limits.
    #[must_use]
    pub fn with_pins(self, source: Arc<dyn SnapshotSource>, limits: PinnedSnapshotLimits) -> Self {
        Self { pins: Arc::new(PinnedSnapshots::new(Some(source), limits)), ..self }
    }

    /// Rows are explained by this.
    #[must_use]
    pub fn with_explainer(self, explainer: Arc<dyn RowExplainer>) -> Self {
        Self { explainer: Some(SharedExplainer::new(explainer)), ..self }
    }

    /// Refuses requests in the name of this API.
    #[must_use]
    pub fn of_api(self, api: &'static ApiInfo) -> Self {
        Self { api, ..self }
    }

    pub(crate) fn api(&self) -> &'static ApiInfo {
        self.api
    }

    /// Answers nobody without one of these keys, but for `/healthz` and `/readyz`.
    #[must_use]
    pub fn with_key(self, key: Arc<KeyFile>) -> Self {
        Self { key: Some(key), ..self }
    }

    /// Answers browsers that ask whether pages of these origins may ask.
    #[must_use]
    pub fn open_to(self, cors: Arc<Cors>) -> Self {
        Self { cors, ..self }
    }

    pub(crate) fn cors(&self) -> &Cors {
        &self.cors
    }

    pub(crate) fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// Whether a request has a key, where one is needed.
    pub(crate) fn admits(&self, headers: &HeaderMap) -> bool {
        self.key.as_ref().is_none_or(|key| key.admits(headers))
    }

    /// Serves this snapshot from the next request on.
    pub fn publish(&self, dataset: impl Into<Arc<Dataset>>) {
        self.dataset.store(Some(dataset.into()));
        self.problem.store(None);
        self.is_empty.store(false, Ordering::Relaxed);
        self.is_damaged.store(false, Ordering::Relaxed);
        let _ = self.has_begun.set(());
        self.swaps.done.inc();
        self.swaps.at.store(self.now().timestamp(), Ordering::Relaxed);
    }

    /// Ends when a snapshot could not be loaded before there was any, with why.
    pub(crate) async fn first_failure(&self) -> Arc<LoadError> {
        let mut failures = self.swaps.failure.subscribe();
        let is_first = |failure: &Option<Arc<LoadError>>| failure.is_some() && self.dataset.load().is_none();
        match failures.wait_for(is_first).await.map(|failure| failure.clone()) {
            Ok(Some(failure)) => failure,
            // The sender lives as long as this.
            _ => std::future::pending().await,
        }
    }

    /// The snapshot served now.
    #[must_use]
    pub fn dataset(&self) -> Option<Arc<Dataset>> {
        self.dataset.load_full()
    }

    /// Serves this ledger from the next request on, beside whatever snapshot.
    pub fn publish_ledger(&self, ledger: impl Into<Arc<Ledger>>) {
        self.ledger.store(Some(ledger.into()));
        self.ledger_problem.store(None);
    }

    /// Waits until the ledger was looked for, a few seconds at most. Returns whether it was.
    pub(crate) async fn until_ledger_known(&self) -> bool {
        let mut known = self.is_ledger_known.subscribe();
        tokio::time::timeout(HOST_ANSWER_WAIT, known.wait_for(|known| *known)).await.is_ok()
    }

    /// Whether there is a ledger that cannot be used, or nobody can tell.
    pub(crate) fn is_ledger_damaged(&self) -> bool {
        self.ledger_problem.load().is_some()
    }

    /// A file of a snapshot is not what it was when the snapshot was loaded: it is loaded anew.
    pub(crate) fn report_damage(&self, snapshot_id: &str) {
        self.damaged_reads.inc();
        match self.is_serving(snapshot_id) {
            true => self.is_damaged.store(true, Ordering::Relaxed),
            false => self.pins.forget(snapshot_id),
        }
    }

    /// Whether that is so of the one that is served.
    pub(crate) fn is_damaged(&self) -> bool {
        self.is_damaged.load(Ordering::Relaxed)
    }

    /// Whether nothing is served because there is nothing yet.
    pub(crate) fn is_waiting(&self) -> bool {
        self.is_empty.load(Ordering::Relaxed) && self.dataset.load().is_none()
    }

    /// The ledger served now.
    #[must_use]
    pub fn ledger(&self) -> Option<Arc<Ledger>> {
        self.ledger.load_full()
    }

    /// Why the current snapshot or the newest ledger is not the one served; `None` if both are.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        let problems = [self.problem.load_full(), self.ledger_problem.load_full()];
        let damage = self.is_damaged().then_some(DAMAGE);
        let texts: Vec<&str> =
            damage.into_iter().chain(problems.iter().flatten().map(|text| text.as_str())).collect();
        (!texts.is_empty()).then(|| texts.join("; "))
    }

    /// The snapshot that a request names.
    pub(crate) async fn named(&self, id: &str, client: Option<ClientId>) -> Result<Arc<Dataset>, Failure> {
        match self.dataset().filter(|current| current.snapshot_id() == id) {
            Some(current) => Ok(current),
            None => self.pins.get(id, client, self.now()).await,
        }
    }

    pub(crate) fn pins(&self) -> &PinnedSnapshots {
        &self.pins
    }

    pub(crate) fn media_base_url(&self) -> Option<&str> {
        self.media_base_url.as_deref()
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    pub(crate) fn is_serving(&self, id: &str) -> bool {
        self.dataset.load().as_ref().is_some_and(|d| d.snapshot_id() == id)
    }
}
