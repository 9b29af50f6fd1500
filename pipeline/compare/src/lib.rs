//! Pure functions over published Fight DNA versions: which version holds on a date, and what the date
//! itself adds. No facts, no I/O, no clock.

mod as_of;
mod context;

pub use as_of::{Chosen, NoVersion, VersionDates, latest, version_as_of};
pub use context::{Context, context};
