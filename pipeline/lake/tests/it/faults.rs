//! A disk that is full or fails at any operation, and a process that is killed there: the old state or the new one is
//! left, the message names a path, and the next writer goes on.

use std::collections::BTreeMap;
use std::io::{Error, ErrorKind};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use arrow::array::RecordBatch;
use bytes::Bytes;
use chrono::{DateTime, NaiveDate, Utc};
use fdna_lake::{
    CaptureRef, DraftTable, Fingerprint, Lake, LakeError, NewCapture, PanelDraft, PanelSet, PipelineStage,
    SnapshotDraft, SnapshotId, SnapshotInput,
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

fn empty(table: &str) -> RecordBatch {
    RecordBatch::new_empty(Tables::get().table(table).unwrap().arrow_schema())
}

/// Every kind of commit, and what is older removed. `edition` makes its content another one.
fn publish(lake: &Lake, edition: &str) -> Result<SnapshotId, LakeError> {
    let writer = lake.writer("test", noon())?;
    let files = vec![("a.csv".to_owned(), Bytes::copy_from_slice(edition.as_bytes()))];
    let new = NewCapture { source: "statsdb".to_owned(), captured_at: at(edition), synthetic: true, files };
    let capture = writer.add_capture(new)?.into_inner();
    let fingerprint =
        Fingerprint::builder("normalise").with_digest("capture", capture.content_digest()).build();
    let tables = [("fighters", empty("fighters"))];
    let output =
        writer.commit_stage(&PipelineStage::Normalised, &fingerprint, &tables, serde_json::json!({}))?;
    let captures =
        vec![CaptureRef { source: capture.source, id: capture.id, captured_at: capture.captured_at }];
    let id = writer.commit_snapshot(SnapshotDraft {
        tables: vec![
            ("fighters".to_owned(), DraftTable::Stage(output)),
            ("events".to_owned(), empty("events").into()),
        ],
        contract_version: "1".to_owned(),
        licences: Vec::new(),
        definition_versions: vec![edition.to_owned()],
        inputs: vec![SnapshotInput { stage: PipelineStage::Normalised, fingerprint: fingerprint.clone() }],
        captures,
        synthetic: true,
        facts_until: None,
        known_at: None,
    })?;
    let id = id.id;
    writer.set_current(&id, noon())?;
    let tables = [("panel_wide", empty("panel_wide"))];
    let as_of = noon().date_naive();
    writer.commit_panel(&PanelDraft {
        set: PanelSet::Metrics,
        as_of,
        fingerprint,
        snapshot_id: id.clone(),
        tables: &tables,
    })?;
    if lake.ledger_head()?.is_none_or(|head| head.head != edition) {
        writer.append_ledger(&empty("ledger"), edition, noon())?;
    }
    writer.mark_ledger(noon())?;
    writer.write_run(edition, &serde_json::json!({ "snapshot": id }))?;
    writer.gc(0)?;
    Ok(id)
}

/// The lake, whose operations on the disk are numbered from 0 and each shown to `at` before it is done.
fn watched(
    root: &Path,
    at: impl Fn(usize, &str, &str) -> std::io::Result<()> + Send + Sync + 'static,
) -> Lake {
    let seen = AtomicUsize::new(0);
    let hook = move |operation: &str, key: &str| at(seen.fetch_add(1, Ordering::Relaxed), operation, key);
    Lake::open(root).with_fault_hook(Arc::new(hook))
}

/// The operations of publishing a second edition.
fn operations(root: &Path) -> Vec<(String, String)> {
    publish(&Lake::open(root), "old").unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&seen);
    let lake = watched(root, move |_, operation, key| {
        kept.lock().unwrap().push((operation.to_owned(), key.to_owned()));
        Ok(())
    });
    publish(&lake, "new").unwrap();
    let seen = seen.lock().unwrap();
    seen.clone()
}

