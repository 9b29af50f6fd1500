//! Statements of sources behind a published row: capture, file and line of each fact.

use std::collections::BTreeSet;

use arrow::array::{Array as _, AsArray as _, RecordBatch};
use fdna_lake::{Lake, LoggedCapture};
use fdna_lineage::{CaptureName, Word, cell_json};
use fdna_model::fold_name;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::captures::facts::{FactsReader, FactsTables, facts_fingerprint, facts_stage};

/// Facts tables that state rows of a published table.
const STATED_IN: [(&str, &[&str]); 8] = [
    ("events", &["statsdb_events", "statsdb_ids_events", "schedule_events", "judging_events"]),
    (
        "bouts",
        &[
            "statsdb_bout_details",
            "statsdb_results",
            "statsdb_ids_bouts",
            "schedule_bouts",
            "judging_bouts",
            "notice_bouts",
        ],
    ),
    ("results", &["statsdb_results", "statsdb_ids_bouts", "schedule_bouts"]),
    ("round_stats", &["statsdb_round_stats", "statsdb_ids_round_stats"]),
    ("scorecards", &["statsdb_results", "statsdb_ids_bouts"]),
    ("judge_cards", &["statsdb_results", "statsdb_ids_bouts", "judging_scores"]),
    ("round_scorecards", &["judging_scores"]),
    (
        "fighters",
        &[
            "statsdb_fighters",
            "statsdb_fighter_profiles",
            "statsdb_ids_fighters",
            "schedule_fighters",
            "judging_fighters",
            "notice_fighters",
        ],
    ),
];

/// Columns of a facts table that are not the source's.
const OURS: [&str; 4] = ["file", "line", "row_digest", "unknown"];

/// A fact as a source states it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SourceStatement {
    pub capture: CaptureName,
    pub captured_at: String,
    /// Whether the capture counts; else the last word about it is `word`.
    pub is_active: bool,
    pub word: Option<Word>,
    /// The facts table.
    pub table: String,
    pub file: String,
    pub line: i64,
    /// The row as it was read, without nulls.
    pub cells: Map<String, Value>,
}

/// The entity that facts are looked for.
#[derive(Clone, Debug, Default)]
pub(super) struct SoughtEntity {
    /// Name of the published table.
    pub(super) table: String,
    /// event, bout or fighter.
    pub(super) kind: String,
    /// Its ids: the source that gives them, as `identities` names it, and the id.
    pub(super) source_ids: BTreeSet<[String; 2]>,
    /// Of a row about a round, which.
    pub(super) round: Option<i64>,
    /// Of a row about one fighter of a bout: ids at sources, and names.
    pub(super) fighter_ids: BTreeSet<[String; 2]>,
    pub(super) fighter_names: BTreeSet<String>,
}

/// Whether rows of a published table are looked for in facts.
#[must_use]
pub(super) fn is_stated(table: &str) -> bool {
    STATED_IN.iter().any(|(name, _)| *name == table)
}

/// What these captures state of the entity, the oldest first. A capture whose facts are not kept states nothing.
///
/// # Errors
/// The facts of a capture cannot be read.
pub(super) fn find_statements(
    lake: &Lake,
    captures: &[&LoggedCapture],
    sought: &SoughtEntity,
) -> anyhow::Result<Vec<SourceStatement>> {
    let reader = FactsReader::new(lake);
    let mut found = Vec::new();
    for known in captures {
        let capture = &known.capture;
        let Some(facts) = lake.find_stage(&facts_stage(&capture.source), &facts_fingerprint(capture))? else {
            continue;
        };
        found.extend(sought.find_in(known, &reader.read_facts(&facts)?));
    }
    found.sort_by(|a, b| {
        let place = |one: &SourceStatement| {
            (one.captured_at.clone(), one.capture.clone(), one.file.clone(), one.line)
        };
        place(a).cmp(&place(b))
    });
    Ok(found)
}

impl SoughtEntity {
    fn find_in(&self, known: &LoggedCapture, facts: &FactsTables) -> Vec<SourceStatement> {
        let tables =
            STATED_IN.iter().find(|(name, _)| *name == self.table).map_or(&[][..], |(_, tables)| tables);
        let source = known.capture.source.as_str();
        let names = self.names_in(source, facts);
        let mut found = Vec::new();
        for table in tables {
            let Some(rows) = facts.get(*table) else { continue };
            let is_of = |row: &usize| {
                self.is_of(source, rows, *row, &names) && self.is_of_part(table, source, rows, *row)
            };
            found.extend((0..rows.num_rows()).filter(is_of).map(|row| statement(known, table, rows, row)));
        }
        found
    }

