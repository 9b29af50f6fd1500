//! Removes what nothing needs any more. Captures are never removed: everything else can be made of them again.

use std::collections::BTreeSet;

use crate::capture::CAPTURE;
use crate::manifest::MANIFEST;
use crate::store::{Store, join};
use crate::{Input, Lake, LakeError, SnapshotManifest, Stage, Writer, panel};

/// What was removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// How many files and folders that an interrupted run had left half done.
    pub leftovers: u64,
    /// Folders of stage outputs, snapshots and panels without a manifest, from the root.
    pub unfinished: Vec<String>,
    /// Folders of stage outputs that no kept snapshot came of, from the root.
    pub stage_outputs: Vec<String>,
    /// Ids of snapshots.
    pub snapshots: Vec<String>,
}

impl Writer {
    /// Removes leftovers, folders without a manifest, snapshots beyond the newest `keep_snapshots`, and stage
    /// outputs that no remaining snapshot names as input. The current snapshot is always kept, and so is a
    /// panel with a manifest: asked for, and never silently taken away, it is replaced when its date is asked
    /// again. A capture
    /// folder without manifest that no interrupted commit left is left alone, for `verify` to tell: what it
    /// holds came from outside, or lost its manifest.
    ///
    /// # Errors
    /// A snapshot or the pointer to the current one cannot be read (then nothing but leftovers is removed, as
    /// it is not known what is needed), or something cannot be removed.
    pub fn gc(&self, keep_snapshots: usize) -> Result<Swept, LakeError> {
        self.gc_but(keep_snapshots, &[])
    }

    /// As [`Self::gc`], but the stage outputs that `needed` names stay as well: what the next run builds on.
    ///
    /// # Errors
    /// As for [`Self::gc`].
    pub fn gc_but(&self, keep_snapshots: usize, needed: &[Input]) -> Result<Swept, LakeError> {
        let store = &self.lake().store;
        let mut swept = Swept { leftovers: sweep_leftovers(store)?, ..Swept::default() };
        let (drop, keep) = divide(self.lake(), keep_snapshots)?;
        swept.unfinished = unfinished(store)?;
        let kept = keep.iter().flat_map(|s| &s.inputs).chain(needed);
        swept.stage_outputs = unneeded(store, kept, &swept.unfinished)?;
        swept.snapshots = drop.iter().map(|s| s.id.to_string()).collect();
        // Snapshots before their inputs: broken off here, no snapshot is left without.
        let snapshots = drop.iter().map(SnapshotManifest::folder);
        for folder in
            snapshots.chain(swept.unfinished.iter().cloned()).chain(swept.stage_outputs.iter().cloned())
        {
            store.discard("gc", &folder)?;
        }
        Ok(swept)
    }
}

/// Snapshots to drop and to keep.
fn divide(lake: &Lake, keep: usize) -> Result<(Vec<SnapshotManifest>, Vec<SnapshotManifest>), LakeError> {
    let current = lake.current()?;
    let snapshots = lake.snapshots()?;
    let old = snapshots.len().saturating_sub(keep);
    let is_old = |(i, s): &(usize, SnapshotManifest)| *i < old && Some(&s.id) != current.as_ref();
    let (drop, keep): (Vec<_>, Vec<_>) = snapshots.into_iter().enumerate().partition(is_old);
    let bare = |list: Vec<(usize, SnapshotManifest)>| list.into_iter().map(|(_, s)| s).collect();
    Ok((bare(drop), bare(keep)))
}

fn unfinished(store: &Store) -> Result<Vec<String>, LakeError> {
    let mut found = Vec::new();
    for parent in stage_folders(store)?.into_iter().chain(["snapshots".to_owned()]) {
        for name in store.list(&parent, true)? {
            let folder = join(&parent, &name);
            if !store.is_there(&join(&folder, MANIFEST)) {
                found.push(folder);
            }
        }
    }
    found.extend(panel::unfinished(store)?);
    Ok(found)
}

fn unneeded<'a>(
    store: &Store,
    kept: impl Iterator<Item = &'a Input>,
    unfinished: &[String],
) -> Result<Vec<String>, LakeError> {
    let needed: BTreeSet<_> = kept.map(|i| format!("{}/{}", i.stage, i.fingerprint)).collect();
    let mut found = Vec::new();
    for parent in stage_folders(store)? {
        let folders = store.list(&parent, true)?.into_iter().map(|name| join(&parent, &name));
        found.extend(folders.filter(|f| !needed.contains(f) && !unfinished.contains(f)));
    }
    Ok(found)
}

/// The folder of each stage with outputs, whatever sources there are.
pub(crate) fn stage_folders(store: &Store) -> Result<Vec<String>, LakeError> {
    let sources = store.list("facts", true)?.into_iter().map(|source| Stage::Facts { source });
    Ok(sources
        .chain([Stage::Normalised, Stage::Merging, Stage::Derived])
        .map(|stage| stage.to_string())
        .collect())
}

