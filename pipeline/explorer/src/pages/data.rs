//! `/data`: what is known of each year and promotion, and what differs between two snapshots.

use std::collections::BTreeSet;

use fdna_picture::{Caption, HeatCell, heat_map};
use serde_json::Value;

use super::grid::ShadedRow;
use crate::ask::Refusal;
use crate::declared::PageView;
use crate::page::{Cell, Figure, Section, Table, TableColumn};

/// Tables of which one snapshot has other rows than another.
pub(super) fn compare_snapshots(view: &PageView<'_>) -> Result<Vec<Section>, Refusal> {
    let [before, now] = ["before", "now"].map(|name| {
        let tables = view.answer_data(name)["tables"].as_array().map_or(&[][..], Vec::as_slice);
        move |name: &str| tables.iter().find(|table| table["name"] == name)
    });
    let both = [view.answer_data("before"), view.answer_data("now")].into_iter();
    let tables = both.flat_map(|snapshot| snapshot["tables"].as_array().into_iter().flatten());
    let names: BTreeSet<&str> = tables.filter_map(|table| table["name"].as_str()).collect();
    let row = |name: &&str| {
        let (before, now) = (before(name), now(name));
        let rows = |table: Option<&Value>| table.and_then(|table| table["rows"].as_i64());
        let count = |table| rows(table).map_or_else(|| Cell::missing("no such table"), Cell::count);
        let more = rows(before).zip(rows(now)).map(|(before, now)| format!("{:+}", now - before));
        let digest =
            |table: Option<&Value>| table.map(|table| (table["rows"].clone(), table["sha256"].clone()));
        (digest(before) != digest(now)).then(|| {
            let more = more.map_or_else(|| Cell::missing("none"), Cell::text);
            vec![Cell::text(*name), count(before), count(now), more]
        })
    };
    let rows: Vec<Vec<Cell>> = names.iter().filter_map(row).collect();
    let same = names.len() - rows.len();
    let columns = [
        TableColumn::text("Table"),
        TableColumn::number("Rows before"),
        TableColumn::number("Rows now"),
        TableColumn::number("More"),
    ];
    let line =
        format!("{same} tables have the same bytes. What captures changed in them is on the front page.");
    let section = Section::new("differences", "What differs").wide().line(line);
    Ok(vec![section.table(Table::new("Tables with other rows or values", columns, rows))])
}

/// How many of a row's bouts are known, darker for a larger share; none of nothing.
fn draw_share(row: &Value, known: &str, of: &str) -> Option<HeatCell> {
    let (known, of) = (row[known].as_i64()?, row[of].as_i64()?);
    let number = |count: i64| i32::try_from(count).map_or(0.0, f64::from);
    (of > 0).then(|| HeatCell { shade: number(known) / number(of), text: format!("{known}/{of}") })
}

pub(super) fn draw_years(_: &PageView<'_>, rows: &[&Value]) -> Option<Figure> {
    const PARTS: [(&str, &str, &str); 4] = [
        ("Results", "with_result", "bouts"),
        ("Rounds", "with_round_stats", "bouts"),
        ("Control", "with_control_time", "bouts"),
        ("Cards", "with_scorecards", "decisions"),
    ];
    let row = |year: &&Value| {
        (year["year"].to_string(), PARTS.iter().map(|(_, known, of)| draw_share(year, known, of)).collect())
    };
    let rows: Vec<_> = rows.iter().map(row).collect();
    let caption = Caption {
        id: "years",
        title: "What is known of each year",
        description: "Bouts of a year with result, round statistics and control time, decisions with scorecards; the numbers are in the table below.",
    };
    let svg = heat_map(caption, &PARTS.map(|(name, ..)| name.to_owned()), &rows);
    let note =
        "Darker is a larger share of the year's bouts; of decisions for cards. Hatched: none to be known.";
    Some(Figure::new(svg, note))
}

/// Whose bouts a row counts.
fn promotion_name<'a>(row: &&'a Value) -> &'a str {
    row["promotion"].as_str().unwrap_or("not known")
}

pub(super) fn draw_promotions(_: &PageView<'_>, rows: &[&Value]) -> Option<Figure> {
    let year = |row: &Value| row["year"].as_i64();
    let names: BTreeSet<&str> = rows.iter().map(promotion_name).collect();
    let years: BTreeSet<i64> = rows.iter().filter_map(|row| year(row)).collect();
    let cell = |of: i64, name: &str| {
        let row = rows.iter().find(|row| year(row) == Some(of) && promotion_name(row) == name)?;
        draw_share(row, "with_round_stats", "bouts")
    };
    let cells: Vec<ShadedRow> = years
        .iter()
        .rev()
        .map(|year| (year.to_string(), names.iter().map(|name| cell(*year, name)).collect()))
        .collect();
    let caption = Caption {
        id: "promotions",
        title: "Bouts with rounds, by promotion and year",
        description: "Bouts of a promotion in a year of which rounds are known; the numbers are in the table below.",
    };
    let columns: Vec<String> = names.iter().map(|name| name.to_uppercase()).collect();
    let svg = heat_map(caption, &columns, &cells);
    Some(Figure::new(svg, "Darker is a larger share with round statistics. Hatched: no bout is known."))
}
