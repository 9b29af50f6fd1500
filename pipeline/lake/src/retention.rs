//! Retention of snapshots and of reports of runs; the rest is deleted. `fightdna gc` sets how many
//! (`jobs/src/commands/gc.rs`).

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use chrono::{DateTime, Days, NaiveDateTime, Utc};

use crate::gc::{SweptFiles, list_unfinished, list_unneeded};
use crate::keys::join_keys;
use crate::{Lake, LakeError, SnapshotId, SnapshotInput, SnapshotManifest};

/// Reports of runs that stay whatever their age, and days that every one stays.
const RUNS: usize = 100;
const RUN_DAYS: Days = Days::new(90);

/// Rules for retention; the current snapshot always stays.
#[derive(Clone, Debug, Default)]
pub struct RetentionPolicy {
    /// How many of the newest snapshots besides the current one.
    pub last: usize,
    /// Of how many of the last days, in UTC, that have one the newest snapshot.
    pub daily: usize,
    /// The same of months.
    pub monthly: usize,
    /// Snapshots that stay whatever their age.
    pub protected: BTreeSet<SnapshotId>,
    /// When snapshots were published last. One that never was is older than all that were, and counts by when it was
    /// written.
    pub published: BTreeMap<SnapshotId, DateTime<Utc>>,
    /// Stage outputs that stay besides the inputs of the snapshots that do: what the next run builds on.
    pub needed: Vec<SnapshotInput>,
    /// The time; without it all reports of runs stay.
    pub now: Option<DateTime<Utc>>,
}

impl Lake {
    /// Files that [`crate::LakeWriter::gc_by`] would remove, apart from leftovers; removes nothing.
    ///
    /// # Errors
    /// As for [`crate::LakeWriter::gc_by`].
    pub fn gc_plan(&self, retention: &RetentionPolicy) -> Result<SweptFiles, LakeError> {
        let store = &self.store;
        let (drop, keep, damaged) = self.partition_snapshots(retention)?;
        let unfinished = list_unfinished(store)?;
        let kept = keep.iter().flat_map(|s| &s.inputs).chain(&retention.needed);
        let mut plan = SweptFiles {
            stage_outputs: list_unneeded(store, kept, &unfinished)?,
            snapshots: drop.iter().map(|s| s.id.to_string()).collect(),
            runs: self.old_runs(retention.now)?,
            unfinished,
            damaged,
            ..SweptFiles::default()
        };
        plan.freed = self.freed_bytes(plan.keys());
        Ok(plan)
    }

    /// Snapshots to drop and to keep, and what cannot be read.
    #[expect(clippy::type_complexity, reason = "two lists and a third, taken apart at once")]
    fn partition_snapshots(
        &self,
        retention: &RetentionPolicy,
    ) -> Result<(Vec<SnapshotManifest>, Vec<SnapshotManifest>, Vec<crate::LakeProblem>), LakeError> {
        let found = self.readable_snapshots()?;
        let current = self.current_snapshot()?;
        match &current {
            Some(id) => drop(self.snapshot(id)?),
            None if found.readable.is_empty() && found.problems.is_empty() => {}
            None => return Err(LakeError::NoPointer { path: self.store.path(crate::keys::CURRENT) }),
        }
        let mut snapshots = found.readable;
        snapshots.sort_by_key(|snapshot| retention.published.get(&snapshot.id).copied());
        let kept = self.retained_ids(retention, current.as_ref(), &snapshots);
        let (keep, drop) = snapshots.into_iter().partition(|snapshot| kept.contains(&snapshot.id));
        Ok((drop, keep, found.problems))
    }

    /// Ids of the snapshots to keep; the oldest first.
    fn retained_ids(
        &self,
        retention: &RetentionPolicy,
        current: Option<&SnapshotId>,
        snapshots: &[SnapshotManifest],
    ) -> BTreeSet<SnapshotId> {
        let newest = || snapshots.iter().rev();
        let mut kept = retention.protected.clone();
        kept.extend(current.cloned());
        let others = newest().filter(|snapshot| Some(&snapshot.id) != current);
        kept.extend(others.take(retention.last).map(|snapshot| snapshot.id.clone()));
        for (n, period) in [(retention.daily, "%Y-%m-%d"), (retention.monthly, "%Y-%m")] {
            let mut seen = BTreeSet::new();
            for snapshot in newest() {
                let Some(at) = self.snapshot_date(retention, snapshot) else { continue };
                if seen.len() < n && seen.insert(at.format(period).to_string()) {
                    kept.insert(snapshot.id.clone());
                }
            }
        }
        kept
    }

    fn snapshot_date(
        &self,
        retention: &RetentionPolicy,
        snapshot: &SnapshotManifest,
    ) -> Option<DateTime<Utc>> {
        let written = || self.store.modified_at(&join_keys(&snapshot.folder(), crate::manifest::MANIFEST));
        retention.published.get(&snapshot.id).copied().or_else(|| written().map(DateTime::from))
    }

    /// Reports that are neither among the newest nor of the last days, the oldest first.
    fn old_runs(&self, now: Option<DateTime<Utc>>) -> Result<Vec<String>, LakeError> {
        let Some(since) = now.and_then(|now| now.checked_sub_days(RUN_DAYS)) else { return Ok(Vec::new()) };
        let mut runs = self.list_runs()?;
        runs.truncate(runs.len().saturating_sub(RUNS));
        runs.retain(|id| run_start(id).is_some_and(|at| at < since));
        Ok(runs)
    }

    /// Bytes on disk that the removal of these keys would free: a file goes with the last of its names.
    fn freed_bytes(&self, keys: impl Iterator<Item = String>) -> u64 {
        if let Some(bucket) = self.store.bucket() {
            let keys: Vec<String> = keys.collect();
            let is_below = |key: &str, of: &String| {
                key.strip_prefix(of.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            return bucket.bytes_of(&|key| keys.iter().any(|of| is_below(key, of)));
        }
        let mut files = BTreeMap::new();
        for key in keys {
            each_file(&self.store.path(&key), &mut |file| {
                let names = files.entry((file.dev(), file.ino())).or_insert((0, file.nlink(), file.blocks()));
                names.0 += 1;
            });
        }
        files
            .into_values()
            .filter(|(removed, names, _)| removed >= names)
            .map(|(_, _, blocks)| blocks * 512)
            .sum()
    }

    /// Bytes that the lake takes on disk; a file with several names counts once.
    #[must_use]
    pub fn bytes_on_disk(&self) -> u64 {
        if let Some(bucket) = self.store.bucket() {
            return bucket.bytes_of(&|_| true);
        }
        let mut files = BTreeMap::new();
        each_file(self.root(), &mut |file| {
            files.insert((file.dev(), file.ino()), file.blocks());
        });
        files.into_values().map(|blocks| blocks * 512).sum()
    }
}

/// Shows every file below `path`, or it itself. What cannot be looked at is passed over.
fn each_file(path: &Path, see: &mut impl FnMut(&std::fs::Metadata)) {
    let Ok(found) = std::fs::symlink_metadata(path) else { return };
    if !found.is_dir() {
        return see(&found);
    }
    for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
        each_file(&entry.path(), see);
    }
}

/// When a run began, as its id says.
fn run_start(id: &str) -> Option<DateTime<Utc>> {
    let time = id.rsplit_once('-').map_or(id, |(_, time)| time);
    NaiveDateTime::parse_from_str(time, "%Y%m%dT%H%M%S%3fZ").ok().map(|at| at.and_utc())
}
