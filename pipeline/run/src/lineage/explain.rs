//! From a published row back to what it rests on, and on to what became of it: corrections in both directions of time,
//! the facts with file and line, and why the entity is one.

use std::collections::{BTreeMap, BTreeSet};

use arrow::array::RecordBatch;
use fdna_lake::{Lake, LakeError, LoggedCapture, SnapshotManifest};
use fdna_lineage::{Decision, cell_json, cell_text};
use fdna_model::fold_name;
use fdna_schemas::{SourceContract, Table};
use serde::Serialize;
use serde_json::{Map, Value};

use super::followed_decisions;
use super::statements::{SoughtEntity, SourceStatement, find_statements, is_stated};

/// Captures of a source that no longer count and that are read as well.
const WITHDRAWN: usize = 5;
/// Cells that are decoded at a time.
const CELLS: usize = 2 << 20;

/// Rows between two that are read together.
const NEAR: usize = 64;

/// A row of a table, by column.
pub type Cells = Map<String, Value>;

/// Why a published row says what it says.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RowLineage {
    pub snapshot: String,
    pub table: String,
    pub key: Cells,
    pub cells: Cells,
    /// The same row in the current snapshot, where that is another and has other values.
    pub now: Option<Cells>,
    /// Rows of `corrections` about it that were known to the snapshot, the oldest first.
    pub before: Vec<Cells>,
    /// Those that came later.
    pub later: Vec<Cells>,
    pub statements: Vec<SourceStatement>,
    /// Why records of sources are one entity: rows of `identities`.
    pub links: Vec<Cells>,
    /// Ids that were given up for this one, or this one for another: rows of `aliases`.
    pub aliases: Vec<Cells>,
    /// Decisions of people about it.
    pub decisions: Vec<Decision>,
    /// Links that no rule was sure of: rows of `doubtful_links`.
    pub doubts: Vec<Cells>,
    /// Other fighters of the same name, who were kept apart.
    pub namesakes: Vec<Cells>,
    /// Rows of sources about it that were set aside: rows of `quarantine`.
    pub set_aside: Vec<Cells>,
}

impl RowLineage {
    /// Keeps of the row's cells those of its key and of a column, or of a metric, which several columns are of.
    pub fn keep_column(&mut self, name: &str) {
        let is_kept = |column: &str| {
            self.key.contains_key(column)
                || column.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with("__"))
        };
        self.cells.retain(|column, _| is_kept(column));
        if let Some(now) = &mut self.now {
            now.retain(|column, _| is_kept(column));
        }
        let is_other = |now: &Cells| *now != self.cells;
        self.now = self.now.take().filter(is_other);
    }
}

/// The lake, the snapshot that a row is of, and the one that is served.
#[derive(Debug)]
pub struct LineageReader<'l> {
    pub lake: &'l Lake,
    pub manifest: SnapshotManifest,
    pub current: SnapshotManifest,
}

