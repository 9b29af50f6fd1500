//! Rows that no table can hold: those that readers of files set aside, and those of models that lack a value or contradict
//! another row of their key. One of them costs a sport a row, and not its tables.

use arrow::array::{Array as _, AsArray as _, RecordBatch};
use duckdb::types::Value;
use duckdb::{Connection, appender_params_from_iter};
use fdna_schemas::{Column, ColumnType, Table};
use serde_json::Map;

use super::json;
use super::request::FactsFile;
use super::row_origin::{RowOrigin, SportFacts};
use super::sql::{model_error, query_rows};
use crate::WarehouseError;
use crate::settings::{quote_name, quote_text};

/// Name of what a capture set aside, among the tables of its facts.
pub(super) const OF_FACTS: &str = "quarantine";

/// Rows of models whose place in a file is looked for; of more, it would take longer than the models.
const PLACED: usize = 100;

/// Why a row of a model is set aside.
struct RefusedRow {
    severity: &'static str,
    kind: String,
    reason: String,
    /// The values of its key, of which some may be null.
    key: Vec<Option<String>>,
    raw: String,
    origin: Option<RowOrigin>,
}

/// Rows that models of a sport set aside, by table.
#[derive(Default)]
pub(super) struct RefusedRows(Vec<(String, RefusedRow)>);

impl RefusedRows {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes the rows out of a table that it cannot hold by its contract, and the values that no column of a type can, where
    /// it may be null.
    ///
    /// # Errors
    /// No row would be left, or the table has not the columns of its contract.
    pub(super) fn take_out(&mut self, facts: &SportFacts<'_>, table: &Table) -> Result<(), WarehouseError> {
        let connection = facts.connection;
        let failed = |source| model_error(&table.name, source);
        self.take_out_values(facts, table)?;
        if !has_refused(connection, table).map_err(failed)? {
            return Ok(());
        }
        let name = quote_name(&table.name);
        let judge = format!("CREATE TEMP TABLE refused AS {}", refused_rows(table));
        connection.execute_batch(&judge).map_err(failed)?;
        let texts: Vec<String> =
            key_columns(table).map(|key| format!("CAST({name}.{key} AS VARCHAR)")).collect();
        let sql = format!(
            "SELECT refused.kind AS \"kind \", refused.reason AS \"reason \", [{}] AS \"key \", {name}.* \
             FROM refused JOIN {name} ON refused.place = {name}.rowid",
            texts.join(", ")
        );
        let mut rows = read_refused(&query_rows(connection, &table.name, &sql)?, "quarantine");
        rows.sort_by(|a, b| (&a.key, &a.kind, &a.raw).cmp(&(&b.key, &b.kind, &b.raw)));
        let take =
            format!("DELETE FROM {name} WHERE rowid IN (SELECT place FROM refused); DROP TABLE temp.refused");
        connection.execute_batch(&take).map_err(failed)?;
        for row in rows.iter_mut().take(PLACED) {
            row.origin = facts.find_key(table, &row.key)?;
        }
        let left = format!("SELECT count(*) FROM {name}");
        let left: i64 = connection.query_row(&left, [], |row| row.get(0)).map_err(failed)?;
        if left == 0 {
            return Err(every_row(table, &rows));
        }
        self.0.extend(rows.into_iter().map(|row| (table.name.clone(), row)));
        Ok(())
    }

