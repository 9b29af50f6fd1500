//! Rows as values, in the order of their table's contract: what normalisation, entity resolution and enrichment make
//! their tables of. Below them, so that none of the three has to name another.

mod layout;
mod packed;
pub mod quarantine;
mod tables;

use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use chrono::{DateTime, Utc};
use fdna_schemas::tables::ContractReader;
use fdna_schemas::{ColumnError, TableError};
use serde::{Deserialize, Serialize};

pub use layout::{CellValue, LAST_CAPTURE, Real, TableRow, from_batch, row_cells, sort_by_key, to_batch};
pub use packed::PackedRow;
pub use quarantine::{SetAside, quarantine_of_all, quarantine_table};
pub use tables::{TableSet, sorted_batch};

/// The facts tables of one capture.
pub struct CaptureFacts {
    /// The source, as captures name it; for the statistics source the layout.
    pub source: String,
    /// Id of the capture.
    pub capture: String,
    pub captured_at: DateTime<Utc>,
    /// By contract name.
    pub tables: BTreeMap<String, RecordBatch>,
    /// Rows that ingest set aside, of the `quarantine` table.
    pub set_aside: RecordBatch,
}

impl CaptureFacts {
    /// The facts that `R` reads.
    ///
    /// # Errors
    /// The capture has no such table.
    pub fn read_table<'a, R: ContractReader<'a>>(&'a self) -> Result<R, RowsError> {
        Ok(R::of(self.table_batch(R::TABLE)?))
    }

    /// # Errors
    /// As for [`Self::read_table`].
    pub fn table_batch(&self, table: &str) -> Result<&RecordBatch, RowsError> {
        self.tables
            .get(table)
            .ok_or_else(|| RowsError::MissingTable { capture: self.capture.clone(), table: table.to_owned() })
    }
}

/// Normalised tables and what happened on the way.
#[derive(Debug)]
pub struct Normalised {
    /// By contract name, each sorted by its key.
    pub tables: Vec<(String, RecordBatch)>,
    pub counts: Vec<TableCount>,
}

/// Rows of one facts table of one capture: `rows_in == rows_out + set_aside`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableCount {
    pub capture: String,
    pub table: String,
    pub rows_in: usize,
    pub rows_out: usize,
    pub set_aside: usize,
}

#[derive(Debug, thiserror::Error)]
pub enum RowsError {
    #[error("no facts table `{table}` for capture `{capture}`")]
    MissingTable { capture: String, table: String },
    #[error("cannot read or build a table")]
    Column(#[from] ColumnError),
    #[error("no contract for a table")]
    Contract(#[from] TableError),
    #[error("cannot take rows of a table")]
    Take(#[from] arrow::error::ArrowError),
}