impl LineageReader<'_> {
    /// Rows of a table of the snapshot that pass a test; none where it has no such table.
    ///
    /// # Errors
    /// The table cannot be read.
    pub fn rows_where(
        &self,
        table: &str,
        test: impl Fn(&RecordBatch, usize) -> bool,
    ) -> Result<Vec<Cells>, LakeError> {
        rows_where(self.lake, &self.manifest, table, test)
    }

    /// So many rows at most of a table of the snapshot, with these values.
    ///
    /// # Errors
    /// The table cannot be read.
    pub fn rows_with(&self, table: &str, cells: &Cells, limit: usize) -> Result<Vec<Cells>, LakeError> {
        rows_with(self.lake, &self.manifest, table, cells, limit)
    }

    /// The lineage of a row, which is given by its key.
    ///
    /// # Errors
    /// A table, a log or the facts of a capture cannot be read.
    pub fn trace_row(&self, table: &Table, cells: Cells, column: Option<&str>) -> anyhow::Result<RowLineage> {
        let key: Cells = table.key.iter().map(|name| (name.clone(), cells[name].clone())).collect();
        let entity = entity_of(table, &key);
        let mut lineage = RowLineage {
            snapshot: self.manifest.id.to_string(),
            table: table.name.clone(),
            key: key.clone(),
            ..RowLineage::default()
        };
        if self.current.id != self.manifest.id {
            let same = rows_with(self.lake, &self.current, &table.name, &key, 1)?;
            lineage.now = same.into_iter().next().filter(|now| *now != cells);
        }
        if let Some((kind, id)) = &entity {
            self.add_identity(&mut lineage, kind, id)?;
            self.add_corrections(&mut lineage, table, id, column)?;
            if is_stated(&table.name) {
                lineage.statements = self.statements(&lineage, kind)?;
            }
            self.add_set_aside(&mut lineage, id)?;
        }
        lineage.cells = cells;
        Ok(lineage)
    }

    /// Why the entity is one, and why others are not it.
    fn add_identity(&self, lineage: &mut RowLineage, kind: &str, id: &str) -> anyhow::Result<()> {
        let is = |rows: &RecordBatch, row, column: &str, value: &str| text_is(rows, row, column, value);
        lineage.links = self.rows_where("identities", |rows, row| {
            is(rows, row, "kind", kind) && is(rows, row, "entity_id", id)
        })?;
        lineage.aliases = self.rows_where("aliases", |rows, row| {
            is(rows, row, "kind", kind) && (is(rows, row, "entity_id", id) || is(rows, row, "alias_id", id))
        })?;
        let source_ids: BTreeSet<String> = lineage.links.iter().map(source_name).collect();
        let decisions = followed_decisions(self.lake, &self.manifest)?;
        let names = |one: &Decision| one.entity == kind && one.ids.iter().any(|id| source_ids.contains(id));
        lineage.decisions = decisions.into_iter().filter(names).collect();
        lineage.doubts = self.rows_where("doubtful_links", |rows, row| {
            let text = |column: &str| text_of(rows, row, column).unwrap_or_default();
            let source_id = format!("{}:{}", text("source"), text("source_id"));
            is(rows, row, "kind", kind) && (is(rows, row, "candidate", id) || source_ids.contains(&source_id))
        })?;
        if kind == "fighter" {
            let named = self.rows_where("fighters", |rows, row| is(rows, row, "fighter_id", id))?;
            if let Some(name) = named.first().and_then(|cells| cells["name"].as_str()).map(fold_name) {
                lineage.namesakes = self.rows_where("fighters", |rows, row| {
                    !is(rows, row, "fighter_id", id)
                        && text_of(rows, row, "name").is_some_and(|other| fold_name(&other) == name)
                })?;
            }
        }
        Ok(())
    }

    /// Corrections of the row, of all its columns or of one, as the current snapshot knows them.
    fn add_corrections(
        &self,
        lineage: &mut RowLineage,
        table: &Table,
        id: &str,
        column: Option<&str>,
    ) -> anyhow::Result<()> {
        let kinds: &[&str] = match table.name.as_str() {
            "events" => &["event"],
            "bouts" => &["bout"],
            "fighters" => &["fighter"],
            "results" => &["result"],
            "round_stats" => &["round_stats"],
            "scorecards" | "judge_cards" | "round_scorecards" => &["scorecard"],
            _ => return Ok(()),
        };
        let part: Vec<String> = lineage.key.values().skip(1).map(fdna_lineage::shown).collect();
        let part = part.join("/");
        let is_of = |rows: &RecordBatch, row: usize| {
            let is_entity = kinds.contains(&"round_stats") || kinds.contains(&"scorecard");
            kinds.iter().any(|kind| text_is(rows, row, "kind", kind))
                && text_is(rows, row, "entity_id", id)
                && (!is_entity || text_is(rows, row, "part", &part))
                && column.is_none_or(|column| {
                    text_is(rows, row, "field", column) || text_is(rows, row, "field", "row")
                })
        };
        let known: BTreeSet<&str> =
            self.manifest.captures.iter().map(|capture| capture.id.as_str()).collect();
        let mut all = rows_where(self.lake, &self.current, "corrections", is_of)?;
        all.sort_by_key(|cells| cells["replaced_at"].to_string());
        let is_known = |cells: &Cells| cells["replaced_by"].as_str().is_some_and(|id| known.contains(id));
        (lineage.before, lineage.later) = all.into_iter().partition(is_known);
        Ok(())
    }

    fn statements(&self, lineage: &RowLineage, kind: &str) -> anyhow::Result<Vec<SourceStatement>> {
        let log = self.lake.capture_log()?;
        let named = captures_named(lineage);
        let of_snapshot: BTreeSet<(&str, &str)> = self
            .manifest
            .captures
            .iter()
            .map(|capture| (capture.source.as_str(), capture.id.as_str()))
            .collect();
        let is_named = |known: &&LoggedCapture| named.contains(known.capture.id.as_str());
        let sources = sources_of(lineage, log.captures.iter().filter(is_named));
        let mut wanted: BTreeMap<(String, String, String), &LoggedCapture> = BTreeMap::new();
        let mut add = |known| {
            wanted.insert(place_of(known), known);
        };
        log.captures.iter().filter(is_named).for_each(&mut add);
        for source in sources {
            let of_source = || log.captures.iter().filter(|known| known.capture.source == source).rev();
            let counts =
                |known: &&LoggedCapture| of_snapshot.contains(&(&known.capture.source, &known.capture.id));
            of_source().filter(counts).take(1).for_each(&mut add);
            of_source().filter(|known| !known.is_active).take(WITHDRAWN).for_each(&mut add);
        }
        let captures: Vec<&LoggedCapture> = wanted.into_values().collect();
        let ids = |links: &[Cells]| links.iter().map(source_id).collect::<BTreeSet<_>>();
        let fighter = lineage.key.get("fighter_id").and_then(Value::as_str).filter(|_| kind != "fighter");
        let of_fighter = match fighter {
            Some(id) => self.rows_where("identities", |rows, row| text_is(rows, row, "entity_id", id))?,
            None => Vec::new(),
        };
        let named = match fighter {
            Some(id) => self.rows_where("fighters", |rows, row| text_is(rows, row, "fighter_id", id))?,
            None => Vec::new(),
        };
        let names = of_fighter.iter().chain(&named).filter_map(|cells| cells.get("name")?.as_str());
        let sought = SoughtEntity {
            table: lineage.table.clone(),
            kind: kind.to_owned(),
            source_ids: ids(&lineage.links),
            round: lineage.key.get("round").and_then(Value::as_i64),
            fighter_ids: ids(&of_fighter),
            fighter_names: names.map(fold_name).collect(),
        };
        find_statements(self.lake, &captures, &sought)
    }

    fn add_set_aside(&self, lineage: &mut RowLineage, id: &str) -> anyhow::Result<()> {
        let ids: BTreeSet<&str> =
            lineage.links.iter().filter_map(|cells| cells["source_id"].as_str()).collect();
        let set_aside = self.rows_where("quarantine", |rows, row| {
            text_of(rows, row, "key").is_some_and(|key| key == id || ids.contains(key.as_str()))
        })?;
        lineage.set_aside = set_aside;
        Ok(())
    }
}

