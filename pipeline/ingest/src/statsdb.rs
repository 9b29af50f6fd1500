//! The statistics source in the six-file CSV layout of its public scrapes: UFC events, bouts told by names.

mod files;

use bytes::Bytes;

use crate::{IngestError, Ingested, layout};

/// Name of the source in captures, ids and contracts.
pub const SOURCE: &str = "statsdb";

/// Reads the six files.
///
/// # Errors
/// A file cannot be taken apart into rows.
pub fn ingest(files: &[(String, Bytes)]) -> Result<Ingested, IngestError> {
    layout::ingest(SOURCE, files, files::read)
}
