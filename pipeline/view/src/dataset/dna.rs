//! Fight DNA versions: dates by fighter, and the metric columns as they are stored.

mod columns;

use std::sync::Arc;

use arrow::array::{Array, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use arrow::error::ArrowError;
use chrono::NaiveDate;
use fdna_compare::VersionDates;
use fdna_schemas::{Catalogue, TableReader};
use rayon::prelude::*;

pub(crate) use columns::MetricColumns;

use super::columns::column;
use super::fighters::FighterTable;
use super::lazy_columns::LazyColumns;
use super::{DatasetError, never_null};

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
    "fighter_id",
    "version",
    "eligible_bouts",
    "eligible_rounds",
    "valid_from",
    "first_bout_date",
    "last_bout_date",
    "definition_version",
    "weight_class",
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
            definition_version: column(&head, TABLE, "definition_version")?,
            weight_class: column(&head, TABLE, "weight_class")?,
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
    let table = TableReader::new(TABLE, batch);
    let ids = table.ids("fighter_id")?;
    let number = |name: &'static str| -> Result<Vec<i32>, DatasetError> {
        table.int32s(name)?.into_iter().map(|n| never_null(n, TABLE, name)).collect()
    };
    let day = |name: &'static str| -> Result<Vec<NaiveDate>, DatasetError> {
        table.dates(name)?.into_iter().map(|d| never_null(d, TABLE, name)).collect()
    };
    let (number_of, bouts, rounds) =
        (number("version")?, number("eligible_bouts")?, number("eligible_rounds")?);
    let (from, first, last) = (day("valid_from")?, day("first_bout_date")?, day("last_bout_date")?);
    let mut order: Vec<usize> = (0..table.rows()).collect();
    order.sort_by_key(|&row| number_of[row]);
    let mut versions: Vec<DnaVersions> = (0..fighters.rows.len()).map(|_| DnaVersions::default()).collect();
    for row in order {
        let id = ids[row];
        let fighter =
            fighters.ids.row(id).ok_or(DatasetError::Dangling { table: TABLE, what: "fighter", id })?;
        versions[fighter].dates.push(VersionDates { valid_from: from[row], last_bout_date: last[row] });
        versions[fighter].heads.push(VersionHead {
            row,
            version: number_of[row],
            eligible_bouts: bouts[row],
            eligible_rounds: rounds[row],
            first_bout_date: first[row],
        });
    }
    Ok(versions)
}
