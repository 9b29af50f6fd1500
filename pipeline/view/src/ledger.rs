//! The fight-week ledger as it is served: rows of its table, found by bout.

use std::collections::HashMap;

use arrow::array::RecordBatch;
use arrow::compute::concat_batches;
use chrono::{DateTime, Utc};
use fdna_schemas::tables::{ContractReader as _, LedgerReader};
use fdna_schemas::{ColumnError, Tables};
use uuid::Uuid;

mod row;

pub(crate) use row::{LedgerRecord, RowError};

use crate::dataset::columns::instant;

/// Why a ledger cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// A column is missing or not what the contract says.
    #[error("cannot read a column of the ledger")]
    Column(#[from] ColumnError),
    /// Parts do not fit together.
    #[error("cannot put the parts of the ledger together")]
    Parts(#[from] arrow::error::ArrowError),
    /// This build has no contract for it.
    #[error("no contract for the ledger")]
    Contract(#[from] fdna_schemas::TableError),
}

/// Where a row stands, and what it is found by.
#[derive(Debug, Clone)]
pub(crate) struct LedgerRowRef {
    /// Row of the table.
    pub(crate) row: usize,
    pub(crate) checkpoint: String,
    pub(crate) valid_at: DateTime<Utc>,
    pub(crate) recorded_at: DateTime<Utc>,
}

/// All rows of the ledger up to one head.
#[derive(Debug)]
pub struct Ledger {
    rows: RecordBatch,
    /// In the order in which they were written, by the bout's id then.
    by_bout: HashMap<Uuid, Vec<LedgerRowRef>>,
    head: String,
    moved_at: DateTime<Utc>,
}

impl Ledger {
    /// Indexes the parts of a ledger, in order; `head` is the digest of the last row, `moved_at` when it was written.
    ///
    /// # Errors
    /// They do not follow the contract.
    pub fn build(parts: &[RecordBatch], head: String, moved_at: DateTime<Utc>) -> Result<Self, LedgerError> {
        let rows = concat_batches(&Tables::get().table("ledger")?.arrow_schema(), parts)?;
        let table = LedgerReader::of(&rows);
        let times = table.valid_at()?.into_iter().zip(table.recorded_at()?);
        let places = table.bout_id()?.into_iter().zip(table.checkpoint()?).zip(times).enumerate();
        let mut by_bout: HashMap<Uuid, Vec<LedgerRowRef>> = HashMap::new();
        for (row, ((bout, checkpoint), (valid_at, recorded_at))) in places {
            let place = LedgerRowRef { row, checkpoint: checkpoint.to_owned(), valid_at, recorded_at };
            by_bout.entry(bout).or_default().push(place);
        }
        Ok(Self { rows, by_bout, head, moved_at })
    }

    /// Digest of the last row.
    #[must_use]
    pub fn head(&self) -> &str {
        &self.head
    }

    /// When it last grew, RFC 3339.
    pub(crate) fn moved_at(&self) -> String {
        instant(self.moved_at)
    }

    /// When it last grew.
    pub fn moved(&self) -> DateTime<Utc> {
        self.moved_at
    }

    /// Rows of a bout under all ids that it ever had, the oldest first: by when they held, then as written.
    pub(crate) fn of_bout(&self, ids: &[Uuid]) -> Vec<&LedgerRowRef> {
        let mut places: Vec<&LedgerRowRef> =
            ids.iter().filter_map(|id| self.by_bout.get(id)).flatten().collect();
        places.sort_by_key(|place| (place.valid_at, place.row));
        places
    }

    /// One row, to be read.
    pub(crate) fn row(&self, place: &LedgerRowRef) -> LedgerRecord {
        LedgerRecord(self.rows.slice(place.row, 1))
    }
}
