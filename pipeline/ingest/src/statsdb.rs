//! The statistics source in the six-file CSV layout of its public scrapes: UFC events, bouts told by names.

mod files;

use bytes::Bytes;

use crate::layout::SourceLayout;
use crate::{IngestError, IngestedCapture};

/// Name of the source in captures, ids and contracts.
pub const SOURCE: &str = "statsdb";

pub(crate) const LAYOUT: SourceLayout =
    SourceLayout { source: SOURCE, reader: files::read, identity: files::identity };

/// Reads the six files.
///
/// # Errors
/// A facts table cannot be built.
pub fn ingest(files: &[(String, Bytes)]) -> Result<IngestedCapture, IngestError> {
    LAYOUT.ingest(files)
}