/// Removes what interrupted writers left: temporary names, and folders whose manifest never got its own; only
/// the one writer may call it.
pub(crate) fn sweep_leftovers(store: &Store) -> Result<u64, LakeError> {
    let mut swept = 0;
    for folder in ["", "raw", "facts", "derived", "runs", "fetch", crate::log::FOLDER] {
        swept += store.sweep(folder)?;
    }
    let sources = store.list("raw", true)?.into_iter().map(|source| (join("raw", &source), CAPTURE));
    let others = ["snapshots", crate::ledger::FOLDER].map(str::to_owned);
    let outputs = stage_folders(store)?.into_iter().chain(others).map(|folder| (folder, MANIFEST));
    for (parent, manifest) in sources.chain(outputs) {
        swept += store.sweep(&parent)?;
        for name in store.list(&parent, true)? {
            swept += sweep_folder(store, &join(&parent, &name), manifest)?;
        }
    }
    for parent in panel::parents(store)? {
        swept += store.sweep(&parent)?;
        for name in store.list(&parent, true)? {
            swept += store.sweep(&join(&parent, &name))?;
        }
    }
    Ok(swept)
}

fn sweep_folder(store: &Store, folder: &str, manifest: &str) -> Result<u64, LakeError> {
    if store.has_begun(folder, manifest)? {
        store.discard("sweep", folder)?;
        return Ok(1);
    }
    // A finished capture has some too: a damaged file of it is replaced in place.
    store.sweep(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{capture, draft, events, facts, fingerprint, lake, noon};

    /// A snapshot of one event, made of the facts of that name.
    fn publish(writer: &Writer, id: &str, on: u32) -> SnapshotManifest {
        let tables = [("statsdb_events", events(&[id]))];
        writer.commit_stage(&facts(), &fingerprint(id), &tables, serde_json::json!({})).unwrap();
        writer.commit_snapshot(draft(&[id], id, on)).unwrap()
    }

    #[test]
    fn the_current_snapshot_and_its_inputs_stay_and_older_ones_go() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        let [a, b, c, d] = [("a", 1), ("b", 2), ("c", 3), ("d", 4)].map(|(id, on)| publish(&writer, id, on));
        writer.set_current(&b.id, noon()).unwrap();
        let swept = writer.gc(1).unwrap();
        assert_eq!(swept.snapshots, [a.id.to_string(), c.id.to_string()]);
        assert_eq!(swept.stage_outputs.len(), 2);
        assert_eq!(lake.snapshots().unwrap(), [b.clone(), d.clone()]);
        for (id, is_kept) in [("a", false), ("b", true), ("c", false), ("d", true)] {
            assert_eq!(lake.stage(&facts(), &fingerprint(id)).unwrap().is_some(), is_kept, "{id}");
        }
        writer.gc(0).unwrap();
        assert_eq!(lake.snapshots().unwrap(), [b]);
        assert_eq!(writer.gc(0).unwrap(), Swept::default());
    }

    #[test]
    fn leftovers_and_folders_without_manifest_go_and_captures_stay() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        let kept = writer.add_capture(capture(noon(), "a")).unwrap().into_inner();
        for file in [
            "raw/statsdb/.tmp-x-1/events.csv",
            "raw/statsdb/begun/events.csv",
            "raw/statsdb/begun/.tmp-capture.json-1",
            "raw/statsdb/by-hand/events.csv",
            "derived/v1/ab/bouts.parquet",
            "snapshots/ab/tables/bouts.parquet",
            "snapshots/cd/tables/.tmp-bouts.parquet-1",
            "snapshots/cd/.tmp-manifest.json-1",
            ".tmp-current.json-1",
            &join(&kept.folder(), ".tmp-events.csv-1"),
        ] {
            let path = lake.root().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "{").unwrap();
        }
        let swept = writer.gc(5).unwrap();
        assert_eq!(swept.leftovers, 5);
        assert_eq!(swept.unfinished, ["derived/v1/ab", "snapshots/ab"]);
        assert_eq!(lake.captures("statsdb").unwrap(), [kept]);
        assert!(lake.root().join("raw/statsdb/by-hand/events.csv").exists());
        for gone in ["raw/statsdb/begun", "derived/v1/ab", "snapshots/ab", "snapshots/cd"] {
            assert!(!lake.root().join(gone).exists(), "{gone}");
        }
    }

    #[test]
    fn nothing_is_removed_while_a_snapshot_cannot_be_read() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        let (a, b) = (publish(&writer, "a", 1), publish(&writer, "b", 2));
        std::fs::write(lake.root().join(b.folder()).join(MANIFEST), "{").unwrap();
        assert!(matches!(writer.gc(0), Err(LakeError::Json { .. })));
        lake.snapshot(&a.id).unwrap();
        assert!(lake.stage(&facts(), &fingerprint("b")).unwrap().is_some());
    }
}
