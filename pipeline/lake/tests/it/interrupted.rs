//! A writer that breaks off at any step leaves the old state or the new one, and the next writer goes on from it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use arrow::array::RecordBatch;
use bytes::Bytes;
use chrono::{DateTime, NaiveDate, Utc};
use fdna_lake::{
    CaptureRef, Fingerprint, Lake, LakeError, LakeWriter, NewCapture, PipelineStage, SnapshotDraft,
    SnapshotId, SnapshotInput,
};
use fdna_schemas::Tables;

use crate::leftovers;

fn noon() -> DateTime<Utc> {
    NaiveDate::from_ymd_opt(2024, 12, 15).unwrap().and_hms_opt(12, 0, 0).unwrap().and_utc()
}

/// Two captures of one time would be one in the other's place.
fn at(edition: &str) -> DateTime<Utc> {
    noon() + chrono::TimeDelta::seconds(edition.bytes().map(i64::from).sum())
}

fn fighters() -> RecordBatch {
    RecordBatch::new_empty(Tables::get().table("fighters").unwrap().arrow_schema())
}

/// A whole run: capture, stage, snapshot, pointer, report, sweeping. `edition` makes its content another one.
fn publish(writer: &LakeWriter, edition: &str) -> SnapshotId {
    let files = vec![("a.csv".to_owned(), Bytes::copy_from_slice(edition.as_bytes()))];
    let new = NewCapture { source: "statsdb".to_owned(), captured_at: at(edition), synthetic: true, files };
    let capture = writer.add_capture(new).unwrap().into_inner();
    let fingerprint =
        Fingerprint::builder("normalise").with_digest("capture", capture.content_digest()).build();
    let tables = [("fighters", fighters())];
    writer.commit_stage(&PipelineStage::Normalised, &fingerprint, &tables, serde_json::json!({})).unwrap();
    let draft = SnapshotDraft {
        tables: vec![("fighters".to_owned(), fighters().into())],
        contract_version: "1".to_owned(),
        licences: Vec::new(),
        definition_versions: vec![edition.to_owned()],
        inputs: vec![SnapshotInput { stage: PipelineStage::Normalised, fingerprint }],
        captures: vec![CaptureRef {
            source: capture.source,
            id: capture.id,
            captured_at: capture.captured_at,
        }],
        synthetic: true,
        facts_until: None,
        known_at: None,
    };
    let id = writer.commit_snapshot(draft).unwrap().id;
    writer.set_current(&id, noon()).unwrap();
    writer.write_run(edition, &serde_json::json!({ "snapshot": id })).unwrap();
    writer.gc(0).unwrap();
    id
}

/// The lake, calling `at` with the number of each step.
fn watched(root: &Path, at: impl Fn(usize, &str) + Send + Sync + 'static) -> Lake {
    let step = AtomicUsize::new(0);
    Lake::open(root).with_step_hook(Arc::new(move |name| at(step.fetch_add(1, Ordering::Relaxed), name)))
}

fn steps(root: &Path) -> Vec<String> {
    let names = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&names);
    let lake = watched(root, move |_, name| seen.lock().unwrap().push(name.to_owned()));
    publish(&lake.writer("count", noon()).unwrap(), "new");
    let names = names.lock().unwrap();
    names.clone()
}

/// Publishes the new edition with a writer that breaks off at this step.
fn break_off(root: &Path, broken: usize) {
    let lake = watched(root, move |step, _| assert_ne!(step, broken, "broken off"));
    let run = catch_unwind(AssertUnwindSafe(|| publish(&lake.writer("test", noon()).unwrap(), "new")));
    assert!(run.is_err(), "step {broken} was not reached");
}

#[test]
fn a_run_broken_off_at_any_step_leaves_the_old_state_or_the_new_and_the_next_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let old = publish(&Lake::open(folder.path().join("old")).writer("test", noon()).unwrap(), "old");
    let prepared = folder.path().join("steps");
    publish(&Lake::open(&prepared).writer("test", noon()).unwrap(), "old");
    let steps = steps(&prepared);
    let new = Lake::open(&prepared).current_snapshot().unwrap().unwrap();
    // Everything after the rename of the pointer belongs to the new state, everything before to the old.
    let moved = steps.iter().position(|step| step == "current/parent").unwrap();

    for (broken, name) in steps.iter().enumerate() {
        let root = folder.path().join(broken.to_string());
        publish(&Lake::open(&root).writer("test", noon()).unwrap(), "old");
        break_off(&root, broken);

        let lake = Lake::open(&root);
        let current = lake.current_snapshot().unwrap().unwrap();
        assert_eq!(&current, if broken < moved { &old } else { &new }, "{name}");
        let manifest = lake.snapshot(&current).unwrap();
        assert_eq!(lake.read_snapshot_table(&manifest, "fighters").unwrap(), fighters(), "{name}");
        assert_eq!(lake.verify().unwrap().problems, [], "{name}");

        let writer = lake.writer("next", noon()).unwrap();
        assert_eq!(leftovers(&root), 0, "{name}");
        assert_eq!(publish(&writer, "new"), new, "{name}");
        assert_eq!(lake.current_snapshot().unwrap().as_ref(), Some(&new), "{name}");
        assert_eq!(lake.captures("statsdb").unwrap().len(), 2, "{name}");
        assert_eq!(lake.list_snapshots().unwrap().len(), 1, "{name}");
    }
}

