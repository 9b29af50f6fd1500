//! Cause of a changed row or cell of the entities and their facts. The evidence that is nearest to the value counts:
//! a row of `corrections` before the capture of a link, and that before what must be so since nothing else differs.

use arrow::array::RecordBatch;
use fdna_schemas::{SourceContract, SourceGroup, Table};

use crate::cause::{Cause, SomeBouts};
use crate::cell::{cell_text, text_if, text_of};
use crate::compare::{ColumnPair, TableChunk};
use crate::evidence::Evidence;

/// Columns that name the capture which a row is from.
const CAPTURE_COLUMNS: [&str; 5] =
    ["capture", "from_capture", "first_seen_capture", "since_capture", "replaced_by"];

/// Tables whose rows `corrections` speaks of: table, kind there, column of the entity.
const CORRECTED: [(&str, &str, &str); 8] = [
    ("events", "event", "event_id"),
    ("bouts", "bout", "bout_id"),
    ("fighters", "fighter", "fighter_id"),
    ("results", "result", "bout_id"),
    ("round_stats", "round_stats", "bout_id"),
    ("scorecards", "scorecard", "bout_id"),
    ("judge_cards", "scorecard", "bout_id"),
    ("round_scorecards", "scorecard", "bout_id"),
];

/// A table, and the versions of its contract in two snapshots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ComparedTable<'t> {
    pub(crate) table: &'t Table,
    /// Version that each snapshot was written under; `None` where it has no such table.
    pub(crate) versions: [Option<u32>; 2],
}

