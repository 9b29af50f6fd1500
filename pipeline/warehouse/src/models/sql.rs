//! SQL helpers of all models.

use arrow::array::{Array as _, RecordBatch};
use arrow::compute::concat_batches;
use arrow::error::ArrowError;
use duckdb::Connection;
use fdna_schemas::ColumnType;

use crate::WarehouseError;

/// A statement of a model that the engine refuses.
pub(super) fn model_error(model: &str, source: duckdb::Error) -> WarehouseError {
    WarehouseError::Model { model: model.to_owned(), source }
}

/// Rows of a table that do not fit together, or not its contract.
pub(super) fn rows_error(table: &str, source: ArrowError) -> WarehouseError {
    WarehouseError::Rows { table: table.to_owned(), source }
}

/// What is null in these columns of a table's rows, if anything is.
pub(super) fn describe_nulls<'n>(
    rows: &RecordBatch,
    columns: impl IntoIterator<Item = &'n str>,
    table: &str,
) -> Option<String> {
    let nulls = |name: &str| rows.column_by_name(name).map_or(0, |column| column.null_count());
    let mut with_nulls = columns.into_iter().map(|name| (name, nulls(name))).filter(|(_, nulls)| *nulls > 0);
    with_nulls.next().map(|(name, nulls)| format!("{name} is null in {nulls} rows of {table}"))
}

/// All rows of a query over what a model has made.
pub(super) fn query_rows(
    connection: &Connection,
    model: &str,
    sql: &str,
) -> Result<RecordBatch, WarehouseError> {
    let failed = |source| model_error(model, source);
    let mut statement = connection.prepare(sql).map_err(failed)?;
    let batches = statement.query_arrow([]).map_err(failed)?;
    let schema = batches.get_schema();
    let batches: Vec<RecordBatch> = batches.collect();
    concat_batches(&schema, &batches).map_err(|source| rows_error(model, source))
}

/// The engine's type for a column of a contract.
pub(super) fn sql_type(kind: ColumnType) -> &'static str {
    match kind {
        ColumnType::Json | ColumnType::String | ColumnType::Uuid => "VARCHAR",
        ColumnType::Int32 => "INTEGER",
        ColumnType::Int64 => "BIGINT",
        ColumnType::Bool => "BOOLEAN",
        ColumnType::Date => "DATE",
        ColumnType::Instant => "TIMESTAMP",
        ColumnType::Float64 => "DOUBLE",
    }
}
