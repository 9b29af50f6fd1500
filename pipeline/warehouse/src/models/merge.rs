//! Captures of a source merged into one table, before any model sees them. The order in which captures were taken in does
//! not count: they meet in the order of their times.

use chrono::NaiveDate;
use duckdb::Connection;
use fdna_schemas::{CatalogFile, CatalogSource, Column, ColumnType, MergeRule, Table};

use super::request::{FactsFile, RowSelection};
use super::sql::{model_error, sql_type};
use crate::WarehouseError;
use crate::settings::{quote_name, quote_text};

/// Name of a file without the end that says how it is compressed.
const FILE: &str = "regexp_replace(file, '\\.gz$', '')";

/// Columns of where a row stands, which are no facts.
const PLACE: [&str; 3] = ["file", "line", "row_digest"];

/// Makes the table of a source's facts. Without a capture it is there and has no rows.
pub(super) fn make_facts_table(
    connection: &Connection,
    source: &CatalogSource,
    table: &Table,
    files: &[&FactsFile<'_>],
    selection: RowSelection,
) -> Result<(), WarehouseError> {
    let Some(declared) = source.files.iter().find(|file| file.table == table.name) else { return Ok(()) };
    let columns: Vec<String> = table
        .columns
        .iter()
        .filter(|column| !PLACE.contains(&column.name.as_str()))
        .map(|column| quote_name(&column.name))
        .collect();
    let rows = if files.is_empty() { no_rows(table) } else { all_rows(table, files) };
    let merged = merged_rows(declared, &columns);
    let name = quote_name(&table.name);
    let which = selection_clause(table, declared, selection);
    let sql = format!("CREATE TABLE {name} AS WITH captured AS ({rows}) SELECT * FROM ({merged}) {which}");
    connection.execute_batch(&sql).map_err(|source| model_error(&table.name, source))
}

/// The end of a query over a table of facts that yields the rows selected.
fn selection_clause(table: &Table, declared: &CatalogFile, selection: RowSelection) -> String {
    let cut = |column: &Column, before: NaiveDate| {
        let end = match column.kind {
            ColumnType::Date => format!("DATE '{before}'"),
            ColumnType::Instant => format!("TIMESTAMP '{before} 12:00:00'"),
            _ => return None,
        };
        Some(format!("{} < {end} IS NOT FALSE", quote_name(&column.name)))
    };
    let of_text = |column: &String, before: NaiveDate| {
        format!("left({}, 8) < '{}'", quote_name(column), before.format("%Y%m%d"))
    };
    let earlier: Vec<String> = match selection.before {
        Some(before) => {
            let of_columns = table.columns.iter().filter_map(|column| cut(column, before));
            of_columns.chain(declared.day_in.iter().map(|column| of_text(column, before))).collect()
        }
        None => Vec::new(),
    };
    let mut sql = String::new();
    if !earlier.is_empty() {
        sql += &format!("WHERE {}", earlier.join(" AND "));
    }
    if selection.is_shuffled {
        sql += " ORDER BY hash(file, line), file, line";
    }
    sql
}

/// Makes the table of corrections, without rows.
pub(super) fn no_corrections(connection: &Connection, corrections: &Table) -> Result<(), WarehouseError> {
    let columns: Vec<String> = corrections
        .columns
        .iter()
        .map(|column| format!("{} {}", quote_name(&column.name), sql_type(column.kind)))
        .collect();
    let sql = format!("CREATE TABLE {} ({})", quote_name(&corrections.name), columns.join(", "));
    connection.execute_batch(&sql).map_err(|source| model_error(&corrections.name, source))
}

/// Adds what later captures of a source state otherwise than earlier ones.
pub(super) fn add_corrections(
    connection: &Connection,
    source: &CatalogSource,
    table: &Table,
    files: &[&FactsFile<'_>],
    corrections: &Table,
) -> Result<(), WarehouseError> {
    let declared = source.files.iter().find(|file| file.table == table.name);
    let Some(declared) = declared.filter(|file| file.merge != MergeRule::Append) else { return Ok(()) };
    let identity = declared.identity_columns();
    let is_value = |name: &&str| !PLACE.contains(name) && !identity.contains(name);
    let values: Vec<&str> = table.columns.iter().map(|column| &*column.name).filter(is_value).collect();
    if files.len() < 2 || values.is_empty() || identity.is_empty() {
        return Ok(());
    }
    let insert = |told: String| {
        let captured = captured_rows(declared, &all_rows(table, files));
        let sql = format!("INSERT INTO {} WITH {captured} {told}", quote_name(&corrections.name));
        connection.execute_batch(&sql).map_err(|source| model_error(&corrections.name, source))
    };
    insert(corrected_values(&table.name, declared, &values))?;
    match declared.merge {
        MergeRule::Replace => insert(withdrawn_values(&table.name, declared, &values)),
        MergeRule::Latest | MergeRule::Append => Ok(()),
    }
}

fn identity_columns(declared: &CatalogFile) -> String {
    declared.identity_columns().into_iter().map(quote_name).collect::<Vec<_>>().join(", ")
}

/// The rows of all captures, and those of them that no other row of their capture has the identity of.
fn captured_rows(declared: &CatalogFile, all: &str) -> String {
    let is_one = match declared.key.is_empty() {
        true => format!("QUALIFY count(*) OVER (PARTITION BY capture, {}) = 1", identity_columns(declared)),
        false => String::new(),
    };
    format!("all_captured AS ({all}), captured AS (SELECT * FROM all_captured {is_one})")
}

/// Values of rows that the newer of two files of one name no longer has, as corrections to nothing.
fn withdrawn_values(table: &str, declared: &CatalogFile, values: &[&str]) -> String {
    let key = identity_columns(declared);
    let texts: Vec<String> =
        values.iter().map(|column| format!("CAST({0} AS VARCHAR) AS {0}", quote_name(column))).collect();
    let names: Vec<String> = values.iter().map(|column| quote_name(column)).collect();
    let same: Vec<String> = declared
        .identity_columns()
        .into_iter()
        .map(|column| format!("later.{0} IS NOT DISTINCT FROM gone.{0}", quote_name(column)))
        .collect();
    format!(
        ", files AS (
             SELECT *, lead(capture) OVER of_file AS next, lead(captured_at) OVER of_file AS next_at
             FROM (SELECT DISTINCT {FILE} AS of_file, capture, captured_at FROM all_captured)
             WINDOW of_file AS (PARTITION BY of_file ORDER BY captured_at, capture)),
         gone AS (
             SELECT * FROM (SELECT {FILE} AS of_file, * FROM captured) JOIN files USING (of_file, capture, captured_at)
             WHERE next IS NOT NULL),
         withdrawn AS (
             SELECT * FROM gone WHERE NOT EXISTS (
                 SELECT 1 FROM all_captured AS later WHERE later.capture = gone.next AND {same}))
         SELECT {table}, row_key, column_name, arg_max(value, ord), NULL, max(captured_at), max(captured_at), next_at,
                arg_max(next, ord)
         FROM (UNPIVOT (SELECT concat_ws(' / ', {key}) AS row_key, captured_at, ord, next, next_at, {texts} FROM withdrawn)
               ON {names} INTO NAME column_name VALUE value)
         GROUP BY row_key, column_name, next_at",
        table = quote_text(table),
        same = same.join(" AND "),
        texts = texts.join(", "),
        names = names.join(", "),
    )
}

/// The corrections among the rows of all captures. Of a value that one capture states twice the last counts.
fn corrected_values(table: &str, declared: &CatalogFile, values: &[&str]) -> String {
    let key = identity_columns(declared);
    let texts: Vec<String> =
        values.iter().map(|column| format!("CAST({0} AS VARCHAR) AS {0}", quote_name(column))).collect();
    let names: Vec<String> = values.iter().map(|column| quote_name(column)).collect();
    format!(
        "SELECT {table}, row_key, column_name, old, value, old_first_seen_at, old_last_seen_at, captured_at, capture FROM (
             SELECT *, lag(value) OVER of_value AS old, lag(captured_at) OVER of_value AS old_first_seen_at FROM (
                 SELECT *, lag(value) OVER of_value AS before, lag(captured_at) OVER of_value AS old_last_seen_at FROM (
                     SELECT row_key, column_name, captured_at, capture, arg_max(value, ord) AS value, max(ord) AS ord
                     FROM (UNPIVOT (
                         SELECT concat_ws(' / ', {key}) AS row_key, captured_at, capture, ord, {texts} FROM captured
                         WHERE ({key}) IN (SELECT ({key}) FROM captured GROUP BY {key} HAVING count(DISTINCT row_digest) > 1)
                     ) ON {names} INTO NAME column_name VALUE value)
                     GROUP BY row_key, column_name, captured_at, capture)
                 WINDOW of_value AS (PARTITION BY row_key, column_name ORDER BY ord))
             WHERE before IS NULL OR value <> before
             WINDOW of_value AS (PARTITION BY row_key, column_name ORDER BY ord))
         WHERE old IS NOT NULL",
        table = quote_text(table),
        texts = texts.join(", "),
        names = names.join(", "),
    )
}

