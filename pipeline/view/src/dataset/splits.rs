//! Sums of bouts of one kind, by fighter and version.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{Int32Array, Int64Array, RecordBatch};
use fdna_compare::split::SplitSums;
use fdna_schemas::tables::{ContractReader as _, SplitsReader, SplitsRow};
use fdna_schemas::{Metric, MetricDefinitions};
use serde::{Deserialize, Serialize};

use super::DatasetError;
use super::columns::column;
use super::fighter_records::FighterRecords;
use super::fighters::FighterTable;
use super::lazy_columns::LazyColumns;

const TABLE: &str = "splits";

/// The `splits` table. A row holds from its version on until a newer row of the same kind.
#[derive(Debug)]
pub(crate) struct SplitTable(FighterRecords<SplitRow>);

/// One kind of bouts of a fighter, as of a version.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SplitRow {
    version: i32,
    pub(crate) dimension: Box<str>,
    pub(crate) key: Box<str>,
    pub(crate) bouts: i32,
    pub(crate) rounds: i32,
    /// Of each metric that splits show, in the order of the metric definitions.
    pub(crate) sums: Vec<SplitSums>,
}

impl SplitTable {
    pub(crate) fn read(table: &Arc<dyn LazyColumns>, fighters: &FighterTable) -> Result<Self, DatasetError> {
        Ok(Self(FighterRecords::read(TABLE, table, fighters, rows)?))
    }

    pub(crate) fn pack(&self) -> Result<(), DatasetError> {
        self.0.pack()
    }

    /// All kinds of bouts that the fighter has had by a version, by dimension and key.
    pub(crate) fn as_of(&self, fighter: usize, version: i32) -> Result<Vec<SplitRow>, DatasetError> {
        let mut rows = self.0.of(fighter)?;
        rows.retain(|row| row.version <= version);
        rows.sort_by_key(|row| row.version);
        // Of one kind the newest row stays.
        let newest: BTreeMap<_, _> =
            rows.into_iter().map(|row| ((row.dimension.clone(), row.key.clone()), row)).collect();
        Ok(newest.into_values().collect())
    }
}

fn rows(batch: &RecordBatch) -> Result<Vec<SplitRow>, DatasetError> {
    let metrics = MetricDefinitions::get().metrics.iter().filter(|m| m.split);
    let metrics = metrics.map(|m| SplitColumns::read(batch, m)).collect::<Result<Vec<_>, _>>()?;
    let split = |(row, split): (usize, SplitsRow<'_>)| SplitRow {
        version: split.version,
        dimension: split.dimension.into(),
        key: split.split_key.into(),
        bouts: split.bouts,
        rounds: split.rounds,
        sums: metrics.iter().map(|columns| columns.sums(row)).collect(),
    };
    Ok(SplitsReader::of(batch).all_rows()?.into_iter().enumerate().map(split).collect())
}

struct SplitColumns {
    numerator: Int64Array,
    denominator: Int64Array,
    bouts: Int32Array,
}

impl SplitColumns {
    fn read(batch: &RecordBatch, metric: &Metric) -> Result<Self, DatasetError> {
        let name = |suffix: &str| MetricDefinitions::version_column(&metric.name, suffix);
        Ok(Self {
            numerator: column(batch, TABLE, &name("numerator"))?,
            denominator: column(batch, TABLE, &name("denominator"))?,
            bouts: column(batch, TABLE, &name("bouts"))?,
        })
    }

    fn sums(&self, row: usize) -> SplitSums {
        SplitSums {
            numerator: self.numerator.value(row),
            denominator: self.denominator.value(row),
            bouts: self.bouts.value(row),
        }
    }
}
