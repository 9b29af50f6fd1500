//! Predictions of single observations, against what happened.

use chrono::Datelike as _;

use super::MetricValidity;
use super::fit::FittedVariance;
use super::subject::{ValiditySubject, ValueBefore};
use crate::interval::Z;
use crate::timeline::count_as_i32;

/// Squared errors, weighted by exposure.
#[derive(Default)]
struct PredictionErrors {
    mean: f64,
    shrunk: f64,
    raw: f64,
}

/// The shrunk and the raw value before each observation against the trailing mean of its pool. The band is
/// a normal one: the posterior's variance and the noise of one observation of this exposure.
pub(super) fn predict_next(
    subject: &ValiditySubject<'_>,
    before: &[Option<ValueBefore>],
    fitted: Option<FittedVariance>,
) -> MetricValidity {
    let (timeline, settings) = (subject.timeline, subject.settings);
    let (mut errors, mut years, mut test_observations) = (PredictionErrors::default(), None, 0);
    let (mut within_band, mut banded) = (0, 0);
    for ((place, row), before) in timeline.rows.iter().enumerate().zip(before) {
        let Some(before) = before.filter(|before| before.is_tested) else { continue };
        let Some((x, d)) = subject.outcome_in(place) else { continue };
        let Some(mean) = subject.priors.prior_for(timeline.row_windows[place], row.pool) else { continue };
        errors.mean += d * (x - mean.mean).powi(2);
        errors.shrunk += d * (x - before.shrunk).powi(2);
        errors.raw += d * (x - before.raw).powi(2);
        test_observations += 1;
        let year = row.date.year();
        years = Some(years.map_or((year, year), |(first, _)| (first, year)));
        if let Some(fitted) = fitted.filter(|_| before.is_stated) {
            let variance = fitted.between * (1.0 - before.weight) + fitted.within / d;
            banded += 1;
            within_band += i32::from((x - before.shrunk).abs() <= Z * variance.sqrt());
        }
    }
    let enough = test_observations >= settings.min_test_observations && errors.mean > 0.0;
    let share = |error: f64| enough.then(|| 1.0 - error / errors.mean);
    let enough_bands = usize::try_from(banded).is_ok_and(|n| n >= settings.min_test_observations);
    MetricValidity {
        r2: share(errors.shrunk),
        r2_raw: share(errors.raw),
        coverage: enough_bands.then(|| f64::from(within_band) / f64::from(banded)),
        test_observations,
        test_years: years,
        ..MetricValidity::default()
    }
}

/// Correlation between the values of a subject's odd and of its even observations, stepped up by Spearman and
/// Brown to what both halves together would have.
pub(super) fn reliability(subject: &ValiditySubject<'_>) -> Option<f64> {
    let mut halves = Vec::new();
    for (_, parts) in subject.timeline.each_history(subject.parts_by_history) {
        let mut sums = [(0.0, 0.0, 0); 2];
        let outcomes = parts.iter().filter_map(|part| subject.outcome_of(*part));
        for (n, (x, d)) in outcomes.enumerate() {
            let (y, exposure, observations) = sums[n % 2];
            sums[n % 2] = (y + d * x, exposure + d, observations + 1);
        }
        if sums.iter().all(|(.., observations)| *observations >= subject.settings.min_half_observations) {
            halves.push(sums.map(|(y, d, _)| y / d));
        }
    }
    let r = correlation(&halves).filter(|_| halves.len() >= subject.settings.min_halved_subjects)?;
    Some(2.0 * r / (1.0 + r))
}

fn correlation(pairs: &[[f64; 2]]) -> Option<f64> {
    let n = f64::from(count_as_i32(pairs.len()));
    let mean = [0, 1].map(|i: usize| pairs.iter().map(|p| p[i]).sum::<f64>() / n);
    let product = |i: usize, j: usize| pairs.iter().map(|p| (p[i] - mean[i]) * (p[j] - mean[j])).sum::<f64>();
    let scale = (product(0, 0) * product(1, 1)).sqrt();
    (scale > 0.0).then(|| product(0, 1) / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlation_is_that_of_the_textbook() {
        assert_eq!(correlation(&[[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]), Some(1.0));
        assert_eq!(correlation(&[[1.0, 1.0], [2.0, 0.0], [3.0, 1.0]]), Some(0.0));
        assert_eq!(correlation(&[[1.0, 1.0], [1.0, 2.0]]), None);
    }
}
