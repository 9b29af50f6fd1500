//! Stabilisation: the sample at which half of the variance of raw values is the subjects' own, and half is noise.

use serde::{Deserialize, Serialize};

use super::fit::{FitSums, VarianceEstimate};

/// Resamples of the subjects that an interval rests on.
const RESAMPLES: usize = 200;
/// Place of the 5 % quantile among them.
const TAIL: usize = RESAMPLES / 20;
/// Equal facts give equal intervals.
const SEED: u64 = 1;

/// Sample at which the correlation of what is seen with what a subject is reaches the square root of one half, and that of two such
/// samples one half: the variance within subjects divided by that between them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Stabilisation {
    /// Sum of the denominator, in the metric's units.
    pub exposure: f64,
    /// The same in observations of average exposure.
    pub observations: f64,
    /// 5 % and 95 % quantiles of `exposure` over resampled subjects. There is no upper one where so many resamples tell no
    /// difference between subjects.
    pub low: f64,
    pub high: Option<f64>,
}

/// `None` where subjects do not differ by more than noise.
pub(super) fn measure_stabilisation(
    pools: &[Vec<FitSums>],
    estimate: VarianceEstimate,
) -> Option<Stabilisation> {
    let exposure = sample_for_half(estimate)?;
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut resampled = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        let mut draw = |subjects: &Vec<FitSums>| -> Vec<FitSums> {
            subjects.iter().map(|_| subjects[random.usize(..subjects.len())]).collect()
        };
        let pools: Vec<Vec<FitSums>> = pools.iter().map(&mut draw).collect();
        let estimate = VarianceEstimate::estimate_variances(pools.iter().map(|pool| pool.iter()), 1);
        resampled.push(estimate.and_then(sample_for_half).unwrap_or(f64::INFINITY));
    }
    resampled.sort_by(f64::total_cmp);
    let [low, high] = [resampled[TAIL], resampled[RESAMPLES - 1 - TAIL]];
    Some(Stabilisation {
        exposure,
        observations: exposure / estimate.exposure,
        low: low.min(exposure),
        high: Some(high.max(exposure)).filter(|high| high.is_finite()),
    })
}

fn sample_for_half(estimate: VarianceEstimate) -> Option<f64> {
    (estimate.between > 0.0 && estimate.within > 0.0).then(|| estimate.within / estimate.between)
}
