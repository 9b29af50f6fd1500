//! Time line of news, with a lane for each kind.

use crate::svg::{Anchor, Svg};
use crate::{Caption, Scale, Tick, WIDTH, text_width};

const LANE: f64 = 30.0;
const NAMES: f64 = 112.0;
const HEAD: f64 = 18.0;

/// News of one kind.
#[derive(Debug, Clone)]
pub struct Lane {
    pub label: String,
    pub events: Vec<LaneEvent>,
}

/// Something that became known.
#[derive(Debug, Clone)]
pub struct LaneEvent {
    /// Hours or days on any scale.
    pub at: f64,
    pub text: String,
}

/// Lanes over one scale of time.
#[must_use]
pub fn swim_lanes(caption: Caption<'_>, lanes: &[Lane], span: (f64, f64), times: &[Tick]) -> String {
    let height = HEAD + LANE * f64::from(u32::try_from(lanes.len()).unwrap_or(u32::MAX));
    let mut svg = Svg::new(caption, WIDTH, height);
    let scale = Scale::new(span, (NAMES + 8.0, WIDTH - 8.0));
    let mut free = NAMES;
    for tick in times {
        let at = scale.position(tick.at);
        svg.line("grid", (at, HEAD), (at, height));
        let half = text_width(&tick.text, 11.0) / 2.0;
        let middle = at.min(WIDTH - half);
        if middle - half >= free {
            svg.text("tick", Anchor::Middle, (middle, 12.0), (11.0, 2.0 * half + 1.0), &tick.text);
            free = middle + half + 4.0;
        }
    }
    let mut top = HEAD;
    for lane in lanes {
        let y = top + LANE / 2.0;
        svg.text("label", Anchor::Start, (0.0, y + 4.0), (12.0, NAMES - 4.0), &lane.label);
        svg.line("axis", (NAMES, y), (WIDTH, y));
        for event in &lane.events {
            svg.begin_group(&format!("{}: {}", lane.label, event.text));
            svg.dot("value", (scale.position(event.at), y), 4.5);
            svg.end_group();
        }
        top += LANE;
    }
    svg.finish()
}
