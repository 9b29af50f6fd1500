//! Errors of the lake, one variant per operation. A message says what failed and with what; the cause is the source.

use std::io;
use std::path::PathBuf;

use arrow::error::ArrowError;
use chrono::{DateTime, NaiveDate, Utc};
use parquet::errors::ParquetError;

use crate::SnapshotId;

/// Errors of the lake.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LakeError {
    /// A file could not be read.
    #[error("cannot read `{path}`")]
    Read { path: PathBuf, source: io::Error },
    /// Where a file should be is something else, that is not opened: reading it might never end.
    #[error("`{path}` is {found}, not a regular file")]
    NotAFile { path: PathBuf, found: &'static str },
    /// A file could not be written or synced.
    #[error("cannot write `{path}`")]
    Write { path: PathBuf, source: io::Error },
    /// A folder could not be listed.
    #[error("cannot list `{path}`")]
    List { path: PathBuf, source: io::Error },
    /// A folder could not be made.
    #[error("cannot create folder `{path}`")]
    CreateFolder { path: PathBuf, source: io::Error },
    /// A folder could not be synced, so that a name in it may not outlive a power cut.
    #[error("cannot sync folder `{path}`")]
    SyncFolder { path: PathBuf, source: io::Error },
    /// A finished file or folder could not get its final name.
    #[error("cannot rename `{from}` to `{to}`")]
    Rename { from: PathBuf, to: PathBuf, source: io::Error },
    /// A file or folder could not be removed.
    #[error("cannot remove `{path}`")]
    Remove { path: PathBuf, source: io::Error },
    /// The lock file could not be opened, locked or written.
    #[error("cannot lock `{path}`")]
    Lock { path: PathBuf, source: io::Error },
    /// Another writer is at work. `since` is absent where it could not say so; `place` is its process and host.
    #[error(
        "the lake is held by {owner} since {}{}",
        since.map_or("just now".to_owned(), |t| t.to_rfc3339()),
        place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default()
    )]
    Locked { owner: String, since: Option<DateTime<Utc>>, place: Option<String> },
    /// A manifest, `current.json` or run report is not the JSON it should be.
    #[error("cannot parse `{path}`")]
    Json { path: PathBuf, source: serde_json::Error },
    /// A value could not be turned into JSON.
    #[error("cannot write `{path}` as JSON")]
    ToJson { path: PathBuf, source: serde_json::Error },
    /// A manifest was written by a newer build in a format that this one does not know.
    #[error("`{path}` has format {found}, and this program knows up to {known}; use a newer program")]
    NewerFormat { path: PathBuf, found: u64, known: u32 },
    /// The bytes are not those that were committed.
    #[error("checksum mismatch in `{path}`: expected {expected}, found {found}")]
    Corrupt { path: PathBuf, expected: String, found: String },
    /// A line of a log is not the one that was written, or not where it was.
    #[error("line {line} of `{path}` is damaged: {why}")]
    LogDamaged { path: PathBuf, line: usize, why: String },
    /// Entries are missing at the end of a log or ledger, or all of it: `anchor` was made when it went further.
    #[error("`{path}` is cut short: it ends before entry {entries}, which `{anchor}` names")]
    LogCut { path: PathBuf, entries: u32, anchor: String },
    /// A file that a manifest names is not there.
    #[error("`{path}` is missing, which its manifest names")]
    Gone { path: PathBuf },
    /// There are snapshots, but nothing says which of them is served.
    #[error("`{path}` is missing, which names the current snapshot; `fightdna rollback --to ID` sets it")]
    NoPointer { path: PathBuf },
    /// No whole snapshot has this id.
    #[error("no snapshot {id}; `fightdna snapshots list` lists them")]
    NoSnapshot { id: SnapshotId },
    /// There is no report of this run.
    #[error("no report of run `{id}`")]
    NoRun { id: String },
    /// A capture, stage output or snapshot has no file or table of this name.
    #[error("no `{name}` in `{folder}`")]
    NoEntry { name: String, folder: PathBuf },
    /// A lake is to be copied to where there is one.
    #[error("`{path}` holds a lake with a current snapshot already; copy to another place")]
    NotEmpty { path: PathBuf },
    /// A name from outside cannot be a file name of the lake.
    #[error("{name:?} is not valid as {what}: {why}")]
    Name { what: &'static str, name: String, why: &'static str },
    /// A capture without files.
    #[error("a capture of `{origin}` has no files")]
    EmptyCapture { origin: String },
    /// Another capture, of other content, has the same id.
    #[error("capture `{path}` exists with other content")]
    Taken { path: PathBuf },
    /// The lake never had such a capture.
    #[error("no capture {id} of `{origin}`; `fightdna captures list` lists them")]
    NoCapture { origin: String, id: String },
    /// The same files were withdrawn by a person.
    #[error(
        "capture {id} of `{origin}` was withdrawn; `fightdna captures restore {origin} {id}` restores it"
    )]
    WasWithdrawn { origin: String, id: String },
    /// A lake holds real captures or made-up ones, never both.
    #[error("cannot import a {} capture of `{origin}`: this lake has {} ones; give another folder with --lake", kind_of(*synthetic), kind_of(!synthetic))]
    OtherKind { origin: String, synthetic: bool },
    /// Another capture of the source has the same time, and other content.
    #[error("`{origin}` has a capture of {} already, {there}; if this one corrects it: `fightdna captures replace {origin} {there} --with FOLDER --reason …`", at.to_rfc3339())]
    SameTime { origin: String, at: DateTime<Utc>, there: String },
    /// A table does not follow its contract.
    #[error("table `{table}` breaks its contract")]
    Contract { table: String, source: ContractError },
    /// A table could not be encoded as Parquet.
    #[error("cannot encode table `{table}`")]
    Encode { table: String, source: ParquetError },
    /// A file is no readable Parquet.
    #[error("cannot decode `{path}`")]
    Decode { path: PathBuf, source: ParquetError },
}

