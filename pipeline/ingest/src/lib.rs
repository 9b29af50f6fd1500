//! Source files to source facts: typed rows that keep file, line and digest, and findings for the rest.
//!
//! One module per source. A row is either in a facts table or in a finding: rows in = rows out + rows set
//! aside, per file, in [`FileCount`].

mod address;
pub mod articles;
mod csv_table;
mod feeds;
pub mod images;
mod instant;
mod items;
mod layout;
#[cfg(test)]
mod mutate;
pub mod news;
mod parse;
mod record;
mod row;
pub mod statsdb;
pub mod statsdb_ids;
pub mod videos;
pub mod wire;

use arrow::array::RecordBatch;
use bytes::Bytes;
use fdna_model::Finding;
use fdna_schemas::ColumnError;

/// What one capture of a source became.
#[derive(Debug)]
pub struct Ingested {
    /// Facts tables by contract name.
    pub tables: Vec<(String, RecordBatch)>,
    pub findings: Vec<Finding>,
    pub counts: Vec<FileCount>,
}

/// Rows of one file: `rows_in == rows_out + set_aside`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileCount {
    pub file: String,
    pub rows_in: usize,
    pub rows_out: usize,
    pub set_aside: usize,
}

/// A failure that no single row explains. Bad rows are findings, not errors.
#[derive(Debug, thiserror::Error)]
pub enum IngestError {
    #[error("read `{file}` as CSV")]
    Csv {
        file: String,
        #[source]
        source: csv::Error,
    },
    #[error("read the columns of `{file}`")]
    Columns {
        file: String,
        #[source]
        source: polars::error::PolarsError,
    },
    #[error("read `{file}`: the scan counts {scanned} rows, the columns {columns}")]
    RowCount { file: String, scanned: usize, columns: usize },
    #[error("build facts table `{table}`")]
    Table {
        table: String,
        #[source]
        source: ColumnError,
    },
    #[error("find a contract for source `{0}`")]
    UnknownSource(String),
}

/// Reads one capture of `source`, given as file names and contents.
///
/// # Errors
/// The source is unknown, or a file cannot be taken apart into rows at all. A missing file or column is a
/// fatal finding, so that the report names all of them at once.
pub fn ingest(source: &str, files: &[(String, Bytes)]) -> Result<Ingested, IngestError> {
    match source {
        statsdb::SOURCE => statsdb::ingest(files),
        statsdb_ids::SOURCE => statsdb_ids::ingest(files),
        images::SOURCE => images::ingest(files),
        articles::SOURCE => articles::ingest(files),
        wire::SOURCE => wire::ingest(files),
        news::SOURCE => news::ingest(files),
        videos::SOURCE => videos::ingest(files),
        other => Err(IngestError::UnknownSource(other.to_owned())),
    }
}
