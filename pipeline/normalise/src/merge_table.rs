//! Captures over time: the newest value wins, an absent or unknown one never replaces a known one, and
//! every change leaves a row in `corrections`.
//!
//! Layouts of one source have different rows and columns. What a capture lacks is withdrawn only if an earlier
//! capture of its own layout had it, and what it adds is filled in only if an earlier one of its layout lacked it.
//! A layout of single pages lacks nothing: no capture of it is whole.

mod agree;
mod track;

use std::collections::{BTreeMap, BTreeSet};

use arrow::array::RecordBatch;
use chrono::{DateTime, Utc};
use fdna_rows::{CellValue, LAST_CAPTURE, PackedRow, row_cells, sorted_batch, to_batch};
use fdna_schemas::tables::{
    BoutsRow, ColumnPlace, ContractRow as _, CorrectionsRow, EventsRow, FightersRow, IdentitiesRow,
    ResultsRow, RoundStatsRow, ScorecardsRow,
};
use fdna_schemas::{Table, Tables};
use serde::{Deserialize, Serialize};

use self::track::{CurrentRow, RowChange, TrackedRow};
use crate::error::NormaliseError;

/// Rule for merging a table, beyond its contract.
struct MergeRule {
    table: &'static str,
    /// `kind` in `corrections`.
    kind: &'static str,
    /// Kind in `identities`, with the column of the source id; `None` where rows are parts of a bout.
    identity: Option<ColumnPlace>,
    /// Rows of one bout stand or fall together: a capture that has some replaces all.
    by_bout: bool,
    /// A column that, when it changes, makes the row another one: then its nulls replace as well, since parts
    /// of two rows put together are what neither capture says.
    identifying: Option<ColumnPlace>,
}

impl MergeRule {
    /// Of a table whose rows stand each for itself.
    const fn new(table: &'static str, kind: &'static str, identity: Option<ColumnPlace>) -> Self {
        Self { table, kind, identity, by_bout: false, identifying: None }
    }
}

const RULES: [MergeRule; 6] = [
    MergeRule::new(EventsRow::TABLE, "event", Some(EventsRow::STATSDB_ID)),
    MergeRule::new(FightersRow::TABLE, "fighter", Some(FightersRow::STATSDB_ID)),
    MergeRule::new(BoutsRow::TABLE, "bout", Some(BoutsRow::STATSDB_ID)),
    MergeRule::new(ResultsRow::TABLE, "result", None),
    MergeRule {
        by_bout: true,
        identifying: Some(ScorecardsRow::RAW),
        ..MergeRule::new(ScorecardsRow::TABLE, "scorecard", None)
    },
    MergeRule { by_bout: true, ..MergeRule::new(RoundStatsRow::TABLE, "round_stats", None) },
];

/// A capture, in the order of time.
#[derive(Serialize, Deserialize)]
struct SeenCapture {
    id: String,
    at: DateTime<Utc>,
    /// Place in [`MergeOutcome::layouts`].
    layout: usize,
}

#[derive(Serialize, Deserialize)]
struct ValueCorrection {
    /// As `corrections` has it.
    kind: String,
    key: Vec<CellValue>,
    change: RowChange,
    replaced: usize,
}

struct MergedTable {
    rule: &'static MergeRule,
    table: &'static Table,
    key: Vec<usize>,
    /// Place in [`Self::rows`] by key.
    places: BTreeMap<Vec<CellValue>, usize>,
    /// A row keeps its place; none where it was taken out.
    rows: Vec<Option<TrackedRow>>,
}

/// Rows that a capture gave: the first part of the key, and the place of each.
pub(crate) type GivenRow = BTreeMap<&'static str, Vec<(CellValue, usize)>>;

/// All tables so far.
#[derive(Serialize, Deserialize)]
pub(crate) struct MergeOutcome {
    layouts: Vec<String>,
    captures: Vec<SeenCapture>,
    #[serde(with = "table_rows")]
    tables: Vec<MergedTable>,
    corrections: Vec<ValueCorrection>,
}

/// Of a table only its rows are kept: the rest follows from its contract.
mod table_rows {
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    use crate::merge_table::track::TrackedRow;
    use crate::merge_table::{MergeOutcome, MergedTable};

