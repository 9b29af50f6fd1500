//! The texts of the statistics source: heights, reaches, dates in words, clocks, `n of m`.
//!
//! Each reader gives `None` for a text that is not of the form, and never panics.

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};

use crate::address;

/// `5' 11"` to 71 inches.
pub(crate) fn height_in(text: &str) -> Option<i32> {
    let (feet, inches) = text.trim().strip_suffix('"')?.split_once('\'')?;
    let (feet, inches): (i32, i32) = (number(feet)?, number(inches)?);
    ((3..9).contains(&feet) && inches < 12).then_some(feet * 12 + inches)
}

/// `72"` to 72 inches; the later captures write `72.0"`.
pub(crate) fn reach_in(text: &str) -> Option<i32> {
    reach_whole(text.trim().strip_suffix('"')?)
}

/// A reach in whole inches: `72`.
pub(crate) fn reach_whole(text: &str) -> Option<i32> {
    whole(text).filter(|inches| (30..120).contains(inches))
}

/// A height in whole inches: `71`.
pub(crate) fn height_whole(text: &str) -> Option<i32> {
    whole(text).filter(|inches| (3 * 12..9 * 12).contains(inches))
}

/// `155 lbs.` to 155 pounds.
pub(crate) fn weight_lbs(text: &str) -> Option<i32> {
    let pounds = whole(text.trim().strip_suffix("lbs.")?)?;
    (50..1000).contains(&pounds).then_some(pounds)
}

/// `December 14, 2024` or `Jul 13, 1989`.
pub(crate) fn date_in_words(text: &str) -> Option<NaiveDate> {
    let text = text.trim();
    NaiveDate::parse_from_str(text, "%B %d, %Y").ok().filter(|d| plausible(*d))
}

/// `2024-12-14`.
pub(crate) fn iso_date(text: &str) -> Option<NaiveDate> {
    NaiveDate::parse_from_str(text.trim(), "%Y-%m-%d").ok().filter(|d| plausible(*d))
}

/// `2026-08-01T14:00Z`, `2026-08-01T14:00:00Z` or `2026-08-15T21:00:00.000+00:00`.
pub(crate) fn instant(text: &str) -> Option<DateTime<Utc>> {
    let text = text.trim();
    let whole = || DateTime::parse_from_rfc3339(text).ok().map(|t| t.to_utc());
    let to_the_minute = || NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%MZ").ok().map(|t| t.and_utc());
    to_the_minute().or_else(whole).filter(|t| plausible(t.date_naive()))
}

/// `True` or `False`.
pub(crate) fn truth(text: &str) -> Option<bool> {
    match text.trim() {
        "True" | "true" => Some(true),
        "False" | "false" => Some(false),
        _ => None,
    }
}

fn plausible(date: NaiveDate) -> bool {
    use chrono::Datelike as _;
    (1900..2200).contains(&date.year())
}

/// `4:42` to 282 seconds; one-round formats run past ten minutes.
pub(crate) fn clock_secs(text: &str) -> Option<i32> {
    let (minutes, seconds) = text.trim().split_once(':')?;
    if seconds.len() != 2 {
        return None;
    }
    let (minutes, seconds) = (number(minutes)?, number(seconds)?);
    (minutes < 100 && seconds < 60).then_some(minutes * 60 + seconds)
}

/// `10 of 51`.
pub(crate) fn landed_of_attempted(text: &str) -> Option<(i32, i32)> {
    let (landed, attempted) = text.trim().split_once(" of ")?;
    Some((number(landed)?, number(attempted)?))
}

/// The `10` of `10 of 51`.
pub(crate) fn landed(text: &str) -> Option<i32> {
    landed_of_attempted(text).map(|(landed, _)| landed)
}

/// The `51` of `10 of 51`.
pub(crate) fn landed_of(text: &str) -> Option<i32> {
    landed_of_attempted(text).map(|(_, attempted)| attempted)
}

/// `Round 3` to 3.
pub(crate) fn round(text: &str) -> Option<i32> {
    round_number(text.trim().strip_prefix("Round ")?)
}

/// `3`.
pub(crate) fn round_number(text: &str) -> Option<i32> {
    number(text).filter(|r| (1..=12).contains(r))
}

/// `0`, `0.0`, `12.0`: counts that passed through a float.
pub(crate) fn whole(text: &str) -> Option<i32> {
    let text = text.trim();
    match text.split_once('.') {
        Some((digits, zeros)) if !zeros.is_empty() && zeros.bytes().all(|b| b == b'0') => number(digits),
        Some(_) => None,
        None => number(text),
    }
}

