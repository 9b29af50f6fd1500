//! Tables that are made outside of SQL, column by column. Texts go to the engine as numbers, and become there an enumeration of what
//! occurs: of millions of rows most repeat a few texts, and are kept, sorted and given on as small numbers.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray as _, Int32Array, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Int32Type, Schema};
use arrow::error::ArrowError;
use duckdb::Connection;
use fdna_schemas::{Column, ColumnType, Table};

use super::sql::{model_error, rows_error, sql_type};
use crate::WarehouseError;
use crate::settings::{quote_name, quote_text};

/// A table of the engine while rows are appended to it.
pub(super) struct NewTable<'a> {
    connection: &'a Connection,
    table: &'a Table,
    /// Name of the table of numbers.
    numbers: String,
    /// By the place of a column of texts: the number of each.
    texts: BTreeMap<usize, BTreeMap<String, i32>>,
}

impl<'a> NewTable<'a> {
    pub(super) fn create(connection: &'a Connection, table: &'a Table) -> Result<Self, WarehouseError> {
        let texts = table.columns.iter().enumerate().filter(|(_, column)| is_text(column));
        let texts = texts.map(|(place, _)| (place, BTreeMap::new())).collect();
        let numbers = format!("{} in numbers", table.name);
        let new = Self { connection, table, numbers, texts };
        let kind = |column: &Column| if is_text(column) { "INTEGER" } else { sql_type(column.kind) };
        let columns: Vec<String> = table
            .columns
            .iter()
            .map(|column| format!("{} {}", quote_name(&column.name), kind(column)))
            .collect();
        new.execute_sql(&format!("CREATE TABLE {} ({})", quote_name(&new.numbers), columns.join(", ")))?;
        Ok(new)
    }

    /// Appends rows, given as all columns of the table in its order. Texts that repeat are best given as a dictionary.
    pub(super) fn append_columns(&mut self, mut columns: Vec<ArrayRef>) -> Result<(), WarehouseError> {
        for (place, numbers) in &mut self.texts {
            let Some(column) = columns.get_mut(*place) else { continue };
            *column = number_texts(column, numbers).map_err(|source| rows_error(&self.table.name, source))?;
        }
        let names: Vec<&str> = self.table.columns.iter().map(|column| &*column.name).collect();
        self.append_batch(&self.numbers, &names, columns)
    }

    fn append_batch(&self, into: &str, names: &[&str], columns: Vec<ArrayRef>) -> Result<(), WarehouseError> {
        let fields = names.iter().zip(&columns);
        let fields = fields.map(|(name, array)| Field::new(*name, array.data_type().clone(), true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let rows =
            RecordBatch::try_new(schema, columns).map_err(|source| rows_error(&self.table.name, source))?;
        let append = || {
            let mut appender = self.connection.appender(into)?;
            appender.append_record_batch(rows)?;
            appender.flush()
        };
        append().map_err(|source| model_error(&self.table.name, source))
    }

    /// Makes the table.
    pub(super) fn finish(self) -> Result<(), WarehouseError> {
        let (mut columns, mut joins, mut done) = (Vec::new(), String::new(), vec![self.numbers.clone()]);
        for (place, column) in self.table.columns.iter().enumerate() {
            let name = quote_name(&column.name);
            let Some(numbers) = self.texts.get(&place).filter(|numbers| !numbers.is_empty()) else {
                let none = is_text(column).then(|| format!("CAST(NULL AS VARCHAR) AS {name}"));
                columns.push(none.unwrap_or_else(|| format!("numbers.{name}")));
                continue;
            };
            let texts = self.create_texts(column, numbers)?;
            columns.push(format!("t{place}.text AS {name}"));
            joins +=
                &format!(" LEFT JOIN {} AS t{place} ON t{place}.number = numbers.{name}", quote_name(&texts));
            done.push(texts);
        }
        self.execute_sql(&format!(
            "CREATE TABLE {} AS SELECT {} FROM {} AS numbers{joins}",
            quote_name(&self.table.name),
            columns.join(", "),
            quote_name(&self.numbers)
        ))?;
        done.iter().try_for_each(|table| self.execute_sql(&format!("DROP TABLE {}", quote_name(table))))
    }

    /// A table of the texts of a column with their numbers. As an enumeration they have the order of texts.
    fn create_texts(
        &self,
        column: &Column,
        numbers: &BTreeMap<String, i32>,
    ) -> Result<String, WarehouseError> {
        let table = format!("texts of {} {}", self.table.name, column.name);
        let quoted: Vec<String> = numbers.keys().map(|text| quote_text(text)).collect();
        self.execute_sql(&format!(
            "CREATE TABLE {} (number INTEGER, text ENUM ({}))",
            quote_name(&table),
            quoted.join(", ")
        ))?;
        let places: ArrayRef = Arc::new(Int32Array::from_iter_values(numbers.values().copied()));
        let texts: ArrayRef = Arc::new(StringArray::from_iter_values(numbers.keys()));
        self.append_batch(&table, &["number", "text"], vec![places, texts])?;
        Ok(table)
    }

    fn execute_sql(&self, sql: &str) -> Result<(), WarehouseError> {
        self.connection.execute_batch(sql).map_err(|source| model_error(&self.table.name, source))
    }
}

fn is_text(column: &Column) -> bool {
    matches!(column.kind, ColumnType::String | ColumnType::Json)
}

/// Texts as numbers, and each text once.
pub(super) fn to_dictionary(texts: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    cast(texts, &DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)))
}

