//! One metric over all versions, column by column.

use fdna_schemas::{Confidence, Metric};
use serde::{Deserialize, Serialize};

use crate::confidence::Reasons;
use crate::ratio::posterior_interval;

/// Whether there is a value, and why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum MetricStatus {
    Ok,
    InsufficientSample,
    /// No observation carries the columns.
    NotRecorded,
    /// The denominator is 0, or there is nothing to measure yet.
    NotApplicable,
}

impl MetricStatus {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::InsufficientSample => "insufficient_sample",
            Self::NotRecorded => "not_recorded",
            Self::NotApplicable => "not_applicable",
        }
    }
}

/// One metric of one version.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MetricState {
    pub status: MetricStatus,
    /// Shrunk value, or the fact itself; `None` unless the status is ok.
    pub value: Option<f64>,
    /// Plain ratio; `None` where the denominator is 0.
    pub raw_value: Option<f64>,
    /// 5 % and 95 % quantiles of the posterior.
    pub interval: Option<(f64, f64)>,
    /// Sums in the columns' own units; `None` where the metric is no ratio.
    pub sums: Option<(f64, f64)>,
    /// Sample in the unit of the metric's minimum.
    pub exposure: f64,
    /// Observations that carry the columns, and their periods.
    pub observations: i32,
    pub periods: i32,
    /// Weight of the subject's own sums in the value, prior mean and prior strength.
    pub shrinkage: Option<MetricShrinkage>,
    pub confidence: Confidence,
    pub reasons: Reasons,
    pub percentile: Option<MetricPercentile>,
}

impl MetricState {
    /// 5 % and 95 % quantiles of the true rate over the next season: `interval` is of the rate now. `None` where the value is
    /// not stated, or it is not known how much subjects change between seasons.
    #[must_use]
    pub fn season_interval(&self, metric: &Metric) -> Option<(f64, f64)> {
        let shrinkage = self.shrinkage.filter(|_| self.status == MetricStatus::Ok)?;
        let (low, high) = posterior_interval(metric, shrinkage, metric.season_drift?)?;
        // Near the end of a share's range a wider distribution leans away from it.
        let (low_now, high_now) = self.interval?;
        Some((low.min(low_now), high.max(high_now)))
    }
}

/// Shrinkage of a value towards the prior.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MetricShrinkage {
    pub weight: f64,
    pub prior_mean: f64,
    /// In units of the denominator.
    pub prior_strength: f64,
    /// The shrunk value, whether or not the sample allows to state it.
    pub(crate) shrunk: f64,
}

/// Place among the active subjects of the pool.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MetricPercentile {
    /// 0 to 100, 100 best; by plain rank where neither end is.
    pub value: f64,
    pub pool_size: i32,
}
