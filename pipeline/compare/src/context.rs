//! Context of the requested date, which a version does not have.

use chrono::NaiveDate;

/// Facts that depend on the asked date and so are not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VersionContext {
    /// Completed years; `None` without a date of birth, or with one after the date.
    pub age_years: Option<u32>,
    /// Days since the latest eligible bout of the version.
    pub days_since_last_eligible_bout: i64,
}

/// The context of a date for a fighter whose version ends with the bout of `last_bout_date`.
#[must_use]
pub fn context_on(
    day: NaiveDate,
    date_of_birth: Option<NaiveDate>,
    last_bout_date: NaiveDate,
) -> VersionContext {
    VersionContext {
        age_years: date_of_birth.and_then(|born| day.years_since(born)),
        days_since_last_eligible_bout: (day - last_bout_date).num_days(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn a_birthday_completes_the_year() {
        let born = Some(day("1988-07-14"));
        let age = |asked| context_on(day(asked), born, day("2019-01-01")).age_years;
        assert_eq!((age("2020-07-13"), age("2020-07-14")), (Some(31), Some(32)));
        assert_eq!(context_on(day("2020-01-01"), None, day("2019-01-01")).age_years, None);
    }

    #[test]
    fn days_count_from_the_latest_eligible_bout() {
        let context = context_on(day("2020-03-01"), None, day("2020-02-28"));
        assert_eq!(context.days_since_last_eligible_bout, 2);
    }
}
