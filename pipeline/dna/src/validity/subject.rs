//! A metric as its measurement sees it: outcomes, and what was known before them.

use fdna_schemas::{Confidence, Metric, ValiditySettings};

use crate::metric::{MetricState, MetricStatus};
use crate::prior::{PoolPriors, SumRatio};
use crate::timeline::Timeline;

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
    pub(super) fn outcome_in(&self, row: usize) -> Option<(f64, f64)> {
        self.outcome_of(self.parts[row])
    }

    /// The outcome of a subject in one contest: its value, and the exposure in the units of the denominator.
    pub(super) fn outcome_of(&self, part: Option<SumRatio>) -> Option<(f64, f64)> {
        let part = part.filter(|part| part.d > 0.0)?.to_metric_units(self.metric);
        Some((part.y / part.d, part.d))
    }

    /// By row after `fitted_to`: what the subject's version before it says. Found by subject, since rows of one subject lie
    /// far apart and its versions together.
    pub(super) fn values_before(&self) -> Vec<Option<ValueBefore>> {
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

    pub(super) fn value_of(&self, version: usize) -> Option<ValueBefore> {
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
pub(super) struct ValueBefore {
    pub(super) raw: f64,
    pub(super) shrunk: f64,
    /// Of the subject's own sums in `shrunk`.
    pub(super) weight: f64,
    /// It rests on enough observations to be tested.
    pub(super) is_tested: bool,
    pub(super) is_stated: bool,
    /// Stated, with medium confidence or better.
    pub(super) is_compared: bool,
}
