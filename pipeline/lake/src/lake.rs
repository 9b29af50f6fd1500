//! The handles on a lake: one that reads, and the one that writes.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use chrono::{DateTime, Utc};

use crate::LakeError;
use crate::capture_log::ReadCaptureLog;
use crate::digest::sha256;
use crate::disk::FaultHook;
use crate::store::LakeStore;
use crate::verified_file::VerifiedFile;
use crate::writer_lock::WriterLock;

/// A read handle on a lake folder; cheap to clone, never writes, never waits for the writer.
#[derive(Clone, Debug)]
pub struct Lake {
    pub(crate) store: LakeStore,
    /// Shared by clones of the handle.
    pub(crate) captures_read: Arc<Mutex<Option<ReadCaptureLog>>>,
}

impl Lake {
    /// A handle on the lake in the folder `root`. The disk is not touched; a folder that is not there reads as
    /// an empty lake.
    #[must_use]
    pub fn open(root: impl Into<PathBuf>) -> Self {
        Self::with_store(LakeStore::new(root.into()))
    }

    pub(crate) fn with_store(store: LakeStore) -> Self {
        Self { store, captures_read: Arc::default() }
    }

    /// Calls `hook` with a stable name right before each durable step of a commit, and once after the last one
    /// (`…/done`), so that a test can break off at any of them. Names are `<what>/<step>`: what is `capture`,
    /// `stage`, `snapshot`, `ledger`, `current`, `run`, `fetch`, `gc`, or `sweep` for a folder that an earlier writer left half
    /// filled. A folder has the steps `retract` (only where a damaged one is replaced: its manifest goes),
    /// `begin` (the manifest is written under a temporary name), `file` and `rename` for each file, or `link` for one
    /// that is there already under another name, `folder`,
    /// `manifest` (it gets its name: now the folder is there), `parent`, `done`; a single file `file`,
    /// `rename`, `parent`, `done`; a removal `rename`, `remove`. A `panel` has those of a single file for each
    /// table and then for its manifest, and before them `retract` where there is an older one.
    #[must_use]
    pub fn with_step_hook(mut self, hook: Arc<dyn Fn(&str) + Send + Sync>) -> Self {
        self.store.set_hook(hook);
        self
    }

    /// Asks `hook` before every operation on the disk that writes, so that a test can be the disk that is full or
    /// fails, or end the process there: an error that it gives is told instead of doing the operation. It gets the
    /// operation and the file or folder, from the root. Operations are `create_folder`, `open` (of the lock),
    /// `create`, `write` and `sync` of a file, `link`, `rename` (with the new name), `sync_folder` and `remove`, which
    /// is asked for each file and folder of a tree.
    #[must_use]
    pub fn with_fault_hook(mut self, hook: FaultHook) -> Self {
        self.store.fault = Some(hook);
        self
    }

    /// The address of this lake for another process, which sees everything that was written up to now.
    ///
    /// # Errors
    /// What was written cannot be committed.
    pub fn share(&self) -> Result<&Path, LakeError> {
        if let Some(bucket) = self.store.bucket() {
            let path = || self.root().to_path_buf();
            bucket.share().map_err(|source| LakeError::Write { path: path(), source })?;
        }
        Ok(self.root())
    }

    /// Whether it is in an object store.
    #[must_use]
    pub fn is_in_bucket(&self) -> bool {
        self.store.bucket().is_some()
    }

    /// Whether anything was ever written into it.
    ///
    /// # Errors
    /// It cannot be listed.
    pub fn is_empty(&self) -> Result<bool, LakeError> {
        Ok(self.store.list_names("", true)?.is_empty() && self.store.list_names("", false)?.is_empty())
    }

    /// The folder or address of this lake.
    #[must_use]
    pub fn root(&self) -> &Path {
        self.store.root()
    }
}

/// The one writer of a lake, until it is dropped or its process ends.
#[derive(Debug)]
pub struct LakeWriter {
    pub(crate) lake: Lake,
    pub(crate) owner: String,
    pub(crate) now: DateTime<Utc>,
    pub(crate) _lock: WriterLock,
}

impl LakeWriter {
    /// The lake that this writes, to read.
    #[must_use]
    pub fn lake(&self) -> &Lake {
        &self.lake
    }

    /// Name of the owner, as others see it while it holds the lock.
    #[must_use]
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// Time at which it began.
    #[must_use]
    pub fn started_at(&self) -> DateTime<Utc> {
        self.now
    }
}

impl Lake {
    /// The bytes of a file that a manifest names, if they are those it names.
    pub(crate) fn read_checked(&self, key: &str, expected: &str) -> Result<Bytes, LakeError> {
        let read = || {
            let mut bytes = Vec::new();
            let read = self.open_named(key, expected)?.read_to_end(&mut bytes);
            read.map_err(|source| LakeError::Read { path: self.store.path(key), source })?;
            self.check_digest(key, expected, sha256(&bytes))?;
            Ok(bytes.into())
        };
        self.read_again_if_corrupt(key, read)
    }

    /// The same file open, for those who need little of it: never more than that is in memory.
    pub(crate) fn open_checked(&self, key: &str, expected: &str) -> Result<VerifiedFile, LakeError> {
        let open = || {
            let hashed = VerifiedFile::hash_file(self.open_named(key, expected)?);
            let (file, found) =
                hashed.map_err(|source| LakeError::Read { path: self.store.path(key), source })?;
            self.check_digest(key, expected, found)?;
            Ok(file)
        };
        self.read_again_if_corrupt(key, open)
    }

    /// A file that a manifest names, not compared with its digest yet.
    fn open_named(&self, key: &str, expected: &str) -> Result<File, LakeError> {
        let file = match self.store.open_file(key)? {
            None => self.store.backend.open_content(expected),
            file => file,
        };
        file.ok_or_else(|| LakeError::Gone { path: self.store.path(key) })
    }

    /// What is wrong may be the copy on this machine alone.
    fn read_again_if_corrupt<T>(
        &self,
        key: &str,
        read: impl Fn() -> Result<T, LakeError>,
    ) -> Result<T, LakeError> {
        match read() {
            Err(LakeError::Corrupt { .. }) if self.store.backend.drop_copy(key) => read(),
            done => done,
        }
    }

    fn check_digest(&self, key: &str, expected: &str, found: String) -> Result<(), LakeError> {
        if found == expected {
            return Ok(());
        }
        Err(LakeError::Corrupt { path: self.store.path(key), expected: expected.to_owned(), found })
    }

    /// Whether each file is what its manifest says: what is not may be written anew.
    pub(crate) fn is_sound(&self, files: &[(String, &str)]) -> Result<bool, LakeError> {
        for (key, expected) in files {
            match self.open_checked(key, expected) {
                Ok(_) => {}
                Err(error) if error.is_damage() => {
                    tracing::warn!(%error, "found damage, to be replaced by the same content");
                    return Ok(false);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }
}
