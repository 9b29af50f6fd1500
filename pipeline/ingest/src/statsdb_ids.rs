//! The statistics source in the five-file CSV layout of all promotions, keyed by its ids.

mod files;

use bytes::Bytes;

use crate::layout::SourceLayout;
use crate::{IngestError, IngestedCapture};

/// Name of the source in captures and contracts; its ids are those of [`crate::statsdb`].
pub const SOURCE: &str = "statsdb-ids";

pub(crate) const LAYOUT: SourceLayout =
    SourceLayout { source: SOURCE, reader: files::read, identity: files::identity };

/// Reads the five files.
///
/// # Errors
/// A facts table cannot be built.
pub fn ingest(files: &[(String, Bytes)]) -> Result<IngestedCapture, IngestError> {
    LAYOUT.ingest(files)
}
