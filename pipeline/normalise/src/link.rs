//! Who is who across sources: events, bouts and fighters of the schedule, the judging and the notice sources
//! tied to those of the statistics source, or, where it does not know them yet, standing for themselves.

mod claims;
mod judging;
mod ledger;
mod matching;
mod notice;
mod registry;

use arrow::array::RecordBatch;

use crate::tables::{TableSet, sorted_batch};
use crate::{CaptureFacts, NormaliseError, Normalised};

/// What linking starts from.
pub struct Linking<'a> {
    /// Tables of the statistics source alone.
    pub history: &'a TableSet,
    /// Captures of the schedule, judging and notice sources.
    pub captures: Vec<CaptureFacts>,
    /// The `identities` that the current snapshot has published: what was given once stays.
    pub published: Option<&'a RecordBatch>,
}

/// Tables that [`link`] makes anew; the others stay as they were.
const NEW: [&str; 8] = [
    "aliases",
    "doubtful_links",
    "event_listings",
    "bout_listings",
    "round_scorecards",
    "deductions",
    "weigh_ins",
    "short_notices",
];

/// Columns of `weigh_ins`, in the order in which the sources of weights give them.
const WEIGH_INS: [&str; 5] = ["bout_id", "fighter_id", "source", "weight_lbs", "is_missed"];

/// Links all sources.
///
/// # Errors
/// A table is missing or does not follow its contract. Bad rows are findings in `quarantine`.
pub fn link(linking: Linking<'_>) -> Result<Normalised, NormaliseError> {
    let Linking { history, captures: _, published: _ } = linking;
    let mut tables = history.0.clone().into_iter().collect::<Vec<_>>();
    for name in NEW {
        tables.push(sorted_batch(name, Vec::new())?);
    }
    Ok(Normalised { tables, counts: Vec::new() })
}
