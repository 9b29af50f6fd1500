//! Removes what nothing needs any more. Captures are never removed: everything else can be made of them again.

use std::collections::BTreeSet;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::capture::CAPTURE;
use crate::keys::join_keys;
use crate::manifest::MANIFEST;
use crate::store::LakeStore;
use crate::{LakeError, LakeProblem, LakeWriter, PipelineStage, RetentionPolicy, SnapshotInput, panel};

/// Files that were removed, or would be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SweptFiles {
    /// Count of files and folders that an interrupted run had left half done.
    pub leftovers: u64,
    /// Folders of stage outputs, snapshots and panels without a manifest, from the root.
    pub unfinished: Vec<String>,
    /// Folders of stage outputs that no kept snapshot came of, from the root.
    pub stage_outputs: Vec<String>,
    /// Ids of snapshots.
    pub snapshots: Vec<String>,
    /// Ids of runs whose reports are old.
    pub runs: Vec<String>,
    /// Bytes on disk that this frees, leftovers apart.
    pub freed: u64,
    /// Snapshots that cannot be read: they are left alone.
    pub damaged: Vec<LakeProblem>,
}

impl SweptFiles {
    /// Snapshots come before their inputs: broken off, no snapshot is left without.
    fn folders(&self) -> impl Iterator<Item = String> {
        let snapshots = self.snapshots.iter().map(|id| join_keys("snapshots", id));
        snapshots.chain(self.unfinished.iter().cloned()).chain(self.stage_outputs.iter().cloned())
    }

    /// All that goes, from the root.
    pub(crate) fn keys(&self) -> impl Iterator<Item = String> {
        self.folders().chain(self.runs.iter().map(|id| format!("runs/{id}.json")))
    }
}

impl LakeWriter {
    /// Keeps the newest `keep_snapshots` besides the current one, and all reports of runs; else as [`Self::gc_by`].
    ///
    /// # Errors
    /// As for [`Self::gc_by`].
    pub fn gc(&self, keep_snapshots: usize) -> Result<SweptFiles, LakeError> {
        self.gc_by(&RetentionPolicy { last: keep_snapshots, ..RetentionPolicy::default() })
    }

    /// Removes leftovers, folders without a manifest, snapshots and reports of runs that need not stay, and stage
    /// outputs that no remaining snapshot names as input. The current snapshot is always kept, and so is a
    /// panel with a manifest: asked for, and never silently taken away, it is replaced when its date is asked
    /// again. A capture
    /// folder without manifest that no interrupted commit left is left alone, for `verify` to tell: what it
    /// holds came from outside, or lost its manifest. So is a snapshot that cannot be read.
    ///
    /// # Errors
    /// It is not known which snapshot is served, or that one cannot be read (then nothing but leftovers is removed),
    /// or something cannot be removed.
    pub fn gc_by(&self, retention: &RetentionPolicy) -> Result<SweptFiles, LakeError> {
        let store = &self.lake().store;
        let leftovers = sweep_leftovers(store)?;
        let swept = SweptFiles { leftovers, ..self.lake().gc_plan(retention)? };
        for folder in swept.folders() {
            store.discard_folder("gc", &folder)?;
        }
        for id in &swept.runs {
            store.record_step("gc", "remove");
            store.remove_tree(&format!("runs/{id}.json"))?;
        }
        if let Some(bucket) = store.bucket() {
            let path = store.path("");
            bucket.reclaim().map_err(|source| LakeError::Remove { path, source })?;
        }
        Ok(swept)
    }
}

pub(crate) fn list_unfinished(store: &LakeStore) -> Result<Vec<String>, LakeError> {
    let mut found = Vec::new();
    for parent in stage_folders(store)?.into_iter().chain(["snapshots".to_owned()]) {
        for name in store.list_names(&parent, true)? {
            let folder = join_keys(&parent, &name);
            if !store.is_there(&join_keys(&folder, MANIFEST)) {
                found.push(folder);
            }
        }
    }
    found.extend(panel::list_unfinished(store)?);
    Ok(found)
}

pub(crate) fn list_unneeded<'a>(
    store: &LakeStore,
    kept: impl Iterator<Item = &'a SnapshotInput>,
    unfinished: &[String],
) -> Result<Vec<String>, LakeError> {
    let needed: BTreeSet<_> = kept.map(|i| format!("{}/{}", i.stage, i.fingerprint)).collect();
    let mut found = Vec::new();
    for parent in stage_folders(store)? {
        let folders = store.list_names(&parent, true)?.into_iter().map(|name| join_keys(&parent, &name));
        found.extend(folders.filter(|f| !needed.contains(f) && !unfinished.contains(f)));
    }
    Ok(found)
}

/// The folder of each stage with outputs, whatever sources there are.
pub(crate) fn stage_folders(store: &LakeStore) -> Result<Vec<String>, LakeError> {
    let sources = store.list_names("facts", true)?.into_iter().map(|source| PipelineStage::Facts { source });
    let sports = store.list_names("catalog", true)?.into_iter().map(|sport| PipelineStage::Catalog { sport });
    Ok(sources
        .chain([PipelineStage::Normalised, PipelineStage::Merging, PipelineStage::Derived])
        .chain([PipelineStage::Observations])
        .chain(sports)
        .map(|stage| stage.to_string())
        .collect())
}

