//! One writer at a time: an advisory lock of the operating system, which ends with its process however that ends.

use std::fs::{File, TryLockError};
use std::io::{self, Read as _};
use std::os::unix::fs::FileExt as _;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::LakeError;
use crate::host::host_name;
use crate::manifest::instant;
use crate::store::LakeStore;

pub(crate) const LOCK: &str = "lock";

/// Size of the file in bytes, whatever it says: written over in place, it needs no room on a full disk.
const SIZE: usize = 1024;

/// Characters of a name that are kept.
const NAME: usize = 80;

/// The lock, held until dropped. The content of the file only tells others who holds it.
#[derive(Debug)]
pub(crate) struct LakeLock(File);

#[derive(Serialize, Deserialize)]
struct LockHolder {
    owner: String,
    pid: u32,
    /// Several machines may share a folder.
    #[serde(default)]
    host: Option<String>,
    #[serde(with = "instant")]
    since: DateTime<Utc>,
}

impl LockHolder {
    fn describe_holder(&self) -> String {
        let host = self.host.as_ref().map(|host| format!(" on {host}")).unwrap_or_default();
        format!("process {}{host}", self.pid)
    }
}

impl LakeLock {
    pub(crate) fn acquire(store: &LakeStore, owner: &str, now: DateTime<Utc>) -> Result<Self, LakeError> {
        let file = store.open_lock(LOCK)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(locked_error(&file)),
            Err(TryLockError::Error(source)) => {
                return Err(LakeError::Lock { path: store.path(LOCK), source });
            }
        }
        let (lock, pid) = (Self(file), std::process::id());
        let holder =
            LockHolder { owner: owner.chars().take(NAME).collect(), pid, host: host_name(), since: now };
        let written =
            store.check_fault("write", LOCK).and_then(|()| lock.write_holder(&serde_json::to_vec(&holder)?));
        if let Err(error) = written {
            // The lock holds without a word.
            tracing::debug!(%error, "who holds the lock could not be written down");
        }
        Ok(lock)
    }

    /// Writes over what the file says. Whoever held it before may have died without a word, and left its own.
    fn write_holder(&self, text: &[u8]) -> io::Result<()> {
        let mut padded = text.to_vec();
        padded.resize(SIZE - 1, b' ');
        padded.push(b'\n');
        self.0.write_all_at(&padded, 0)?;
        if self.0.metadata()?.len() > SIZE as u64 {
            self.0.set_len(SIZE as u64)?;
        }
        self.0.sync_all()
    }
}

impl Drop for LakeLock {
    fn drop(&mut self) {
        // Only so that no one reads of a writer that is gone: the lock itself goes with the file.
        let _ = self.write_holder(b"");
    }
}

/// The error that names the holder, as far as it has been written yet.
fn locked_error(file: &File) -> LakeError {
    let mut text = String::new();
    let read = file.take(SIZE as u64).read_to_string(&mut text);
    match read.ok().and_then(|_| serde_json::from_str::<LockHolder>(&text).ok()) {
        Some(holder) => {
            let place = Some(holder.describe_holder());
            LakeError::Locked { owner: holder.owner, since: Some(holder.since), place }
        }
        None => LakeError::Locked { owner: "another writer".to_owned(), since: None, place: None },
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::testing::{lake, noon};

    #[test]
    fn a_second_writer_is_told_who_has_the_lock_where_and_since_when() {
        let (_folder, lake) = lake();
        let first = lake.writer("the nightly run", noon()).unwrap();
        let Err(LakeError::Locked { owner, since, place }) = lake.writer("me", noon()) else {
            panic!("not locked")
        };
        assert!(lake.is_being_written().unwrap());
        assert_eq!(owner, "the nightly run");
        assert_eq!(since, Some(noon()));
        let process = format!("process {}", std::process::id());
        assert!(place.is_some_and(|place| place.starts_with(&process)));
        drop(first);
        assert!(!lake.is_being_written().unwrap());
        assert_eq!(std::fs::read_to_string(lake.root().join(LOCK)).unwrap().trim(), "");
        lake.writer("me", noon()).unwrap();
    }

    #[test]
    fn words_that_a_dead_writer_left_do_not_lock() {
        let (_folder, lake) = lake();
        drop(lake.writer("x", noon()).unwrap());
        std::fs::write(lake.root().join(LOCK), "long words of one that is gone, ".repeat(50)).unwrap();
        let _writer = lake.writer(&"y\0".repeat(900), noon()).unwrap();
        assert!(matches!(lake.writer("z", noon()), Err(LakeError::Locked { since: Some(_), .. })));
    }

    #[test]
    fn the_file_never_shrinks_and_a_disk_that_takes_no_word_locks_all_the_same() {
        let (_folder, lake) = lake();
        let size = || std::fs::metadata(lake.root().join(LOCK)).unwrap().len();
        let sizes: Vec<u64> = (0..3)
            .map(|_| {
                let writer = lake.writer("x", noon()).unwrap();
                let held = size();
                drop(writer);
                assert_eq!(held, size());
                held
            })
            .collect();
        assert_eq!(sizes, [SIZE as u64; 3]);
        let full = lake.clone().with_fault_hook(Arc::new(|operation, key| match (operation, key) {
            ("write", LOCK) => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok(()),
        }));
        let _writer = full.writer("y", noon()).unwrap();
        assert!(matches!(lake.writer("z", noon()), Err(LakeError::Locked { since: None, .. })));
    }
}
