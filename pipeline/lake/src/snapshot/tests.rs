use super::*;
use crate::testing::{day, draft, edited, empty, events, fingerprint, lake, noon, normalised};
use crate::{ContractError, StageOutput};

#[test]
fn a_snapshot_is_read_back_and_current_moves_once() {
    let (_folder, lake) = lake();
    let writer = lake.writer("test", noon()).unwrap();
    assert_eq!((lake.current_snapshot().unwrap(), lake.current_moved_at().unwrap()), (None, None));
    let made = writer.commit_snapshot(draft(&["a", "b"], "1", 15)).unwrap();
    assert!(writer.set_current(&made.id, noon()).unwrap());
    let pointer = std::fs::read(lake.root().join(CURRENT)).unwrap();
    assert!(!writer.set_current(&made.id, day(16)).unwrap());
    assert_eq!(std::fs::read(lake.root().join(CURRENT)).unwrap(), pointer);
    assert_eq!(lake.current_snapshot().unwrap().as_ref(), Some(&made.id));
    assert_eq!(lake.current_moved_at().unwrap(), Some(noon()));
    let there = lake.snapshot(&made.id).unwrap();
    assert_eq!(there, made);
    assert_eq!(lake.read_snapshot_table(&there, "statsdb_events").unwrap(), events(&["a", "b"]));
    assert!(matches!(lake.read_snapshot_table(&there, "bouts"), Err(LakeError::NoEntry { .. })));
}

#[test]
fn the_id_is_that_of_the_content_whatever_the_order_the_captures_and_the_machine() {
    let ((_a, here), (_b, there)) = (lake(), lake());
    let first = here.writer("a", noon()).unwrap().commit_snapshot(draft(&["a"], "1", 15)).unwrap();
    let mut other = draft(&["a"], "2", 16);
    other.tables.reverse();
    let writer = there.writer("b", day(20)).unwrap();
    let second = writer.commit_snapshot(other.clone()).unwrap();
    assert_eq!((&second.id, &second.tables), (&first.id, &first.tables));

    other.definition_versions.push("2".to_owned());
    assert_ne!(writer.commit_snapshot(other.clone()).unwrap().id, first.id);
    other.definition_versions.reverse();
    writer.commit_snapshot(other).unwrap();
    writer
        .commit_snapshot(SnapshotDraft { contract_version: "x".to_owned(), ..draft(&["a"], "1", 15) })
        .unwrap();
    writer.commit_snapshot(draft(&["b"], "1", 15)).unwrap();
    assert_eq!(there.list_snapshots().unwrap().len(), 4);
}

#[test]
fn a_table_taken_from_a_stage_makes_the_same_snapshot_as_its_rows() {
    let ((_a, here), (_b, there)) = (lake(), lake());
    let rows = here.writer("a", noon()).unwrap().commit_snapshot(draft(&["a", "b"], "1", 15)).unwrap();
    let writer = there.writer("b", noon()).unwrap();
    let (mut output, draft) = staged(&writer);
    // A manifest of before seals could say so: a snapshot must not believe it.
    output.tables[1].rows = 7;
    let made = writer.commit_snapshot(draft(&output)).unwrap();
    assert_eq!(made, rows);
    for (key, _) in made.expected_files() {
        assert_eq!(
            here.store.read_file(&key).unwrap().unwrap(),
            there.store.read_file(&key).unwrap().unwrap()
        );
    }
    assert_eq!(there.read_snapshot_table(&made, "statsdb_events").unwrap(), events(&["a", "b"]));
}

#[test]
fn a_table_that_the_stage_has_not_or_not_whole_or_of_another_contract_makes_no_snapshot() {
    let (_folder, lake) = lake();
    let writer = lake.writer("test", noon()).unwrap();
    let (output, draft) = staged(&writer);
    let refused = |output: &StageOutput| writer.commit_snapshot(draft(output)).unwrap_err();

    let mut other = output.clone();
    other.tables[1].contract_version += 1;
    let version = refused(&other);
    assert!(matches!(version, LakeError::Contract { source: ContractError::Version { .. }, .. }));
    other.tables.pop();
    assert!(matches!(refused(&other), LakeError::NoEntry { name, .. } if name == "statsdb_events"));

    let path = lake.root().join(output.folder()).join("statsdb_events.parquet");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[9] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    assert!(matches!(refused(&output), LakeError::Corrupt { .. }));
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(refused(&output), LakeError::Gone { .. }));
    assert!(lake.list_snapshots().unwrap().is_empty());
}

