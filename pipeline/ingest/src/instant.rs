//! Points in time as feeds, files and people write them.

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveTime, Utc};

/// RFC 3339, RFC 2822, or a date, which is its first instant in UTC.
pub(crate) fn any(text: &str) -> Option<DateTime<Utc>> {
    let text = text.trim();
    let rfc_3339 = || DateTime::parse_from_rfc3339(text).ok();
    let rfc_2822 = || DateTime::parse_from_rfc2822(text).ok();
    let date =
        || NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().map(|d| d.and_time(NaiveTime::MIN).and_utc());
    rfc_3339().or_else(rfc_2822).map(|t| t.to_utc()).or_else(date).filter(|t| is_plausible(*t))
}

/// No feed is older than the first, and none tells of the next century.
pub(crate) fn is_plausible(instant: DateTime<Utc>) -> bool {
    (1990..2100).contains(&instant.year())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_forms_of_one_instant() {
        let noon = "2026-02-07T12:00:00+00:00";
        for text in
            ["2026-02-07T13:00:00+01:00", "Sat, 07 Feb 2026 12:00:00 +0000", "Sat, 7 Feb 2026 12:00:00 GMT"]
        {
            assert_eq!(any(text).unwrap().to_rfc3339(), noon, "{text}");
        }
        assert_eq!(any("2026-02-07").unwrap().to_rfc3339(), "2026-02-07T00:00:00+00:00");
    }

    #[test]
    fn what_is_no_instant_is_none() {
        for bad in ["", "yesterday", "2026-02-30", "07/02/2026", "0001-01-01T00:00:00Z", "99999-01-01"] {
            assert_eq!(any(bad), None, "{bad}");
        }
    }
}
