//! The kernel of all ratios: sums over a history, drawn towards the pool.

use chrono::{Days, NaiveDate};
use fdna_schemas::{Confidence, EngineSettings, Metric, Term};

use crate::columns::{ObservationColumns, UnknownColumn};
use crate::confidence::{ConfidenceReason, Reasons, SampleGround, rate_ratio};
use crate::interval;
use crate::metric::{MetricShrinkage, MetricState, MetricStatus};
use crate::prior::{PoolPrior, PoolPriors, SumRatio};
use crate::timeline::{Observation, PriorWindow, SubjectHistory, SubjectVersion, Timeline, count_as_i32};

/// The part of each row in the sums of a metric; `None` where it does not carry all columns.
pub(crate) fn row_parts(
    timeline: &Timeline,
    columns: &dyn ObservationColumns,
    metric: &Metric,
) -> Result<Vec<Option<SumRatio>>, UnknownColumn> {
    let find = |term: &Term| {
        let unknown = || UnknownColumn { metric: metric.name.clone(), column: term.column.clone() };
        Ok((columns.column(&term.column).ok_or_else(unknown)?, i32::from(term.sign)))
    };
    let find_all = |terms: &[Term]| terms.iter().map(find).collect::<Result<Vec<_>, _>>();
    let (numerator, denominator) = (find_all(&metric.numerator)?, find_all(&metric.denominator)?);
    let sum = |terms: &[(Vec<Option<i32>>, i32)], row: usize| -> Option<i32> {
        terms.iter().map(|(column, sign)| column[row].map(|value| sign * value)).sum()
    };
    let part = |row| Some(SumRatio { y: sum(&numerator, row)?.into(), d: sum(&denominator, row)?.into() });
    Ok((0..timeline.rows.len()).map(part).collect())
}

/// Running sums of one subject.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RatioSums {
    pub(crate) ratio: SumRatio,
    /// Observations that carry the columns, and their periods.
    pub(crate) observations: i32,
    pub(crate) periods: i32,
    /// Observations with a denominator.
    pub(crate) with_denominator: i32,
    /// Day of the newest observation that carries the columns.
    newest: Option<NaiveDate>,
}

impl RatioSums {
    /// Adds an observation, after the earlier ones have faded to `keep` of what they were.
    fn add_observation(&mut self, part: SumRatio, row: Observation, keep: f64) {
        self.ratio = SumRatio { y: self.ratio.y * keep, d: self.ratio.d * keep };
        self.ratio += part;
        self.observations += 1;
        self.periods += row.periods;
        self.newest = Some(row.date);
        self.with_denominator += i32::from(part.d > 0.0);
    }

    /// The sample behind a version's confidence.
    fn sample_ground(
        &self,
        settings: &EngineSettings,
        version: &SubjectVersion,
        weight: f64,
    ) -> SampleGround {
        let limit = settings.history_observations.map_or(i32::MAX, count_as_i32);
        let current = Days::new(settings.current_days);
        let until = self.newest.and_then(|newest| newest.checked_add_days(current));
        let is_outdated =
            self.newest < Some(version.last) && until.is_some_and(|until| until < version.valid_from);
        SampleGround {
            weight,
            observations: self.observations,
            total_observations: version.observations.min(limit),
            is_outdated,
        }
    }

    fn exposure(&self, metric: &Metric) -> f64 {
        if metric.min.unit.counts_observations() {
            f64::from(self.with_denominator)
        } else {
            self.ratio.d / metric.exposure_per()
        }
    }
}

/// Sums of each version; `parts` are by history. `keep` is what remains of earlier observations with each new one that carries the columns:
/// 1 for plain sums. `limit` is how many of the newest observations count, all where it is `None`.
pub(crate) fn version_sums(
    timeline: &Timeline,
    parts: &[Option<SumRatio>],
    keep: f64,
    limit: Option<usize>,
) -> Vec<RatioSums> {
    let mut all = Vec::with_capacity(timeline.versions.len());
    for (SubjectHistory { observations, versions, .. }, parts) in timeline.each_history(parts) {
        let (mut sums, mut next) = (RatioSums::default(), 0);
        for (_, until) in versions {
            if let Some(first) = limit.and_then(|limit| until.checked_sub(limit)) {
                (sums, next) = (RatioSums::default(), first);
            }
            for (part, observation) in parts[next..*until].iter().zip(&observations[next..*until]) {
                if let Some(part) = part {
                    sums.add_observation(*part, *observation, keep);
                }
            }
            next = *until;
            all.push(sums);
        }
    }
    all
}

/// The states of all versions, percentiles left out.
pub(crate) fn version_states(
    timeline: &Timeline,
    priors: &PoolPriors<'_>,
    settings: &EngineSettings,
    metric: &Metric,
    sums: &[RatioSums],
) -> Vec<MetricState> {
    let versions = timeline.versions.iter().zip(&timeline.windows);
    let state = |((version, window), sums): ((&SubjectVersion, &PriorWindow), &RatioSums)| {
        shrunk_state(settings, metric, *sums, priors.prior_for(*window, version.pool), version)
    };
    versions.zip(sums).map(state).collect()
}