fn no_rows(table: &Table) -> String {
    let columns: Vec<String> = table
        .columns
        .iter()
        .map(|column| format!("CAST(NULL AS {}) AS {}", sql_type(column.kind), quote_name(&column.name)))
        .collect();
    format!(
        "SELECT {}, CAST(NULL AS TIMESTAMP) AS captured_at, '' AS capture, CAST(0 AS BIGINT) AS ord WHERE false",
        columns.join(", ")
    )
}

/// The rows of all captures, each with a number by which the newer of two is greater.
fn all_rows(table: &Table, files: &[&FactsFile<'_>]) -> String {
    let columns: Vec<String> = table
        .columns
        .iter()
        .map(|column| {
            let name = quote_name(&column.name);
            // The engine is built without time zones: instants are plain timestamps in UTC.
            format!("CAST({name} AS {}) AS {name}", sql_type(column.kind))
        })
        .collect();
    let of_file = |file: &&FactsFile<'_>| {
        let at = file.captured.captured_at.format("%Y-%m-%d %H:%M:%S%.3f");
        format!(
            "SELECT {}, TIMESTAMP '{at}' AS captured_at, {} AS capture FROM read_parquet({}, hive_partitioning = false)",
            columns.join(", "),
            quote_text(&file.captured.capture),
            quote_text(&file.path),
        )
    };
    let all: Vec<String> = files.iter().map(of_file).collect();
    format!(
        "SELECT *, row_number() OVER (ORDER BY captured_at, capture, file, line) AS ord FROM ({})",
        all.join(" UNION ALL ")
    )
}

