//! The data of an answer as sections of a page: a table for each part, a picture before it where its columns have one.

use std::borrow::Cow;

use fdna_catalog::{AnswerField, AnswerPart, CatalogRoute, Column, ColumnType, RouteCatalog};
use serde_json::Value;

use super::{pictures, title};
use crate::ask::is_id;
use crate::page::{Cell, Section, Table, TableColumn};
use crate::shown::{capital, minute, sentence, words};

/// Rows of a section, at most: a page is read, not taken away.
const MOST_ROWS: usize = 300;

pub(super) fn sections(catalog: &'static RouteCatalog, route: &CatalogRoute, data: &Value) -> Vec<Section> {
    let whole = "answer";
    if data["available"] == false {
        let reason = data["reason"].as_str().unwrap_or("not known");
        return vec![Section::new(whole, "Not available").line(sentence(&words(reason)))];
    }
    let sections = route.parts().map(|part| {
        let (id, rows) = match part.name() {
            "" => (whole, data),
            name => (name, &data[name]),
        };
        let table = part.table().name.strip_prefix(route.sport).unwrap_or(&part.table().name);
        let heading = capital(words(if id == whole { table } else { id }).trim());
        let section = Section::new(id, heading).wide().line(part.table().meaning.clone());
        if rows.is_null() {
            let why = data["unavailable"][id].as_str().unwrap_or("not known");
            return section.line(format!("Not available: {}.", words(why)));
        }
        let fields = part.fields();
        let rows = &*flat(&part, rows);
        let (count, rows): (usize, Vec<&Value>) = match rows {
            Value::Array(rows) => (rows.len(), rows.iter().take(MOST_ROWS).collect()),
            row => (1, vec![row]),
        };
        let section = match count > MOST_ROWS {
            true => section.line(format!("The first {MOST_ROWS} of {count} rows; the API has all.")),
            false => section,
        };
        let section = pictures::of(&part, &fields, &rows).into_iter().fold(section, Section::figure);
        let table = if part.is_list() {
            list(catalog, route, &part, &fields, &rows)
        } else {
            one(catalog, route, &fields, rows[0])
        };
        section.table(table)
    });
    sections.collect()
}

/// Rows with nested ones as a row for each of these, beside what their row says.
fn flat<'v>(part: &AnswerPart<'_>, rows: &'v Value) -> Cow<'v, Value> {
    let (Some(nested), Value::Array(groups)) = (part.nested(), rows) else { return Cow::Borrowed(rows) };
    let rows = groups.iter().flat_map(|group| {
        let own = group.as_object().into_iter().flatten().filter(move |(name, _)| *name != nested);
        group[nested].as_array().into_iter().flatten().map(move |row| {
            let inside = row.as_object().into_iter().flatten();
            own.clone().chain(inside).map(|(name, value)| (name.clone(), value.clone())).collect()
        })
    });
    Cow::Owned(Value::Array(rows.map(Value::Object).collect()))
}

/// The member of a row that a field names.
pub(super) fn value<'v>(row: &'v Value, field: &AnswerField<'_>) -> &'v Value {
    field.path.iter().fold(row, |value, name| &value[*name])
}

/// A row of the table for each row of the answer.
fn list(
    catalog: &'static RouteCatalog,
    route: &CatalogRoute,
    part: &AnswerPart<'_>,
    fields: &[AnswerField<'_>],
    rows: &[&Value],
) -> Table {
    // A column that says nothing in any row is no column.
    let is_said =
        |field: &&AnswerField<'_>| rows.is_empty() || rows.iter().any(|row| !value(row, field).is_null());
    let fields: Vec<&AnswerField<'_>> = fields.iter().filter(is_said).collect();
    let links: Vec<Option<&CatalogRoute>> =
        fields.iter().map(|field| about(catalog, route, field.column)).collect();
    let columns = fields.iter().map(|field| TableColumn {
        name: format!("{}{}", title(&field.path), unit(field.column)),
        is_number: is_number(field.column),
    });
    let rows = rows.iter().map(|row| {
        let cells = fields.iter().zip(&links);
        cells.map(|(field, about)| cell(field, *about, row)).collect()
    });
    Table::new(part.table().grain.as_str(), columns, rows)
}

/// One row, a line for each of its columns.
fn one(
    catalog: &'static RouteCatalog,
    route: &CatalogRoute,
    fields: &[AnswerField<'_>],
    row: &Value,
) -> Table {
    let rows = fields.iter().map(|field| {
        vec![
            Cell::text(format!("{}{}", title(&field.path), unit(field.column))),
            cell(field, about(catalog, route, field.column), row),
            Cell::text(field.column.meaning.as_str()),
        ]
    });
    Table::new("What it says", ["Name", "Value", "Meaning"].map(TableColumn::text), rows)
}

fn unit(column: &Column) -> String {
    column.unit.as_ref().map_or_else(String::new, |unit| format!(" ({unit})"))
}

fn is_number(column: &Column) -> bool {
    matches!(column.kind, ColumnType::Int32 | ColumnType::Int64 | ColumnType::Float64)
}

/// A value, with the page of the route that is about what it names.
fn cell(field: &AnswerField<'_>, about: Option<&CatalogRoute>, row: &Value) -> Cell {
    let value = value(row, field);
    match value {
        Value::Null => Cell::missing(field.column.null_means.as_deref().unwrap_or("not stated")),
        Value::Bool(is) => Cell::text(if *is { "yes" } else { "no" }),
        Value::Number(number) => {
            Cell { value: number.as_f64().filter(|_| number.is_f64()), ..Cell::text(rounded(number)) }
        }
        Value::String(text) if field.column.kind == ColumnType::Instant => Cell::text(minute(text)),
        Value::String(text) => {
            Cell { href: about.and_then(|about| address_of(about, text)), ..Cell::text(text.as_str()) }
        }
        nested => Cell::text(told(nested)),
    }
}

/// A number to three decimals, without zeros that say nothing.
pub(super) fn rounded(number: &serde_json::Number) -> String {
    match number.as_f64().filter(|_| number.is_f64()) {
        Some(value) => {
            let text = format!("{value:.3}");
            let text = text.trim_end_matches('0').trim_end_matches('.');
            if text == "-0" { "0".to_owned() } else { text.to_owned() }
        }
        None => number.to_string(),
    }
}

/// The route about the thing that a column names, if it is another one.
fn about(
    catalog: &'static RouteCatalog,
    route: &CatalogRoute,
    column: &Column,
) -> Option<&'static CatalogRoute> {
    catalog.route_about(route.sport, &column.name).filter(|about| about.path != route.path)
}

/// The page of a route about one thing.
fn address_of(about: &CatalogRoute, id: &str) -> Option<String> {
    let part = |part| if str::starts_with(part, ':') { id } else { part };
    is_id(id).then(|| about.path.split('/').map(part).collect::<Vec<_>>().join("/"))
}

/// What stands within a value, in words.
fn told(value: &Value) -> String {
    match value {
        Value::Null => "not stated".to_owned(),
        Value::Bool(is) => if *is { "yes" } else { "no" }.to_owned(),
        Value::Number(number) => rounded(number),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(told).collect::<Vec<_>>().join("; "),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| format!("{} {}", words(name), told(value)));
            members.collect::<Vec<_>>().join(", ")
        }
    }
}
