//! Judges' scores of every round, deductions and weights on the scales: bouts of all promotions, by ids of the
//! source's own.

mod files;

use bytes::Bytes;

use crate::{IngestError, Ingested, layout};

/// Name of the source in captures, ids and contracts.
pub const SOURCE: &str = "scorecards";

/// Reads the six files.
///
/// # Errors
/// A file cannot be taken apart into rows.
pub fn ingest(files: &[(String, Bytes)]) -> Result<Ingested, IngestError> {
    layout::ingest(SOURCE, files, files::read)
}
