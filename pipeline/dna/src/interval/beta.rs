//! Quantiles of the beta distribution, found on the scale of the log-odds, where it is log-concave.

use super::incomplete_beta::local_model;
use super::ln_gamma::ln_beta;
use super::newton::MAX_STEPS;
use super::{IntervalEnds, TAIL, Z, gamma};

/// From here up (both shapes) the expansion is exact enough by itself.
const EXPANSION_ALONE_FROM: f64 = 64.0;
/// From here up (both shapes) it is the best start.
const EXPANSION_FROM: f64 = 1.0;
/// Log-odds beyond which a share is 0 or 1 for every purpose.
const FAR: f64 = 25.0;

/// 5 % and 95 % quantiles for the shapes `a` and `b`.
pub(super) fn beta_quantiles(a: f64, b: f64) -> IntervalEnds {
    let log_odds = log_odds(a, b);
    let share = |log_odds: f64| 1.0 / (1.0 + (-log_odds).exp());
    IntervalEnds { low: share(log_odds.low), high: share(log_odds.high) }
}

/// The 95 % quantile is the 5 % quantile of the exchanged shapes, mirrored.
fn log_odds(a: f64, b: f64) -> IntervalEnds {
    let smaller = a.min(b);
    if smaller >= EXPANSION_ALONE_FROM {
        return cornish_fisher(a, b);
    }
    let ln_beta = ln_beta(a, b);
    let start = if smaller >= EXPANSION_FROM {
        cornish_fisher(a, b)
    } else {
        IntervalEnds { low: low_start(a, b, ln_beta), high: -low_start(b, a, ln_beta) }
    };
    IntervalEnds { low: low_end(a, b, ln_beta, start.low), high: -low_end(b, a, ln_beta, -start.high) }
}

/// Cornish–Fisher to the fifth cumulant (Abramowitz and Stegun 26.2.49). Log-odds are the difference of
/// the logarithms of two gamma variables.
fn cornish_fisher(a: f64, b: f64) -> IntervalEnds {
    let (of_a, of_b) = (log_gamma_cumulants(a), log_gamma_cumulants(b));
    let mean = (a / b).ln() + of_a[0] - of_b[0];
    let variance = of_a[1] + of_b[1];
    let (sd, inv) = (variance.sqrt(), 1.0 / variance);
    let skew = (of_a[2] - of_b[2]) * inv / sd;
    let kurt = (of_a[3] + of_b[3]) * inv * inv;
    let fifth = (of_a[4] - of_b[4]) * inv * inv / sd;
    let z2 = Z * Z;
    let even = (z2 - 1.0) / 6.0 * skew + ((z2 - 6.0) * z2 + 3.0) / 120.0 * fifth
        - ((z2 - 5.0) * z2 + 2.0) / 24.0 * skew * kurt
        + ((12.0 * z2 - 53.0) * z2 + 17.0) / 324.0 * skew * skew * skew;
    let odd = Z * (1.0 + (z2 - 3.0) / 24.0 * kurt - (2.0 * z2 - 5.0) / 36.0 * skew * skew);
    IntervalEnds { low: mean + sd * (even - odd), high: mean + sd * (even + odd) }
}

/// Cumulants of the logarithm of a gamma variable, the first less ln a: the polygamma functions, by their
/// asymptotic series (Abramowitz and Stegun 6.3.18, 6.4.11).
fn log_gamma_cumulants(a: f64) -> [f64; 5] {
    let r = 1.0 / a;
    let r2 = r * r;
    [
        -r * (0.5 + r * (1.0 / 12.0 - r2 / 120.0)),
        r * (1.0 + r * (0.5 + r * (1.0 / 6.0 - r2 / 30.0))),
        -r2 * (1.0 + r * (1.0 + r * (0.5 - r2 / 6.0))),
        r2 * r * (2.0 + r * (3.0 + r * (2.0 - r2))),
        -r2 * r2 * (6.0 + r * (12.0 + r * (10.0 - r2 * 7.0))),
    ]
}

/// Where a shape is under 1. If `b` alone is, −ln x is about a gamma variable of shape b. If `a` is, the
/// first term of the cdf's series bounds it: the start is below the quantile, and exact for small x.
fn low_start(a: f64, b: f64, ln_beta: f64) -> f64 {
    if a >= EXPANSION_FROM {
        let minus_ln_x = gamma::quantiles_to_mean(b).high * b / (a + (b - 1.0) / 2.0);
        return -minus_ln_x.exp_m1().ln();
    }
    (TAIL.ln() + a.ln() + ln_beta) / a
}

