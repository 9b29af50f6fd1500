//! Profiles: what a fighter does round by round, and how his bouts end.

mod finishes;
mod rounds;

pub use finishes::{FinishEnding, FinishEndings, endings_of};
pub use rounds::{RoundActionRates, RoundActions, RoundFade, RoundProfile, RoundSums, round_fade};
