//! Snapshots that requests name: loaded when they are asked for, a few kept beside the one that is served.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use fdna_api::{ErrorCode, Failure, Snapshot, SnapshotManifest};
use serde_json::json;
use tokio::sync::oneshot;

use crate::Dataset;
use crate::swap::{SnapshotSource, blocking, chain};

/// Snapshots kept beside the current one. Each is as large in memory as that.
const KEPT: usize = 2;

/// How long a request waits for a snapshot; less than a gateway waits for us.
pub(crate) const PATIENCE: Duration = fdna_http::HOST_PATIENCE;

/// How long a snapshot that could not be loaded is left alone.
const REST: TimeDelta = TimeDelta::seconds(60);

/// Named snapshots, the last used first. One is loaded at a time.
#[derive(Default)]
pub(crate) struct Pins {
    source: Option<Arc<dyn SnapshotSource>>,
    kept: Mutex<VecDeque<Arc<Dataset>>>,
    /// The last that could not be loaded, and when.
    failed: Mutex<Option<(String, DateTime<Utc>)>>,
    loading: tokio::sync::Mutex<()>,
}

impl std::fmt::Debug for Pins {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pins")
    }
}

type Loaded = Result<Arc<Dataset>, Failure>;

impl Pins {
    pub(crate) fn of(source: Arc<dyn SnapshotSource>) -> Self {
        Self { source: Some(source), ..Self::default() }
    }

    /// The snapshot of an id. 404 where there is none, 503 while it is being loaded or where it cannot be.
    pub(crate) async fn get(self: &Arc<Self>, id: &str, now: DateTime<Utc>) -> Loaded {
        if let Some(dataset) = self.kept(id) {
            return Ok(dataset);
        }
        self.manifest(id).await?;
        let (reply, answer) = oneshot::channel();
        // A task of its own: what is being loaded is kept even if who asked is gone.
        tokio::spawn(Arc::clone(self).load(id.to_owned(), now, reply));
        match tokio::time::timeout(PATIENCE, answer).await {
            Ok(loaded) => loaded.unwrap_or_else(|_| Err(unavailable(id, "cannot be loaded"))),
            Err(_) => Err(unavailable(id, "is being loaded")),
        }
    }

    /// All snapshots, the newest first.
    pub(crate) async fn list(&self) -> Result<Vec<Snapshot>, Failure> {
        let none = || Failure::new(ErrorCode::SnapshotNotAvailable, "snapshots cannot be listed here");
        let source = self.source.clone().ok_or_else(none)?;
        blocking(move || source.snapshots()).await.map_err(|error| {
            tracing::error!(error = %chain(&error), "failed to list snapshots");
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
                tracing::error!(snapshot = id, error = %chain(&error), "failed to read a manifest");
                Err(unavailable(id, "cannot be read"))
            }
        }
    }

    async fn load(self: Arc<Self>, id: String, now: DateTime<Utc>, reply: oneshot::Sender<Loaded>) {
        let _one_at_a_time = self.loading.lock().await;
        // Who stopped waiting needs nothing loaded, and the queue stays as short as those who wait.
        if reply.is_closed() {
            return;
        }
        let loaded = match self.kept(&id) {
            Some(dataset) => Ok(dataset),
            None if self.is_resting(&id, now) => Err(unavailable(&id, "cannot be loaded")),
            None => self.load_now(&id, now).await,
        };
        let _ = reply.send(loaded);
    }

    async fn load_now(&self, id: &str, now: DateTime<Utc>) -> Loaded {
        let source = self.source.clone().ok_or_else(|| unknown(id))?;
        let wanted = id.to_owned();
        match blocking(move || source.load_whole(&wanted)).await {
            Ok(dataset) => {
                let dataset = Arc::new(dataset);
                let mut kept = locked(&self.kept);
                kept.push_front(Arc::clone(&dataset));
                kept.truncate(KEPT);
                Ok(dataset)
            }
            Err(error) => {
                tracing::error!(snapshot = id, error = %chain(&error), "failed to load a snapshot asked for by id");
                *locked(&self.failed) = Some((id.to_owned(), now));
                Err(unavailable(id, "cannot be loaded"))
            }
        }
    }

    /// How many are kept.
    pub(crate) fn len(&self) -> usize {
        locked(&self.kept).len()
    }

    fn kept(&self, id: &str) -> Option<Arc<Dataset>> {
        let mut kept = locked(&self.kept);
        let place = kept.iter().position(|dataset| dataset.snapshot_id() == id)?;
        let dataset = kept.remove(place)?;
        kept.push_front(Arc::clone(&dataset));
        Some(dataset)
    }

    fn is_resting(&self, id: &str, now: DateTime<Utc>) -> bool {
        let failed = locked(&self.failed);
        failed.as_ref().is_some_and(|(bad, at)| bad == id && now - *at < REST)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unknown(id: &str) -> Failure {
    let id: String = id.chars().take(64).collect();
    Failure::new(ErrorCode::SnapshotNotFound, "no snapshot has this id: /v1/mma/snapshots lists them")
        .with(json!({"snapshot": id}))
}

fn unavailable(id: &str, why: &str) -> Failure {
    Failure::new(ErrorCode::SnapshotNotAvailable, format!("snapshot {id} {why}"))
        .with(json!({"snapshot": id}))
}
