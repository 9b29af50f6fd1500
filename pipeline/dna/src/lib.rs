//! The DNA engine: observations and metric definitions in, versions out. It knows no sport: a product maps what
//! it counts to rows, integer columns and pools, and keeps the metrics that are no ratio.
//!
//! A subject's version n is its state after its n-th date with observations, seen from the day after (`valid_from`);
//! the pool around it (priors, percentiles) is taken at that same day. So versions never change when later
//! observations arrive, and the DNA as of any date is the newest version that is valid on it. Pure: no clock, no files,
//! no environment, no order of threads.
//!
//! ```text
//! timeline    observations in order, versions, windows, pools     columns     what was counted, by name
//! ratio       sums and shrunk values                              prior       means and strengths by pool and window
//! interval    quantiles of posteriors                             percentile  place among the active of a pool
//! pool_ranks  how many of a pool are below a value
//! confidence  levels, caps and their reasons                      validity    out-of-time measurement, gates
//! adjusted    ratios weighted by the opponent                     splits      sums by kind of observation
//! fact        metrics without a prior                             ratings     Elo
//! ```

mod adjusted;
mod baselines;
mod columns;
mod confidence;
mod fact;
mod interval;
mod metric;
mod percentile;
mod pool_ranks;
mod prior;
mod ratings;
mod ratio;
mod splits;
mod timeline;
mod validity;

use fdna_schemas::{EngineSettings, Kernel, Metric, MetricDefinitions};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use baselines::{PoolBaseline, PoolPopulation};
pub use columns::{ObservationColumns, UnknownColumn};
pub use confidence::{ConfidenceReason, Reasons};
pub use fact::FactMetric;
pub use metric::{MetricPercentile, MetricShrinkage, MetricState, MetricStatus};
pub use percentile::FactOnDay;
pub use ratings::{EloRatings, RatedContest, RatedSide, RatingState};
pub use splits::{SplitKey, SplitRow, SplitRows, SplitSums, SubjectSplits, whole_sum};
pub use timeline::{Observation, PoolId, SubjectHistory, SubjectId, SubjectVersion, Timeline, count_as_i32};
pub use validity::{GateBin, GateMeasured, MetricValidity, SeasonValidity, Stabilisation};

use prior::{PoolPriors, SumRatio};
use ratio::RatioSums;

/// Why a metric could not be derived.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Column(#[from] UnknownColumn),
    #[error("nothing computes metric `{0}`")]
    Kernel(String),
}

/// One metric over all versions and populations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MetricVersions {
    /// In the order of the versions.
    pub states: Vec<MetricState>,
    /// In the order of the populations; empty for what is not shrunk.
    pub baselines: Vec<PoolBaseline>,
    /// `None` for what predicts nothing.
    pub validity: Option<MetricValidity>,
}

/// Inputs from which every metric of a product is derived.
#[derive(Clone, Copy)]
pub struct DnaEngine<'a> {
    timeline: &'a Timeline,
    columns: &'a dyn ObservationColumns,
    definitions: &'a MetricDefinitions,
}

impl<'a> DnaEngine<'a> {
    /// `columns` by row of `timeline`.
    #[must_use]
    pub fn new(
        timeline: &'a Timeline,
        columns: &'a dyn ObservationColumns,
        definitions: &'a MetricDefinitions,
    ) -> Self {
        Self { timeline, columns, definitions }
    }

