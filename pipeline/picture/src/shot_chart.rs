//! Shots where they were taken.

use crate::svg::{Anchor, Svg};
use crate::{Caption, Scale, WIDTH};

const LEGEND: f64 = 22.0;
const RADIUS: f64 = 3.5;

/// A shot.
#[derive(Debug, Clone)]
pub struct Shot {
    /// Along and across, in the unit of the ground; null draws no mark.
    pub at: Option<(f64, f64)>,
    pub went_in: bool,
    /// Who, when and how, as it is shown.
    pub text: String,
}

/// Points on an arc around a centre: angles in degrees, from the right and towards the top.
#[must_use]
pub fn arc((x, y): (f64, f64), radius: f64, (from, to): (f64, f64)) -> Vec<(f64, f64)> {
    const STEPS: u32 = 32;
    let angle = |step: u32| (from + (to - from) * f64::from(step) / f64::from(STEPS)).to_radians();
    (0..=STEPS).map(|step| (x + radius * angle(step).cos(), y + radius * angle(step).sin())).collect()
}

/// Shots on a ground that reaches from one value to the other along (left to right) and across (bottom to top), with its
/// `lines` from point to point. Those that went in are filled, the others are rings; what lies beyond the ground is drawn on
/// its edge.
#[must_use]
pub fn shot_chart(
    caption: Caption<'_>,
    (went_in, others): (&str, &str),
    shots: &[Shot],
    (along, across): ((f64, f64), (f64, f64)),
    lines: &[Vec<(f64, f64)>],
) -> String {
    let share = (across.1 - across.0) / (along.1 - along.0);
    let depth = WIDTH * if share.is_finite() { share.clamp(0.1, 2.0) } else { 1.0 };
    let mut svg = Svg::new(caption, WIDTH, LEGEND + depth);
    svg.dot("value", (6.0, 8.0), RADIUS);
    svg.text("legend", Anchor::Start, (16.0, 12.0), (12.0, WIDTH / 2.0 - 24.0), went_in);
    svg.dot("raw-dot", (WIDTH / 2.0 + 6.0, 8.0), RADIUS);
    svg.text("legend", Anchor::Start, (WIDTH / 2.0 + 16.0, 12.0), (12.0, WIDTH / 2.0 - 20.0), others);
    svg.rect("track", (0.0, LEGEND), (WIDTH, depth));
    let x = Scale::new(along, (RADIUS, WIDTH - RADIUS));
    let y = Scale::new(across, (LEGEND + depth - RADIUS, LEGEND + RADIUS));
    for line in lines {
        let places: Vec<(f64, f64)> =
            line.iter().map(|(along, across)| (x.position(*along), y.position(*across))).collect();
        svg.points("polyline", "ground-line", &places);
    }
    // What went in lies over what did not.
    for is_over in [false, true] {
        for shot in shots.iter().filter(|shot| shot.went_in == is_over) {
            let Some((along, across)) = shot.at else { continue };
            svg.begin_group(&shot.text);
            svg.dot(
                if is_over { "value" } else { "raw-dot" },
                (x.position(along), y.position(across)),
                RADIUS,
            );
            svg.end_group();
        }
    }
    svg.finish()
}
