//! Dates and times that a person asks for: single ones, a series, a file of them.

use std::path::Path;

use chrono::{DateTime, Datelike as _, Days, Months, NaiveDate, NaiveTime, Utc};
use clap::ValueEnum;
use fdna_run::exit::{ExitCode, error_with_code};

/// Step of a series of dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DateStep {
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

impl DateStep {
    /// The dates from the first to the last, both included where a step falls on it.
    pub(crate) fn step_dates(self, from: NaiveDate, to: NaiveDate) -> impl Iterator<Item = NaiveDate> {
        (0..).map_while(move |n| self.date_after(from, n)).take_while(move |day| *day <= to)
    }

    /// The date so many steps after the first. Each is counted from there: the 31st, clamped to the end of
    /// February, is the 31st again in March.
    fn date_after(self, from: NaiveDate, steps: u32) -> Option<NaiveDate> {
        let months = |each: u32| from.checked_add_months(Months::new(steps.checked_mul(each)?));
        let days = |each: u64| from.checked_add_days(Days::new(u64::from(steps) * each));
        match self {
            Self::Day => days(1),
            Self::Week => days(7),
            Self::Month => months(1),
            Self::Quarter => months(3),
            Self::Year => months(12),
        }
    }
}

/// A date as `2005-01-01`, of a year that has four digits: it names a folder.
pub(crate) fn parse_day(text: &str) -> Result<NaiveDate, String> {
    let day = text.parse::<NaiveDate>().ok();
    let day = day.filter(|day| day.to_string() == text && (1..=9999).contains(&day.year()));
    day.ok_or_else(|| "expected a date such as 2005-01-01".to_owned())
}

/// An instant, or a day for its 00:00 UTC.
pub(crate) fn parse_instant(text: &str) -> Result<DateTime<Utc>, String> {
    if let Ok(day) = text.parse::<NaiveDate>() {
        return Ok(day.and_time(NaiveTime::MIN).and_utc());
    }
    text.parse()
        .map_err(|_| "use a day such as 2025-01-31, or an instant such as 2025-01-31T06:00:00Z".to_owned())
}

/// The dates of a file, one a line.
pub(crate) fn read_dates(path: &Path) -> anyhow::Result<Vec<NaiveDate>> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        error_with_code(ExitCode::Unavailable, format!("cannot read `{}`: {error}", path.display()))
    })?;
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim).enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(at, line)| {
            parse_day(line).map_err(|why| {
                let message = format!("`{}`, line {}: `{line}`: {why}", path.display(), at + 1);
                error_with_code(ExitCode::BadData, message)
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> NaiveDate {
        parse_day(text).unwrap()
    }

    fn steps(every: DateStep, from: &str, to: &str) -> Vec<String> {
        every.step_dates(date(from), date(to)).map(|d| d.to_string()).collect()
    }

    #[test]
    fn months_from_the_31st_end_on_the_last_day_and_do_not_drift() {
        assert_eq!(
            steps(DateStep::Month, "2023-12-31", "2024-04-30"),
            ["2023-12-31", "2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30"]
        );
        assert_eq!(
            steps(DateStep::Quarter, "2023-11-30", "2024-08-29"),
            ["2023-11-30", "2024-02-29", "2024-05-30"]
        );
        assert_eq!(
            steps(DateStep::Year, "2020-02-29", "2024-02-29"),
            ["2020-02-29", "2021-02-28", "2022-02-28", "2023-02-28", "2024-02-29"]
        );
    }

    #[test]
    fn both_ends_are_included_where_a_step_falls_on_them() {
        assert_eq!(
            steps(DateStep::Week, "2024-01-01", "2024-01-15"),
            ["2024-01-01", "2024-01-08", "2024-01-15"]
        );
        assert_eq!(steps(DateStep::Week, "2024-01-01", "2024-01-14"), ["2024-01-01", "2024-01-08"]);
        assert_eq!(
            steps(DateStep::Day, "2024-02-28", "2024-03-01"),
            ["2024-02-28", "2024-02-29", "2024-03-01"]
        );
        assert_eq!(steps(DateStep::Year, "2024-02-28", "2024-02-28"), ["2024-02-28"]);
        assert_eq!(steps(DateStep::Day, "9999-12-30", "9999-12-31").len(), 2);
    }

    #[test]
    fn only_whole_dates_of_four_digit_years_are_dates() {
        for text in ["2024-2-1", "2024-02-30", "24-02-01", "+12024-02-01", "-0001-01-01", "2024-02", "", "x"]
        {
            assert!(parse_day(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_file_of_dates_tells_the_line_that_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dates.txt");
        let written = |text: &str| {
            let file = std::fs::File::create(&path).unwrap();
            std::io::Write::write_all(&mut &file, text.as_bytes()).unwrap();
            read_dates(&path)
        };
        let found = written("\u{feff}# fight nights\n2024-02-01\r\n\n 2020-01-01 \n").unwrap();
        assert_eq!(found, [date("2024-02-01"), date("2020-01-01")]);
        let error = written("2024-02-01\n2024-02-31\n").unwrap_err();
        assert!(error.to_string().contains("dates.txt`, line 2: `2024-02-31`: expected a date"), "{error}");
        assert_eq!(crate::exit_code(&error), ExitCode::BadData);
        assert_eq!(
            crate::exit_code(&read_dates(&folder.path().join("none")).unwrap_err()),
            ExitCode::Unavailable
        );
    }
}