    /// The values that are no values of their column, each with a note.
    fn take_out_values(&mut self, facts: &SportFacts<'_>, table: &Table) -> Result<(), WarehouseError> {
        let failed = |source| model_error(&table.name, source);
        let name = quote_name(&table.name);
        let columns = table.columns.iter().filter(|column| column.is_nullable());
        let columns: Vec<(&Column, String)> =
            columns.filter_map(|column| Some((column, is_unreadable(column)?))).collect();
        let any: Vec<String> = columns.iter().map(|(_, unreadable)| unreadable.clone()).collect();
        let has_any = match any.is_empty() {
            true => "SELECT false".to_owned(),
            false => format!("SELECT EXISTS (SELECT 1 FROM {name} WHERE {})", any.join(" OR ")),
        };
        if !facts.connection.query_row(&has_any, [], |row| row.get(0)).map_err(failed)? {
            return Ok(());
        }
        for (column, is_unreadable) in columns {
            let value = quote_name(&column.name);
            let reason = format!("concat('`{}` is `', CAST({name}.{value} AS VARCHAR), '`')", column.name);
            let texts: Vec<String> =
                key_columns(table).map(|key| format!("CAST({name}.{key} AS VARCHAR)")).collect();
            let sql = format!(
                "SELECT 'unreadable_value' AS \"kind \", {reason} AS \"reason \", [{}] AS \"key \", {name}.* \
                 FROM {name} WHERE {is_unreadable}",
                texts.join(", ")
            );
            let mut rows = read_refused(&query_rows(facts.connection, &table.name, &sql)?, "note");
            rows.sort_by(|a, b| (&a.key, &a.raw).cmp(&(&b.key, &b.raw)));
            for row in rows.iter_mut().take(PLACED) {
                row.origin = facts.find_key(table, &row.key)?;
            }
            let update = format!("UPDATE {name} SET {value} = NULL WHERE {is_unreadable}");
            facts.connection.execute_batch(&update).map_err(failed)?;
            self.0.extend(rows.into_iter().map(|row| (table.name.clone(), row)));
        }
        Ok(())
    }

