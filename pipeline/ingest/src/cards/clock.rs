//! Times of day as headings of a card write them: `Sat, May 10, 10:00 PM EDT`, without a year and often without a day.

use chrono::{
    DateTime, Datelike as _, FixedOffset, Month, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta,
    TimeZone as _, Utc, Weekday,
};
use chrono_tz::Tz;

use super::zone::shown;

/// Abbreviations that mean one offset where cards are fought, in hours east of Greenwich.
const OFFSETS: [(&str, i32); 12] = [
    ("UTC", 0),
    ("GMT", 0),
    ("EDT", -4),
    ("EST", -5),
    ("CDT", -5),
    ("CST", -6),
    ("MDT", -6),
    ("MST", -7),
    ("PDT", -7),
    ("PST", -8),
    ("CEST", 2),
    ("CET", 1),
];

/// Abbreviations that stand for whichever of two holds.
const ZONES: [(&str, Tz); 4] = [
    ("ET", Tz::America__New_York),
    ("CT", Tz::America__Chicago),
    ("MT", Tz::America__Denver),
    ("PT", Tz::America__Los_Angeles),
];

/// A time as it is written.
#[derive(Default)]
struct WrittenTime<'t> {
    weekday: Option<Weekday>,
    month: Option<u32>,
    day: Option<u32>,
    year: Option<i32>,
    time: Option<NaiveTime>,
    zone: Option<&'t str>,
}

/// The instant that a text states, of those that it may mean the nearest to another; `None` if it states none within a
/// day of that.
pub(super) fn read(text: &str, near: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let written = WrittenTime::parse(text)?;
    let (time, zone) = (written.time?, written.zone?);
    let days = (-2..=2).filter_map(|n| near.date_naive().checked_add_signed(TimeDelta::days(n)));
    let instants = days.filter(|day| written.is_of(*day)).filter_map(|day| instant(zone, day.and_time(time)));
    let distance = |at: &DateTime<Utc>| (*at - near).abs();
    instants.min_by_key(distance).filter(|at| distance(at) <= TimeDelta::days(1))
}

fn instant(zone: &str, local: NaiveDateTime) -> Option<DateTime<Utc>> {
    let is_named = |name: &str| name.eq_ignore_ascii_case(zone);
    if let Some((_, zone)) = ZONES.iter().find(|(name, _)| is_named(name)) {
        return shown(*zone, local);
    }
    let (_, hours) = OFFSETS.iter().find(|(name, _)| is_named(name))?;
    let offset = FixedOffset::east_opt(hours * 3600)?;
    offset.from_local_datetime(&local).single().map(|at| at.to_utc())
}

impl<'t> WrittenTime<'t> {
    fn parse(text: &'t str) -> Option<Self> {
        let mut written = Self::default();
        let mut words = text.split([',', ' ']).filter(|word| !word.is_empty()).peekable();
        while let Some(word) = words.next() {
            let half = words.peek().filter(|next| half_of_day(next).is_some()).copied();
            if let Some(time) = time_of_day(word, half).filter(|_| written.time.is_none()) {
                written.time = Some(time);
                if half.is_some() {
                    words.next();
                }
            } else if let Ok(n) = word.trim_end_matches(char::is_alphabetic).parse::<u32>() {
                match n {
                    1..=31 if written.day.is_none() => written.day = Some(n),
                    1900.. if written.year.is_none() => written.year = Some(n.try_into().ok()?),
                    _ => return None,
                }
            } else if let (Ok(weekday), None) = (word.parse(), written.weekday) {
                written.weekday = Some(weekday);
            } else if let (Ok(month), None) = (word.parse::<Month>(), written.month) {
                written.month = Some(month.number_from_month());
            } else if written.time.is_some() && written.zone.is_none() {
                written.zone = Some(word);
            } else {
                return None;
            }
        }
        Some(written)
    }

    fn is_of(&self, day: NaiveDate) -> bool {
        self.weekday.is_none_or(|weekday| weekday == day.weekday())
            && self.month.is_none_or(|month| month == day.month())
            && self.day.is_none_or(|n| n == day.day())
            && self.year.is_none_or(|year| year == day.year())
    }
}

/// Hours to add for `AM` and `PM`.
fn half_of_day(word: &str) -> Option<u32> {
    match word.to_ascii_uppercase().as_str() {
        "AM" | "A.M." => Some(0),
        "PM" | "P.M." => Some(12),
        _ => None,
    }
}

/// `10:00` or `10` with the half of the day behind it, `10PM`, or `22:00`.
fn time_of_day(word: &str, half: Option<&str>) -> Option<NaiveTime> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic() || (c == '.' && half.is_none()));
    let half = half.or(Some(&word[digits.len()..]).filter(|half| !half.is_empty()));
    let (hour, minute) = digits.split_once(':').map_or((digits, None), |(hour, minute)| (hour, Some(minute)));
    let hour: u32 = hour.parse().ok()?;
    let minute = minute.map(|minute| minute.parse().ok().filter(|_| minute.len() == 2));
    match (half, minute) {
        (Some(half), minute) => {
            let half = half_of_day(half).filter(|_| (1..=12).contains(&hour))?;
            NaiveTime::from_hms_opt(hour % 12 + half, minute.unwrap_or(Some(0))?, 0)
        }
        (None, Some(minute)) => NaiveTime::from_hms_opt(hour, minute?, 0),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn near() -> DateTime<Utc> {
        "2025-05-10T22:30:00Z".parse().unwrap()
    }

    fn at(text: &str) -> String {
        read(text, near()).map_or("none".to_owned(), |at| at.format("%Y-%m-%dT%H:%MZ").to_string())
    }

    #[test]
    fn a_time_is_read_however_much_of_its_day_is_stated() {
        for ten in [
            "Sat, May 10, 10:00 PM EDT",
            "Saturday, May 10th, 10:00pm ET",
            "May 10, 2025, 9 PM CT",
            "10 PM EDT",
            "10PM EDT",
            "02:00 UTC",
            "Sun, May 11, 4:00 AM CEST",
        ] {
            assert_eq!(at(ten), "2025-05-11T02:00Z", "{ten}");
        }
        assert_eq!([at("12:00 PM EDT"), at("12:30 AM EDT")], ["2025-05-10T16:00Z", "2025-05-11T04:30Z"]);
    }

    #[test]
    fn a_time_of_another_day_or_without_a_known_zone_is_none() {
        for bad in [
            "Sun, May 10, 10:00 PM EDT",
            "May 20, 10:00 PM EDT",
            "10:00 PM",
            "10:00 PM XYZ",
            "13:00 PM EDT",
            "10:7 PM EDT",
            "May 10 EDT",
            "soon",
            "",
        ] {
            assert_eq!(at(bad), "none", "{bad}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "((Sat|May|[0-9]{1,5}|:|AM|pm|EDT|ET|[,. é]){1,2} ?){0,10}|\\PC{0,20}") {
            read(&text, near());
            read(&text, DateTime::<Utc>::MAX_UTC);
            read(&text, DateTime::<Utc>::MIN_UTC);
        }
    }
}
