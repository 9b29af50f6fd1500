//! Models of the multi-sport catalog: one `SELECT` a file, run over the facts of captures in the order in which they read
//! one another. What they publish is given as Arrow; nothing is written.

mod dna;
mod json;
mod merge;
mod new_table;
mod order;
mod published_rows;
mod rating;
mod row_origin;
mod set_aside;
mod sql;

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDate, Utc};
use duckdb::Connection;
use fdna_lake::{Fingerprint, Lake, PipelineStage};
use fdna_schemas::{CatalogSeed, CatalogSource, Table, Tables, corrections_table, set_aside_table};
use order::ModelStep;
pub use published_rows::TableRows;
use row_origin::SportFacts;
use serde::Deserialize;
use set_aside::RefusedRows;
use sql::model_error;

use crate::WarehouseError;
use crate::settings::{EngineLimits, confine_to, quote_name, quote_text};
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

/// A table of facts of one capture.
struct FactsFile<'a> {
    captured: &'a CapturedFacts,
    table: String,
    /// As the engine takes it.
    path: String,
}

/// Runs all models of a sport over these facts, and gives the tables that have contracts to `publish` one after another, by name.
/// A table without rows has one batch of none.
///
/// # Errors
/// The lake has not the facts, or not whole; a model fails, or yields what its contract does not allow; `publish` fails.
pub fn run_models<E: From<WarehouseError>>(
    lake: &Lake,
    sport: &str,
    facts: &[CapturedFacts],
    selection: RowSelection,
    limits: &EngineLimits,
    mut publish: impl FnMut(&'static Table, &mut TableRows<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let connection = limits.open_connection()?;
    let files = facts_files(lake, facts)?;
    let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
    confine_to(&connection, &paths)?;
    let corrections = corrections_table(sport);
    merge::no_corrections(&connection, &corrections)?;
    for source in CatalogSource::all().filter(|source| source.sport == sport) {
        for (name, table) in source.facts_tables() {
            let of_table: Vec<_> = files.iter().filter(|file| file.table == name).collect();
            merge::make_facts_table(&connection, source, &table, &of_table, selection)?;
            merge::add_corrections(&connection, source, &table, &of_table, &corrections)?;
        }
    }
    for seed in CatalogSeed::of_sport(sport) {
        make_seed(&connection, seed)?;
    }
    let stage = format!("catalog/{sport}");
    let contract =
        |name: &str| Tables::get().catalog_tables().find(|table| table.name == name && table.stage == stage);
    let facts = SportFacts { connection: &connection, sport, captures: facts };
    let mut refused = RefusedRows::default();
    // Tables whose keys are sound, since the rows that contradict one another were taken out.
    let mut judged = BTreeSet::new();
    for step in order::by_what_they_read(ModelStep::of_sport(sport))? {
        match step {
            ModelStep::Select(model) => {
                let sql = format!("CREATE TABLE {} AS {}", quote_name(model.name), model.sql);
                connection.execute_batch(&sql).map_err(|source| facts.explain_failure(model.name, source))?;
                // Before any model reads it: what contradicts itself would be counted twice elsewhere.
                if let Some(table) = contract(model.name) {
                    refused.take_out(&facts, table)?;
                    judged.insert(&table.name);
                }
            }
            ModelStep::Dna(dna) => dna::make_tables(&connection, dna)?,
            ModelStep::Rating(rating) => rating::make_table(&connection, rating)?,
        }
    }
    refused.make_table(&connection, &files, &set_aside_table(sport))?;
    for table in Tables::get().catalog_tables().filter(|table| table.stage == stage) {
        if !judged.contains(&table.name) {
            check_key(&connection, table)?;
        }
        published_rows::read_rows(&facts, table, &mut publish)?;
    }
    Ok(())
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
            files.push(FactsFile { captured, table: file.table, path });
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
