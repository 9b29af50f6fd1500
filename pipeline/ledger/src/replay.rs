//! The ledger that runs would have written: at every capture and every checkpoint, or at given times.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::history::LedgerHistory;
use crate::record::{LedgerState, RecordedRows};

/// The rows of a run that never missed a capture or a checkpoint from `from` to `to`, and that begins at `from` with
/// what was known then. Each row's `recorded_at` is the time of the replay.
pub fn replay_rows(
    book: &mut LedgerState,
    history: &LedgerHistory,
    [from, to]: [DateTime<Utc>; 2],
    recorded_at: DateTime<Utc>,
) -> RecordedRows {
    let captures = history.captures.capture_times().iter().copied().filter(|at| *at > from && *at <= to);
    let mut all = RecordedRows::default();
    let mut now = from;
    for next in captures.map(Some).chain([None]) {
        extend_rows(&mut all, book.record_run(history, now, recorded_at));
        advance_time(book, history, (now, next.unwrap_or(to), next.is_none()), recorded_at, &mut all);
        let Some(next) = next else { break };
        now = next;
    }
    all
}

/// The rows that runs at these times write, the earliest first.
pub fn replay_runs(
    book: &mut LedgerState,
    history: &LedgerHistory,
    runs: &[DateTime<Utc>],
    recorded_at: DateTime<Utc>,
) -> RecordedRows {
    let mut all = RecordedRows::default();
    for now in runs {
        extend_rows(&mut all, book.record_run(history, *now, recorded_at));
    }
    all
}

fn extend_rows(all: &mut RecordedRows, more: RecordedRows) {
    all.entries.extend(more.entries);
    all.missed.extend(more.missed);
}

/// Lets time pass up to the next capture, from checkpoint to checkpoint.
fn advance_time(
    book: &mut LedgerState,
    history: &LedgerHistory,
    (now, until, is_last): (DateTime<Utc>, DateTime<Utc>, bool),
    recorded_at: DateTime<Utc>,
    all: &mut RecordedRows,
) {
    // What the next capture brings is written at its own time, checkpoints of that instant with it.
    let is_before = |at: DateTime<Utc>| at < until || (at == until && is_last);
    let watched = book.watched_bouts(history, now);
    // By place, so that those of one instant are in order.
    let coming = |book: &LedgerState, place: usize, now: DateTime<Utc>| {
        let next = watched.get(place).and_then(|bout| book.next_instant(history, *bout, now));
        next.filter(|at| is_before(*at)).map(|at| (at, place))
    };
    let mut due: BTreeSet<(DateTime<Utc>, usize)> =
        (0..watched.len()).filter_map(|place| coming(book, place, now)).collect();
    while let Some((instant, _)) = due.first().copied() {
        let later = due.split_off(&(instant, watched.len()));
        let places = std::mem::replace(&mut due, later);
        let bouts: Vec<Uuid> = places.iter().map(|(_, place)| watched[*place]).collect();
        extend_rows(all, book.record_some(history, &bouts, instant, recorded_at));
        due.extend(places.into_iter().filter_map(|(_, place)| coming(book, place, instant)));
    }
}
