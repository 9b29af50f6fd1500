//! Fight DNA versions: dates by fighter, and the metric columns as they are stored.

mod columns;

use std::sync::Arc;

use arrow::array::{Array, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use arrow::error::ArrowError;
use chrono::NaiveDate;
use fdna_compare::VersionDates;
use fdna_schemas::Catalogue;
use fdna_schemas::tables::{ContractReader as _, DnaVersionsReader, DnaVersionsRow};
use rayon::prelude::*;

pub(crate) use columns::MetricColumns;

use super::DatasetError;
use super::columns::column;
use super::fighters::FighterTable;
use super::lazy_columns::LazyColumns;

const TABLE: &str = "dna_versions";

/// All versions. Columns of metrics stay columns: as JSON they would be many times larger.
#[derive(Debug)]
pub(crate) struct DnaTable {
    /// By row of the fighter; oldest version first.
    by_fighter: Vec<DnaVersions>,
    /// In the order of the catalogue.
    pub(crate) metrics: Vec<MetricColumns>,
    definition_version: StringArray,
    weight_class: StringArray,
}

/// What a version says beside its metrics.
const HEAD: [&str; 9] = [
    DnaVersionsRow::FIGHTER_ID.name,
    DnaVersionsRow::VERSION.name,
    DnaVersionsRow::ELIGIBLE_BOUTS.name,
    DnaVersionsRow::ELIGIBLE_ROUNDS.name,
    DnaVersionsRow::VALID_FROM.name,
    DnaVersionsRow::FIRST_BOUT_DATE.name,
    DnaVersionsRow::LAST_BOUT_DATE.name,
    DnaVersionsRow::DEFINITION_VERSION.name,
    DnaVersionsRow::WEIGHT_CLASS.name,
];

/// One fighter's versions.
#[derive(Debug, Default)]
pub(crate) struct DnaVersions {
    pub(crate) dates: Vec<VersionDates>,
    heads: Vec<VersionHead>,
}

/// What a version says beside its metrics.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VersionHead {
    /// Row of the columns.
    pub(crate) row: usize,
    pub(crate) version: i32,
    pub(crate) eligible_bouts: i32,
    pub(crate) eligible_rounds: i32,
    pub(crate) first_bout_date: NaiveDate,
}

impl DnaVersions {
    pub(crate) fn head(&self, index: usize) -> VersionHead {
        self.heads[index]
    }

    /// The last day of each version, oldest first, and the eligible bouts up to it.
    pub(crate) fn each_eligible(&self, mut tell: impl FnMut(NaiveDate, i32)) {
        let versions = self.dates.iter().zip(&self.heads);
        versions.for_each(|(dates, head)| tell(dates.last_bout_date, head.eligible_bouts));
    }
}

impl DnaTable {
    pub(crate) fn read(table: &dyn LazyColumns, fighters: &FighterTable) -> Result<Self, DatasetError> {
        let metrics = Catalogue::get().metrics.par_iter().map(|metric| MetricColumns::read(table, metric));
        let metrics = metrics.collect::<Result<_, _>>()?;
        let head = without_codes(&table.columns(&HEAD)?)?;
        Ok(Self {
            by_fighter: versions(&head, fighters)?,
            metrics,
            definition_version: column(&head, TABLE, DnaVersionsRow::DEFINITION_VERSION.name)?,
            weight_class: column(&head, TABLE, DnaVersionsRow::WEIGHT_CLASS.name)?,
        })
    }

    /// Versions of the fighter in a row of the fighters.
    pub(crate) fn versions(&self, fighter: usize) -> &DnaVersions {
        &self.by_fighter[fighter]
    }

    /// Columns of the metric of this name.
    pub(crate) fn metric(&self, name: &str) -> Option<&MetricColumns> {
        self.metrics.iter().find(|columns| columns.metric.name == name)
    }

    pub(crate) fn definition_version(&self, row: usize) -> &str {
        self.definition_version.value(row)
    }

    pub(crate) fn weight_class(&self, row: usize) -> Option<&str> {
        self.weight_class.is_valid(row).then(|| self.weight_class.value(row))
    }
}

/// Texts as they are, however they came.
fn without_codes(batch: &RecordBatch) -> Result<RecordBatch, DatasetError> {
    let schema = batch.schema();
    let plain = schema.fields().iter().zip(batch.columns()).map(|(field, array)| match array.data_type() {
        DataType::Dictionary(_, _) => Ok((field.name(), cast(array, &DataType::Utf8)?)),
        _ => Ok((field.name(), Arc::clone(array))),
    });
    let plain = plain.collect::<Result<Vec<_>, ArrowError>>();
    plain.and_then(RecordBatch::try_from_iter).map_err(|source| DatasetError::Table(Box::new(source)))
}

fn versions(batch: &RecordBatch, fighters: &FighterTable) -> Result<Vec<DnaVersions>, DatasetError> {
    let mut rows: Vec<_> = DnaVersionsReader::of(batch).all_rows()?.into_iter().enumerate().collect();
    rows.sort_by_key(|(_, head)| head.version);
    let mut versions: Vec<DnaVersions> = (0..fighters.rows.len()).map(|_| DnaVersions::default()).collect();
    for (row, head) in rows {
        let id = head.fighter_id;
        let fighter =
            fighters.ids.row(id).ok_or(DatasetError::Dangling { table: TABLE, what: "fighter", id })?;
        let dates = VersionDates { valid_from: head.valid_from, last_bout_date: head.last_bout_date };
        versions[fighter].dates.push(dates);
        versions[fighter].heads.push(VersionHead {
            row,
            version: head.version,
            eligible_bouts: head.eligible_bouts,
            eligible_rounds: head.eligible_rounds,
            first_bout_date: head.first_bout_date,
        });
    }
    Ok(versions)
}
