//! Source facts to events, bouts, fighters, results, scorecards and round statistics under our own ids.
//!
//! Each capture is resolved by itself, with the names that it holds (`statsdb`), and the resolved
//! captures are then merged in the order of their capture times (`merge`). So a capture says the same
//! whether older ones are there or not, and what an older one adds is visible as such.

mod capture_merger;
mod counts;
mod error;
mod facts;
mod merge_table;
mod statsdb;

use fdna_rows::{CaptureFacts, Normalised};

pub use capture_merger::{CaptureMerger, STATE_FORMAT};
pub use error::NormaliseError;
pub use facts::{FACTS_TABLES, FactsError, facts_columns, read_facts, read_facts_by};
pub use statsdb::PreparedUnit;

/// Normalises all captures of the statistics source, given in any order.
///
/// # Errors
/// A facts table is missing or does not follow its contract. Bad rows are findings in `quarantine`.
pub fn normalise_captures(mut captures: Vec<CaptureFacts>) -> Result<Normalised, NormaliseError> {
    captures.sort_by(|a, b| (a.captured_at, &a.capture).cmp(&(b.captured_at, &b.capture)));
    let mut merging = CaptureMerger::new()?;
    for capture in captures {
        merging.add_capture(PreparedUnit::new(capture)?)?;
    }
    merging.finish()
}
