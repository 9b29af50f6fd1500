//! A fighter's value in bouts of one kind, against his own value in all bouts.
//!
//! The prior of a split is the fighter's own overall value, as strong as the class is for that: what few
//! bouts say is drawn towards what all of his bouts say.

use fdna_schemas::{Estimator, Metric, MinUnit};
use serde::{Deserialize, Serialize};

use crate::published::{HALF_WIDTH_90, PublishedValue, posterior_variance};

/// Sums over the bouts of one kind, in the units of the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SplitSums {
    pub numerator: i64,
    pub denominator: i64,
    /// Bouts of the kind that carry the metric's columns.
    pub bouts: i32,
}

/// Why a split has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoSplitValue {
    /// No bout of the kind carries the columns.
    NotRecorded,
    /// The denominator is 0.
    ZeroDenominator,
    /// The sample is below the metric's minimum.
    BelowMinSample,
    /// The fighter has no overall value to draw it towards.
    NoOverallValue,
}

impl NoSplitValue {
    /// As in `status` of every metric.
    #[must_use]
    pub fn status(self) -> &'static str {
        match self {
            Self::NotRecorded => "not_recorded",
            Self::ZeroDenominator => "not_applicable",
            Self::BelowMinSample | Self::NoOverallValue => "insufficient_sample",
        }
    }

    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::NotRecorded => "not_recorded",
            Self::ZeroDenominator => "zero_denominator",
            Self::BelowMinSample => "below_min_sample",
            Self::NoOverallValue => "no_overall_value",
        }
    }
}

/// A split with a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SplitValue {
    /// (Y + K·m) / (D + K), where m is the overall value.
    pub value: f64,
    /// Z = D / (D + K).
    pub weight: f64,
    /// 90 %, normal, within what the metric can be; `None` where the variance is not known.
    pub interval: Option<(f64, f64)>,
    pub delta: SplitDifference,
}

/// Split less overall value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SplitDifference {
    pub value: f64,
    /// 90 %, normal. Its variance is the sum of both posteriors': as both rest on the same bouts in part,
    /// that is more than the difference really has.
    pub interval: Option<(f64, f64)>,
    /// Whether the interval leaves out 0.
    pub distinguishable: Option<bool>,
}

/// Y/D of the split alone, in the metric's unit; `None` without a denominator.
#[must_use]
pub fn raw_split_value(metric: &Metric, sums: SplitSums) -> Option<f64> {
    (sums.denominator > 0).then(|| numerator_of(metric, sums) / denominator_of(metric, sums))
}

/// The split's value beside the overall one.
///
/// # Errors
/// There is none: the first reason in the order of the list above.
pub fn split_value(overall: &PublishedValue<'_>, sums: SplitSums) -> Result<SplitValue, NoSplitValue> {
    let metric = overall.metric;
    if sums.bouts == 0 {
        return Err(NoSplitValue::NotRecorded);
    }
    if sums.denominator <= 0 {
        return Err(NoSplitValue::ZeroDenominator);
    }
    if exposure_of(metric, sums) < f64::from(metric.min.value) {
        return Err(NoSplitValue::BelowMinSample);
    }
    let prior = overall.value.zip(overall.prior_strength).filter(|(_, strength)| *strength > 0.0);
    let (mean, strength) = prior.ok_or(NoSplitValue::NoOverallValue)?;
    let (y, d) = (numerator_of(metric, sums), denominator_of(metric, sums));
    let (value, weight) = ((y + strength * mean) / (d + strength), d / (d + strength));
    let variance = posterior_variance(metric, weight);
    Ok(SplitValue {
        value,
        weight,
        interval: variance.map(|v| clip_to_support(metric, interval_around(value, v))),
        delta: split_delta(value - mean, variance.zip(overall.posterior_variance())),
    })
}

fn split_delta(value: f64, variances: Option<(f64, f64)>) -> SplitDifference {
    let interval = variances.map(|(split, overall)| interval_around(value, split + overall));
    SplitDifference { value, interval, distinguishable: interval.map(|(low, high)| low > 0.0 || high < 0.0) }
}

fn interval_around(mean: f64, variance: f64) -> (f64, f64) {
    let half = HALF_WIDTH_90 * variance.sqrt();
    (mean - half, mean + half)
}

/// The interval without what the metric cannot be.
fn clip_to_support(metric: &Metric, (low, high): (f64, f64)) -> (f64, f64) {
    let (least, most) = metric.range.unwrap_or(match metric.estimator {
        Estimator::Proportion | Estimator::Share => (0.0, 1.0),
        Estimator::Rate => (0.0, f64::INFINITY),
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    });
    (low.max(least), high.min(most))
}

