//! Values of parameters that no row has: a mistyped team is no team without games.

use std::collections::BTreeSet;

use fdna_api::{ParameterKind, Params, nearest};

use super::AskedRows;
use crate::cell::{AskedValue, TableCell};
use crate::file::FilterOp;
use crate::table::CatalogTable;
use crate::tables::StoredTable;

/// From this likeness on, of 0 to 1, a value may be the one that was meant.
const NEAR: f64 = 0.7;

/// Values of a column among which the nearest are looked for.
const COMPARED: usize = 5_000;

/// A parameter whose value no row has.
pub(crate) struct UnknownValue<'r> {
    pub(crate) parameter: &'r str,
    pub(crate) value: String,
    /// Values that rows have, nearest first.
    pub(crate) near: Vec<String>,
}

impl AskedRows<'_> {
    /// The first parameter that is given and whose value no row has, here or where another route looks for it.
    pub(crate) fn unknown(&self, params: &Params) -> Option<UnknownValue<'static>> {
        let filters = self.data.filters.iter().zip(&self.values).enumerate();
        filters.into_iter().find_map(|(place, (filter, value))| {
            let is_name = matches!(filter.parameter.kind, ParameterKind::Text { .. } | ParameterKind::Season);
            let (name, Some(AskedValue::Text(value))) = (filter.parameter.name, value) else { return None };
            if filter.op != FilterOp::Eq || !is_name || params.given(&filter.parameter).is_none() {
                return None;
            }
            let parts = self.data.parts.iter().filter(|part| !part.filters[place].is_empty());
            let looked_at: Vec<(&CatalogTable, &[usize])> =
                parts.filter_map(|part| Some((self.table(part)?, &*part.filters[place]))).collect();
            let is_known = looked_at.iter().any(|(table, columns)| self.knows(table, columns, value));
            let has_rows = looked_at.iter().any(|(table, _)| !table.all_rows().is_empty());
            if is_known || !has_rows {
                return None;
            }
            let is_season = matches!(filter.parameter.kind, ParameterKind::Season);
            let near = if is_season { beside(&looked_at, value) } else { alike(&looked_at, value) };
            Some(UnknownValue { parameter: name, value: value.clone(), near })
        })
    }

    /// Whether a row of the table has the value, or of another one that is looked up by a column of that name.
    fn knows(&self, table: &CatalogTable, columns: &[usize], value: &str) -> bool {
        let cell = TableCell::Text(value);
        let has = |table: &CatalogTable, column: usize| match table.span(column, cell) {
            Some(span) => !span.is_empty(),
            None => table.all_rows().any(|row| table.cell(column, row).compare(cell).is_eq()),
        };
        let name = |column: &usize| &table.contract().columns[*column].name;
        let elsewhere = |column: &usize| {
            self.tables.of_stage(&table.contract().stage).any(|other| match other {
                StoredTable::InMemory(other) => {
                    let place = other.contract().place(name(column));
                    place.and_then(|place| other.span(place, cell)).is_some_and(|span| !span.is_empty())
                }
                StoredTable::InFile(_) => false,
            })
        };
        columns.iter().any(|column| has(table, *column) || elsewhere(column))
    }
}

/// The values of these columns.
fn values(looked_at: &[(&CatalogTable, &[usize])]) -> BTreeSet<String> {
    let mut values = BTreeSet::new();
    for (table, columns) in looked_at {
        for column in *columns {
            for row in table.all_rows() {
                if let TableCell::Text(text) = table.cell(*column, row)
                    && !values.contains(text)
                {
                    values.insert(text.to_owned());
                }
                if values.len() > COMPARED {
                    return BTreeSet::new();
                }
            }
        }
    }
    values
}

fn alike(looked_at: &[(&CatalogTable, &[usize])], value: &str) -> Vec<String> {
    let values = values(looked_at);
    let names: Vec<&str> = values.iter().map(String::as_str).collect();
    nearest(value, &names, NEAR).into_iter().map(str::to_owned).collect()
}

/// The values before and after one.
fn beside(looked_at: &[(&CatalogTable, &[usize])], value: &str) -> Vec<String> {
    let values = values(looked_at);
    let before = values.iter().rfind(|one| one.as_str() < value);
    let after = values.iter().find(|one| one.as_str() > value);
    before.into_iter().chain(after).cloned().collect()
}
