//! The beta distribution's cdf on the scale of the log-odds, and what surrounds it.

use super::newton::LocalModel;

/// Turns of the continued fraction at most; where a shape is under 64 it takes under 40.
const MAX_TURNS: usize = 500;
/// Change of the continued fraction, relative to itself, at which it ends.
const CONVERGED: f64 = 1e-10;

/// The distribution of the log-odds, log-concave for all shapes, seen from one point.
pub(super) fn local_model(a: f64, b: f64, ln_beta: f64, log_odds: f64) -> LocalModel {
    let distance = log_odds.abs();
    let odds = (-distance).exp();
    let (larger, smaller) = (1.0 / (1.0 + odds), odds / (1.0 + odds));
    // the logarithm of xᵃ yᵇ, where x and y may be too near 1 to take theirs
    let (x, y, shape) = if log_odds < 0.0 { (smaller, larger, a) } else { (larger, smaller, b) };
    let density = (-shape * distance - (a + b) * odds.ln_1p() - ln_beta).exp();
    let (slope, bend) = (a * y - b * x, -(a + b) * x * y);
    let below_middle = (a + 1.0) * y >= (b + 1.0) * x;
    let cdf = if below_middle {
        density * continued_fraction(a, b, x, y)
    } else {
        1.0 - density * continued_fraction(b, a, y, x)
    };
    LocalModel { cdf, density, slopes: [slope, bend, bend * (y - x)] }
}

/// Cdf over density, for x up to about the mean: the continued fraction of Didonato and Morris (ACM
/// Transactions on Mathematical Software 18, 1992, equation 9), by its recurrence, scaled each turn so
/// that the denominator is 1.
fn continued_fraction(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let c = 1.0 + a * y - b * x;
    let (mut n, mut s) = (0.0, 1.0 / (a + 1.0));
    let mut value = 1.0 / (c * a * s);
    // the turn before: its numerator and its denominator
    let mut before = (0.0, value);
    for _ in 0..MAX_TURNS {
        n += 1.0;
        let w = n * (b - n) * x * s;
        let alpha = (a + n - 1.0) * (a + b + n - 1.0) * x * w * s;
        s = 1.0 / (a + 2.0 * n + 1.0);
        let beta = n + w + (a + n) * s * (c + n * (1.0 + y));
        let scale = 1.0 / (alpha * before.1 + beta);
        let next = (alpha * before.0 + beta * value) * scale;
        if (next - value).abs() <= CONVERGED * next {
            return next;
        }
        before = (value * scale, scale);
        value = next;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::super::ln_gamma::ln_beta;
    use super::*;
    use statrs::function::beta::beta_reg;

    #[test]
    fn cdf_agrees_with_the_reference_on_both_sides_of_the_mean() {
        for (i, j) in (-12..24).flat_map(|i| (-12..24).map(move |j| (i, j))) {
            let (a, b) = (1.5_f64.powi(i), 1.5_f64.powi(j));
            for log_odds in [-9.0, -3.0, -0.5, 0.0, 1.0, 4.0, 8.0] {
                let expected = beta_reg(a, b, 1.0 / (1.0 + f64::exp(-log_odds)));
                let cdf = local_model(a, b, ln_beta(a, b), log_odds).cdf;
                assert!((cdf - expected).abs() < 1e-9, "{a} {b} at {log_odds}: {cdf}, not {expected}");
            }
        }
    }

    #[test]
    fn slopes_are_those_of_the_density() {
        let (a, b, h) = (2.5, 7.0, 1e-4);
        let at = |log_odds: f64| local_model(a, b, ln_beta(a, b), log_odds);
        for log_odds in [-4.0, -1.0, 0.0, 2.0] {
            let (left, middle, right) = (at(log_odds - h), at(log_odds), at(log_odds + h));
            let ln_rise = (right.density / left.density).ln() / (2.0 * h);
            assert!((middle.slopes[0] - ln_rise).abs() < 1e-6);
            for k in 1..3 {
                let rise = (right.slopes[k - 1] - left.slopes[k - 1]) / (2.0 * h);
                assert!((middle.slopes[k] - rise).abs() < 1e-6, "derivative {}", k + 1);
            }
        }
    }
}
