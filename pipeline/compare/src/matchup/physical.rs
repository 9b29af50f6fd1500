//! Bodies: reach, height, age and stance of both.

use chrono::NaiveDate;

/// Physical facts of a fighter, as the newest capture states them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PhysicalFacts<'a> {
    pub reach_in: Option<i32>,
    pub height_in: Option<i32>,
    pub date_of_birth: Option<NaiveDate>,
    pub stance: Option<&'a str>,
}

/// A pair of values and their difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PhysicalDifference<T> {
    pub a: Option<T>,
    pub b: Option<T>,
    /// A less B.
    pub difference: Option<T>,
    /// Why there is none: which side is not stated.
    pub reason: Option<&'static str>,
}

/// A less B, or whose value is not stated.
#[must_use]
pub fn difference<T: Copy + std::ops::Sub<Output = T>>([a, b]: [Option<T>; 2]) -> PhysicalDifference<T> {
    let difference = a.zip(b).map(|(a, b)| a - b);
    PhysicalDifference { a, b, difference, reason: missing_side(a.is_some(), b.is_some()) }
}

/// `same` or `different`.
///
/// # Errors
/// A stance is not stated: whose.
pub fn stance_relation([a, b]: [Option<&str>; 2]) -> Result<&'static str, &'static str> {
    match (a, b) {
        (Some(a), Some(b)) => Ok(if a == b { "same" } else { "different" }),
        _ => Err(missing_side(a.is_some(), b.is_some()).unwrap_or_default()),
    }
}

/// Age on a day in completed years, and in years of 365.25 days for differences; `None` if not born by then.
#[must_use]
pub fn age_years(born: Option<NaiveDate>, day: NaiveDate) -> Option<(u32, f64)> {
    let born = born?;
    let completed = day.years_since(born)?;
    let days = i32::try_from((day - born).num_days()).ok()?;
    Some((completed, f64::from(days) / 365.25))
}

fn missing_side(a: bool, b: bool) -> Option<&'static str> {
    match (a, b) {
        (true, true) => None,
        (false, true) => Some("a_not_stated"),
        (true, false) => Some("b_not_stated"),
        (false, false) => Some("neither_stated"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_needs_both_sides() {
        assert_eq!(difference([Some(76), Some(72)]).difference, Some(4));
        let reason = |pair: [Option<i32>; 2]| (difference(pair).difference, difference(pair).reason);
        assert_eq!(reason([None, Some(72)]), (None, Some("a_not_stated")));
        assert_eq!(reason([Some(76), None]), (None, Some("b_not_stated")));
        assert_eq!(reason([None, None]), (None, Some("neither_stated")));
    }

    #[test]
    fn stances_are_the_same_or_different() {
        assert_eq!(stance_relation([Some("ORTHODOX"), Some("ORTHODOX")]), Ok("same"));
        assert_eq!(stance_relation([Some("ORTHODOX"), Some("SOUTHPAW")]), Ok("different"));
        assert_eq!(stance_relation([None, Some("SOUTHPAW")]), Err("a_not_stated"));
    }

    #[test]
    fn an_age_is_that_of_the_day() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let (completed, years) = age_years(Some(day("1990-05-05")), day("2020-05-04")).unwrap();
        assert!(completed == 29 && (years - 30.0).abs() < 0.01);
        assert_eq!(age_years(Some(day("2021-01-01")), day("2020-05-04")), None);
        assert_eq!(age_years(None, day("2020-05-04")), None);
    }
}
