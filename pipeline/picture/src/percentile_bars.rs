//! Metrics of a family: where the fighter stands in the pool, and how sure the value is.

use crate::svg::{Anchor, Svg};
use crate::{Caption, Scale, WIDTH};

const ROW: f64 = 50.0;

/// A metric of a fighter.
#[derive(Debug, Clone)]
pub struct MetricRow {
    pub label: String,
    /// Value, percentile and sample as they are shown.
    pub text: String,
    /// 0 to 100 within the pool; null draws no bar.
    pub percentile: Option<f64>,
    /// Null draws no mark.
    pub value: Option<ValueMark>,
    /// Why there is no value, or no percentile.
    pub missing: Option<String>,
}

/// A value on a scale of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValueMark {
    pub value: f64,
    /// Ends of the 90 % interval.
    pub interval: Option<(f64, f64)>,
    /// Plain ratio.
    pub raw: Option<f64>,
    /// Mean of the class.
    pub mean: Option<f64>,
    pub domain: (f64, f64),
}

/// A bar from 0 to 100 for each percentile; below it the value with interval, raw tick and class mean.
#[must_use]
pub fn percentile_bars(caption: Caption<'_>, rows: &[MetricRow]) -> String {
    let height = ROW * f64::from(u32::try_from(rows.len()).unwrap_or(u32::MAX));
    let mut svg = Svg::new(caption, WIDTH, height.max(1.0));
    let mut top = 0.0;
    for row in rows {
        svg.begin_group(&format!("{}: {}", row.label, row.text));
        svg.labelled_number(top + 12.0, &row.label, &row.text);
        draw_bar(&mut svg, top + 18.0, row);
        if let Some(mark) = row.value {
            draw_value(&mut svg, top + 39.0, mark);
        }
        svg.end_group();
        top += ROW;
    }
    svg.finish()
}

fn draw_bar(svg: &mut Svg<'_>, top: f64, row: &MetricRow) {
    let size = |share: f64| (share * WIDTH, 12.0);
    match row.percentile {
        Some(percentile) => {
            let share = Scale::new((0.0, 100.0), (0.0, 1.0)).position(percentile);
            svg.rect("track", (0.0, top), size(1.0));
            svg.rect("bar", (0.0, top), size(share));
            svg.line("middle", (WIDTH / 2.0, top), (WIDTH / 2.0, top + 12.0));
        }
        None => {
            svg.hatched_rect((0.0, top), size(1.0));
            let why = row.missing.as_deref().unwrap_or("no percentile");
            let below = if row.value.is_some() { top + 10.0 } else { top + 24.0 };
            svg.text("why", Anchor::Start, (4.0, below), (11.0, WIDTH - 8.0), why);
        }
    }
}

fn draw_value(svg: &mut Svg<'_>, y: f64, mark: ValueMark) {
    let scale = Scale::new(mark.domain, (4.0, WIDTH - 4.0));
    svg.line("axis", (0.0, y), (WIDTH, y));
    if let Some(mean) = mark.mean {
        svg.line("mean", (scale.position(mean), y - 5.0), (scale.position(mean), y + 5.0));
    }
    if let Some((low, high)) = mark.interval {
        svg.line("whisker", (scale.position(low), y), (scale.position(high), y));
    }
    if let Some(raw) = mark.raw {
        svg.line("raw", (scale.position(raw), y - 4.0), (scale.position(raw), y + 4.0));
    }
    svg.dot("value", (scale.position(mark.value), y), 3.5);
}