    /// Makes the table of all that was set aside, of what captures did and of these rows.
    ///
    /// # Errors
    /// A table of facts cannot be read.
    pub(super) fn make_table(
        &self,
        connection: &Connection,
        files: &[FactsFile<'_>],
        table: &Table,
    ) -> Result<(), WarehouseError> {
        let failed = |source| model_error(&table.name, source);
        let columns: Vec<String> = table
            .columns
            .iter()
            .map(|column| format!("{} {}", quote_name(&column.name), super::sql::sql_type(column.kind)))
            .collect();
        let all = format!("CREATE TABLE set_aside ({})", columns.join(", "));
        connection.execute_batch(&all).map_err(failed)?;
        for file in files.iter().filter(|file| file.table == OF_FACTS) {
            let sql = format!(
                "INSERT INTO set_aside SELECT NULL, {}, {}, file, nullif(line, 0), key, stage, NULL, kind, severity, \
                 reason, raw FROM read_parquet({}, hive_partitioning = false)",
                quote_text(&file.captured.source),
                quote_text(&file.captured.capture),
                quote_text(&file.path),
            );
            connection.execute_batch(&sql).map_err(failed)?;
        }
        let append = || {
            let mut appender = connection.appender("set_aside")?;
            for (table, row) in &self.0 {
                appender.append_row(appender_params_from_iter(row.to_values(table)))?;
            }
            appender.flush()
        };
        append().map_err(failed)?;
        let others: Vec<String> = table.columns[1..].iter().map(|column| quote_name(&column.name)).collect();
        let others = others.join(", ");
        let number = format!(
            "CREATE TABLE {} AS SELECT row_number() OVER (ORDER BY {others}) AS number, {others} FROM set_aside; \
             DROP TABLE set_aside",
            quote_name(&table.name)
        );
        connection.execute_batch(&number).map_err(failed)
    }
}

impl RefusedRow {
    /// In the order of the contract of what is set aside.
    fn to_values(&self, table: &str) -> [Value; 12] {
        let text = |text: &str| Value::Text(text.to_owned());
        let of_origin = |of: &dyn Fn(&RowOrigin) -> Value| self.origin.as_ref().map_or(Value::Null, of);
        let key: Vec<&str> = self.key.iter().map(|part| part.as_deref().unwrap_or("null")).collect();
        [
            Value::Null,
            of_origin(&|origin| text(&origin.source)),
            of_origin(&|origin| origin.capture.as_deref().map_or(Value::Null, text)),
            of_origin(&|origin| text(&origin.file)),
            of_origin(&|origin| Value::Int(origin.line)),
            text(&key.join(" / ")),
            text("models"),
            text(table),
            text(&self.kind),
            text(self.severity),
            text(&self.reason),
            text(&self.raw),
        ]
    }
}

/// Whether a value is none of its column; `None` where any is.
fn is_unreadable(column: &Column) -> Option<String> {
    let name = quote_name(&column.name);
    let is_text = matches!(column.kind, ColumnType::String | ColumnType::Json | ColumnType::Uuid);
    let kind = super::sql::sql_type(column.kind);
    (!is_text).then(|| format!("({name} IS NOT NULL AND TRY_CAST({name} AS {kind}) IS NULL)"))
}

/// Conditions under which a row lacks a required column, each with the reason in words.
fn missing_conditions(column: &Column) -> Vec<(String, String)> {
    let (name, shown) = (quote_name(&column.name), &column.name);
    let mut lacks = vec![(format!("{name} IS NULL"), format!("'`{shown}` has no value'"))];
    if let Some(is_unreadable) = is_unreadable(column) {
        lacks.push((is_unreadable, format!("concat('`{shown}` is `', CAST({name} AS VARCHAR), '`')")));
    }
    if column.kind == ColumnType::Float64 {
        // Conditions may be asked in any order.
        let is_infinite = format!("NOT isfinite(TRY_CAST({name} AS DOUBLE))");
        lacks.push((is_infinite, format!("'`{shown}` is no number'")));
    }
    lacks
}

/// The first reason of a column; null where there is none.
fn reason_expression(column: &Column) -> String {
    let cases = missing_conditions(column)
        .into_iter()
        .map(|(condition, reason)| format!("WHEN {condition} THEN {reason}"));
    format!("CASE {} END", cases.collect::<Vec<_>>().join(" "))
}

fn key_columns(table: &Table) -> impl Iterator<Item = String> {
    table.key.iter().map(|key| quote_name(key))
}

fn required_columns(table: &Table) -> impl Iterator<Item = &Column> {
    table.columns.iter().filter(|column| !column.is_nullable())
}

fn key_of(table: &Table) -> String {
    key_columns(table).collect::<Vec<_>>().join(", ")
}

fn has_refused(connection: &Connection, table: &Table) -> duckdb::Result<bool> {
    let missing: Vec<String> =
        required_columns(table).flat_map(missing_conditions).map(|(condition, _)| condition).collect();
    let (name, key) = (quote_name(&table.name), key_of(table));
    let sql = format!(
        "SELECT EXISTS (SELECT 1 FROM {name} WHERE {}) \
         OR EXISTS (SELECT 1 FROM {name} GROUP BY {key} HAVING count(*) > 1)",
        missing.join(" OR ")
    );
    connection.query_row(&sql, [], |row| row.get(0))
}

/// Place, kind and reason of the rows that a table cannot hold. Of rows that are the same in all columns one stays.
fn refused_rows(table: &Table) -> String {
    let missing: Vec<String> = required_columns(table).map(reason_expression).collect();
    let (name, key, of) = (quote_name(&table.name), key_of(table), table.key.join(", "));
    // Names that no column has: a key may be called `place`.
    format!(
        "SELECT \"row place\" AS place,
                CASE WHEN \"row lacks\" <> '' THEN 'missing_value' WHEN \"row again\" THEN 'duplicate' ELSE 'contradiction' END AS kind,
                CASE WHEN \"row lacks\" <> '' THEN \"row lacks\" WHEN \"row again\" THEN 'the same row once more'
                     ELSE concat(\"rows of key\", ' rows of one key ({of}) contradict one another') END AS reason
         FROM (SELECT \"row place\", \"row lacks\", count(*) OVER of_key AS \"rows of key\",
                      row_number() OVER (PARTITION BY {key}, \"row lacks\", \"row digest\" ORDER BY \"row place\") > 1 AS \"row again\",
                      min(\"row digest\") OVER of_key <> max(\"row digest\") OVER of_key AS \"row differs\"
               FROM (SELECT one.rowid AS \"row place\", hash(one) AS \"row digest\", {key}, concat_ws('; ', {missing}) AS \"row lacks\"
                     FROM {name} AS one)
               WINDOW of_key AS (PARTITION BY {key}, \"row lacks\"))
         WHERE \"row lacks\" <> '' OR \"row again\" OR \"row differs\"",
        missing = missing.join(", ")
    )
}

fn read_refused(batch: &RecordBatch, severity: &'static str) -> Vec<RefusedRow> {
    let schema = batch.schema();
    let text = |column: usize, row: usize| batch.column(column).as_string::<i32>().value(row).to_owned();
    let row = |row: usize| {
        let keys = batch.column(2).as_list::<i32>().value(row);
        let keys = keys.as_string::<i32>();
        let key = (0..keys.len()).map(|at| keys.is_valid(at).then(|| keys.value(at).to_owned())).collect();
        let columns = schema.fields().iter().zip(batch.columns()).skip(3);
        let raw: Map<String, serde_json::Value> =
            columns.map(|(field, column)| (field.name().clone(), json::to_json_value(column, row))).collect();
        let raw = serde_json::Value::Object(raw).to_string();
        RefusedRow { severity, kind: text(0, row), reason: text(1, row), key, raw, origin: None }
    };
    (0..batch.num_rows()).map(row).collect()
}

/// Error where no row of a table can be published: then something else is wrong than a row.
fn every_row(table: &Table, rows: &[RefusedRow]) -> WarehouseError {
    let example = rows.first().map(|row| {
        let key: Vec<&str> = row.key.iter().map(|part| part.as_deref().unwrap_or("null")).collect();
        let origin = row.origin.as_ref().map(|origin| format!(", {origin}")).unwrap_or_default();
        format!("{} ({}{origin})", row.reason, key.join(" / "))
    });
    let (table, of, first) = (table.name.clone(), table.key.join(", "), example.unwrap_or_default());
    WarehouseError::NoRow { table, rows: rows.len(), of, first }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let text = "grain = ''\nkey = ['id']\nmeaning = ''\ncolumns = [\
                    { name = 'id', type = 'string', meaning = '' }, { name = 'w', type = 'int32', meaning = '' }, \
                    { name = 'rate', type = 'float64', meaning = '', null_means = 'not known' }]";
        Table { name: "t".to_owned(), ..Table::parse("t", text).unwrap() }
    }

    fn made(rows: &str) -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        let sql = format!("CREATE TABLE t AS SELECT * FROM (VALUES {rows}) AS v(id, w, rate)");
        connection.execute_batch(&sql).unwrap();
        connection
    }

    fn take_out(connection: &Connection) -> Result<Vec<String>, WarehouseError> {
        let mut refused = RefusedRows::default();
        let facts = SportFacts { connection, sport: "none", captures: &[] };
        refused.take_out(&facts, &table())?;
        let told = refused.0.into_iter().map(|(_, row)| format!("{} {} {}", row.kind, row.reason, row.raw));
        Ok(told.collect())
    }

    fn left(connection: &Connection) -> Vec<String> {
        let mut statement = connection.prepare("SELECT concat_ws(' ', id, w) FROM t ORDER BY 1").unwrap();
        let rows = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
        rows.map(Result::unwrap).collect()
    }

    #[test]
    fn rows_that_lack_a_value_or_contradict_one_another_are_taken_out_and_no_others() {
        let connection = made(
            "('a', 1, 0.5), ('a', 2, 0.5), ('b', 1, NULL), ('b', 1, NULL), ('c', NULL, 0.1), (NULL, 3, 0.1), ('d', 4, 0.1)",
        );
        let expected = [
            "missing_value `id` has no value {\"id\":null,\"rate\":0.1,\"w\":3}",
            "contradiction 2 rows of one key (id) contradict one another {\"id\":\"a\",\"rate\":0.5,\"w\":1}",
            "contradiction 2 rows of one key (id) contradict one another {\"id\":\"a\",\"rate\":0.5,\"w\":2}",
            "duplicate the same row once more {\"id\":\"b\",\"rate\":null,\"w\":1}",
            "missing_value `w` has no value {\"id\":\"c\",\"rate\":0.1,\"w\":null}",
        ];
        assert_eq!(take_out(&connection).unwrap(), expected);
        assert_eq!(left(&connection), ["b 1", "d 4"]);
        assert!(take_out(&connection).unwrap().is_empty());
    }

    #[test]
    fn a_value_that_is_none_of_its_column_is_null_with_a_note_or_takes_its_row_where_it_may_not_be() {
        let connection = made("('a', '1', 'x'), ('b', '2b', '0.5'), ('c', '3', '0.25')");
        let expected = [
            "unreadable_value `rate` is `x` {\"id\":\"a\",\"rate\":\"x\",\"w\":\"1\"}",
            "missing_value `w` is `2b` {\"id\":\"b\",\"rate\":\"0.5\",\"w\":\"2b\"}",
        ];
        assert_eq!(take_out(&connection).unwrap(), expected);
        assert_eq!(left(&connection), ["a 1", "c 3"]);
    }

    #[test]
    fn a_table_without_a_row_that_can_be_published_is_an_error() {
        let error = take_out(&made("('a', NULL, 0.5), ('b', NULL, 0.5)")).unwrap_err().to_string();
        assert!(
            error.contains("publish `t`: none of its 2 rows") && error.contains("`w` has no value (a)"),
            "{error}"
        );
    }
}
