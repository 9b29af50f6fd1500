//! The version that holds on a date.

use chrono::NaiveDate;

/// Stored begin of a version, with the bout that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VersionDates {
    /// Day after the bout that made it.
    pub valid_from: NaiveDate,
    /// Day of that bout.
    pub last_bout_date: NaiveDate,
}

/// A version among a fighter's, and how long it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChosenVersion {
    /// Place in the slice that was asked.
    pub index: usize,
    /// Last day on which it holds: the day of the next eligible bout. `None` while there is none.
    pub valid_to: Option<NaiveDate>,
}

/// Why there is no version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoVersion {
    /// The fighter has no eligible bout at all.
    NoEligibleBout,
    /// The date lies before the first version.
    BeforeFirstVersion {
        /// First day with a version.
        first_valid_from: NaiveDate,
    },
}

impl NoVersion {
    /// As written in `details.reason`.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::NoEligibleBout => "no_eligible_bout",
            Self::BeforeFirstVersion { .. } => "before_first_version",
        }
    }
}

/// The version with `valid_from <= day <= valid_to`. A bout on `day` is the future, so the day of the
/// next bout is still the older version's.
///
/// `versions` are one fighter's, oldest first.
///
/// ```
/// use chrono::{Days, NaiveDate};
/// use fdna_compare::{VersionDates, version_as_of};
///
/// let day = |text: &str| text.parse::<NaiveDate>().expect("a day");
/// let after = |bout: &str| VersionDates { last_bout_date: day(bout), valid_from: day(bout) + Days::new(1) };
/// let versions = [after("2020-01-10"), after("2020-06-01")];
/// // On the day of the second bout the first version still holds.
/// assert_eq!(version_as_of(&versions, day("2020-06-01")).map(|chosen| chosen.index), Ok(0));
/// assert_eq!(version_as_of(&versions, day("2020-06-02")).map(|chosen| chosen.index), Ok(1));
/// assert!(version_as_of(&versions, day("2020-01-10")).is_err());
/// ```
///
/// # Errors
/// There is none, or none yet.
pub fn version_as_of(versions: &[VersionDates], day: NaiveDate) -> Result<ChosenVersion, NoVersion> {
    let first = versions.first().ok_or(NoVersion::NoEligibleBout)?;
    let begun = versions.partition_point(|v| v.valid_from <= day);
    let index =
        begun.checked_sub(1).ok_or(NoVersion::BeforeFirstVersion { first_valid_from: first.valid_from })?;
    Ok(ChosenVersion { index, valid_to: versions.get(begun).map(|next| next.last_bout_date) })
}

/// The newest version.
///
/// # Errors
/// There is none.
pub fn latest(versions: &[VersionDates]) -> Result<ChosenVersion, NoVersion> {
    let index = versions.len().checked_sub(1).ok_or(NoVersion::NoEligibleBout)?;
    Ok(ChosenVersion { index, valid_to: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use std::fmt::Write as _;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn after_bouts(days: &[&str]) -> Vec<VersionDates> {
        let version = |bout: &&str| VersionDates {
            valid_from: day(bout).succ_opt().unwrap(),
            last_bout_date: day(bout),
        };
        days.iter().map(version).collect()
    }

    #[test]
    fn the_day_of_the_next_bout_is_still_the_older_version() {
        let versions = after_bouts(&["2020-01-10", "2020-06-01", "2020-06-02"]);
        let mut seen = String::new();
        for asked in ["2020-01-10", "2020-01-11", "2020-06-01", "2020-06-02", "2020-06-03", "2031-01-01"] {
            let line = match version_as_of(&versions, day(asked)) {
                Ok(c) => format!("{} to {:?}", c.index, c.valid_to),
                Err(none) => format!("{none:?}"),
            };
            let _ = writeln!(seen, "{asked}: {line}");
        }
        expect![[r#"
            2020-01-10: BeforeFirstVersion { first_valid_from: 2020-01-11 }
            2020-01-11: 0 to Some(2020-06-01)
            2020-06-01: 0 to Some(2020-06-01)
            2020-06-02: 1 to Some(2020-06-02)
            2020-06-03: 2 to None
            2031-01-01: 2 to None
        "#]]
        .assert_eq(&seen);
    }

    #[test]
    fn without_versions_there_is_none_on_any_date() {
        assert_eq!(version_as_of(&[], day("2020-01-01")), Err(NoVersion::NoEligibleBout));
        assert_eq!(latest(&[]).unwrap_err().reason(), "no_eligible_bout");
        assert_eq!(latest(&after_bouts(&["2020-01-10"])), Ok(ChosenVersion { index: 0, valid_to: None }));
    }
}
