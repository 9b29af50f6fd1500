//! Snapshots that requests name: loaded when they are asked for, a few kept beside the one that is served.
//!
//! Loading one costs seconds of a processor and the memory of another snapshot, and anyone may ask for any: they are
//! loaded one at a time, off the threads that answer, at a pace, and in a budget of memory. Beyond, the answer is 503
//! `busy`.

mod load_rate;
mod lru;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use fdna_api::{ErrorCode, ErrorDetails, Failure, Snapshot, SnapshotManifest};
use fdna_http::EventCounter;
use fdna_http::upstream_timeouts::HOST_ANSWER_WAIT;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::blocking::blocking;
use crate::client::ClientId;
use fdna_view::Dataset;
use fdna_view::{SnapshotSource, VerifiedFile, error_chain};
use load_rate::LoadRateLimiter;
use lru::{SnapshotLru, estimated};

/// How long a snapshot that could not be loaded is left alone.
const BACKOFF: TimeDelta = TimeDelta::seconds(60);

/// Until when who found no room may ask again: requests that read what is in the way end.
const RETRY_AFTER_SECS: u32 = 1;

/// What named snapshots may take.
#[derive(Debug, Clone, Copy)]
pub struct PinnedSnapshotLimits {
    /// Snapshots kept beside the current one; 0 answers from the current one alone.
    pub snapshots: usize,
    /// Bytes of memory that they take together, as estimated by the sizes of their tables.
    pub bytes: u64,
    /// One load in this time in the long run; none is no limit. A client alone has half of that.
    pub load_every: Duration,
    /// Loads at once after a pause.
    pub load_burst: u32,
}

impl Default for PinnedSnapshotLimits {
    fn default() -> Self {
        Self { snapshots: 2, bytes: 1 << 30, load_every: Duration::from_secs(30), load_burst: 4 }
    }
}

/// Named snapshots.
pub(crate) struct PinnedSnapshots {
    source: Option<Arc<dyn SnapshotSource>>,
    lru: Mutex<SnapshotLru<Dataset>>,
    load_rate: Mutex<LoadRateLimiter>,
    /// The last that could not be loaded, and when.
    failed: Mutex<Option<(String, DateTime<Utc>)>>,
    /// What is being loaded or waits for its turn.
    loading: Mutex<HashMap<String, watch::Receiver<Option<Loaded>>>>,
    load_lock: tokio::sync::Mutex<()>,
    /// Requests that were answered `busy`.
    pub(crate) refused: EventCounter,
}

impl std::fmt::Debug for PinnedSnapshots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pins")
    }
}

type Loaded = Result<Arc<Dataset>, Failure>;

/// A snapshot to be loaded.
struct LoadRequest {
    id: String,
    bytes: u64,
    client: Option<ClientId>,
    requested_at: DateTime<Utc>,
}

impl PinnedSnapshots {
    pub(crate) fn new(source: Option<Arc<dyn SnapshotSource>>, limits: PinnedSnapshotLimits) -> Self {
        Self {
            source,
            lru: Mutex::new(SnapshotLru::new(limits.snapshots, limits.bytes)),
            load_rate: Mutex::new(LoadRateLimiter::new(limits.load_every, limits.load_burst)),
            failed: Mutex::default(),
            loading: Mutex::default(),
            load_lock: tokio::sync::Mutex::default(),
            refused: EventCounter::default(),
        }
    }

    /// The snapshot of an id. 404 where there is none; 503 while it is being loaded, where it cannot be, or where this
    /// client or all together have asked for too many.
    pub(crate) async fn get(
        self: &Arc<Self>,
        id: &str,
        client: Option<ClientId>,
        now: DateTime<Utc>,
    ) -> Loaded {
        if let Some(dataset) = locked(&self.lru).get(id) {
            return Ok(dataset);
        }
        let loading = self.load(id, client, now);
        let loaded = match tokio::time::timeout(HOST_ANSWER_WAIT, loading).await {
            Ok(loaded) => loaded,
            Err(_) => Err(unavailable(id, "is being loaded")),
        };
        if loaded.as_ref().is_err_and(|failure| failure.code == ErrorCode::Busy) {
            self.refused.inc();
        }
        loaded
    }

    /// All snapshots, the newest first.
    pub(crate) async fn list(&self) -> Result<Vec<Snapshot>, Failure> {
        let none = || Failure::new(ErrorCode::SnapshotNotAvailable, "snapshots cannot be listed here");
        let source = self.source.clone().ok_or_else(none)?;
        blocking(move || source.snapshots()).await.map_err(|error| {
            tracing::error!(error = %error_chain(&error), "failed to list snapshots");
            Failure::new(ErrorCode::SnapshotNotAvailable, "snapshots cannot be read")
        })
    }

    /// What a snapshot consists of.
    pub(crate) async fn manifest(&self, id: &str) -> Result<SnapshotManifest, Failure> {
        let source = self.source.clone().ok_or_else(|| unknown(id))?;
        let wanted = id.to_owned();
        match blocking(move || source.manifest(&wanted)).await {
            Ok(manifest) => manifest.ok_or_else(|| unknown(id)),
            Err(error) => {
                tracing::error!(snapshot = id, error = %error_chain(&error), "failed to read a manifest");
                Err(unavailable(id, "cannot be read"))
            }
        }
    }

