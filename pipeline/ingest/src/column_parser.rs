//! Parsers that contracts name: each makes a value of a text, or nothing of a text that is of another form.

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveDateTime, TimeZone as _, Utc};
use chrono_tz::Tz;
use fdna_schemas::ColumnType;

use crate::parse;
use crate::parsed_value::ParsedValue;

/// Reads the texts of one column.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ColumnParser {
    kind: ColumnType,
    parse: fn(&str, ColumnType) -> Option<ParsedValue>,
    zone: Option<Tz>,
}

impl ColumnParser {
    /// The parser of this name, or that of the column's type; `None` if there is no such parser or zone.
    pub(crate) fn for_column(name: Option<&str>, kind: ColumnType) -> Option<Self> {
        let Some(name) = name else {
            return Some(Self { kind, parse: by_type, zone: None });
        };
        if let Some(zone) = name.strip_prefix("day_in:") {
            return Some(Self { kind, parse: by_type, zone: Some(zone.parse().ok()?) });
        }
        let found = PARSERS.iter().chain(STRICT_PARSERS).find(|(own, _)| *own == name);
        found.map(|(_, parse)| Self { kind, parse: *parse, zone: None })
    }

    pub(crate) fn parse(&self, text: &str) -> Option<ParsedValue> {
        match self.zone {
            Some(zone) => {
                let at = instant(text)?;
                Some(ParsedValue::Date(at.with_timezone(&zone).date_naive()))
            }
            None => (self.parse)(text, self.kind),
        }
    }
}

type Parse = fn(&str, ColumnType) -> Option<ParsedValue>;

const PARSERS: &[(&str, Parse)] = &[
    ("minutes", |text, _| seconds_of_minutes(text).map(ParsedValue::Int32)),
    ("clock", |text, _| clock(text).map(ParsedValue::Int32)),
    ("first_clock", |text, _| clock(text.split_whitespace().next()?).map(ParsedValue::Int32)),
    ("american", |text, _| american(text).map(ParsedValue::Int32)),
    ("decimal_odds", |text, _| finite(text).filter(|odds| *odds > 1.0).map(ParsedValue::Float64)),
    ("date_dmy", |text, _| date_by(text, &["%d/%m/%Y", "%d-%m-%Y", "%d.%m.%Y"])),
    ("date_mdy", |text, _| date_by(text, &["%m/%d/%Y", "%m-%d-%Y"])),
    ("date_ymd", |text, _| date_by(text, &["%Y/%m/%d"])),
    ("date_compact", |text, _| date_by(text, &["%Y%m%d"])),
    ("date_en", |text, _| date_en(text)),
    ("date_ctime", |text, _| date_ctime(text)),
    ("month_end", |text, _| month_end(text).map(ParsedValue::Date)),
    ("amount", |text, kind| by_type(&amount(text), kind)),
    ("grouped", |text, kind| by_type(&grouped(text)?, kind)),
    ("instant_unix", |text, _| text.parse().ok().and_then(|secs| at(DateTime::from_timestamp(secs, 0)?))),
    ("instant_dmy", |text, _| {
        let read = NaiveDateTime::parse_from_str(text, "%d/%m/%Y %H:%M").ok()?;
        at(Utc.from_utc_datetime(&read))
    }),
    ("epoch_nanos", |text, _| text.parse().ok().and_then(|nanos| at(DateTime::from_timestamp_nanos(nanos)))),
    ("inches", |text, _| inches(text).map(ParsedValue::Int32)),
    ("percent", |text, _| {
        finite(text.trim_end_matches('%')).map(|share| ParsedValue::Float64(share / 100.0))
    }),
    ("innings", |text, _| outs(text).map(ParsedValue::Int32)),
    ("digits10", |text, _| padded(text).map(ParsedValue::Text)),
    ("made", |text, _| pair(text).map(|(made, _)| ParsedValue::Int32(made))),
    ("attempted", |text, _| pair(text).map(|(_, attempted)| ParsedValue::Int32(attempted))),
    ("lower", |text, _| Some(ParsedValue::Text(text.to_lowercase()))),
    ("upper", |text, _| Some(ParsedValue::Text(text.to_uppercase()))),
    ("trim", |text, _| Some(ParsedValue::Text(parse::one_space(text)))),
    // The round of a judge's score, of which a total has none.
    ("scorecard_round", |text, _| parse::scorecard_part(text).map(|_| parse::round_number(text).into())),
    ("json", |text, _| Some(ParsedValue::Text(text.to_owned()))),
];

