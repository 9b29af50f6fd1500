//! Ratios whose bouts weigh less the longer ago they are.

/// Each bout weighs half of the third one after it.
const HALF_LIFE_BOUTS: f64 = 3.0;

/// What remains of the earlier bouts' sums with each new one.
pub(crate) fn keep() -> f64 {
    0.5_f64.powf(1.0 / HALF_LIFE_BOUTS)
}
