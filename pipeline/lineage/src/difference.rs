//! Rows that differ between two versions of a table, with their causes, and what they come to.

use std::collections::{BTreeMap, BTreeSet};

use arrow::array::RecordBatch;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::cause::Cause;
use crate::cell::cell_json;
use crate::compare::TableChunk;

/// Number of a set of causes in [`CauseSets`].
pub(crate) type SetNumber = usize;

/// Sets of causes, each once.
#[derive(Debug, Default)]
pub(crate) struct CauseSets {
    sets: Vec<Vec<Cause>>,
    numbers: BTreeMap<Vec<Cause>, SetNumber>,
}

impl CauseSets {
    pub(crate) fn number(&mut self, causes: Vec<Cause>) -> SetNumber {
        if let Some(number) = self.numbers.get(&causes) {
            return *number;
        }
        self.sets.push(causes.clone());
        self.numbers.insert(causes, self.sets.len() - 1);
        self.sets.len() - 1
    }

    /// The causes of a set.
    fn get(&self, number: SetNumber) -> &[Cause] {
        self.sets.get(number).map_or(&[], Vec::as_slice)
    }
}

/// Rows that differ, with causes.
#[derive(Debug)]
pub struct CausedChunk<'c> {
    pub(crate) chunk: &'c TableChunk,
    /// Places in its `new` of rows that changed.
    pub(crate) changed: &'c [usize],
    pub(crate) causes: FoundCauses,
    pub(crate) sets: &'c CauseSets,
}

/// Causes of the cells of a column.
#[derive(Debug)]
pub(crate) enum ColumnCauses {
    /// The same for all.
    One(SetNumber),
    /// Those of the rows.
    OfRows,
    /// By row.
    Each(BTreeMap<usize, SetNumber>),
}

/// What became of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TableSummary {
    pub table: String,
    /// Rows in each; null where a snapshot has no such table.
    pub rows: [Option<u64>; 2],
    /// Versions of the contract that each was written under.
    pub contract_versions: [Option<u32>; 2],
    pub appeared: usize,
    pub gone: usize,
    pub changed: usize,
    /// Cells of the changed rows that differ.
    pub cells: usize,
    /// Rows that appeared or are gone and cells that differ, by kind of cause; one of several causes counts for each.
    pub causes: BTreeMap<&'static str, usize>,
}

impl TableSummary {
    /// Whether the two snapshots have the same rows.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.appeared + self.gone + self.changed == 0 && self.rows[0].is_some() == self.rows[1].is_some()
    }
}