/// Kind and id of the entity that the key of a table begins with.
fn entity_of(table: &Table, key: &Cells) -> Option<(String, String)> {
    let first = table.key.first()?;
    let kind = first.strip_suffix("_id").filter(|kind| matches!(*kind, "event" | "bout" | "fighter"))?;
    Some((kind.to_owned(), key.get(first)?.as_str()?.to_owned()))
}

/// Ids of captures that links and corrections name.
fn captures_named(lineage: &RowLineage) -> BTreeSet<&str> {
    let of_links = lineage.links.iter().filter_map(|cells| cells["first_seen_capture"].as_str());
    let corrections = lineage.before.iter().chain(&lineage.later);
    let of_corrections = corrections.flat_map(|cells| [&cells["replaced_by"], &cells["old_last_seen_in"]]);
    of_links.chain(of_corrections.filter_map(Value::as_str)).collect()
}

/// Sources of these captures, and every layout of the statistics source where the entity has an id there.
fn sources_of<'a>(lineage: &RowLineage, named: impl Iterator<Item = &'a LoggedCapture>) -> BTreeSet<&'a str> {
    let is_of_statistics = lineage.links.iter().any(|cells| cells["source"] == "statsdb");
    let mut sources: BTreeSet<&str> = named.map(|known| known.capture.source.as_str()).collect();
    let layouts = SourceContract::names().filter(|name| is_of_statistics && name.starts_with("statsdb"));
    for layout in layouts {
        sources.insert(layout);
    }
    sources
}

