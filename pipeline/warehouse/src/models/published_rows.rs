//! Rows of what models publish, as the contracts type them, a piece at a time: a table of a sport may be larger than all others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, AsArray as _, RecordBatch};
use arrow::compute::{cast, concat_batches};
use arrow::datatypes::{DataType, Schema};
use arrow::error::ArrowError;
use duckdb::{ArrowStream, Connection};
use fdna_schemas::{Column, ColumnType, Table};

use super::json;
use super::row_origin::SportFacts;
use super::sql::{model_error, rows_error, sql_type};
use crate::WarehouseError;
use crate::settings::{quote_name, quote_text};

/// Rows of a published table, some at a time.
pub type TableRows<'r> = dyn Iterator<Item = Result<RecordBatch, WarehouseError>> + 'r;

/// Rows that are given at a time: the engine has them 2,048 at a time.
const PIECE: usize = 32 << 10;

/// Gives the rows of a table to `publish`, in order of its key. The table goes then: those that follow take its room.
pub(super) fn read_rows<E: From<WarehouseError>>(
    facts: &SportFacts<'_>,
    table: &'static Table,
    publish: &mut impl FnMut(&'static Table, &mut TableRows<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let failed = |source| facts.explain_rows(model_error(&table.name, source));
    let name = quote_name(&table.name);
    let words = enum_columns(facts.connection, &table.name).map_err(failed)?;
    let columns = table.columns.iter().map(|column| match words.contains(&column.name) {
        true => quote_name(&column.name),
        false => select_expression(column),
    });
    let columns: Vec<String> = columns.collect();
    let key: Vec<String> = table.key.iter().map(|column| quote_name(column)).collect();
    let sql = format!("SELECT {} FROM {name} ORDER BY {}", columns.join(", "), key.join(", "));
    let mut statement = facts.connection.prepare(&sql).map_err(failed)?;
    let stream = statement.stream_arrow([]).map_err(failed)?;
    let mut rows = PublishedRows { table, stream, has_given: false, words: BTreeMap::new() };
    let rows = std::iter::from_fn(|| rows.next_piece().transpose());
    publish(table, &mut rows.map(|rows| rows.map_err(|error| facts.explain_rows(error))))?;
    drop(statement);
    Ok(facts.connection.execute_batch(&format!("DROP TABLE {name}")).map_err(failed)?)
}

/// Columns of which the engine keeps numbers in the place of words. They are given so, with the words once.
fn enum_columns(connection: &Connection, table: &str) -> Result<BTreeSet<String>, duckdb::Error> {
    let sql = format!(
        "SELECT column_name FROM duckdb_columns() WHERE table_name = {} AND starts_with(data_type, 'ENUM')",
        quote_text(table)
    );
    let mut statement = connection.prepare(&sql)?;
    let names = statement.query_map([], |row| row.get(0))?;
    names.collect()
}

/// A column as the contract types it. Numbers that are none become nulls here: a null is what they say.
fn select_expression(column: &Column) -> String {
    let name = quote_name(&column.name);
    match column.kind {
        ColumnType::Json => name,
        ColumnType::Float64 => {
            format!("CASE WHEN isfinite(CAST({name} AS DOUBLE)) THEN CAST({name} AS DOUBLE) END AS {name}")
        }
        kind => format!("CAST({name} AS {}) AS {name}", sql_type(kind)),
    }
}

struct PublishedRows<'s> {
    table: &'static Table,
    stream: ArrowStream<'s>,
    has_given: bool,
    /// By the place of a column of numbers for words: the words. Pieces that share them are joined without a look at each.
    words: BTreeMap<usize, ArrayRef>,
}

impl PublishedRows<'_> {
    /// Of a table without rows, one piece of none.
    fn next_piece(&mut self) -> Result<Option<RecordBatch>, WarehouseError> {
        let (mut rows, mut count) = (Vec::new(), 0);
        while count < PIECE {
            let Some(some) = self.stream.next() else { break };
            let some = some.map_err(|source| model_error(&self.table.name, source))?;
            count += some.num_rows();
            rows.push(
                self.conform_to_contract(&some).map_err(|source| rows_error(&self.table.name, source))?,
            );
        }
        if rows.is_empty() && !self.has_given {
            let none = RecordBatch::new_empty(self.stream.get_schema());
            rows.push(
                self.conform_to_contract(&none).map_err(|source| rows_error(&self.table.name, source))?,
            );
        }
        self.has_given = true;
        let Some(first) = rows.first() else { return Ok(None) };
        concat_batches(first.schema_ref(), &rows)
            .map(Some)
            .map_err(|source| rows_error(&self.table.name, source))
    }

    fn conform_to_contract(&mut self, rows: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let columns = self.table.columns.iter().zip(rows.columns()).enumerate();
        let columns = columns.map(|(place, (column, array))| match (column.kind, array.data_type()) {
            (ColumnType::String | ColumnType::Json, DataType::Dictionary(..)) => {
                let array = array.as_any_dictionary();
                let words = self.words.entry(place).or_insert_with(|| array.values().clone());
                Ok(array.with_values(Arc::clone(words)))
            }
            (ColumnType::Json, kind) if kind != &DataType::Utf8 => Ok(json::to_json_texts(array)),
            (kind, _) => cast(array, &kind.to_arrow()),
        });
        let columns: Vec<ArrayRef> = columns.collect::<Result<_, _>>()?;
        let fields = self.table.columns.iter().zip(&columns);
        let fields =
            fields.map(|(column, array)| column.arrow_field().with_data_type(array.data_type().clone()));
        RecordBatch::try_new(Arc::new(Schema::new(fields.collect::<Vec<_>>())), columns)
    }
}
