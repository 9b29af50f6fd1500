//! Seasons and days of a route's tables, as the rows that are served have them. A text that was written once
//! would be false with the next capture.

use std::collections::BTreeSet;
use std::ops::Range;

use fdna_api::ParameterKind;
use fdna_schemas::ColumnType;
use serde::Serialize;

use crate::cell::{AskedValue, TableCell};
use crate::data::{DataPart, RouteData};
use crate::table::CatalogTable;
use crate::tables::StoredTable;
use crate::{CatalogRoute, CatalogSnapshot, CatalogTables};

/// Rows of a column without an index that are looked through.
const LOOKED_THROUGH: usize = 50_000;

/// Name of the column of seasons.
const SEASON: &str = "season";

/// What a route's tables hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RouteCoverage {
    /// In words: seasons and days, and what no source of the route has on principle.
    pub note: String,
    /// Spans of seasons, such as `2022-23 to 2024-25`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seasons: Vec<String>,
    /// First day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Last day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

impl CatalogSnapshot {
    /// What a route's tables hold; `None` where nothing is known of it.
    #[must_use]
    pub fn coverage(&self, route: &CatalogRoute) -> Option<RouteCoverage> {
        let parts = route.data.iter().flat_map(|data| data.parts.iter().map(move |part| (data, part)));
        let held = parts.filter_map(|(data, part)| held(&self.tables, data, part));
        let RouteCoverage { seasons, from, until, .. } = held.into_iter().next().unwrap_or_default();
        let days = match (&from, &until) {
            (Some(from), Some(until)) if from == until => Some(format!("day {from}")),
            (Some(from), Some(until)) => Some(format!("days {from} to {until}")),
            _ => None,
        };
        let of_seasons = (!seasons.is_empty()).then(|| format!("seasons {}", seasons.join(", ")));
        let held: Vec<String> = of_seasons.into_iter().chain(days).collect();
        let held = (!held.is_empty()).then(|| sentence(&held.join("; ")));
        let note: Vec<String> = held.into_iter().chain(route.coverage.map(str::to_owned)).collect();
        (!note.is_empty()).then(|| RouteCoverage { note: note.join(" "), seasons, from, until })
    }
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}

/// Seasons and days of a part, if it has such columns and stands in memory.
fn held(tables: &CatalogTables, data: &RouteData, part: &DataPart) -> Option<RouteCoverage> {
    let StoredTable::InMemory(table) = tables.get(&part.table.name)? else { return None };
    let asked = |is_it: fn(ParameterKind) -> bool| {
        let columns = data.filters.iter().zip(&part.filters);
        columns.filter(move |(filter, _)| is_it(filter.parameter.kind)).find_map(
            |(_, columns)| match &columns[..] {
                [column] => Some(*column),
                _ => None,
            },
        )
    };
    let season = asked(|kind| matches!(kind, ParameterKind::Season)).or_else(|| part.table.place(SEASON));
    let is_day = |column: &usize| part.table.columns[*column].kind == ColumnType::Date;
    let in_key = || part.table.key_places().into_iter().find(|column| is_day(column));
    let day = asked(|kind| matches!(kind, ParameterKind::Date)).filter(is_day).or_else(in_key);
    let rows = || match part.fixed.is_empty() {
        true => Some(table.all_rows().collect::<Vec<u32>>()).filter(|rows| rows.len() <= LOOKED_THROUGH),
        false => Some(table.select(&part.fixed)),
    };
    let values = |column: usize| match part.fixed.is_empty().then(|| table.distinct(column)).flatten() {
        Some(values) => Some(values),
        None => Some(rows()?.into_iter().filter_map(|row| text(table.cell(column, row))).collect()),
    };
    let seasons = season.and_then(values).map(spans).unwrap_or_default();
    let days = day.and_then(values).unwrap_or_default();
    let (from, until) = (days.first().cloned(), days.last().cloned());
    (!seasons.is_empty() || from.is_some()).then(|| RouteCoverage {
        seasons,
        from,
        until,
        ..RouteCoverage::default()
    })
}

fn text(cell: TableCell<'_>) -> Option<String> {
    match AskedValue::of(cell)? {
        AskedValue::Text(text) => Some(text),
        AskedValue::Day(day) => Some(day.to_string()),
        AskedValue::Int(number) => Some(number.to_string()),
        AskedValue::Is(_) => None,
    }
}

impl CatalogTable {
    /// The values of a column, if it has an index.
    fn distinct(&self, column: usize) -> Option<BTreeSet<String>> {
        let all = self.all_rows();
        let mut rest: Range<u32> = self.span(column, TableCell::Null)?;
        // Nulls stand last.
        rest = all.start..rest.start;
        let mut values = BTreeSet::new();
        while !rest.is_empty() {
            let row = self.rows_at(column, rest.start..rest.start + 1).next()?;
            let cell = self.cell(column, row);
            values.extend(text(cell));
            rest.start = self.span(column, cell)?.end;
        }
        Some(values)
    }
}

/// Seasons that follow one another, as one span.
fn spans(seasons: BTreeSet<String>) -> Vec<String> {
    let year = |season: &str| season.get(..4).and_then(|year| year.parse::<u32>().ok());
    let follows = |before: &String, after: &String| {
        before.len() == after.len()
            && year(before).is_some()
            && year(before).map(|year| year + 1) == year(after)
    };
    // Years and seasons over two years stand apart: the one would break the spans of the other.
    let mut seasons: Vec<String> = seasons.into_iter().collect();
    seasons.sort_by_key(|season| (season.len(), season.clone()));
    let spans = seasons.chunk_by(follows).map(|span| match span {
        [one] => one.clone(),
        span => format!("{} to {}", span[0], span[span.len() - 1]),
    });
    spans.collect()
}
