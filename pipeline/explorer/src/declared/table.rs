//! Rows of an answer as a table.

use std::cell::OnceCell;

use fdna_api::{MetricDefinition, MetricObject};
use serde_json::Value;

use super::template::{TemplateScope, TextTemplate, ValueExpression};
use super::view::PageView;
use super::{DeclaredColumn, DeclaredMeasures, DeclaredTable, MeasureRow, ValueKind};
use crate::ask::read_part;
use crate::page::{Cell, Section, Table, TableColumn};
use crate::pages;
use crate::shown::{self, in_unit, missing_reason, percentile, quantity, sample_cell, trimmed};

/// In a cell whose column has no other word for it.
const NOT_STATED: &str = "not stated";

impl DeclaredTable {
    /// The table, and its picture before it.
    pub(super) fn add_to(
        &'static self,
        section: Section,
        view: &PageView<'_>,
        scope: TemplateScope<'_>,
    ) -> Section {
        let mut rows = self.rows.evaluate_rows(scope);
        let kept: Vec<(&str, Option<String>)> =
            self.keep.iter().map(|(name, text)| (name.as_str(), text.fill(scope))).collect();
        rows.retain(|row| {
            let only = self.only.as_ref().is_none_or(|only| only.is_there(TemplateScope { row, ..scope }));
            only && kept.iter().all(|(name, text)| row[*name].as_str() == text.as_deref())
        });
        if self.is_reversed {
            rows.reverse();
        }
        rows.truncate(self.most.unwrap_or(usize::MAX));
        if let Some(empty) = self.empty.as_ref().filter(|_| rows.is_empty()) {
            return section.line(empty.as_str());
        }
        let pictures = self.pictures.iter().filter(|_| !rows.is_empty());
        let figures = pictures.filter_map(|name| pages::find_picture(name)?(view, &rows));
        let caption = self.caption.fill(scope).unwrap_or_default();
        let section = Section { has_open_tables: self.is_open, ..section };
        figures.fold(section, Section::figure).table(draw_table(view, caption, self.columns.get(), &rows))
    }
}

impl DeclaredMeasures {
    pub(super) fn draw_measures(&'static self, view: &PageView<'_>) -> Table {
        let page = view.scope();
        let rows = self.rows.iter().filter(|row| row.condition.is_met(page));
        let cells = |row: &MeasureRow| {
            let cells = row.cells.iter().map(|cell| cell.draw_cell(view, page, &RowMetric::default()));
            std::iter::once(Cell::text(row.label.as_str())).chain(cells).collect()
        };
        let column = |(at, name): (usize, &TextTemplate)| TableColumn {
            is_number: at > 0,
            ..TableColumn::text(name.fill(page).unwrap_or_default())
        };
        let columns = self.columns.iter().enumerate().map(column);
        Table::new(self.caption.as_str(), columns, rows.map(cells))
    }
}

/// A row of the table for each of these.
pub(super) fn draw_table(
    view: &PageView<'_>,
    caption: String,
    columns: &[DeclaredColumn],
    rows: &[&Value],
) -> Table {
    let page = view.scope();
    let columns: Vec<&DeclaredColumn> =
        columns.iter().filter(|column| column.condition.is_met(page)).collect();
    let row = |(number, row): (usize, &&Value)| {
        let drawn = RowMetric { number, ..RowMetric::default() };
        columns.iter().map(|column| column.draw_cell(view, TemplateScope { row, ..page }, &drawn)).collect()
    };
    let rows = rows.iter().enumerate().map(row);
    Table::new(caption, columns.iter().map(|column| column.draw_head(page)), rows)
}

/// Rows of an answer that belongs to no declared page; `$` in a column is the answer. What is not stated is a dash: columns
/// are narrow there.
pub(crate) fn draw_rows(
    caption: String,
    columns: &'static [DeclaredColumn],
    answer: &Value,
    rows: &[&Value],
) -> Table {
    let mut table = draw_table(&view_of_answer(answer), caption, columns, rows);
    for cell in table.rows.iter_mut().flatten().filter(|cell| cell.is_missing && cell.text == NOT_STATED) {
        "–".clone_into(&mut cell.text);
    }
    table
}

/// One row of such an answer: name and value, without what is not stated.
pub(crate) fn draw_facts(
    columns: &'static [DeclaredColumn],
    answer: &Value,
    row: &Value,
) -> Vec<(String, Cell)> {
    let view = view_of_answer(answer);
    let scope = TemplateScope { row, ..view.scope() };
    let facts = columns.iter().map(|column| {
        (column.label.fill(scope).unwrap_or_default(), column.draw_cell(&view, scope, &RowMetric::default()))
    });
    facts.filter(|(_, cell)| !cell.is_missing).collect()
}

