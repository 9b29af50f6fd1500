//! Two values a row: two fighters, or a part beside the whole.

use crate::svg::{Anchor, Svg};
use crate::{Caption, Scale, WIDTH};

const ROW: f64 = 38.0;
const LEGEND: f64 = 20.0;

/// Two values on one scale.
#[derive(Debug, Clone)]
pub struct Dumbbell {
    pub label: String,
    /// Both values as they are shown, and what is said of their difference.
    pub text: String,
    /// Null draws no mark.
    pub a: Option<f64>,
    pub b: Option<f64>,
    /// Ends of the 90 % intervals.
    pub interval_a: Option<(f64, f64)>,
    pub interval_b: Option<(f64, f64)>,
    pub domain: (f64, f64),
}

/// `a` is a dot, `b` a square that a dot in the same place shows around. A row with neither is hatched.
#[must_use]
pub fn dumbbells(caption: Caption<'_>, (a, b): (&str, &str), rows: &[Dumbbell]) -> String {
    let height = LEGEND + ROW * f64::from(u32::try_from(rows.len()).unwrap_or(u32::MAX));
    let mut svg = Svg::new(caption, WIDTH, height);
    svg.dot("side-a", (6.0, 8.0), 5.0);
    svg.text("legend", Anchor::Start, (16.0, 12.0), (12.0, WIDTH / 2.0 - 24.0), a);
    svg.open_square("side-b", (WIDTH / 2.0 + 6.0, 8.0), 4.5);
    svg.text("legend", Anchor::Start, (WIDTH / 2.0 + 16.0, 12.0), (12.0, WIDTH / 2.0 - 20.0), b);
    let mut top = LEGEND;
    for row in rows {
        svg.begin_group(&format!("{}: {}", row.label, row.text));
        svg.labelled_number(top + 13.0, &row.label, &row.text);
        draw_marks(&mut svg, top + 26.0, row);
        svg.end_group();
        top += ROW;
    }
    svg.finish()
}

fn draw_marks(svg: &mut Svg<'_>, y: f64, row: &Dumbbell) {
    if row.a.is_none() && row.b.is_none() {
        return svg.hatched_rect((0.0, y - 5.0), (WIDTH, 10.0));
    }
    let scale = Scale::new(row.domain, (6.0, WIDTH - 6.0));
    svg.line("axis", (0.0, y), (WIDTH, y));
    let sides = [(row.interval_a, row.a, "whisker-a", -3.0), (row.interval_b, row.b, "whisker-b", 3.0)];
    for (interval, value, class, beside) in sides {
        if let (Some((low, high)), Some(_)) = (interval, value) {
            svg.line(class, (scale.position(low), y + beside), (scale.position(high), y + beside));
        }
    }
    if let (Some(a), Some(b)) = (row.a, row.b) {
        svg.line("between", (scale.position(a), y), (scale.position(b), y));
    }
    if let Some(a) = row.a {
        svg.dot("side-a", (scale.position(a), y), 6.0);
    }
    if let Some(b) = row.b {
        svg.open_square("side-b", (scale.position(b), y), 3.5);
    }
}
