//! Metrics that are facts: stated as they are, without a prior.

use fdna_schemas::{Confidence, ConfidenceSettings, Metric};

use crate::confidence::{ConfidenceReason, Reasons, allowed_level, not_measured};
use crate::metric::{MetricState, MetricStatus};
use crate::timeline::SubjectVersion;

/// A product's fact about a version, from its kernel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FactMetric {
    Known(f64),
    /// Rests on so many contests and their periods, whether or not they are observations.
    Rated(f64, i32, i32),
    /// Not enough contests for it.
    TooFew,
    /// Nothing to measure yet.
    NoEarlierContest,
    /// No contest carries what it is made from.
    NotRecorded,
}

/// The state of a fact: confidence by observations alone, of a plain count from the first; capped as what was not measured
/// against the contests that followed.
pub(crate) fn fact_state(
    settings: &ConfidenceSettings,
    metric: &Metric,
    version: &SubjectVersion,
    fact: FactMetric,
) -> MetricState {
    let (observations, periods) = match fact {
        FactMetric::Rated(_, observations, periods) => (observations, periods),
        _ => (version.observations, version.periods),
    };
    let known = match fact {
        FactMetric::Known(value) | FactMetric::Rated(value, ..) => Some(value),
        _ => None,
    };
    let level = if metric.plain_count {
        (Confidence::High, Reasons::default())
    } else {
        allowed_level(settings, 1.0, observations)
    };
    let (level, missing) = not_measured(settings, level);
    let none = |status, reason: ConfidenceReason| (status, Confidence::Insufficient, Reasons::from(reason));
    let (status, confidence, reasons) = match fact {
        FactMetric::NotRecorded => none(MetricStatus::NotRecorded, ConfidenceReason::NotRecorded),
        FactMetric::NoEarlierContest => none(MetricStatus::NotApplicable, ConfidenceReason::NoEarlierContest),
        FactMetric::TooFew => none(MetricStatus::InsufficientSample, ConfidenceReason::BelowMinSample),
        _ if f64::from(observations) < f64::from(metric.min.value) => {
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
        exposure: f64::from(observations),
        observations,
        periods,
        shrinkage: None,
        confidence,
        reasons,
        percentile: None,
    }
}
