//! A table with more columns than should be decoded at once.

use std::fmt::Debug;

use arrow::array::RecordBatch;

use super::DatasetError;

/// Gives columns of a table as they are asked for, from any thread.
pub trait LazyColumns: Debug + Send + Sync {
    /// Every row of these columns, in the order of the table; those that it does not have are left out. Texts may
    /// come as they are, or as dictionaries with `Int32` codes.
    ///
    /// # Errors
    /// [`DatasetError::Table`].
    fn columns(&self, names: &[&str]) -> Result<RecordBatch, DatasetError>;
}

impl LazyColumns for RecordBatch {
    fn columns(&self, names: &[&str]) -> Result<RecordBatch, DatasetError> {
        let places: Vec<usize> = names.iter().filter_map(|name| self.schema().index_of(name).ok()).collect();
        self.project(&places).map_err(|source| DatasetError::Table(Box::new(source)))
    }
}
