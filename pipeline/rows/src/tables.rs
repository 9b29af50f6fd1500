//! Normalised tables on their way from step to step.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use fdna_schemas::tables::ContractReader;
use fdna_schemas::{TableReader, Tables};

use crate::RowsError;
use crate::layout::{TableRow, to_batch};

/// Tables by contract name.
#[derive(Debug, Default, Clone)]
pub struct TableSet(pub BTreeMap<String, RecordBatch>);

impl TableSet {
    /// # Errors
    /// The table is not among them.
    pub fn table_reader<'a>(&'a self, table: &'a str) -> Result<TableReader<'a>, RowsError> {
        Ok(TableReader::new(table, self.table_batch(table)?))
    }

    /// The table that `R` reads.
    ///
    /// # Errors
    /// It is not among them.
    pub fn read_table<'a, R: ContractReader<'a>>(&'a self) -> Result<R, RowsError> {
        Ok(R::of(self.table_batch(R::TABLE)?))
    }

    pub fn table_batch(&self, table: &str) -> Result<&RecordBatch, RowsError> {
        self.0.get(table).ok_or_else(|| RowsError::MissingTable {
            capture: "all captures".to_owned(),
            table: table.to_owned(),
        })
    }
}

/// Rows of a table, sorted by its key, as a batch.
pub fn sorted_batch(table: &str, mut rows: Vec<TableRow>) -> Result<(String, RecordBatch), RowsError> {
    let table = Tables::get().table(table)?;
    crate::sort_by_key(table, &mut rows);
    Ok((table.name.clone(), to_batch(table, &rows)?))
}
