//! A metric of a fighter over time.

use crate::axes::{draw_time_ticks, draw_value_lines};
use crate::svg::Svg;
use crate::{Caption, Scale, Tick, WIDTH};

const HEIGHT: f64 = 220.0;
const LEFT: f64 = 48.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = HEIGHT - 34.0;

/// A version, from its first day until the next one's.
#[derive(Debug, Clone)]
pub struct TimePoint {
    /// Days on any scale.
    pub from: f64,
    pub to: f64,
    /// Null draws no line.
    pub value: Option<f64>,
    pub interval: Option<(f64, f64)>,
    pub raw: Option<f64>,
    /// Date and value as they are shown.
    pub text: String,
}

/// A line with its 90 % band, raw values as open dots, and a tick below for each version, which is a day with bouts.
/// `days` and `values` are the lines of the two scales.
#[must_use]
pub fn time_line(
    caption: Caption<'_>,
    points: &[TimePoint],
    (domain, values): ((f64, f64), &[Tick]),
    (span, days): ((f64, f64), &[Tick]),
) -> String {
    let mut svg = Svg::new(caption, WIDTH, HEIGHT);
    let x = Scale::new(span, (LEFT, WIDTH - 8.0));
    let y = Scale::new(domain, (BOTTOM, TOP));
    draw_value_lines(&mut svg, y, values, LEFT);
    draw_time_ticks(&mut svg, x, days, HEIGHT - 6.0);
    let known = points.split(|point| point.value.is_none());
    for run in known.clone() {
        draw_band(&mut svg, run, x, y);
    }
    for run in known.filter(|run| !run.is_empty()) {
        let steps = run.iter().filter_map(|point| point.value.map(|value| (point, y.position(value))));
        let steps: Vec<(f64, f64)> = steps
            .flat_map(|(point, at)| [(x.position(point.from), at), (x.position(point.to), at)])
            .collect();
        svg.points("polyline", "line", &steps);
    }
    for point in points {
        svg.begin_group(&point.text);
        let at = x.position(point.from);
        svg.line("bout", (at, BOTTOM + 2.0), (at, BOTTOM + 9.0));
        if let Some(raw) = point.raw.filter(|_| point.value.is_some()) {
            svg.dot("raw-dot", (at, y.position(raw)), 2.0);
        }
        match point.value {
            Some(value) => svg.dot("value", (at, y.position(value)), 3.0),
            None => svg.hatched_rect((at, BOTTOM - 8.0), ((x.position(point.to) - at).max(1.0), 8.0)),
        }
        svg.end_group();
    }
    svg.finish()
}

fn draw_band(svg: &mut Svg<'_>, run: &[TimePoint], x: Scale, y: Scale) {
    for stretch in run.split(|point| point.interval.is_none()).filter(|stretch| !stretch.is_empty()) {
        let ends = || stretch.iter().filter_map(|point| point.interval.map(|ends| (point, ends)));
        let upper = ends().flat_map(|(point, (_, high))| {
            [(x.position(point.from), y.position(high)), (x.position(point.to), y.position(high))]
        });
        let lower = ends().rev().flat_map(|(point, (low, _))| {
            [(x.position(point.to), y.position(low)), (x.position(point.from), y.position(low))]
        });
        let around: Vec<(f64, f64)> = upper.chain(lower).collect();
        svg.points("polygon", "band", &around);
    }
}
