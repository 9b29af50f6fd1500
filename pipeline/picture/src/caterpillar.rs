//! Leaders of a metric, each with its interval: who leads, and how little that may say.

use crate::svg::{Anchor, Svg};
use crate::{Caption, Scale, Tick, WIDTH};

const ROW: f64 = 24.0;
const NAMES: f64 = 140.0;
const NUMBERS: f64 = 56.0;
const HEAD: f64 = 18.0;

/// A fighter of a list.
#[derive(Debug, Clone)]
pub struct Leader {
    pub label: String,
    /// The value as it is shown.
    pub text: String,
    /// Null draws no mark.
    pub value: Option<f64>,
    pub interval: Option<(f64, f64)>,
    pub raw: Option<f64>,
}

/// Rows in the order given, on one scale.
#[must_use]
pub fn caterpillar(caption: Caption<'_>, rows: &[Leader], domain: (f64, f64), lines: &[Tick]) -> String {
    let height = HEAD + ROW * f64::from(u32::try_from(rows.len()).unwrap_or(u32::MAX));
    let mut svg = Svg::new(caption, WIDTH, height);
    let scale = Scale::new(domain, (NAMES + 6.0, WIDTH - NUMBERS - 6.0));
    let mut free = NAMES;
    for tick in lines {
        let at = scale.position(tick.at);
        svg.line("grid", (at, HEAD), (at, height));
        let half = crate::text_width(&tick.text, 11.0) / 2.0;
        if at - half >= free && at + half <= WIDTH {
            svg.text("tick", Anchor::Middle, (at, 12.0), (11.0, 2.0 * half + 1.0), &tick.text);
            free = at + half + 4.0;
        }
    }
    let mut top = HEAD;
    for row in rows {
        let y = top + ROW / 2.0;
        svg.begin_group(&format!("{}: {}", row.label, row.text));
        svg.text("label", Anchor::Start, (0.0, y + 4.0), (12.0, NAMES - 4.0), &row.label);
        svg.text("number", Anchor::End, (WIDTH, y + 4.0), (12.0, NUMBERS - 4.0), &row.text);
        match row.value {
            None => svg.hatched_rect((NAMES, y - 5.0), (WIDTH - NAMES - NUMBERS, 10.0)),
            Some(value) => {
                if let Some((low, high)) = row.interval {
                    svg.line("whisker", (scale.position(low), y), (scale.position(high), y));
                }
                if let Some(raw) = row.raw {
                    svg.line("raw", (scale.position(raw), y - 5.0), (scale.position(raw), y + 5.0));
                }
                svg.dot("value", (scale.position(value), y), 4.0);
            }
        }
        svg.end_group();
        top += ROW;
    }
    svg.finish()
}