/// Functions of [`parse`] as parsers, under their own names.
macro_rules! parsers {
    ($($parse:ident),+ $(,)?) => {
        &[$((stringify!($parse), |text, _| parse::$parse(text).map(ParsedValue::from))),+]
    };
}

/// Parsers that take one form of text and no other.
const STRICT_PARSERS: &[(&str, Parse)] = parsers![
    address_id,
    both_outcomes,
    clock_secs,
    date_in_words,
    first_name,
    flag,
    height_in,
    height_inches,
    height_whole,
    iso_date,
    landed,
    landed_of,
    number_id,
    outcome,
    points,
    reach_in,
    reach_inches,
    reach_whole,
    round,
    round_number,
    scales_lbs,
    scorecard_part,
    second_name,
    source_id,
    stance,
    web_address,
    weight_lbs,
    whole,
];

/// As the type of the column says.
fn by_type(text: &str, kind: ColumnType) -> Option<ParsedValue> {
    match kind {
        ColumnType::String | ColumnType::Json => Some(ParsedValue::Text(text.to_owned())),
        ColumnType::Uuid => None,
        ColumnType::Int32 => whole(text).and_then(|n| i32::try_from(n).ok()).map(ParsedValue::Int32),
        ColumnType::Int64 => whole(text).map(ParsedValue::Int64),
        ColumnType::Float64 => finite(text).map(ParsedValue::Float64),
        ColumnType::Bool => truth(text).map(ParsedValue::Bool),
        ColumnType::Date => {
            let day = text.get(..10).filter(|_| is_day_with_time(text))?;
            let day = NaiveDate::parse_from_str(day, "%Y-%m-%d").ok();
            day.filter(|day| YEARS.contains(&day.year())).map(ParsedValue::Date)
        }
        ColumnType::Instant => instant(text).map(ParsedValue::Instant),
    }
}

/// A day, alone or with a time behind it.
fn is_day_with_time(text: &str) -> bool {
    text.len() == 10 || text.as_bytes().get(10).is_some_and(|byte| matches!(byte, b'T' | b' '))
}

/// `12`, `-3`, `12.0`: counts that passed through a float.
fn whole(text: &str) -> Option<i64> {
    match text.split_once('.') {
        Some((digits, zeros)) => digits.parse().ok().filter(|_| zeros.bytes().all(|byte| byte == b'0')),
        None => text.strip_prefix('+').unwrap_or(text).parse().ok(),
    }
}

fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|n: &f64| n.is_finite())
}

fn truth(text: &str) -> Option<bool> {
    match text {
        "true" | "True" | "TRUE" | "1" | "1.0" => Some(true),
        "false" | "False" | "FALSE" | "0" | "0.0" => Some(false),
        _ => None,
    }
}

/// With an offset, or without one in UTC.
fn instant(text: &str) -> Option<DateTime<Utc>> {
    let forms = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"];
    let with_offset = || DateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S%.f%:z").ok().map(|at| at.to_utc());
    let naive = || {
        let bare = text.trim_end_matches('Z');
        let read = forms.iter().find_map(|form| NaiveDateTime::parse_from_str(bare, form).ok());
        read.map(|at| Utc.from_utc_datetime(&at))
    };
    let found = parse::instant(text).or_else(with_offset).or_else(naive)?;
    plausible(found.date_naive()).then_some(found)
}

fn at(found: DateTime<Utc>) -> Option<ParsedValue> {
    plausible(found.date_naive()).then_some(ParsedValue::Instant(found))
}

/// Nothing that is counted here happened before.
const YEARS: std::ops::Range<i32> = 1850..2100;

/// Clock times that a spreadsheet wrote as days of 1900 are none.
fn plausible(day: NaiveDate) -> bool {
    YEARS.contains(&day.year()) && day.year() != 1900
}

fn date_by(text: &str, forms: &[&str]) -> Option<ParsedValue> {
    let day = text.split([' ', 'T']).next()?;
    let read = forms.iter().find_map(|form| NaiveDate::parse_from_str(day, form).ok());
    read.filter(|day| plausible(*day)).map(ParsedValue::Date)
}

/// `Jan 5, 2025`, `January 5, 2025`, with or without the day of the week before it.
fn date_en(text: &str) -> Option<ParsedValue> {
    let forms =
        ["%b %d, %Y", "%B %d, %Y", "%a, %b %d, %Y", "%A, %B %d, %Y", "%a %b %d %Y", "%d %b %Y", "%d %B %Y"];
    let read = forms.iter().find_map(|form| NaiveDate::parse_from_str(text, form).ok());
    read.filter(|day| plausible(*day)).map(ParsedValue::Date)
}