fn merged_rows(declared: &CatalogFile, columns: &[String]) -> String {
    let list = columns.join(", ");
    let key: Vec<String> = declared.key.iter().map(|column| quote_name(column)).collect();
    match declared.merge {
        MergeRule::Latest => {
            let values = columns.iter().map(|column| match key.contains(column) {
                true => column.clone(),
                // Rows in which the column is null do not count.
                false => format!("arg_max({column}, ord) AS {column}"),
            });
            format!(
                "SELECT {}, arg_max(file, ord) AS file, arg_max(line, ord) AS line, max(captured_at) AS captured_at{} \
                 FROM captured GROUP BY {}",
                values.collect::<Vec<_>>().join(", "),
                if declared.tells_first_capture { ", min(captured_at) AS first_captured_at" } else { "" },
                key.join(", ")
            )
        }
        MergeRule::Append => format!(
            "SELECT {list}, arg_min(file, ord) AS file, arg_min(line, ord) AS line, min(captured_at) AS captured_at \
             FROM captured GROUP BY {list}"
        ),
        MergeRule::Replace => format!(
            "SELECT {list}, file, line, captured_at FROM captured QUALIFY dense_rank() OVER \
             (PARTITION BY {FILE} ORDER BY captured_at DESC, capture DESC) = 1"
        ),
    }
}

