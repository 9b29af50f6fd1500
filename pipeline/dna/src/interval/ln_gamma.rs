//! Logarithms of the gamma and the beta function, for positive arguments.

use std::f64::consts::PI;

/// From here up the terms of Stirling's series that are kept give all digits.
const STIRLING_FROM: f64 = 9.0;
/// Bernoulli numbers B₂ₖ / (2k(2k−1)), k = 1 … 6 (Abramowitz and Stegun 6.1.40).
const STIRLING: [f64; 6] =
    [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0];

pub(super) fn ln_gamma(x: f64) -> f64 {
    let (mut raised, mut product) = (x, 1.0);
    while raised < STIRLING_FROM {
        product *= raised;
        raised += 1.0;
    }
    (raised - 0.5) * raised.ln() - raised + (2.0 * PI).ln() / 2.0 + stirling_correction(raised) - product.ln()
}

/// Of Γ(a)Γ(b) / Γ(a + b), with no loss of digits where one argument is far above the other.
pub(super) fn ln_beta(a: f64, b: f64) -> f64 {
    let (small, large, sum) = (a.min(b), a.max(b), a + b);
    if large < STIRLING_FROM {
        return ln_gamma(small) + ln_gamma(large) - ln_gamma(sum);
    }
    let quotient = small - small * sum.ln() - (large - 0.5) * (small / large).ln_1p();
    ln_gamma(small) + quotient + stirling_correction(large) - stirling_correction(sum)
}

/// The terms of Stirling's series beyond its leading ones.
fn stirling_correction(x: f64) -> f64 {
    let inv = 1.0 / x;
    inv * STIRLING.iter().rev().fold(0.0, |sum, term| sum * inv * inv + term)
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::function::{beta, gamma};

    #[test]
    fn ln_gamma_agrees_with_the_reference() {
        for i in -60..80 {
            let x = 1.3_f64.powi(i);
            let expected = gamma::ln_gamma(x);
            assert!((ln_gamma(x) - expected).abs() <= 1e-13 * expected.abs().max(1.0), "{x}");
        }
    }

    #[test]
    fn ln_beta_agrees_with_the_reference_and_is_symmetric() {
        for (i, j) in (-20..30).flat_map(|i| (-20..30).map(move |j| (i, j))) {
            let (a, b) = (1.4_f64.powi(i), 1.4_f64.powi(j));
            let expected = beta::ln_beta(a, b);
            // the reference subtracts logarithms of the size of ln Γ(a + b)
            let scale = gamma::ln_gamma(a + b).abs().max(1.0);
            assert!((ln_beta(a, b) - expected).abs() <= 1e-13 * scale, "{a} {b}");
            assert_eq!(ln_beta(a, b).to_bits(), ln_beta(b, a).to_bits());
        }
    }

    #[test]
    fn ln_beta_keeps_its_digits_beside_a_huge_argument() {
        // B(2, b) = 1 / (b(b + 1))
        let expected = -(1e14_f64.ln() + (1e14_f64 + 1.0).ln());
        assert!((ln_beta(2.0, 1e14) - expected).abs() < 1e-12);
    }
}
