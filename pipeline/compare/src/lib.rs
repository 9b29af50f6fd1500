//! Pure functions over published Fight DNA: which version holds on a date, what the date itself adds, what
//! versions say of kinds of bouts, of rounds and of two fighters, and who leads by a metric. No facts, no
//! I/O, no clock.

mod as_of;
mod context;
pub mod matchup;
pub mod profile;
mod published;
pub mod query;
pub mod split;

pub use as_of::{Chosen, NoVersion, VersionDates, latest, version_as_of};
pub use context::{Context, context};
pub use published::{INTERVAL_LEVEL, Published};