/// The tables of [`draft`] as a stage has them, and how to draft the same snapshot from that.
fn staged(writer: &LakeWriter) -> (StageOutput, impl Fn(&StageOutput) -> SnapshotDraft) {
    let tables = [("statsdb_events", events(&["a", "b"])), ("fighters", empty("fighters"))];
    let notes = serde_json::json!({});
    let output = writer.commit_stage(&normalised(), &fingerprint("1"), &tables, notes).unwrap();
    let taken = |output: &StageOutput| {
        let tables = ["statsdb_events", "fighters"];
        let tables = tables.map(|name| (name.to_owned(), DraftTable::Stage(output.clone())));
        SnapshotDraft { tables: tables.into(), ..draft(&[], "1", 15) }
    };
    (output, taken)
}

#[test]
fn a_snapshot_that_is_there_stays_as_it_is() {
    let (_folder, lake) = lake();
    let writer = lake.writer("test", noon()).unwrap();
    let first = writer.commit_snapshot(draft(&["a"], "1", 15)).unwrap();
    assert_eq!(writer.commit_snapshot(draft(&["a"], "2", 16)).unwrap(), first);
    assert_eq!(lake.list_snapshots().unwrap(), [first]);
}

#[test]
fn current_is_never_set_to_what_is_not_there_whole() {
    let (_folder, lake) = lake();
    let writer = lake.writer("test", noon()).unwrap();
    let absent: SnapshotId = "0".repeat(32).parse().unwrap();
    assert!(matches!(writer.set_current(&absent, noon()), Err(LakeError::NoSnapshot { .. })));
    let made = writer.commit_snapshot(draft(&["a"], "1", 15)).unwrap();
    std::fs::remove_file(lake.root().join(made.folder()).join("tables/fighters.parquet")).unwrap();
    assert!(matches!(writer.set_current(&made.id, noon()), Err(LakeError::Gone { .. })));
    assert_eq!(lake.current_snapshot().unwrap(), None);
    writer.commit_snapshot(draft(&["a"], "1", 15)).unwrap();
    assert!(writer.set_current(&made.id, noon()).unwrap());
}

#[test]
fn snapshots_are_in_order_of_their_newest_capture() {
    let (_folder, lake) = lake();
    let writer = lake.writer("test", noon()).unwrap();
    for (id, on) in [("c", 3), ("a", 1), ("b", 2)] {
        writer.commit_snapshot(draft(&[id], "1", on)).unwrap();
    }
    let until: Vec<_> = lake.list_snapshots().unwrap().iter().map(SnapshotManifest::captured_until).collect();
    assert_eq!(until, [Some(day(1)), Some(day(2)), Some(day(3))]);
}

#[test]
fn a_flipped_bit_in_any_byte_of_a_table_is_noticed() {
    let (_folder, lake) = lake();
    let writer = lake.writer("test", noon()).unwrap();
    let made = writer.commit_snapshot(draft(&["a"], "1", 15)).unwrap();
    let path = lake.root().join(made.folder()).join("tables/statsdb_events.parquet");
    let whole = std::fs::read(&path).unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        std::fs::write(&path, bytes).unwrap();
        let read = lake.read_snapshot_table(&made, "statsdb_events");
        assert!(matches!(read, Err(LakeError::Corrupt { .. })), "byte {at}");
    }
    std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    assert!(lake.read_snapshot_table(&made, "statsdb_events").is_err());
}

#[test]
fn unknown_fields_are_read_over_a_newer_format_and_a_changed_manifest_are_refused() {
    let (_folder, lake) = lake();
    let made = lake.writer("test", noon()).unwrap().commit_snapshot(draft(&["a"], "1", 15)).unwrap();
    let path = lake.root().join(made.folder()).join(MANIFEST);
    let text = std::fs::read(&path).unwrap();
    let change = |from: &str, to: &str| {
        std::fs::write(&path, edited(&text, from, to)).unwrap();
        lake.snapshot(&made.id)
    };
    assert_eq!(change("\"format\": 2", "\"format\": 2, \"later\": {}").unwrap(), made);
    assert!(matches!(change("\"format\": 2", "\"format\": 3"), Err(LakeError::NewerFormat { found: 3, .. })));
    let digest = &made.tables[0].sha256;
    assert!(matches!(change(digest, &"0".repeat(64)), Err(LakeError::Corrupt { .. })));
    assert!(matches!(change("[", "{"), Err(LakeError::Json { .. })));
}

#[test]
fn a_broken_pointer_is_an_error_to_readers_and_mended_by_the_writer() {
    let (_folder, lake) = lake();
    let writer = lake.writer("test", noon()).unwrap();
    let made = writer.commit_snapshot(draft(&["a"], "1", 15)).unwrap();
    std::fs::write(lake.root().join(CURRENT), "{").unwrap();
    assert!(matches!(lake.current_snapshot(), Err(LakeError::Json { .. })));
    assert!(writer.set_current(&made.id, noon()).unwrap());
    assert_eq!(lake.current_snapshot().unwrap(), Some(made.id.clone()));
    std::fs::write(lake.root().join(CURRENT), r#"{"format": 7}"#).unwrap();
    assert!(matches!(writer.set_current(&made.id, noon()), Err(LakeError::NewerFormat { .. })));
}