#[cfg(test)]
mod both_executors;

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of one key and one value, merged by this rule.
    fn declared(rule: &str) -> CatalogFile {
        let file = format!(
            "name = 'a'\nformat = 'csv'\ntable = 't'\nmerge = '{rule}'\nkey = ['id']\nmeaning = ''\ncolumns = []"
        );
        toml::from_str(&file).unwrap()
    }

    /// Three captures: the second states less of `x` and another value of `y`, the third has a file of its own.
    fn captured() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch(
                "CREATE TABLE captured AS SELECT id, value, file, line, captured_at, capture, concat(id, value) AS row_digest,
                        row_number() OVER (ORDER BY captured_at, capture, file, line) AS ord
                 FROM (VALUES ('y', 2, 'b', 1, TIMESTAMP '2024-01-03', 'c3'), ('x', NULL, 'a', 1, TIMESTAMP '2024-01-02', 'c2'),
                              ('x', 1, 'a.gz', 1, TIMESTAMP '2024-01-01', 'c1'), ('y', 1, 'a.gz', 2, TIMESTAMP '2024-01-01', 'c1'),
                              ('y', 2, 'a', 2, TIMESTAMP '2024-01-02', 'c2')) AS t(id, value, file, line, captured_at, capture)",
            )
            .unwrap();
        connection
    }

    fn texts(connection: &Connection, sql: &str) -> Vec<String> {
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
        rows.map(Result::unwrap).collect()
    }

    fn rows(rule: &str) -> Vec<String> {
        let merged = merged_rows(
            &declared(rule),
            &["id".to_owned(), "value".to_owned()].map(|name| quote_name(&name)),
        );
        let sql = format!(
            "SELECT concat_ws(' ', id, value, file, line, captured_at::DATE) FROM ({merged}) ORDER BY 1"
        );
        texts(&captured(), &sql)
    }

    #[test]
    fn a_value_that_a_later_capture_states_otherwise_is_a_correction_and_one_that_it_lacks_is_none() {
        let connection = captured();
        let corrections = || {
            let sql = format!(
                "SELECT concat_ws(' ', *COLUMNS(*)) FROM ({})",
                corrected_values("t", &declared("latest"), &["value"])
            );
            texts(&connection, &sql)
        };
        let first = "t y value 1 2 2024-01-01 00:00:00 2024-01-01 00:00:00 2024-01-02 00:00:00 c2";
        assert_eq!(corrections(), [first]);
        connection
            .execute_batch(
                "INSERT INTO captured VALUES ('y', 1, 'a', 1, TIMESTAMP '2024-01-04', 'c4', 'y1', 6)",
            )
            .unwrap();
        let second = "t y value 2 1 2024-01-02 00:00:00 2024-01-03 00:00:00 2024-01-04 00:00:00 c4";
        let mut both = corrections();
        both.sort();
        assert_eq!(both, [first, second]);
    }

    #[test]
    fn of_each_column_the_newest_value_that_is_known_counts() {
        assert_eq!(rows("latest"), ["x 1 a 1 2024-01-02", "y 2 b 1 2024-01-03"]);
    }

    #[test]
    fn every_row_stays_with_the_time_at_which_it_was_captured_first() {
        let all =
            ["x 1 a.gz 1 2024-01-01", "x a 1 2024-01-02", "y 1 a.gz 2 2024-01-01", "y 2 a 2 2024-01-02"];
        assert_eq!(rows("append"), all);
    }

    #[test]
    fn of_each_file_the_rows_of_the_newest_capture_count() {
        assert_eq!(rows("replace"), ["x a 1 2024-01-02", "y 2 a 2 2024-01-02", "y 2 b 1 2024-01-03"]);
    }
}
