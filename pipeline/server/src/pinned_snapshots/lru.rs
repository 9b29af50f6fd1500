//! Snapshots kept beside the current one, in a budget of memory.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};

/// Bytes in memory of a dataset for a byte of its tables, which are compressed. Of the real history, with tables of 76 MB, it
/// was 3.7 while they were loaded, and 1.3 afterwards.
const MEMORY_FACTOR: u64 = 4;

/// What a snapshot whose tables have so many bytes takes in memory, about.
pub(super) fn estimated(table_bytes: u64) -> u64 {
    table_bytes.saturating_mul(MEMORY_FACTOR)
}

/// Datasets by id, the last used first.
#[derive(Debug)]
pub(super) struct SnapshotLru<T> {
    max_snapshots: usize,
    max_bytes: u64,
    kept: VecDeque<LruEntry<T>>,
    /// Those that were put away while requests still read them.
    leaving: Vec<(Weak<T>, u64)>,
}

#[derive(Debug)]
struct LruEntry<T> {
    id: String,
    dataset: Arc<T>,
    bytes: u64,
}

impl<T> SnapshotLru<T> {
    pub(super) fn new(max_snapshots: usize, max_bytes: u64) -> Self {
        Self { max_snapshots, max_bytes, kept: VecDeque::new(), leaving: Vec::new() }
    }

    /// The dataset of this id, as the last used.
    pub(super) fn get(&mut self, id: &str) -> Option<Arc<T>> {
        let place = self.kept.iter().position(|kept| kept.id == id)?;
        let kept = self.kept.remove(place)?;
        let dataset = Arc::clone(&kept.dataset);
        self.kept.push_front(kept);
        Some(dataset)
    }

    /// Whether something of this size is ever taken.
    pub(super) fn takes(&self, bytes: u64) -> bool {
        self.max_snapshots > 0 && bytes <= self.max_bytes
    }

    /// Puts away, those used longest ago first, until another of this size may be loaded. False where requests still
    /// read what was put away: its memory is not free yet.
    pub(super) fn make_room(&mut self, bytes: u64) -> bool {
        while self.kept.len() >= self.max_snapshots || self.bytes_kept() + bytes > self.max_bytes {
            let Some(last) = self.kept.pop_back() else { break };
            self.leaving.push((Arc::downgrade(&last.dataset), last.bytes));
        }
        self.bytes() + bytes <= self.max_bytes
    }

    pub(super) fn put(&mut self, id: &str, dataset: &Arc<T>, bytes: u64) {
        self.kept.push_front(LruEntry { id: id.to_owned(), dataset: Arc::clone(dataset), bytes });
    }

    pub(super) fn remove(&mut self, id: &str) {
        let place = self.kept.iter().position(|kept| kept.id == id);
        if let Some(gone) = place.and_then(|place| self.kept.remove(place)) {
            self.leaving.push((Arc::downgrade(&gone.dataset), gone.bytes));
        }
    }

    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }

    /// Estimated memory of what is kept and of what is still being read.
    pub(super) fn bytes(&mut self) -> u64 {
        self.leaving.retain(|(dataset, _)| dataset.strong_count() > 0);
        self.bytes_kept() + self.leaving.iter().map(|(_, bytes)| bytes).sum::<u64>()
    }

    fn bytes_kept(&self) -> u64 {
        self.kept.iter().map(|kept| kept.bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(lru: &mut SnapshotLru<()>, id: &str, bytes: u64) -> bool {
        let has_room = lru.make_room(bytes);
        if has_room {
            lru.put(id, &Arc::new(()), bytes);
        }
        has_room
    }

    #[test]
    fn what_was_used_longest_ago_makes_room_by_number_and_by_size() {
        let mut lru = SnapshotLru::new(3, 100);
        for (id, bytes) in [("a", 30), ("b", 30), ("c", 30)] {
            assert!(put(&mut lru, id, bytes));
        }
        assert!(lru.get("a").is_some());
        assert!(put(&mut lru, "d", 10));
        assert!(lru.get("b").is_none(), "a fourth");
        assert!(put(&mut lru, "e", 60));
        assert_eq!((lru.len(), lru.bytes()), (3, 100));
        assert!(put(&mut lru, "f", 100));
        assert_eq!((lru.len(), lru.bytes()), (1, 100));
        assert!(lru.takes(100) && !lru.takes(101) && !SnapshotLru::<()>::new(0, 100).takes(1));
    }

    #[test]
    fn memory_that_a_request_still_reads_is_not_given_to_another() {
        let mut lru = SnapshotLru::new(2, 100);
        assert!(put(&mut lru, "a", 60));
        let being_read = lru.get("a");
        assert!(!put(&mut lru, "b", 60));
        assert_eq!((lru.len(), lru.bytes()), (0, 60));
        drop(being_read);
        assert!(put(&mut lru, "b", 60));
        assert_eq!(lru.bytes(), 60);
    }
}
