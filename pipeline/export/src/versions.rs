//! Versions of an export: one small file for each snapshot that became current, of which logs and documents are made.

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDate, Utc};
use fdna_lake::{PublicationKind, SnapshotId};
use serde::{Deserialize, Serialize};

use crate::columns::ExportedColumn;

/// Format of the files in `_snapshots`.
pub(crate) const FORMAT: u32 = 1;

/// A snapshot that was current from some time on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExportedVersion {
    /// Format number.
    pub format: u32,
    /// Place in the order of versions, from 0.
    pub version: u64,
    /// Id of the snapshot.
    pub snapshot: SnapshotId,
    /// Time at which it became current, in UTC.
    pub published_at: DateTime<Utc>,
    /// Whether a run published it or a person went back to it.
    pub kind: PublicationKind,
    /// Whether any of it is made up.
    pub synthetic: bool,
    /// Date of the last event with facts in it.
    pub facts_until: Option<NaiveDate>,
    /// Licences of which sources count; none where every source does.
    pub licences: Vec<String>,
    /// Names of the sources of its captures, sorted.
    pub sources: Vec<String>,
    /// Its tables, by name.
    pub tables: Vec<ExportedTable>,
}

/// A table of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportedTable {
    /// Name.
    pub name: String,
    /// Number of rows.
    pub rows: u64,
    /// Bytes of its file.
    pub bytes: u64,
    /// Digest of its file, 64 hex digits.
    pub sha256: String,
    /// What the table is; absent where it is as in the version before that has the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<ExportedSchema>,
}

impl ExportedTable {
    /// Name of its file, beside the log.
    #[must_use]
    pub fn file_name(&self) -> String {
        format!("{}.parquet", self.sha256)
    }
}

/// What a table is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportedSchema {
    /// What its rows say.
    pub meaning: Option<String>,
    /// What one row is.
    pub grain: Option<String>,
    /// Columns that identify a row.
    pub key: Vec<String>,
    /// Columns, in their order.
    pub columns: Vec<ExportedColumn>,
}

impl ExportedVersion {
    /// The table of this name.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<&ExportedTable> {
        self.tables.iter().find(|table| table.name == name)
    }
}

/// All versions of an export, the oldest first; version K is at place K.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VersionHistory {
    versions: Vec<ExportedVersion>,
}

impl VersionHistory {
    /// Adds the next one.
    pub fn push(&mut self, version: ExportedVersion) {
        self.versions.push(version);
    }

    /// The versions.
    #[must_use]
    pub fn versions(&self) -> &[ExportedVersion] {
        &self.versions
    }

    /// The newest.
    #[must_use]
    pub fn newest(&self) -> Option<&ExportedVersion> {
        self.versions.last()
    }

    /// Names of all tables that any version has.
    #[must_use]
    pub fn table_names(&self) -> BTreeSet<&str> {
        self.versions.iter().flat_map(|version| &version.tables).map(|table| table.name.as_str()).collect()
    }

    /// The table in a version; what the newest before it had where that one lacks the table.
    pub(crate) fn table_until(&self, name: &str, version: usize) -> Option<&ExportedTable> {
        let until = &self.versions[..self.versions.len().min(version + 1)];
        until.iter().rev().find_map(|version| version.table(name))
    }

    /// What the table is in a version; in those before the first that has it, what it is in that one.
    pub(crate) fn schema_at(&self, name: &str, version: usize) -> Option<&ExportedSchema> {
        let stated =
            |version: &'_ ExportedVersion| version.table(name).is_some_and(|table| table.schema.is_some());
        let until = &self.versions[..self.versions.len().min(version + 1)];
        let at = until.iter().rposition(stated).or_else(|| self.versions.iter().position(stated))?;
        self.versions[at].table(name)?.schema.as_ref()
    }
}
