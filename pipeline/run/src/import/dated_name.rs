//! Times in the names of captures.

use std::path::Path;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};

/// The date or instant that a name begins with, such as `2024-12-15`, `20241215T103000Z` or
/// `2026-05-19T080408+0100_x.json`, or the date that it ends with behind a `_`, such as `fighters_2023-11-16.json`;
/// UTC where it says no other.
pub(crate) fn instant_in_name(path: &Path) -> Option<DateTime<Utc>> {
    let name = name_of(&std::path::absolute(path).ok()?);
    let forms = [(19, "%Y-%m-%dT%H:%M:%S"), (17, "%Y-%m-%dT%H%M%S"), (15, "%Y%m%dT%H%M%S")];
    for (length, form) in forms {
        let time = name.get(..length).and_then(|text| NaiveDateTime::parse_from_str(text, form).ok());
        if let Some(time) = time {
            return Some((time - parse_offset(&name[length..])).and_utc());
        }
    }
    let date = |text: Option<&str>| NaiveDate::parse_from_str(text?, "%Y-%m-%d").ok();
    let day = date(name.get(..10)).or_else(|| date(end_of(&name)))?;
    Some(day.and_time(NaiveTime::MIN).and_utc())
}

/// The part behind the last `_` of a file's name: `2023-11-16` of `fighters_2023-11-16.json`.
fn end_of(name: &str) -> Option<&str> {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    stem.rsplit_once('_').map(|(_, end)| end).filter(|end| end.len() == 10)
}

/// `+0100` or `-05:30` behind a time.
fn parse_offset(text: &str) -> TimeDelta {
    let read = || {
        let (sign, digits) = match text.split_at_checked(1)? {
            ("+", digits) => (1, digits),
            ("-", digits) => (-1, digits),
            _ => return None,
        };
        let minutes = digits.get(2..)?.strip_prefix(':').or(digits.get(2..))?.get(..2)?;
        let number = |text: &str| text.parse::<u8>().ok().map(i64::from);
        let (hours, minutes) = (number(digits.get(..2)?)?, number(minutes)?);
        (hours < 15 && minutes < 60).then(|| TimeDelta::minutes(sign * (hours * 60 + minutes)))
    };
    read().unwrap_or_default()
}

pub(super) fn name_of(path: &Path) -> String {
    path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_named_by_date_or_instant_says_when_it_was_captured() {
        let at = |name: &str| instant_in_name(Path::new(name)).map(|t| t.to_rfc3339());
        assert_eq!(at("x/2024-12-15").as_deref(), Some("2024-12-15T00:00:00+00:00"));
        assert_eq!(at("x/20241215T103000Z-abc/").as_deref(), Some("2024-12-15T10:30:00+00:00"));
        assert_eq!(at("x/2026-01-26T165647Z_ab.json").as_deref(), Some("2026-01-26T16:56:47+00:00"));
        assert_eq!(at("x/2026-05-19T080408+0100_ab.json").as_deref(), Some("2026-05-19T07:04:08+00:00"));
        assert_eq!(at("x/2026-05-19T08:04:08-05:30").as_deref(), Some("2026-05-19T13:34:08+00:00"));
        assert_eq!(at("x/2026-05-19T080408_local").as_deref(), Some("2026-05-19T08:04:08+00:00"));
        assert_eq!(at("x/fighters_2023-11-16.json").as_deref(), Some("2023-11-16T00:00:00+00:00"));
        assert_eq!(at("x/fighters_2023-11-1.json"), None);
        assert_eq!(at("x/latest"), None);
        assert_eq!(at("x/2024-13-45"), None);
    }
}
