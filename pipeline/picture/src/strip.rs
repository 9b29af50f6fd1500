//! One metric over a pool: a line for each of its fighters.

use crate::svg::{Anchor, Svg};
use crate::{Caption, Scale, Tick, WIDTH, text_width};

/// A fighter on the strip.
#[derive(Debug, Clone)]
pub struct StripMark {
    pub value: f64,
    /// Name and value as they are shown.
    pub text: String,
    /// Whether it is drawn longer.
    pub is_named: bool,
}

/// Lines on one scale, with the scale's ticks below.
#[must_use]
pub fn strip(caption: Caption<'_>, marks: &[StripMark], domain: (f64, f64), lines: &[Tick]) -> String {
    const HEIGHT: f64 = 66.0;
    let mut svg = Svg::new(caption, WIDTH, HEIGHT);
    let scale = Scale::new(domain, (6.0, WIDTH - 6.0));
    svg.line("axis", (0.0, 44.0), (WIDTH, 44.0));
    for mark in marks {
        let at = scale.position(mark.value);
        svg.begin_group(&mark.text);
        match mark.is_named {
            true => {
                svg.line("named", (at, 6.0), (at, 44.0));
                svg.dot("value", (at, 8.0), 4.0);
            }
            false => svg.line("one", (at, 22.0), (at, 44.0)),
        }
        svg.end_group();
    }
    let mut free = 0.0;
    for tick in lines {
        let half = text_width(&tick.text, 11.0) / 2.0;
        let at = scale.position(tick.at).clamp(half, WIDTH - half);
        if at - half >= free {
            svg.text("tick", Anchor::Middle, (at, 60.0), (11.0, 2.0 * half + 1.0), &tick.text);
            free = at + half + 6.0;
        }
    }
    svg.finish()
}