impl LakeError {
    /// Whether there is no room: on the disk, or in what the user may have of it.
    #[must_use]
    pub fn is_full(&self) -> bool {
        let source = match self {
            Self::Write { source, .. }
            | Self::CreateFolder { source, .. }
            | Self::SyncFolder { source, .. }
            | Self::Rename { source, .. }
            | Self::Remove { source, .. }
            | Self::Lock { source, .. } => source,
            _ => return false,
        };
        matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
    }

    /// Whether what was read is not what was once written there, or is gone: then the same may be put in its place.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Corrupt { .. } | Self::Gone { .. } | Self::Json { .. } | Self::NotAFile { .. })
    }
}

/// Difference of a table from its contract.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContractError {
    /// No table of that name has a contract.
    #[error("it has no contract")]
    Unknown,
    /// One commit has two tables of that name.
    #[error("it is given twice")]
    Twice,
    /// The file was written under another version of the contract.
    #[error("its contract has version {expected}, the file {found}")]
    Version { expected: u32, found: u32 },
    /// A column of the contract is missing.
    #[error("column `{column}` is missing")]
    Missing { column: String },
    /// A column is not in the contract, or there twice.
    #[error("column `{column}` is not in the contract, or there twice")]
    Extra { column: String },
    /// A column has another type.
    #[error("column `{column}` is {found}, not {expected}")]
    Type { column: String, expected: String, found: String },
    /// A column has another number of rows than the table.
    #[error("column `{column}` has {found} rows, not {expected}")]
    Length { column: String, expected: usize, found: usize },
    /// It has another number of rows than there must be.
    #[error("it has {found} rows, not {expected}")]
    Rows { expected: usize, found: usize },
    /// A partition has rows of another.
    #[error("column `{column}` is not {expected} in every row")]
    Partition { column: String, expected: NaiveDate },
    /// A column that is never null has a null; the first such row, from 0.
    #[error("column `{column}` is null in row {row}")]
    Null { column: String, row: usize },
    /// A row, counted from 0, does not come after the one before it by the key: unsorted, or there twice.
    #[error("row {row} does not come after the one before it by ({key})")]
    Order { row: usize, key: String },
    /// The columns make no table.
    #[error("columns have different lengths")]
    Arrow(#[source] ArrowError),
}

fn kind_of(synthetic: bool) -> &'static str {
    if synthetic { "synthetic" } else { "real" }
}
