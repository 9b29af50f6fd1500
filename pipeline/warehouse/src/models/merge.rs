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
