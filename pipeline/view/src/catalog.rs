//! The multi-sport catalog of a lake: the tables of a snapshot that its routes are answered from.

use std::collections::BTreeMap;

use fdna_catalog::{CatalogSnapshot, CatalogTable, RouteCatalog};
use fdna_lake::{Lake, SnapshotId, SnapshotManifest};
use fdna_schemas::{Table, Tables};
use rayon::prelude::*;

use crate::LoadError;

/// Stage of the tables of the catalog, before the sport.
const STAGE: &str = "catalog";

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
        let id = self.only.clone().map_or_else(|| self.lake.current(), |id| Ok(Some(id)))?;
        Ok(id.map(|id| id.to_string()))
    }

    /// A snapshot's tables that these routes read, each checked against its digest, indexed for these routes.
    ///
    /// # Errors
    /// A table is damaged, or does not follow its contract.
    pub fn load(&self, id: &str, catalog: &RouteCatalog) -> Result<CatalogSnapshot, LoadError> {
        let parsed = id.parse().map_err(|source| LoadError::Id { id: id.to_owned(), source })?;
        let manifest = self.lake.snapshot(&parsed)?;
        let tables: Vec<&'static Table> =
            tables_of(&manifest).filter(|table| catalog.reads(&table.name)).collect();
        let load = |table: &&'static Table| -> Result<CatalogTable, LoadError> {
            let rows = self.lake.read_snapshot_table(&manifest, &table.name)?;
            Ok(CatalogTable::new(catalog, table, rows)?)
        };
        let tables: Vec<CatalogTable> = tables.par_iter().map(load).collect::<Result<_, _>>()?;
        let mut captured = BTreeMap::new();
        for capture in &manifest.captures {
            let newest = captured.entry(capture.source.clone()).or_insert(capture.captured_at);
            *newest = capture.captured_at.max(*newest);
        }
        let licences = manifest.licences.into_iter().collect();
        Ok(CatalogSnapshot { id: id.to_owned(), tables: tables.into_iter().collect(), captured, licences })
    }
}

/// Contracts of a snapshot's tables of the catalog.
fn tables_of(manifest: &SnapshotManifest) -> impl Iterator<Item = &'static Table> {
    let contracts = manifest.tables.iter().filter_map(|entry| Tables::get().table(&entry.name).ok());
    contracts.filter(|table| table.stage.split('/').next() == Some(STAGE))
}
