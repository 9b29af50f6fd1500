//! Errors of panels.

use arrow::error::ArrowError;
use fdna_schemas::{ColumnError, TableError};

/// Why there is no panel.
#[derive(Debug, thiserror::Error)]
pub enum PanelError {
    #[error("no contract for a panel")]
    Contract(#[from] TableError),
    #[error("cannot read the DNA versions")]
    Column(#[from] ColumnError),
    /// The first row, from 0, that does not come after the one before it.
    #[error(
        "DNA versions are out of order: row {row} does not come after the one before it by fighter and date"
    )]
    Order { row: usize },
    #[error("cannot gather the rows of a panel")]
    Arrow(#[from] ArrowError),
}
