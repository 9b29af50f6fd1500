//! Which snapshot is served, and the watcher that follows the lake's pointer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use arc_swap::{ArcSwapOption, Guard};
use axum::http::HeaderMap;
use chrono::{DateTime, Utc};
use fdna_api::{Failure, Snapshot, SnapshotManifest};
use fdna_http::Clock;
use fdna_http::Count;
use fdna_http::timeouts::HOST_ANSWER_WAIT;
use tokio::sync::{SetOnce, watch};

use crate::client::ClientId;
use crate::key::KeyFile;
use crate::ledger::Ledger;
use crate::pins::{PinLimits, Pins};
use crate::{Dataset, LoadError};

/// Where snapshots come from. Calls may block: they run off the async threads.
pub trait SnapshotSource: Send + Sync + 'static {
    /// Id of the snapshot to be served now; `None` before the first.
    ///
    /// # Errors
    /// The pointer cannot be read.
    fn current(&self) -> Result<Option<String>, LoadError>;

    /// The snapshot, checked; it may be without what [`Self::load_rest`] adds.
    ///
    /// # Errors
    /// Any part of it cannot be read or does not fit: nothing of it is served then.
    fn load(&self, id: &str) -> Result<Dataset, LoadError>;

    /// Adds to a dataset of [`Self::load`] what it is without, if anything.
    ///
    /// # Errors
    /// As [`Self::load`].
    fn load_rest(&self, _dataset: &Dataset) -> Result<(), LoadError> {
        Ok(())
    }

    /// The whole snapshot.
    ///
    /// # Errors
    /// As [`Self::load`].
    fn load_whole(&self, id: &str) -> Result<Dataset, LoadError> {
        let dataset = self.load(id)?;
        self.load_rest(&dataset)?;
        Ok(dataset)
    }

    /// All snapshots that can be asked for by id, the newest first; which is current is not told here.
    ///
    /// # Errors
    /// They cannot be read.
    fn snapshots(&self) -> Result<Vec<Snapshot>, LoadError> {
        Ok(Vec::new())
    }

    /// What a snapshot consists of; `None` where none has the id.
    ///
    /// # Errors
    /// It cannot be read.
    fn manifest(&self, _id: &str) -> Result<Option<SnapshotManifest>, LoadError> {
        Ok(None)
    }

    /// Ids of those that [`Self::snapshots`] left out when it was last asked, because they are damaged.
    fn damaged(&self) -> Vec<String> {
        Vec::new()
    }

    /// A message as strangers may read it: without the place where the source is kept.
    fn redacted(&self, text: &str) -> String {
        text.to_owned()
    }

    /// Digest of the newest row of the fight-week ledger; `None` before the first.
    ///
    /// # Errors
    /// The ledger's head cannot be read.
    fn ledger_head(&self) -> Result<Option<String>, LoadError> {
        Ok(None)
    }

    /// The whole ledger, checked; `None` before its first row.
    ///
    /// # Errors
    /// Any part of it cannot be read.
    fn load_ledger(&self) -> Result<Option<Ledger>, LoadError> {
        Ok(None)
    }
}

/// What is served now. A request takes the dataset and the time once, at its start.
#[derive(Debug)]
pub struct Served {
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
    pins: Arc<Pins>,
    key: Option<Arc<KeyFile>>,
    media_base_url: Option<String>,
    clock: Clock,
    pub(crate) swaps: Swaps,
}

/// What came of following the source.
#[derive(Debug, Default)]
pub(crate) struct Swaps {
    /// Snapshots that were put in service.
    pub(crate) done: Count,
    /// Snapshots and ledgers that could not be loaded.
    pub(crate) failed: Count,
    /// Seconds since 1970 at which the one served now was put in service; 0 before the first.
    pub(crate) at: AtomicI64,
    /// Why the newest snapshot could not be loaded.
    failure: watch::Sender<Option<Arc<LoadError>>>,
}

impl Served {
    /// Nothing served yet. `media_base_url` is where images are, for the index.
    #[must_use]
    pub fn new(media_base_url: Option<String>, clock: Clock) -> Self {
        let (dataset, ledger, problem, ledger_problem, is_empty) = Default::default();
        Self {
            dataset,
            ledger,
            problem,
            ledger_problem,
            has_begun: SetOnce::new(),
            is_ledger_known: watch::Sender::new(true),
            is_empty,
            pins: Arc::new(Pins::new(None, PinLimits::default())),
            key: None,
            media_base_url,
            clock,
            swaps: Swaps::default(),
        }
    }

    /// Loads from here the snapshots that requests name, within the default limits.
    #[must_use]
    pub fn with_source(self, source: Arc<dyn SnapshotSource>) -> Self {
        self.with_pins(source, PinLimits::default())
    }

