//! Dates and places of the events.

use chrono::{Days, NaiveDate};

use super::names::PLACES;
use super::random::Rng;

/// Events before 2000-11-17, the first day that the source's career numbers count.
pub(super) const N_EARLY_EVENTS: usize = 2;
/// Events in the first capture.
pub(super) const N_EVENTS: usize = 30;

/// Weeks from the first modern event to the last.
const WEEKS: u32 = 402;

const fn calendar_day(year: i32, month: u32, day: u32) -> NaiveDate {
    match NaiveDate::from_ymd_opt(year, month, day) {
        Some(date) => date,
        None => panic!("a date of the calendar does not exist"),
    }
}

const EARLY: [NaiveDate; N_EARLY_EVENTS] = [calendar_day(1998, 5, 15), calendar_day(1999, 9, 24)];
const FIRST_MODERN: NaiveDate = calendar_day(2018, 2, 10);
/// The event that only the later capture has.
const LATER: NaiveDate = calendar_day(2025, 11, 22);

/// About when the event with that chronological number is; good enough for ages.
pub(super) fn rough_date(event: usize) -> NaiveDate {
    match EARLY.get(event) {
        Some(date) => *date,
        None => FIRST_MODERN + Days::new(7 * u64::from(week_of(event))),
    }
}

fn week_of(event: usize) -> u32 {
    let last = u32::try_from(N_EVENTS - 1 - N_EARLY_EVENTS).unwrap_or(1);
    let number = u32::try_from(event - N_EARLY_EVENTS).unwrap_or(last);
    WEEKS * number.min(last) / last
}

/// The day of an event: early ones as listed, modern ones on Saturdays some three months apart.
pub(super) fn event_date(seed: u64, event: usize) -> NaiveDate {
    let date = rough_date(event);
    match event {
        _ if event < N_EARLY_EVENTS => date,
        _ if event >= N_EVENTS => LATER,
        // The ends of the range are fixed; between them a few weeks more or less.
        _ if event == N_EARLY_EVENTS || event == N_EVENTS - 1 => date,
        _ => date + Days::new(7 * u64::from(Rng::stream(seed, "date", event).below(8))),
    }
}

/// The place of an event.
pub(super) fn event_place(seed: u64, event: usize) -> &'static str {
    Rng::stream(seed, "place", event).pick(PLACES)
}
