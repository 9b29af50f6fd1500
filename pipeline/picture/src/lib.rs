//! Pictures of statistics as SVG text: data in, text out. Pure; no clock, no file, no library.
//!
//! ```text
//! percentile_bars   a family of metrics          caterpillar   leaders with their intervals
//! dumbbells         two values a row             strip         one metric over a pool
//! time_line         a metric, version by version swim_lanes    what became known when
//! heat_map          counts or rates in a grid    slope         two dates of one fighter
//! shot_chart        shots where they were taken     curve   a value over the course of a game
//! ```
//!
//! A picture is as wide as a small screen and scales up. Colours are classes of the page's style sheet, so that they
//! follow light and dark; no meaning is in a colour alone. A value that is null draws no mark: its place is hatched and
//! says why. Texts are as the caller formats them, so that a picture and the table beside it say the same.

mod axes;
mod caterpillar;
mod curve;
mod dumbbell;
mod heat_map;
mod percentile_bars;
mod scale;
mod shot_chart;
mod slope;
mod strip;
mod svg;
mod swim_lanes;
mod text;
mod time_line;

pub use caterpillar::{Leader, caterpillar};
pub use curve::curve;
pub use dumbbell::{Dumbbell, dumbbells};
pub use heat_map::{HeatCell, heat_map};
pub use percentile_bars::{MetricRow, ValueMark, percentile_bars};
pub use scale::{Scale, Tick, ticks};
pub use shot_chart::{Shot, arc, shot_chart};
pub use slope::{SlopeRow, slope};
pub use strip::{StripMark, strip};
pub use svg::{Caption, WIDTH};
pub use swim_lanes::{Lane, LaneEvent, swim_lanes};
pub use text::{fit_text, spread_places, text_width};
pub use time_line::{TimePoint, time_line};
