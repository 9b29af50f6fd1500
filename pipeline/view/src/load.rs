//! From the lake to memory.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;

use arrow::array::RecordBatch;
use fdna_catalog::TablesError;
use fdna_lake::{Lake, LakeError, LedgerHead, NotAnId, OpenTable, SnapshotManifest};
use fdna_schemas::{TableError, Tables};
use rayon::prelude::*;

use crate::dataset::{Dataset, DatasetError, LazyColumns, SnapshotInfo, SnapshotTables};
use crate::ledger::{Ledger, LedgerError};

/// Why a snapshot cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The lake cannot be read, or what it holds is damaged.
    #[error("cannot read the lake")]
    Lake(#[from] LakeError),
    /// The id is none that the lake gives.
    #[error("{id:?} is not a snapshot id")]
    Id {
        id: String,
        #[source]
        source: NotAnId,
    },
    /// The tables cannot be served.
    #[error("cannot serve the tables")]
    Dataset(#[from] DatasetError),
    /// The tables of the catalog cannot be served.
    #[error("cannot serve the tables of the catalog")]
    Catalog(#[from] TablesError),
    /// The ledger cannot be served.
    #[error("cannot serve the ledger")]
    Ledger(#[from] LedgerError),
    /// This build has no contract for a table that it serves.
    #[error("no contract for a table")]
    Contract(#[from] TableError),
    /// Loading broke off.
    #[error("loading ended early: {0}")]
    Panicked(String),
}

impl Dataset {
    /// Reads a snapshot's tables, each checked against its digest, and indexes them: all that is answered without
    /// [`Self::load_rest`].
    ///
    /// # Errors
    /// A table is missing, damaged, or does not follow its contract.
    pub fn load(lake: &Lake, manifest: &SnapshotManifest) -> Result<Self, LoadError> {
        let whole = whole(lake, manifest, |table| !LATE.contains(&table))?;
        let tables = SnapshotTables::of(whole, in_parts(|table| Ok(Arc::new(empty(table)?)))?);
        let info = SnapshotInfo {
            id: manifest.id.to_string(),
            facts_until: manifest.facts_until,
            synthetic: manifest.synthetic,
            rows: manifest.tables.iter().map(|table| (table.name.clone(), table.rows)).collect(),
        };
        Ok(Self::begin(info, &tables)?)
    }

    /// Reads what the first answers do without.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn load_rest(&self, lake: &Lake, manifest: &SnapshotManifest) -> Result<(), LoadError> {
        let (in_parts, whole) = rayon::join(
            || in_parts(|table| Ok(Arc::new(lake.open_snapshot_table(manifest, table)?))),
            || whole(lake, manifest, |table| LATE.contains(&table) || AGAIN.contains(&table)),
        );
        self.complete(&SnapshotTables::of(whole?, in_parts?))?;
        self.pack();
        Ok(())
    }
}

impl LazyColumns for OpenTable {
    fn n_rows(&self) -> usize {
        Self::n_rows(self)
    }

    fn columns(&self, names: &[&str], rows: Range<usize>) -> Result<RecordBatch, DatasetError> {
        Self::read_columns(self, names, rows).map_err(|source| DatasetError::Table(Box::new(source)))
    }
}

/// The tables that are wanted, and the others empty.
fn whole<const N: usize>(
    lake: &Lake,
    manifest: &SnapshotManifest,
    is_wanted: impl Fn(&str) -> bool + Sync,
) -> Result<[RecordBatch; N], LoadError> {
    let read = |table: &&str| match is_wanted(table) {
        true => read(lake, manifest, table),
        false => empty(table),
    };
    let read: Vec<_> = SnapshotTables::WHOLE.par_iter().map(read).collect::<Result<_, _>>()?;
    read.try_into().map_err(|some: Vec<_>| LoadError::Panicked(format!("{} tables", some.len())))
}

/// The tables that are read a part at a time.
fn in_parts<const N: usize>(
    open: impl Fn(&str) -> Result<Arc<dyn LazyColumns>, LoadError> + Sync,
) -> Result<[Arc<dyn LazyColumns>; N], LoadError> {
    let open = |table: &&str| open(table);
    let open: Vec<_> = SnapshotTables::IN_PARTS.par_iter().map(open).collect::<Result<_, _>>()?;
    open.try_into().map_err(|some: Vec<_>| LoadError::Panicked(format!("{} tables", some.len())))
}

fn empty(table: &str) -> Result<RecordBatch, LoadError> {
    Ok(RecordBatch::new_empty(Tables::get().table(table)?.arrow_schema()))
}

/// A table; one that a snapshot from before it existed does not have is empty.
pub(crate) fn read(lake: &Lake, manifest: &SnapshotManifest, table: &str) -> Result<RecordBatch, LoadError> {
    if IN_ALL.contains(&table) || manifest.table(table).is_some() {
        return Ok(lake.read_snapshot_table(manifest, table)?);
    }
    empty(table)
}

/// Tables that [`Dataset::load_rest`] reads, beside those that it reads a part at a time.
const LATE: [&str; 1] = ["ratings"];

/// Tables that it reads once more, for names and changes.
const AGAIN: [&str; 6] = ["events", "fighters", "articles", "identities", "aliases", "corrections"];

/// Tables that every snapshot has. One that was published before another existed is served as if that were empty.
const IN_ALL: [&str; 9] = [
    "events",
    "bouts",
    "fighters",
    "results",
    "round_stats",
    "scorecards",
    "identities",
    "corrections",
    "validity",
];

impl Ledger {
    /// Reads the parts of a lake's ledger up to a head, checked; a part that the head does not name yet is left for the
    /// next time.
    ///
    /// # Errors
    /// Any part of it cannot be read or does not fit.
    pub fn load(lake: &Lake, head: LedgerHead) -> Result<Self, LoadError> {
        let parts = lake.ledger_parts_up_to(&head)?;
        lake.check_ledger()?;
        let read = parts.iter().map(|part| lake.read_ledger_part(part)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self::build(&read, head.head, head.moved_at)?)
    }
}

/// Runs work on half of the cores: the other half answers requests.
///
/// # Errors
/// Those of the work, or its threads cannot be started.
pub fn on_half_of_the_cores<T: Send>(
    work: impl FnOnce() -> Result<T, LoadError> + Send,
) -> Result<T, LoadError> {
    let half = std::thread::available_parallelism().map_or(1, NonZeroUsize::get) / 2;
    match rayon::ThreadPoolBuilder::new().num_threads(half.max(1)).build() {
        Ok(threads) => threads.install(work),
        Err(error) => Err(LoadError::Panicked(error.to_string())),
    }
}

/// The text of an error with its causes.
#[must_use]
pub fn error_chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