fn view_of_answer(answer: &Value) -> PageView<'_> {
    PageView::without_metrics(TemplateScope::of_row(answer))
}

/// The place of a row, and its metric, which is read when a column first needs it: all columns of a row mean the same.
#[derive(Default)]
pub(super) struct RowMetric<'r> {
    number: usize,
    metric: OnceCell<Option<MetricObject<'r>>>,
}

impl<'r> RowMetric<'r> {
    fn read_metric(&self, of: &ValueExpression, scope: TemplateScope<'r>) -> Option<&MetricObject<'r>> {
        self.metric.get_or_init(|| read_part(of.find_value(scope)).ok()).as_ref()
    }
}

impl DeclaredColumn {
    fn draw_head(&self, scope: TemplateScope<'_>) -> TableColumn {
        let is_text = matches!(self.kind, ValueKind::Text | ValueKind::MetricName | ValueKind::MetricInUnit);
        let name = self.label.fill(scope).unwrap_or_default();
        TableColumn { is_number: !is_text, is_secondary: self.is_secondary, ..TableColumn::text(name) }
    }

    pub(super) fn draw_cell<'r>(
        &self,
        view: &PageView<'_>,
        scope: TemplateScope<'r>,
        row: &RowMetric<'r>,
    ) -> Cell {
        let cell = self.value_cell(view, scope, row);
        let missing = || {
            let why = self.missing.as_ref().and_then(|why| why.fill(scope));
            Cell::missing(why.unwrap_or_else(|| NOT_STATED.to_owned()))
        };
        match (cell, &self.href) {
            (Some(cell), Some(href)) => Cell { href: href.fill(scope), ..cell },
            (Some(cell), None) => cell,
            (None, _) => missing(),
        }
    }

    /// What the column holds in a row; `None` where it is not stated.
    fn value_cell<'r>(
        &self,
        view: &PageView<'_>,
        scope: TemplateScope<'r>,
        row: &RowMetric<'r>,
    ) -> Option<Cell> {
        let value = || self.value.as_ref().map(|value| value.evaluate(scope));
        let number = || self.value.as_ref().and_then(|value| value.evaluate_number(scope));
        match self.kind {
            ValueKind::Text | ValueKind::ShortText => {
                let text = self.text.as_ref()?.fill(scope)?;
                let instead = self.words.get(&text).and_then(|instead| instead.fill(scope));
                Some(Cell::text(instead.unwrap_or(text)))
            }
            ValueKind::Count => self.value.as_ref()?.evaluate_integer(scope).map(Cell::count),
            ValueKind::Number => {
                number().map(|value| Cell::number(value, format!("{value:.*}", self.decimals)))
            }
            ValueKind::ShortNumber => number().map(|value| Cell::number(value, trimmed(value))),
            ValueKind::MetricName => value()?.as_str().map(|name| view.metric_link(name)),
            ValueKind::MetricInUnit => {
                let metric = self.find_metric(view, scope)?;
                let name = view.metric_link(metric.metric);
                Some(Cell { text: format!("{}{}", name.text, in_unit(metric)), ..name })
            }
            ValueKind::Metric => {
                shown::metric_cell(self.find_metric(view, scope)?, Some(number()?), "").into()
            }
            ValueKind::Quantity => {
                let (value, metric) = (number()?, self.find_metric(view, scope)?);
                Some(Cell::number(value, quantity(metric, value)))
            }
            ValueKind::MetricValue => {
                let (definition, metric) =
                    (self.find_metric(view, scope)?, row.read_metric(self.value.as_ref()?, scope)?);
                let why = missing_reason(definition, metric).unwrap_or_else(|| "none".to_owned());
                Some(shown::metric_cell(definition, metric.value, &why))
            }
            ValueKind::Percentile => row.read_metric(self.value.as_ref()?, scope).map(percentile),
            ValueKind::Sample => read_part(&*value()?).ok().map(|sample| sample_cell(&sample)),
            ValueKind::Row => Some(Cell::text((row.number + 1).to_string())),
        }
    }

    /// Whose number it is.
    fn find_metric<'v, 'a>(
        &self,
        view: &'v PageView<'a>,
        scope: TemplateScope<'_>,
    ) -> Option<&'v MetricDefinition<'a>> {
        match &self.metric {
            Some(name) => view.find_definition(name.evaluate(scope).as_str()?),
            None => view.page_metric(),
        }
    }
}
