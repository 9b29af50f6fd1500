//! What all models ask of the engine.

use arrow::array::RecordBatch;
use arrow::compute::concat_batches;
use duckdb::Connection;
use fdna_schemas::ColumnType;

use crate::WarehouseError;

/// A statement of a model that the engine refuses.
pub(super) fn model_error(model: &str, source: duckdb::Error) -> WarehouseError {
    WarehouseError::Model { model: model.to_owned(), source }
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
    concat_batches(&schema, &batches)
        .map_err(|source| WarehouseError::Rows { table: model.to_owned(), source })
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