/// What must hold whatever happened to the second edition, and that the next writer finishes it.
fn recovers(root: &Path, [old, new]: &[SnapshotId; 2], what: &str) {
    let lake = Lake::open(root);
    let current = lake.current_snapshot().unwrap().unwrap();
    assert!([old, new].contains(&&current), "{what}: {current}");
    let manifest = lake.snapshot(&current).unwrap();
    assert_eq!(lake.read_snapshot_table(&manifest, "fighters").unwrap(), empty("fighters"), "{what}");
    assert_eq!(lake.verify().unwrap().problems, [], "{what}");
    assert_eq!(&publish(&lake, "new").unwrap(), new, "{what}");
    assert_eq!(lake.current_snapshot().unwrap().as_ref(), Some(new), "{what}");
    assert_eq!(lake.list_snapshots().unwrap().len(), 1, "{what}");
    assert_eq!(lake.verify().unwrap().problems, [], "{what}");
    assert_eq!(leftovers(root), 0, "{what}");
}

/// The ids of both editions, and the operations of the second.
fn undisturbed(folder: &Path) -> ([SnapshotId; 2], Vec<(String, String)>) {
    let operations = operations(&folder.join("operations"));
    let old = publish(&Lake::open(folder.join("old")), "old").unwrap();
    let new = Lake::open(folder.join("operations")).current_snapshot().unwrap().unwrap();
    ([old, new], operations)
}

#[test]
fn every_kind_of_operation_passes_the_hook() {
    let folder = tempfile::tempdir().unwrap();
    let (_, operations) = undisturbed(folder.path());
    let mut counts = BTreeMap::new();
    for (operation, _) in &operations {
        *counts.entry(operation.as_str()).or_insert(0) += 1;
    }
    let kinds = ["create", "create_folder", "open", "remove", "rename", "sync", "sync_folder", "write"];
    for kind in kinds {
        assert!(counts.get(kind).is_some_and(|n| *n > 0), "{kind}: {counts:?}");
    }
    assert!(operations.len() > 100, "{counts:?}");
}

#[test]
fn a_writer_killed_at_any_operation_leaves_the_old_state_or_the_new_and_the_next_one_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (ids, operations) = undisturbed(folder.path());
    at_each(&operations, |broken, what| {
        let root = folder.path().join(broken.to_string());
        publish(&Lake::open(&root), "old").unwrap();
        let lake = watched(&root, move |at, _, _| {
            assert_ne!(at, broken, "killed");
            Ok(())
        });
        let run = catch_unwind(AssertUnwindSafe(|| publish(&lake, "new")));
        assert!(run.is_err(), "{what} was not reached");
        recovers(&root, &ids, what);
    });
}

#[test]
fn a_disk_that_is_full_or_fails_at_any_operation_is_told_with_the_path_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let (ids, operations) = undisturbed(folder.path());
    at_each(&operations, |broken, what| {
        // A device that fails has no kind of its own.
        for (name, kind) in [("full", ErrorKind::StorageFull), ("fails", ErrorKind::Other)] {
            let root = folder.path().join(format!("{broken}-{name}"));
            publish(&Lake::open(&root), "old").unwrap();
            // Once only, and for good.
            for lasts in [false, true] {
                let lake = watched(&root, move |at, _, _| match at == broken || (lasts && at > broken) {
                    true => Err(Error::from(kind)),
                    false => Ok(()),
                });
                let what = format!("{name} at {what}, lasting {lasts}");
                match publish(&lake, "new") {
                    Ok(id) => assert_eq!(id, ids[1], "{what}"),
                    Err(error) => {
                        assert!(error.to_string().contains(root.to_str().unwrap()), "{what}: {error}")
                    }
                }
                assert_eq!(Lake::open(&root).verify().unwrap().problems, [], "{what}");
            }
            recovers(&root, &ids, &format!("{name} at {what}"));
        }
    });
}

/// Does `check` for each operation, several at a time: most of it waits for the disk.
fn at_each(operations: &[(String, String)], check: impl Fn(usize, &str) + Sync) {
    let all: Vec<_> = operations.iter().enumerate().collect();
    let done = fdna_lake::in_parallel(all, |(broken, (operation, key))| {
        let what = format!("{broken}: {operation} {key}");
        catch_unwind(AssertUnwindSafe(|| check(broken, &what))).map_err(|_| what)
    });
    done.unwrap();
}
