//! The multi-sport catalog of a lake: the tables of a snapshot that its routes are answered from.

use std::collections::BTreeMap;
use std::error::Error;
use std::ops::Range;
use std::sync::Arc;

use arrow::array::{AsArray as _, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use fdna_catalog::{
    CatalogSnapshot, CatalogTable, PagedTable, RouteCatalog, RowSource, StoredTable, TableEntry, TableReader,
    TablesError,
};
use fdna_lake::{Lake, LakeError, OpenTable, SnapshotId, SnapshotManifest};
use fdna_schemas::{Table, Tables};
use rayon::prelude::*;

use crate::LoadError;
use crate::change_stream::{self, ChangeSource, NewChanges, PublicationHistory, new_items, unless_gone};

/// Stage of the tables of the catalog, before the sport.
const STAGE: &str = "catalog";

/// A table whose file has so many bytes stays in it, if routes ask for one subject of it at a time: the rows of one take
/// a few milliseconds to decode, all would take many times the memory.
const IN_FILE_FROM: u64 = 2_000_000;

/// Snapshots of the catalog in a lake, as its `current` pointer says.
#[derive(Debug, Clone)]
pub struct CatalogLake {
    lake: Lake,
    only: Option<SnapshotId>,
}

impl CatalogLake {
    /// Serves from this lake.
    #[must_use]
    pub fn new(lake: Lake) -> Self {
        Self { lake, only: None }
    }

    /// Serves this snapshot, whichever is current.
    #[must_use]
    pub fn only(self, id: SnapshotId) -> Self {
        Self { only: Some(id), ..self }
    }

    /// Id of the snapshot to be served now; `None` before the first.
    ///
    /// # Errors
    /// The pointer cannot be read.
    pub fn current(&self) -> Result<Option<String>, LoadError> {
        let id = self.only.clone().map_or_else(|| self.lake.current_snapshot(), |id| Ok(Some(id)))?;
        Ok(id.map(|id| id.to_string()))
    }

    fn manifest(&self, id: &str) -> Result<SnapshotManifest, LoadError> {
        let parsed = id.parse().map_err(|source| LoadError::Id { id: id.to_owned(), source })?;
        Ok(self.lake.snapshot(&parsed)?)
    }

    /// A snapshot's tables that these routes read, each checked against its digest and its contract. Rows are decoded and indexed
    /// for these routes when one of them first asks for the table: a server is ready in a third of the time, and keeps what is
    /// asked for.
    ///
    /// # Errors
    /// A table is damaged, or does not follow its contract.
    pub fn load(&self, id: &str, catalog: &'static RouteCatalog) -> Result<CatalogSnapshot, LoadError> {
        let manifest = self.manifest(id)?;
        let tables: Vec<&'static Table> =
            tables_of(&manifest).filter(|table| catalog.reads(&table.name)).collect();
        let open = |table: &&'static Table| -> Result<TableEntry, LoadError> {
            let file = self.lake.open_snapshot_table(&manifest, &table.name)?;
            // That its columns are those of its contract shows without its rows.
            CatalogTable::new(catalog, table, file.read_rows(0..0)?)?;
            let entry = manifest.table(&table.name);
            let is_large = entry.is_some_and(|entry| entry.bytes >= IN_FILE_FROM);
            let rows = entry.map_or(0, |entry| entry.rows);
            let reader = UnreadTable { table, catalog, file: Arc::new(file), is_large };
            Ok(TableEntry::unread(table, rows, Box::new(reader)))
        };
        let tables: Vec<TableEntry> = tables.par_iter().map(open).collect::<Result<_, _>>()?;
        let mut captured = BTreeMap::new();
        for capture in &manifest.captures {
            let newest = captured.entry(capture.source.clone()).or_insert(capture.captured_at);
            *newest = capture.captured_at.max(*newest);
        }
        let licences = manifest.licences.into_iter().collect();
        Ok(CatalogSnapshot { id: id.to_owned(), tables: tables.into_iter().collect(), captured, licences })
    }
}

/// The changes of a lake's publications, sport by sport.
#[derive(Debug, Clone)]
pub struct CatalogChanges {
    pub lake: CatalogLake,
    pub routes: &'static RouteCatalog,
}

