//! Captures of a source merged into one table, before any model sees them. The order in which captures were taken in does
//! not count: they meet in the order of their times.

use duckdb::Connection;
use fdna_schemas::{CatalogFile, CatalogSource, MergeRule, Table};

use super::{FactsFile, of_model};
use crate::WarehouseError;
use crate::settings::{named, quoted};

/// Columns of where a row stands, which are no facts.
const PLACE: [&str; 3] = ["file", "line", "row_digest"];

/// Makes the table of a source's facts. Without a capture it is there and has no rows.
pub(super) fn make(
    connection: &Connection,
    source: &CatalogSource,
    table: &Table,
    files: &[&FactsFile<'_>],
) -> Result<(), WarehouseError> {
    let Some(declared) = source.files.iter().find(|file| file.table == table.name) else { return Ok(()) };
    let columns: Vec<String> = table
        .columns
        .iter()
        .filter(|column| !PLACE.contains(&column.name.as_str()))
        .map(|column| named(&column.name))
        .collect();
    let rows = if files.is_empty() { no_rows(table) } else { all_rows(table, files) };
    let merged = merged(declared, &columns);
    let name = named(&table.name);
    let sql = format!("CREATE TABLE {name} AS WITH captured AS ({rows}) {merged}");
    connection.execute_batch(&sql).map_err(|source| of_model(&table.name, source))
}

fn no_rows(table: &Table) -> String {
    let columns: Vec<String> = table
        .columns
        .iter()
        .map(|column| format!("CAST(NULL AS {}) AS {}", sql_type(column.kind), named(&column.name)))
        .collect();
    format!(
        "SELECT {}, CAST(NULL AS TIMESTAMP) AS captured_at, '' AS capture, CAST(0 AS BIGINT) AS ord WHERE false",
        columns.join(", ")
    )
}

fn sql_type(kind: fdna_schemas::ColumnType) -> &'static str {
    use fdna_schemas::ColumnType;
    match kind {
        ColumnType::String | ColumnType::Uuid | ColumnType::Json => "VARCHAR",
        ColumnType::Int32 => "INTEGER",
        ColumnType::Int64 => "BIGINT",
        ColumnType::Float64 => "DOUBLE",
        ColumnType::Bool => "BOOLEAN",
        ColumnType::Date => "DATE",
        ColumnType::Instant => "TIMESTAMP",
    }
}

/// The rows of all captures, each with a number by which the newer of two is greater.
fn all_rows(table: &Table, files: &[&FactsFile<'_>]) -> String {
    let columns: Vec<String> = table
        .columns
        .iter()
        .map(|column| {
            let name = named(&column.name);
            // The engine is built without time zones: instants are plain timestamps in UTC.
            format!("CAST({name} AS {}) AS {name}", sql_type(column.kind))
        })
        .collect();
    let of_file = |file: &&FactsFile<'_>| {
        let at = file.captured.captured_at.format("%Y-%m-%d %H:%M:%S%.3f");
        format!(
            "SELECT {}, TIMESTAMP '{at}' AS captured_at, {} AS capture FROM read_parquet({}, hive_partitioning = false)",
            columns.join(", "),
            quoted(&file.captured.capture),
            quoted(&file.path),
        )
    };
    let all: Vec<String> = files.iter().map(of_file).collect();
    format!(
        "SELECT *, row_number() OVER (ORDER BY captured_at, capture, file, line) AS ord FROM ({})",
        all.join(" UNION ALL ")
    )
}

fn merged(declared: &CatalogFile, columns: &[String]) -> String {
    let list = columns.join(", ");
    let key: Vec<String> = declared.key.iter().map(|column| named(column)).collect();
    match declared.merge {
        MergeRule::Latest => {
            let values = columns.iter().map(|column| match key.contains(column) {
                true => column.clone(),
                // Rows in which the column is null do not count.
                false => format!("arg_max({column}, ord) AS {column}"),
            });
            format!(
                "SELECT {}, arg_max(file, ord) AS file, arg_max(line, ord) AS line, max(captured_at) AS captured_at \
                 FROM captured GROUP BY {}",
                values.collect::<Vec<_>>().join(", "),
                key.join(", ")
            )
        }
        MergeRule::Append => format!(
            "SELECT {list}, arg_min(file, ord) AS file, arg_min(line, ord) AS line, min(captured_at) AS captured_at \
             FROM captured GROUP BY {list}"
        ),
        MergeRule::Replace => format!(
            "SELECT {list}, file, line, captured_at FROM captured QUALIFY dense_rank() OVER \
             (PARTITION BY regexp_replace(file, '\\.gz$', '') ORDER BY captured_at DESC, capture DESC) = 1"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What three captures come to: the second states less of `x` and another value of `y`, the third has a file of its own.
    fn rows(rule: &str) -> Vec<String> {
        let file = format!(
            "name = 'a'\nformat = 'csv'\ntable = 't'\nmerge = '{rule}'\nkey = ['id']\nmeaning = ''\ncolumns = []"
        );
        let declared: CatalogFile = toml::from_str(&file).unwrap();
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch(
                "CREATE TABLE captured AS SELECT id, value, file, line, captured_at, capture,
                        row_number() OVER (ORDER BY captured_at, capture, file, line) AS ord
                 FROM (VALUES ('y', 2, 'b', 1, TIMESTAMP '2024-01-03', 'c3'), ('x', NULL, 'a', 1, TIMESTAMP '2024-01-02', 'c2'),
                              ('x', 1, 'a.gz', 1, TIMESTAMP '2024-01-01', 'c1'), ('y', 1, 'a.gz', 2, TIMESTAMP '2024-01-01', 'c1'),
                              ('y', 2, 'a', 2, TIMESTAMP '2024-01-02', 'c2')) AS t(id, value, file, line, captured_at, capture)",
            )
            .unwrap();
        let merged = merged(&declared, &["id".to_owned(), "value".to_owned()].map(|name| named(&name)));
        let sql = format!(
            "SELECT concat_ws(' ', id, value, file, line, captured_at::DATE) FROM ({merged}) ORDER BY 1"
        );
        let mut statement = connection.prepare(&sql).unwrap();
        let rows = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
        rows.map(Result::unwrap).collect()
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
