//! Errors of entity resolution.

use fdna_rows::RowsError;
use fdna_schemas::{ColumnError, TableError};

use crate::decisions::DecisionError;

/// Errors of entity resolution.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    #[error(transparent)]
    Rows(#[from] RowsError),
    #[error("a decision cannot be followed")]
    Decision(#[from] DecisionError),
}

impl From<ColumnError> for IdentityError {
    fn from(error: ColumnError) -> Self {
        RowsError::from(error).into()
    }
}

impl From<TableError> for IdentityError {
    fn from(error: TableError) -> Self {
        RowsError::from(error).into()
    }
}
