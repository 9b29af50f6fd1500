//! Snapshots kept beside the current one, in a budget of memory.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};

use crate::Dataset;

/// Bytes in memory of a dataset for a byte of its tables, which are compressed; measured on real ones, and more rather
/// than less.
const MEMORY_FACTOR: u64 = 6;

/// What a snapshot whose tables have so many bytes takes in memory, about.
pub(super) fn estimated(table_bytes: u64) -> u64 {
    table_bytes.saturating_mul(MEMORY_FACTOR)
}

/// Datasets, the last used first.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    max_snapshots: usize,
    max_bytes: u64,
    kept: VecDeque<(Arc<Dataset>, u64)>,
    /// Those that were put away while requests still read them.
    leaving: Vec<(Weak<Dataset>, u64)>,
}

impl Shelf {
    pub(super) fn new(max_snapshots: usize, max_bytes: u64) -> Self {
        Self { max_snapshots, max_bytes, ..Self::default() }
    }

    /// The dataset of this id, as the last used.
    pub(super) fn get(&mut self, id: &str) -> Option<Arc<Dataset>> {
        let place = self.kept.iter().position(|(dataset, _)| dataset.snapshot_id() == id)?;
        let entry = self.kept.remove(place)?;
        let dataset = Arc::clone(&entry.0);
        self.kept.push_front(entry);
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
            let Some((dataset, size)) = self.kept.pop_back() else { break };
            self.leaving.push((Arc::downgrade(&dataset), size));
        }
        self.bytes() + bytes <= self.max_bytes
    }

    pub(super) fn put(&mut self, dataset: &Arc<Dataset>, bytes: u64) {
        self.kept.push_front((Arc::clone(dataset), bytes));
    }

    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }

    /// Estimated memory of what is kept and of what is still being read.
    pub(super) fn bytes(&mut self) -> u64 {
        self.leaving.retain(|(dataset, _)| dataset.strong_count() > 0);
        self.bytes_kept() + self.leaving.iter().map(|(_, size)| size).sum::<u64>()
    }

    fn bytes_kept(&self) -> u64 {
        self.kept.iter().map(|(_, size)| size).sum()
    }
}
