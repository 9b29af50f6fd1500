//! The published snapshots of a lake, read again only where a file changed. A manifest that cannot be used hides its own
//! snapshot and no other.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use fdna_lake::{Lake, LakeError, SnapshotId, SnapshotManifest};

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

/// When a file changed and how long it is; `None` where nobody can tell.
type FileStamp = Option<(SystemTime, u64)>;

#[derive(Debug)]
struct ListedManifest {
    stamp: FileStamp,
    /// `None` where it cannot be used.
    manifest: Option<Arc<SnapshotManifest>>,
}

impl SnapshotList {
    /// All that can be used, the newest first: by their newest capture, then by when they were written.
    pub(super) fn all(&self, lake: &Lake) -> Result<Vec<Arc<SnapshotManifest>>, LoadError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.refresh(lake)?;
        let usable =
            |entry: &ListedManifest| Some((entry.manifest.clone()?, entry.stamp.map(|(written, _)| written)));
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
        let path = lake.root().join("snapshots");
        let listed = |source| LakeError::List { path: path.clone(), source };
        let changed = match fs::metadata(&path).and_then(|folder| folder.modified()) {
            Ok(changed) => changed,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                *self = Self::default();
                return Ok(());
            }
            Err(error) => return Err(listed(error).into()),
        };
        if self.refreshed.is_some_and(|(before, at)| before == changed && at.elapsed() < FRESH) {
            return Ok(());
        }
        let mut there = Vec::new();
        for entry in fs::read_dir(&path).map_err(listed)? {
            let name = entry.map_err(listed)?.file_name();
            there.extend(name.to_str().and_then(|name| name.parse::<SnapshotId>().ok()));
        }
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
        let file = match metadata(lake, id) {
            Ok(Some(file)) => file,
            Ok(None) => {
                self.entries.remove(id);
                return Ok(None);
            }
            Err(error) => return Err(self.damaged(id, None, error)),
        };
        let stamp = file.modified().ok().map(|changed| (changed, file.len()));
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
    fn damaged(&mut self, id: &SnapshotId, stamp: FileStamp, error: LakeError) -> LoadError {
        let error = LoadError::from(error);
        let before = self.entries.insert(id.clone(), ListedManifest { stamp, manifest: None });
        if before.is_none_or(|before| before.manifest.is_some() || before.stamp != stamp) {
            tracing::error!(snapshot = %id, error = %error_chain(&error), "a snapshot is left out of the list");
        }
        error
    }
}

/// Of a snapshot's manifest, which is a file: of anything else, reading might have no end.
fn metadata(lake: &Lake, id: &SnapshotId) -> Result<Option<Metadata>, LakeError> {
    let path: PathBuf = lake.root().join("snapshots").join(id.as_str()).join("manifest.json");
    match fs::metadata(&path) {
        Ok(file) if file.is_file() => Ok(Some(file)),
        Ok(_) => Err(LakeError::Read { path, source: std::io::Error::other("no regular file") }),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(LakeError::Read { path, source }),
    }
}
