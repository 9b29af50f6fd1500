//! A value over the course of a game.

use crate::axes::{draw_time_ticks, draw_value_lines};
use crate::svg::Svg;
use crate::{Caption, Scale, Tick, WIDTH};

const HEIGHT: f64 = 200.0;
const LEFT: f64 = 48.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = HEIGHT - 26.0;

/// A line through points in the order in which they are given; `values` and `times` are the lines of the two scales.
#[must_use]
pub fn curve(
    caption: Caption<'_>,
    points: &[(f64, f64)],
    (domain, values): ((f64, f64), &[Tick]),
    (span, times): ((f64, f64), &[Tick]),
) -> String {
    let mut svg = Svg::new(caption, WIDTH, HEIGHT);
    let x = Scale::new(span, (LEFT, WIDTH - 8.0));
    let y = Scale::new(domain, (BOTTOM, TOP));
    draw_value_lines(&mut svg, y, values, LEFT);
    for tick in times {
        let at = x.position(tick.at);
        svg.line("grid", (at, TOP), (at, BOTTOM + 6.0));
    }
    draw_time_ticks(&mut svg, x, times, HEIGHT - 6.0);
    let places: Vec<(f64, f64)> =
        points.iter().map(|(at, value)| (x.position(*at), y.position(*value))).collect();
    svg.points("polyline", "line", &places);
    svg.finish()
}
