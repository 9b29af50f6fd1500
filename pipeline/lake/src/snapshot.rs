//! Snapshots: what is published. One consistent set of tables, named by its content, that never changes.

use arrow::array::RecordBatch;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use crate::digest::{Parts, hex_id};
use crate::manifest::{self, MANIFEST, TableEntry, instant, optional_date, tables_into};
use crate::parquet_io::{encode, encode_all};
use crate::store::{FolderDraft, join};
use crate::{
    DATA_FORMAT, Fingerprint, Lake, LakeError, MANIFEST_FORMAT, Stage, StageOutput, Writer, contract,
};

const CURRENT: &str = "current.json";

hex_id! {
    /// The first 32 hex digits of a SHA-256 over the tables of a snapshot and the versions they follow. The
    /// time of publishing is no part of it: two machines with the same captures agree.
    SnapshotId
}

/// A stage output that a snapshot was made of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Input {
    /// The stage.
    pub stage: Stage,
    /// What went into it.
    pub fingerprint: Fingerprint,
}

impl From<&StageOutput> for Input {
    fn from(output: &StageOutput) -> Self {
        Self { stage: output.stage.clone(), fingerprint: output.fingerprint.clone() }
    }
}

/// A capture that a snapshot was made of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CaptureRef {
    /// Name of the source.
    pub source: String,
    /// Id of the capture.
    pub id: String,
    /// When it was taken.
    #[serde(with = "instant")]
    pub captured_at: DateTime<Utc>,
}

/// Where a table of a snapshot comes from; the snapshot is the same either way.
#[derive(Clone, Debug)]
pub enum DraftTable {
    /// Rows, which are checked against the contract and encoded.
    Rows(RecordBatch),
    /// The table of the same name of an output that this lake has: its file is checked against its digest and
    /// taken as it is, neither decoded nor encoded.
    Stage(StageOutput),
}

impl From<RecordBatch> for DraftTable {
    fn from(rows: RecordBatch) -> Self {
        Self::Rows(rows)
    }
}

/// What a snapshot is to hold; the order of nothing in it matters.
#[derive(Clone, Debug)]
pub struct SnapshotDraft {
    /// The tables, by name.
    pub tables: Vec<(String, DraftTable)>,
    /// Version of the data contract as a whole.
    pub contract_version: String,
    /// Versions of the Fight DNA definition in the tables.
    pub definition_versions: Vec<String>,
    /// Stage outputs that it was made of; they are kept as long as the snapshot.
    pub inputs: Vec<Input>,
    /// Captures that it was made of.
    pub captures: Vec<CaptureRef>,
    /// Whether any capture of it was made up.
    pub synthetic: bool,
    /// Date of the last event with facts in it; `None` if there is none.
    pub facts_until: Option<NaiveDate>,
}

/// A published snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotManifest {
    /// Format number of the manifest.
    pub format: u32,
    /// The snapshot's name, a digest of its content.
    pub id: SnapshotId,
    /// Version of the data contract as a whole.
    pub contract_version: String,
    /// Versions of the Fight DNA definition in the tables, sorted.
    pub definition_versions: Vec<String>,
    /// Whether any capture of it was made up.
    pub synthetic: bool,
    /// Date of the last event with facts in it; `None` if there is none.
    #[serde(with = "optional_date")]
    pub facts_until: Option<NaiveDate>,
    /// Captures that it was first made of, sorted.
    pub captures: Vec<CaptureRef>,
    /// Stage outputs that it was first made of, sorted.
    pub inputs: Vec<Input>,
    /// The tables, by name.
    pub tables: Vec<TableEntry>,
    /// Version of the lake's bytes that it was written in, [`DATA_FORMAT`] at the time.
    pub data_format: u32,
}

impl SnapshotManifest {
    fn new(draft: SnapshotDraft, tables: Vec<TableEntry>) -> Self {
        let mut manifest = Self {
            format: MANIFEST_FORMAT,
            id: SnapshotId(String::new()),
            contract_version: draft.contract_version,
            definition_versions: draft.definition_versions,
            synthetic: draft.synthetic,
            facts_until: draft.facts_until,
            captures: draft.captures,
            inputs: draft.inputs,
            tables,
            data_format: DATA_FORMAT,
        };
        manifest.definition_versions.sort();
        manifest.captures.sort();
        manifest.inputs.sort();
        manifest.id = manifest.id_of();
        manifest
    }

