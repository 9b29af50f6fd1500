//! From values to places.

/// A linear scale; what is outside of its domain is put at its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    domain: (f64, f64),
    range: (f64, f64),
}

impl Scale {
    /// A domain without extent, or whose extent is not finite, maps to the middle of the range; so does a value that is
    /// no number.
    #[must_use]
    pub fn new(domain: (f64, f64), range: (f64, f64)) -> Self {
        Self { domain, range }
    }

    /// The place of a value.
    #[must_use]
    pub fn position(&self, value: f64) -> f64 {
        let ((low, high), (from, to)) = (self.domain, self.range);
        let extent = high - low;
        // A value so far outside that its share is infinite is at the end, like any other outside.
        let share = (value - low) / extent;
        if extent == 0.0 || !extent.is_finite() || share.is_nan() {
            return f64::midpoint(from, to);
        }
        from + share.clamp(0.0, 1.0) * (to - from)
    }
}

/// A line of a scale and what stands beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    pub at: f64,
    pub text: String,
}

/// Up to `most` round values within a domain, smallest first.
#[must_use]
pub fn ticks((low, high): (f64, f64), most: u32) -> Vec<f64> {
    let extent = high - low;
    if !extent.is_finite() || extent <= 0.0 || most == 0 {
        return Vec::new();
    }
    let least = extent / f64::from(most);
    let power = 10f64.powf(least.log10().floor());
    let step =
        [1.0, 2.0, 2.5, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| *step >= least);
    let step = step.unwrap_or(10.0 * power);
    let first = (low / step).ceil();
    let at = |n: u32| (first + f64::from(n)) * step;
    // A round value just beyond the end is the end itself, written in binary.
    (0..=most).map(at).take_while(|value| *value <= high + step * 1e-9).collect()
}