/// `Wed May 21 00:00:00 EDT 2008`: the day that is written, whatever the zone.
fn date_ctime(text: &str) -> Option<ParsedValue> {
    let parts: Vec<&str> = text.split_whitespace().collect();
    let (&[weekday, month, day, ..], year) = (parts.as_slice(), parts.last()?) else { return None };
    date_en(&[weekday, month, day, year].join(" "))
}

/// Last day of a month that is written as `2018-07`.
fn month_end(text: &str) -> Option<NaiveDate> {
    let first = parse::iso_date(&format!("{text}-01")).filter(|day| plausible(*day))?;
    first.checked_add_months(chrono::Months::new(1))?.pred_opt()
}

/// `$1,199,000`, `2,615` and `$-   `, which stands for 0, as plain numbers.
fn amount(text: &str) -> String {
    let bare: String = text.chars().filter(|c| !matches!(c, '$' | ',') && !c.is_whitespace()).collect();
    if bare == "-" { "0".to_owned() } else { bare }
}

/// `6,000`, whose commas stand before three digits each, as a plain number; any other text without a comma as it is.
fn grouped(text: &str) -> Option<String> {
    let mut groups = text.split(',');
    let first = groups.next()?;
    let is_group = |group: &str| group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit());
    match text.contains(',') {
        true => {
            (!first.is_empty() && first.len() <= 3 && groups.all(is_group)).then(|| text.replace(',', ""))
        }
        false => Some(text.to_owned()),
    }
}

/// `34:10`, `265.0:00`, `PT34M10.00S` or decimal minutes as seconds.
fn seconds_of_minutes(text: &str) -> Option<i32> {
    if let Some(iso) = text.strip_prefix("PT") {
        let (minutes, rest) = iso.split_once('M').unwrap_or(("0", iso));
        let seconds = rest.strip_suffix('S').map_or(Some(0.0), finite)?;
        return to_seconds(finite(minutes)?, seconds);
    }
    match text.split_once(':') {
        Some((minutes, seconds)) => {
            // Feeds that round seconds write a whole minute as `22:60`.
            let seconds = finite(seconds).filter(|seconds| (0.0..=60.0).contains(seconds))?;
            to_seconds(finite(minutes)?, seconds)
        }
        None => to_seconds(finite(text)?, 0.0),
    }
}

fn to_seconds(minutes: f64, seconds: f64) -> Option<i32> {
    let total = (minutes * 60.0 + seconds).round();
    #[expect(clippy::cast_possible_truncation, reason = "within the bounds that are checked")]
    (0.0..=1e6).contains(&total).then_some(total as i32)
}

/// `12:34` or `PT12M34.00S` left or gone, or `45.3` seconds of the last minute.
fn clock(text: &str) -> Option<i32> {
    if text.contains(':') || text.starts_with("PT") {
        seconds_of_minutes(text)
    } else {
        to_seconds(0.0, finite(text)?)
    }
}

/// American odds: no price lies between -100 and 100.
fn american(text: &str) -> Option<i32> {
    if text.eq_ignore_ascii_case("even") {
        return Some(100);
    }
    let odds = i32::try_from(whole(text)?).ok()?;
    (odds <= -100 || odds >= 100).then_some(odds)
}

/// `6-2`, `6' 2"` or inches alone.
fn inches(text: &str) -> Option<i32> {
    let parts = text.split(['-', '\'', '"', ' ']).filter(|part| !part.is_empty());
    let parts = parts.map(|part| part.parse::<i32>().ok()).collect::<Option<Vec<_>>>()?;
    match parts[..] {
        [feet, inches] if (3..9).contains(&feet) && (0..12).contains(&inches) => Some(feet * 12 + inches),
        [feet] if (3..9).contains(&feet) && text.contains('\'') => Some(feet * 12),
        [inches] if (36..108).contains(&inches) => Some(inches),
        _ => None,
    }
}

/// Innings pitched, whose decimal counts outs: `5.2` is 17 outs.
fn outs(text: &str) -> Option<i32> {
    let (innings, outs) = text.split_once('.').unwrap_or((text, "0"));
    let (innings, outs): (i32, i32) = (innings.parse().ok()?, outs.parse().ok()?);
    ((0..1000).contains(&innings) && (0..3).contains(&outs)).then_some(innings * 3 + outs)
}

/// Ids that lost their zeros to a spreadsheet.
fn padded(text: &str) -> Option<String> {
    let digits = text.strip_suffix(".0").unwrap_or(text);
    let is_id = (1..=10).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_id.then(|| format!("{digits:0>10}"))
}