/// A lake whose every file but manifests is another one than they say.
#[expect(clippy::disallowed_methods, reason = "plays the disk that damages a file behind the lake's back")]
fn damaged(root: &Path) -> SnapshotId {
    let id = publish(&Lake::open(root).writer("test", noon()).unwrap(), "new");
    let mut folders = vec![root.join("raw"), root.join("normalised"), root.join("snapshots")];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(extension) if extension != "json" => std::fs::write(&path, "damaged").unwrap(),
                _ => {}
            }
        }
    }
    assert_eq!(Lake::open(root).verify().unwrap().problems.len(), 3);
    id
}

#[test]
fn a_replacement_of_damage_broken_off_at_any_step_shows_nothing_wrong_and_the_next_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let prepared = folder.path().join("steps");
    let id = damaged(&prepared);
    let steps = steps(&prepared);
    assert_eq!(steps.iter().filter(|step| step.ends_with("/retract")).count(), 2);

    for (broken, name) in steps.iter().enumerate() {
        let root = folder.path().join(broken.to_string());
        damaged(&root);
        break_off(&root, broken);

        let lake = Lake::open(&root);
        assert_eq!(lake.current_snapshot().unwrap().as_ref(), Some(&id), "{name}");
        match lake.snapshot(&id).and_then(|manifest| lake.read_snapshot_table(&manifest, "fighters")) {
            Err(LakeError::NoSnapshot { .. } | LakeError::Corrupt { .. }) => {}
            read => assert_eq!(read.unwrap(), fighters(), "{name}"),
        }
        assert_eq!(lake.captures("statsdb").unwrap().len(), 1, "{name}");

        let writer = lake.writer("next", noon()).unwrap();
        assert_eq!(leftovers(&root), 0, "{name}");
        assert_eq!(publish(&writer, "new"), id, "{name}");
        assert_eq!(lake.verify().unwrap().problems, [], "{name}");
    }
}

#[test]
fn a_writer_that_breaks_off_while_it_sweeps_is_swept_after_too() {
    let folder = tempfile::tempdir().unwrap();
    let steps = steps(&folder.path().join("steps"));
    for (broken, name) in steps.iter().enumerate().filter(|(_, name)| name.ends_with("/manifest")) {
        let swept = folder.path().join(format!("{broken}"));
        break_off(&swept, broken);
        let first = self::steps(&swept);
        assert_eq!(first[..2], ["sweep/rename", "sweep/remove"], "{name}");
        for sweeping in 0..2 {
            let root = folder.path().join(format!("{broken}-{sweeping}"));
            break_off(&root, broken);
            break_off(&root, sweeping);
            assert_eq!(Lake::open(&root).verify().unwrap().problems, [], "{name}");
            let writer = Lake::open(&root).writer("next", noon()).unwrap();
            assert_eq!(leftovers(&root), 0, "{name}");
            publish(&writer, "new");
        }
    }
}

#[test]
fn the_steps_of_a_run_have_stable_names() {
    let folder = tempfile::tempdir().unwrap();
    let put_folder = ["begin", "file", "rename", "folder", "manifest", "parent", "done"].as_slice();
    let put_file = ["file", "rename", "parent", "done"].as_slice();
    let commits = [
        ("capture", put_folder),
        ("log", put_file),
        ("stage", put_folder),
        ("snapshot", put_folder),
        ("log", put_file),
        ("current", put_file),
        ("run", put_file),
    ];
    let expected: Vec<_> = commits
        .iter()
        .flat_map(|(what, steps)| steps.iter().map(move |step| format!("{what}/{step}")))
        .collect();
    assert_eq!(steps(folder.path()), expected);
}

#[test]
fn a_second_run_with_nothing_new_writes_nothing_but_its_report() {
    let folder = tempfile::tempdir().unwrap();
    publish(&Lake::open(folder.path()).writer("test", noon()).unwrap(), "new");
    assert_eq!(steps(folder.path()), ["run/file", "run/rename", "run/parent", "run/done"]);
}
