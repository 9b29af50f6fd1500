//! Reuse of tables that an earlier run left, and by what it is known that one would be made the same again.

use std::collections::BTreeMap;

use duckdb::Connection;
use fdna_lake::{Fingerprint, Lake, PipelineStage};
use fdna_schemas::{Column, ColumnType, Table, models_digest};
use serde::{Deserialize, Serialize};

use super::request::ModelsRequest;
use super::sql::{model_error, sql_type};
use crate::WarehouseError;
use crate::settings::{quote_name, quote_text};
use crate::views::engine_path;

/// The tables of a run, by name, as the notes of their stage keep them for the next run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelsState {
    /// Digest of the models and of the engines that ran them: with others, nothing is known of what they make.
    engine: String,
    pub(super) tables: BTreeMap<String, TableState>,
}

/// A table that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TableState {
    /// Digest of the contents of all tables that it is made of.
    pub(super) inputs: String,
    /// Digest of its rows, whatever their order.
    pub(super) content: String,
    /// Names and engine types of its columns, where its published file has all that the engine had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    columns: Option<Vec<(String, String)>>,
}

impl ModelsState {
    pub(super) fn new(connection: &Connection, sport: &str, logic: &str) -> Result<Self, WarehouseError> {
        let version: String =
            connection.query_row("SELECT version()", [], |row| row.get(0)).map_err(WarehouseError::SetUp)?;
        let engine = Fingerprint::builder("models engine")
            .with_text("logic", logic)
            .with_text("program", env!("CARGO_PKG_VERSION"))
            .with_text("engine", version)
            .with_digest("models", models_digest(sport));
        Ok(Self { engine: engine.build().to_string(), tables: BTreeMap::new() })
    }
}

impl TableState {
    /// Of a table that is made of these inputs and nothing else, whose rows need no look.
    pub(super) fn of_inputs(inputs: String) -> Self {
        Self { content: inputs.clone(), inputs, columns: None }
    }

    /// Of a table that the engine has. Its digest is the same for rows in any order.
    pub(super) fn read_table(
        connection: &Connection,
        name: &str,
        contract: Option<&Table>,
        inputs: String,
    ) -> Result<Self, WarehouseError> {
        let failed = |source| model_error(name, source);
        let columns =
            contract.map(|table| faithful_columns(connection, table)).transpose().map_err(failed)?;
        let columns = columns.flatten();
        let is_lossy = columns.iter().flatten().filter_map(|(column, kind)| is_lossy(column, kind));
        let is_lossy: Vec<String> = is_lossy.chain(["false".to_owned()]).collect();
        let sql = format!(
            "SELECT concat_ws(' ', count(*), sum(hash(\"the row\")), bit_xor(hash(\"the row\"))), \
             coalesce(bool_or({}), false) FROM {} AS \"the row\"",
            is_lossy.join(" OR "),
            quote_name(name)
        );
        let (content, is_lossy): (String, bool) =
            connection.query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?))).map_err(failed)?;
        Ok(Self { inputs, content, columns: columns.filter(|_| !is_lossy) })
    }
}

/// Columns of a table with the types that the engine has for them, if it can be read back from what is published: of integers
/// the file may have smaller ones, of enumerations the words.
fn faithful_columns(
    connection: &Connection,
    contract: &Table,
) -> duckdb::Result<Option<Vec<(String, String)>>> {
    let sql = format!(
        "SELECT column_name, if(data_type LIKE 'ENUM(%', 'VARCHAR', data_type) FROM duckdb_columns() \
         WHERE table_name = {} ORDER BY column_index",
        quote_text(&contract.name)
    );
    let mut statement = connection.prepare(&sql)?;
    let columns = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let columns = columns.collect::<duckdb::Result<Vec<(String, String)>>>()?;
    let is_faithful = |(name, kind): &(String, String)| {
        let column = contract.columns.iter().find(|column| column.name == *name);
        column.is_some_and(|column| holds_type(column, kind))
    };
    Ok(columns.iter().all(is_faithful).then_some(columns))
}

fn holds_type(column: &Column, kind: &str) -> bool {
    let is_integer = matches!(column.kind, ColumnType::Int32 | ColumnType::Int64);
    kind == sql_type(column.kind)
        || (is_integer && kind.ends_with("INT"))
        || (is_integer && kind == "INTEGER")
}

/// Whether a column has a value that its published file has not: no number, or a part of a millisecond.
fn is_lossy(column: &str, kind: &str) -> Option<String> {
    let name = quote_name(column);
    match kind {
        "DOUBLE" => Some(format!("NOT isfinite({name})")),
        "TIMESTAMP" => Some(format!("epoch_us({name}) % 1000 <> 0")),
        _ => None,
    }
}

/// What an earlier run of the same models made, in the lake.
pub(super) struct EarlierTables {
    pub(super) state: ModelsState,
    /// By table.
    paths: BTreeMap<String, String>,
}

impl EarlierTables {
    /// `None` where there are none, or not by these models, or damaged.
    pub(super) fn find_tables(
        lake: &Lake,
        sport: &str,
        request: &ModelsRequest,
        now: &ModelsState,
    ) -> Option<Self> {
        let stage = PipelineStage::Catalog { sport: sport.to_owned() };
        let output = lake.find_stage(&stage, request.earlier.as_ref()?).ok()??;
        let state: ModelsState = serde_json::from_value(output.notes["models"].clone()).ok()?;
        let files = lake.stage_files(&output).ok().filter(|_| state.engine == now.engine)?;
        let path = |file: fdna_lake::CheckedFile| Some((file.table, engine_path(&file.path).ok()?));
        Some(Self { state, paths: files.into_iter().map(path).collect::<Option<_>>()? })
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = String> {
        self.paths.values().cloned()
    }

    /// The table as it was made of the same inputs.
    pub(super) fn same_table(&self, name: &str, inputs: &str) -> Option<&TableState> {
        self.state.tables.get(name).filter(|table| table.inputs == inputs)
    }

    /// Whether a table has the rows that it had.
    pub(super) fn has_content(&self, name: &str, now: &TableState) -> bool {
        self.state.tables.get(name).is_some_and(|table| table.content == now.content)
    }

    /// Gives a table to the engine as it had it, if its file has all of it.
    pub(super) fn load_table(&self, connection: &Connection, name: &str) -> Result<bool, WarehouseError> {
        let columns = self.state.tables.get(name).and_then(|table| table.columns.as_ref());
        let Some((columns, path)) = columns.zip(self.paths.get(name)) else { return Ok(false) };
        let columns =
            columns.iter().map(|(name, kind)| format!("CAST({0} AS {kind}) AS {0}", quote_name(name)));
        let sql = format!(
            "CREATE TABLE {} AS SELECT {} FROM read_parquet({}, hive_partitioning = false)",
            quote_name(name),
            columns.collect::<Vec<_>>().join(", "),
            quote_text(path)
        );
        connection.execute_batch(&sql).map_err(|source| model_error(name, source))?;
        Ok(true)
    }
}
