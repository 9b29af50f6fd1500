//! Published value of one metric, with its uncertainty.

use fdna_schemas::{Confidence, Metric};

/// Share of a posterior that an interval holds.
pub const INTERVAL_LEVEL: f64 = 0.90;

/// 95 % quantile of the standard normal distribution: the half width of a 90 % interval.
pub(crate) const HALF_WIDTH_90: f64 = 1.644_853_626_951_472_2;

/// The columns of one metric in one row of the published versions, as far as comparing needs them.
#[derive(Debug, Clone, Copy)]
pub struct PublishedValue<'a> {
    pub metric: &'a Metric,
    /// Shrunk value; `None` unless the status is ok.
    pub value: Option<f64>,
    pub raw_value: Option<f64>,
    /// Weight of the fighter's own sums, 0 to 1.
    pub weight: Option<f64>,
    /// Mean of the class, towards which the value is drawn.
    pub prior_mean: Option<f64>,
    /// In units of the metric's denominator.
    pub prior_strength: Option<f64>,
    pub confidence: Confidence,
}

impl PublishedValue<'_> {
    /// Variance of the posterior: a·(1−Z). `None` where a or Z is not known.
    #[must_use]
    pub fn posterior_variance(&self) -> Option<f64> {
        posterior_variance(self.metric, self.weight?)
    }
}

/// a·(1−Z), with the between-fighter variance a of the metric definitions.
pub(crate) fn posterior_variance(metric: &Metric, weight: f64) -> Option<f64> {
    Some(metric.variance? * (1.0 - weight).max(0.0))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use fdna_schemas::{Gate, MetricDefinitions};

    /// A defined metric with constants of the test's own.
    pub(crate) fn metric(name: &str, variance: Option<f64>, min_z: Option<f64>) -> Metric {
        let gate =
            |min_z| Gate { min_z, hold_share: 0.66, contests: 1234, first_year: 2017, last_year: 2024 };
        Metric { variance, gate: min_z.map(gate), ..MetricDefinitions::get().metric(name).unwrap().clone() }
    }

    /// A medium value of weight Z over a class mean.
    pub(crate) fn published(metric: &Metric, value: f64, weight: f64, prior_mean: f64) -> PublishedValue<'_> {
        PublishedValue {
            metric,
            value: Some(value),
            raw_value: Some(value),
            weight: Some(weight),
            prior_mean: Some(prior_mean),
            prior_strength: Some(60.0),
            confidence: Confidence::Medium,
        }
    }

    #[test]
    fn words_of_confidence_are_ordered_and_an_unknown_one_earns_none() {
        for level in [Confidence::Insufficient, Confidence::Low, Confidence::Medium, Confidence::High] {
            assert_eq!(Confidence::of(level.name()), level);
        }
        assert!(Confidence::of("certain") < Confidence::Low && Confidence::Medium < Confidence::High);
    }

    #[test]
    fn the_more_own_sums_weigh_the_smaller_the_variance() {
        let metric = metric("sig_landed_per_min", Some(2.0), None);
        let variance =
            |weight| PublishedValue { weight, ..published(&metric, 4.0, 0.0, 4.0) }.posterior_variance();
        assert_eq!((variance(Some(0.75)), variance(Some(1.0)), variance(None)), (Some(0.5), Some(0.0), None));
        let unmeasured = self::metric("sig_landed_per_min", None, None);
        assert_eq!(published(&unmeasured, 4.0, 0.5, 4.0).posterior_variance(), None);
    }
}