    pub(super) fn serialize<S: Serializer>(tables: &[MergedTable], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(tables.iter().map(|table| &table.rows))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<MergedTable>, D::Error> {
        let rows = Vec::<Vec<Option<TrackedRow>>>::deserialize(from)?;
        let tables = MergeOutcome::new().map_err(D::Error::custom)?.tables;
        if rows.len() != tables.len() {
            return Err(D::Error::invalid_length(rows.len(), &"the rows of every table"));
        }
        let filled = tables.into_iter().zip(rows).map(|(table, rows)| table.with_rows(rows));
        filled.collect::<Option<_>>().ok_or_else(|| D::Error::custom("a row is not of its table's width"))
    }
}

impl MergedTable {
    /// With the rows of an earlier run.
    fn with_rows(mut self, rows: Vec<Option<TrackedRow>>) -> Option<Self> {
        for (place, tracked) in rows.iter().enumerate() {
            let Some(tracked) = tracked else { continue };
            let cells = tracked.to_cells();
            if cells.len() != self.table.columns.len() || !self.has_ids(&cells) {
                return None;
            }
            let key: Vec<CellValue> = self.key.iter().map(|i| cells[*i].clone()).collect();
            self.places.insert(key, place);
        }
        self.rows = rows;
        Some(self)
    }
}

impl MergedTable {
    /// Whether a row has what `identities` says of it: an id of ours, and one of the source.
    fn has_ids(&self, row: &[CellValue]) -> bool {
        self.rule.identity.is_none_or(|source_id| {
            self.key.first().is_some_and(|place| row[*place].as_id().is_some())
                && row[source_id.place].as_text().is_some()
        })
    }
}

impl MergeOutcome {
    /// Whether all referenced captures and layouts exist: the state may come from another build.
    pub(crate) fn is_sound(&self) -> bool {
        let (captures, layouts) = (self.captures.len(), self.layouts.len());
        let is_known = |c: &ValueCorrection| {
            matches!(c.key.first(), Some(CellValue::Id(_)))
                && c.replaced.max(c.change.first).max(c.change.last) < captures
        };
        self.captures.iter().all(|seen| seen.layout < layouts)
            && self.corrections.iter().all(is_known)
            && self.tables.iter().all(|table| {
                let n_columns = table.table.columns.len();
                table.rows.iter().flatten().all(|row| row.is_within(captures, layouts, n_columns))
            })
    }

    pub(crate) fn new() -> Result<Self, NormaliseError> {
        let tables = RULES.iter().map(|rule| {
            let table = Tables::get().table(rule.table)?;
            Ok(MergedTable {
                rule,
                table,
                key: table.key_places(),
                places: BTreeMap::new(),
                rows: Vec::new(),
            })
        });
        let tables = tables.collect::<Result<_, NormaliseError>>()?;
        Ok(Self { layouts: Vec::new(), captures: Vec::new(), tables, corrections: Vec::new() })
    }

    /// Adds a capture newer than all before.
    pub(crate) fn add_capture(
        &mut self,
        layout: &str,
        capture: &str,
        captured_at: DateTime<Utc>,
        mut rows: BTreeMap<&'static str, Vec<PackedRow>>,
    ) -> GivenRow {
        let layout = self.layouts.iter().position(|name| name == layout).unwrap_or_else(|| {
            self.layouts.push(layout.to_owned());
            self.layouts.len() - 1
        });
        let is_partial = self.layouts[layout] == crate::statsdb::PAGES;
        let now = CurrentRow { capture: self.captures.len(), layout, is_partial };
        self.captures.push(SeenCapture { id: capture.to_owned(), at: captured_at, layout });
        let mut given = GivenRow::new();
        for table in &mut self.tables {
            let rows = rows.remove(table.rule.table).unwrap_or_default();
            given.insert(table.rule.table, table.add_rows(now, rows, &mut self.corrections));
        }
        given
    }

    /// Confirms the rows of the capture added last, of the same layout, for a capture that repeats them.
    /// To take in a row twice changes nothing but when it was last seen.
    pub(crate) fn mark_unchanged(&mut self, table: &str, places: impl IntoIterator<Item = usize>) {
        let Some(last) = self.captures.last() else { return };
        let now = CurrentRow { capture: self.captures.len() - 1, layout: last.layout, is_partial: false };
        let Some(table) = self.tables.iter_mut().find(|t| t.rule.table == table) else { return };
        for place in places {
            if let Some(Some(tracked)) = table.rows.get_mut(place) {
                tracked.confirm_at(now);
            }
        }
    }

    /// Whether the capture added last is of this layout.
    pub(crate) fn is_last_of(&self, layout: &str) -> bool {
        self.captures.last().is_some_and(|last| self.layouts[last.layout] == layout)
    }

    /// The merged tables, `identities` and `corrections` among them.
    pub(crate) fn into_tables(self) -> Result<Vec<(String, RecordBatch)>, NormaliseError> {
        let mut out = vec![self.identity_table()?, self.correction_table()?];
        let newest = self.newest_captures();
        for table in self.tables {
            let (contract, last) = (table.table, table.table.place(LAST_CAPTURE));
            let rows = table.into_rows().map(|tracked| {
                let mut row = tracked.to_cells();
                let is_gone = tracked.given.iter().any(|g| newest[g.layout] > tracked.last_seen);
                if let Some(last) = last.filter(|_| is_gone) {
                    row[last] = CellValue::text(&self.captures[tracked.last_seen].id);
                }
                row
            });
            out.push((contract.name.clone(), to_batch(contract, rows)?));
        }
        Ok(out)
    }

    /// The newest capture of each layout; of one whose captures are parts, none, since nothing is gone by it.
    fn newest_captures(&self) -> Vec<usize> {
        let mut newest = vec![0; self.layouts.len()];
        let whole = |capture: &SeenCapture| self.layouts[capture.layout] != crate::statsdb::PAGES;
        let captures = self.captures.iter().enumerate().filter(|(_, capture)| whole(capture));
        captures.for_each(|(i, capture)| newest[capture.layout] = i);
        newest
    }