/// A row that differs, as JSON writes it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum RowDiff<'c> {
    Appeared { key: Map<String, Value>, cells: Map<String, Value>, causes: &'c [Cause] },
    Gone { key: Map<String, Value>, cells: Map<String, Value>, causes: &'c [Cause] },
    Changed { key: Map<String, Value>, cells: Vec<CellDiff<'c>> },
}

/// A cell that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellDiff<'c> {
    pub column: &'c str,
    /// Left out where the older version has no such column; null is a null.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<Value>,
    pub causes: &'c [Cause],
}

/// Causes of what differs in a chunk.
#[derive(Debug)]
pub(crate) struct FoundCauses {
    pub(crate) gone: Vec<SetNumber>,
    pub(crate) appeared: Vec<SetNumber>,
    /// Of each column that differs.
    pub(crate) cells: Vec<ColumnCauses>,
    /// Of rows of a derived table: all values of a row move together.
    pub(crate) of_rows: BTreeMap<usize, SetNumber>,
}

impl CausedChunk<'_> {
    pub(crate) fn add_to(&self, summary: &mut TableSummary) {
        summary.gone += self.causes.gone.len();
        summary.appeared += self.causes.appeared.len();
        summary.changed += self.changed.len();
        let mut counts: BTreeMap<SetNumber, usize> = BTreeMap::new();
        self.causes
            .gone
            .iter()
            .chain(&self.causes.appeared)
            .for_each(|number| *counts.entry(*number).or_default() += 1);
        for (at, column) in self.chunk.columns.iter().enumerate() {
            for row in column.changed.set_indices() {
                *counts.entry(self.number_of(at, row)).or_default() += 1;
                summary.cells += 1;
            }
        }
        for (number, count) in counts {
            for kind in self.sets.get(number).iter().map(Cause::kind).collect::<BTreeSet<_>>() {
                *summary.causes.entry(kind).or_default() += count;
            }
        }
    }

    /// Causes of a cell, by the place of its column among those that differ.
    fn number_of(&self, column: usize, row: usize) -> SetNumber {
        match &self.causes.cells[column] {
            ColumnCauses::One(number) => *number,
            ColumnCauses::OfRows => self.causes.of_rows[&row],
            ColumnCauses::Each(numbers) => numbers[&row],
        }
    }

    /// How many rows differ.
    #[must_use]
    pub fn row_count(&self) -> usize {
        self.causes.gone.len() + self.causes.appeared.len() + self.changed.len()
    }

    /// One of the rows that differ: first those that are gone, then those that appeared, then those that changed, each in order
    /// of the key. `None` from [`CausedChunk::row_count`] on.
    #[must_use]
    pub fn row(&self, key: &[String], at: usize) -> Option<RowDiff<'_>> {
        let key_of =
            |rows: &RecordBatch, row| row_json(rows, row, |name| key.iter().any(|column| column == name));
        if let Some(number) = self.causes.gone.get(at) {
            let (rows, causes) = (&self.chunk.gone, self.sets.get(*number));
            return Some(RowDiff::Gone {
                key: key_of(rows, at),
                cells: row_json(rows, at, |_| true),
                causes,
            });
        }
        let at = at - self.causes.gone.len();
        if let Some(number) = self.causes.appeared.get(at) {
            let (rows, causes) = (&self.chunk.appeared, self.sets.get(*number));
            return Some(RowDiff::Appeared {
                key: key_of(rows, at),
                cells: row_json(rows, at, |_| true),
                causes,
            });
        }
        let row = *self.changed.get(at - self.causes.appeared.len())?;
        let cells = self.cells_of(row).collect();
        Some(RowDiff::Changed { key: key_of(&self.chunk.new, row), cells })
    }

    /// All of them.
    pub fn rows<'a>(&'a self, key: &'a [String]) -> impl Iterator<Item = RowDiff<'a>> {
        (0..self.row_count()).filter_map(|at| self.row(key, at))
    }

    /// The same, but so many at most of those that are gone, that appeared and that changed.
    pub fn some_rows<'a>(
        &'a self,
        key: &'a [String],
        [gone, appeared, changed]: [usize; 3],
    ) -> impl Iterator<Item = RowDiff<'a>> {
        let first = |begin: usize, length: usize, most: usize| begin..begin + length.min(most);
        let (is_gone, have_appeared) = (self.causes.gone.len(), self.causes.appeared.len());
        let chosen = first(0, is_gone, gone).chain(first(is_gone, have_appeared, appeared)).chain(first(
            is_gone + have_appeared,
            self.changed.len(),
            changed,
        ));
        chosen.filter_map(|at| self.row(key, at))
    }

    fn cells_of(&self, row: usize) -> impl Iterator<Item = CellDiff<'_>> {
        let differing =
            self.chunk.columns.iter().enumerate().filter(move |(_, column)| column.changed.value(row));
        differing.map(move |(at, column)| {
            let [old, new] =
                [&column.old, &column.new].map(|cells| cells.as_ref().map(|cells| cell_json(cells, row)));
            CellDiff { column: &column.name, old, new, causes: self.sets.get(self.number_of(at, row)) }
        })
    }
}

fn row_json(rows: &RecordBatch, row: usize, takes: impl Fn(&str) -> bool) -> Map<String, Value> {
    let schema = rows.schema();
    let columns = schema.fields().iter().zip(rows.columns()).filter(|(field, _)| takes(field.name()));
    columns.map(|(field, cells)| (field.name().clone(), cell_json(cells, row))).collect()
}
