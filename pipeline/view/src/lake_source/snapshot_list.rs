//! The published snapshots of a lake, read again only where a file changed. A manifest that cannot be used hides its own
//! snapshot and no other.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use fdna_lake::{FileStamp, Lake, LakeError, SnapshotId, SnapshotManifest};

use crate::{LoadError, error_chain};

/// How long a folder that did not change is not looked into: the files in it may have.
const FRESH: Duration = Duration::from_secs(1);

/// Manifests as their files were when last looked at.
#[derive(Debug, Default)]
pub(crate) struct SnapshotList(Mutex<ManifestCache>);

#[derive(Debug, Default)]
struct ManifestCache {
    /// When the folder changed, and when it was looked into.
    refreshed: Option<(SystemTime, Instant)>,
    entries: BTreeMap<SnapshotId, ListedManifest>,
}

#[derive(Debug)]
struct ListedManifest {
    stamp: Option<FileStamp>,
    /// `None` where it cannot be used.
    manifest: Option<Arc<SnapshotManifest>>,
}

impl SnapshotList {
    /// All that can be used, the newest first: by their newest capture, then by when they were written.
    pub(super) fn all(&self, lake: &Lake) -> Result<Vec<Arc<SnapshotManifest>>, LoadError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.refresh(lake)?;
        let usable = |entry: &ListedManifest| {
            Some((entry.manifest.clone()?, entry.stamp.map(|stamp| stamp.modified_at)))
        };
        let mut found: Vec<_> = known.entries.values().filter_map(usable).collect();
        found.sort_by_cached_key(|(m, written)| (m.captured_until(), *written, m.id.clone()));
        Ok(found.into_iter().rev().map(|(manifest, _)| manifest).collect())
    }

    /// One of them; `None` where there is none of this id.
    pub(super) fn one(
        &self,
        lake: &Lake,
        id: &SnapshotId,
    ) -> Result<Option<Arc<SnapshotManifest>>, LoadError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.refresh_one(lake, id)
    }

    /// Those whose manifests cannot be used.
    pub(super) fn damaged(&self) -> Vec<String> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let damaged = known.entries.iter().filter(|(_, entry)| entry.manifest.is_none());
        damaged.map(|(id, _)| id.to_string()).collect()
    }
}

impl ManifestCache {
    fn refresh(&mut self, lake: &Lake) -> Result<(), LoadError> {
        let Some(changed) = lake.snapshots_changed_at()? else {
            *self = Self::default();
            return Ok(());
        };
        if self.refreshed.is_some_and(|(before, at)| before == changed && at.elapsed() < FRESH) {
            return Ok(());
        }
        let there = lake.snapshot_ids()?;
        self.entries.retain(|id, _| there.contains(id));
        for id in there {
            // One that cannot be used is told by its entry.
            let _ = self.refresh_one(lake, &id);
        }
        self.refreshed = Some((changed, Instant::now()));
        Ok(())
    }

    fn refresh_one(
        &mut self,
        lake: &Lake,
        id: &SnapshotId,
    ) -> Result<Option<Arc<SnapshotManifest>>, LoadError> {
        let stamp = match lake.manifest_stamp(id) {
            Ok(None) => {
                self.entries.remove(id);
                return Ok(None);
            }
            Ok(stamp) => stamp,
            Err(error) => return Err(self.damaged(id, None, error)),
        };
        let before = self.entries.get(id).filter(|entry| entry.stamp.is_some() && entry.stamp == stamp);
        if let Some(manifest) = before.and_then(|entry| entry.manifest.clone()) {
            return Ok(Some(manifest));
        }
        match lake.snapshot(id) {
            Ok(manifest) => {
                let manifest = Some(Arc::new(manifest));
                self.entries.insert(id.clone(), ListedManifest { stamp, manifest: manifest.clone() });
                Ok(manifest)
            }
            Err(LakeError::NoSnapshot { .. }) => {
                self.entries.remove(id);
                Ok(None)
            }
            Err(error) => Err(self.damaged(id, stamp, error)),
        }
    }

    /// Remembers that it cannot be used, and says so when it is seen for the first time.
    fn damaged(&mut self, id: &SnapshotId, stamp: Option<FileStamp>, error: LakeError) -> LoadError {
        let error = LoadError::from(error);
        let before = self.entries.insert(id.clone(), ListedManifest { stamp, manifest: None });
        if before.is_none_or(|before| before.manifest.is_some() || before.stamp != stamp) {
            tracing::error!(snapshot = %id, error = %error_chain(&error), "a snapshot is left out of the list");
        }
        error
    }
}
