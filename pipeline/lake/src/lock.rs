//! One writer at a time: an advisory lock of the operating system, which ends with its process however that ends.

use std::fs::{File, TryLockError};
use std::io::{Read as _, Write as _};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::LakeError;
use crate::manifest::instant;
use crate::store::Store;

const LOCK: &str = "lock";

/// The lock, held until dropped. The content of the file only tells others who holds it.
#[derive(Debug)]
pub(crate) struct Lock(File);

#[derive(Serialize, Deserialize)]
struct Holder {
    owner: String,
    pid: u32,
    #[serde(with = "instant")]
    since: DateTime<Utc>,
}

impl Lock {
    pub(crate) fn take(store: &Store, owner: &str, now: DateTime<Utc>) -> Result<Self, LakeError> {
        let file = store.open_lock(LOCK)?;
        let failed = |source| LakeError::Lock { path: store.path(LOCK), source };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(held(&file)),
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let holder = Holder { owner: owner.to_owned(), pid: std::process::id(), since: now };
        let text = serde_json::to_vec(&holder).map_err(|e| failed(e.into()))?;
        // Whoever held it before may have died without a word, and left its own.
        let written = file.set_len(0).and_then(|()| (&file).write_all(&text));
        written.and_then(|()| file.sync_all()).map_err(failed)?;
        Ok(Self(file))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Only so that no one reads of a writer that is gone: the lock itself goes with the file.
        let _ = self.0.set_len(0).and_then(|()| self.0.sync_all());
    }
}

/// Who holds it, as far as it has been written yet.
fn held(mut file: &File) -> LakeError {
    let mut text = String::new();
    let holder = file.read_to_string(&mut text).ok().and_then(|_| serde_json::from_str::<Holder>(&text).ok());
    match holder {
        Some(holder) => LakeError::Locked { owner: holder.owner, since: Some(holder.since) },
        None => LakeError::Locked { owner: "another writer".to_owned(), since: None },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lake, noon};

    #[test]
    fn a_second_writer_is_told_who_has_the_lock_and_since_when() {
        let (_folder, lake) = lake();
        let first = lake.writer("the nightly run", noon()).unwrap();
        let Err(LakeError::Locked { owner, since }) = lake.writer("me", noon()) else { panic!("not locked") };
        assert_eq!(owner, "the nightly run");
        assert_eq!(since, Some(noon()));
        drop(first);
        assert_eq!(std::fs::read(lake.root().join("lock")).unwrap(), b"");
        lake.writer("me", noon()).unwrap();
    }

    #[test]
    fn words_that_a_dead_writer_left_do_not_lock() {
        let (_folder, lake) = lake();
        drop(lake.writer("x", noon()).unwrap());
        std::fs::write(lake.root().join("lock"), "long words of one that is gone, ".repeat(20)).unwrap();
        let _writer = lake.writer("y", noon()).unwrap();
        assert!(matches!(lake.writer("z", noon()), Err(LakeError::Locked { since: Some(_), .. })));
    }
}