/// Removes what interrupted writers left: temporary names, and folders whose manifest never got its own; only
/// the one writer may call it.
pub(crate) fn sweep_leftovers(store: &LakeStore) -> Result<u64, LakeError> {
    let mut swept = 0;
    for folder in ["", "raw", "facts", "catalog", "derived", "runs", "fetch", crate::log::FOLDER] {
        swept += store.sweep_temporaries(folder)?;
    }
    let sources =
        store.list_names("raw", true)?.into_iter().map(|source| (join_keys("raw", &source), CAPTURE));
    let others = ["snapshots", crate::ledger::FOLDER].map(str::to_owned);
    let outputs = stage_folders(store)?.into_iter().chain(others).map(|folder| (folder, MANIFEST));
    for (parent, manifest) in sources.chain(outputs) {
        swept += store.sweep_temporaries(&parent)?;
        for folder in with_leftovers(store, &parent)? {
            swept += sweep_folder(store, &folder, manifest)?;
        }
    }
    for parent in panel::list_parents(store)? {
        swept += store.sweep_temporaries(&parent)?;
        for folder in with_leftovers(store, &parent)? {
            swept += store.sweep_temporaries(&folder)?;
        }
    }
    Ok(swept)
}

/// Folders in `parent` that have work in progress in them: a lake has thousands, and few of them any.
fn with_leftovers(store: &LakeStore, parent: &str) -> Result<Vec<String>, LakeError> {
    let folders: Vec<String> =
        store.list_names(parent, true)?.iter().map(|name| join_keys(parent, name)).collect();
    let found = folders.into_par_iter().map(|folder| Ok(store.has_leftovers(&folder)?.then_some(folder)));
    let found: Vec<_> = found.collect();
    found.into_iter().filter_map(Result::transpose).collect()
}

fn sweep_folder(store: &LakeStore, folder: &str, manifest: &str) -> Result<u64, LakeError> {
    if store.has_begun(folder, manifest)? {
        store.discard_folder("sweep", folder)?;
        return Ok(1);
    }
    // A finished capture has some too: a damaged file of it is replaced in place.
    store.sweep_temporaries(folder)
}

#[cfg(test)]
mod tests {
    use chrono::Days;

    use super::*;
    use crate::testing::{capture, day, draft, edited, events, fingerprint, lake, noon, normalised};
    use crate::{SnapshotId, SnapshotManifest};

    /// A snapshot of one event, made of the facts of that name.
    fn publish(writer: &LakeWriter, id: &str, on: u32) -> SnapshotManifest {
        let tables = [("statsdb_events", events(&[id]))];
        writer.commit_stage(&normalised(), &fingerprint(id), &tables, serde_json::json!({})).unwrap();
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
        assert_eq!(lake.list_snapshots().unwrap(), [b.clone(), d.clone()]);
        for (id, is_kept) in [("a", false), ("b", true), ("c", false), ("d", true)] {
            assert_eq!(lake.find_stage(&normalised(), &fingerprint(id)).unwrap().is_some(), is_kept, "{id}");
        }
        writer.gc(0).unwrap();
        assert_eq!(lake.list_snapshots().unwrap(), [b]);
        assert_eq!(writer.gc(0).unwrap(), SweptFiles::default());
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
            &join_keys(&kept.folder(), ".tmp-events.csv-1"),
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

    /// Snapshots of events a, b, c, … published at noon of these days; the last is current.
    fn published(writer: &LakeWriter, days: &[u32]) -> (Vec<SnapshotId>, RetentionPolicy) {
        let names: Vec<String> = ('a'..='z').map(String::from).collect();
        let ids: Vec<_> = days.iter().zip(&names).map(|(_, name)| publish(writer, name, 1).id).collect();
        writer.set_current(ids.last().unwrap(), noon()).unwrap();
        let published = ids.iter().cloned().zip(days.iter().map(|on| day(*on))).collect();
        (ids, RetentionPolicy { published, ..RetentionPolicy::default() })
    }

    #[test]
    fn as_many_stay_besides_the_current_one_as_were_asked_for() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        let (ids, by) = published(&writer, &[1, 2, 3]);
        let swept = writer.gc_by(&RetentionPolicy { last: 1, ..by }).unwrap();
        assert_eq!(swept.snapshots, [ids[0].to_string()]);
        assert_eq!(lake.list_snapshots().unwrap().len(), 2);
    }

