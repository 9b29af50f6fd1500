//! `fightdna diff`: what differs between two snapshots, and the cause of each difference.

mod as_json;
mod as_text;
mod notes;

use anyhow::Context as _;
use clap::Args;
use fdna_lake::{Lake, SnapshotManifest};
use fdna_lineage::{EntityNames, Side, SnapshotDiff, SnapshotTables as _};
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::lineage::{LakePair, add_names, pair_snapshots};
use fdna_schemas::Tables;

use super::snapshot_name::find_snapshot;
use crate::output::print_text;

pub(crate) use self::notes::published_notes;
use self::notes::release_notes;

/// What is compared, and how it is written.
#[derive(Args)]
pub(crate) struct DiffArgs {
    /// The older snapshot: an id, the beginning of one, `current` or `previous`.
    #[arg(value_name = "A", default_value = "previous")]
    old: String,
    /// The newer snapshot.
    #[arg(value_name = "B", default_value = "current")]
    new: String,
    /// This table alone; may be given several times.
    #[arg(long, value_name = "TABLE")]
    table: Vec<String>,
    /// Rows that are shown of each table; --json writes all without it.
    #[arg(long, value_name = "N")]
    rows: Option<usize>,
    /// Release notes of the newer snapshot in Markdown.
    #[arg(long, conflicts_with_all = ["table", "rows"])]
    markdown: bool,
}

impl DiffArgs {
    pub(crate) fn run(&self, lake: &Lake, is_json: bool) -> anyhow::Result<ExitCode> {
        let [old, new] = [find_snapshot(lake, &self.old)?, find_snapshot(lake, &self.new)?];
        if self.markdown {
            let notes = release_notes(lake, Some(&old), &new)?;
            let text = match is_json {
                true => {
                    serde_json::to_string_pretty(&notes).context("cannot write the notes as JSON")? + "\n"
                }
                false => notes.to_markdown(),
            };
            return print_text(text);
        }
        let pair = LakePair { lake, old, new };
        let chosen = self.chosen_tables(&pair)?;
        let diff = compare_snapshots(lake, &pair)?;
        let tables = if chosen.is_empty() { diff.tables() } else { chosen };
        if is_json {
            return as_json::write(&pair, &diff, &tables, self.rows);
        }
        let names = read_names(&pair)?;
        print_text(as_text::describe(lake, &pair, &diff, &tables, (self.rows.unwrap_or(3), &names))?)
    }

    /// The tables that were named; an error if neither snapshot has one of them.
    fn chosen_tables(&self, pair: &LakePair<'_>) -> anyhow::Result<Vec<String>> {
        for table in &self.table {
            if Side::BOTH.iter().all(|side| pair.state(*side, table).is_none()) {
                return Err(no_such_table(&pair.new, table));
            }
        }
        Ok(self.table.clone())
    }
}

/// Two snapshots with the evidence of causes.
pub(crate) fn compare_snapshots<'p>(
    lake: &Lake,
    pair: &'p LakePair<'p>,
) -> anyhow::Result<SnapshotDiff<'p, LakePair<'p>>> {
    let made_of = pair_snapshots(lake, &pair.old, &pair.new)?;
    Ok(SnapshotDiff::new(pair, made_of)?)
}

/// Names of the entities of both; the newer one's win.
pub(crate) fn read_names(pair: &LakePair<'_>) -> anyhow::Result<EntityNames> {
    let mut names = EntityNames::default();
    add_names(pair.lake, &pair.old, &mut names)?;
    add_names(pair.lake, &pair.new, &mut names)?;
    Ok(names)
}

/// Columns of a table's key.
pub(crate) fn key_of(table: &str) -> &'static [String] {
    Tables::get().table(table).map_or(&[], |table| &table.key)
}

/// A usage error that names the tables nearest to one that does not exist.
pub(crate) fn no_such_table(manifest: &SnapshotManifest, table: &str) -> anyhow::Error {
    let mut names: Vec<&str> = manifest.tables.iter().map(|entry| entry.name.as_str()).collect();
    let nearest = super::nearest::nearest_names(table, &mut names);
    let id = &manifest.id;
    error_with_code(
        ExitCode::Usage,
        format!(
            "no table `{table}` in snapshot {id}; the nearest names are {nearest}. `fightdna dictionary` describes all"
        ),
    )
}
