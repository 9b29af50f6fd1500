//! Snapshots: what is published. One consistent set of tables, named by its content, that never changes.

mod contents;

use std::cmp::Reverse;
use std::time::SystemTime;

use arrow::array::RecordBatch;
use chrono::{DateTime, Utc};
use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};
use serde::{Deserialize, Serialize};

use crate::backend::FileStamp;
use crate::keys::{CURRENT, join_keys};
use crate::manifest::{self, MANIFEST, instant};
use crate::parquet_io::{encode_all, encode_table};
use crate::publications::PublicationAction;
use crate::store::{FolderDraft, is_absent};
use crate::{
    Lake, LakeError, LakeProblem, LakeVerification, LakeWriter, LogHeads, MANIFEST_FORMAT, SnapshotId,
};

use self::contents::snapshot_folder;
pub use self::contents::{CaptureRef, DraftTable, SnapshotDraft, SnapshotInput, SnapshotManifest};

const SNAPSHOTS: &str = "snapshots";

/// The snapshots of a lake of which some may be damaged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SnapshotList {
    /// Those whose manifest can be read, the oldest first.
    pub readable: Vec<SnapshotManifest>,
    /// The others.
    pub problems: Vec<LakeProblem>,
}

/// Content of `current.json`.
#[derive(Serialize, Deserialize)]
struct CurrentPointer {
    format: u32,
    snapshot_id: SnapshotId,
    #[serde(with = "instant")]
    moved_at: DateTime<Utc>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    log_heads: Option<LogHeads>,
}

impl Lake {
    /// Id of the snapshot that is served now; `None` before the first.
    ///
    /// # Errors
    /// The pointer cannot be read or is of a newer format.
    pub fn current_snapshot(&self) -> Result<Option<SnapshotId>, LakeError> {
        Ok(self.read_pointer()?.map(|current| current.snapshot_id))
    }

    /// Time at which `current` was pointed to the present snapshot; `None` before the first.
    ///
    /// # Errors
    /// As for [`Self::current_snapshot`].
    pub fn current_moved_at(&self) -> Result<Option<DateTime<Utc>>, LakeError> {
        Ok(self.read_pointer()?.map(|current| current.moved_at))
    }

    /// Id of the snapshot that is served, and how far the logs went when `current` was pointed there.
    pub(crate) fn current_with_heads(&self) -> Result<Option<(SnapshotId, Option<LogHeads>)>, LakeError> {
        Ok(self.read_pointer()?.map(|current| (current.snapshot_id, current.log_heads)))
    }

    fn read_pointer(&self) -> Result<Option<CurrentPointer>, LakeError> {
        manifest::read_manifest(&self.store, CURRENT)
    }

    /// The manifest of a snapshot, checked against its id.
    ///
    /// # Errors
    /// [`LakeError::NoSnapshot`], [`LakeError::NewerFormat`], [`LakeError::Corrupt`], or it cannot be read.
    pub fn snapshot(&self, id: &SnapshotId) -> Result<SnapshotManifest, LakeError> {
        let key = format!("{}/{MANIFEST}", snapshot_folder(id));
        let manifest = manifest::read_manifest::<SnapshotManifest>(&self.store, &key)?;
        let manifest = manifest.ok_or_else(|| LakeError::NoSnapshot { id: id.clone() })?;
        let found = manifest.id_of();
        if found == *id && manifest.id == *id {
            return Ok(manifest);
        }
        Err(LakeError::Corrupt {
            path: self.store.path(&key),
            expected: id.to_string(),
            found: found.to_string(),
        })
    }

    /// All snapshots, the oldest first: by their newest capture, then by when they were written.
    ///
    /// # Errors
    /// As for [`Self::snapshot`], for any of them.
    pub fn list_snapshots(&self) -> Result<Vec<SnapshotManifest>, LakeError> {
        let found = self.snapshot_ids()?.into_iter().map(|id| self.snapshot(&id));
        let found = found.filter(|s| !matches!(s, Err(LakeError::NoSnapshot { .. })));
        Ok(self.in_order(found.collect::<Result<Vec<_>, _>>()?))
    }

    /// As [`Self::list_snapshots`], but one that is damaged, or of a newer format, does not hide the others.
    ///
    /// # Errors
    /// The folder cannot be listed.
    pub fn readable_snapshots(&self) -> Result<SnapshotList, LakeError> {
        let (mut readable, mut found) = (Vec::new(), LakeVerification::default());
        for id in self.snapshot_ids()? {
            match self.snapshot(&id) {
                Ok(snapshot) => readable.push(snapshot),
                Err(LakeError::NoSnapshot { .. }) => {}
                Err(error) => self.add_problem(&snapshot_folder(&id), &error, &mut found),
            }
        }
        Ok(SnapshotList { readable: self.in_order(readable), problems: found.problems })
    }