fn place_of(known: &LoggedCapture) -> (String, String, String) {
    let capture = &known.capture;
    (capture.captured_at.to_rfc3339(), capture.source.clone(), capture.id.clone())
}

fn source_id(cells: &Cells) -> [String; 2] {
    ["source", "source_id"].map(|column| cells[column].as_str().unwrap_or_default().to_owned())
}

fn source_name(cells: &Cells) -> String {
    source_id(cells).join(":")
}

fn text_of(rows: &RecordBatch, row: usize, column: &str) -> Option<String> {
    cell_text(rows.column_by_name(column)?, row)
}

fn text_is(rows: &RecordBatch, row: usize, column: &str, value: &str) -> bool {
    text_of(rows, row, column).is_some_and(|text| text == value)
}

/// Whether a row has these values.
fn has_cells(rows: &RecordBatch, row: usize, cells: &Cells) -> bool {
    cells.iter().all(|(column, value)| {
        rows.column_by_name(column).is_some_and(|cells| cell_json(cells, row) == *value)
    })
}

/// Rows of a table of a snapshot that pass a test.
fn rows_where(
    lake: &Lake,
    manifest: &SnapshotManifest,
    table: &str,
    test: impl Fn(&RecordBatch, usize) -> bool,
) -> Result<Vec<Cells>, LakeError> {
    if manifest.table(table).is_none() {
        return Ok(Vec::new());
    }
    let file = lake.open_snapshot_table(manifest, table)?;
    let mut found = Vec::new();
    for rows in file.row_batches(None, (CELLS / file.n_columns().max(1)).max(1024))? {
        let rows = rows?;
        found.extend((0..rows.num_rows()).filter(|row| test(&rows, *row)).map(|row| cells_of(&rows, row)));
    }
    Ok(found)
}

/// Rows of a table of a snapshot with these values; of the others only those columns are decoded.
fn rows_with(
    lake: &Lake,
    manifest: &SnapshotManifest,
    table: &str,
    cells: &Cells,
    limit: usize,
) -> Result<Vec<Cells>, LakeError> {
    if manifest.table(table).is_none() {
        return Ok(Vec::new());
    }
    let file = lake.open_snapshot_table(manifest, table)?;
    let columns: Vec<&str> = cells.keys().map(String::as_str).collect();
    let (mut places, mut first) = (Vec::new(), 0);
    for rows in file.row_batches(Some(&columns), CELLS / columns.len().max(1))? {
        let rows = rows?;
        places
            .extend((0..rows.num_rows()).filter(|row| has_cells(&rows, *row, cells)).map(|row| first + row));
        first += rows.num_rows();
    }
    places.truncate(limit);
    let mut found = Vec::new();
    // Whole pages are decoded, of one row as of many: those that are near one another at once.
    for near in places.chunk_by(|a, b| b - a < NEAR) {
        let (Some(begin), Some(end)) = (near.first(), near.last()) else { continue };
        let rows = file.read_rows(*begin..*end + 1)?;
        found.extend(near.iter().map(|place| cells_of(&rows, place - begin)));
    }
    Ok(found)
}

fn cells_of(rows: &RecordBatch, row: usize) -> Cells {
    let schema = rows.schema();
    let columns = schema.fields().iter().zip(rows.columns());
    columns.map(|(field, cells)| (field.name().clone(), cell_json(cells, row))).collect()
}
