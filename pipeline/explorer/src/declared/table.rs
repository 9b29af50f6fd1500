//! Rows of an answer as a table.

use std::cell::OnceCell;

use fdna_api::{MetricDefinition, MetricObject};
use serde_json::Value;

use super::template::{Expression, Place, Template};
use super::view::View;
use super::{DeclaredColumn, DeclaredMeasures, DeclaredTable, MeasureRow, ValueKind};
use crate::ask::read;
use crate::page::{Cell, Column, Section, Table};
use crate::pages;
use crate::shown::{self, in_unit, missing, percentile, quantity, sample_cell, trimmed};

impl DeclaredTable {
    /// The table, and its picture before it.
    pub(super) fn add_to(&'static self, section: Section, view: &View<'_>, place: Place<'_>) -> Section {
        let mut rows = self.rows.rows(place);
        let kept: Vec<(&str, Option<String>)> =
            self.keep.iter().map(|(name, text)| (name.as_str(), text.text(place))).collect();
        rows.retain(|row| {
            let only = self.only.as_ref().is_none_or(|only| only.is_there(Place { row, ..place }));
            only && kept.iter().all(|(name, text)| row[*name].as_str() == text.as_deref())
        });
        if self.is_reversed {
            rows.reverse();
        }
        if let Some(empty) = self.empty.as_ref().filter(|_| rows.is_empty()) {
            return section.line(empty.as_str());
        }
        let pictures = self.pictures.iter().filter(|_| !rows.is_empty());
        let figures = pictures.filter_map(|name| pages::picture(name)?(view, &rows));
        let caption = self.caption.text(place).unwrap_or_default();
        figures.fold(section, Section::figure).table(draw_table(view, caption, self.columns.get(), &rows))
    }
}

impl DeclaredMeasures {
    pub(super) fn draw(&'static self, view: &View<'_>) -> Table {
        let page = view.place();
        let rows = self.rows.iter().filter(|row| row.condition.holds(page));
        let cells = |row: &MeasureRow| {
            let cells = row.cells.iter().map(|cell| cell.cell(view, page, &RowMetric::default()));
            std::iter::once(Cell::text(row.label.as_str())).chain(cells).collect()
        };
        let column = |(place, name): (usize, &Template)| Column {
            name: name.text(page).unwrap_or_default(),
            is_number: place > 0,
        };
        let columns = self.columns.iter().enumerate().map(column);
        Table::new(self.caption.as_str(), columns, rows.map(cells))
    }
}

/// A row of the table for each of these.
pub(super) fn draw_table(
    view: &View<'_>,
    caption: String,
    columns: &[DeclaredColumn],
    rows: &[&Value],
) -> Table {
    let page = view.place();
    let columns: Vec<&DeclaredColumn> =
        columns.iter().filter(|column| column.condition.holds(page)).collect();
    let row = |(number, row): (usize, &&Value)| {
        let drawn = RowMetric { number, ..RowMetric::default() };
        columns.iter().map(|column| column.cell(view, Place { row, ..page }, &drawn)).collect()
    };
    let rows = rows.iter().enumerate().map(row).collect();
    Table { caption, columns: columns.iter().map(|column| column.head(page)).collect(), rows }
}

/// The place of a row, and its metric, which is read when a column first needs it: all columns of a row mean the same.
#[derive(Default)]
pub(super) struct RowMetric<'r> {
    number: usize,
    metric: OnceCell<Option<MetricObject<'r>>>,
}

impl<'r> RowMetric<'r> {
    fn metric(&self, of: &Expression, place: Place<'r>) -> Option<&MetricObject<'r>> {
        self.metric.get_or_init(|| read(of.find(place)).ok()).as_ref()
    }
}

impl DeclaredColumn {
    fn head(&self, place: Place<'_>) -> Column {
        Column {
            name: self.label.text(place).unwrap_or_default(),
            is_number: !matches!(
                self.kind,
                ValueKind::Text | ValueKind::MetricName | ValueKind::MetricInUnit
            ),
        }
    }

    pub(super) fn cell<'r>(&self, view: &View<'_>, place: Place<'r>, row: &RowMetric<'r>) -> Cell {
        let cell = self.value_cell(view, place, row);
        let missing = || {
            let why = self.missing.as_ref().and_then(|why| why.text(place));
            Cell::missing(why.unwrap_or_else(|| "not stated".to_owned()))
        };
        match (cell, &self.href) {
            (Some(cell), Some(href)) => Cell { href: href.text(place), ..cell },
            (Some(cell), None) => cell,
            (None, _) => missing(),
        }
    }

    /// What the column holds in a row; `None` where it is not stated.
    fn value_cell<'r>(&self, view: &View<'_>, place: Place<'r>, row: &RowMetric<'r>) -> Option<Cell> {
        let value = || self.value.as_ref().map(|value| value.value(place));
        let number = || self.value.as_ref().and_then(|value| value.number(place));
        match self.kind {
            ValueKind::Text | ValueKind::ShortText => {
                let text = self.text.as_ref()?.text(place)?;
                let instead = self.words.get(&text).and_then(|instead| instead.text(place));
                Some(Cell::text(instead.unwrap_or(text)))
            }
            ValueKind::Count => self.value.as_ref()?.integer(place).map(Cell::count),
            ValueKind::Number => {
                number().map(|value| Cell::number(value, format!("{value:.*}", self.decimals)))
            }
            ValueKind::ShortNumber => number().map(|value| Cell::number(value, trimmed(value))),
            ValueKind::MetricName => value()?.as_str().map(|name| view.metric_link(name)),
            ValueKind::MetricInUnit => {
                let metric = self.metric(view, place)?;
                let name = view.metric_link(metric.metric);
                Some(Cell { text: format!("{}{}", name.text, in_unit(metric)), ..name })
            }
            ValueKind::Metric => shown::cell(self.metric(view, place)?, Some(number()?), "").into(),
            ValueKind::Quantity => {
                let (value, metric) = (number()?, self.metric(view, place)?);
                Some(Cell::number(value, quantity(metric, value)))
            }
            ValueKind::MetricValue => {
                let (definition, metric) =
                    (self.metric(view, place)?, row.metric(self.value.as_ref()?, place)?);
                let why = missing(definition, metric).unwrap_or_else(|| "none".to_owned());
                Some(shown::cell(definition, metric.value, &why))
            }
            ValueKind::Percentile => row.metric(self.value.as_ref()?, place).map(percentile),
            ValueKind::Sample => read(&*value()?).ok().map(|sample| sample_cell(&sample)),
            ValueKind::Row => Some(Cell::text((row.number + 1).to_string())),
        }
    }

    /// Whose number it is.
    fn metric<'v, 'a>(&self, view: &'v View<'a>, place: Place<'_>) -> Option<&'v MetricDefinition<'a>> {
        match &self.metric {
            Some(name) => view.definition(name.value(place).as_str()?),
            None => view.metric(),
        }
    }
}
