//! From one snapshot to the next: which rows differ, and the cause of each difference as the tables and logs show it.
//! Pure: tables are given to it, and no file, clock or environment is read.

mod atom;
mod cause;
mod cell;
mod compare;
mod derived;
mod diff;
mod difference;
mod evidence;
mod find_cause;
mod names;
mod notes;

pub use atom::{FeedEntry, atom_feed};
pub use cause::{CaptureName, Cause, Decision, SomeBouts, Word};
pub use cell::{cell_json, cell_text};
pub use compare::{ColumnPair, CompareError, TableChunk, compare_tables};
pub use diff::{DiffError, RowBatches, Side, SnapshotDiff, SnapshotTables, TableState};
pub use difference::{CausedChunk, CellDiff, RowDiff, TableSummary};
pub use evidence::{Evidence, SnapshotPair};
pub use names::EntityNames;
pub use notes::{CorrectedValue, ReleaseNotes, key_text, shown};
