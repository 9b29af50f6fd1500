//! Numbers in a grid, darker where they are larger.

use crate::svg::{Anchor, Svg};
use crate::{Caption, Scale, WIDTH};

const CELL: f64 = 26.0;
const HEAD: f64 = 20.0;

/// A number and how dark it is.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatCell {
    /// 0 to 1.
    pub shade: f64,
    pub text: String,
}

/// A row for each label; a cell that is null is hatched. Shades are eight steps, told by the numbers in them too.
#[must_use]
pub fn heat_map(
    caption: Caption<'_>,
    columns: &[String],
    rows: &[(String, Vec<Option<HeatCell>>)],
) -> String {
    let height = HEAD + CELL * f64::from(u32::try_from(rows.len()).unwrap_or(u32::MAX));
    let mut svg = Svg::new(caption, WIDTH, height);
    let names = if columns.len() > 12 { 84.0 } else { 140.0 };
    let width = (WIDTH - names) / f64::from(u32::try_from(columns.len()).unwrap_or(u32::MAX)).max(1.0);
    let left = |place: usize| names + width * f64::from(u32::try_from(place).unwrap_or(u32::MAX));
    for (place, column) in columns.iter().enumerate() {
        let middle = left(place) + width / 2.0;
        svg.text("tick", Anchor::Middle, (middle, 13.0), (11.0, width - 2.0), column);
    }
    let mut top = HEAD;
    for (label, cells) in rows {
        svg.text("label", Anchor::Start, (0.0, top + 17.0), (12.0, names - 4.0), label);
        for (place, cell) in cells.iter().enumerate().take(columns.len()) {
            let (at, size) = ((left(place) + 0.5, top + 0.5), (width - 1.0, CELL - 1.0));
            match cell {
                None => svg.hatched_rect(at, size),
                Some(cell) => {
                    svg.begin_group(&format!("{label}, {}: {}", columns[place], cell.text));
                    let step = shade_step(cell.shade);
                    svg.rect(&format!("heat h{step}"), at, size);
                    let class = if step >= 4 { "on-dark" } else { "on-light" };
                    let middle = (left(place) + width / 2.0, top + 17.0);
                    svg.text(class, Anchor::Middle, middle, (11.0, width - 2.0), &cell.text);
                    svg.end_group();
                }
            }
        }
        top += CELL;
    }
    svg.finish()
}

#[expect(clippy::cast_possible_truncation, reason = "between 0 and 7")]
fn shade_step(shade: f64) -> u8 {
    let place = Scale::new((0.0, 1.0), (0.0, 7.0)).position(shade).round() as i64;
    u8::try_from(place).unwrap_or_default()
}
