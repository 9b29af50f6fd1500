//! Source facts to events, bouts, fighters, results, scorecards and round statistics under our own ids.
//!
//! Each capture is resolved by itself, with the names that it holds (`statsdb`), and the resolved
//! captures are then merged in the order of their capture times (`merge`). So a capture says the same
//! whether older ones are there or not, and what an older one adds is visible as such.

mod capture_merger;
mod counts;
mod facts;
mod merge_table;
mod statsdb;

use fdna_rows::{CaptureFacts, Normalised, RowsError};
use fdna_schemas::{ColumnError, TableError};

pub use capture_merger::CaptureMerger;
pub use facts::{FACTS_TABLES, FactsError, facts};
pub use statsdb::PreparedUnit;

#[derive(Debug, thiserror::Error)]
pub enum NormaliseError {
    #[error(transparent)]
    Rows(#[from] RowsError),
    #[error("find a layout of the statistics source called `{0}`")]
    UnknownSource(String),
}

impl From<ColumnError> for NormaliseError {
    fn from(error: ColumnError) -> Self {
        RowsError::from(error).into()
    }
}

impl From<TableError> for NormaliseError {
    fn from(error: TableError) -> Self {
        RowsError::from(error).into()
    }
}

impl From<arrow::error::ArrowError> for NormaliseError {
    fn from(error: arrow::error::ArrowError) -> Self {
        RowsError::from(error).into()
    }
}

/// Normalises all captures of the statistics source, given in any order.
///
/// # Errors
/// A facts table is missing or does not follow its contract. Bad rows are findings in `quarantine`.
pub fn normalise(mut captures: Vec<CaptureFacts>) -> Result<Normalised, NormaliseError> {
    captures.sort_by(|a, b| (a.captured_at, &a.capture).cmp(&(b.captured_at, &b.capture)));
    let mut merging = CaptureMerger::new()?;
    for capture in captures {
        merging.add(&PreparedUnit::new(capture)?)?;
    }
    merging.finish()
}