    fn id_of(&self) -> SnapshotId {
        let parts = Parts::default().number(self.data_format).part("snapshot").part(&self.contract_version);
        let parts = self.definition_versions.iter().fold(parts, Parts::part).part("tables");
        SnapshotId(tables_into(parts, &self.tables).finish_short())
    }

    /// The table of this name.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<&TableEntry> {
        self.tables.iter().find(|t| t.name == name)
    }

    /// When the newest capture in it was taken; `None` if it came of none.
    #[must_use]
    pub fn captured_until(&self) -> Option<DateTime<Utc>> {
        self.captures.iter().map(|c| c.captured_at).max()
    }

    pub(crate) fn folder(&self) -> String {
        folder(&self.id)
    }

    pub(crate) fn expected(&self) -> Vec<(String, &str)> {
        let folder = self.folder();
        self.tables
            .iter()
            .map(|t| (format!("{folder}/tables/{}.parquet", t.name), t.sha256.as_str()))
            .collect()
    }
}

fn folder(id: &SnapshotId) -> String {
    format!("snapshots/{id}")
}

/// Content of `current.json`.
#[derive(Serialize, Deserialize)]
struct Current {
    format: u32,
    snapshot_id: SnapshotId,
    #[serde(with = "instant")]
    moved_at: DateTime<Utc>,
}

impl Lake {
    /// Id of the snapshot that is served now; `None` before the first.
    ///
    /// # Errors
    /// The pointer cannot be read or is of a newer format.
    pub fn current(&self) -> Result<Option<SnapshotId>, LakeError> {
        Ok(self.pointer()?.map(|current| current.snapshot_id))
    }

    /// When [`Self::current`] was pointed to where it points; `None` before the first snapshot.
    ///
    /// # Errors
    /// As for [`Self::current`].
    pub fn current_moved_at(&self) -> Result<Option<DateTime<Utc>>, LakeError> {
        Ok(self.pointer()?.map(|current| current.moved_at))
    }

    fn pointer(&self) -> Result<Option<Current>, LakeError> {
        manifest::read(&self.store, CURRENT)
    }

    /// The manifest of a snapshot, checked against its id.
    ///
    /// # Errors
    /// [`LakeError::NoSnapshot`], [`LakeError::NewerFormat`], [`LakeError::Corrupt`], or it cannot be read.
    pub fn snapshot(&self, id: &SnapshotId) -> Result<SnapshotManifest, LakeError> {
        let key = format!("{}/{MANIFEST}", folder(id));
        let manifest = manifest::read::<SnapshotManifest>(&self.store, &key)?;
        let manifest = manifest.ok_or_else(|| LakeError::NoSnapshot { id: id.clone() })?;
        let found = manifest.id_of();
        if found == *id && manifest.id == *id {
            return Ok(manifest);
        }
        Err(LakeError::Corrupt {
            path: self.store.path(&key),
            expected: id.to_string(),
            found: found.to_string(),
        })
    }

    /// All snapshots, the oldest first: by their newest capture, then by when they were written.
    ///
    /// # Errors
    /// As for [`Self::snapshot`], for any of them.
    pub fn snapshots(&self) -> Result<Vec<SnapshotManifest>, LakeError> {
        let ids = self.store.list("snapshots", true)?;
        let ids = ids.iter().filter_map(|name| name.parse().ok());
        let found =
            ids.map(|id| self.snapshot(&id)).filter(|s| !matches!(s, Err(LakeError::NoSnapshot { .. })));
        let mut snapshots = found.collect::<Result<Vec<_>, _>>()?;
        snapshots.sort_by_cached_key(|s| {
            let written = self.store.modified(&format!("{}/{MANIFEST}", s.folder()));
            (s.captured_until(), written, s.id.clone())
        });
        Ok(snapshots)
    }