    fn settings(&self) -> &'a EngineSettings {
        &self.definitions.settings
    }

    /// Every day on which a version begins, with every pool observed in the window before it; by day and pool, all
    /// pools first.
    #[must_use]
    pub fn populations(&self) -> Vec<PoolPopulation> {
        baselines::pool_populations(self.timeline)
    }

    /// A ratio of sums: shrunk, or of the kernel `history` as it was.
    ///
    /// # Errors
    /// The metric names a column or an opponent's metric that there is not, or is no ratio.
    pub fn derive_ratio(
        &self,
        metric: &Metric,
        populations: &[PoolPopulation],
    ) -> Result<MetricVersions, EngineError> {
        match metric.kernel {
            _ if metric.is_shrunk() => self.derive_shrunk(metric, populations),
            Kernel::History => self.derive_history(metric),
            _ => Err(EngineError::Kernel(metric.name.clone())),
        }
    }

    fn derive_shrunk(
        &self,
        metric: &Metric,
        populations: &[PoolPopulation],
    ) -> Result<MetricVersions, EngineError> {
        let (timeline, settings) = (self.timeline, self.settings());
        let parts = self.metric_parts(metric)?;
        let priors = PoolPriors::from_timeline(timeline, settings, metric, &parts);
        let is_recent = metric.kernel == Kernel::Recent;
        let keep = if is_recent { 0.5_f64.powf(1.0 / settings.recent_half_life) } else { 1.0 };
        let parts_by_history = timeline.by_history(&parts);
        let sums = ratio::version_sums(timeline, &parts_by_history, keep, settings.history_observations);
        let mut states = ratio::version_states(timeline, &priors, settings, metric, &sums);
        percentile::of_shrunk(timeline, &priors, settings, metric, &sums, &mut states);
        let subject = validity::ValiditySubject {
            timeline,
            settings: &settings.validity,
            metric,
            parts: &parts,
            parts_by_history: &parts_by_history,
            priors: &priors,
            states: &states,
        };
        let validity = Some(validity::measure_validity(&subject));
        Ok(MetricVersions { baselines: baselines::pool_baselines(populations, &priors), validity, states })
    }

    /// The part of each row in the metric's sums.
    fn metric_parts(&self, metric: &Metric) -> Result<Vec<Option<SumRatio>>, EngineError> {
        let parts = ratio::row_parts(self.timeline, self.columns, metric)?;
        let Some(name) = &metric.opponent_metric else { return Ok(parts) };
        let theirs = self.definitions.metric(name).filter(|m| m.opponent_metric.is_none());
        let theirs = theirs.ok_or_else(|| EngineError::Kernel(metric.name.clone()))?;
        let their_parts = ratio::row_parts(self.timeline, self.columns, theirs)?;
        let theirs = adjusted::OpponentMetric {
            metric: theirs,
            priors: PoolPriors::from_timeline(self.timeline, self.settings(), theirs, &their_parts),
            sums: self.plain_sums(&their_parts),
        };
        Ok(adjusted::weigh_parts(self.timeline, parts, &theirs))
    }

    /// Sums of each version of what rows add, all of it of the same weight.
    fn plain_sums(&self, parts: &[Option<SumRatio>]) -> Vec<RatioSums> {
        let parts = self.timeline.by_history(parts);
        ratio::version_sums(self.timeline, &parts, 1.0, self.settings().history_observations)
    }

    /// A ratio of the past as it was.
    fn derive_history(&self, metric: &Metric) -> Result<MetricVersions, EngineError> {
        let sums = self.plain_sums(&self.metric_parts(metric)?);
        let mut states = ratio::as_it_was(self.timeline, self.settings(), metric, &sums);
        percentile::of_facts(self.timeline, self.settings(), metric, None, &mut states);
        Ok(MetricVersions { states, baselines: Vec::new(), validity: None })
    }

    /// A metric that is no ratio: what the product `found` of each version. Of one that moves with the days, percentiles need
    /// what it is `at` a subject and day.
    #[must_use]
    pub fn derive_fact(
        &self,
        metric: &Metric,
        found: Vec<FactMetric>,
        at: Option<FactOnDay<'_>>,
    ) -> MetricVersions {
        let confidence = &self.settings().confidence;
        let versions = self.timeline.versions.iter().zip(found);
        let mut states: Vec<_> =
            versions.map(|(version, found)| fact::fact_state(confidence, metric, version, found)).collect();
        percentile::of_facts(self.timeline, self.settings(), metric, at, &mut states);
        MetricVersions { states, baselines: Vec::new(), validity: None }
    }

    /// Sums of the metrics that splits show, by the kinds of observation that `keys` gives for a row.
    ///
    /// # Errors
    /// A metric names a column that there is not.
    pub fn derive_splits(&self, keys: impl Fn(usize) -> Vec<SplitKey>) -> Result<SubjectSplits, EngineError> {
        let rows = self.split_rows(keys);
        let metrics = self.split_sums(&rows, Ok::<_, EngineError>)?;
        Ok(SubjectSplits { rows, metrics })
    }

    /// The rows of splits: by subject, kind of observation and version.
    #[must_use]
    pub fn split_rows(&self, keys: impl Fn(usize) -> Vec<SplitKey>) -> SplitRows {
        splits::split_rows(self.timeline, keys)
    }

    /// The sums of each metric that splits show in these rows, handed to `keep`, which says what is kept of them.
    ///
    /// # Errors
    /// A metric names a column that there is not, or those of `keep`.
    pub fn split_sums<T: Send, E: From<EngineError> + Send>(
        &self,
        rows: &SplitRows,
        keep: impl Fn(SplitSums) -> Result<T, E> + Sync,
    ) -> Result<Vec<T>, E> {
        let metrics: Vec<&Metric> = self.definitions.metrics.iter().filter(|m| m.split).collect();
        let sums =
            |metric| splits::split_sums(self.timeline, self.columns, metric, rows).map_err(EngineError::from);
        metrics.into_par_iter().with_max_len(1).map(|metric| keep(sums(metric)?)).collect()
    }
}
