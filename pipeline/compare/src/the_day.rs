//! Metrics that move with the days between bouts, as of any day.
//!
//! A version holds them as of its first day. On a later day the same rules give what they are then: from bouts before
//! that day alone, a bout on it being the future.

use chrono::{Days, Months, NaiveDate};
use fdna_schemas::{Confidence, Direction, Metric};

/// Days that a change of the rating looks back.
const YEAR: Days = Days::new(365);
/// Calendar months that count as lately.
const LATELY: Months = Months::new(36);

/// A rating after all rated bouts of a day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatedDay {
    pub day: NaiveDate,
    pub rating: f64,
    /// Rated bouts up to it.
    pub bouts: i32,
    /// The latest of them that were won, one after another.
    pub wins: i32,
    /// The latest day with one that was not won.
    pub unwon: Option<NaiveDate>,
}

/// Past of one fighter, each list oldest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FighterPast {
    /// Days of bouts that were fought, with statistics or without.
    pub fought: Vec<NaiveDate>,
    /// Days of eligible bouts.
    pub eligible: Vec<NaiveDate>,
    /// Days with rated bouts.
    pub rated: Vec<RatedDay>,
    /// Days of fought bouts whose result is not known.
    pub unknown: Vec<NaiveDate>,
}

/// A metric on a day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnTheDay {
    pub status: &'static str,
    /// `None` unless the status is ok.
    pub value: Option<f64>,
    /// `None` where there is nothing to measure.
    pub raw_value: Option<f64>,
    /// Bouts that it rests on, where they are not the version's eligible ones.
    pub bouts: Option<i32>,
    pub confidence: Confidence,
    pub reasons: &'static [&'static str],
}

impl OnTheDay {
    /// A plain count: known exactly, and measured against nothing.
    fn from_count(value: Option<f64>) -> Self {
        match value {
            Some(_) => Self {
                status: "ok",
                value,
                raw_value: value,
                bouts: None,
                confidence: Confidence::Medium,
                reasons: &["validity_not_measured"],
            },
            None => Self::without_value("insufficient_sample", &["below_min_sample"]),
        }
    }

    /// As sure as so many bouts make it.
    fn of_bouts(raw_value: f64, bouts: i32) -> Self {
        let (confidence, reasons): (_, &[&str]) = match bouts {
            ..2 => (Confidence::Insufficient, &["bouts_below_2"]),
            2 => (Confidence::Low, &["bouts_below_3"]),
            3 | 4 => (Confidence::Medium, &["bouts_below_5"]),
            _ => (Confidence::Medium, &["validity_not_measured"]),
        };
        let is_ok = confidence > Confidence::Insufficient;
        Self {
            status: if is_ok { "ok" } else { "insufficient_sample" },
            value: is_ok.then_some(raw_value),
            raw_value: Some(raw_value),
            bouts: Some(bouts),
            confidence,
            reasons,
        }
    }

    fn without_value(status: &'static str, reasons: &'static [&'static str]) -> Self {
        let confidence = Confidence::Insufficient;
        Self { status, value: None, raw_value: None, bouts: None, confidence, reasons }
    }
}

/// The metric on a day; `None` for one that does not move with the days.
#[must_use]
pub fn on_the_day(metric: &Metric, past: &FighterPast, day: NaiveDate) -> Option<OnTheDay> {
    if !metric.of_the_day {
        return None;
    }
    Some(match metric.name.as_str() {
        "layoff_days" => {
            OnTheDay { bouts: past.fought_before(day), ..OnTheDay::from_count(past.layoff_days(day)) }
        }
        "bouts_last_36m" => {
            OnTheDay { bouts: past.fought_before(day), ..OnTheDay::from_count(Some(past.recent_bouts(day))) }
        }
        "house_rating" => past.rating_on(day),
        "rating_change_365d" => past.rating_change_on(day),
        "win_streak" => past.win_streak(day),
        _ => return None,
    })
}

impl FighterPast {
    /// Adds a rated bout, not before those that are there: the rating is that after all bouts of its day. Of a day with
    /// one that was not won, that one counts as the last.
    pub fn add_rated_bout(&mut self, day: NaiveDate, rating: f64, is_won: bool) {
        let last = self.rated.last().copied();
        let (bouts, wins) = last.map_or((0, 0), |last| (last.bouts, last.wins));
        let unwon = if is_won { last.and_then(|last| last.unwon) } else { Some(day) };
        let wins = if unwon == Some(day) { 0 } else { wins + 1 };
        let now = RatedDay { day, rating, bouts: bouts + 1, wins, unwon };
        match self.rated.last_mut().filter(|last| last.day == day) {
            Some(last) => *last = now,
            None => self.rated.push(now),
        }
    }

