//! Quantiles of the gamma distribution over its mean: functions of the shape alone.
//!
//! Tiny shapes: the first term of the cdf's series. Middle shapes: a table over the logarithm of the
//! shape, cubic between its nodes. Large shapes: the Cornish–Fisher expansion.

use super::ln_gamma::ln_gamma;
use super::newton::{LocalModel, MAX_STEPS};
use super::{IntervalEnds, TAIL, Z};
use std::sync::LazyLock;

/// Logarithms of the shapes between which the table lies.
const FROM: f64 = -6.0;
const TO: f64 = 5.0;
const NODES_PER_UNIT: f64 = 64.0;
const EULER: f64 = 0.577_215_664_901_532_9;

pub(super) fn quantiles_to_mean(shape: f64) -> IntervalEnds {
    let position = (shape.ln() - FROM) * NODES_PER_UNIT;
    if position < 0.0 {
        return of_tiny_shape(shape);
    }
    if position >= (TO - FROM) * NODES_PER_UNIT {
        return of_large_shape(shape);
    }
    interpolate_ends(position)
}

/// P(x) → xᵃ / Γ(a + 1), where x is so small that no other term counts, and ln Γ(a + 1) → −γa.
fn of_tiny_shape(shape: f64) -> IntervalEnds {
    let shape = shape.max(f64::MIN_POSITIVE);
    let ratio = |p: f64| (p.ln() / shape - EULER).exp() / shape;
    IntervalEnds { low: ratio(TAIL), high: ratio(1.0 - TAIL) }
}

/// Cornish–Fisher to the fifth order in 1/√a (Abramowitz and Stegun 26.4.11 with x = 2aq, and two terms
/// more).
fn of_large_shape(shape: f64) -> IntervalEnds {
    let (inv, z2) = (1.0 / shape, Z * Z);
    let even = 1.0 + inv * ((z2 - 1.0) / 3.0 - inv * ((3.0 * z2 + 7.0) * z2 - 16.0) / 810.0);
    let fifth = ((9.0 * z2 + 256.0) * z2 - 433.0) / 38_880.0;
    let odd = Z * inv.sqrt() * (1.0 + inv * ((z2 - 7.0) / 36.0 + inv * fifth));
    IntervalEnds { low: even - odd, high: even + odd }
}

/// Coefficients of the cubics that hold from one node to the next.
struct GammaStretch {
    low: [f64; 4],
    high: [f64; 4],
}

static TABLE: LazyLock<Vec<GammaStretch>> = LazyLock::new(build_table);

#[expect(clippy::cast_possible_truncation, reason = "the position lies inside the table")]
fn interpolate_ends(position: f64) -> IntervalEnds {
    let node = position as usize;
    let (t, stretch) = (position - node as f64, &TABLE[node]);
    let at = |c: &[f64; 4]| c[0] + t * (c[1] + t * (c[2] + t * c[3]));
    // the 5 % quantile of a small shape is a zero that a cubic may miss to either side
    IntervalEnds { low: at(&stretch.low).max(0.0), high: at(&stretch.high) }
}

/// The cubic of a stretch passes through one node more on either side.
fn build_table() -> Vec<GammaStretch> {
    let last = (TO - FROM) * NODES_PER_UNIT;
    let nodes = (-1..).map(f64::from).take_while(|node| *node <= last + 1.0);
    let shapes: Vec<f64> = nodes.map(|node| (FROM + node / NODES_PER_UNIT).exp()).collect();
    let (low, high) = (quantile_ratios(&shapes, TAIL), quantile_ratios(&shapes, 1.0 - TAIL));
    low.windows(4)
        .zip(high.windows(4))
        .map(|(l, h)| GammaStretch { low: cubic_coefficients(l), high: cubic_coefficients(h) })
        .collect()
}

/// Lagrange's, through the values at −1, 0, 1 and 2.
fn cubic_coefficients(values: &[f64]) -> [f64; 4] {
    let (a, b, c, d) = (values[0], values[1], values[2], values[3]);
    [b, c - a / 3.0 - b / 2.0 - d / 6.0, (a + c) / 2.0 - b, (d - a) / 6.0 + (b - c) / 2.0]
}

