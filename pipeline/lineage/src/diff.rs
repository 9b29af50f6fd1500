//! What differs between two snapshots, table by table, and the cause of each difference.

use std::collections::{BTreeMap, BTreeSet};

use arrow::array::RecordBatch;
use fdna_schemas::{Table, Tables};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::cause::Cause;
use crate::cell::{cell_json, text_of};
use crate::compare::{ColumnPair, CompareError, TableChunk, compare_tables};
use crate::derived::{ChangedFacts, as_new_result};
use crate::evidence::{Evidence, SnapshotPair};
use crate::find_cause::ComparedTable;

/// One of the two snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Old,
    New,
}

impl Side {
    /// Both, the older first.
    pub const BOTH: [Self; 2] = [Self::Old, Self::New];
}

/// A table as its snapshot's manifest states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableState {
    pub rows: u64,
    pub contract_version: u32,
    pub sha256: String,
}

/// Rows of a table, some at a time, in order of its key.
pub type RowBatches<E> = Box<dyn Iterator<Item = Result<RecordBatch, E>>>;

/// Where the tables of two snapshots are read.
pub trait SnapshotTables {
    type Error: std::error::Error;

    /// Names of the tables of a snapshot.
    fn names(&self, side: Side) -> Vec<String>;

    /// A table; `None` where the snapshot has none of this name.
    fn state(&self, side: Side, table: &str) -> Option<TableState>;

    /// Its rows, with these columns of those that it has, or with all.
    ///
    /// # Errors
    /// It cannot be read.
    fn rows(
        &self,
        side: Side,
        table: &str,
        columns: Option<&[&str]>,
    ) -> Result<RowBatches<Self::Error>, Self::Error>;
}

/// A comparison that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum DiffError<E: std::error::Error + 'static> {
    #[error("cannot compare table `{table}`")]
    Table {
        table: String,
        #[source]
        source: CompareError<E>,
    },
    #[error("cannot compare table `{table}`: this build has no contract for it")]
    NoContract { table: String },
}

/// Number of a set of causes in [`CauseSets`].
type SetNumber = usize;

/// Sets of causes, each once.
#[derive(Debug, Default)]
struct CauseSets {
    sets: Vec<Vec<Cause>>,
    numbers: BTreeMap<Vec<Cause>, SetNumber>,
}

impl CauseSets {
    fn number(&mut self, causes: Vec<Cause>) -> SetNumber {
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
    chunk: &'c TableChunk,
    gone: Vec<SetNumber>,
    appeared: Vec<SetNumber>,
    /// Of each column that differs.
    cells: Vec<ColumnCauses>,
    /// Of rows of a derived table: all values of a row move together.
    of_rows: BTreeMap<usize, SetNumber>,
    sets: &'c CauseSets,
}

/// Causes of the cells of a column.
#[derive(Debug)]
enum ColumnCauses {
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
pub enum RowDiff {
    Appeared { key: Map<String, Value>, cells: Map<String, Value>, causes: Vec<Cause> },
    Gone { key: Map<String, Value>, cells: Map<String, Value>, causes: Vec<Cause> },
    Changed { key: Map<String, Value>, cells: Vec<CellDiff> },
}

/// A cell that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellDiff {
    pub column: String,
    /// Left out where the older version has no such column; null is a null.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<Value>,
    pub causes: Vec<Cause>,
}

struct FoundCauses {
    gone: Vec<SetNumber>,
    appeared: Vec<SetNumber>,
    cells: Vec<ColumnCauses>,
    of_rows: BTreeMap<usize, SetNumber>,
}

/// Two snapshots beside each other, with the evidence of causes.
#[derive(Debug)]
pub struct SnapshotDiff<'s, S> {
    source: &'s S,
    evidence: Evidence,
    facts: ChangedFacts,
}