/// Each text as its number; a new one gets the next.
fn number_texts(column: &ArrayRef, numbers: &mut BTreeMap<String, i32>) -> Result<ArrayRef, ArrowError> {
    let column = to_dictionary(column)?;
    let column = column.as_dictionary::<Int32Type>();
    let next = |numbers: &BTreeMap<String, i32>| i32::try_from(numbers.len());
    let mut of_value = Vec::new();
    for text in column.values().as_string::<i32>() {
        let text = text.unwrap_or_default();
        let number = match numbers.get(text) {
            Some(number) => *number,
            None => {
                let number = next(numbers).map_err(|error| ArrowError::ExternalError(error.into()))?;
                numbers.insert(text.to_owned(), number);
                number
            }
        };
        of_value.push(number);
    }
    let number = |key: Option<i32>| of_value.get(usize::try_from(key?).ok()?).copied();
    Ok(Arc::new(column.keys().iter().map(number).collect::<Int32Array>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_with_their_order_and_nulls() {
        let table = Table::parse(
            "t",
            "grain='g'\nkey=['k']\nmeaning='m'\ncolumns = [\n\
             {name='k',type='int32',meaning='key'},{name='v',type='string',meaning='text',null_means='none'},\n\
             {name='n',type='string',meaning='never there',null_means='none'}]",
        );
        let table = Table { name: "t".to_owned(), ..table.unwrap() };
        let connection = Connection::open_in_memory().unwrap();
        let mut new = NewTable::create(&connection, &table).unwrap();
        for (first, texts) in [(0, [Some("b'"), None, Some("a")]), (3, [Some("a"), Some("c"), Some("b'")])] {
            let keys: ArrayRef = Arc::new(Int32Array::from_iter_values(first..first + 3));
            let never: ArrayRef = Arc::new(StringArray::from(vec![None::<&str>; 3]));
            new.append_columns(vec![keys, Arc::new(StringArray::from(texts.to_vec())), never]).unwrap();
        }
        new.finish().unwrap();
        let sql =
            "SELECT string_agg(concat(k, ':', coalesce(v, '-'), coalesce(n, '')), ' ' ORDER BY v, k) FROM t";
        let rows: String = connection.query_row(sql, [], |row| row.get(0)).unwrap();
        assert_eq!(rows, "2:a 3:a 0:b' 5:b' 4:c 1:-");
        let tables: i64 =
            connection.query_row("SELECT count(*) FROM duckdb_tables()", [], |row| row.get(0)).unwrap();
        assert_eq!(tables, 1, "tables of numbers and texts go");
    }
}