/// Quantile over mean for rising shapes, each found from the one before.
fn quantile_ratios(shapes: &[f64], p: f64) -> Vec<f64> {
    let mut ln_x = p.ln() / shapes[0] - EULER;
    let ratio = |&shape: &f64| {
        ln_x = ln_quantile(shape, p, ln_x);
        ln_x.exp() / shape
    };
    shapes.iter().map(ratio).collect()
}

fn ln_quantile(shape: f64, p: f64, start: f64) -> f64 {
    let (ln_gamma, mut ln_x) = (ln_gamma(shape), start);
    for _ in 0..MAX_STEPS {
        let step = local_model(shape, ln_gamma, ln_x).step_to(p);
        ln_x += step.by;
        if step.is_last {
            break;
        }
    }
    ln_x
}

/// The distribution of ln x, log-concave for every shape.
fn local_model(shape: f64, ln_gamma: f64, ln_x: f64) -> LocalModel {
    let x = ln_x.exp();
    let density = (shape * ln_x - x - ln_gamma).exp();
    LocalModel { cdf: density * cdf_to_density(shape, x), density, slopes: [shape - x, -x, -x] }
}

/// Σ xᵏ / (a(a+1) … (a+k)) (Abramowitz and Stegun 6.5.29).
fn cdf_to_density(shape: f64, x: f64) -> f64 {
    let (mut term, mut sum, mut divisor) = (1.0 / shape, 1.0 / shape, shape);
    while term > sum * f64::EPSILON / 4.0 {
        divisor += 1.0;
        term *= x / divisor;
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::gamma_interval;
    use super::*;
    use proptest::prelude::*;
    use statrs::distribution::{ContinuousCDF, Gamma};

    const BOUND: f64 = 1e-7;

    /// Both ends hold the exact quantile within the bound: the reference's cdf crosses 5 % and 95 % there.
    fn check(mean: f64, shape: f64) {
        let reference = Gamma::new(shape, shape / mean).unwrap();
        let interval = gamma_interval(mean, mean * mean / shape);
        let error = BOUND * mean.max(1.0);
        for (end, p) in [(interval.low, TAIL), (interval.high, 1.0 - TAIL)] {
            let around = (reference.cdf(end - error), reference.cdf(end + error));
            assert!(around.0 <= p && p <= around.1, "mean {mean} shape {shape}: {interval:?}, {around:?}");
        }
    }

    #[test]
    fn quantiles_are_exact_within_the_bound_for_every_shape() {
        for i in -300..=800 {
            check(1.0, 10_f64.powf(f64::from(i) / 100.0));
        }
    }

    #[test]
    fn methods_meet_without_a_seam() {
        for ln_shape in [FROM, TO] {
            let (below, above) =
                (quantiles_to_mean((ln_shape - 1e-12).exp()), quantiles_to_mean((ln_shape + 1e-12).exp()));
            assert!((below.low - above.low).abs() < BOUND && (below.high - above.high).abs() < BOUND);
        }
    }

    #[test]
    fn low_end_of_a_small_shape_is_not_below_zero() {
        for i in 0..20_000 {
            let shape = (FROM + f64::from(i) / 2500.0).exp();
            assert!(quantiles_to_mean(shape).low >= 0.0, "{shape}");
        }
    }

    #[test]
    fn exponential_distribution_has_closed_quantiles() {
        let ends = quantiles_to_mean(1.0);
        assert!((ends.low + 0.95_f64.ln()).abs() < BOUND && (ends.high + 0.05_f64.ln()).abs() < BOUND);
    }

    proptest! {
        #[test]
        fn quantiles_are_exact_within_the_bound(ln_mean in -7.0..7.0_f64, log_shape in -3.0..8.0_f64) {
            check(ln_mean.exp(), 10_f64.powf(log_shape));
        }

        #[test]
        fn interval_is_ordered_and_never_negative(log_mean in -300.0..300.0, log_ratio in -200.0..200.0) {
            let mean = 10_f64.powf(log_mean);
            let interval = gamma_interval(mean, mean * 10_f64.powf(log_ratio));
            prop_assert!(0.0 <= interval.low && interval.low <= interval.high, "{interval:?}");
        }
    }
}
