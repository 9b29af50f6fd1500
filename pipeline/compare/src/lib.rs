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
mod the_day;

pub use as_of::{ChosenVersion, NoVersion, VersionDates, latest, version_as_of};
pub use context::{VersionContext, context_on};
pub use published::{INTERVAL_LEVEL, PublishedValue};
pub use the_day::{FighterPast, OnTheDay, RatedDay, on_the_day, percentile_in_pool};
