//! Metrics of experience: bouts, minutes, layoffs.

use std::ops::Range;

use chrono::{Datelike as _, Months, NaiveDate};
use fdna_dna::{FactMetric, ObservationColumns as _, SubjectId, count_as_i32};

use crate::career_index::{CareerIndex, DnaVersion};

/// The metrics of this module, for the test that the metric definitions name the same.
#[cfg(test)]
pub(crate) const METRICS: [&str; 6] = [
    "bouts_with_stats",
    "cage_minutes",
    "championship_round_minutes",
    "layoff_days",
    "previous_layoff_days",
    "bouts_last_36m",
];

/// Bouts of so many calendar months before a day are recent.
const RECENT: Months = Months::new(36);

/// A fact about each version, in their order; `None` for a metric of another module.
pub(crate) fn experience_facts(league: &CareerIndex<'_>, metric: &str) -> Option<Vec<FactMetric>> {
    Some(match metric {
        "bouts_with_stats" => league.each_version(|v, _| FactMetric::Known(f64::from(v.eligible_bouts))),
        "cage_minutes" => minutes_facts(league, "duration_secs")?,
        "championship_round_minutes" => minutes_facts(league, "r4_5_secs")?,
        "layoff_days" => league.each_version(|v, _| {
            layoff_days(league, league.subject_of(v.fighter), v.valid_from)
                .map_or(FactMetric::TooFew, FactMetric::Known)
        }),
        "previous_layoff_days" => league.each_version(|version, _| previous_layoff(league, version)),
        "bouts_last_36m" => league.each_version(|v, _| {
            FactMetric::Known(bouts_within(
                league,
                league.subject_of(v.fighter),
                &recent_months(v.valid_from),
            ))
        }),
        _ => return None,
    })
}

fn minutes_facts(league: &CareerIndex<'_>, column: &str) -> Option<Vec<FactMetric>> {
    let secs = league.column(column)?;
    Some(league.timeline.each_version(|_, rows| {
        let total: Option<i32> = rows.iter().map(|row| secs[*row]).sum();
        total.map_or(FactMetric::NotRecorded, |secs| FactMetric::Known(f64::from(secs) / 60.0))
    }))
}

/// Days from the day with a bout before the latest eligible one, with statistics or without, to that one.
fn previous_layoff(league: &CareerIndex<'_>, version: &DnaVersion) -> FactMetric {
    let fighter = league.subject_of(version.fighter);
    layoff_days(league, fighter, version.last_bout).map_or(FactMetric::NoEarlierContest, FactMetric::Known)
}

/// Days from the latest bout before a date, with statistics or without, to the date; `None` without one.
pub(crate) fn layoff_days(league: &CareerIndex<'_>, fighter: SubjectId, date: NaiveDate) -> Option<f64> {
    let days = league.bout_days(fighter);
    let last = days[..days.partition_point(|day| *day < date)].last()?;
    let days = i32::try_from((date - *last).num_days()).unwrap_or(i32::MAX);
    Some(f64::from(days))
}

/// Sort key for [`layoff_days`], and the day from which it may change: the day of the latest bout,
/// the earliest first.
pub(crate) fn layoff_order(
    league: &CareerIndex<'_>,
    fighter: SubjectId,
    date: NaiveDate,
) -> (Option<f64>, NaiveDate) {
    let days = league.bout_days(fighter);
    let last = days[..days.partition_point(|day| *day < date)].last();
    (last.map(|last| -f64::from(last.num_days_from_ce())), until_next(days, date))
}

/// The first day after a date before which another of these days lies, oldest first.
pub(crate) fn until_next(days: &[NaiveDate], date: NaiveDate) -> NaiveDate {
    let next = days.get(days.partition_point(|day| *day < date));
    next.and_then(NaiveDate::succ_opt).unwrap_or(NaiveDate::MAX)
}

/// The 36 calendar months before a date.
pub(crate) fn recent_months(date: NaiveDate) -> Range<NaiveDate> {
    date.checked_sub_months(RECENT).unwrap_or(NaiveDate::MIN)..date
}

/// Bouts within a time, with statistics or without.
pub(crate) fn bouts_within(league: &CareerIndex<'_>, fighter: SubjectId, time: &Range<NaiveDate>) -> f64 {
    let days = league.bout_days(fighter);
    let before = |date: NaiveDate| days.partition_point(|day| *day < date);
    f64::from(count_as_i32(before(time.end) - before(time.start)))
}

/// [`bouts_within`] the recent past of a date, and a later day up to which it is the same.
pub(crate) fn recent_bouts(
    league: &CareerIndex<'_>,
    fighter: SubjectId,
    date: NaiveDate,
) -> (Option<f64>, NaiveDate) {
    let (days, time) = (league.bout_days(fighter), recent_months(date));
    let added = until_next(days, time.end);
    let passed = until_next(days, time.start).checked_add_months(RECENT);
    (Some(bouts_within(league, fighter, &time)), added.min(passed.unwrap_or(NaiveDate::MAX)))
}
