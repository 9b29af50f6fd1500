//! From the lake to a dataset: the only module that knows the lake.

mod listing;

use std::sync::Arc;

use arrow::array::RecordBatch;
use chrono::NaiveDate;
use fdna_lake::{Lake, LakeError, NotAnId, OpenTable, SnapshotId, SnapshotManifest};
use fdna_schemas::{TableError, Tables};
use rayon::prelude::*;

use crate::dataset::columns::instant;
use crate::dataset::{Dataset, DatasetError, SnapshotInfo, SnapshotTables, WideTable};
use crate::ledger::{Ledger, LedgerError};
use crate::swap::SnapshotSource;
use listing::Listing;

/// Why a snapshot cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The lake cannot be read, or what it holds is damaged.
    #[error("read the lake")]
    Lake(#[from] LakeError),
    /// The id is none that the lake gives.
    #[error("use {id:?} as a snapshot id")]
    Id {
        id: String,
        #[source]
        source: NotAnId,
    },
    /// The tables cannot be served.
    #[error("serve the tables")]
    Dataset(#[from] DatasetError),
    /// The ledger cannot be served.
    #[error("serve the ledger")]
    Ledger(#[from] LedgerError),
    /// This build has no contract for a table that it serves.
    #[error("know what a table holds")]
    Contract(#[from] TableError),
    /// Loading broke off.
    #[error("finish loading: {0}")]
    Panicked(String),
}

impl Dataset {
    /// Reads a snapshot's tables, each checked against its digest, and indexes them: all that is answered without
    /// [`Self::load_rest`].
    ///
    /// # Errors
    /// A table is missing, damaged, or does not follow its contract.
    fn load(lake: &Lake, manifest: &SnapshotManifest) -> Result<Self, LoadError> {
        let narrow = narrow(lake, manifest, |table| !LATE.contains(&table))?;
        let dna_versions = empty("dna_versions")?;
        let tables = SnapshotTables::of(narrow, Arc::new(dna_versions));
        let info = SnapshotInfo {
            id: manifest.id.to_string(),
            facts_until: manifest.facts_until,
            synthetic: manifest.synthetic,
            rows: manifest.tables.iter().map(|table| (table.name.clone(), table.rows)).collect(),
        };
        Ok(Self::begin(info, &tables)?)
    }

    /// Reads what the first answers do without.
    fn load_rest(&self, lake: &Lake, manifest: &SnapshotManifest) -> Result<(), LoadError> {
        let (dna_versions, narrow) = rayon::join(
            || lake.open_snapshot_table(manifest, "dna_versions"),
            || narrow(lake, manifest, |table| LATE.contains(&table) || AGAIN.contains(&table)),
        );
        Ok(self.complete(&SnapshotTables::of(narrow?, Arc::new(dna_versions?)))?)
    }
}

impl WideTable for OpenTable {
    fn columns(&self, names: &[&str]) -> Result<RecordBatch, DatasetError> {
        Self::columns(self, names).map_err(|source| DatasetError::Table(Box::new(source)))
    }
}

/// The tables that are wanted, and the others empty.
fn narrow<const N: usize>(
    lake: &Lake,
    manifest: &SnapshotManifest,
    is_wanted: impl Fn(&str) -> bool + Sync,
) -> Result<[RecordBatch; N], LoadError> {
    let read = |table: &&str| match is_wanted(table) {
        true => read(lake, manifest, table),
        false => empty(table),
    };
    let read: Vec<_> = SnapshotTables::NARROW.par_iter().map(read).collect::<Result<_, _>>()?;
    read.try_into().map_err(|some: Vec<_>| LoadError::Panicked(format!("{} tables", some.len())))
}

fn empty(table: &str) -> Result<RecordBatch, LoadError> {
    Ok(RecordBatch::new_empty(Tables::get().table(table)?.arrow_schema()))
}

fn read(lake: &Lake, manifest: &SnapshotManifest, table: &str) -> Result<RecordBatch, LoadError> {
    if IN_ALL.contains(&table) || manifest.table(table).is_some() {
        return Ok(lake.read_snapshot_table(manifest, table)?);
    }
    empty(table)
}

/// Tables that [`Dataset::load_rest`] reads, beside the wide one.
const LATE: [&str; 5] = ["splits", "ratings", "round_profiles", "finish_profiles", "finish_times"];

/// Tables that it reads once more, for names and changes.
const AGAIN: [&str; 6] = ["events", "fighters", "articles", "identities", "aliases", "corrections"];

/// Tables that every snapshot has. One that was published before another existed is served as if that were empty.
const IN_ALL: [&str; 13] = [
    "events",
    "bouts",
    "fighters",
    "results",
    "round_stats",
    "scorecards",
    "identities",
    "corrections",
    "splits",
    "round_profiles",
    "finish_profiles",
    "finish_times",
    "validity",
];

/// Snapshots of a lake, as its `current` pointer says.
#[derive(Debug, Clone)]
pub struct LakeSource {
    lake: Lake,
    only: Option<SnapshotId>,
    listing: Arc<Listing>,
}

impl LakeSource {
    /// Serves from this lake.
    #[must_use]
    pub fn new(lake: Lake) -> Self {
        Self { lake, only: None, listing: Arc::default() }
    }

    /// Serves this snapshot, whichever is current, and no ledger, which may know more than it.
    #[must_use]
    pub fn only(self, id: SnapshotId) -> Self {
        Self { only: Some(id), ..self }
    }
}

impl SnapshotSource for LakeSource {
    fn current(&self) -> Result<Option<String>, LoadError> {
        let id = self.only.clone().map_or_else(|| self.lake.current(), |id| Ok(Some(id)))?;
        Ok(id.map(|id| id.to_string()))
    }

    fn load(&self, id: &str) -> Result<Dataset, LoadError> {
        let id = parsed(id)?;
        Dataset::load(&self.lake, &self.lake.snapshot(&id)?)
    }

    fn load_rest(&self, dataset: &Dataset) -> Result<(), LoadError> {
        let id = parsed(dataset.snapshot_id())?;
        dataset.load_rest(&self.lake, &self.lake.snapshot(&id)?)
    }

    fn snapshots(&self) -> Result<Vec<fdna_api::Snapshot>, LoadError> {
        Ok(self.listing.all(&self.lake)?.iter().map(|manifest| snapshot(manifest)).collect())
    }

    fn manifest(&self, id: &str) -> Result<Option<fdna_api::SnapshotManifest>, LoadError> {
        let Ok(id) = parsed(id) else { return Ok(None) };
        Ok(self.listing.one(&self.lake, &id)?.map(|manifest| whole(&manifest)))
    }

    fn damaged(&self) -> Vec<String> {
        self.listing.damaged()
    }

    fn redacted(&self, text: &str) -> String {
        let root = self.lake.root();
        if !root.is_absolute() {
            return text.to_owned();
        }
        let root = root.display().to_string();
        text.replace(&format!("{}/", root.trim_end_matches('/')), "").replace(&root, "the lake")
    }

    fn ledger_head(&self) -> Result<Option<String>, LoadError> {
        if self.only.is_some() {
            return Ok(None);
        }
        match self.lake.ledger_head()? {
            Some(head) => Ok(Some(head).filter(|head| head.rows > 0).map(|head| head.head)),
            // Rows without a head were written: that is no ledger before its first row.
            None if !self.lake.ledger_parts()?.is_empty() => {
                Err(LakeError::Gone { path: self.lake.root().join("ledger/head.json") }.into())
            }
            // The snapshot or the last run may know of one that is gone altogether.
            None => Ok(self.lake.check_ledger().map(|()| None)?),
        }
    }

    fn load_ledger(&self) -> Result<Option<Ledger>, LoadError> {
        let Some(head) = self.lake.ledger_head()? else { return Ok(None) };
        // A part that the head does not name yet is for the next look.
        let parts = self.lake.ledger_parts_up_to(&head)?;
        self.lake.check_ledger()?;
        let read =
            parts.iter().map(|part| self.lake.read_ledger_part(part)).collect::<Result<Vec<_>, _>>()?;
        Ok(Some(Ledger::build(&read, head.head, head.moved_at)?))
    }
}

fn parsed(id: &str) -> Result<SnapshotId, LoadError> {
    id.parse().map_err(|source| LoadError::Id { id: id.to_owned(), source })
}

fn snapshot(manifest: &SnapshotManifest) -> fdna_api::Snapshot {
    fdna_api::Snapshot {
        id: manifest.id.to_string(),
        is_current: false,
        contract_version: manifest.contract_version.clone(),
        definition_versions: manifest.definition_versions.clone(),
        synthetic: manifest.synthetic,
        facts_until: manifest.facts_until.as_ref().map(NaiveDate::to_string),
        captured_until: manifest.captured_until().map(instant),
    }
}

fn whole(manifest: &SnapshotManifest) -> fdna_api::SnapshotManifest {
    let captures = manifest.captures.iter().map(|capture| fdna_api::SnapshotCapture {
        source: capture.source.clone(),
        capture: capture.id.clone(),
        captured_at: instant(capture.captured_at),
    });
    let tables = manifest.tables.iter().map(|table| fdna_api::SnapshotTable {
        name: table.name.clone(),
        rows: table.rows,
        bytes: table.bytes,
        sha256: table.sha256.clone(),
        contract_version: table.contract_version,
    });
    fdna_api::SnapshotManifest {
        snapshot: snapshot(manifest),
        captures: captures.collect(),
        tables: tables.collect(),
    }
}
