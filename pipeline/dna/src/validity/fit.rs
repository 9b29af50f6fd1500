//! Variances between and within subjects: Bühlmann–Straub with the exposures as weights.

use std::collections::BTreeMap;

use super::ValiditySubject;
use crate::timeline::{PoolId, count_as_i32};

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FittedVariance {
    /// Between the subjects of a pool, in the metric's unit squared.
    pub(super) between: f64,
    /// Of one observation of exposure 1, around the subject's own mean.
    pub(super) within: f64,
}

/// One subject's exposures and sums.
#[derive(Clone, Copy, Default)]
struct FitSums {
    observations: i32,
    d: f64,
    y: f64,
    /// Σ D·x².
    squares: f64,
}

/// Deviations are taken from the mean of the subject's pool, since that is what it is drawn towards. An
/// estimate that is not positive (no signal at all) is replaced by what the prior strength implies.
pub(super) fn fit_variance(subject: &ValiditySubject<'_>) -> Option<FittedVariance> {
    let pools = subjects_by_pool(subject);
    let mut within = (0.0, 0);
    let mut n_subjects = 0;
    for s in pools.values().flatten().filter(|s| s.observations > 1) {
        within.0 += s.squares - s.y * s.y / s.d;
        within.1 += s.observations - 1;
        n_subjects += 1;
    }
    if n_subjects < subject.settings.min_fitted_subjects {
        return None;
    }
    let within = within.0 / f64::from(within.1);
    let (mut numerator, mut denominator, mut exposure, mut observations) = (0.0, 0.0, 0.0, 0);
    for subjects in pools.values() {
        let d: f64 = subjects.iter().map(|s| s.d).sum();
        let mean = subjects.iter().map(|s| s.y).sum::<f64>() / d;
        let spread: f64 = subjects.iter().map(|s| s.d * (s.y / s.d - mean).powi(2)).sum();
        numerator += spread - f64::from(count_as_i32(subjects.len()) - 1) * within;
        denominator += d - subjects.iter().map(|s| s.d * s.d).sum::<f64>() / d;
        exposure += d;
        observations += subjects.iter().map(|s| s.observations).sum::<i32>();
    }
    let strength = subject.metric.prior_observations? * exposure / f64::from(observations);
    let estimate = numerator / denominator;
    let between = if estimate > 0.0 { estimate } else { within / strength };
    Some(FittedVariance { between, within })
}

/// Sums of every subject on the observations to fit on, by the pool of its latest one.
fn subjects_by_pool(subject: &ValiditySubject<'_>) -> BTreeMap<Option<PoolId>, Vec<FitSums>> {
    let mut pools: BTreeMap<Option<PoolId>, Vec<FitSums>> = BTreeMap::new();
    for (history, parts) in subject.timeline.each_history(subject.parts_by_history) {
        let (mut sums, mut pool) = (FitSums::default(), None);
        let fitted =
            history.observations.iter().zip(parts).take_while(|(o, _)| o.date <= subject.settings.fitted_to);
        for (observation, part) in fitted {
            let Some((x, d)) = subject.outcome_of(*part) else { continue };
            pool = observation.pool.or(pool);
            sums.observations += 1;
            sums.d += d;
            sums.y += d * x;
            sums.squares += d * x * x;
        }
        if sums.observations > 0 {
            pools.entry(pool).or_default().push(sums);
        }
    }
    pools
}
