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
mod known;
mod record;
mod replay;
mod state;
mod table;
mod value;

pub use chain::{Fault, faults};
pub use checkpoint::{Checkpoint, NoCheckpoint, RESULT_DAY, WINDOW};
pub use diff::{Cause, Change};
pub use entry::Entry;
pub use history::{
    Aliases, BoutHistory, Captures, DnaVersion, EventHistory, History, Item, Items, RankingList, ReadError,
    STATISTICS, Taken, Telling, Tellings,
};
pub use known::SourceStatus;
pub use record::{Book, Missed, Recorded};
pub use replay::{replay, replay_runs};
pub use state::{Field, Known, State, ToldBy};
pub use table::{TableFault, from_table, to_table};
pub use value::Value;
