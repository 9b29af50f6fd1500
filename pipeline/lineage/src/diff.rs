//! Differences between two snapshots, table by table, and the cause of each.

use std::collections::BTreeSet;

use arrow::array::RecordBatch;
use fdna_schemas::{Table, Tables};

use crate::cell::text_of;
use crate::compare::{ColumnPair, CompareError, TableChunk, compare_tables};
use crate::derived::{ChangedFacts, as_new_result};
use crate::difference::{CauseSets, CausedChunk, ColumnCauses, FoundCauses, SetNumber, TableSummary};
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
            let changed = chunk.changed_rows();
            let causes = self.find_causes(compared, (chunk, &changed), &mut sets);
            let caused = CausedChunk { chunk, changed: &changed, causes, sets: &sets };
            caused.add_to(&mut summary);
            emit(&caused)
        })?;
        Ok(summary)
    }

    fn find_causes(
        &self,
        compared: ComparedTable<'_>,
        (chunk, changed): (&TableChunk, &[usize]),
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
        let changed = if is_derived { changed } else { &[] };
        let of_rows = changed.iter().map(|&row| (row, sets.number(of_row(&chunk.new, row, true)))).collect();
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
