//! Becoming the one writer of a lake.

use std::fs::{File, TryLockError};
use std::io;

use chrono::{DateTime, Utc};

use crate::bucket::BeginError;
use crate::gc::sweep_leftovers;
use crate::lock::{LOCK, LakeLock};
use crate::writer_lock::WriterLock;
use crate::{Lake, LakeError, LakeWriter};

impl Lake {
    /// Creates the folder where there is none, becomes its one writer, and sweeps what an earlier writer left
    /// half done. `owner` and `now` are what another writer is told meanwhile.
    ///
    /// # Errors
    /// [`LakeError::Locked`] while another writer lives; otherwise the folder cannot be written.
    pub fn writer(&self, owner: &str, now: DateTime<Utc>) -> Result<LakeWriter, LakeError> {
        self.store.create_root()?;
        let lock = match self.store.bucket() {
            None => WriterLock::Folder(LakeLock::acquire(&self.store, owner, now)?),
            Some(bucket) => WriterLock::Bucket(bucket.begin(owner).map_err(|error| self.begin_error(error))?),
        };
        let leftovers = sweep_leftovers(&self.store)?;
        self.store.set_reserve_aside();
        if leftovers > 0 {
            tracing::info!(leftovers, "swept what an interrupted run left");
        }
        Ok(LakeWriter { lake: self.clone(), owner: owner.to_owned(), now, _lock: lock })
    }

    fn begin_error(&self, error: BeginError) -> LakeError {
        match error {
            BeginError::Held { owner, since, place } => {
                LakeError::Locked { owner, since: Some(since), place: Some(place) }
            }
            BeginError::Io(source) => LakeError::Lock { path: self.root().to_path_buf(), source },
        }
    }

    /// Whether a writer holds the lake. Looks by holding the lock for a moment where nobody does.
    ///
    /// # Errors
    /// The lock cannot be asked for.
    pub fn is_being_written(&self) -> Result<bool, LakeError> {
        let path = self.store.path(LOCK);
        if let Some(bucket) = self.store.bucket() {
            return bucket.is_being_written().map_err(|source| LakeError::Lock { path, source });
        }
        let tried = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            opened => opened.map(|file| file.try_lock_shared()),
        };
        match tried {
            Ok(Ok(())) => Ok(false),
            Ok(Err(TryLockError::WouldBlock)) => Ok(true),
            Ok(Err(TryLockError::Error(source))) | Err(source) => Err(LakeError::Lock { path, source }),
        }
    }
}
