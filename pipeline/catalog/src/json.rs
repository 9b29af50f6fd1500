//! Rows as JSON, written from columns.

use std::io::Write as _;

use chrono::{DateTime, SecondsFormat};
use fdna_schemas::{Column, ColumnType, Table};
use serde_json::{Map, Value, json};

use crate::cell::{TableCell, day};
use crate::table::CatalogTable;

/// What a row is written as: members in the order of the contract.
#[derive(Debug)]
pub(crate) struct RowForm(Vec<ObjectMember>);

#[derive(Debug)]
struct ObjectMember {
    name: String,
    /// The same with quotes and colon.
    key: String,
    value: MemberValue,
}

#[derive(Debug)]
enum MemberValue {
    Column(usize),
    /// A column whose texts are JSON.
    Json(usize),
    Object(Vec<ObjectMember>),
}

impl ObjectMember {
    fn new(name: &str, value: MemberValue) -> Self {
        Self { name: name.to_owned(), key: format!("{}:", Value::from(name)), value }
    }

    fn of_column(table: &Table, key: &str, place: usize) -> Self {
        let is_json = table.columns[place].kind == ColumnType::Json;
        Self::new(key, if is_json { MemberValue::Json(place) } else { MemberValue::Column(place) })
    }
}

impl RowForm {
    /// These columns of a table, those of an object together where its first one stands.
    pub(crate) fn of(table: &Table, places: &[usize]) -> Result<Self, String> {
        let mut members: Vec<(&str, ObjectMember)> = Vec::new();
        for place in places {
            let name = table.columns[*place].name.as_str();
            let Some((object, rest)) = object_of(table, name) else {
                if members.iter().any(|(taken, _)| *taken == name) {
                    return Err(format!("`{name}` is a column and an object of `{}`", table.name));
                }
                members.push((name, ObjectMember::of_column(table, name, *place)));
                continue;
            };
            let inner = ObjectMember::of_column(table, rest, *place);
            match members.iter_mut().find(|(taken, _)| *taken == object) {
                Some((_, ObjectMember { value: MemberValue::Object(inside), .. })) => inside.push(inner),
                Some(_) => return Err(format!("`{object}` is a column and an object of `{}`", table.name)),
                None => members.push((object, ObjectMember::new(object, MemberValue::Object(vec![inner])))),
            }
        }
        Ok(Self(members.into_iter().map(|(_, member)| member).collect()))
    }

    /// Places of columns in the table, each with the names that lead to it.
    pub(crate) fn columns(&self) -> Vec<(Vec<&str>, usize)> {
        columns_of(&self.0)
    }

    /// As JSON Schema.
    pub(crate) fn schema(&self, table: &Table) -> Value {
        schema_of(&self.0, table)
    }

    pub(crate) fn write(&self, table: &CatalogTable, row: u32, out: &mut Vec<u8>) -> serde_json::Result<()> {
        write_object(&self.0, table, row, out)
    }

    /// The members alone, without the braces around them.
    pub(crate) fn write_members(
        &self,
        table: &CatalogTable,
        row: u32,
        out: &mut Vec<u8>,
    ) -> serde_json::Result<()> {
        write_members(&self.0, table, row, out)
    }
}

fn columns_of(members: &[ObjectMember]) -> Vec<(Vec<&str>, usize)> {
    let columns = members.iter().flat_map(|member| match &member.value {
        MemberValue::Column(place) | MemberValue::Json(place) => vec![(vec![&*member.name], *place)],
        MemberValue::Object(inside) => {
            let inside = columns_of(inside).into_iter();
            inside.map(|(path, place)| ([vec![&*member.name], path].concat(), place)).collect()
        }
    });
    columns.collect()
}

fn schema_of(members: &[ObjectMember], table: &Table) -> Value {
    let schemas = members.iter().map(|member| {
        let schema = match &member.value {
            MemberValue::Column(place) | MemberValue::Json(place) => column_schema(&table.columns[*place]),
            MemberValue::Object(inside) => schema_of(inside, table),
        };
        (member.name.clone(), schema)
    });
    let properties: Map<String, Value> = schemas.collect();
    let required: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

/// A column as JSON Schema.
fn column_schema(column: &Column) -> Value {
    let (kind, format) = match column.kind {
        ColumnType::Int32 | ColumnType::Int64 => ("integer", None),
        ColumnType::Float64 => ("number", None),
        ColumnType::Bool => ("boolean", None),
        ColumnType::Date => ("string", Some("date")),
        ColumnType::Instant => ("string", Some("date-time")),
        ColumnType::Uuid => ("string", Some("uuid")),
        ColumnType::String => ("string", None),
        ColumnType::Json => return json!({"description": described(column)}),
    };
    let kind = if column.is_nullable() { json!([kind, "null"]) } else { json!(kind) };
    let mut schema = json!({"type": kind, "description": described(column)});
    if let Some(format) = format {
        schema["format"] = format.into();
    }
    schema
}

fn described(column: &Column) -> String {
    let unit = column.unit.as_ref().map_or_else(String::new, |unit| format!(" ({unit})"));
    let null = column.null_means.as_ref().map_or_else(String::new, |null| format!("; null: {null}"));
    format!("{}{unit}{null}", column.meaning)
}

/// The object that a column stands in, and its name there.
fn object_of<'t>(table: &'t Table, column: &'t str) -> Option<(&'t str, &'t str)> {
    let parts = table.objects.iter().filter_map(|object| {
        let rest = column.strip_prefix(object.as_str())?.strip_prefix('_')?;
        (!rest.is_empty()).then_some((object.as_str(), rest))
    });
    parts.max_by_key(|(object, _)| object.len())
}

fn write_object(
    members: &[ObjectMember],
    table: &CatalogTable,
    row: u32,
    out: &mut Vec<u8>,
) -> serde_json::Result<()> {
    out.push(b'{');
    write_members(members, table, row, out)?;
    out.push(b'}');
    Ok(())
}

fn write_members(
    members: &[ObjectMember],
    table: &CatalogTable,
    row: u32,
    out: &mut Vec<u8>,
) -> serde_json::Result<()> {
    for (place, member) in members.iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        out.extend_from_slice(member.key.as_bytes());
        match &member.value {
            MemberValue::Object(inside) => write_object(inside, table, row, out)?,
            MemberValue::Column(column) => write_cell(table.cell(*column, row), out)?,
            MemberValue::Json(column) => match table.cell(*column, row) {
                TableCell::Text(text) => out.extend_from_slice(text.as_bytes()),
                _ => out.extend_from_slice(b"null"),
            },
        }
    }
    Ok(())
}

fn write_cell(cell: TableCell<'_>, out: &mut Vec<u8>) -> serde_json::Result<()> {
    match cell {
        TableCell::Is(is) => serde_json::to_writer(out, &is),
        TableCell::Int(number) => serde_json::to_writer(out, &number),
        TableCell::Float(number) => serde_json::to_writer(out, &number),
        TableCell::Text(text) => serde_json::to_writer(out, text),
        TableCell::Day(days) => match day(days) {
            Some(day) => write!(out, "\"{day}\"").map_err(serde_json::Error::io),
            None => serde_json::to_writer(out, &()),
        },
        TableCell::Instant(millis) => {
            let at = DateTime::from_timestamp_millis(millis);
            serde_json::to_writer(out, &at.map(|at| at.to_rfc3339_opts(SecondsFormat::AutoSi, true)))
        }
        TableCell::Null => serde_json::to_writer(out, &()),
    }
}
