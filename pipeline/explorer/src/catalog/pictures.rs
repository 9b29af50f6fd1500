//! Pictures of rows, by the columns that they have (DNA, ranks) or as `catalog/*.toml` says (shots, curves). What a picture
//! shows stands in the table of its section.

use std::collections::BTreeSet;

use fdna_catalog::{AnswerField, AnswerPart};
use fdna_picture::{
    Caption, Leader, MetricRow, Shot, Tick, ValueMark, arc, caterpillar, curve, percentile_bars, shot_chart,
    ticks,
};
use serde_json::Value;

use super::columns::{find_value, round_number};
use super::presentation::{ShotGround, TablePicture, TablePresentation};
use crate::page::Figure;
use crate::shown::{capital, words};

/// Rows that a picture shows, at most.
const MOST: usize = 50;

/// Rows with the columns that are drawn.
struct DrawnRows<'r> {
    fields: &'r [AnswerField<'r>],
    rows: &'r [&'r Value],
}

impl<'r> DrawnRows<'r> {
    fn field(&self, column: &str) -> Option<&'r AnswerField<'r>> {
        self.fields.iter().find(|field| field.column.name == column)
    }

    fn has(&self, columns: &[&str]) -> bool {
        columns.iter().all(|column| self.field(column).is_some())
    }

    fn get(&self, row: &'r Value, column: &str) -> &'r Value {
        self.field(column).map_or(&Value::Null, |field| find_value(row, field))
    }

    fn number(&self, row: &'r Value, column: &str) -> Option<f64> {
        self.get(row, column).as_f64()
    }

    /// The value before it was drawn towards the mean; answers have two names for it.
    fn raw(&self, row: &'r Value) -> Option<f64> {
        self.number(row, "raw_value").or_else(|| self.number(row, "raw"))
    }

    fn text(&self, row: &'r Value, column: &str) -> String {
        match self.get(row, column) {
            Value::String(text) => text.clone(),
            Value::Number(number) => round_number(number),
            _ => String::new(),
        }
    }

    /// Different values of a column.
    fn count(&self, column: &str) -> usize {
        self.rows.iter().map(|row| self.text(row, column)).collect::<BTreeSet<_>>().len()
    }

    /// The column that names the subject of a row.
    fn name(&self) -> Option<&'r str> {
        let names = [
            "player_name",
            "team_name",
            "umpire_name",
            "goalie_name",
            "name",
            "team_abbr",
            "player_slug",
            "player_id",
        ];
        names.into_iter().find_map(|name| Some(self.field(name)?.column.name.as_str()))
    }
}

/// The picture of a part, if it has one.
pub(super) fn draw_picture(
    part: AnswerPart<'_>,
    shown: Option<&TablePresentation>,
    fields: &[AnswerField<'_>],
    rows: &[&Value],
) -> Option<Figure> {
    let drawn = DrawnRows { fields, rows };
    if rows.is_empty() {
        return None;
    }
    let id = if part.name().is_empty() { "picture".to_owned() } else { format!("picture-{}", part.name()) };
    match shown.and_then(|shown| shown.picture.as_ref()) {
        Some(TablePicture::Shots(ground)) => return Some(draw_shots(&drawn, &id, ground)),
        Some(TablePicture::Curve { value, left, period, caption }) => {
            return draw_curve(&drawn, &id, [value, left, period], caption);
        }
        None => {}
    }
    if drawn.has(&["metric", "value", "low", "high"]) {
        return match drawn.count("metric") {
            1 => drawn.name().map(|name| ranked(&drawn, &id, name)),
            count if count == rows.len() => Some(profile(&drawn, &id)),
            _ => draw_first_pool(&drawn, &id),
        };
    }
    None
}

/// The metrics of the pool that comes first, where each is measured in several: on all surfaces, then on each.
fn draw_first_pool(drawn: &DrawnRows<'_>, id: &str) -> Option<Figure> {
    let pool = drawn.text(drawn.rows[0], "pool");
    let rows: Vec<&Value> =
        drawn.rows.iter().copied().filter(|row| drawn.text(row, "pool") == pool).collect();
    let of_pool = DrawnRows { fields: drawn.fields, rows: &rows };
    (of_pool.count("metric") == rows.len()).then(|| profile(&of_pool, id))
}

/// A share of 0 to 1 over the game: from the most seconds left to none, with a line where each period begins.
fn draw_curve(
    drawn: &DrawnRows<'_>,
    id: &str,
    [value, left, period]: [&str; 3],
    caption: &str,
) -> Option<Figure> {
    let point = |row: &&'_ Value| {
        Some((drawn.number(row, left)?, drawn.number(row, value)?, drawn.text(row, period)))
    };
    let mut points: Vec<(f64, f64, String)> = drawn.rows.iter().filter_map(point).collect();
    let without = drawn.rows.len() - points.len();
    points.sort_by(|a, b| b.0.total_cmp(&a.0));
    let first = points.first()?.0;
    let mut periods: Vec<Tick> = Vec::new();
    for (left, _, period) in &points {
        if periods.iter().all(|tick| tick.text != *period) {
            periods.push(Tick { at: first - left, text: period.clone() });
        }
    }
    let points: Vec<(f64, f64)> = points.into_iter().map(|(left, value, _)| (first - left, value)).collect();
    let values = [0.0, 0.25, 0.5, 0.75, 1.0].map(|at| Tick { at, text: format!("{:.0} %", at * 100.0) });
    let named = Caption { id, title: caption, description: "The table of this section has every number." };
    let svg = curve(named, &points, ((0.0, 1.0), &values), ((0.0, first), &periods));
    let missing = match without {
        0 => String::new(),
        count => format!(" {count} moments without a value, such as those of overtime, are not drawn."),
    };
    Some(Figure::new(svg, format!("{caption}; below, where each period begins.{missing}")))
}

