//! Models of the multi-sport catalog: one `SELECT` a file, run over the facts of captures in the order in which they read
//! one another. What they publish is given as Arrow; nothing is written.

mod dna;
mod json;
mod merge;
mod new_table;
mod order;
mod published_rows;
mod rating;
mod request;
mod reuse;
mod row_origin;
mod set_aside;
mod sport_run;
mod sql;

use fdna_lake::Lake;
use fdna_schemas::Table;
pub use published_rows::TableRows;
use request::facts_files;
pub use request::{CapturedFacts, ModelsRequest, RowSelection};
use reuse::EarlierTables;
pub use reuse::ModelsState;
use row_origin::SportFacts;
use sport_run::SportRun;
use sql::model_error;

use crate::WarehouseError;
use crate::settings::EngineLimits;

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
