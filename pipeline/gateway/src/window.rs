//! Minutes and months of UTC, as numbers.
//!
//! A window depends on the time alone: after a clock is set back, requests count in the earlier window again. A leap
//! second belongs to the minute that it ends.

use chrono::{DateTime, Datelike as _, NaiveDate, Utc};

/// The period of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WindowKind {
    Minute,
    Month,
}

/// A minute, numbered since 1970, or a month, numbered since year 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Window {
    pub kind: WindowKind,
    pub number: i64,
}

impl Window {
    #[must_use]
    pub fn minute_of(now: DateTime<Utc>) -> Self {
        Self { kind: WindowKind::Minute, number: now.timestamp().div_euclid(60) }
    }

    #[must_use]
    pub fn month_of(now: DateTime<Utc>) -> Self {
        Self::month_of_day(now.date_naive())
    }

    #[must_use]
    pub fn month_of_day(day: NaiveDate) -> Self {
        Self { kind: WindowKind::Month, number: i64::from(day.year()) * 12 + i64::from(day.month0()) }
    }

    #[must_use]
    pub fn of_kind(kind: WindowKind, now: DateTime<Utc>) -> Self {
        match kind {
            WindowKind::Minute => Self::minute_of(now),
            WindowKind::Month => Self::month_of(now),
        }
    }

    /// First second of the next window, since 1970.
    #[must_use]
    pub fn ends_at(self) -> i64 {
        Self { number: self.number + 1, ..self }.begins_at()
    }

    /// First second, since 1970.
    #[must_use]
    pub fn begins_at(self) -> i64 {
        match self.kind {
            WindowKind::Minute => self.number * 60,
            WindowKind::Month => {
                self.first_day().and_hms_opt(0, 0, 0).map_or(0, |at| at.and_utc().timestamp())
            }
        }
    }

    /// Seconds.
    #[must_use]
    pub fn length(self) -> i64 {
        self.ends_at() - self.begins_at()
    }

    /// A month as `YYYY-MM`.
    #[must_use]
    pub fn month_name(self) -> String {
        self.first_day().format("%Y-%m").to_string()
    }

    fn first_day(self) -> NaiveDate {
        let year = i32::try_from(self.number.div_euclid(12)).unwrap_or_default();
        let month = u32::try_from(self.number.rem_euclid(12)).unwrap_or_default();
        NaiveDate::from_ymd_opt(year, month + 1, 1).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn a_minute_ends_with_its_last_second() {
        let minute = Window::minute_of(at("2026-09-07T12:34:59.999Z"));
        assert_eq!(minute, Window::minute_of(at("2026-09-07T12:34:00Z")));
        assert_eq!(minute.ends_at(), at("2026-09-07T12:35:00Z").timestamp());
        assert_eq!(minute.length(), 60);
        assert_ne!(minute, Window::minute_of(at("2026-09-07T12:35:00Z")));
    }

    #[test]
    fn a_leap_second_belongs_to_the_minute_and_month_that_it_ends() {
        let leap = at("2016-12-31T23:59:60.5Z");
        assert_eq!(Window::minute_of(leap), Window::minute_of(at("2016-12-31T23:59:59Z")));
        assert_eq!(Window::month_of(leap).month_name(), "2016-12");
        assert_eq!(Window::month_of(at("2017-01-01T00:00:00Z")).month_name(), "2017-01");
    }

    #[test]
    fn months_are_utc_and_as_long_as_they_are() {
        for (text, name, days) in [
            ("2024-02-29T23:59:59Z", "2024-02", 29),
            ("2026-02-28T23:59:59Z", "2026-02", 28),
            ("2026-12-31T23:59:59Z", "2026-12", 31),
            // Still March in UTC, on the day that Europe's clocks move.
            ("2026-03-29T03:00:00+02:00", "2026-03", 31),
            // Local April, UTC March.
            ("2026-04-01T00:30:00+02:00", "2026-03", 31),
        ] {
            let month = Window::month_of(at(text));
            assert_eq!((month.month_name().as_str(), month.length()), (name, days * 86_400), "{text}");
        }
        assert_eq!(
            Window::month_of(at("2026-12-15T00:00:00Z")).ends_at(),
            at("2027-01-01T00:00:00Z").timestamp()
        );
    }

    proptest! {
        #[test]
        fn every_second_is_in_its_window(secs in -1_000_000_000i64..20_000_000_000) {
            let now = DateTime::from_timestamp(secs, 999_999_999).unwrap();
            for window in [Window::minute_of(now), Window::month_of(now)] {
                prop_assert!((window.begins_at()..window.ends_at()).contains(&secs));
            }
        }
    }
}
