//! One step toward a quantile of a log-concave distribution.

/// Steps at most; a start far off takes four.
pub(super) const MAX_STEPS: usize = 30;
/// A step whose neglected terms are under this moves no published digit.
const NEGLIGIBLE: f64 = 1e-8;

/// A distribution seen from one point.
pub(super) struct LocalModel {
    pub(super) cdf: f64,
    pub(super) density: f64,
    /// First to third derivative of the logarithm of the density.
    pub(super) slopes: [f64; 3],
}

pub(super) struct NewtonStep {
    pub(super) by: f64,
    /// Whether the point reached is the quantile.
    pub(super) is_last: bool,
}

impl LocalModel {
    /// Near the quantile of `p` the Taylor series of the inverse cdf, whose error is of the fifth power of
    /// the distance. Far from it Newton's step on the logarithm of the cdf: that is concave, so that steps
    /// from below never overshoot and one from above lands below.
    pub(super) fn step_to(&self, p: f64) -> NewtonStep {
        let [g1, g2, g3] = self.slopes;
        let newton = (p - self.cdf) / self.density;
        let bend = newton * newton * (g1 * g1 + g2.abs());
        if bend < 0.25 && newton.abs() < 1.5 {
            let cubic = (2.0 * g1 * g1 - g2) / 6.0;
            let quartic = (g1 * (7.0 * g2 - 6.0 * g1 * g1) - g3) / 24.0;
            let series = 1.0 - newton * (g1 / 2.0 - newton * (cubic + newton * quartic));
            return NewtonStep { by: newton * series, is_last: newton.abs() * bend * bend < NEGLIGIBLE };
        }
        NewtonStep { by: (p / self.cdf).ln() * self.cdf / self.density, is_last: false }
    }
}
