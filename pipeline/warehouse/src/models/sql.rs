//! SQL helpers of all models.

use arrow::array::{Array as _, RecordBatch};
use arrow::compute::concat_batches;
use arrow::error::ArrowError;
use duckdb::Connection;
use fdna_schemas::{CatalogSeed, ColumnType, Table};

use crate::WarehouseError;
use crate::settings::{quote_name, quote_text};

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

/// Makes the table of a query.
pub(super) fn make_query_table(
    connection: &Connection,
    name: &str,
    query: &str,
) -> Result<(), WarehouseError> {
    let sql = format!("CREATE TABLE {} AS {query}", quote_name(name));
    connection.execute_batch(&sql).map_err(|source| model_error(name, source))
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

/// A seed as a table of text; an empty field is null.
pub(super) fn make_seed(connection: &Connection, seed: CatalogSeed) -> Result<(), WarehouseError> {
    let mut reader = csv::Reader::from_reader(seed.csv.as_bytes());
    let failed = |source| WarehouseError::Seed { seed: seed.name, source };
    let columns: Vec<String> = reader.headers().map_err(failed)?.iter().map(quote_name).collect();
    let typed: Vec<String> = columns.iter().map(|column| format!("{column} VARCHAR")).collect();
    let mut sql = format!("CREATE TABLE {} ({});", quote_name(seed.name), typed.join(", "));
    for record in reader.records() {
        let record = record.map_err(failed)?;
        let cells =
            record.iter().map(|cell| if cell.is_empty() { "NULL".to_owned() } else { quote_text(cell) });
        let cells = cells.collect::<Vec<_>>().join(", ");
        sql += &format!("INSERT INTO {} VALUES ({cells});", quote_name(seed.name));
    }
    connection.execute_batch(&sql).map_err(|source| model_error(seed.name, source))
}

/// Refuses a table in which two rows have one key, and names the first of them.
pub(super) fn check_key(connection: &Connection, table: &Table) -> Result<(), WarehouseError> {
    let key: Vec<String> = table.key.iter().map(|column| quote_name(column)).collect();
    let text: Vec<String> =
        key.iter().map(|key| format!("coalesce(CAST({key} AS VARCHAR), 'null')")).collect();
    let is_null: Vec<String> = key.iter().map(|key| format!("{key} IS NULL")).collect();
    let sql = format!(
        "SELECT concat_ws(' / ', {}) AS key FROM {} GROUP BY {} HAVING count(*) > 1 OR bool_or({}) ORDER BY 1 LIMIT 3",
        text.join(", "),
        quote_name(&table.name),
        key.join(", "),
        is_null.join(" OR "),
    );
    let keys = || {
        let mut statement = connection.prepare(&sql)?;
        let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
        rows.collect::<Result<Vec<_>, _>>()
    };
    let keys = keys().map_err(|source| model_error(&table.name, source))?;
    if keys.is_empty() {
        return Ok(());
    }
    let (model, keys) = (table.name.clone(), keys.join("; "));
    Err(WarehouseError::Key { model, of: table.key.join(", "), keys })
}
