//! The statistics source in the six-file CSV layout of its public scrapes: UFC events, bouts told by names.

mod files;

use bytes::Bytes;

use crate::layout::{self, Layout};
use crate::{IngestError, Ingested};

/// Name of the source in captures, ids and contracts.
pub const SOURCE: &str = "statsdb";

pub(crate) const LAYOUT: Layout = Layout { source: SOURCE, reader: files::read, identity: files::identity };

/// Reads the six files.
///
/// # Errors
/// A file cannot be taken apart into rows.
pub fn ingest(files: &[(String, Bytes)]) -> Result<Ingested, IngestError> {
    layout::ingest(LAYOUT, files)
}
