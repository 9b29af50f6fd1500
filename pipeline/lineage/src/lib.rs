//! From one snapshot to the next: which rows differ, and the cause of each difference as the tables and logs show it.
//! Pure: tables are given to it, and no file, clock or environment is read.

mod atom;
mod cause;
mod cell;
mod compare;
mod derived;
mod diff;
mod evidence;
mod find_cause;
mod names;
mod notes;

pub use atom::{FeedEntry, atom_feed};
pub use cause::{CaptureName, Cause, Decision, SomeBouts, Word};
pub use cell::{cell_json, cell_text};
pub use compare::{ColumnPair, CompareError, TableChunk, compare_tables};
pub use diff::{
    CausedChunk, CellDiff, DiffError, RowBatches, RowDiff, Side, SnapshotDiff, SnapshotTables, TableState,
    TableSummary,
};
pub use evidence::{Evidence, SnapshotPair};
pub use names::EntityNames;
pub use notes::{CorrectedValue, ReleaseNotes, key_text, shown};
