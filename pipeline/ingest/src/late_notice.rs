//! Late replacements and missed weights: bouts of all promotions, by ids of the source's own, with the fighters'
//! ids at the statistics source where it knows them.

mod files;

use bytes::Bytes;

use crate::{IngestError, Ingested, layout};

/// Name of the source in captures, ids and contracts.
pub const SOURCE: &str = "late-notice";

/// Reads the four files.
///
/// # Errors
/// A file cannot be taken apart into rows.
pub fn ingest(files: &[(String, Bytes)]) -> Result<Ingested, IngestError> {
    layout::ingest(SOURCE, files, files::read)
}