    /// The file of a snapshot's table, and its digest.
    pub(crate) async fn table_file(&self, id: &str, table: &str) -> Result<(VerifiedFile, String), Failure> {
        let source = self.source.clone().ok_or_else(|| unknown(id))?;
        let (wanted, name) = (id.to_owned(), table.to_owned());
        match blocking(move || source.table_file(&wanted, &name)).await {
            Ok(file) => {
                file.ok_or_else(|| Failure::new(ErrorCode::NotFound, "the snapshot has no such table"))
            }
            Err(error) => {
                tracing::error!(snapshot = id, table, error = %error_chain(&error), "failed to read a table");
                Err(unavailable(id, "has a table that cannot be read"))
            }
        }
    }

    /// Puts a snapshot away of which a file is damaged: the next request loads it anew.
    pub(crate) fn forget(&self, id: &str) {
        locked(&self.lru).remove(id);
    }

    /// Ids of published snapshots whose manifests cannot be used, as last seen.
    pub(crate) fn damaged(&self) -> Vec<String> {
        self.source.as_ref().map(|source| source.damaged()).unwrap_or_default()
    }

    /// How many are kept, and their memory as estimated.
    pub(crate) fn kept(&self) -> (usize, u64) {
        let mut lru = locked(&self.lru);
        (lru.len(), lru.bytes())
    }

    /// Waits for the load of another request, or begins one. It goes on if who asked is gone.
    async fn load(self: &Arc<Self>, id: &str, client: Option<ClientId>, now: DateTime<Utc>) -> Loaded {
        let tables = self.manifest(id).await?.tables;
        let bytes = estimated(tables.iter().map(|table| table.bytes).sum());
        if !locked(&self.lru).takes(bytes) {
            return Err(unavailable(id, "is not loaded here: this server answers from the current one"));
        }
        if self.is_in_backoff(id, now) {
            return Err(unavailable(id, "cannot be loaded"));
        }
        let wanted = LoadRequest { id: id.to_owned(), bytes, client, requested_at: now };
        let mut loading = self.begin(wanted)?;
        match loading.wait_for(Option::is_some).await.map(|loaded| loaded.clone()) {
            Ok(Some(loaded)) => loaded,
            _ => Err(unavailable(id, "cannot be loaded")),
        }
    }

    fn begin(self: &Arc<Self>, wanted: LoadRequest) -> Result<watch::Receiver<Option<Loaded>>, Failure> {
        let mut loading = locked(&self.loading);
        if let Some(begun) = loading.get(&wanted.id) {
            return Ok(begun.clone());
        }
        let (tell, told) = watch::channel(None);
        if let Some(dataset) = locked(&self.lru).get(&wanted.id) {
            tell.send_replace(Some(Ok(dataset)));
            return Ok(told);
        }
        let admitted = locked(&self.load_rate).admit(wanted.client.as_ref(), Instant::now());
        admitted.map_err(|wait| busy(&wanted.id, wait))?;
        loading.insert(wanted.id.clone(), told.clone());
        tokio::spawn(Arc::clone(self).load_in_turn(wanted, tell));
        Ok(told)
    }

    async fn load_in_turn(self: Arc<Self>, wanted: LoadRequest, tell: watch::Sender<Option<Loaded>>) {
        let load_lock = self.load_lock.lock().await;
        // Beside the one that is kept for others: who stopped waiting needs nothing loaded.
        let is_wanted = tell.receiver_count() > 1;
        let loaded = match is_wanted {
            true => self.load_now(&wanted).await,
            false => Err(busy(&wanted.id, Duration::ZERO)),
        };
        locked(&self.loading).remove(&wanted.id);
        tell.send_replace(Some(loaded));
        drop(load_lock);
    }

    async fn load_now(&self, wanted: &LoadRequest) -> Loaded {
        let LoadRequest { id, bytes, client, requested_at } = wanted;
        let source = self.source.clone().ok_or_else(|| unknown(id))?;
        if !locked(&self.lru).make_room(*bytes) {
            return Err(busy(id, Duration::ZERO));
        }
        let (of, begun) = (id.clone(), Instant::now());
        let loaded = blocking(move || fdna_view::on_half_of_the_cores(|| source.load_whole(&of))).await;
        locked(&self.load_rate).took(client.as_ref(), begun.elapsed());
        match loaded {
            Ok(dataset) => {
                let dataset = Arc::new(dataset);
                locked(&self.lru).put(id, &dataset, *bytes);
                Ok(dataset)
            }
            Err(error) => {
                tracing::error!(snapshot = id, error = %error_chain(&error), "failed to load a snapshot asked for by id");
                *locked(&self.failed) = Some((id.clone(), *requested_at));
                Err(unavailable(id, "cannot be loaded"))
            }
        }
    }

    fn is_in_backoff(&self, id: &str, now: DateTime<Utc>) -> bool {
        let failed = locked(&self.failed);
        failed.as_ref().is_some_and(|(bad, at)| bad == id && now - *at < BACKOFF)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unknown(id: &str) -> Failure {
    let id: String = id.chars().take(64).collect();
    let message = format!("No snapshot has the id `{id}`: /v1/mma/snapshots lists them");
    Failure::new(ErrorCode::SnapshotNotFound, message).with(ErrorDetails::of_snapshot(&id))
}

fn unavailable(id: &str, why: &str) -> Failure {
    Failure::new(ErrorCode::SnapshotNotAvailable, format!("snapshot {id} {why}"))
        .with(ErrorDetails::of_snapshot(id))
}

fn busy(id: &str, wait: Duration) -> Failure {
    let secs = wait.as_millis().div_ceil(1000).try_into().unwrap_or(u32::MAX).max(RETRY_AFTER_SECS);
    let why = format!("too many snapshots are asked for by id: {id} can be loaded in {secs} s");
    Failure::new(ErrorCode::Busy, why).with(ErrorDetails::of_snapshot(id)).after(secs)
}
