//! A table with more columns than should be decoded at once.

use std::fmt::Debug;
use std::ops::Range;

use arrow::array::RecordBatch;

use super::DatasetError;

/// Rows to decode at once: all of them could take many times the room, and fewer than a page has would have pages decoded
/// twice.
pub(crate) const DECODED_AT_ONCE: usize = 20_000;

/// Gives columns of a table as they are asked for, from any thread.
pub trait LazyColumns: Debug + Send + Sync {
    /// How many rows the table has.
    fn n_rows(&self) -> usize;

    /// Some rows of these columns, in the order of the table; those that it does not have are left out. Texts may
    /// come as they are, or as dictionaries with `Int32` codes.
    ///
    /// # Errors
    /// [`DatasetError::Table`].
    fn columns(&self, names: &[&str], rows: Range<usize>) -> Result<RecordBatch, DatasetError>;
}

impl LazyColumns for RecordBatch {
    fn n_rows(&self) -> usize {
        self.num_rows()
    }

    fn columns(&self, names: &[&str], rows: Range<usize>) -> Result<RecordBatch, DatasetError> {
        let places: Vec<usize> = names.iter().filter_map(|name| self.schema().index_of(name).ok()).collect();
        let columns = self.project(&places).map_err(|source| DatasetError::Table(Box::new(source)))?;
        Ok(columns.slice(rows.start, rows.len()))
    }
}