    /// Adds an eligible day, whose version rests on so many eligible bouts in all.
    pub fn make_eligible(&mut self, day: NaiveDate, bouts: i32) {
        let bouts = usize::try_from(bouts).unwrap_or(0).max(self.eligible.len());
        self.eligible.resize(bouts, day);
    }

    /// Bouts fought before a day that no version rests on yet: those after the latest with statistics.
    #[must_use]
    pub fn bouts_without_statistics(&self, day: NaiveDate) -> usize {
        let fought = days_before(&self.fought, day);
        let known = days_before(&self.eligible, day).last();
        fought.len() - known.map_or(0, |known| fought.partition_point(|bout| bout <= known))
    }

    fn fought_before(&self, day: NaiveDate) -> Option<i32> {
        i32::try_from(days_before(&self.fought, day).len()).ok()
    }

    fn layoff_days(&self, day: NaiveDate) -> Option<f64> {
        let last = days_before(&self.fought, day).last()?;
        i32::try_from((day - *last).num_days()).ok().map(f64::from)
    }

    fn recent_bouts(&self, day: NaiveDate) -> f64 {
        let since = day.checked_sub_months(LATELY).unwrap_or(NaiveDate::MIN);
        let past = days_before(&self.fought, day);
        let lately = past.len() - past.partition_point(|bout| *bout < since);
        f64::from(u32::try_from(lately).unwrap_or(u32::MAX))
    }

    fn rated_before(&self, day: NaiveDate) -> Option<RatedDay> {
        self.rated[..self.rated.partition_point(|rated| rated.day < day)].last().copied()
    }

    fn rating_on(&self, day: NaiveDate) -> OnTheDay {
        let too_few = || OnTheDay {
            bouts: Some(0),
            ..OnTheDay::without_value("insufficient_sample", &["below_min_sample"])
        };
        self.rated_before(day).map_or_else(too_few, |now| OnTheDay::of_bouts(now.rating, now.bouts))
    }

    /// Not known where a result is not known that may have ended it.
    fn win_streak(&self, day: NaiveDate) -> OnTheDay {
        let now = self.rated_before(day);
        let (bouts, wins) = now.map_or((0, 0), |now| (now.bouts, now.wins));
        let ended = now.and_then(|now| now.unwon);
        let streak = match days_before(&self.unknown, day).last() {
            Some(unknown) if ended.is_none_or(|ended| ended <= *unknown) => {
                OnTheDay::without_value("not_recorded", &["result_unknown"])
            }
            _ => OnTheDay::from_count(Some(f64::from(wins))),
        };
        OnTheDay { bouts: Some(bouts), ..streak }
    }

