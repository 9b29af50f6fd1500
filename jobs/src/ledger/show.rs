//! Rows of the ledger for a person.

use std::collections::{BTreeMap, BTreeSet};

use fdna_lake::{Lake, LedgerHead};
use fdna_ledger::{Aliases, Checkpoint, Entry, Field, Recorded};
use fdna_schemas::TableReader;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::entries;
use crate::exit::{ExitCode, coded};
use crate::publish::current;

/// What a run added, by checkpoint, and what it missed.
pub(super) fn report(recorded: &Recorded, head: &LedgerHead) -> Vec<String> {
    let Recorded { entries, missed } = recorded;
    let bouts: BTreeSet<Uuid> = entries.iter().map(|entry| entry.bout_id).collect();
    let (rows, written) = (entries.len(), counted(entries.iter().map(|entry| entry.checkpoint)));
    let first = format!("{rows} rows of {} bouts: {written}", bouts.len());
    let missed = (!missed.is_empty()).then(|| counted(missed.iter().map(|missed| missed.checkpoint)));
    let last = format!("{} rows in all, head {}", head.rows, head.head.get(..16).unwrap_or_default());
    [Some(first), missed.map(|missed| format!("missed: {missed}")), Some(last)]
        .into_iter()
        .flatten()
        .collect()
}

/// How often each checkpoint, in their order.
fn counted(checkpoints: impl Iterator<Item = Checkpoint>) -> String {
    let mut counts: BTreeMap<Checkpoint, usize> = BTreeMap::new();
    checkpoints.for_each(|checkpoint| *counts.entry(checkpoint).or_default() += 1);
    let counts: Vec<String> = counts.into_iter().map(|(checkpoint, n)| format!("{checkpoint} {n}")).collect();
    counts.join(", ")
}

/// The rows of a bout, or of all bouts of an event.
///
/// # Errors
/// There is none, or the ledger cannot be read.
pub(crate) fn show(lake: &Lake, id: Uuid, is_json: bool) -> anyhow::Result<String> {
    let names = Names::read(lake)?;
    let id = names.aliases.survivor(id);
    let all = entries(lake)?;
    let is_wanted =
        |e: &&Entry| names.aliases.survivor(e.bout_id) == id || names.aliases.survivor(e.event_id) == id;
    let mut rows: Vec<&Entry> = all.iter().filter(is_wanted).collect();
    rows.sort_by_key(|entry| (entry.bout_id, entry.valid_at, entry.sequence));
    if rows.is_empty() {
        return Err(coded(ExitCode::Usage, format!("find rows of `{id}` in the ledger: there are none")));
    }
    if is_json {
        let rows: Vec<Json> = rows.into_iter().map(object).collect();
        return Ok(serde_json::to_string_pretty(&rows)? + "\n");
    }
    Ok(rows.chunk_by(|a, b| a.bout_id == b.bout_id).map(|rows| names.bout(rows)).collect())
}

fn object(entry: &Entry) -> Json {
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

/// Names of fighters as the current snapshot has them, and ids that were merged into others.
struct Names {
    fighters: BTreeMap<Uuid, String>,
    aliases: Aliases,
}

impl Names {
    fn read(lake: &Lake) -> anyhow::Result<Self> {
        let Some(snapshot) = current(lake)? else {
            return Err(coded(ExitCode::Unavailable, "find a current snapshot: fightdna run makes one"));
        };
        let fighters = lake.read_snapshot_columns(&snapshot, "fighters", &["fighter_id", "name"])?;
        let aliases = lake.read_snapshot_columns(&snapshot, "aliases", &Aliases::COLUMNS)?;
        let r = TableReader::new("fighters", &fighters);
        let names = r.texts("name")?.into_iter().map(str::to_owned);
        let fighters = r.ids("fighter_id")?.into_iter().zip(names).collect();
        let aliases = Aliases::read(&TableReader::new("aliases", &aliases))?;
        Ok(Self { fighters, aliases })
    }

    /// A fighter's name, or the id of something else.
    fn name(&self, id: Uuid) -> String {
        self.fighters.get(&self.aliases.survivor(id)).cloned().unwrap_or_else(|| id.to_string())
    }

    /// A bout's rows, under its fighters' names.
    fn bout(&self, rows: &[&Entry]) -> String {
        let Some(first) = rows.first() else { return String::new() };
        let fighters = [Field::FighterA, Field::FighterB]
            .map(|field| first.state.get(field).as_id().map(|id| self.name(id)).unwrap_or_default());
        let lines: String = rows.iter().map(|row| self.row(row)).collect();
        format!("{} vs. {}, bout {}\n{lines}", fighters[0], fighters[1], first.bout_id)
    }

    fn row(&self, entry: &Entry) -> String {
        let hours = entry.hours_to_start.map_or("no start".to_owned(), |hours| format!("{hours:.1} h"));
        let status = entry.state.get(Field::BoutStatus);
        let (valid, name) = (entry.valid_at.format("%Y-%m-%d %H:%M"), entry.checkpoint.to_string());
        let mut out = format!("  {valid}  {name:<10} {} {hours:>9}  {status}", entry.sequence);
        if let Some(id) = entry.state.get(Field::ReplacedBout).as_id().filter(|_| entry.is_baseline) {
            let days = entry.state.get(Field::ShortNotice);
            out += &format!(", in place of bout {id}, on {days} days' notice");
        }
        for change in &entry.diff {
            let value =
                |value: &fdna_ledger::Value| value.as_id().map_or(value.to_string(), |id| self.name(id));
            let (path, source) = (change.path.path(), change.source.as_deref().unwrap_or("nobody"));
            let (from, to) = (value(&change.from), value(&change.to));
            out += &format!("\n      {path}: {from} -> {to} ({}, {source})", change.cause);
        }
        out + "\n"
    }
}
