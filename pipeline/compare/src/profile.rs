//! Profiles: what a fighter does round by round, and how his bouts end.

mod finishes;
mod rounds;

pub use finishes::{Ending, Endings, endings};
pub use rounds::{Actions, Fade, Rates, RoundProfile, RoundSums, fade};