impl ComparedTable<'_> {
    /// Set where one of the two snapshots has no such table.
    fn missing_table(&self, evidence: &Evidence) -> Option<Cause> {
        let [from, to] = &evidence.pair.contract_versions;
        let is_defined = self.versions.contains(&None) && from != to;
        let of = format!("table {}", self.table.name);
        is_defined.then(|| Cause::Definition { of, from: from.clone(), to: to.clone() })
    }

    /// The change of the contract that a column is new by, or that names the column.
    fn definition_of(&self, column: &ColumnPair) -> Option<Cause> {
        let [Some(from), Some(to)] = self.versions else { return None };
        let between = |version: u32| (from.min(to) + 1..=from.max(to)).contains(&version);
        let names = |note: &str| {
            note.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == column.name)
        };
        let mut notes = self.table.history.iter().filter(|change| between(change.version));
        let is_defined = from != to
            && (column.old.is_none() || column.new.is_none() || notes.any(|change| names(&change.note)));
        let of = format!("column {} of {}", column.name, self.table.name);
        is_defined.then(|| Cause::Definition { of, from: from.to_string(), to: to.to_string() })
    }

    fn corrected(&self) -> Option<(&'static str, &'static str)> {
        let found = CORRECTED.iter().find(|(table, ..)| *table == self.table.name);
        found.map(|(_, kind, entity)| (*kind, *entity))
    }

    /// Place of a row within its entity, as `corrections` writes it.
    fn part_of(&self, rows: &RecordBatch, row: usize) -> String {
        let texts = self.table.key.iter().skip(1).map(|column| {
            rows.column_by_name(column).and_then(|array| cell_text(array, row)).unwrap_or_default()
        });
        texts.collect::<Vec<_>>().join("/")
    }

    /// Causes of a row that only one of the two has.
    pub(crate) fn causes_of_row(
        &self,
        evidence: &Evidence,
        rows: &RecordBatch,
        row: usize,
        is_new: bool,
    ) -> Vec<Cause> {
        let found = self.missing_table(evidence).or_else(|| {
            let merged = self
                .table
                .key
                .iter()
                .find_map(|column| evidence.merge_of(text_if(rows, column, row)?).cloned());
            let of_row = || self.correction_of_row(evidence, rows, row, is_new);
            let of_capture = || {
                let mut names = CAPTURE_COLUMNS.iter().filter_map(|column| text_if(rows, column, row));
                names.find_map(|id| evidence.of_capture(id))
            };
            let of_entity = || self.cause_of_entity(evidence, rows, row, is_new);
            merged.or_else(of_row).or_else(of_entity).or_else(of_capture)
        });
        match found {
            // Which capture first had it as well.
            Some(cause @ Cause::NewBout { .. }) if self.table.name == "bouts" => {
                let link = evidence.link_of(text_of(rows, "bout_id", row), true);
                std::iter::once(cause).chain(link).collect()
            }
            Some(cause) => vec![cause],
            None => evidence.only_causes(&self.table.name),
        }
    }

    /// A row that a capture withdrew.
    fn correction_of_row(
        &self,
        evidence: &Evidence,
        rows: &RecordBatch,
        row: usize,
        is_new: bool,
    ) -> Option<Cause> {
        let (kind, column) = self.corrected()?;
        let (entity, part) = (text_of(rows, column, row), self.part_of(rows, row));
        let seen = evidence.corrections_of(&[kind, entity, "row"], !is_new);
        let found = seen.iter().find(|correction| correction.part == part)?;
        Some(match is_new {
            true => evidence.withdrawal(&found.capture),
            false => Cause::Correction {
                capture: found.capture.clone(),
                of: format!("{kind}, which it no longer has"),
                entity_id: entity.to_owned(),
            },
        })
    }

    /// The bout that a row is about, where it is new; the capture that first had the entity of a row.
    fn cause_of_entity(
        &self,
        evidence: &Evidence,
        rows: &RecordBatch,
        row: usize,
        is_new: bool,
    ) -> Option<Cause> {
        let bout = text_if(rows, "bout_id", row).filter(|bout| is_new && evidence.new_bouts.contains(*bout));
        if let Some(bout) = bout {
            return Some(Cause::NewBout { bouts: SomeBouts::one(bout) });
        }
        let link = || evidence.link_of(text_of(rows, self.table.key.first()?, row), is_new);
        match self.table.name.as_str() {
            "events" | "bouts" | "fighters" => link(),
            // Of the statistics source alone: another's link of the bout says nothing of them.
            "results" | "round_stats" | "scorecards" => link().filter(is_of_statistics),
            _ => None,
        }
    }

    /// Causes of a cell that both have, with other values.
    pub(crate) fn causes_of_cell(
        &self,
        evidence: &Evidence,
        chunk: &TableChunk,
        row: usize,
        column: &ColumnPair,
    ) -> Vec<Cause> {
        let found = self.definition_of(column).or_else(|| {
            let texts = [&column.old, &column.new];
            let texts = texts.map(|cells| cells.as_ref().and_then(|cells| cell_text(cells, row)));
            let merged = texts.iter().flatten().find_map(|id| evidence.merge_of(id).cloned());
            let corrected = || self.correction_of_cell(evidence, chunk, row, column, texts.each_ref());
            let of_capture = || {
                let mut names = CAPTURE_COLUMNS.iter().filter_map(|name| text_if(&chunk.new, name, row));
                names.find_map(|id| evidence.of_capture(id))
            };
            let of_entity = || evidence.merge_of(text_of(&chunk.new, self.table.key.first()?, row)).cloned();
            merged.or_else(corrected).or_else(of_capture).or_else(of_entity)
        });
        if let Some(found) = found {
            return vec![found];
        }
        let (of_source, registry) = match self.table.name.as_str() {
            "sources" => (evidence.of_source(text_of(&chunk.new, "source", row)), None),
            "identities" if column.name == "entity_id" => (Vec::new(), evidence.pair.registry.clone()),
            _ => (Vec::new(), None),
        };
        match (of_source.is_empty(), registry) {
            (false, _) => of_source,
            (true, Some(registry)) => vec![registry],
            (true, None) => evidence.only_causes(&self.table.name),
        }
    }

    fn correction_of_cell(
        &self,
        evidence: &Evidence,
        chunk: &TableChunk,
        row: usize,
        column: &ColumnPair,
        [old, _]: [&Option<String>; 2],
    ) -> Option<Cause> {
        let (kind, id) = self.corrected()?;
        let of_event = (self.table.name == "bouts").then_some(("event", "event_id"));
        let part = self.part_of(&chunk.new, row);
        for (kind, id) in std::iter::once((kind, id)).chain(of_event) {
            let entity = text_of(&chunk.new, id, row);
            let is_of = |given: &str| matches!(kind, "event" | "bout" | "fighter") || given == part;
            let key = [kind, entity, column.name.as_str()];
            let newest = evidence.corrections_of(&key, true).iter().rfind(|seen| is_of(&seen.part));
            if let Some(seen) = newest {
                let of = format!("{kind}'s {}", column.name);
                let entity_id = entity.to_owned();
                return Some(Cause::Correction { capture: seen.capture.clone(), of, entity_id });
            }
            let undone = evidence.corrections_of(&key, false).iter();
            let mut undone = undone.filter(|seen| is_of(&seen.part) && Some(&seen.new) == old.as_ref());
            let undone = undone.find_map(|seen| evidence.of_capture(&seen.capture.id));
            if undone.is_some() {
                return undone;
            }
        }
        None
    }
}

fn is_of_statistics(cause: &Cause) -> bool {
    let source = match cause {
        Cause::Capture { first, .. } => first.first().map(|capture| capture.source.as_str()),
        Cause::Withdrawal { capture, .. } => Some(capture.source.as_str()),
        _ => None,
    };
    let contract = source.and_then(SourceContract::get);
    contract.is_some_and(|contract| contract.feeds().contains(&SourceGroup::Statistics))
}

impl SomeBouts {
    pub(crate) fn one(bout: &str) -> Self {
        Self { count: 1, first: vec![bout.to_owned()], of_others: false }
    }
}
