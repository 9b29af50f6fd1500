//! Metrics that are facts: stated as they are, without a prior.

use fdna_schemas::{Confidence, Metric};

use crate::career_index::DnaVersion;
use crate::confidence::{ConfidenceReason, Reasons, allowed, not_measured};
use crate::metric::{MetricState, MetricStatus};

/// What a module found out about a version.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum FactMetric {
    Known(f64),
    /// Rests on these bouts and their rounds, eligible or not.
    Rated(f64, i32, i32),
    /// Not enough bouts for it.
    TooFew,
    /// Nothing to measure yet.
    NoEarlierBout,
    /// No bout carries what it is made from.
    NotRecorded,
}

/// The state of a fact: confidence by bouts alone, of a plain count from the first; never high, since no fact was
/// measured against the bouts that followed.
pub(crate) fn state(metric: &Metric, version: &DnaVersion, fact: FactMetric) -> MetricState {
    let (bouts, rounds) = match fact {
        FactMetric::Rated(_, bouts, rounds) => (bouts, rounds),
        _ => (version.eligible_bouts, version.eligible_rounds),
    };
    let known = match fact {
        FactMetric::Known(value) | FactMetric::Rated(value, ..) => Some(value),
        _ => None,
    };
    let level = if metric.plain_count { (Confidence::High, Reasons::default()) } else { allowed(1.0, bouts) };
    let (level, missing) = not_measured(level);
    let none = |status, reason: ConfidenceReason| (status, Confidence::Insufficient, Reasons::from(reason));
    let (status, confidence, reasons) = match fact {
        FactMetric::NotRecorded => none(MetricStatus::NotRecorded, ConfidenceReason::NotRecorded),
        FactMetric::NoEarlierBout => none(MetricStatus::NotApplicable, ConfidenceReason::NoEarlierBout),
        FactMetric::TooFew => none(MetricStatus::InsufficientSample, ConfidenceReason::BelowMinSample),
        _ if f64::from(bouts) < f64::from(metric.min.value) => {
            none(MetricStatus::InsufficientSample, ConfidenceReason::BelowMinSample)
        }
        _ if level == Confidence::Insufficient => (MetricStatus::InsufficientSample, level, missing),
        _ => (MetricStatus::Ok, level, missing),
    };
    MetricState {
        status,
        value: known.filter(|_| status == MetricStatus::Ok),
        raw_value: known,
        interval: None,
        sums: None,
        exposure: f64::from(bouts),
        bouts,
        rounds,
        shrinkage: None,
        confidence,
        reasons,
        percentile: None,
    }
}
