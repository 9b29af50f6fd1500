//! The primitives of the store, each a single call of the operating system or close to it. Every one asks a hook first,
//! which in a test stands for the disk that is full, the device that fails and the process that is killed.

use std::fs::File;
use std::io::{self, Write as _};
use std::sync::Arc;

use crate::LakeError;
use crate::backend::EntryKind;
use crate::store::{LakeStore, is_absent};

/// Is asked with the operation and the file or folder, from the root, before each is done; an error is told instead of
/// doing it.
pub type FaultHook = Arc<dyn Fn(&str, &str) -> io::Result<()> + Send + Sync>;

impl LakeStore {
    /// Whether an operation may be done.
    pub(crate) fn check_fault(&self, operation: &str, key: &str) -> io::Result<()> {
        self.fault.as_ref().map_or(Ok(()), |hook| hook(operation, key))
    }

    pub(crate) fn create_folder(&self, key: &str) -> Result<(), LakeError> {
        if self.is_folder(key) {
            return Ok(());
        }
        let created = self.check_fault("create_folder", key).and_then(|()| self.backend.create_folder(key));
        created.map_err(|source| LakeError::CreateFolder { path: self.path(key), source })
    }

    /// Whether there is a folder, also by a link.
    pub(crate) fn is_folder(&self, key: &str) -> bool {
        match self.backend.entry_kind(key) {
            Ok(EntryKind::Link) => self.path(key).is_dir(),
            found => matches!(found, Ok(EntryKind::Folder)),
        }
    }

    /// Writes a whole file, and waits until its bytes would outlive a power cut.
    pub(crate) fn write_synced(&self, key: &str, bytes: &[u8]) -> Result<(), LakeError> {
        self.write_synced_by(key, |file| file.write_all(bytes))
    }

    /// As [`Self::write_synced`], whatever `fill` writes.
    pub(crate) fn write_synced_by(
        &self,
        key: &str,
        fill: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Result<(), LakeError> {
        let write = || {
            self.check_fault("create", key)?;
            let mut file = self.backend.create(key)?;
            self.check_fault("write", key)?;
            fill(&mut file)?;
            self.check_fault("sync", key)?;
            self.backend.finish(key, file)
        };
        write().map_err(|source| LakeError::Write { path: self.path(key), source })
    }

    pub(crate) fn rename(&self, from: &str, to: &str) -> Result<(), LakeError> {
        let renamed = self.check_fault("rename", to).and_then(|()| self.backend.rename(from, to));
        renamed.map_err(|source| LakeError::Rename { from: self.path(from), to: self.path(to), source })
    }

    /// Gives a file a second name, if there is nothing of that name. Its bytes may never have been synced, where the
    /// lake was copied.
    pub(crate) fn hard_link(&self, from: &str, to: &str) -> io::Result<()> {
        self.check_fault("link", to)?;
        self.backend.link(from, to)?;
        self.check_fault("sync", to)?;
        match self.bucket() {
            Some(_) => Ok(()),
            None => self.backend.open(to)?.sync_all(),
        }
    }

    /// Makes the names in a folder outlive a power cut.
    pub(crate) fn sync_folder(&self, key: &str) -> Result<(), LakeError> {
        let synced = self.check_fault("sync_folder", key).and_then(|()| self.backend.sync_folder(key));
        synced.map_err(|source| LakeError::SyncFolder { path: self.path(key), source })
    }

    /// Removes a file, or a folder with everything in it; nothing where there is none. A link goes, not what it
    /// leads to.
    pub(crate) fn remove_tree(&self, key: &str) -> Result<(), LakeError> {
        match self.backend.remove(key, &|key| self.check_fault("remove", key)) {
            Err(error) if is_absent(&error) => Ok(()),
            done => done.map_err(|source| LakeError::Remove { path: self.path(key), source }),
        }
    }

    /// Ends what belongs together: from here on a reader sees it, or nothing of it.
    pub(crate) fn commit(&self, kind: &str, key: &str) -> Result<(), LakeError> {
        self.backend.commit(kind).map_err(|source| LakeError::Write { path: self.path(key), source })
    }
}