    /// Every row of a table of a snapshot, checked against its digest. A snapshot may be older than this
    /// build's contracts, so that the columns are those of the contract version in its entry.
    ///
    /// # Errors
    /// [`LakeError::NoEntry`], [`LakeError::Gone`], [`LakeError::Corrupt`], or it cannot be read.
    pub fn read_snapshot_table(
        &self,
        manifest: &SnapshotManifest,
        table: &str,
    ) -> Result<RecordBatch, LakeError> {
        self.table_file(&manifest.folder(), "tables/", table, manifest.table(table))?.decode(None)
    }

    /// These columns of a table of a snapshot, in this order, and every row of them, if the snapshot follows
    /// the contracts of this build.
    ///
    /// # Errors
    /// As for [`Self::read_snapshot_table`], or [`LakeError::Contract`].
    pub fn read_snapshot_columns(
        &self,
        manifest: &SnapshotManifest,
        table: &str,
        columns: &[&str],
    ) -> Result<RecordBatch, LakeError> {
        let contract = contract::find(table)?;
        contract::check_version(contract, manifest.table(table))?;
        let file = self.table_file(&manifest.folder(), "tables/", table, manifest.table(table))?;
        let batch = file.decode(Some(columns))?;
        contract::conform_columns(contract, columns, &batch).map_err(|source| contract::refuse(table, source))
    }
}

impl Writer {
    /// Keeps a snapshot. If one of the same tables and versions is there and whole, that one stays and is
    /// returned, with the captures and inputs that it was first made of.
    ///
    /// # Errors
    /// [`LakeError::Contract`] if a table does not follow its contract; [`LakeError::NoEntry`],
    /// [`LakeError::Gone`] or [`LakeError::Corrupt`] if a stage has it not, or not whole; or the lake cannot be
    /// read or written.
    pub fn commit_snapshot(&self, draft: SnapshotDraft) -> Result<SnapshotManifest, LakeError> {
        let encoded = encode_all(&draft.tables, |contract, table| match table {
            DraftTable::Rows(rows) => encode(contract, rows),
            DraftTable::Stage(output) => self.lake().stage_encoded(output, contract),
        })?;
        let manifest = SnapshotManifest::new(draft, encoded.iter().map(|e| e.entry.clone()).collect());
        if let Some(there) = self.whole_snapshot(&manifest.id)? {
            return Ok(there);
        }
        let (store, target) = (&self.lake().store, manifest.folder());
        let files =
            encoded.into_iter().map(|e| (format!("tables/{}.parquet", e.entry.name), e.bytes)).collect();
        let text = manifest::to_bytes(store, &target, &manifest)?;
        store.put_folder(&FolderDraft { kind: "snapshot", target, files, manifest: (MANIFEST, text) })?;
        Ok(manifest)
    }

    fn whole_snapshot(&self, id: &SnapshotId) -> Result<Option<SnapshotManifest>, LakeError> {
        let there = match self.lake().snapshot(id) {
            Err(LakeError::NoSnapshot { .. } | LakeError::Json { .. } | LakeError::Corrupt { .. }) => {
                return Ok(None);
            }
            there => there?,
        };
        Ok(if self.lake().is_sound(&there.expected())? { Some(there) } else { None })
    }