/// Digits only: no sign, no space inside, at most six, so that sums cannot overflow.
fn number(text: &str) -> Option<i32> {
    let text = text.trim();
    let digits = (1..=6).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// The last part of an address: `http://…/fight-details/00c6a2ef07ca51da`.
pub(crate) fn address_id(text: &str) -> Option<&str> {
    source_id(text.trim().trim_end_matches('/').rsplit_once('/')?.1)
}

/// An id by itself: `00c6a2ef07ca51da`.
pub(crate) fn source_id(text: &str) -> Option<&str> {
    let id = text.trim();
    let hex = (8..=32).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_hexdigit());
    hex.then_some(id)
}

/// An id of the feed: `600059185`.
pub(crate) fn feed_id(text: &str) -> Option<&str> {
    number_id(text)
}

/// An id that is a number: `2108`.
pub(crate) fn number_id(text: &str) -> Option<&str> {
    let id = text.trim();
    let digits = (1..=12).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_digit());
    digits.then_some(id)
}

/// Points of a judge or a referee: `10`.
pub(crate) fn points(text: &str) -> Option<i32> {
    whole(text).filter(|points| (0..=100).contains(points))
}

/// A weight on the scales in pounds: `146.5`.
pub(crate) fn scales_lbs(text: &str) -> Option<f64> {
    decimal(text).filter(|pounds| (1.0..1000.0).contains(pounds))
}

/// A height in inches, whole or not: `71`, `71.5`.
pub(crate) fn height_inches(text: &str) -> Option<f64> {
    decimal(text).filter(|inches| (36.0..108.0).contains(inches))
}

/// A reach in inches, whole or not: `74.5`.
pub(crate) fn reach_inches(text: &str) -> Option<f64> {
    decimal(text).filter(|inches| (30.0..120.0).contains(inches))
}

/// Digits, and perhaps a point and digits: no sign, no exponent.
pub(crate) fn decimal(text: &str) -> Option<f64> {
    let text = text.trim();
    let (before, after) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| (1..=6).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    (digits(before) && digits(after)).then(|| text.parse().ok()).flatten()
}

/// A stance that the model knows, as written.
pub(crate) fn stance(text: &str) -> Option<String> {
    fdna_model::Stance::parse(text).map(|_| text.to_owned())
}

/// Outcomes of both fighters, in the order listed.
pub(crate) fn outcome(text: &str) -> Option<String> {
    ["W/L", "L/W", "D/D", "NC/NC"].contains(&text).then(|| text.to_owned())
}

/// `W L` of two columns as the outcome `W/L`.
pub(crate) fn both_outcomes(text: &str) -> Option<String> {
    let (first, second) = text.split_once(' ')?;
    outcome(&format!("{first}/{second}"))
}

/// What a judge's score is of: a round, the total, or a round beyond those that are summed, where the judges were
/// not agreed.
pub(crate) fn scorecard_part(text: &str) -> Option<&'static str> {
    match text {
        "Total" => Some("total"),
        "Extra" => Some("extra"),
        number => round_number(number).map(|_| "round"),
    }
}

/// An address on the web, as written.
pub(crate) fn web_address(text: &str) -> Option<&str> {
    address::web(text).map(|_| text)
}

