//! The tables of a snapshot.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use fdna_schemas::Table;

use crate::paged::PagedTable;
use crate::{CatalogRoute, CatalogTable, RouteCatalog, TablesError};

/// The tables of a snapshot, by name.
#[derive(Debug, Default)]
pub struct CatalogTables(BTreeMap<&'static str, StoredTable>);

/// Where the rows of a table are.
#[derive(Debug)]
pub enum StoredTable {
    InMemory(CatalogTable),
    InFile(PagedTable),
}

impl StoredTable {
    fn contract(&self) -> &'static Table {
        match self {
            Self::InMemory(table) => table.contract(),
            Self::InFile(table) => table.contract(),
        }
    }

    fn rows(&self) -> u64 {
        u64::from(match self {
            Self::InMemory(table) => table.len(),
            Self::InFile(table) => table.len(),
        })
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

    pub(crate) fn get(&self, name: &str) -> Option<&StoredTable> {
        self.0.get(name)
    }

    /// Those that one stage made.
    pub(crate) fn of_stage<'s>(&'s self, stage: &'s str) -> impl Iterator<Item = &'s StoredTable> {
        self.0.values().filter(move |table| table.contract().stage == stage)
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
        self.0.iter().filter(|(name, _)| of_sport(name)).map(|(_, table)| table.rows()).sum()
    }
}

impl FromIterator<StoredTable> for CatalogTables {
    fn from_iter<I: IntoIterator<Item = StoredTable>>(tables: I) -> Self {
        Self(tables.into_iter().map(|table| (table.contract().name.as_str(), table)).collect())
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