    /// Points `current` to a snapshot. Says `false`, and writes nothing, if it points there already.
    ///
    /// # Errors
    /// The snapshot is not there ([`LakeError::NoSnapshot`]) or not whole ([`LakeError::Gone`],
    /// [`LakeError::Corrupt`]), or the pointer cannot be written.
    pub fn set_current(&self, id: &SnapshotId, now: DateTime<Utc>) -> Result<bool, LakeError> {
        let manifest = self.lake().snapshot(id)?;
        for (key, expected) in manifest.expected() {
            self.lake().read_checked(&key, expected)?;
        }
        match self.lake().current() {
            Ok(Some(current)) if current == *id => return Ok(false),
            // A pointer that cannot be read is replaced; one of a newer build is not.
            Ok(_) | Err(LakeError::Json { .. }) => {}
            Err(error) => return Err(error),
        }
        let store = &self.lake().store;
        // A run that broke off may have left it whole, but not durable: the pointer must not outlive it.
        store.sync_above(&join(&manifest.folder(), MANIFEST))?;
        let current = Current { format: MANIFEST_FORMAT, snapshot_id: id.clone(), moved_at: now };
        store.put_file("current", CURRENT, &manifest::to_bytes(store, CURRENT, &current)?)?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ContractError;
    use crate::testing::{day, draft, empty, events, facts, fingerprint, lake, noon};

    #[test]
    fn a_snapshot_is_read_back_and_current_moves_once() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        assert_eq!((lake.current().unwrap(), lake.current_moved_at().unwrap()), (None, None));
        let made = writer.commit_snapshot(draft(&["a", "b"], "1", 15)).unwrap();
        assert!(writer.set_current(&made.id, noon()).unwrap());
        let pointer = std::fs::read(lake.root().join(CURRENT)).unwrap();
        assert!(!writer.set_current(&made.id, day(16)).unwrap());
        assert_eq!(std::fs::read(lake.root().join(CURRENT)).unwrap(), pointer);
        assert_eq!(lake.current().unwrap().as_ref(), Some(&made.id));
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
        assert_eq!(there.snapshots().unwrap().len(), 4);
    }

    #[test]
    fn a_table_taken_from_a_stage_makes_the_same_snapshot_as_its_rows() {
        let ((_a, here), (_b, there)) = (lake(), lake());
        let rows = here.writer("a", noon()).unwrap().commit_snapshot(draft(&["a", "b"], "1", 15)).unwrap();
        let writer = there.writer("b", noon()).unwrap();
        let (mut output, draft) = staged(&writer);
        // No digest is over this, so that a snapshot must not believe it.
        output.tables[1].rows = 7;
        let made = writer.commit_snapshot(draft(&output)).unwrap();
        assert_eq!(made, rows);
        for (key, _) in made.expected() {
            assert_eq!(here.store.read(&key).unwrap().unwrap(), there.store.read(&key).unwrap().unwrap());
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
        assert!(lake.snapshots().unwrap().is_empty());
    }

    /// The tables of [`draft`] as a stage has them, and how to draft the same snapshot from that.
    fn staged(writer: &Writer) -> (StageOutput, impl Fn(&StageOutput) -> SnapshotDraft) {
        let tables = [("statsdb_events", events(&["a", "b"])), ("fighters", empty("fighters"))];
        let notes = serde_json::json!({});
        let output = writer.commit_stage(&facts(), &fingerprint("1"), &tables, notes).unwrap();
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
        assert_eq!(lake.snapshots().unwrap(), [first]);
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
        assert_eq!(lake.current().unwrap(), None);
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
        let until: Vec<_> = lake.snapshots().unwrap().iter().map(SnapshotManifest::captured_until).collect();
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
        let text = std::fs::read_to_string(&path).unwrap();
        let change = |from: &str, to: &str| {
            assert!(text.contains(from));
            std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
            lake.snapshot(&made.id)
        };
        assert_eq!(change("\"format\": 1", "\"format\": 1, \"later\": {}").unwrap(), made);
        assert!(matches!(
            change("\"format\": 1", "\"format\": 2"),
            Err(LakeError::NewerFormat { found: 2, .. })
        ));
        let digest = &made.tables[0].sha256;
        assert!(matches!(change(digest, &"0".repeat(64)), Err(LakeError::Corrupt { .. })));
        assert!(matches!(change("{", "["), Err(LakeError::Json { .. })));
    }

    #[test]
    fn a_broken_pointer_is_an_error_to_readers_and_mended_by_the_writer() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        let made = writer.commit_snapshot(draft(&["a"], "1", 15)).unwrap();
        std::fs::write(lake.root().join(CURRENT), "{").unwrap();
        assert!(matches!(lake.current(), Err(LakeError::Json { .. })));
        assert!(writer.set_current(&made.id, noon()).unwrap());
        assert_eq!(lake.current().unwrap(), Some(made.id.clone()));
        std::fs::write(lake.root().join(CURRENT), r#"{"format": 7}"#).unwrap();
        assert!(matches!(writer.set_current(&made.id, noon()), Err(LakeError::NewerFormat { .. })));
    }
}
