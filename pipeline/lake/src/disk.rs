//! The primitives of the store, each a single call of the operating system or close to it. Every one asks a hook first,
//! which in a test stands for the disk that is full, the device that fails and the process that is killed.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;

use crate::LakeError;
use crate::store::{LakeStore, is_absent, join_keys};

/// Is asked with the operation and the file or folder, from the root, before each is done; an error is told instead of
/// doing it.
pub type FaultHook = Arc<dyn Fn(&str, &str) -> io::Result<()> + Send + Sync>;

impl LakeStore {
    /// Whether an operation may be done.
    pub(crate) fn check_fault(&self, operation: &str, key: &str) -> io::Result<()> {
        self.fault.as_ref().map_or(Ok(()), |hook| hook(operation, key))
    }

    pub(crate) fn create_folder(&self, key: &str) -> Result<(), LakeError> {
        let path = self.path(key);
        if path.is_dir() {
            return Ok(());
        }
        let created = self.check_fault("create_folder", key).and_then(|()| fs::create_dir_all(&path));
        created.map_err(|source| LakeError::CreateFolder { path, source })
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
        let path = self.path(key);
        let write = || {
            self.check_fault("create", key)?;
            let mut file = File::create(&path)?;
            self.check_fault("write", key)?;
            fill(&mut file)?;
            self.check_fault("sync", key)?;
            file.sync_all()
        };
        write().map_err(|source| LakeError::Write { path: path.clone(), source })
    }

    pub(crate) fn rename(&self, from: &str, to: &str) -> Result<(), LakeError> {
        let renamed =
            self.check_fault("rename", to).and_then(|()| fs::rename(self.path(from), self.path(to)));
        renamed.map_err(|source| LakeError::Rename { from: self.path(from), to: self.path(to), source })
    }

    /// Gives a file a second name, if there is nothing of that name. Its bytes may never have been synced, where the
    /// lake was copied.
    pub(crate) fn hard_link(&self, from: &str, to: &str) -> io::Result<()> {
        self.check_fault("link", to)?;
        fs::hard_link(self.path(from), self.path(to))?;
        self.check_fault("sync", to)?;
        File::open(self.path(to))?.sync_all()
    }

    /// Makes the names in a folder outlive a power cut.
    pub(crate) fn sync_folder(&self, key: &str) -> Result<(), LakeError> {
        self.sync_path(key, &self.path(key))
    }

    pub(crate) fn sync_path(&self, key: &str, path: &Path) -> Result<(), LakeError> {
        let sync = || File::open(path)?.sync_all();
        let synced = self.check_fault("sync_folder", key).and_then(|()| sync());
        synced.map_err(|source| LakeError::SyncFolder { path: path.to_path_buf(), source })
    }

    /// Removes a file, or a folder with everything in it; nothing where there is none. A link goes, not what it
    /// leads to.
    pub(crate) fn remove_tree(&self, key: &str) -> Result<(), LakeError> {
        match self.try_remove(key) {
            Err(error) if is_absent(&error) => Ok(()),
            done => done.map_err(|source| LakeError::Remove { path: self.path(key), source }),
        }
    }

    fn try_remove(&self, key: &str) -> io::Result<()> {
        let path = self.path(key);
        if !fs::symlink_metadata(&path)?.is_dir() {
            self.check_fault("remove", key)?;
            return fs::remove_file(&path);
        }
        for entry in fs::read_dir(&path)? {
            // A name that is no text is not ours; the folder goes all the same.
            match entry?.file_name().to_str() {
                Some(name) => self.try_remove(&join_keys(key, name))?,
                None => return fs::remove_dir_all(&path),
            }
        }
        self.check_fault("remove", key)?;
        fs::remove_dir(&path)
    }
}