    /// What tells the manifest of a snapshot from others that were there under its id; `None` where there is none.
    ///
    /// # Errors
    /// It is no file, or cannot be looked at.
    pub fn manifest_stamp(&self, id: &SnapshotId) -> Result<Option<FileStamp>, LakeError> {
        let key = format!("{}/{MANIFEST}", snapshot_folder(id));
        match self.store.backend.stamp(&key) {
            Err(error) if is_absent(&error) => Ok(None),
            stamp => {
                stamp.map(Some).map_err(|source| LakeError::Read { path: self.store.path(&key), source })
            }
        }
    }

    /// Names of the files of a snapshot's tables, each with what tells it from others that had its name.
    ///
    /// # Errors
    /// They cannot be listed.
    pub fn table_stamps(&self, manifest: &SnapshotManifest) -> Result<Vec<(String, FileStamp)>, LakeError> {
        let folder = join_keys(&manifest.folder(), "tables");
        let names = self.store.list_names(&folder, false)?.into_iter();
        Ok(names
            .filter_map(|name| Some((name.clone(), self.store.stamp(&join_keys(&folder, &name))?)))
            .collect())
    }

    /// When a snapshot was last added or removed; `None` where there never was one.
    ///
    /// # Errors
    /// It cannot be looked at.
    pub fn snapshots_changed_at(&self) -> Result<Option<SystemTime>, LakeError> {
        match self.store.backend.folder_changed_at(SNAPSHOTS) {
            Err(error) if is_absent(&error) => Ok(None),
            at => at.map(Some).map_err(|source| LakeError::List { path: self.store.path(SNAPSHOTS), source }),
        }
    }

    /// Ids of the folders of snapshots, whole or not.
    ///
    /// # Errors
    /// They cannot be listed.
    pub fn snapshot_ids(&self) -> Result<Vec<SnapshotId>, LakeError> {
        let names = self.store.list_names(SNAPSHOTS, true)?;
        Ok(names.iter().filter_map(|name| name.parse().ok()).collect())
    }

    fn in_order(&self, mut snapshots: Vec<SnapshotManifest>) -> Vec<SnapshotManifest> {
        snapshots.sort_by_cached_key(|s| {
            let written = self.store.modified_at(&format!("{}/{MANIFEST}", s.folder()));
            (s.captured_until(), written, s.id.clone())
        });
        snapshots
    }

    /// Every row of a table of a snapshot, checked against its digest. A snapshot may be older than this
    /// build's contracts, so that the columns are those of the contract version in its entry.
    ///
    /// # Errors
    /// [`LakeError::NoEntry`], [`LakeError::Gone`], [`LakeError::Corrupt`], or it cannot be read.
    pub fn read_snapshot_table(
        &self,
        manifest: &SnapshotManifest,
        table: &str,
    ) -> Result<RecordBatch, LakeError> {
        self.table_file(&manifest.folder(), "tables/", table, manifest.table(table))?.decode()
    }

    /// These columns of a table of a snapshot, in this order, and every row of them, if the snapshot follows
    /// the contracts of this build.
    ///
    /// # Errors
    /// As for [`Self::read_snapshot_table`], or [`LakeError::Contract`].
    pub fn read_snapshot_columns(
        &self,
        manifest: &SnapshotManifest,
        table: &str,
        columns: &[&str],
    ) -> Result<RecordBatch, LakeError> {
        self.table_columns(&manifest.folder(), "tables/", table, manifest.table(table), columns)
    }
}

impl LakeWriter {
    /// Keeps a snapshot. If one of the same tables and versions is there and whole, that one stays and is
    /// returned, with the captures and inputs that it was first made of.
    ///
    /// # Errors
    /// [`LakeError::Contract`] if a table does not follow its contract; [`LakeError::NoEntry`],
    /// [`LakeError::Gone`] or [`LakeError::Corrupt`] if a stage has it not, or not whole; or the lake cannot be
    /// read or written.
    pub fn commit_snapshot(&self, draft: SnapshotDraft) -> Result<SnapshotManifest, LakeError> {
        let encoded = encode_all(&draft.tables, |contract, table| match table {
            DraftTable::Rows(rows) => encode_table(contract, rows),
            DraftTable::Stage(output) => self.lake().stage_encoded(output, contract),
        })?;
        let mut manifest = SnapshotManifest::new(draft, encoded.iter().map(|e| e.entry.clone()).collect());
        // A ledger that is damaged must not keep a snapshot from being made.
        manifest.log_heads = self.lake().log_heads().ok();
        if let Some(there) = self.whole_snapshot(&manifest.id)? {
            return Ok(there);
        }
        let (store, target) = (&self.lake().store, manifest.folder());
        let links = self.lake().find_links(&encoded, "tables/", Some(&manifest.id));
        let files =
            encoded.into_iter().map(|e| (format!("tables/{}.parquet", e.entry.name), e.content)).collect();
        let text = manifest::to_bytes(store, &target, &manifest)?;
        let draft = FolderDraft { kind: "snapshot", target, files, manifest: (MANIFEST, text) };
        store.put_folder_with(&draft, &links)?;
        Ok(manifest)
    }