/// What a picture's scale holds, with room.
fn domain(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values
        .filter(|value| value.is_finite())
        .fold((0.0_f64, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    let room = ((high - low) * 0.05).max(1e-9);
    (if low < 0.0 { low - room } else { 0.0 }, high + room)
}

fn ranked(drawn: &DrawnRows<'_>, id: &str, name: &str) -> Figure {
    let rows = &drawn.rows[..drawn.rows.len().min(MOST)];
    let leaders: Vec<Leader> = rows
        .iter()
        .map(|row| Leader {
            label: drawn.text(row, name),
            text: drawn.text(row, "value"),
            value: drawn.number(row, "value"),
            interval: drawn.number(row, "low").zip(drawn.number(row, "high")),
            raw: drawn.raw(row),
        })
        .collect();
    let ends = leaders.iter().flat_map(|leader| {
        let (low, high) = leader.interval.unzip();
        [leader.value, low, high, leader.raw]
    });
    let domain = domain(ends.flatten());
    let lines = ticks(domain, 4).into_iter().map(|at| Tick { at, text: shown(at) });
    let has_intervals = leaders.iter().any(|leader| leader.interval.is_some());
    let caption = match has_intervals {
        true => {
            "Value (dot), 90 % interval (line) and raw value (tick). Intervals that overlap do not say who is ahead."
        }
        false => "Values in the order of the list.",
    };
    let named =
        Caption { id, title: "Values in order", description: "The table of this section has every number." };
    Figure::new(caterpillar(named, &leaders, domain, &lines.collect::<Vec<_>>()), caption)
}

fn profile(drawn: &DrawnRows<'_>, id: &str) -> Figure {
    let rows = &drawn.rows[..drawn.rows.len().min(MOST)];
    let metrics = rows.iter().map(|row| {
        let (value, percentile) = (drawn.number(row, "value"), drawn.number(row, "percentile"));
        let interval = drawn.number(row, "low").zip(drawn.number(row, "high"));
        let (raw, mean) = (drawn.raw(row), drawn.number(row, "pool_mean"));
        let (low, high) = interval.unzip();
        let domain = domain([value, low, high, raw, mean].into_iter().flatten());
        let label = [drawn.text(row, "label"), words(&drawn.text(row, "metric"))];
        let place = percentile.map(|percentile| {
            format!(
                " · P{percentile:.0} of {} {}",
                drawn.text(row, "pool_size"),
                words(&drawn.text(row, "pool"))
            )
        });
        MetricRow {
            label: format!(
                "{}{}",
                capital(&label.into_iter().find(|label| !label.is_empty()).unwrap_or_default()),
                if drawn.text(row, "direction") == "lower" { ", fewer is better" } else { "" }
            ),
            text: format!(
                "{}{} · {}",
                write_quantity(value, &drawn.text(row, "unit")),
                place.unwrap_or_default(),
                drawn.text(row, "confidence")
            ),
            percentile,
            value: value.map(|value| ValueMark { value, interval, raw, mean, domain }),
            missing: match (value, percentile) {
                (None, _) => Some(words(&drawn.text(row, "status"))),
                (_, None) => Some("no percentile".to_owned()),
                _ => None,
            },
        }
    });
    let named =
        Caption { id, title: "Percentiles", description: "The table of this section has every number." };
    let caption = "Bar: percentile within the pool. Below: value (dot), 90 % interval, raw value (tick), mean of the pool (dashed).";
    Figure::new(percentile_bars(named, &metrics.collect::<Vec<_>>()), caption)
}

fn draw_shots(drawn: &DrawnRows<'_>, id: &str, ground: &ShotGround) -> Figure {
    let shots = drawn.rows.iter().map(|row| {
        let texts = ["player_name", "team_abbr", "shot_type"].map(|column| drawn.text(row, column));
        Shot {
            at: drawn.number(row, "x").zip(drawn.number(row, "y")),
            went_in: drawn.get(row, &ground.went_in) == true,
            text: texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", "),
        }
    });
    let shots: Vec<Shot> = shots.collect();
    let without = shots.iter().filter(|shot| shot.at.is_none()).count();
    let title = words(&ground.went_in).replacen("is ", "", 1);
    let caption = match without {
        0 => String::new(),
        count => format!("{count} without a stated place are in the table alone."),
    };
    let named = Caption {
        id,
        title: "Shots where they were taken",
        description: "The table of this section has every shot.",
    };
    let arcs = ground.arcs.iter().map(|(x, y, radius, from, to)| arc((*x, *y), *radius, (*from, *to)));
    let lines: Vec<Vec<(f64, f64)>> = ground.lines.iter().cloned().chain(arcs).collect();
    Figure::new(shot_chart(named, (&title, "not"), &shots, (ground.x, ground.y), &lines), caption)
}

/// A value with its unit.
fn write_quantity(value: Option<f64>, unit: &str) -> String {
    match (value, unit) {
        (None, _) => String::new(),
        (Some(share), "share") => format!("{:.1} %", share * 100.0),
        (Some(value), "") => shown(value),
        (Some(value), unit) => format!("{value:.2} {}", words(unit)),
    }
}

/// A number of a scale.
fn shown(at: f64) -> String {
    serde_json::Number::from_f64(at).map_or_else(String::new, |number| round_number(&number))
}