    #[test]
    fn of_the_last_days_and_months_with_one_the_newest_stays_and_so_do_pins() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        // 3rd twice, nothing on the 4th.
        let (ids, mut by) = published(&writer, &[1, 2, 3, 3, 5, 6]);
        by.published.insert(ids[3].clone(), day(3) + chrono::TimeDelta::hours(1));
        by.published.insert(ids[0].clone(), day(1) - Days::new(31));
        let kept = |by: RetentionPolicy| -> Vec<usize> {
            let swept = lake.gc_plan(&by).unwrap().snapshots;
            (0..ids.len()).filter(|at| !swept.contains(&ids[*at].to_string())).collect()
        };
        assert_eq!(kept(RetentionPolicy { daily: 3, ..by.clone() }), [3, 4, 5]);
        assert_eq!(kept(RetentionPolicy { monthly: 2, ..by.clone() }), [0, 5]);
        assert_eq!(kept(RetentionPolicy { monthly: 1, daily: 1, last: 1, ..by.clone() }), [4, 5]);
        assert_eq!(kept(RetentionPolicy { protected: [ids[1].clone()].into(), ..by.clone() }), [1, 5]);
        // Made of what was known once, and never served.
        by.published.remove(&ids[4]);
        assert_eq!(kept(RetentionPolicy { last: 1, ..by }), [3, 5]);
        assert_eq!(lake.list_snapshots().unwrap().len(), 6, "a plan removes nothing");
    }

    #[test]
    fn a_plan_says_what_is_removed_and_how_much_that_frees() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        let (_, by) = published(&writer, &[1, 2, 3]);
        let before = lake.bytes_on_disk();
        let plan = lake.gc_plan(&by).unwrap();
        assert_eq!(plan.snapshots.len(), 2);
        assert_eq!(writer.gc_by(&by).unwrap(), plan);
        let folders = |parent: &str| std::fs::read_dir(lake.root().join(parent)).unwrap().count();
        assert_eq!((folders("snapshots"), folders("normalised")), (1, 1));
        assert_eq!(before - lake.bytes_on_disk(), plan.freed, "shared files went with their last name");
        assert!(plan.freed > 0);
    }

    #[test]
    fn a_damaged_old_snapshot_is_left_alone_and_named_and_the_others_go() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        let (ids, by) = published(&writer, &[1, 2, 3]);
        std::fs::write(lake.root().join(format!("snapshots/{}/{MANIFEST}", ids[0])), "{").unwrap();
        let swept = writer.gc_by(&by).unwrap();
        assert_eq!(swept.snapshots, [ids[1].to_string()]);
        assert!(swept.damaged[0].path.ends_with(ids[0].as_str()), "{:?}", swept.damaged);
        assert!(lake.root().join("snapshots").join(ids[0].as_str()).exists());
        let found = lake.readable_snapshots().unwrap();
        assert_eq!((found.readable.len(), found.problems), (1, swept.damaged));
    }

    #[test]
    fn where_it_is_not_known_what_is_served_only_leftovers_go() {
        for damage in ["gone", "flipped", "of another", "its snapshot"] {
            let (_folder, lake) = lake();
            let writer = lake.writer("test", noon()).unwrap();
            let (ids, by) = published(&writer, &[1, 2]);
            let pointer = lake.root().join("current.json");
            let manifest = lake.root().join(format!("snapshots/{}/{MANIFEST}", ids[1]));
            match damage {
                "gone" => std::fs::remove_file(pointer).unwrap(),
                "flipped" => std::fs::write(pointer, "{").unwrap(),
                "of another" => {
                    let text = std::fs::read(&pointer).unwrap();
                    std::fs::write(pointer, edited(&text, ids[1].as_str(), &"0".repeat(32))).unwrap();
                }
                _ => std::fs::write(manifest, "{").unwrap(),
            }
            std::fs::write(lake.root().join(".tmp-x-1"), "").unwrap();
            assert!(writer.gc_by(&by).is_err(), "{damage}");
            assert!(!lake.root().join(".tmp-x-1").exists(), "{damage}");
            let left = std::fs::read_dir(lake.root().join("snapshots")).unwrap().count();
            assert_eq!(left, 2, "{damage}");
            assert!(lake.find_stage(&normalised(), &fingerprint("a")).unwrap().is_some(), "{damage}");
        }
    }

    #[test]
    fn old_reports_of_runs_go_but_for_the_newest_hundred() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        let id = |n: u32| format!("{n:06}-2024{:02}{:02}T000000000Z", 1 + n / 28, 1 + n % 28);
        for n in 0..150 {
            writer.write_run(&id(n), &serde_json::json!({})).unwrap();
        }
        let at = |month: u32| {
            chrono::NaiveDate::from_ymd_opt(2024, month, 1).unwrap().and_hms_opt(0, 0, 0).unwrap()
        };
        let removed = |month| {
            lake.gc_plan(&RetentionPolicy { now: Some(at(month).and_utc()), ..RetentionPolicy::default() })
        };
        assert_eq!(removed(2).unwrap().runs, [] as [String; 0], "none is that old");
        assert_eq!(removed(4).unwrap().runs, [id(0)], "of the second day, ninety days ago, it stays");
        assert_eq!(removed(12).unwrap().runs.len(), 50);
        assert_eq!(lake.gc_plan(&RetentionPolicy::default()).unwrap().runs.len(), 0, "without a time");
        writer.gc_by(&RetentionPolicy { now: Some(at(12).and_utc()), ..RetentionPolicy::default() }).unwrap();
        assert_eq!(lake.list_runs().unwrap().len(), 100);
    }
}