    /// The same within these limits.
    #[must_use]
    pub fn with_pins(self, source: Arc<dyn SnapshotSource>, limits: PinLimits) -> Self {
        Self { pins: Arc::new(Pins::new(Some(source), limits)), ..self }
    }

    /// Answers nobody without one of these keys, but for `/healthz` and `/readyz`.
    #[must_use]
    pub fn with_key(self, key: Arc<KeyFile>) -> Self {
        Self { key: Some(key), ..self }
    }

    pub(crate) fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// Whether a request has a key, where one is needed.
    pub(crate) fn admits(&self, headers: &HeaderMap) -> bool {
        self.key.as_ref().is_none_or(|key| key.admits(headers))
    }

    /// Serves this snapshot from the next request on.
    pub fn put(&self, dataset: impl Into<Arc<Dataset>>) {
        self.dataset.store(Some(dataset.into()));
        self.problem.store(None);
        let _ = self.has_begun.set(());
        self.swaps.done.up();
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

    /// The same for a moment: what is looked at is not dropped meanwhile, and nothing is counted.
    pub(crate) fn look(&self) -> Guard<Option<Arc<Dataset>>> {
        self.dataset.load()
    }

    /// Serves this ledger from the next request on, beside whatever snapshot.
    pub fn put_ledger(&self, ledger: impl Into<Arc<Ledger>>) {
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

    /// Whether nothing is served because there is nothing yet.
    pub(crate) fn is_waiting(&self) -> bool {
        self.is_empty.load(Ordering::Relaxed) && self.look().is_none()
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
        let texts: Vec<&str> = problems.iter().flatten().map(|text| text.as_str()).collect();
        (!texts.is_empty()).then(|| texts.join("; "))
    }

    /// The snapshot that a request names.
    pub(crate) async fn named(&self, id: &str, client: ClientId) -> Result<Arc<Dataset>, Failure> {
        match self.dataset().filter(|current| current.snapshot_id() == id) {
            Some(current) => Ok(current),
            None => self.pins.get(id, client, self.now()).await,
        }
    }

    pub(crate) fn pins(&self) -> &Pins {
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

/// Keeps what is served, and says why it is not the newest: the log in full, others without places.
fn tell(problem: &ArcSwapOption<String>, source: &dyn SnapshotSource, text: &str) {
    let redacted = source.redacted(text);
    if problem.load().as_ref().is_none_or(|old| **old != redacted) {
        tracing::error!(problem = %text, "what was served before stays");
    }
    problem.store(Some(Arc::new(redacted)));
}

/// Ticks between two attempts at what could not be loaded.
const TICKS_TO_RETRY: u32 = 60;

/// Ticks between two looks at all published snapshots, for damage that no request asks about.
const TICKS_TO_LOOK: u32 = 120;

/// Follows the source for ever: asks for its newest every so often, loads it whole, then swaps. What cannot be
/// loaded is tried again after a pause, or when the source has another.
pub async fn watch(served: Arc<Served>, source: Arc<dyn SnapshotSource>, every: Duration) {
    let mut failed = Failed::default();
    let mut failed_ledger = Failed::default();
    served.is_ledger_known.send_replace(false);
    for tick_number in 0_u32.. {
        let snapshot = async {
            let failed = tick(&SNAPSHOT, &served, &source, failed.take()).await;
            let _ = served.has_begun.set(());
            failed
        };
        // After what a server is ready with, and beside the rest of that.
        let ledger = async {
            served.has_begun.wait().await;
            let failed = tick(&LEDGER, &served, &source, failed_ledger.take()).await;
            served.is_ledger_known.send_replace(true);
            failed
        };
        (failed, failed_ledger) = tokio::join!(snapshot, ledger);
        if tick_number.is_multiple_of(TICKS_TO_LOOK) {
            let asked = Arc::clone(&source);
            let _ = blocking(move || asked.snapshots()).await;
        }
        tokio::time::sleep(every).await;
    }
}

/// What could not be loaded, and for how many ticks it is left alone.
type Failed = Option<(String, u32)>;

/// Something of the source that is followed.
struct Followed<T> {
    /// Its newest, and one of them, as messages call them.
    named: [&'static str; 2],
    newest: fn(&dyn SnapshotSource) -> Result<Option<String>, LoadError>,
    load: fn(&dyn SnapshotSource, &str) -> Result<Option<T>, LoadError>,
    /// What is loaded after the rest.
    load_rest: fn(&dyn SnapshotSource, &T) -> Result<(), LoadError>,
    is_serving: fn(&Served, &str) -> bool,
    is_any: fn(&Served) -> bool,
    /// Whether the first is served before [`Self::load_rest`].
    is_served_early: bool,
    /// The source has none yet.
    none: fn(&Served),
    put: fn(&Served, Arc<T>),
    take_back: fn(&Served, &T),
    problem: fn(&Served) -> &ArcSwapOption<String>,
    failed: fn(&Served, LoadError),
}

const SNAPSHOT: Followed<Dataset> = Followed {
    named: ["the current snapshot", "snapshot"],
    newest: |source| source.current(),
    load: |source, id| source.load(id).map(Some),
    load_rest: |source, dataset| source.load_rest(dataset),
    is_serving: Served::is_serving,
    is_any: |served| served.look().is_some(),
    is_served_early: true,
    none: |served| served.is_empty.store(true, Ordering::Relaxed),
    put: |served, dataset| {
        tracing::info!(snapshot = %dataset.snapshot_id(), "serving a new snapshot");
        served.put(dataset);
    },
    take_back: |served, dataset| {
        dataset.give_up();
        served.dataset.store(None);
    },
    problem: |served| &served.problem,
    failed: |served, error| {
        served.swaps.failure.send_replace(Some(Arc::new(error)));
    },
};

/// It grows without a new snapshot.
const LEDGER: Followed<Ledger> = Followed {
    named: ["the head of the ledger", "the ledger up to"],
    newest: |source| source.ledger_head(),
    load: |source, _| source.load_ledger(),
    load_rest: |_, _| Ok(()),
    is_serving: |served, head| served.ledger.load().as_ref().is_some_and(|ledger| ledger.head() == head),
    is_any: |served| served.ledger.load().is_some(),
    is_served_early: false,
    none: |_| {},
    put: Served::put_ledger,
    take_back: |_, _| {},
    problem: |served| &served.ledger_problem,
    // A server may begin without.
    failed: |_, _| {},
};

async fn tick<T: Send + Sync + 'static>(
    what: &Followed<T>,
    served: &Served,
    source: &Arc<dyn SnapshotSource>,
    failed: Failed,
) -> Failed {
    let ([newest_named, one_named], problem) = (what.named, (what.problem)(served));
    let (asked, newest) = (Arc::clone(source), what.newest);
    let id = match blocking(move || newest(&*asked)).await {
        Ok(Some(id)) => id,
        Ok(None) if (what.is_any)(served) => {
            tell(problem, &**source, &format!("{newest_named} is gone"));
            return None;
        }
        Ok(None) => {
            (what.none)(served);
            problem.store(None);
            return None;
        }
        Err(error) => {
            tell(problem, &**source, &format!("failed to find {newest_named}: {}", chain(&error)));
            (what.failed)(served, error);
            return failed;
        }
    };
    if (what.is_serving)(served, &id) {
        problem.store(None);
        return None;
    }
    if let Some((bad, left)) = failed.filter(|(bad, left)| *bad == id && *left > 0) {
        return Some((bad, left - 1));
    }
    match load(what, served, source, &id).await {
        Ok(()) => None,
        Err(error) => {
            tell(problem, &**source, &format!("failed to load {one_named} {id}: {}", chain(&error)));
            served.swaps.failed.up();
            (what.failed)(served, error);
            Some((id, TICKS_TO_RETRY))
        }
    }
}

/// Loads the newest and serves it. Where nothing is served yet, it is as soon as it can answer anything; otherwise
/// what was before stays until the new one is whole.
async fn load<T: Send + Sync + 'static>(
    what: &Followed<T>,
    served: &Served,
    source: &Arc<dyn SnapshotSource>,
    id: &str,
) -> Result<(), LoadError> {
    let (asked, load, wanted) = (Arc::clone(source), what.load, id.to_owned());
    let Some(loaded) = blocking(move || load(&*asked, &wanted)).await?.map(Arc::new) else { return Ok(()) };
    let is_first = what.is_served_early && !(what.is_any)(served);
    if is_first {
        (what.put)(served, Arc::clone(&loaded));
    }
    let (asked, load_rest, begun) = (Arc::clone(source), what.load_rest, Arc::clone(&loaded));
    let rest = blocking(move || load_rest(&*asked, &begun)).await;
    match (rest, is_first) {
        (Ok(()), true) => {}
        (Ok(()), false) => (what.put)(served, loaded),
        (Err(error), true) => {
            (what.take_back)(served, &loaded);
            return Err(error);
        }
        (Err(error), false) => return Err(error),
    }
    Ok(())
}

pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, LoadError> + Send + 'static,
) -> Result<T, LoadError> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|panic| Err(LoadError::Panicked(panic.to_string())))
}

/// An error with its causes, for people.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
