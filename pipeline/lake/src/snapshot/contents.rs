//! The tables and origins of a snapshot: as a draft, and as its manifest states them.

use arrow::array::RecordBatch;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use crate::digest::DigestParts;
use crate::heads::HeadAnchor;
use crate::keys::join_keys;
use crate::manifest::{MANIFEST, TableEntry, instant, optional_date, optional_instant, tables_into};
use crate::{DATA_FORMAT, Fingerprint, LogHeads, MANIFEST_FORMAT, PipelineStage, SnapshotId, StageOutput};

/// A stage output that a snapshot was made of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SnapshotInput {
    /// The stage.
    pub stage: PipelineStage,
    /// Fingerprint of the inputs.
    pub fingerprint: Fingerprint,
}

impl From<&StageOutput> for SnapshotInput {
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

/// Origin of a table of a snapshot; the snapshot is the same either way.
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

/// A snapshot to be committed; the order of nothing in it matters.
#[derive(Clone, Debug)]
pub struct SnapshotDraft {
    /// The tables, by name.
    pub tables: Vec<(String, DraftTable)>,
    /// Version of the data contract as a whole.
    pub contract_version: String,
    /// Versions of the Fight DNA definition in the tables.
    pub definition_versions: Vec<String>,
    /// Stage outputs that it was made of; they are kept as long as the snapshot.
    pub inputs: Vec<SnapshotInput>,
    /// Captures that it was made of.
    pub captures: Vec<CaptureRef>,
    /// Licences whose sources count; none where every source does.
    pub licences: Vec<String>,
    /// Whether any capture of it was made up.
    pub synthetic: bool,
    /// Date of the last event with facts in it; `None` if there is none.
    pub facts_until: Option<NaiveDate>,
    /// Of a snapshot of what was known at an earlier time, that time.
    pub known_at: Option<DateTime<Utc>>,
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
    /// Licences whose sources count, sorted; none where every source does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub licences: Vec<String>,
    /// Whether any capture of it was made up.
    pub synthetic: bool,
    /// Date of the last event with facts in it; `None` if there is none.
    #[serde(with = "optional_date")]
    pub facts_until: Option<NaiveDate>,
    /// Captures that it was first made of, sorted.
    pub captures: Vec<CaptureRef>,
    /// Stage outputs that it was first made of, sorted.
    pub inputs: Vec<SnapshotInput>,
    /// The tables, by name.
    pub tables: Vec<TableEntry>,
    /// Version of the lake's bytes that it was written in, [`DATA_FORMAT`] at the time.
    pub data_format: u32,
    /// Of a snapshot of what was known at an earlier time, that time.
    #[serde(default, with = "optional_instant", skip_serializing_if = "Option::is_none")]
    pub known_at: Option<DateTime<Utc>>,
    /// Lengths of the logs and the ledger when it was first made; `None` in a lake without logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_heads: Option<LogHeads>,
}

impl SnapshotManifest {
    pub(super) fn new(draft: SnapshotDraft, tables: Vec<TableEntry>) -> Self {
        let mut manifest = Self {
            format: MANIFEST_FORMAT,
            id: SnapshotId(String::new()),
            contract_version: draft.contract_version,
            definition_versions: draft.definition_versions,
            licences: draft.licences,
            synthetic: draft.synthetic,
            facts_until: draft.facts_until,
            captures: draft.captures,
            inputs: draft.inputs,
            tables,
            data_format: DATA_FORMAT,
            known_at: draft.known_at,
            log_heads: None,
        };
        manifest.definition_versions.sort();
        manifest.licences.sort();
        manifest.captures.sort();
        manifest.inputs.sort();
        manifest.id = manifest.id_of();
        manifest
    }

    pub(super) fn id_of(&self) -> SnapshotId {
        let parts = DigestParts::default()
            .add_number(self.data_format)
            .add_part("snapshot")
            .add_part(&self.contract_version);
        let parts = self.definition_versions.iter().fold(parts, DigestParts::add_part);
        let parts = match self.licences.as_slice() {
            [] => parts,
            licences => licences.iter().fold(parts.add_part("licences"), DigestParts::add_part),
        };
        let parts = parts.add_part("tables");
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
        snapshot_folder(&self.id)
    }

    /// The head anchor in the manifest.
    pub(crate) fn head_anchor(&self) -> Option<HeadAnchor> {
        let key = join_keys(&self.folder(), MANIFEST);
        self.log_heads.clone().map(|heads| HeadAnchor { key, heads })
    }

    pub(crate) fn expected_files(&self) -> Vec<(String, &str)> {
        let folder = self.folder();
        self.tables
            .iter()
            .map(|t| (format!("{folder}/tables/{}.parquet", t.name), t.sha256.as_str()))
            .collect()
    }
}

pub(super) fn snapshot_folder(id: &SnapshotId) -> String {
    format!("snapshots/{id}")
}
