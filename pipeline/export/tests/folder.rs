//! An export grows with what is published, and goes on from whatever an earlier one left.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::RecordBatch;
use chrono::{DateTime, Utc};
use fdna_export::{ExportError, ExportFolder};
use fdna_lake::{Lake, LakeWriter, SnapshotDraft, SnapshotId, put_file};
use fdna_schemas::{TableWriter, Tables};
use tempfile::TempDir;

fn at(second: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_700_000_000 + second, 0).unwrap()
}

fn aliases(names: &[&str]) -> RecordBatch {
    let table = Tables::get().table("aliases").unwrap();
    let n = names.len();
    let mut writer = TableWriter::new(table);
    for column in &table.columns {
        let texts = names.iter().map(|name| Some(format!("{name}-{}", column.name)));
        writer = match column.kind {
            fdna_schemas::ColumnType::String => writer.strings(&column.name, texts),
            fdna_schemas::ColumnType::Uuid => {
                writer.uuids(&column.name, (1..=n as u128).map(|id| Some(uuid::Uuid::from_u128(id))))
            }
            fdna_schemas::ColumnType::Instant => {
                writer.instants(&column.name, names.iter().map(|_| Some(at(0))))
            }
            kind => panic!("no value for {kind:?}"),
        };
    }
    writer.finish().unwrap()
}

fn draft(names: &[&str]) -> SnapshotDraft {
    SnapshotDraft {
        tables: vec![
            ("aliases".to_owned(), aliases(names).into()),
            (
                "fighters".to_owned(),
                RecordBatch::new_empty(Tables::get().table("fighters").unwrap().arrow_schema()).into(),
            ),
        ],
        contract_version: "1".to_owned(),
        definition_versions: vec!["1".to_owned()],
        inputs: Vec::new(),
        captures: Vec::new(),
        licences: Vec::new(),
        synthetic: true,
        facts_until: None,
        known_at: None,
    }
}

fn writer(lake: &Lake, second: i64) -> LakeWriter {
    lake.writer("test", at(second)).unwrap()
}

fn publish(lake: &Lake, names: &[&str], second: i64) -> SnapshotId {
    let writer = writer(lake, second);
    let id = writer.commit_snapshot(draft(names)).unwrap().id;
    writer.set_current(&id, at(second)).unwrap();
    id
}

struct Fixture {
    folder: TempDir,
    lake: Lake,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let lake = Lake::open(folder.path().join("lake"));
        Self { folder, lake }
    }

    fn path(&self, out: &str) -> PathBuf {
        self.folder.path().join(out)
    }

    /// How many versions there are, of which how many are new, and how many commits were written.
    fn export(&self, out: &str) -> (u64, usize, u64) {
        let done = ExportFolder::new(self.path(out)).update(&self.lake, "mma").unwrap();
        (done.versions, done.added.len(), done.commits)
    }

    fn files(&self, out: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        read_all(&self.path(out), Path::new(""), &mut files);
        files
    }
}

fn read_all(root: &Path, inside: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in std::fs::read_dir(root.join(inside)).unwrap() {
        let entry = entry.unwrap();
        let path = inside.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => read_all(root, &path, files),
            false => drop(files.insert(path, std::fs::read(entry.path()).unwrap())),
        }
    }
}

#[test]
fn step_by_step_or_at_once_the_bytes_are_the_same() {
    let fixture = Fixture::new();
    assert_eq!(fixture.export("empty"), (0, 0, 0));
    let first = publish(&fixture.lake, &["a"], 1);
    assert_eq!(fixture.export("steps"), (1, 1, 2));
    assert_eq!(fixture.export("steps"), (1, 0, 0));
    publish(&fixture.lake, &["a", "b"], 2);
    assert_eq!(fixture.export("steps"), (2, 1, 2));
    writer(&fixture.lake, 3).roll_back(&first, "me", "test").unwrap();
    assert_eq!(fixture.export("steps"), (3, 1, 2));
    assert_eq!(fixture.export("once"), (3, 3, 6));
    assert_eq!(fixture.files("once"), fixture.files("steps"));
    let parquet =
        fixture.files("once").into_keys().filter(|path| path.extension().is_some_and(|x| x == "parquet"));
    assert_eq!(parquet.count(), 3, "each content once");
    let removed = |second| ExportFolder::new(fixture.path("once")).remove_before(at(second)).unwrap();
    assert_eq!(removed(2), 0, "the first was current until then");
    assert_eq!(removed(3), 0, "the second was current until then");
    assert_eq!(removed(10), 1, "the content of the second alone");
    assert_eq!(fixture.export("once"), (3, 0, 0));
    assert_eq!(fixture.lake.verify().unwrap().problems, []);
}