    /// Event and fighters of the bout as the capture names them: its tables of rounds have no ids.
    fn names_in(&self, source: &str, facts: &FactsTables) -> BTreeSet<[String; 3]> {
        let mut names = BTreeSet::new();
        for rows in facts.values() {
            let of_row = |row| NAMED.map(|column| text(rows, column, row).map(str::to_owned));
            for row in (0..rows.num_rows()).filter(|row| self.has_id(source, rows, *row)) {
                if let [Some(event), Some(first), Some(second)] = of_row(row) {
                    names.insert([event, first, second]);
                }
            }
        }
        names
    }

    fn is_of(&self, source: &str, rows: &RecordBatch, row: usize, names: &BTreeSet<[String; 3]>) -> bool {
        if rows.column_by_name(&self.id_column()).is_some() {
            return self.has_id(source, rows, row);
        }
        let named = NAMED.map(|column| text(rows, column, row));
        matches!(named, [Some(event), Some(first), Some(second)]
            if names.contains(&[event, first, second].map(str::to_owned)))
    }

    fn id_column(&self) -> String {
        format!("{}_source_id", self.kind)
    }

    fn has_id(&self, source: &str, rows: &RecordBatch, row: usize) -> bool {
        let ids = &self.source_ids;
        text(rows, &self.id_column(), row)
            .is_some_and(|id| is_among(ids, source, id, text(rows, "id_space", row)))
    }

    /// Whether a row of a table of rounds is of the round and the fighter.
    fn is_of_part(&self, table: &str, source: &str, rows: &RecordBatch, row: usize) -> bool {
        if !table.ends_with("_round_stats") {
            return true;
        }
        let round = rows.column_by_name("round").and_then(|rounds| cell_json(rounds, row).as_i64());
        let is_of_round = self.round.is_none() || self.round == round;
        let has_fighter = self.fighter_ids.is_empty() && self.fighter_names.is_empty();
        let by_id =
            text(rows, "fighter_source_id", row).map(|id| is_among(&self.fighter_ids, source, id, None));
        let by_name =
            || text(rows, "fighter_name", row).map(|name| self.fighter_names.contains(&fold_name(name)));
        is_of_round && (has_fighter || by_id.or_else(by_name).unwrap_or(true))
    }
}

/// Whether an id of a capture is one of these. Layouts of one source share its ids, and so do sources of one space of ids.
fn is_among(ids: &BTreeSet<[String; 2]>, source: &str, id: &str, space: Option<&str>) -> bool {
    let given_by = space.unwrap_or(if source.starts_with("statsdb") { "statsdb" } else { source });
    ids.contains(&[given_by, id].map(str::to_owned))
}

/// Columns by which the statistics source names a bout.
const NAMED: [&str; 3] = ["event", "first_name", "second_name"];

fn text<'a>(rows: &'a RecordBatch, column: &str, row: usize) -> Option<&'a str> {
    let texts = rows.column_by_name(column)?.as_string_opt::<i32>()?;
    texts.is_valid(row).then(|| texts.value(row))
}

fn statement(known: &LoggedCapture, table: &str, rows: &RecordBatch, row: usize) -> SourceStatement {
    let schema = rows.schema();
    let cells = schema
        .fields()
        .iter()
        .zip(rows.columns())
        .map(|(field, cells)| (field.name(), cell_json(cells, row)));
    let all: Map<String, Value> =
        cells.filter(|(_, value)| !value.is_null()).map(|(name, value)| (name.clone(), value)).collect();
    let word = known.decisions.last().filter(|_| !known.is_active).map(|decision| Word {
        action: decision.action.to_owned(),
        at: decision.at.format("%FT%H:%M:%SZ").to_string(),
        by: decision.by.clone(),
        reason: decision.reason.clone(),
    });
    SourceStatement {
        capture: CaptureName { source: known.capture.source.clone(), id: known.capture.id.clone() },
        captured_at: known.capture.captured_at.format("%FT%H:%M:%SZ").to_string(),
        is_active: known.is_active,
        word,
        table: table.to_owned(),
        file: all.get("file").and_then(Value::as_str).unwrap_or_default().to_owned(),
        line: all.get("line").and_then(Value::as_i64).unwrap_or_default(),
        cells: all.into_iter().filter(|(name, _)| !OURS.contains(&name.as_str())).collect(),
    }
}
