//! Tables that stay in their file: too large to be kept, and only ever asked for by the first column of their key, so that a
//! request reads the few rows that stand together there.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use arrow::array::{Array as _, RecordBatch, StringArray};
use fdna_schemas::{ColumnType, Table};

use crate::RouteCatalog;
use crate::cell::AskedValue;
use crate::table::{CatalogTable, TableNeeds, TablesError};

/// What reads rows of a table, in the order of its key, from where they are kept.
pub trait RowSource: fmt::Debug + Send + Sync {
    /// The rows from one place to another, with the columns of the contract.
    ///
    /// # Errors
    /// They cannot be read.
    fn rows(&self, rows: Range<u32>) -> Result<RecordBatch, Box<dyn Error + Send + Sync>>;
}

/// A table of which only the places of the subjects are in memory.
#[derive(Debug)]
pub struct PagedTable {
    contract: &'static Table,
    rows: u32,
    /// Each value of the first column of the key, ascending, with its first row.
    subjects: Vec<(Box<str>, u32)>,
    source: Box<dyn RowSource>,
}

impl RouteCatalog {
    /// Whether every route that reads this table names one value of the first column of its key.
    #[must_use]
    pub fn asks_by_subject(&self, table: &Table) -> bool {
        let Some(subject) = table.key_places().first().copied() else { return false };
        let mut parts = self.data().flat_map(|data| &data.parts).filter(|part| part.table.name == table.name);
        let mut entities = self.data().flat_map(|data| data.entities.iter().flatten());
        table.columns[subject].kind == ColumnType::String
            && entities.all(|entity| entity.table.name != table.name)
            && parts.all(|part| matches!(part.path.as_slice(), [columns] if *columns == [subject]))
    }
}

impl PagedTable {
    /// A table of these rows, of which `subjects` is the first column of the key; `None` if they do not stand in its order.
    #[must_use]
    pub fn new(contract: &'static Table, subjects: &StringArray, source: Box<dyn RowSource>) -> Option<Self> {
        let rows = u32::try_from(subjects.len()).ok()?;
        let mut places: Vec<(Box<str>, u32)> = Vec::new();
        for (row, subject) in (0..rows).zip(subjects) {
            let subject = subject?;
            match places.last() {
                Some((last, _)) if **last == *subject => {}
                Some((last, _)) if **last > *subject => return None,
                _ => places.push((subject.into(), row)),
            }
        }
        Some(Self { contract, rows, subjects: places, source })
    }

    pub(crate) fn contract(&self) -> &'static Table {
        self.contract
    }

    pub(crate) fn len(&self) -> u32 {
        self.rows
    }

    /// Places of the rows of a subject.
    fn span(&self, subject: &AskedValue) -> Range<u32> {
        let AskedValue::Text(subject) = subject else { return 0..0 };
        let Ok(place) = self.subjects.binary_search_by(|(one, _)| (**one).cmp(subject)) else { return 0..0 };
        let end = self.subjects.get(place + 1).map_or(self.rows, |(_, first)| *first);
        self.subjects[place].1..end
    }

    pub(crate) fn has(&self, subject: &AskedValue) -> bool {
        !self.span(subject).is_empty()
    }

    /// The rows of a subject, as a table.
    pub(crate) fn of(&self, subject: &AskedValue) -> Result<CatalogTable, TablesError> {
        let fault = |source| TablesError::Read { table: &self.contract.name, source };
        let rows = self.source.rows(self.span(subject)).map_err(fault)?;
        CatalogTable::of_batch(self.contract, rows, TableNeeds::default())
    }
}
