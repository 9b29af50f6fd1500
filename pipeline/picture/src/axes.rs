//! Lines and texts of the scales of a picture over time.

use crate::svg::{Anchor, Svg};
use crate::{Scale, Tick, WIDTH, text_width};

/// Lines across the picture, with their texts left of `left` where there is room.
pub(crate) fn draw_value_lines(svg: &mut Svg<'_>, y: Scale, values: &[Tick], left: f64) {
    let mut above = f64::INFINITY;
    for tick in values {
        let at = y.position(tick.at);
        svg.line("grid", (left, at), (WIDTH, at));
        if above - at >= 13.0 {
            svg.text("tick", Anchor::End, (left - 5.0, at + 4.0), (11.0, left - 6.0), &tick.text);
            above = at;
        }
    }
}

/// Texts below the picture. Those that would run into the one before are left out.
pub(crate) fn draw_time_ticks(svg: &mut Svg<'_>, x: Scale, times: &[Tick], y: f64) {
    let mut free = 0.0;
    for tick in times {
        let half = text_width(&tick.text, 11.0) / 2.0;
        let at = x.position(tick.at).min(WIDTH - half);
        if at - half >= free {
            svg.text("tick", Anchor::Middle, (at, y), (11.0, 2.0 * half + 1.0), &tick.text);
            free = at + half + 6.0;
        }
    }
}
