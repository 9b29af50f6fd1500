//! Pictures of rows, by the columns that they have: DNA, ranks, shots. What a picture shows stands in the table of its section.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use fdna_catalog::{AnswerField, AnswerPart};
use fdna_picture::{
    Caption, Leader, MetricRow, Shot, Tick, ValueMark, caterpillar, percentile_bars, shot_chart, ticks,
};
use serde::Deserialize;
use serde_json::Value;

use super::answer::{rounded, value};
use crate::page::Figure;
use crate::shown::{capital, words};

/// Rows that a picture shows, at most.
const MOST: usize = 50;

const PICTURES: &str = include_str!("../../assets/pictures.toml");

/// How a table of shots is drawn.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ShotGround {
    x: (f64, f64),
    y: (f64, f64),
    went_in: String,
}

/// Whether all rows of a part belong in one picture.
pub(super) fn is_ground(table: &str) -> bool {
    grounds().contains_key(table)
}

fn grounds() -> &'static BTreeMap<String, ShotGround> {
    // A test reads them.
    static GROUNDS: LazyLock<BTreeMap<String, ShotGround>> =
        LazyLock::new(|| toml::from_str(PICTURES).unwrap_or_default());
    &GROUNDS
}

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
        self.field(column).map_or(&Value::Null, |field| value(row, field))
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
            Value::Number(number) => rounded(number),
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

/// The picture of a part, if its columns have one.
pub(super) fn of(part: &AnswerPart<'_>, fields: &[AnswerField<'_>], rows: &[&Value]) -> Option<Figure> {
    let drawn = DrawnRows { fields, rows };
    if rows.is_empty() || !part.is_list() {
        return None;
    }
    let id = if part.name().is_empty() { "picture".to_owned() } else { format!("picture-{}", part.name()) };
    if let Some(ground) = grounds().get(&part.table().name) {
        return Some(shots(&drawn, &id, ground));
    }
    if drawn.has(&["metric", "value", "low", "high"]) {
        return match drawn.count("metric") {
            1 => drawn.name().map(|name| ranked(&drawn, &id, name)),
            count if count == rows.len() => Some(profile(&drawn, &id)),
            _ => None,
        };
    }
    let is_one_list = ["stat", "category", "metric"].iter().all(|column| drawn.count(column) <= 1);
    let name = drawn.name().filter(|_| drawn.has(&["rank", "value"]) && is_one_list)?;
    Some(ranked(&drawn, &id, name))
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
            label: capital(&label.into_iter().find(|label| !label.is_empty()).unwrap_or_default()),
            text: format!(
                "{}{} · {}",
                drawn.text(row, "value"),
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

fn shots(drawn: &DrawnRows<'_>, id: &str, ground: &ShotGround) -> Figure {
    let shots = drawn.rows.iter().map(|row| {
        let told = ["player_name", "team_abbr", "shot_type"].map(|column| drawn.text(row, column));
        Shot {
            at: drawn.number(row, "x").zip(drawn.number(row, "y")),
            went_in: drawn.get(row, &ground.went_in) == true,
            text: told.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", "),
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
    Figure::new(shot_chart(named, (&title, "not"), &shots, (ground.x, ground.y)), caption)
}

/// A number of a scale.
fn shown(at: f64) -> String {
    serde_json::Number::from_f64(at).map_or_else(String::new, |number| rounded(&number))
}

#[cfg(test)]
mod tests {
    use fdna_catalog::RouteCatalog;

    use super::*;

    #[test]
    fn every_ground_is_of_a_table_with_its_columns() {
        let read: BTreeMap<String, ShotGround> = toml::from_str(PICTURES).unwrap();
        assert_eq!(read.len(), grounds().len());
        let routes = || RouteCatalog::get().unwrap().routes();
        for (name, ground) in read {
            let part =
                routes().flat_map(|route| route.parts()).find(|part| part.table().name == name).unwrap();
            let columns: Vec<String> = part.fields().iter().map(|field| field.column.name.clone()).collect();
            for column in ["x", "y", &ground.went_in] {
                assert!(columns.iter().any(|name| name == column), "{name} has no column {column}");
            }
            assert!(ground.x.0 < ground.x.1 && ground.y.0 < ground.y.1, "{name}");
        }
    }
}
