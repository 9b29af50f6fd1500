//! Rows of the ledger for a person.

use fdna_lake::Lake;
use fdna_ledger::LedgerEntry;
use fdna_run::current_snapshot::require_current;
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::ledger::read_entries;
use fdna_run::product::Product;
use serde_json::{Value as Json, json};

use super::diary;
use super::names::EntityNames;
use crate::output::CommandReport;

/// The rows of a bout, or of all bouts of an event, by any of its ids.
///
/// # Errors
/// There is none, or the ledger cannot be read.
pub(crate) fn show_entries(lake: &Lake, id: &str) -> anyhow::Result<CommandReport> {
    let snapshot = require_current(lake, Product::Mma)?;
    let names = EntityNames::read_names(lake, &snapshot)?;
    let found = names.find_id(lake, &snapshot, id)?;
    let all = read_entries(lake)?;
    let is_wanted =
        |e: &&LedgerEntry| names.survivor_of(e.bout_id) == found || names.survivor_of(e.event_id) == found;
    let rows = diary::in_order(all.iter().filter(is_wanted));
    if rows.is_empty() {
        return Err(error_with_code(ExitCode::Usage, format!("the ledger has no rows of `{id}`")));
    }
    let text = diary::to_text(&rows, &names);
    Ok(CommandReport::done(text, &rows.into_iter().map(entry_object).collect()))
}

fn entry_object(entry: &LedgerEntry) -> Json {
    json!({
        "ledger_id": entry.ledger_id.to_string(), "bout_id": entry.bout_id.to_string(),
        "event_id": entry.event_id.to_string(),
        "checkpoint": entry.checkpoint.to_string(), "sequence": entry.sequence,
        "valid_at": entry.valid_at.to_rfc3339(), "recorded_at": entry.recorded_at.to_rfc3339(),
        "hours_to_start": entry.hours_to_start, "state": entry.state, "sources": entry.sources,
        "diff": entry.diff, "baseline": entry.is_baseline, "supersedes": entry.supersedes.map(|id| id.to_string()),
        "row_digest": entry.row_digest,
    })
}
