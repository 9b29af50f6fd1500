//! Models of the multi-sport catalog: one `SELECT` a file, run over the facts of captures in the order in which they read
//! one another. What they publish is given as Arrow; nothing is written.

mod dna;
mod json;
mod merge;
mod new_table;
mod order;
mod published_rows;
mod rating;
mod reuse;
mod row_origin;
mod set_aside;
mod sport_run;
mod sql;

use chrono::{DateTime, NaiveDate, Utc};
use duckdb::Connection;
use fdna_lake::{Fingerprint, Lake, PipelineStage};
use fdna_schemas::{CatalogSeed, Table};
pub use published_rows::TableRows;
use reuse::EarlierTables;
pub use reuse::ModelsState;
use row_origin::SportFacts;
use serde::Deserialize;
use sport_run::SportRun;
use sql::model_error;

use crate::WarehouseError;
use crate::settings::{EngineLimits, quote_name, quote_text};
use crate::views::engine_path;

/// A capture whose facts the models read.
#[derive(Debug, Clone, Deserialize)]
pub struct CapturedFacts {
    /// Name of the source.
    pub source: String,
    /// Id of the capture.
    pub capture: String,
    /// When it was captured.
    pub captured_at: DateTime<Utc>,
    /// Of its facts.
    pub fingerprint: Fingerprint,
}

/// Selection and order of the rows of facts that the models meet.
#[derive(Debug, Clone, Copy, Default)]
pub struct RowSelection {
    /// In another order than the engine yields them, which no model may show: one that picks a row without saying which
    /// makes another table of them.
    pub is_shuffled: bool,
    /// Those of earlier days alone. Of an instant, the day ends at noon in UTC, when no league plays. Rows that bear no
    /// date stay: they are about a game or a player whose row has one.
    pub before: Option<NaiveDate>,
}

/// What models are to run over.
#[derive(Debug, Clone, Deserialize)]
pub struct ModelsRequest {
    /// Facts of all captures.
    pub facts: Vec<CapturedFacts>,
    /// Version of what the models are run by.
    #[serde(default)]
    pub logic: String,
    /// Output of an earlier run, whose tables stay where nothing that they are made of changed.
    #[serde(default)]
    pub earlier: Option<Fingerprint>,
}

/// A table of facts of one capture.
struct FactsFile<'a> {
    captured: &'a CapturedFacts,
    table: String,
    /// As the engine takes it.
    path: String,
    sha256: String,
}

/// Runs the models of a sport over these facts, and gives the tables that have contracts to `publish` one after another, by name.
/// A table without rows has one batch of none; one that is the same as in the earlier output has no batch at all, and no model
/// runs that would make such a table again. Gives what the next run needs to do the same, unless rows were set aside: the
/// origin of those is looked for in all facts.
///
/// # Errors
/// The lake has not the facts, or not whole; a model fails, or yields what its contract does not allow; `publish` fails.
pub fn run_models<E: From<WarehouseError>>(
    lake: &Lake,
    sport: &str,
    request: &ModelsRequest,
    selection: RowSelection,
    limits: &EngineLimits,
    mut publish: impl FnMut(&'static Table, Option<&mut TableRows<'_>>) -> Result<(), E>,
) -> Result<Option<ModelsState>, E> {
    let files = facts_files(lake, &request.facts)?;
    let connection = limits.open_connection()?;
    let state = ModelsState::new(&connection, sport, &request.logic)?;
    let made = match EarlierTables::find_tables(lake, sport, request, &state) {
        Some(earlier) => {
            let mut run = SportRun::new(&connection, sport, request, &files, selection, state.clone())?;
            run.earlier = Some(earlier);
            // What fails or is set aside is explained by all facts, which this run has not.
            run.make_tables().is_ok_and(|()| run.refused.is_empty()).then_some(run)
        }
        None => None,
    };
    let whole;
    let run = match made {
        Some(run) => run,
        None => {
            whole = limits.open_connection()?;
            let mut run = SportRun::new(&whole, sport, request, &files, selection, state)?;
            run.make_tables()?;
            run
        }
    };
    run.publish_tables(&mut publish)
}

impl SportFacts<'_> {
    /// Why a model failed, with the places of the value that it could not convert.
    fn explain_failure(&self, model: &str, source: duckdb::Error) -> WarehouseError {
        const TOLD: usize = 3;
        let unconverted = row_origin::parse_conversion_error(&source.to_string());
        let places =
            unconverted.map(|(text, column)| self.find_text(&text, column.as_deref())).unwrap_or_default();
        if places.is_empty() {
            return model_error(model, source);
        }
        let places: Vec<String> = places.iter().take(TOLD).map(ToString::to_string).collect();
        let (model, places) = (model.to_owned(), places.join(", "));
        WarehouseError::Value { model, places, source: Box::new(source) }
    }

    fn explain_rows(&self, error: WarehouseError) -> WarehouseError {
        match error {
            WarehouseError::Model { model, source } => self.explain_failure(&model, source),
            error => error,
        }
    }
}

fn facts_files<'a>(lake: &Lake, facts: &'a [CapturedFacts]) -> Result<Vec<FactsFile<'a>>, WarehouseError> {
    let mut files = Vec::new();
    for captured in facts {
        let stage = PipelineStage::Facts { source: captured.source.clone() };
        let output = lake.find_stage(&stage, &captured.fingerprint)?;
        let fingerprint = captured.fingerprint.clone();
        let output = output.ok_or(WarehouseError::NoOutput { stage, fingerprint })?;
        for file in lake.stage_files(&output)? {
            let path = engine_path(&file.path)?;
            let sha256 = output.table(&file.table).map(|table| table.sha256.clone()).unwrap_or_default();
            files.push(FactsFile { captured, table: file.table, path, sha256 });
        }
    }
    Ok(files)
}

/// A seed as a table of text; an empty field is null.
fn make_seed(connection: &Connection, seed: CatalogSeed) -> Result<(), WarehouseError> {
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
fn check_key(connection: &Connection, table: &Table) -> Result<(), WarehouseError> {
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