    fn rating_change_on(&self, day: NaiveDate) -> OnTheDay {
        let earlier = day.checked_sub_days(YEAR).and_then(|day| self.rated_before(day));
        match (self.rated_before(day), earlier) {
            (None, _) => self.rating_on(day),
            (Some(now), None) => OnTheDay {
                bouts: Some(now.bouts),
                ..OnTheDay::without_value("not_applicable", &["no_earlier_bout"])
            },
            (Some(now), Some(then)) => OnTheDay::of_bouts(now.rating - then.rating, now.bouts),
        }
    }
}

fn days_before(days: &[NaiveDate], day: NaiveDate) -> &[NaiveDate] {
    &days[..days.partition_point(|bout| *bout < day)]
}

/// Place of a value in a pool: 100 · (worse + half of equal) / n.
#[must_use]
#[expect(clippy::float_cmp, reason = "the same facts make the same bits")]
pub fn percentile_in_pool(value: f64, pool: &[f64], direction: Direction) -> f64 {
    let is_worse = |other: f64| if direction == Direction::Lower { other > value } else { other < value };
    let count = |is: &dyn Fn(f64) -> bool| {
        f64::from(u32::try_from(pool.iter().filter(|other| is(**other)).count()).unwrap_or(u32::MAX))
    };
    100.0 * (count(&is_worse) + count(&|other| other == value) / 2.0) / count(&|_| true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fdna_schemas::MetricDefinitions;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn past() -> FighterPast {
        let days = |days: &[&str]| days.iter().map(|text| day(text)).collect();
        let mut past = FighterPast {
            fought: days(&["2015-01-01", "2016-08-20", "2016-11-12", "2017-02-01", "2019-05-01"]),
            eligible: days(&["2015-01-01", "2016-08-20", "2016-11-12"]),
            unknown: days(&["2019-05-01"]),
            ..FighterPast::default()
        };
        past.add_rated_bout(day("2015-01-01"), 1560.0, true);
        past.add_rated_bout(day("2016-08-20"), 1580.0, true);
        past.add_rated_bout(day("2017-02-01"), 1570.0, false);
        past
    }

    fn of(metric: &str, on: &str) -> String {
        let found = on_the_day(MetricDefinitions::get().metric(metric).unwrap(), &past(), day(on)).unwrap();
        format!("{} {:?} {:?} {}", found.status, found.value, found.bouts, found.confidence.name())
    }

    #[test]
    fn the_days_go_on_after_the_latest_bout_and_the_day_itself_is_the_future() {
        assert_eq!(of("layoff_days", "2018-10-05"), "ok Some(611.0) Some(4) medium");
        assert_eq!(of("layoff_days", "2017-02-01"), "ok Some(81.0) Some(3) medium");
        assert_eq!(of("bouts_last_36m", "2018-10-05"), "ok Some(3.0) Some(4) medium");
        assert_eq!(of("bouts_last_36m", "2018-01-01"), "ok Some(4.0) Some(4) medium");
        assert_eq!(of("bouts_last_36m", "2030-01-01"), "ok Some(0.0) Some(5) medium");
        assert_eq!(of("house_rating", "2017-02-01"), "ok Some(1580.0) Some(2) low");
        assert_eq!(of("house_rating", "2017-02-02"), "ok Some(1570.0) Some(3) medium");
        assert_eq!(of("rating_change_365d", "2015-06-01"), "not_applicable None Some(1) insufficient");
        assert_eq!(of("rating_change_365d", "2017-02-02"), "ok Some(10.0) Some(3) medium");
        assert_eq!(of("rating_change_365d", "2018-10-05"), "ok Some(0.0) Some(3) medium");
        assert_eq!(of("rating_change_365d", "2014-01-01"), "insufficient_sample None Some(0) insufficient");
    }

    #[test]
    fn bouts_behind_the_latest_with_statistics_are_counted_up_to_the_day() {
        let without = |on: &str| past().bouts_without_statistics(day(on));
        let days = ["2014-01-01", "2016-11-13", "2017-02-01", "2017-02-02", "2019-05-01", "2019-05-02"];
        assert_eq!(days.map(without), [0, 0, 0, 1, 1, 2]);
    }

    #[test]
    fn a_win_streak_ends_with_any_rated_bout_and_is_not_known_behind_a_result_that_is_not() {
        assert_eq!(of("win_streak", "2015-01-01"), "ok Some(0.0) Some(0) medium");
        assert_eq!(of("win_streak", "2017-02-01"), "ok Some(2.0) Some(2) medium");
        assert_eq!(of("win_streak", "2017-02-02"), "ok Some(0.0) Some(3) medium");
        assert_eq!(of("win_streak", "2019-05-01"), "ok Some(0.0) Some(3) medium");
        assert_eq!(of("win_streak", "2019-05-02"), "not_recorded None Some(3) insufficient");
        let after = |won: &[bool]| {
            let mut past = past();
            won.iter().for_each(|is_won| past.add_rated_bout(day("2020-01-01"), 1500.0, *is_won));
            past.add_rated_bout(day("2021-01-01"), 1500.0, true);
            past.win_streak(day("2022-01-01")).value
        };
        assert_eq!(after(&[true]), None, "the bout of 2019 may have ended it or not");
        assert_eq!([after(&[false]), after(&[true, false]), after(&[false, true])], [Some(1.0); 3]);
    }

    #[test]
    fn every_metric_that_moves_with_the_days_is_known_here_and_no_other() {
        for metric in &MetricDefinitions::get().metrics {
            let found = on_the_day(metric, &past(), day("2018-10-05"));
            assert_eq!(found.is_some(), metric.of_the_day, "{}", metric.name);
        }
    }
}
