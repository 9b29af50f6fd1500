//! Credible start times, and the day of an event that follows from them.

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Timelike as _, Utc};
use chrono_tz::Tz;
use fdna_schemas::SourceContract;

/// No card begins before this hour at its venue, unless it is held for the evening of another continent.
const FIRST_HOUR: u32 = 6;

/// The start, unless its source fills in an hour where it knows none, as its contract says.
pub(crate) fn believed_start(source: &str, start: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let starts = SourceContract::get(source).map(|contract| &contract.starts);
    let is_too_early = starts.and_then(|starts| starts.from).is_some_and(|from| day_in_america(start) < from);
    (!is_too_early && day_without_hour(source, start).is_none()).then_some(start)
}

/// The day of an event of this source that starts then.
pub(crate) fn listed_day(source: &str, start: DateTime<Utc>) -> NaiveDate {
    day_without_hour(source, start).unwrap_or_else(|| day_in_america(start))
}

/// The day that a source states by its midnight, where that stands for an hour that is not known.
fn day_without_hour(source: &str, start: DateTime<Utc>) -> Option<NaiveDate> {
    let zone: Tz = SourceContract::get(source)?.starts.midnight_is_unknown_in.as_deref()?.parse().ok()?;
    let there = start.with_timezone(&zone).naive_local();
    (there.time() == NaiveTime::MIN).then_some(there.date())
}

/// The day of an event that starts then, as the statistics source counts: in the middle of the Americas, so that
/// an evening in Las Vegas that begins after midnight UTC is of the day before, and so is a Sunday noon in Sydney.
pub(crate) fn day_in_america(start: DateTime<Utc>) -> NaiveDate {
    start.checked_sub_signed(TimeDelta::hours(6)).unwrap_or(start).date_naive()
}

/// The day at the venue of an event that is said to be of a day, by the starts that its sources state, a start a
/// source. It is that day or the next: a day is never moved earlier, so that no result is known on its own day. The
/// next one is believed in the night only where two sources agree: an hour that was filled in falls there too.
pub(crate) fn venue_day(stated_day: NaiveDate, starts: &[DateTime<Utc>], zone: Tz) -> Option<NaiveDate> {
    let there: Vec<_> = starts.iter().map(|start| start.with_timezone(&zone).naive_local()).collect();
    let first = there.first()?;
    let agreed = there.len() > 1 && there.iter().all(|other| other.date() == first.date());
    match (first.date() - stated_day).num_days() {
        0 => Some(stated_day),
        1 if first.hour() >= FIRST_HOUR || agreed => Some(first.date()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn hours_that_a_source_fills_in_are_no_starts() {
        // UFC 173 on 2014-05-24, and UFC 38 in London on 2002-07-13: midnight and 9 p.m. of New York.
        for (source, start) in
            [("feed-tables", "2014-05-24T04:00:00Z"), ("feed-history", "2002-07-14T01:00:00Z")]
        {
            assert_eq!(believed_start(source, at(start)), None, "{source} {start}");
        }
        let start = at("2023-02-11T23:00:00Z");
        assert_eq!(believed_start("feed-tables", start), Some(start));
        // Calendars state what they know.
        let midnight = at("2026-07-12T04:00:00Z");
        assert_eq!(believed_start("cards", midnight), Some(midnight));
        assert_eq!(believed_start("feed", midnight), None);
        assert_eq!(listed_day("feed", midnight), day("2026-07-12"));
        assert_eq!(listed_day("cards", midnight), day("2026-07-11"));
        assert_eq!(listed_day("feed", at("2026-01-11T05:00:00Z")), day("2026-01-11"));
    }

    #[test]
    fn a_day_is_the_next_one_only_where_a_start_is_plausible() {
        let perth: Tz = "Australia/Perth".parse().unwrap();
        assert_eq!(
            venue_day(day("2023-02-11"), &[at("2023-02-11T23:00:00Z")], perth),
            Some(day("2023-02-12"))
        );
        let doha: Tz = "Asia/Qatar".parse().unwrap();
        let filled_in = at("2026-11-21T22:00:00Z");
        assert_eq!(venue_day(day("2026-11-21"), &[filled_in], doha), None);
        // A card at night for America: the feed and the calendars say so.
        let agreed = [filled_in, at("2026-11-22T02:00:00Z")];
        assert_eq!(venue_day(day("2026-11-21"), &agreed, doha), Some(day("2026-11-22")));
        let apart = [filled_in, at("2026-11-21T16:00:00Z")];
        assert_eq!(venue_day(day("2026-11-21"), &apart, doha), None);
    }

    proptest! {
        /// Whatever starts are stated, wherever: what is known on a day never has a bout of that day in it.
        #[test]
        fn no_day_moves_earlier(
            seconds in 0_i64..4_000_000_000,
            others in prop::collection::vec(-200_000_i64..200_000, 0..3),
            off in -3_i64..=3,
            zone in prop::sample::select(&chrono_tz::TZ_VARIANTS[..]),
        ) {
            let start = DateTime::from_timestamp(seconds, 0).unwrap();
            let said = start.date_naive() + TimeDelta::days(off);
            let mut starts = vec![start];
            starts.extend(others.iter().map(|other| start + TimeDelta::seconds(*other)));
            if let Some(there) = venue_day(said, &starts, zone) {
                prop_assert!((0..=1).contains(&(there - said).num_days()), "{said} {there}");
            }
        }
    }
}