#[test]
fn what_broke_off_anywhere_is_completed_though_its_snapshot_has_left_the_lake() {
    let fixture = Fixture::new();
    publish(&fixture.lake, &["a"], 1);
    fixture.export("out");
    let before = fixture.files("out");
    publish(&fixture.lake, &["a", "b"], 2);
    fixture.export("out");
    let after = fixture.files("out");
    publish(&fixture.lake, &["c"], 3);
    writer(&fixture.lake, 4).gc(0).unwrap();
    // In the order in which they are written: tables, the version, logs, the document.
    let rank = |path: &PathBuf| {
        let text = path.display().to_string();
        (
            ["parquet", "_snapshots", "_delta_log", "croissant"].iter().position(|part| text.contains(part)),
            text.clone(),
        )
    };
    let mut new: Vec<_> =
        after.keys().filter(|path| before.get(*path) != after.get(*path)).cloned().collect();
    new.sort_by_key(rank);
    assert_eq!(new.len(), 5, "{new:?}");
    fixture.export("whole");
    for written in 0..=new.len() {
        let out = format!("broken-{written}");
        for (path, bytes) in before.iter().chain(new[..written].iter().map(|path| (path, &after[path]))) {
            let path = fixture.path(&out).join(path);
            put_file(&path, bytes).unwrap();
        }
        let (versions, added, _) = fixture.export(&out);
        // Before it was written down, the version that is gone is none.
        assert_eq!((versions, added), if written < 2 { (2, 1) } else { (3, 1) }, "{written}");
        let files = fixture.files(&out);
        for path in after.keys().filter(|path| written >= 2 && !path.ends_with("croissant.json")) {
            assert_eq!(files.get(path), after.get(path), "{written} {path:?}");
        }
        assert_eq!(fixture.export(&out).2, 0);
    }
}

#[test]
fn a_snapshot_that_was_written_down_and_never_became_current_is_no_version() {
    let fixture = Fixture::new();
    publish(&fixture.lake, &["a"], 1);
    let breaking = fixture.lake.clone().with_step_hook(Arc::new(|step| assert_ne!(step, "current/rename")));
    let broken = catch_unwind(AssertUnwindSafe(|| {
        publish(&breaking, &["b"], 2);
    }));
    assert!(broken.is_err());
    assert_eq!(fixture.lake.publications().unwrap().history.len(), 2);
    assert_eq!(fixture.export("out"), (1, 1, 2));
    publish(&fixture.lake, &["b"], 3);
    assert_eq!(fixture.export("out"), (2, 1, 2));
}

#[test]
fn a_folder_of_another_lake_of_another_writer_or_in_the_lake_is_refused_and_left_as_it_is() {
    let fixture = Fixture::new();
    publish(&fixture.lake, &["a"], 1);
    fixture.export("out");
    let update = |out: PathBuf, lake: &Lake| ExportFolder::new(out).update(lake, "mma");
    let other = Fixture::new();
    publish(&other.lake, &["b"], 1);
    let files = fixture.files("out");
    assert!(matches!(update(fixture.path("out"), &other.lake), Err(ExportError::OtherLake { .. })));
    assert_eq!(fixture.files("out"), files);
    let inside = fixture.lake.root().join("a/b");
    assert!(matches!(update(inside.clone(), &fixture.lake), Err(ExportError::InLake { .. })));
    assert!(!inside.exists());
    let foreign = fixture.path("out/aliases/_delta_log").join(format!("{:020}.json", 1));
    put_file(&foreign, b"{}\n").unwrap();
    assert!(matches!(update(fixture.path("out"), &fixture.lake), Err(ExportError::OtherWriter { .. })));
    publish(&fixture.lake, &["c"], 2);
    assert!(matches!(update(fixture.path("out"), &fixture.lake), Err(ExportError::OtherWriter { .. })));
}
