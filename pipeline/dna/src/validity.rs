//! Predictive validity of a metric for the next observation: measured out of time, so that the confidence of a value can be
//! capped by what its metric is worth.
//!
//! Constants are fitted on observations up to `fitted_to` of the settings; everything is tested on observations after
//! it, each predicted from what was known before it, of subjects with enough earlier ones.

mod fit;
mod gate;
mod predict;
mod season;
mod stabilisation;

use fdna_schemas::{Confidence, Metric, ValidityClass, ValiditySettings};
use serde::{Deserialize, Serialize};

use crate::metric::{MetricState, MetricStatus};
use crate::prior::{PoolPriors, SumRatio};
use crate::timeline::Timeline;

pub use gate::{GateBin, GateMeasured};
pub use season::SeasonValidity;
pub use stabilisation::Stabilisation;

/// Measured validity of one metric; `None` where there are too few observations.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MetricValidity {
    /// Share of the squared error of the trailing pool mean that the shrunk value removes, weighted by exposure.
    pub r2: Option<f64>,
    /// The same of the raw value.
    pub r2_raw: Option<f64>,
    /// Correlation of odd with even observations, stepped up to the whole.
    pub reliability: Option<f64>,
    /// Share of next observations within the 90 % band.
    pub coverage: Option<f64>,
    /// Observations that were predicted, with their first and last year.
    pub test_observations: usize,
    pub test_years: Option<(i32, i32)>,
    /// Variance between subjects of a pool, in the metric's unit squared.
    pub variance: Option<f64>,
    /// `None` too where subjects do not differ by more than noise.
    pub stabilisation: Option<Stabilisation>,
    /// What values say of the next season.
    pub season: SeasonValidity,
    /// How often the higher value led in the contest, by how clear the difference was.
    pub gate: GateMeasured,
}

impl MetricValidity {
    /// The class that this measurement gives.
    #[must_use]
    pub fn validity_class(&self, settings: &ValiditySettings) -> Option<ValidityClass> {
        let classes = [ValidityClass::A, ValidityClass::B, ValidityClass::C].into_iter().zip(settings.min_r2);
        self.r2.map(|r2| {
            let met = classes.into_iter().find(|(_, least)| r2 >= *least);
            met.map_or(ValidityClass::D, |(class, _)| class)
        })
    }
}

/// A metric as its measurement sees it.
pub(crate) struct ValiditySubject<'a> {
    pub(crate) timeline: &'a Timeline,
    pub(crate) settings: &'a ValiditySettings,
    pub(crate) metric: &'a Metric,
    /// By row, and by history.
    pub(crate) parts: &'a [Option<SumRatio>],
    pub(crate) parts_by_history: &'a [Option<SumRatio>],
    pub(crate) priors: &'a PoolPriors<'a>,
    /// By version.
    pub(crate) states: &'a [MetricState],
}

impl ValiditySubject<'_> {
    /// The outcome of a subject in the contest of a row.
    fn outcome_in(&self, row: usize) -> Option<(f64, f64)> {
        self.outcome_of(self.parts[row])
    }

    /// The outcome of a subject in one contest: its value, and the exposure in the units of the denominator.
    fn outcome_of(&self, part: Option<SumRatio>) -> Option<(f64, f64)> {
        let part = part.filter(|part| part.d > 0.0)?.to_metric_units(self.metric);
        Some((part.y / part.d, part.d))
    }

    /// By row after `fitted_to`: what the subject's version before it says. Found by subject, since rows of one subject lie
    /// far apart and its versions together.
    fn values_before(&self) -> Vec<Option<ValueBefore>> {
        let mut before = vec![None; self.timeline.rows.len()];
        for history in &self.timeline.histories {
            let later = history.versions.iter().skip(1).map(|(_, begin)| *begin);
            let ends = later.chain(std::iter::once(history.rows.len()));
            for (&(version, begin), end) in history.versions.iter().zip(ends) {
                let value = self.value_of(version);
                let rows = history.rows[begin..end].iter().zip(&history.observations[begin..end]);
                for (row, _) in rows.filter(|(_, o)| o.date > self.settings.fitted_to) {
                    before[*row] = value;
                }
            }
        }
        before
    }

    fn value_of(&self, version: usize) -> Option<ValueBefore> {
        let state = &self.states[version];
        let (shrinkage, raw) = state.shrinkage.zip(state.raw_value)?;
        let observations = self.timeline.versions[version].observations;
        let is_stated = state.status == MetricStatus::Ok;
        Some(ValueBefore {
            raw,
            shrunk: shrinkage.shrunk,
            weight: shrinkage.weight,
            is_tested: observations >= self.settings.min_earlier_observations,
            is_stated,
            is_compared: is_stated && state.confidence >= Confidence::Medium,
        })
    }
}

/// A subject's value before an observation.
#[derive(Debug, Clone, Copy)]
struct ValueBefore {
    raw: f64,
    shrunk: f64,
    /// Of the subject's own sums in `shrunk`.
    weight: f64,
    /// It rests on enough observations to be tested.
    is_tested: bool,
    is_stated: bool,
    /// Stated, with medium confidence or better.
    is_compared: bool,
}

pub(crate) fn measure_validity(subject: &ValiditySubject<'_>) -> MetricValidity {
    let pools: Vec<_> = fit::subjects_by_pool(subject).into_values().collect();
    let min_subjects = subject.settings.min_fitted_subjects;
    let estimate = fit::VarianceEstimate::estimate(pools.iter().map(|pool| pool.iter()), min_subjects);
    let fitted = estimate.and_then(|estimate| fit::fit_variance(subject, estimate));
    let variance = fitted.map(|f| f.between);
    let before = subject.values_before();
    let predicted = predict::predict_next(subject, &before, fitted);
    MetricValidity {
        reliability: predict::reliability(subject),
        variance,
        stabilisation: estimate.and_then(|estimate| stabilisation::measure_stabilisation(&pools, estimate)),
        season: season::measure_season(subject, fitted),
        gate: gate::measure_gate(subject, &before, variance),
        ..predicted
    }
}
