//! A difference as text for a terminal: counts, and some rows of each table.

use fdna_lake::{Lake, SnapshotManifest};
use fdna_lineage::{
    Cause, CausedChunk, CellDiff, EntityNames, RowDiff, SnapshotDiff, TableSummary, key_text, shown,
};
use fdna_run::lineage::LakePair;
use serde_json::{Map, Value};

use super::key_of;

/// Cells of a row that are shown.
const CELLS: usize = 4;

pub(super) fn describe(
    lake: &Lake,
    pair: &LakePair<'_>,
    diff: &SnapshotDiff<'_, LakePair<'_>>,
    tables: &[String],
    (limit, names): (usize, &EntityNames),
) -> anyhow::Result<String> {
    let mut text = head(lake, pair)?;
    let captures = [
        ("captures that are new", diff.evidence().added_captures().collect::<Vec<_>>()),
        ("captures that no longer count", diff.evidence().removed_captures().collect()),
    ];
    for (what, captures) in captures {
        let listed: Vec<String> = captures.iter().take(5).map(|capture| format!("  {capture}\n")).collect();
        if !captures.is_empty() {
            text += &format!("{what}: {}\n{}", captures.len(), listed.concat());
        }
    }
    let mut same = 0;
    for table in tables {
        let mut rows = ShownRows { key: key_of(table), limit, names, of_kind: Default::default() };
        let summary = diff.compare(table, |chunk| {
            rows.add_some(chunk);
            Ok(())
        })?;
        if summary.is_same() {
            same += 1;
            continue;
        }
        text += &describe_table(&summary, &rows.of_kind);
    }
    Ok(match same {
        0 => text,
        1 => text + "1 table is the same\n",
        _ => text + &format!("{same} tables are the same\n"),
    })
}

fn head(lake: &Lake, pair: &LakePair<'_>) -> anyhow::Result<String> {
    let log = lake.publications()?;
    let line = |what: &str, manifest: &SnapshotManifest| {
        let at = log.published_at(&manifest.id).map(|at| format!("published {}", at.format("%FT%H:%M:%SZ")));
        format!("{what:<5}{}  {}\n", manifest.id, at.unwrap_or_else(|| "not published".to_owned()))
    };
    Ok(line("from", &pair.old) + &line("to", &pair.new))
}

/// Rows that are shown: some that are gone, that appeared and that changed.
struct ShownRows<'a> {
    key: &'static [String],
    limit: usize,
    names: &'a EntityNames,
    of_kind: [Vec<String>; 3],
}

impl ShownRows<'_> {
    fn add_some(&mut self, chunk: &CausedChunk<'_>) {
        let left = self.of_kind.each_ref().map(|rows| self.limit.saturating_sub(rows.len()));
        for row in chunk.some_rows(self.key, left) {
            let kind = match row {
                RowDiff::Gone { .. } => 0,
                RowDiff::Appeared { .. } => 1,
                RowDiff::Changed { .. } => 2,
            };
            let text = self.describe_row(&row);
            self.of_kind[kind].push(text);
        }
    }

    fn describe_row(&self, row: &RowDiff<'_>) -> String {
        match row {
            RowDiff::Appeared { key, causes, .. } => {
                format!("  + {}  {}\n", self.named(key), because(causes))
            }
            RowDiff::Gone { key, causes, .. } => format!("  - {}  {}\n", self.named(key), because(causes)),
            RowDiff::Changed { key, cells } => {
                let shown: String = cells.iter().take(CELLS).map(describe_cell).collect();
                let more = cells.len().saturating_sub(CELLS);
                let more = if more > 0 { format!("      and {more} more cells\n") } else { String::new() };
                format!("  ~ {}\n{shown}{more}", self.named(key))
            }
        }
    }

    /// The key, with the name of its first entity.
    fn named(&self, key: &Map<String, Value>) -> String {
        let mut ids = self.key.iter().filter_map(|column| key.get(column)?.as_str());
        let name = ids.find_map(|id| self.names.get(id)).map(|name| format!(" ({name})"));
        key_text(self.key, key) + &name.unwrap_or_default()
    }
}

fn describe_table(summary: &TableSummary, rows: &[Vec<String>; 3]) -> String {
    let TableSummary { table, appeared, gone, changed, cells, causes, contract_versions, .. } = summary;
    let causes: Vec<String> = causes.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    let versions = match contract_versions {
        [Some(from), Some(to)] if from != to => format!(", contract {from} -> {to}"),
        [None, _] => ", a new table".to_owned(),
        [_, None] => ", no longer a table".to_owned(),
        _ => String::new(),
    };
    let more = (appeared + gone + changed).saturating_sub(rows.iter().map(Vec::len).sum());
    let more = if more > 0 { format!("  and {more} more rows\n") } else { String::new() };
    let counts = format!("{appeared} appeared, {gone} gone, {changed} changed ({cells} cells){versions}");
    format!("\n{table}: {counts}\n  causes: {}\n{}{more}", causes.join(", "), rows.concat().concat())
}

fn describe_cell(cell: &CellDiff<'_>) -> String {
    let [old, new] =
        [&cell.old, &cell.new].map(|value| value.as_ref().map_or("no such column".to_owned(), shown));
    format!("      {}: {old} -> {new}  {}\n", cell.column, because(cell.causes))
}

fn because(causes: &[Cause]) -> String {
    format!("[{}]", causes.iter().map(Cause::to_string).collect::<Vec<_>>().join("; "))
}