/// The sample in the unit of the metric's minimum.
fn exposure_of(metric: &Metric, sums: SplitSums) -> f64 {
    match metric.min.unit {
        // The denominator of such a metric counts those bouts itself.
        unit if unit.counts_observations() => denominator_of(metric, sums),
        MinUnit::Min => to_float(sums.denominator) / metric.exposure_per(),
        _ => to_float(sums.denominator),
    }
}

fn numerator_of(metric: &Metric, sums: SplitSums) -> f64 {
    to_float(sums.numerator) / metric.numerator_per
}

fn denominator_of(metric: &Metric, sums: SplitSums) -> f64 {
    to_float(sums.denominator) / metric.denominator_per
}

#[expect(clippy::cast_precision_loss, reason = "sums of counts stay far below 2^53")]
fn to_float(count: i64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::tests::{metric, published};
    use expect_test::{Expect, expect};
    use fdna_schemas::{Confidence, MetricDefinitions};

    fn sums(numerator: i64, denominator: i64, bouts: i32) -> SplitSums {
        SplitSums { numerator, denominator, bouts }
    }

    fn check(overall: &PublishedValue<'_>, sums: SplitSums, expected: Expect) {
        let line = match split_value(overall, sums) {
            Ok(v) => {
                let interval =
                    |i: Option<(f64, f64)>| i.map_or("none".to_owned(), |(l, h)| format!("{l:.3}..{h:.3}"));
                let (own, delta) = (interval(v.interval), interval(v.delta.interval));
                format!(
                    "{:.3} in {own} Z {:.3} delta {:+.3} in {delta} {:?}",
                    v.value, v.weight, v.delta.value, v.delta.distinguishable
                )
            }
            Err(none) => format!("{} {}", none.status(), none.reason()),
        };
        expected.assert_eq(&line);
    }

    #[test]
    fn a_split_is_drawn_towards_the_fighters_own_value_by_the_classs_strength() {
        let metric = metric("sig_landed_per_min", Some(1.0), None);
        // 4.0 per minute overall; 60 minutes of prior. 180 strikes in 30 minutes are 6.0 per minute.
        let overall = published(&metric, 4.0, 0.8, 3.5);
        check(
            &overall,
            sums(180, 1800, 3),
            expect!["4.667 in 3.324..6.010 Z 0.333 delta +0.667 in -0.865..2.198 Some(false)"],
        );
        check(
            &overall,
            sums(6000, 36000, 30),
            expect!["9.455 in 8.959..9.950 Z 0.909 delta +5.455 in 4.567..6.342 Some(true)"],
        );
        check(
            &overall,
            sums(0, 36000, 30),
            expect!["0.364 in 0.000..0.860 Z 0.909 delta -3.636 in -4.524..-2.749 Some(true)"],
        );
        assert_eq!(raw_split_value(&metric, sums(180, 1800, 3)), Some(6.0));
    }

    #[test]
    fn without_a_measured_variance_nothing_is_distinguishable_or_not() {
        let metric = metric("sig_landed_per_min", None, None);
        check(
            &published(&metric, 4.0, 0.8, 3.5),
            sums(180, 1800, 3),
            expect!["4.667 in none Z 0.333 delta +0.667 in none None"],
        );
    }

    #[test]
    fn the_first_reason_without_a_value_is_told() {
        let metric = metric("sig_landed_per_min", Some(1.0), None);
        let overall = published(&metric, 4.0, 0.8, 3.5);
        check(&overall, sums(0, 0, 0), expect!["not_recorded not_recorded"]);
        check(&overall, sums(0, 0, 1), expect!["not_applicable zero_denominator"]);
        check(&overall, sums(50, 899, 1), expect!["insufficient_sample below_min_sample"]);
        let none = PublishedValue { value: None, confidence: Confidence::Insufficient, ..overall };
        check(&none, sums(50, 900, 1), expect!["insufficient_sample no_overall_value"]);
        assert_eq!(raw_split_value(&metric, sums(0, 0, 1)), None);
    }

    #[test]
    fn shares_of_wins_count_wins_for_the_minimum() {
        let metric = metric("finish_win_share", Some(0.01), None);
        let overall = PublishedValue { prior_strength: Some(12.0), ..published(&metric, 0.5, 0.5, 0.5) };
        check(&overall, sums(2, 2, 9), expect!["insufficient_sample below_min_sample"]);
        check(
            &overall,
            sums(3, 3, 9),
            expect!["0.600 in 0.453..0.747 Z 0.200 delta +0.100 in -0.088..0.288 Some(false)"],
        );
    }

    #[test]
    fn every_split_metric_that_counts_bouts_has_them_as_its_denominator() {
        for metric in
            MetricDefinitions::get().metrics.iter().filter(|m| m.split && m.min.unit.counts_observations())
        {
            let columns: Vec<_> = metric.denominator.iter().map(|t| t.column.as_str()).collect();
            assert!(["bouts", "wins", "losses"].contains(&columns.concat().as_str()), "{}", metric.name);
        }
    }
}