/// `0` or `1`.
pub(crate) fn flag(text: &str) -> Option<bool> {
    match text.trim() {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

/// `Colby Covington  vs. Joaquin Buckley ` to its two names.
pub(crate) fn names(text: &str) -> Option<(String, String)> {
    let (first, second) = text.split_once(" vs. ")?;
    let (first, second) = (one_space(first), one_space(second));
    (!first.is_empty() && !second.is_empty() && !second.contains(" vs. ")).then_some((first, second))
}

pub(crate) fn first_name(text: &str) -> Option<String> {
    names(text).map(|(first, _)| first)
}

pub(crate) fn second_name(text: &str) -> Option<String> {
    names(text).map(|(_, second)| second)
}

/// Outer spaces removed, inner runs of spaces made one.
pub(crate) fn one_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn texts_as_the_source_writes_them() {
        assert_eq!(height_in("5' 11\""), Some(71));
        assert_eq!(reach_in("72\""), Some(72));
        assert_eq!(reach_in("72.0\""), Some(72));
        assert_eq!(weight_lbs("155 lbs."), Some(155));
        assert_eq!(date_in_words("Jul 13, 1989"), NaiveDate::from_ymd_opt(1989, 7, 13));
        assert_eq!(date_in_words("December 07, 2024"), NaiveDate::from_ymd_opt(2024, 12, 7));
        assert_eq!(clock_secs("4:42"), Some(282));
        assert_eq!(clock_secs("14:11"), Some(851));
        assert_eq!(landed_of_attempted("10 of 51"), Some((10, 51)));
        assert_eq!(round("Round 5"), Some(5));
        assert_eq!(whole("0.0"), Some(0));
        assert_eq!(address_id("http://x/fight-details/00c6a2ef07ca51da"), Some("00c6a2ef07ca51da"));
        assert_eq!(names("A B  vs. C D "), Some(("A B".into(), "C D".into())));
        assert_eq!(source_id("00c6a2ef07ca51da"), Some("00c6a2ef07ca51da"));
        assert_eq!((height_whole("71"), reach_whole("72")), (Some(71), Some(72)));
        assert_eq!(iso_date("2024-12-14"), NaiveDate::from_ymd_opt(2024, 12, 14));
        assert_eq!((round_number("6"), flag("1"), flag("0")), (Some(6), Some(true), Some(false)));
        assert_eq!(outcome("NC/NC"), Some("NC/NC".into()));
        let minutes = instant("2026-08-01T14:00Z").unwrap();
        assert_eq!(minutes.to_rfc3339(), "2026-08-01T14:00:00+00:00");
        assert_eq!(instant("2026-08-01T16:00:00.000+02:00"), Some(minutes));
        assert_eq!((truth("True"), truth("False")), (Some(true), Some(false)));
        assert_eq!((feed_id("600059185"), height_inches("71"), reach_inches("74.5")), {
            (Some("600059185"), Some(71.0), Some(74.5))
        });
        assert_eq!((number_id("2108"), points("29"), points("0")), (Some("2108"), Some(29), Some(0)));
        assert_eq!((scales_lbs("146.5"), scales_lbs("155")), (Some(146.5), Some(155.0)));
        assert_eq!((landed("10 of 51"), landed_of("10 of 51")), (Some(10), Some(51)));
        assert_eq!(both_outcomes("W L"), Some("W/L".into()));
        assert_eq!(
            ["3", "Total", "Extra"].map(scorecard_part),
            [Some("round"), Some("total"), Some("extra")]
        );
    }

    #[test]
    fn texts_of_another_form_are_none() {
        assert_eq!(height_in("5' 12\""), None);
        assert_eq!(clock_secs("x:59"), None);
        assert_eq!(clock_secs("4:60"), None);
        assert_eq!(clock_secs("4:5"), None);
        assert_eq!(whole("1.5"), None);
        assert_eq!(whole("-1"), None);
        assert_eq!(landed_of_attempted("10/51"), None);
        assert_eq!(round("Round 0"), None);
        assert_eq!(address_id("http://x/fight-details/"), None);
        assert_eq!(names("View Matchup"), None);
        assert_eq!(date_in_words("July 33, 2020"), None);
        assert_eq!((source_id("00c6"), source_id("not-hex-at-all")), (None, None));
        assert_eq!((height_whole("12"), reach_whole("400"), height_whole("5' 11\"")), (None, None, None));
        assert_eq!((iso_date("14-12-2024"), iso_date("0014-12-01")), (None, None));
        assert_eq!((feed_id("600059185-1"), feed_id(""), height_inches("1e1")), (None, None, None));
        assert_eq!((instant("2026-08-01"), instant("0026-08-01T14:00Z"), truth("1")), (None, None, None));
        assert_eq!((reach_inches("-74"), reach_inches("0.0"), reach_inches(".5")), (None, None, None));
        assert_eq!((round_number("13"), flag("2"), outcome("W/W")), (None, None, None));
        assert_eq!((both_outcomes("W/L"), both_outcomes("W W"), both_outcomes("W")), (None, None, None));
        assert_eq!((scorecard_part("13"), scorecard_part("total")), (None, None));
        assert_eq!((number_id("21x"), points("101"), points("9.5")), (None, None, None));
        assert_eq!(["0.5", "1e2", "NaN", "-155", "155.", "inf"].map(scales_lbs), [None; 6]);
    }

    proptest! {
        #[test]
        fn no_text_makes_a_reader_panic(text in "\\PC{0,24}") {
            let _ = (height_in(&text), reach_in(&text), weight_lbs(&text), date_in_words(&text));
            let _ = (clock_secs(&text), landed_of_attempted(&text), round(&text), whole(&text));
            let _ = (address_id(&text), names(&text), source_id(&text), iso_date(&text), flag(&text));
            let _ = (instant(&text), truth(&text));
            let _ = (feed_id(&text), height_inches(&text), reach_inches(&text));
            let _ = (number_id(&text), points(&text), scales_lbs(&text));
            let _ = (both_outcomes(&text), scorecard_part(&text), web_address(&text));
            let _ = (height_whole(&text), reach_whole(&text), round_number(&text), outcome(&text));
        }

        #[test]
        fn clocks_survive_a_round_trip(secs in 0..6000i32) {
            prop_assert_eq!(clock_secs(&format!("{}:{:02}", secs / 60, secs % 60)), Some(secs));
        }
    }
}
