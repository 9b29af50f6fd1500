//! Validity of a value for the season after it: subjects change between seasons by more than noise.

use chrono::{Datelike as _, NaiveDate};
use serde::{Deserialize, Serialize};

use super::fit::FittedVariance;
use super::subject::{ValiditySubject, ValueBefore};
use crate::interval::Z;
use crate::prior::SumRatio;
use crate::timeline::count_as_i32;

/// Values before a season against the figures of that season, each with the noise of its exposure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct SeasonValidity {
    /// Variance of a subject's rate from one season to the next, in the metric's unit squared, of seasons that began up to
    /// `fitted_to`.
    pub drift: Option<f64>,
    /// Share of later seasons within the 90 % band with `drift`.
    pub coverage: Option<f64>,
    /// The same without it.
    pub coverage_without_drift: Option<f64>,
    /// Later seasons that were predicted.
    pub tests: usize,
}

/// A value before a season, and what the season was.
struct PredictedSeason {
    begin: NaiveDate,
    error: f64,
    /// Of the error, without drift.
    variance: f64,
}

pub(super) fn measure_season(
    subject: &ValiditySubject<'_>,
    fitted: Option<FittedVariance>,
) -> SeasonValidity {
    let settings = subject.settings;
    let (Some(fitted), Some(month)) = (fitted, settings.season_month) else {
        return SeasonValidity::default();
    };
    let seasons = predicted_seasons(subject, fitted, month);
    let (earlier, later): (Vec<_>, Vec<_>) =
        seasons.into_iter().partition(|season| season.begin <= settings.fitted_to);
    let drift = (earlier.len() >= settings.min_test_seasons).then(|| fit_drift(&earlier));
    let enough = later.len() >= settings.min_test_seasons;
    let coverage = |drift: f64| {
        let holds = |season: &&PredictedSeason| season.error.abs() <= Z * (season.variance + drift).sqrt();
        let held = later.iter().filter(holds).count();
        f64::from(count_as_i32(held)) / f64::from(count_as_i32(later.len()))
    };
    SeasonValidity {
        drift,
        coverage: drift.filter(|_| enough).map(coverage),
        coverage_without_drift: enough.then(|| coverage(0.0)),
        tests: later.len(),
    }
}

/// By moments: what squared errors exceed their variance by. Each counts for as much as it is known.
fn fit_drift(seasons: &[PredictedSeason]) -> f64 {
    let (mut excess, mut weights) = (0.0, 0.0);
    for season in seasons {
        excess += (season.error.powi(2) - season.variance) / season.variance;
        weights += 1.0 / season.variance;
    }
    (excess / weights).max(0.0)
}

/// Of subjects who were observed in the season before, and whose value was stated when theirs began.
fn predicted_seasons(
    subject: &ValiditySubject<'_>,
    fitted: FittedVariance,
    month: u32,
) -> Vec<PredictedSeason> {
    let season_of = |date: NaiveDate| date.year() - i32::from(date.month() < month);
    let mut seasons = Vec::new();
    for (history, parts) in subject.timeline.each_history(subject.parts_by_history) {
        let observations = &history.observations;
        let mut begin = 0;
        for season in observations.chunk_by(|a, b| season_of(a.date) == season_of(b.date)) {
            let end = begin + season.len();
            let date = season[0].date;
            let follows = begin
                .checked_sub(1)
                .is_some_and(|last| season_of(observations[last].date) + 1 == season_of(date));
            // Versions rest on ever more rows: the last of those that rest on none of the season.
            let before = history.versions.partition_point(|(_, until)| *until <= begin).checked_sub(1);
            let version = before.filter(|_| follows).map(|place| history.versions[place].0);
            let value = version.and_then(|version| subject.value_of(version));
            let figure = season_figure(subject, &parts[begin..end]);
            begin = end;
            let (Some(ValueBefore { shrunk, weight, is_stated: true, .. }), Some((x, d))) = (value, figure)
            else {
                continue;
            };
            let variance = fitted.between * (1.0 - weight) + fitted.within / d;
            seasons.push(PredictedSeason { begin: date, error: x - shrunk, variance });
        }
    }
    seasons
}

/// Value and exposure of a season.
fn season_figure(subject: &ValiditySubject<'_>, parts: &[Option<SumRatio>]) -> Option<(f64, f64)> {
    let mut sum = SumRatio::default();
    for part in parts.iter().flatten() {
        sum += *part;
    }
    subject.outcome_of(Some(sum))
}
