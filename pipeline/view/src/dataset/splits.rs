//! Sums of bouts of one kind, by fighter and version.

use std::collections::BTreeMap;

use arrow::array::{Int32Array, RecordBatch, StringArray};
use fdna_compare::split::SplitSums;
use fdna_schemas::tables::{ContractReader as _, SplitsReader, SplitsRow};
use fdna_schemas::{Catalogue, Metric};

use super::DatasetError;
use super::columns::{VersionRows, column};
use super::fighters::FighterTable;
use super::packed_columns::CountColumn;

const TABLE: &str = "splits";

/// The `splits` table. A row holds from its version on until a newer row of the same kind.
#[derive(Debug)]
pub(crate) struct SplitTable {
    rows: VersionRows,
    dimension: StringArray,
    key: StringArray,
    bouts: Int32Array,
    rounds: Int32Array,
    metrics: Vec<SplitColumns>,
}

#[derive(Debug)]
struct SplitColumns {
    numerator: CountColumn,
    denominator: CountColumn,
    bouts: Int32Array,
}

/// One kind of bouts of a fighter, as of a version.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SplitRow<'a> {
    pub(crate) dimension: &'a str,
    pub(crate) key: &'a str,
    pub(crate) bouts: i32,
    pub(crate) rounds: i32,
    row: usize,
}

impl SplitTable {
    pub(crate) fn read(batch: &RecordBatch, fighters: &FighterTable) -> Result<Self, DatasetError> {
        let metrics = Catalogue::get().metrics.iter().filter(|m| m.split);
        let table = SplitsReader::of(batch);
        Ok(Self {
            rows: VersionRows::of_rows(TABLE, (table.fighter_id()?, table.version()?), fighters)?,
            dimension: column(batch, TABLE, SplitsRow::DIMENSION.name)?,
            key: column(batch, TABLE, SplitsRow::SPLIT_KEY.name)?,
            bouts: column(batch, TABLE, SplitsRow::BOUTS.name)?,
            rounds: column(batch, TABLE, SplitsRow::ROUNDS.name)?,
            metrics: metrics.map(|m| SplitColumns::read(batch, m)).collect::<Result<_, _>>()?,
        })
    }

    /// All kinds of bouts that the fighter has had by a version, by dimension and key.
    pub(crate) fn as_of(&self, fighter: usize, version: i32) -> Vec<SplitRow<'_>> {
        let rows = self.rows.up_to(fighter, version);
        let kinds = rows.map(|row| ((self.dimension.value(row), self.key.value(row)), row));
        // Of one kind the newest row stays.
        let newest: BTreeMap<_, _> = kinds.collect();
        let split = |((dimension, key), row)| SplitRow {
            dimension,
            key,
            bouts: self.bouts.value(row),
            rounds: self.rounds.value(row),
            row,
        };
        newest.into_iter().map(split).collect()
    }

    /// Sums of each metric that splits show, in the order of the catalogue.
    pub(crate) fn sums(&self, split: &SplitRow<'_>) -> impl Iterator<Item = SplitSums> {
        let row = split.row;
        self.metrics.iter().map(move |columns| SplitSums {
            numerator: columns.numerator.value(row),
            denominator: columns.denominator.value(row),
            bouts: columns.bouts.value(row),
        })
    }
}

impl SplitColumns {
    fn read(batch: &RecordBatch, metric: &Metric) -> Result<Self, DatasetError> {
        let name = |suffix: &str| Catalogue::version_column(&metric.name, suffix);
        Ok(Self {
            numerator: CountColumn::read(batch, TABLE, &name("numerator"))?,
            denominator: CountColumn::read(batch, TABLE, &name("denominator"))?,
            bouts: column(batch, TABLE, &name("bouts"))?,
        })
    }
}
