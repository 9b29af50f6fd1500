//! The tables of a snapshot.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use arrow::array::RecordBatch;
use fdna_schemas::Table;

use crate::data::RouteData;
use crate::paged::PagedTable;
use crate::{CatalogRoute, CatalogTable, RouteCatalog, TablesError};

/// The tables of a snapshot, by name.
#[derive(Debug, Default)]
pub struct CatalogTables(BTreeMap<&'static str, TableEntry>);

/// Where the rows of a table are.
#[derive(Debug)]
pub enum StoredTable {
    InMemory(CatalogTable),
    InFile(PagedTable),
}

/// Reads a table when somebody asks for it.
pub trait TableReader: fmt::Debug + Send + Sync {
    /// The table, indexed.
    ///
    /// # Errors
    /// It cannot be read, or does not follow its contract.
    fn read(&self) -> Result<StoredTable, TablesError>;
}

/// A table that is read once.
#[derive(Debug)]
pub struct TableEntry {
    contract: &'static Table,
    rows: u64,
    stored: OnceLock<StoredTable>,
    /// Of two who ask first, one reads, and the other waits.
    reader: Mutex<Option<Box<dyn TableReader>>>,
}

impl TableEntry {
    /// A table of so many rows, which nobody has asked for yet.
    #[must_use]
    pub fn unread(contract: &'static Table, rows: u64, reader: Box<dyn TableReader>) -> Self {
        Self { contract, rows, stored: OnceLock::new(), reader: Mutex::new(Some(reader)) }
    }

    fn stored(&self) -> Result<Option<&StoredTable>, TablesError> {
        if self.stored.get().is_none() {
            // A reader that panicked is asked again.
            let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(read) = reader.as_ref().map(|reader| reader.read()).transpose()? {
                _ = self.stored.set(read);
                *reader = None;
            }
        }
        Ok(self.stored.get())
    }
}

impl From<StoredTable> for TableEntry {
    fn from(table: StoredTable) -> Self {
        let (contract, rows) = match &table {
            StoredTable::InMemory(table) => (table.contract(), table.len()),
            StoredTable::InFile(table) => (table.contract(), table.len()),
        };
        Self { contract, rows: rows.into(), stored: table.into(), reader: Mutex::new(None) }
    }
}

impl CatalogTables {
    /// These tables, indexed for the routes of a catalog.
    ///
    /// # Errors
    /// A table does not follow its contract.
    pub fn new(
        catalog: &RouteCatalog,
        tables: impl IntoIterator<Item = (&'static Table, RecordBatch)>,
    ) -> Result<Self, TablesError> {
        let stored = |(table, rows)| CatalogTable::new(catalog, table, rows).map(StoredTable::InMemory);
        tables.into_iter().map(stored).collect()
    }

    /// Reads the tables that a route needs.
    ///
    /// # Errors
    /// One cannot be read.
    pub(crate) fn read(&self, data: &RouteData) -> Result<(), TablesError> {
        let mut entries = data.tables().filter_map(|table| self.0.get(table.name.as_str()));
        entries.try_for_each(|entry| entry.stored().map(drop))
    }

    /// Reads the tables that nobody has asked for yet, one after the other.
    ///
    /// # Errors
    /// One cannot be read; those after it are left unread.
    pub fn read_all(&self) -> Result<(), TablesError> {
        self.0.values().try_for_each(|entry| entry.stored().map(drop))
    }

    /// A table; none that cannot be read.
    pub(crate) fn get(&self, name: &str) -> Option<&StoredTable> {
        self.0.get(name)?.stored().ok().flatten()
    }

    /// Those that one stage made and that can be read.
    pub(crate) fn of_stage<'s>(&'s self, stage: &'s str) -> impl Iterator<Item = &'s StoredTable> {
        let entries = self.0.values().filter(move |entry| entry.contract.stage == stage);
        entries.filter_map(|entry| entry.stored().ok().flatten())
    }

    /// Whether a route can be answered from them.
    #[must_use]
    pub fn serve(&self, route: &CatalogRoute) -> bool {
        let has_all = |table: &&Table| self.0.contains_key(table.name.as_str());
        route.data.as_ref().is_some_and(|data| data.tables().all(|table| has_all(&table)))
    }

    /// Rows of the tables of a sport.
    #[must_use]
    pub fn rows_of(&self, sport: &str) -> u64 {
        let of_sport = |name: &str| name.strip_prefix(sport).is_some_and(|rest| rest.starts_with('_'));
        self.0.iter().filter(|(name, _)| of_sport(name)).map(|(_, entry)| entry.rows).sum()
    }
}

impl<T: Into<TableEntry>> FromIterator<T> for CatalogTables {
    fn from_iter<I: IntoIterator<Item = T>>(tables: I) -> Self {
        let entries = tables.into_iter().map(Into::into);
        Self(entries.map(|entry: TableEntry| (entry.contract.name.as_str(), entry)).collect())
    }
}

impl CatalogTable {
    /// A table, indexed for the routes of a catalog.
    ///
    /// # Errors
    /// It does not follow its contract.
    pub fn new(
        catalog: &RouteCatalog,
        contract: &'static Table,
        batch: RecordBatch,
    ) -> Result<Self, TablesError> {
        Self::of_batch(contract, batch, catalog.needs_of(contract))
    }
}
