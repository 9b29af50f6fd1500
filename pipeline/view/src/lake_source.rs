//! Snapshots and the ledger of a lake.

mod snapshot_list;

use std::sync::Arc;

use chrono::NaiveDate;
use fdna_lake::{Lake, LakeError, SnapshotId, SnapshotManifest, VerifiedFile};

use crate::change_stream::{self, ChangeSource, NewChanges, PublicationHistory};
use crate::dataset::instant_text;
use crate::{Dataset, Ledger, LoadError, SnapshotSource};
use snapshot_list::SnapshotList;

/// Snapshots of a lake, as its `current` pointer says.
#[derive(Debug, Clone)]
pub struct LakeSource {
    lake: Lake,
    only: Option<SnapshotId>,
    listing: Arc<SnapshotList>,
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
        let id = self.only.clone().map_or_else(|| self.lake.current_snapshot(), |id| Ok(Some(id)))?;
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

    fn table_file(&self, id: &str, table: &str) -> Result<Option<(VerifiedFile, String)>, LoadError> {
        let manifest = self.lake.snapshot(&parsed(id)?)?;
        let Some(entry) = manifest.table(table) else { return Ok(None) };
        Ok(Some((self.lake.snapshot_table_file(&manifest, table)?, entry.sha256.clone())))
    }

    fn changes(&self) -> Option<Arc<dyn ChangeSource>> {
        Some(Arc::new(self.clone()))
    }

    fn damaged(&self) -> Vec<String> {
        self.listing.damaged()
    }

    fn redacted(&self, text: &str) -> String {
        let root = self.lake.root();
        if !root.is_absolute() && !self.lake.is_in_bucket() {
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
        self.lake.ledger_head()?.map(|head| Ledger::load(&self.lake, head)).transpose()
    }
}

impl ChangeSource for LakeSource {
    fn revision(&self) -> Result<String, LoadError> {
        change_stream::revision(&self.lake)
    }

    fn publications(&self, served: &str) -> Result<PublicationHistory, LoadError> {
        change_stream::publications(&self.lake, served)
    }

    fn new_changes(&self, _list: &str, before: &str, after: &str) -> Result<Option<NewChanges>, LoadError> {
        change_stream::new_changes(&self.lake, before, after)
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
        captured_until: manifest.captured_until().map(instant_text),
    }
}

fn whole(manifest: &SnapshotManifest) -> fdna_api::SnapshotManifest {
    let captures = manifest.captures.iter().map(|capture| fdna_api::SnapshotCapture {
        source: capture.source.clone(),
        capture: capture.id.clone(),
        captured_at: instant_text(capture.captured_at),
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
