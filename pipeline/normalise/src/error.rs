//! Errors of normalisation.

use fdna_rows::RowsError;
use fdna_schemas::{ColumnError, TableError};

/// A table that is missing or not what its contract says, or a layout that nobody knows. Bad rows are findings.
#[derive(Debug, thiserror::Error)]
pub enum NormaliseError {
    #[error(transparent)]
    Rows(#[from] RowsError),
    #[error("the statistics source has no layout called `{0}`")]
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