impl ChangeSource for CatalogChanges {
    fn revision(&self) -> Result<String, LoadError> {
        change_stream::revision(&self.lake.lake)
    }

    fn publications(&self, served: &str) -> Result<PublicationHistory, LoadError> {
        change_stream::publications(&self.lake.lake, served)
    }

    fn new_changes(&self, list: &str, before: &str, after: &str) -> Result<Option<NewChanges>, LoadError> {
        unless_gone(&self.lake.lake, [before, after], self.read_new_changes(list, before, after))
    }
}

impl CatalogChanges {
    /// Of a snapshot only the table of the sport's corrections is read; one that it does not have is empty.
    fn read_new_changes(&self, sport: &str, before: &str, after: &str) -> Result<NewChanges, LoadError> {
        let Some(table) = self.routes.corrections(sport) else { return Ok(NewChanges::default()) };
        let (before, after) = (self.lake.manifest(before)?, self.lake.manifest(after)?);
        let digest = |of: &SnapshotManifest| of.table(&table.name).map(|entry| entry.sha256.clone());
        if digest(&before) == digest(&after) {
            return Ok(NewChanges::default());
        }
        let rows = |of: &SnapshotManifest| -> Result<Vec<Box<str>>, LoadError> {
            if of.table(&table.name).is_none() {
                return Ok(Vec::new());
            }
            let rows = self.lake.lake.read_snapshot_table(of, &table.name)?;
            Ok(self.routes.correction_rows(sport, rows)?)
        };
        let (known, mut rows) = (rows(&before)?, rows(&after)?);
        let places = new_items(known.iter(), rows.iter());
        Ok(NewChanges { rows: places.into_iter().map(|place| std::mem::take(&mut rows[place])).collect() })
    }
}

/// A table of a snapshot whose rows nobody has asked for yet.
#[derive(Debug)]
struct UnreadTable {
    table: &'static Table,
    catalog: &'static RouteCatalog,
    file: Arc<OpenTable>,
    is_large: bool,
}

impl TableReader for UnreadTable {
    fn read(&self) -> Result<StoredTable, TablesError> {
        let fault = |source: LakeError| TablesError::Read { table: &self.table.name, source: source.into() };
        if let Some(table) = self.in_file().map_err(fault)? {
            return Ok(StoredTable::InFile(table));
        }
        let rows = self.file.read_rows(0..self.file.n_rows()).map_err(fault)?;
        Ok(StoredTable::InMemory(CatalogTable::new(self.catalog, self.table, rows)?))
    }
}

impl UnreadTable {
    /// A large table that is only ever asked for by its subject.
    fn in_file(&self) -> Result<Option<PagedTable>, LakeError> {
        let Self { table, catalog, file, is_large } = self;
        let Some(subject) = table.key.first().filter(|_| *is_large && catalog.asks_by_subject(table)) else {
            return Ok(None);
        };
        let subjects = file.read_columns(&[subject], 0..file.n_rows())?;
        let subjects = subjects.columns().first().and_then(|column| cast(column, &DataType::Utf8).ok());
        let subjects = subjects.as_ref().and_then(|column| column.as_string_opt::<i32>());
        Ok(subjects
            .and_then(|subjects| PagedTable::new(table, subjects, Box::new(TableFile(Arc::clone(file))))))
    }
}

/// A table of a snapshot whose rows are read when they are asked for.
#[derive(Debug)]
struct TableFile(Arc<OpenTable>);

impl RowSource for TableFile {
    fn rows(&self, rows: Range<u32>) -> Result<RecordBatch, Box<dyn Error + Send + Sync>> {
        Ok(self.0.read_rows(rows.start as usize..rows.end as usize)?)
    }
}

/// Contracts of a snapshot's tables of the catalog.
fn tables_of(manifest: &SnapshotManifest) -> impl Iterator<Item = &'static Table> {
    let contracts = manifest.tables.iter().filter_map(|entry| Tables::get().table(&entry.name).ok());
    contracts.filter(|table| table.stage.split('/').next() == Some(STAGE))
}
