//! Known state of a bout at a time.

mod card;
mod counts;
mod fighters;
mod replaced;
mod sources;

use std::ops::Range;

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::checkpoint::POST_EVENT_WINDOW;
use crate::history::{BoutHistory, LedgerHistory};
use crate::state::{KnownState, StateField};

pub use sources::SourceStatus;
pub(crate) use sources::sources_at;

/// A bout at a time, while its state is put together.
struct BoutSubject<'a> {
    history: &'a LedgerHistory,
    id: Uuid,
    bout: &'a BoutHistory,
    at: DateTime<Utc>,
}

impl LedgerHistory {
    /// The state of a bout as captures up to `at` tell it; `None` if none does.
    #[must_use]
    pub fn known_state(&self, bout: Uuid, at: DateTime<Utc>) -> Option<KnownState> {
        let subject = BoutSubject { history: self, id: bout, bout: self.bouts.get(&bout)?, at };
        let stated = subject.bout.tellings.stated_at(&self.captures, at);
        if stated.is_empty() {
            return None;
        }
        let mut known = KnownState::default();
        subject.set_start(&stated, &mut known);
        subject.set_card(&stated, &mut known);
        subject.set_status(&stated, &mut known);
        subject.set_result(&stated, &mut known);
        subject.set_fighters(&stated, &mut known);
        subject.set_replaced(&mut known);
        subject.set_counts(&mut known);
        Some(known)
    }
}

/// The instant from which hours are counted: the scheduled start, or 00:00 UTC of the day where only that is
/// known.
#[must_use]
pub(crate) fn start_of(known: &KnownState) -> Option<DateTime<Utc>> {
    let at = known.state.get(StateField::StartAt).as_instant();
    at.or_else(|| known.state.get(StateField::StartDate).as_date().map(midnight))
}

fn midnight(day: NaiveDate) -> DateTime<Utc> {
    day.and_time(NaiveTime::MIN).and_utc()
}

/// Span in which publications about a fighter are taken to be about the bout.
fn media_window(start: DateTime<Utc>) -> Range<DateTime<Utc>> {
    let from = start.checked_sub_signed(TimeDelta::days(30)).unwrap_or(start);
    from..start.checked_add_signed(POST_EVENT_WINDOW).unwrap_or(start)
}
