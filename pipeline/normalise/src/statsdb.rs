//! One capture of the statistics source, in any of its layouts, resolved by itself: rows to entities, gates.

mod bout_rows;
mod bouts;
mod capture_facts;
mod detail;
mod events;
mod fighters;
mod gates;
mod ids;
mod incremental;
mod names;
mod rounds;
mod scorecards;
mod units;

use self::capture_facts::{IDS, SOURCE, StatsdbFacts};
pub(crate) use self::capture_facts::{PAGES, ResolvedCapture};
pub(crate) use self::incremental::PreviousCapture;
pub use self::units::PreparedUnit;
use crate::error::NormaliseError;

/// Resolves one capture with what it holds itself. `previous` is the capture before, if of the six-file layout:
/// what rests on the same rows, names and judges as there is not resolved again.
pub(crate) fn resolve_capture(
    prepared: &PreparedUnit,
    previous: &mut PreviousCapture,
) -> Result<ResolvedCapture, NormaliseError> {
    let capture = &prepared.facts;
    let facts = StatsdbFacts { capture };
    let captured_on = capture.captured_at.date_naive();
    match capture.source.as_str() {
        SOURCE => incremental::resolve_incrementally(prepared, previous, captured_on),
        PAGES => {
            *previous = PreviousCapture::default();
            incremental::resolve_incrementally(prepared, &mut PreviousCapture::default(), captured_on)
        }
        IDS => {
            *previous = PreviousCapture::default();
            ids::resolve_ids(&facts, captured_on)
        }
        other => Err(NormaliseError::UnknownSource(other.to_owned())),
    }
}

/// Whether captures of the layout are resolved by what they differ in from the one before.
pub(crate) fn is_resolved_again(source: &str) -> bool {
    source == SOURCE
}
