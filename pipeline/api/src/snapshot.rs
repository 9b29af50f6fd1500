//! Published snapshots on the wire.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{enums, formats};

/// A published snapshot, as in the list.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Snapshot {
    /// As `?snapshot=` and `X-Snapshot-Id` write it.
    #[schemars(with = "formats::SnapshotId")]
    pub id: String,
    /// Whether it is the one that is served without `?snapshot=`.
    pub is_current: bool,
    pub contract_version: String,
    /// Versions of the Fight DNA definition in its tables.
    pub definition_versions: Vec<String>,
    /// Whether any of it is made up.
    pub synthetic: bool,
    /// `YYYY-MM-DD` of the last event with facts in it.
    #[schemars(with = "Option<formats::Date>")]
    pub facts_until: Option<String>,
    /// RFC 3339 with offset: when its newest capture was taken.
    #[schemars(with = "Option<formats::Instant>")]
    pub captured_until: Option<String>,
}

/// A snapshot with all that it consists of.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
pub struct SnapshotManifest {
    #[serde(flatten)]
    pub snapshot: Snapshot,
    /// What it was first made of.
    pub captures: Vec<SnapshotCapture>,
    /// By name.
    pub tables: Vec<SnapshotTable>,
}

/// A capture that a snapshot was made of.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
pub struct SnapshotCapture {
    pub source: String,
    pub capture: String,
    /// RFC 3339 with offset.
    #[schemars(with = "formats::Instant")]
    pub captured_at: String,
}

/// A table of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
pub struct SnapshotTable {
    pub name: String,
    pub rows: u64,
    /// Bytes of its Parquet file.
    pub bytes: u64,
    /// Digest of that file, 64 hex digits.
    #[schemars(with = "formats::Sha256")]
    pub sha256: String,
    /// Version of the table's contract.
    pub contract_version: u32,
}

/// A table of a snapshot as it can be read without any code of ours.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
pub struct PublishedTable {
    #[serde(flatten)]
    pub table: SnapshotTable,
    /// What a row stands for; null, as all that follows but for links, where the table was written under another version of
    /// its contract than this server knows.
    pub grain: Option<&'static str>,
    pub meaning: Option<&'static str>,
    /// Columns that identify a row and by which rows are sorted.
    pub key: Option<&'static [String]>,
    /// In the order of the file.
    pub columns: Option<Vec<TableColumn>>,
    pub links: TableLinks,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
pub struct TableColumn {
    pub name: &'static str,
    /// Logical type: `string`, `uuid` and `json` are texts in the file, `instant` is of milliseconds in UTC.
    #[serde(rename = "type")]
    #[schemars(with = "enums::ColumnType")]
    pub kind: &'static str,
    pub unit: Option<&'static str>,
    pub meaning: &'static str,
    /// What a null says; null where a value never is.
    pub null_means: Option<&'static str>,
}

/// Where a table is.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
pub struct TableLinks {
    /// Path of its Parquet file, by the id of the snapshot.
    pub parquet: String,
    /// Path of the same rows as CSV; null of a table with more than 10,000,000 cells.
    pub csv: Option<String>,
}