/// `5-12` or `5/12`.
fn pair(text: &str) -> Option<(i32, i32)> {
    let (made, attempted) = text.split_once(['-', '/'])?;
    let (made, attempted): (i32, i32) = (made.trim().parse().ok()?, attempted.trim().parse().ok()?);
    (0 <= made && made <= attempted).then_some((made, attempted))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(name: &str, kind: ColumnType, text: &str) -> String {
        let named = |(own, parse): &(&str, Parse)| (*own == name).then_some(*parse);
        let parse = PARSERS.iter().find_map(named).unwrap_or(by_type);
        parse(text, kind).map_or("none".to_owned(), |value| value.to_text())
    }

    #[test]
    fn texts_as_sources_write_them() {
        let int = |name, text| read(name, ColumnType::Int32, text);
        for (text, secs) in
            [("34:10", "2050"), ("PT34M10.00S", "2050"), ("34.2", "2052"), ("265.0:00", "15900")]
        {
            assert_eq!(int("minutes", text), secs, "{text}");
        }
        assert_eq!([int("minutes", "22:60"), int("minutes", "22:61")], ["1380", "none"]);
        assert_eq!([int("clock", "PT00M41.40S"), int("clock", "41.4")], ["41"; 2]);
        assert_eq!([int("first_clock", "0:28 / 19:32"), int("first_clock", "0:28 19:32")], ["28"; 2]);
        assert_eq!(
            [int("american", "-110"), int("american", "+100"), int("american", "99")],
            ["-110", "100", "none"]
        );
        assert_eq!([int("inches", "6-2"), int("inches", "6' 2\""), int("inches", "74")], ["74"; 3]);
        assert_eq!([int("innings", "5.2"), int("innings", "5.3")], ["17", "none"]);
        assert_eq!([int("made", "5-12"), int("attempted", "5/12"), int("made", "12-5")], ["5", "12", "none"]);
        assert_eq!(read("digits10", ColumnType::String, "22400061"), "0022400061");
        assert_eq!(read("date_dmy", ColumnType::Date, "02/10/2024 19:30"), "2024-10-02");
        assert_eq!(read("date_en", ColumnType::Date, "Tue, Oct 8, 2024"), "2024-10-08");
        assert_eq!([int("", "12.0"), int("", "12.5"), int("", "-3")], ["12", "none", "-3"]);
        assert_eq!(read("date_ctime", ColumnType::Date, "Wed May 21 00:00:00 EDT 2008"), "2008-05-21");
        let month = |text| read("month_end", ColumnType::Date, text);
        assert_eq!(["2018-07", "2016-02", "2018-13"].map(month), ["2018-07-31", "2016-02-29", "none"]);
        let amount = |text| read("amount", ColumnType::Int64, text);
        assert_eq!(
            ["775,000", "$1,199,000 ", "$-   ", "950000.00", "12.5", "$"].map(amount),
            ["775000", "1199000", "0", "950000", "none", "none"]
        );
        assert_eq!(
            ["6,000", "1,234,567", "6000", "6,00", ",000", "6,000,00", "six"]
                .map(|text| int("grouped", text)),
            ["6000", "1234567", "6000", "none", "none", "none", "none"]
        );
        let day = |text| read("", ColumnType::Date, text);
        assert_eq!(
            ["2024-10-04", "2024-10-04T23:00:00Z", "2024-10-044", "1900-01-07"].map(day),
            ["2024-10-04", "2024-10-04", "none", "1900-01-07"]
        );
        let at = |text| read("", ColumnType::Instant, text);
        assert_eq!(
            ["2024-10-04T17:00:00Z", "2024-10-04 17:00:00", "2024-10-04T19:00:00+02:00"].map(at),
            ["2024-10-04T17:00:00+00:00"; 3]
        );
        assert_eq!(at("1900-01-01 19:30:00"), "none");
        assert_eq!(read("instant_dmy", ColumnType::Instant, "22/10/2024 23:30"), "2024-10-22T23:30:00+00:00");
    }

    proptest! {
        #[test]
        fn no_text_makes_a_parser_panic(text in "\\PC{0,16}|[0-9:.'-]{0,10}") {
            for (_, parse) in PARSERS.iter().chain(STRICT_PARSERS) {
                parse(&text, ColumnType::String);
            }
            for kind in [ColumnType::Int32, ColumnType::Int64, ColumnType::Float64, ColumnType::Bool, ColumnType::Date, ColumnType::Instant] {
                by_type(&text, kind);
            }
        }
    }
}
