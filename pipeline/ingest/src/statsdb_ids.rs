//! The statistics source in the five-file CSV layout of all promotions, keyed by its ids.

mod files;

use bytes::Bytes;

use crate::layout::{self, Layout};
use crate::{IngestError, Ingested};

/// Name of the source in captures and contracts; its ids are those of [`crate::statsdb`].
pub const SOURCE: &str = "statsdb-ids";

pub(crate) const LAYOUT: Layout = Layout { source: SOURCE, reader: files::read, identity: files::identity };

/// Reads the five files.
///
/// # Errors
/// A file cannot be taken apart into rows.
pub fn ingest(files: &[(String, Bytes)]) -> Result<Ingested, IngestError> {
    layout::ingest(LAYOUT, files)
}