/// The states of a ratio that is not shrunk, percentiles left out.
pub(crate) fn as_it_was(
    timeline: &Timeline,
    settings: &EngineSettings,
    metric: &Metric,
    sums: &[RatioSums],
) -> Vec<MetricState> {
    let states = timeline.versions.iter().zip(sums);
    states.map(|(version, sums)| plain_state(settings, metric, *sums, version)).collect()
}

fn plain_state(
    settings: &EngineSettings,
    metric: &Metric,
    sums: RatioSums,
    version: &SubjectVersion,
) -> MetricState {
    let exposure = sums.exposure(metric);
    let own = sums.ratio.to_metric_units(metric);
    let raw_value = (sums.ratio.d > 0.0).then(|| own.y / own.d);
    let none = |status, reason: ConfidenceReason| (status, Confidence::Insufficient, Reasons::from(reason));
    let (status, confidence, reasons) = match () {
        () if sums.observations == 0 => none(MetricStatus::NotRecorded, ConfidenceReason::NotRecorded),
        () if raw_value.is_none() => none(MetricStatus::NotApplicable, ConfidenceReason::ZeroDenominator),
        () if exposure < f64::from(metric.min.value) => {
            none(MetricStatus::InsufficientSample, ConfidenceReason::BelowMinSample)
        }
        () => match rate_ratio(
            &settings.confidence,
            sums.sample_ground(settings, version, 1.0),
            metric.validity_class,
        ) {
            (Confidence::Insufficient, reasons) => {
                (MetricStatus::InsufficientSample, Confidence::Insufficient, reasons)
            }
            (level, reasons) => (MetricStatus::Ok, level, reasons),
        },
    };
    MetricState {
        status,
        value: raw_value.filter(|_| status == MetricStatus::Ok),
        raw_value,
        interval: None,
        sums: Some((sums.ratio.y, sums.ratio.d)),
        exposure,
        observations: sums.observations,
        periods: sums.periods,
        shrinkage: None,
        confidence,
        reasons,
        percentile: None,
    }
}

fn shrunk_state(
    settings: &EngineSettings,
    metric: &Metric,
    sums: RatioSums,
    prior: Option<PoolPrior>,
    version: &SubjectVersion,
) -> MetricState {
    let own = sums.ratio.to_metric_units(metric);
    let exposure = sums.exposure(metric);
    let shrinkage = prior.map(|prior| MetricShrinkage {
        weight: prior.own_weight(own),
        prior_mean: prior.mean,
        prior_strength: prior.strength,
        shrunk: prior.shrunk_value(own),
    });
    let none = |status, reason: ConfidenceReason| (status, Confidence::Insufficient, Reasons::from(reason));
    let (status, confidence, reasons) = match shrinkage {
        _ if sums.observations == 0 => none(MetricStatus::NotRecorded, ConfidenceReason::NotRecorded),
        _ if sums.ratio.d <= 0.0 => none(MetricStatus::NotApplicable, ConfidenceReason::ZeroDenominator),
        None => none(MetricStatus::InsufficientSample, ConfidenceReason::NoPrior),
        Some(_) if exposure < f64::from(metric.min.value) => {
            none(MetricStatus::InsufficientSample, ConfidenceReason::BelowMinSample)
        }
        Some(MetricShrinkage { weight, .. }) => {
            let ground = sums.sample_ground(settings, version, weight);
            match rate_ratio(&settings.confidence, ground, metric.validity_class) {
                (Confidence::Insufficient, reasons) => {
                    (MetricStatus::InsufficientSample, Confidence::Insufficient, reasons)
                }
                (level, reasons) => (MetricStatus::Ok, level, reasons),
            }
        }
    };
    let stated = shrinkage.filter(|_| status == MetricStatus::Ok);
    MetricState {
        status,
        value: stated.map(|s| s.shrunk),
        raw_value: (sums.ratio.d > 0.0).then(|| own.y / own.d),
        interval: stated.and_then(|s| posterior_interval(metric, s, 0.0)),
        sums: Some((sums.ratio.y, sums.ratio.d)),
        exposure,
        observations: sums.observations,
        periods: sums.periods,
        shrinkage,
        confidence,
        reasons,
        percentile: None,
    }
}

/// 5 % and 95 % quantiles of the true rate after it has moved by `drift`, a variance; `None` where the variance between subjects
/// is not known.
pub(crate) fn posterior_interval(
    metric: &Metric,
    shrinkage: MetricShrinkage,
    drift: f64,
) -> Option<(f64, f64)> {
    use fdna_schemas::Estimator::{Difference, Elo, Fact, Proportion, Rate, Share};
    let (mean, variance) = (shrinkage.shrunk, metric.variance? * (1.0 - shrinkage.weight) + drift);
    let interval = match metric.estimator {
        Rate => interval::gamma_interval(mean, variance),
        Proportion | Share => interval::beta_interval(mean, variance),
        Difference => interval::normal_interval(mean, variance, metric.range?),
        Fact | Elo => return None,
    };
    Some((interval.low, interval.high))
}