impl<'s, S: SnapshotTables> SnapshotDiff<'s, S>
where
    S::Error: 'static,
{
    /// Gathers evidence: first of what holds it, then of the facts that derivation reads.
    ///
    /// # Errors
    /// A table cannot be read.
    pub fn new(source: &'s S, pair: SnapshotPair) -> Result<Self, DiffError<S::Error>> {
        let mut diff = Self { source, evidence: Evidence::new(pair), facts: ChangedFacts::default() };
        for table in Evidence::TABLES {
            let mut evidence = std::mem::take(&mut diff.evidence);
            let gathered = diff.differing_rows(table, |chunk| evidence.gather(table, chunk));
            diff.evidence = evidence;
            gathered?;
        }
        diff.gather_facts()?;
        Ok(diff)
    }

    fn gather_facts(&mut self) -> Result<(), DiffError<S::Error>> {
        let read = self.evidence.pair.facts.clone();
        if read.keys().all(|table| self.is_same(table)) {
            return Ok(());
        }
        let mut facts = ChangedFacts::default();
        for side in Side::BOTH {
            self.read_columns(side, "bouts", &ChangedFacts::BOUT_COLUMNS, |rows| facts.add_bouts(rows))?;
            let columns = &ChangedFacts::VERSION_COLUMNS;
            self.read_columns(side, "dna_versions", columns, |rows| facts.add_versions(rows))?;
        }
        for (table, columns) in &read {
            let Some(compared) = self.compared(table) else { continue };
            let mut new_bouts = BTreeSet::new();
            if table == "bouts" {
                self.differing_rows(table, |chunk| {
                    let ids =
                        (0..chunk.appeared.num_rows()).map(|row| text_of(&chunk.appeared, "bout_id", row));
                    new_bouts
                        .extend(ids.filter(|id| self.evidence.merge_of(id).is_none()).map(str::to_owned));
                })?;
                self.evidence.new_bouts = new_bouts;
            }
            self.differing_rows(table, |chunk| {
                add_facts(&mut facts, &self.evidence, compared, (columns, chunk));
            })?;
        }
        facts.sort_bouts();
        self.facts = facts;
        Ok(())
    }

    /// The evidence.
    #[must_use]
    pub fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// Names of the tables of both, sorted.
    #[must_use]
    pub fn tables(&self) -> Vec<String> {
        let names = Side::BOTH.into_iter().flat_map(|side| self.source.names(side));
        names.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Gives the rows of a table that differ, with their causes, and says what they come to.
    ///
    /// # Errors
    /// The table cannot be read, or this build has no contract for it.
    pub fn compare(
        &self,
        table: &str,
        mut emit: impl FnMut(&CausedChunk<'_>) -> Result<(), S::Error>,
    ) -> Result<TableSummary, DiffError<S::Error>> {
        let states = Side::BOTH.map(|side| self.source.state(side, table));
        let mut summary = TableSummary {
            table: table.to_owned(),
            rows: states.each_ref().map(|state| state.as_ref().map(|state| state.rows)),
            contract_versions: states
                .each_ref()
                .map(|state| state.as_ref().map(|state| state.contract_version)),
            ..TableSummary::default()
        };
        if self.is_same(table) {
            return Ok(summary);
        }
        let no_contract = || DiffError::NoContract { table: table.to_owned() };
        let compared = self.compared(table).ok_or_else(no_contract)?;
        let mut sets = CauseSets::default();
        self.differing(table, |chunk| {
            let FoundCauses { gone, appeared, cells, of_rows } = self.find_causes(compared, chunk, &mut sets);
            let caused = CausedChunk { chunk, gone, appeared, cells, of_rows, sets: &sets };
            caused.add_to(&mut summary);
            emit(&caused)
        })?;
        Ok(summary)
    }

    fn find_causes(
        &self,
        compared: ComparedTable<'_>,
        chunk: &TableChunk,
        sets: &mut CauseSets,
    ) -> FoundCauses {
        let is_derived = compared.table.stage == "derived";
        let of_row = |rows: &RecordBatch, row, is_new| match is_derived {
            true => self.facts.causes_of_row(compared, &self.evidence, rows, row),
            false => compared.causes_of_row(&self.evidence, rows, row, is_new),
        };
        let mut of_each = |rows: &RecordBatch, is_new| -> Vec<SetNumber> {
            (0..rows.num_rows()).map(|row| sets.number(of_row(rows, row, is_new))).collect()
        };
        let (gone, appeared) = (of_each(&chunk.gone, false), of_each(&chunk.appeared, true));
        let changed = if is_derived { chunk.changed_rows() } else { Vec::new() };
        let of_rows =
            changed.into_iter().map(|row| (row, sets.number(of_row(&chunk.new, row, true)))).collect();
        let of_column = |column: &ColumnPair| match is_derived {
            true => ChangedFacts::cause_of_column(column, &self.evidence)
                .map_or(ColumnCauses::OfRows, |cause| ColumnCauses::One(sets.number(vec![cause]))),
            false => {
                let of_cell = |row| compared.causes_of_cell(&self.evidence, chunk, row, column);
                ColumnCauses::Each(
                    column.changed.set_indices().map(|row| (row, sets.number(of_cell(row)))).collect(),
                )
            }
        };
        FoundCauses { gone, appeared, of_rows, cells: chunk.columns.iter().map(of_column).collect() }
    }

    fn compared(&self, table: &str) -> Option<ComparedTable<'static>> {
        let contract: &'static Table = Tables::get().table(table).ok()?;
        let versions =
            Side::BOTH.map(|side| self.source.state(side, table).map(|state| state.contract_version));
        Some(ComparedTable { table: contract, versions })
    }

    /// Whether both have it with the same bytes, or neither has it.
    fn is_same(&self, table: &str) -> bool {
        let [old, new] = Side::BOTH.map(|side| self.source.state(side, table).map(|state| state.sha256));
        old == new
    }

    fn differing_rows(
        &self,
        table: &str,
        mut act: impl FnMut(&TableChunk),
    ) -> Result<(), DiffError<S::Error>> {
        if self.is_same(table) {
            return Ok(());
        }
        self.differing(table, |chunk| {
            act(chunk);
            Ok(())
        })
    }

    fn differing(
        &self,
        table: &str,
        emit: impl FnMut(&TableChunk) -> Result<(), S::Error>,
    ) -> Result<(), DiffError<S::Error>> {
        let failed = |source| DiffError::Table { table: table.to_owned(), source };
        let no_contract = || DiffError::NoContract { table: table.to_owned() };
        let key = &self.compared(table).ok_or_else(no_contract)?.table.key;
        let rows = |side| match self.source.state(side, table) {
            Some(_) => self.source.rows(side, table, None).map_err(|error| failed(CompareError::Read(error))),
            None => Ok(Box::new(std::iter::empty()) as RowBatches<S::Error>),
        };
        compare_tables(key, rows(Side::Old)?, rows(Side::New)?, emit).map_err(failed)
    }

    fn read_columns(
        &self,
        side: Side,
        table: &str,
        columns: &[&str],
        mut act: impl FnMut(&RecordBatch),
    ) -> Result<(), DiffError<S::Error>> {
        let failed = |error| DiffError::Table { table: table.to_owned(), source: CompareError::Read(error) };
        if self.source.state(side, table).is_none() {
            return Ok(());
        }
        for rows in self.source.rows(side, table, Some(columns)).map_err(failed)? {
            act(&rows.map_err(failed)?);
        }
        Ok(())
    }
}

/// Adds the rows that differ in a column that derivation reads.
fn add_facts(
    facts: &mut ChangedFacts,
    evidence: &Evidence,
    compared: ComparedTable<'_>,
    (columns, chunk): (&[&str], &TableChunk),
) {
    let table = compared.table.name.as_str();
    for (rows, is_new) in [(&chunk.gone, false), (&chunk.appeared, true)] {
        for row in 0..rows.num_rows() {
            let causes = compared.causes_of_row(evidence, rows, row, is_new);
            let causes = if is_new { as_new_result(table, rows, row, causes) } else { causes };
            facts.add_row(table, rows, row, &causes);
        }
    }
    for column in chunk.columns.iter().filter(|column| columns.contains(&column.name.as_str())) {
        for row in column.changed.set_indices() {
            facts.add_row(table, &chunk.new, row, &compared.causes_of_cell(evidence, chunk, row, column));
        }
    }
}

impl CausedChunk<'_> {
    fn add_to(&self, summary: &mut TableSummary) {
        summary.gone += self.gone.len();
        summary.appeared += self.appeared.len();
        summary.changed += self.chunk.changed_rows().len();
        let mut counts: BTreeMap<SetNumber, usize> = BTreeMap::new();
        self.gone.iter().chain(&self.appeared).for_each(|number| *counts.entry(*number).or_default() += 1);
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
        match &self.cells[column] {
            ColumnCauses::One(number) => *number,
            ColumnCauses::OfRows => self.of_rows[&row],
            ColumnCauses::Each(numbers) => numbers[&row],
        }
    }

    /// The rows that differ, in order of the key within each kind of change.
    pub fn rows<'a>(&'a self, key: &'a [String]) -> impl Iterator<Item = RowDiff> + 'a {
        let causes = |number: SetNumber| self.sets.get(number).to_vec();
        let key_of =
            |rows: &RecordBatch, row| row_json(rows, row, |name| key.iter().any(|column| column == name));
        let gone = self.gone.iter().enumerate().map(move |(row, number)| {
            let rows = &self.chunk.gone;
            RowDiff::Gone {
                key: key_of(rows, row),
                cells: row_json(rows, row, |_| true),
                causes: causes(*number),
            }
        });
        let appeared = self.appeared.iter().enumerate().map(move |(row, number)| {
            let rows = &self.chunk.appeared;
            let cells = row_json(rows, row, |_| true);
            RowDiff::Appeared { key: key_of(rows, row), cells, causes: causes(*number) }
        });
        let changed = self.chunk.changed_rows().into_iter().map(move |row| RowDiff::Changed {
            key: key_of(&self.chunk.new, row),
            cells: self.cells_of(row).collect(),
        });
        gone.chain(appeared).chain(changed)
    }

    fn cells_of(&self, row: usize) -> impl Iterator<Item = CellDiff> + '_ {
        let differing =
            self.chunk.columns.iter().enumerate().filter(move |(_, column)| column.changed.value(row));
        differing.map(move |(at, column)| {
            let [old, new] =
                [&column.old, &column.new].map(|cells| cells.as_ref().map(|cells| cell_json(cells, row)));
            let causes = self.sets.get(self.number_of(at, row)).to_vec();
            CellDiff { column: column.name.clone(), old, new, causes }
        })
    }
}

fn row_json(rows: &RecordBatch, row: usize, takes: impl Fn(&str) -> bool) -> Map<String, Value> {
    let schema = rows.schema();
    let columns = schema.fields().iter().zip(rows.columns()).filter(|(field, _)| takes(field.name()));
    columns.map(|(field, cells)| (field.name().clone(), cell_json(cells, row))).collect()
}
