//! Why a panel cannot be made.

use arrow::error::ArrowError;
use chrono::NaiveDate;
use fdna_schemas::{ColumnError, TableError};

/// Why there is no panel.
#[derive(Debug, thiserror::Error)]
pub enum PanelError {
    #[error("find the contract of a panel")]
    Contract(#[from] TableError),
    #[error("read the DNA versions")]
    Column(#[from] ColumnError),
    /// The first row, from 0, that does not come after the one before it.
    #[error("read the DNA versions: row {row} does not come after the one before it by fighter and date")]
    Order { row: usize },
    /// Rows that another engine made are not what they must be.
    #[error("trust the panel of {as_of}: {what}")]
    Wrong { as_of: NaiveDate, what: String },
    #[error("gather the rows of a panel")]
    Arrow(#[from] ArrowError),
}