    fn whole_snapshot(&self, id: &SnapshotId) -> Result<Option<SnapshotManifest>, LakeError> {
        let there = match self.lake().snapshot(id) {
            Err(LakeError::NoSnapshot { .. }) => return Ok(None),
            Err(error) if error.is_damage() => return Ok(None),
            there => there?,
        };
        Ok(if self.lake().is_sound(&there.expected_files())? { Some(there) } else { None })
    }

    /// Publishes a snapshot: points `current` to it, and writes that down before. Says `false`, and writes nothing, if
    /// it points there already.
    ///
    /// # Errors
    /// The snapshot is not there ([`LakeError::NoSnapshot`]) or not whole ([`LakeError::Gone`],
    /// [`LakeError::Corrupt`]), the log of publications is damaged, or it or the pointer cannot be written.
    pub fn set_current(&self, id: &SnapshotId, now: DateTime<Utc>) -> Result<bool, LakeError> {
        self.point_to(self.owner(), id, now, PublicationAction::Publish { snapshot: id.clone() })
    }

    /// As [`Self::set_current`], by the word of a person.
    ///
    /// # Errors
    /// As for [`Self::set_current`].
    pub fn roll_back(&self, id: &SnapshotId, by: &str, reason: &str) -> Result<bool, LakeError> {
        let action = PublicationAction::Rollback { snapshot: id.clone(), reason: reason.to_owned() };
        self.point_to(by, id, self.started_at(), action)
    }

    /// Checks that each table has the bytes in the manifest. One of them is most of a snapshot: it goes first, and
    /// the others beside it.
    fn check_tables(&self, manifest: &SnapshotManifest) -> Result<(), LakeError> {
        let mut tables: Vec<_> = manifest.tables.iter().zip(manifest.expected_files()).collect();
        tables.sort_by_key(|(table, _)| Reverse(table.bytes));
        let files = tables.par_iter().with_max_len(1);
        let checked: Vec<_> =
            files.map(|(_, (key, expected))| self.lake().open_checked(key, expected).map(drop)).collect();
        checked.into_iter().collect()
    }

    fn point_to(
        &self,
        by: &str,
        id: &SnapshotId,
        now: DateTime<Utc>,
        action: PublicationAction,
    ) -> Result<bool, LakeError> {
        let manifest = self.lake().snapshot(id)?;
        self.check_tables(&manifest)?;
        match self.lake().current_snapshot() {
            Ok(Some(current)) if current == *id => return Ok(false),
            // A pointer that cannot be read is replaced; one of a newer build is not.
            Err(error) if !error.is_damage() => return Err(error),
            _ => {}
        }
        let store = &self.lake().store;
        // A run that broke off may have left it whole, but not durable: the pointer must not outlive it.
        store.sync_above(&join_keys(&manifest.folder(), MANIFEST))?;
        self.log_publication(by, &action)?;
        self.write_pointer(id, now)?;
        Ok(true)
    }

    fn write_pointer(&self, id: &SnapshotId, now: DateTime<Utc>) -> Result<(), LakeError> {
        let store = &self.lake().store;
        let current = CurrentPointer {
            format: MANIFEST_FORMAT,
            snapshot_id: id.clone(),
            moved_at: now,
            // A ledger that is damaged must not keep a snapshot from being served.
            log_heads: self.lake().log_heads().ok(),
        };
        store.put_file("current", CURRENT, &manifest::to_bytes(store, CURRENT, &current)?)
    }

    /// Makes the pointer anew from the log of publications, where it is gone or damaged. Gives where it points now, or
    /// `None` if it was whole, nothing was ever published, or what was is gone or damaged too: publishing makes it anew.
    ///
    /// # Errors
    /// The log is damaged, or the pointer cannot be written.
    pub fn restore_pointer(&self) -> Result<Option<SnapshotId>, LakeError> {
        match self.lake().current_snapshot() {
            Ok(Some(_)) => return Ok(None),
            Err(error) if !error.is_damage() => return Err(error),
            _ => {}
        }
        let log = self.lake().publications()?;
        let Some(newest) = log.history.last() else { return Ok(None) };
        match self.lake().snapshot(&newest.snapshot) {
            Err(LakeError::NoSnapshot { .. }) => return Ok(None),
            Err(error) if error.is_damage() => return Ok(None),
            there => drop(there?),
        }
        self.write_pointer(&newest.snapshot, newest.at)?;
        Ok(Some(newest.snapshot.clone()))
    }
}

#[cfg(test)]
mod tests;
