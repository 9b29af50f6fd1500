//! The fight-week ledger: an append-only, bitemporal record of what was known about a bout as its event drew near.
//! Pure: no clock, no files, no environment. The time of a run is passed in, and what was known at a time is cut
//! from what captures told.
//!
//! A row's state is a function of its `valid_at` alone: the later of its checkpoint's instant and the newest
//! capture. So a replay of the captures writes what runs at those times wrote, row for row, `recorded_at` apart.

mod chain;
mod checkpoint;
mod diff;
mod entry;
mod history;
mod record;
mod replay;
mod state;
mod state_at;
mod table;
mod value;

pub use chain::{ChainFault, find_faults};
pub use checkpoint::{Checkpoint, NoCheckpoint, RESULT_FOLLOW_UP, WINDOW};
pub use diff::{ChangeCause, StateChange};
pub use entry::LedgerEntry;
pub use history::{
    BoutHistory, CaptureHistory, CaptureTime, DnaVersion, EventHistory, IdAliases, LedgerHistory, MediaItem,
    MediaItems, RankingList, ReadError, STATISTICS, SourceStatement, SourceStatements,
};
pub use record::{LedgerState, MissedCheckpoint, RecordedRows};
pub use replay::{replay_rows, replay_runs};
pub use state::{BoutState, KnownState, StateField, StatedBy};
pub use state_at::SourceStatus;
pub use table::{TableFault, from_table, to_table};
pub use value::StateValue;