    fn identity_table(&self) -> Result<(String, RecordBatch), NormaliseError> {
        let mut rows = Vec::new();
        for table in &self.tables {
            let Some(column) = table.rule.identity else { continue };
            for (key, tracked) in table.iter() {
                let SeenCapture { id, at, .. } = &self.captures[tracked.first_seen];
                rows.push(row_cells(&IdentitiesRow {
                    kind: table.rule.kind,
                    entity_id: key[0].as_id().unwrap_or_default(),
                    source: "statsdb",
                    source_id: tracked.to_cells()[column.place].as_text().unwrap_or_default(),
                    rule: "source_id",
                    first_seen_capture: id,
                    first_seen_at: *at,
                    name: None,
                    score: 1.0,
                }));
            }
        }
        Ok(sorted_batch(IdentitiesRow::TABLE, rows)?)
    }

    fn correction_table(&self) -> Result<(String, RecordBatch), NormaliseError> {
        let row = |c: &ValueCorrection| {
            let part: Vec<String> = c.key[1..].iter().filter_map(CellValue::display).collect();
            let [first, last, replaced] =
                [c.change.first, c.change.last, c.replaced].map(|capture| &self.captures[capture]);
            row_cells(&CorrectionsRow {
                kind: &c.kind,
                entity_id: c.key[0].as_id().unwrap_or_default(),
                part: &part.join("/"),
                field: &c.change.field,
                change: c.change.change.name(),
                old: c.change.old.as_deref(),
                new: c.change.new.as_deref(),
                old_first_seen_at: first.at,
                old_last_seen_at: last.at,
                old_last_seen_in: &last.id,
                replaced_at: replaced.at,
                replaced_by: &replaced.id,
            })
        };
        Ok(sorted_batch(CorrectionsRow::TABLE, self.corrections.iter().map(row).collect())?)
    }
}

impl MergedTable {
    fn add_rows(
        &mut self,
        now: CurrentRow,
        rows: Vec<PackedRow>,
        corrections: &mut Vec<ValueCorrection>,
    ) -> Vec<(CellValue, usize)> {
        let identifying = self.rule.identifying.map(|column| column.place);
        let mut bouts = BTreeSet::new();
        let mut given = Vec::with_capacity(rows.len());
        for row in rows {
            let row = row.to_cells();
            let key: Vec<CellValue> = self.key.iter().map(|i| row[*i].clone()).collect();
            if self.rule.by_bout {
                bouts.insert(key[0].clone());
            }
            let first = key[0].clone();
            let there = self.places.get(&key).copied();
            match there.and_then(|place| Some((place, self.rows.get_mut(place)?.as_mut()?))) {
                Some((place, tracked)) => {
                    given.push((first, place));
                    let changes = tracked.update_row(self.table, identifying, row, now);
                    corrections.extend(changes.into_iter().map(|change| ValueCorrection {
                        kind: self.rule.kind.to_owned(),
                        key: key.clone(),
                        change,
                        replaced: now.capture,
                    }));
                }
                None => {
                    given.push((first, self.rows.len()));
                    self.places.insert(key, self.rows.len());
                    self.rows.push(Some(TrackedRow::new(&row, now)));
                }
            }
        }
        for bout in bouts {
            // Rows of a bout that the newest capture describes without them.
            self.withdraw_rows(&bout, now.capture, corrections, |tracked| tracked.last_seen != now.capture);
        }
        given
    }

    fn row_at(&self, place: usize) -> Option<&TrackedRow> {
        self.rows.get(place)?.as_ref()
    }

    /// By key.
    fn iter(&self) -> impl Iterator<Item = (&Vec<CellValue>, &TrackedRow)> {
        self.places.iter().filter_map(|(key, place)| Some((key, self.row_at(*place)?)))
    }

    /// In the order of their keys.
    fn into_rows(mut self) -> impl Iterator<Item = TrackedRow> {
        self.places.into_values().filter_map(move |place| self.rows.get_mut(place)?.take())
    }

    /// Takes rows of a bout out of the table; `corrections` keeps that they were there.
    fn withdraw_rows(
        &mut self,
        bout: &CellValue,
        now: usize,
        corrections: &mut Vec<ValueCorrection>,
        is_withdrawn: impl Fn(&TrackedRow) -> bool,
    ) {
        let from = self.places.range(vec![bout.clone()]..).take_while(|(key, _)| key[0] == *bout);
        let rows = from.map(|(key, place)| (key.clone(), *place)).collect::<Vec<_>>();
        for (key, place) in rows {
            let Some(tracked) = self.rows[place].take_if(|tracked| is_withdrawn(tracked)) else { continue };
            self.places.remove(&key);
            corrections.push(ValueCorrection {
                kind: self.rule.kind.to_owned(),
                key,
                change: RowChange {
                    field: "row".to_owned(),
                    change: track::ChangeKind::Withdrawn,
                    old: Some("present".to_owned()),
                    new: None,
                    first: tracked.first_seen,
                    last: tracked.last_seen,
                },
                replaced: now,
            });
        }
    }
}
