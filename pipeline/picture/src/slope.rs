//! The same metrics on two dates: what rose and what fell.

use crate::svg::{Anchor, Svg};
use crate::{Caption, Scale, WIDTH, fit_text, spread_places, text_width};

const SIDE: f64 = 132.0;
const GAP: f64 = 15.0;
const HEAD: f64 = 24.0;

/// A metric on both dates.
#[derive(Debug, Clone)]
pub struct SlopeRow {
    pub label: String,
    /// 0 to 100; null draws no line.
    pub before: Option<f64>,
    pub after: Option<f64>,
    pub text_before: String,
    pub text_after: String,
}

/// Percentiles of both dates, joined by lines; rows that lack one of the two are left to the table.
#[must_use]
pub fn slope(caption: Caption<'_>, (before, after): (&str, &str), rows: &[SlopeRow]) -> String {
    let drawn: Vec<(&SlopeRow, f64, f64)> =
        rows.iter().filter_map(|row| Some((row, row.before?, row.after?))).collect();
    let height = HEAD + GAP * f64::from(u32::try_from(drawn.len()).unwrap_or(u32::MAX)).max(8.0) + GAP;
    let mut svg = Svg::new(caption, WIDTH, height);
    svg.text("legend", Anchor::End, (SIDE, 13.0), (12.0, SIDE), before);
    svg.text("legend", Anchor::Start, (WIDTH - SIDE, 13.0), (12.0, SIDE), after);
    let scale = Scale::new((0.0, 100.0), (height - GAP, HEAD + GAP / 2.0));
    let places = |side: fn(&(&SlopeRow, f64, f64)) -> f64| -> Vec<f64> {
        let places: Vec<f64> = drawn.iter().map(|row| scale.position(side(row))).collect();
        spread_places(&places, GAP, (HEAD + GAP / 2.0, height - GAP / 2.0))
    };
    let (labels, ends) = (places(|row| row.1), places(|row| row.2));
    for (place, (row, first, second)) in drawn.iter().enumerate() {
        svg.begin_group(&format!("{}: {} → {}", row.label, row.text_before, row.text_after));
        let room = |number: &str| {
            fit_text(&row.label, 11.0, SIDE - 6.0 - text_width(number, 11.0) - text_width(" ", 11.0))
        };
        let left = format!("{} {}", room(&row.text_before), row.text_before);
        let right = format!("{} {}", row.text_after, room(&row.text_after));
        svg.text("label", Anchor::End, (SIDE - 6.0, labels[place] + 4.0), (11.0, SIDE - 6.0), &left);
        svg.text("label", Anchor::Start, (WIDTH - SIDE + 6.0, ends[place] + 4.0), (11.0, SIDE - 6.0), &right);
        svg.line("slope", (SIDE, scale.position(*first)), (WIDTH - SIDE, scale.position(*second)));
        svg.dot("value", (SIDE, scale.position(*first)), 3.0);
        svg.dot("value", (WIDTH - SIDE, scale.position(*second)), 3.0);
        svg.end_group();
    }
    svg.finish()
}
