//! 90 % intervals: the 5 % and 95 % quantiles of a posterior that is known by its mean and variance.
//!
//! Every version and metric has one, so speed counts: a gamma interval is a table look-up, a
//! beta interval a closed expansion or one or two evaluations of the incomplete beta function an end. Each
//! quantile is within 1e-7 of the exact one (gamma: of max(1, mean)); equal inputs give equal bits.

mod beta;
mod gamma;
mod incomplete_beta;
mod ln_gamma;
mod newton;

/// The probability below `low`, and above `high`.
const TAIL: f64 = 0.05;
/// 95 % quantile of the standard normal distribution.
pub(crate) const Z: f64 = 1.644_853_626_951_472_7;
/// Above this share of mean · (1 − mean) a beta distribution is two points, and its shapes vanish.
const BETA_VARIANCE_CAP: f64 = 0.999;
/// From this sum of its shapes up a beta distribution is a point: its standard deviation is under 2e-8.
const BETA_CONCENTRATION_CAP: f64 = 1e15;

/// The family of the posterior that an interval was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IntervalMethod {
    Gamma,
    Beta,
    Normal,
    Degenerate,
}

impl IntervalMethod {
    /// As published.
    #[cfg_attr(not(test), allow(dead_code, reason = "for the tables that publish an interval's method"))]
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gamma => "gamma",
            Self::Beta => "beta",
            Self::Normal => "normal",
            Self::Degenerate => "degenerate",
        }
    }
}

/// 5 % and 95 % quantiles, in the unit of the mean. A very skewed posterior has its mean outside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CredibleInterval {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) method: IntervalMethod,
}

impl CredibleInterval {
    fn degenerate(mean: f64) -> Self {
        Self { low: mean, high: mean, method: IntervalMethod::Degenerate }
    }
}

/// One number for each end of an interval.
#[derive(Debug, Clone, Copy)]
struct IntervalEnds {
    low: f64,
    high: f64,
}

/// Of a rate: support from 0 up. Degenerate unless mean and variance are positive and finite.
pub(crate) fn gamma_interval(mean: f64, variance: f64) -> CredibleInterval {
    if !(is_positive(mean) && is_positive(variance)) {
        return CredibleInterval::degenerate(mean);
    }
    let ratio = gamma::quantiles_to_mean(mean / variance * mean);
    CredibleInterval { low: mean * ratio.low, high: mean * ratio.high, method: IntervalMethod::Gamma }
}

/// Of a share: support from 0 to 1. The variance is capped just under mean · (1 − mean).
/// Degenerate unless the mean is inside the support and the variance positive and finite.
pub(crate) fn beta_interval(mean: f64, variance: f64) -> CredibleInterval {
    let largest = mean * (1.0 - mean);
    if !(is_positive(largest) && is_positive(variance)) {
        return CredibleInterval::degenerate(mean);
    }
    let concentration = largest / variance.min(BETA_VARIANCE_CAP * largest) - 1.0;
    let concentration = concentration.min(BETA_CONCENTRATION_CAP);
    let ends = beta::beta_quantiles(mean * concentration, (1.0 - mean) * concentration);
    CredibleInterval { low: ends.low, high: ends.high, method: IntervalMethod::Beta }
}

/// Of any other quantity: support clipped to `range`, which the metric definitions state.
/// Degenerate unless the mean is finite and the variance positive and finite.
pub(crate) fn normal_interval(mean: f64, variance: f64, range: (f64, f64)) -> CredibleInterval {
    if !(mean.is_finite() && is_positive(variance)) {
        return CredibleInterval::degenerate(mean);
    }
    let reach = Z * variance.sqrt();
    let clip = |end: f64| end.max(range.0).min(range.1);
    CredibleInterval { low: clip(mean - reach), high: clip(mean + reach), method: IntervalMethod::Normal }
}

fn is_positive(x: f64) -> bool {
    x > 0.0 && x.is_finite()
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::{ContinuousCDF, Normal};

    fn of_every_family(mean: f64, variance: f64) -> [CredibleInterval; 3] {
        [
            gamma_interval(mean, variance),
            beta_interval(mean, variance),
            normal_interval(mean, variance, (-10.0, 10.0)),
        ]
    }

    #[test]
    fn a_mean_without_spread_is_its_own_interval() {
        for variance in [0.0, -0.0, -0.1, f64::NAN, f64::INFINITY] {
            assert_eq!(of_every_family(0.3, variance), [CredibleInterval::degenerate(0.3); 3], "{variance}");
        }
    }

    #[test]
    fn a_mean_at_or_beyond_the_edge_is_its_own_interval() {
        for mean in [0.0, -0.5] {
            assert_eq!(gamma_interval(mean, 0.1), CredibleInterval::degenerate(mean));
        }
        for mean in [0.0, 1.0, -0.5, 1.5] {
            assert_eq!(beta_interval(mean, 0.1), CredibleInterval::degenerate(mean));
        }
    }

    #[test]
    fn a_mean_that_is_no_number_stays_so() {
        for interval in of_every_family(f64::NAN, 0.1) {
            assert!(interval.low.is_nan() && interval.high.is_nan());
            assert_eq!(interval.method, IntervalMethod::Degenerate);
        }
    }

    #[test]
    fn normal_ends_are_the_reference_quantiles() {
        let interval = normal_interval(0.4, 2.25, (-100.0, 100.0));
        let reference = Normal::new(0.4, 1.5).unwrap();
        assert!((interval.low - reference.inverse_cdf(0.05)).abs() < 1e-9);
        assert!((interval.high - reference.inverse_cdf(0.95)).abs() < 1e-9);
    }

    #[test]
    fn normal_ends_stay_in_the_range() {
        let clipped = normal_interval(0.9, 1.0, (-1.0, 1.0));
        let expected = CredibleInterval { low: 0.9 - Z, high: 1.0, method: IntervalMethod::Normal };
        assert_eq!(clipped, expected);
        let wide = normal_interval(0.0, 100.0, (-1.0, 1.0));
        assert_eq!(wide, CredibleInterval { low: -1.0, high: 1.0, method: IntervalMethod::Normal });
    }

    #[test]
    fn a_variance_that_no_share_can_have_is_capped() {
        assert_eq!(beta_interval(0.3, 0.21), beta_interval(0.3, 0.21 * BETA_VARIANCE_CAP));
        assert_eq!(
            beta_interval(0.3, 9.0),
            CredibleInterval { low: 0.0, high: 1.0, method: IntervalMethod::Beta }
        );
    }

    #[test]
    fn the_smallest_variance_there_is_leaves_the_mean() {
        for variance in [f64::from_bits(1), f64::MIN_POSITIVE, 1e-200, 1e-30] {
            for interval in of_every_family(0.3, variance) {
                assert!((interval.low - 0.3).abs() < 1e-7, "{variance}: {interval:?}");
                assert!((interval.high - 0.3).abs() < 1e-7, "{variance}: {interval:?}");
            }
        }
    }

    #[test]
    fn methods_are_named_as_published() {
        let methods =
            [IntervalMethod::Gamma, IntervalMethod::Beta, IntervalMethod::Normal, IntervalMethod::Degenerate];
        assert_eq!(methods.map(IntervalMethod::name), ["gamma", "beta", "normal", "degenerate"]);
    }
}
