//! Room for what must be written when the disk is full: an operator has to be able to roll back and to remove what is
//! not needed just then. A file holds it, and gives it up for a small file.

use sha2::{Digest as _, Sha256};

use crate::LakeError;
use crate::keys::temporary_key;
use crate::store::LakeStore;

pub(crate) const RESERVE: &str = "reserve";

/// Sizes in bytes, the first of them that there is room for.
const SIZES: [usize; 4] = [256 << 10, 128 << 10, 64 << 10, 32 << 10];

/// A file up to this size, in bytes, may have the reserve.
pub(crate) const SMALL: usize = 16 << 10;

impl LakeStore {
    /// Does `work`, and does it once more without the reserve where there is no room.
    pub(crate) fn with_room<T>(&self, work: impl Fn() -> Result<T, LakeError>) -> Result<T, LakeError> {
        match work() {
            Err(error) if error.is_full() && self.give_up_reserve() => {
                tracing::warn!(%error, "no room is left: the reserve is given up");
                work()
            }
            done => done,
        }
    }

    fn give_up_reserve(&self) -> bool {
        self.is_there(RESERVE) && self.remove_tree(RESERVE).and_then(|()| self.sync_folder("")).is_ok()
    }

    /// Sets the reserve aside, as much of it as there is room for.
    pub(crate) fn set_reserve_aside(&self) {
        if self.bucket().is_some() {
            return;
        }
        let there = self.stamp(RESERVE).map_or(0, |file| file.bytes);
        let sizes = SIZES.into_iter().take_while(|size| (*size as u64) > there);
        for size in sizes {
            let new = temporary_key(RESERVE);
            let made = self
                .write_synced(&new, &incompressible_bytes(size))
                .and_then(|()| self.rename(&new, RESERVE));
            match made.and_then(|()| self.sync_folder("")) {
                Ok(()) => return,
                Err(error) => tracing::debug!(%error, size, "the reserve could not be set aside"),
            }
            let _ = self.remove_tree(&new);
        }
    }
}

/// Bytes that no file system makes smaller.
fn incompressible_bytes(size: usize) -> Vec<u8> {
    let blocks = std::iter::successors(Some(Sha256::digest(RESERVE)), |before| Some(Sha256::digest(before)));
    blocks.flat_map(|block| block.to_vec()).take(size).collect()
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::testing::{draft, lake, noon};
    use crate::{Lake, SnapshotId};

    /// The lake on a disk whose last free bytes are those that the reserve holds: nothing new fits beside it.
    fn on_a_full_disk(lake: &Lake) -> Lake {
        let reserve = lake.root().join(RESERVE);
        lake.clone().with_fault_hook(Arc::new(move |operation, key| {
            let takes_room = ["create", "create_folder", "write"].contains(&operation);
            let is_full = takes_room && (reserve.exists() || key.contains(RESERVE));
            if is_full { Err(Error::from(ErrorKind::StorageFull)) } else { Ok(()) }
        }))
    }

    fn two_snapshots(lake: &Lake) -> [SnapshotId; 2] {
        let writer = lake.writer("test", noon()).unwrap();
        let ids = [1, 2].map(|on| writer.commit_snapshot(draft(&["a", "b"][..on], "1", 1)).unwrap().id);
        writer.set_current(&ids[1], noon()).unwrap();
        ids
    }

    #[test]
    fn on_a_full_disk_the_pointer_still_moves_and_what_is_not_needed_goes() {
        let (_folder, lake) = lake();
        let [old, _] = two_snapshots(&lake);
        assert_eq!(std::fs::metadata(lake.root().join(RESERVE)).unwrap().len(), 256 << 10);
        let full = on_a_full_disk(&lake);
        let writer = full.writer("rollback", noon()).unwrap();
        assert!(writer.set_current(&old, noon()).unwrap());
        assert!(!lake.root().join(RESERVE).exists(), "it had to be given up");
        assert_eq!(lake.current_snapshot().unwrap(), Some(old));
        drop(writer);
        full.writer("gc", noon()).unwrap().gc(0).unwrap();
        assert_eq!(lake.list_snapshots().unwrap().len(), 1);
        lake.writer("with room", noon()).unwrap();
        assert!(lake.root().join(RESERVE).exists(), "set aside again");
    }

    #[test]
    fn large_files_do_not_get_the_reserve_and_a_smaller_one_is_better_than_none() {
        let (_folder, lake) = lake();
        two_snapshots(&lake);
        let full = on_a_full_disk(&lake);
        let writer = full.writer("run", noon()).unwrap();
        assert!(writer.commit_snapshot(draft(&["c"], "1", 1)).unwrap_err().is_full());
        assert!(lake.root().join(RESERVE).exists());
        drop(writer);
        std::fs::remove_file(lake.root().join(RESERVE)).unwrap();
        let tries = AtomicUsize::new(0);
        let tight = lake.clone().with_fault_hook(Arc::new(move |operation, key| {
            let is_try = key.contains(RESERVE) && operation == "write";
            let is_full = is_try && tries.fetch_add(1, Ordering::Relaxed) < 2;
            if is_full { Err(Error::from(ErrorKind::QuotaExceeded)) } else { Ok(()) }
        }));
        drop(tight.writer("run", noon()).unwrap());
        assert_eq!(std::fs::metadata(lake.root().join(RESERVE)).unwrap().len(), 64 << 10);
        drop(lake.writer("with room", noon()).unwrap());
        assert_eq!(std::fs::metadata(lake.root().join(RESERVE)).unwrap().len(), 256 << 10);
    }
}