/// Log-odds of the 5 % quantile, from a start near it or below it.
fn low_end(a: f64, b: f64, ln_beta: f64, start: f64) -> f64 {
    let mut log_odds = start;
    for _ in 0..MAX_STEPS {
        if log_odds.abs() > FAR {
            break;
        }
        let step = local_model(a, b, ln_beta, log_odds).step_to(TAIL);
        log_odds += step.by;
        if step.is_last {
            break;
        }
    }
    log_odds
}

#[cfg(test)]
mod tests {
    use super::super::beta_interval;
    use super::*;
    use proptest::prelude::*;
    use statrs::distribution::{Beta, ContinuousCDF};

    const BOUND: f64 = 1e-7;

    /// Both ends hold the exact quantile within the bound: the reference's cdf crosses 5 % and 95 % there.
    fn check(mean: f64, concentration: f64) {
        let reference = Beta::new(mean * concentration, (1.0 - mean) * concentration).unwrap();
        let interval = beta_interval(mean, mean * (1.0 - mean) / (concentration + 1.0));
        for (end, p) in [(interval.low, TAIL), (interval.high, 1.0 - TAIL)] {
            let around = (reference.cdf(end - BOUND), reference.cdf(end + BOUND));
            assert!(around.0 <= p && p <= around.1, "{mean} of {concentration}: {interval:?}, {around:?}");
        }
    }

    /// Even on the scale of the log-odds, from one in ten thousand to its mirror image.
    fn mean_at(position: f64) -> f64 {
        1.0 / (1.0 + (-position * 9999_f64.ln()).exp())
    }

    #[test]
    fn quantiles_are_exact_within_the_bound_for_every_mean_and_concentration() {
        for (i, j) in (-30..=30).flat_map(|i| (-40..=140).map(move |j| (i, j))) {
            check(mean_at(f64::from(i) / 30.0), 10_f64.powf(f64::from(j) / 20.0));
        }
    }

    #[test]
    fn starts_and_expansion_meet_without_a_seam() {
        for (edge, other) in [1.0, 64.0].into_iter().flat_map(|edge| [64.0, 200.0, 1e5].map(|b| (edge, b))) {
            let (below, above) = (beta_quantiles(edge - 1e-9, other), beta_quantiles(edge + 1e-9, other));
            assert!((below.low - above.low).abs() < BOUND, "{edge} {other}");
            assert!((below.high - above.high).abs() < BOUND, "{edge} {other}");
        }
    }

    #[test]
    fn a_shape_of_one_has_closed_quantiles() {
        for b in [0.01, 0.3, 1.0, 2.0, 7.5, 300.0, 1e6] {
            let ends = beta_quantiles(1.0, b);
            let exact = |p: f64| -((1.0 - p).ln() / b).exp_m1();
            assert!((ends.low - exact(TAIL)).abs() < 1e-10, "{b}");
            assert!((ends.high - exact(1.0 - TAIL)).abs() < 1e-10, "{b}");
        }
    }

    proptest! {
        #[test]
        fn quantiles_are_exact_within_the_bound(position in -1.0..1.0, log_concentration in -2.0..7.0) {
            check(mean_at(position), 10_f64.powf(log_concentration));
        }

        #[test]
        fn exchanged_shapes_mirror_the_quantiles(ln_a in -4.0..10.0_f64, ln_b in -4.0..10.0_f64) {
            let (ends, mirror) = (beta_quantiles(ln_a.exp(), ln_b.exp()), beta_quantiles(ln_b.exp(), ln_a.exp()));
            prop_assert!((ends.low + mirror.high - 1.0).abs() < 1e-12);
            prop_assert!((ends.high + mirror.low - 1.0).abs() < 1e-12);
        }

        #[test]
        fn interval_is_ordered_inside_the_support(log_odds in -60.0..37.0_f64, log_variance in -300.0..1.0) {
            let mean = 1.0 / (1.0 + (-log_odds).exp());
            let interval = beta_interval(mean, 10_f64.powf(log_variance));
            prop_assert!(0.0 <= interval.low && interval.low <= interval.high, "{interval:?}");
            prop_assert!(interval.high <= 1.0, "{interval:?}");
        }
    }
}
