//! Source facts to events, bouts, fighters, results, scorecards and round statistics under our own ids.
//!
//! Each capture is resolved by itself, with the names that it holds (`statsdb`), and the resolved
//! captures are then merged in the order of their capture times (`merge`). So a capture says the same
//! whether older ones are there or not, and what an older one adds is visible as such.

mod capture_merger;
mod counts;
mod enrich;
mod facts;
mod layout;
mod link;
mod merge_table;
mod quarantine;
mod statsdb;
mod tables;

use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use chrono::{DateTime, Utc};
use fdna_schemas::{ColumnError, TableError};

pub use capture_merger::CaptureMerger;
pub use enrich::enrich;
pub use facts::{FACTS_TABLES, FactsError, facts};
pub use link::{
    DecisionError, EntityResolution, IdChange, LinkDecisions, PublishedAlias, PublishedIds, PublishedLink,
    kind_named, link,
};
pub(crate) use quarantine::quarantine_of_all;
pub use quarantine::{SetAside, quarantine_table};
pub use statsdb::PreparedUnit;
pub use tables::TableSet;

/// The facts tables of one capture.
pub struct CaptureFacts {
    /// The source, as captures name it; for the statistics source the layout.
    pub source: String,
    /// Id of the capture.
    pub capture: String,
    pub captured_at: DateTime<Utc>,
    /// By contract name.
    pub tables: BTreeMap<String, RecordBatch>,
    /// What ingest set aside: rows of the `quarantine` table.
    pub set_aside: RecordBatch,
}

/// Normalised tables and what happened on the way.
#[derive(Debug)]
pub struct Normalised {
    /// By contract name, each sorted by its key.
    pub tables: Vec<(String, RecordBatch)>,
    pub counts: Vec<TableCount>,
}

/// Rows of one facts table of one capture: `rows_in == rows_out + set_aside`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableCount {
    pub capture: String,
    pub table: String,
    pub rows_in: usize,
    pub rows_out: usize,
    pub set_aside: usize,
}

#[derive(Debug, thiserror::Error)]
pub enum NormaliseError {
    #[error("find facts table `{table}` of capture `{capture}`")]
    MissingTable { capture: String, table: String },
    #[error("find a layout of the statistics source called `{0}`")]
    UnknownSource(String),
    #[error("read or build a table")]
    Column(#[from] ColumnError),
    #[error("follow a decision")]
    Decision(#[from] DecisionError),
    #[error("find a contract")]
    Contract(#[from] TableError),
    #[error("take rows of a table")]
    Take(#[from] arrow::error::ArrowError),
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
