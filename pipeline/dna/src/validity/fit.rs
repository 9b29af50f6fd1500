//! Variances between and within subjects: Bühlmann–Straub with the exposures as weights.

use std::collections::BTreeMap;

use super::subject::ValiditySubject;
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
pub(super) struct FitSums {
    observations: i32,
    d: f64,
    y: f64,
    /// Σ D·x².
    squares: f64,
}

/// Both variances as the sums give them: what lies between subjects may be no more than noise, and so not positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct VarianceEstimate {
    pub(super) between: f64,
    pub(super) within: f64,
    /// Mean of an observation.
    pub(super) exposure: f64,
}

impl VarianceEstimate {
    /// Deviations are taken from the mean of the subject's pool, since that is what it is drawn towards. `None` where fewer than
    /// `min_subjects` have two observations.
    pub(super) fn estimate_variances<'s>(
        pools: impl Iterator<Item = impl Iterator<Item = &'s FitSums> + Clone> + Clone,
        min_subjects: i32,
    ) -> Option<Self> {
        let mut within = (0.0, 0);
        let mut n_subjects = 0;
        for s in pools.clone().flatten().filter(|s| s.observations > 1) {
            within.0 += s.squares - s.y * s.y / s.d;
            within.1 += s.observations - 1;
            n_subjects += 1;
        }
        if n_subjects < min_subjects {
            return None;
        }
        let within = within.0 / f64::from(within.1);
        let (mut numerator, mut denominator, mut exposure, mut observations) = (0.0, 0.0, 0.0, 0);
        for subjects in pools {
            let d: f64 = subjects.clone().map(|s| s.d).sum();
            let mean = subjects.clone().map(|s| s.y).sum::<f64>() / d;
            let spread: f64 = subjects.clone().map(|s| s.d * (s.y / s.d - mean).powi(2)).sum();
            numerator += spread - f64::from(count_as_i32(subjects.clone().count()) - 1) * within;
            denominator += d - subjects.clone().map(|s| s.d * s.d).sum::<f64>() / d;
            exposure += d;
            observations += subjects.map(|s| s.observations).sum::<i32>();
        }
        Some(Self { between: numerator / denominator, within, exposure: exposure / f64::from(observations) })
    }
}

/// An estimate that is not positive (no signal at all) is replaced by what the prior strength implies.
pub(super) fn fit_variance(
    subject: &ValiditySubject<'_>,
    estimate: VarianceEstimate,
) -> Option<FittedVariance> {
    let VarianceEstimate { between, within, exposure } = estimate;
    let strength = subject.metric.prior_observations? * exposure;
    Some(FittedVariance { between: if between > 0.0 { between } else { within / strength }, within })
}

/// Sums of every subject on the observations to fit on, by the pool of its latest one.
pub(super) fn subjects_by_pool(subject: &ValiditySubject<'_>) -> BTreeMap<Option<PoolId>, Vec<FitSums>> {
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
