//! Fight DNA versions: dates by fighter, and the metric columns as they are stored.

use arrow::array::{Array, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray};
use chrono::NaiveDate;
use fdna_compare::VersionDates;
use fdna_schemas::{Catalogue, ColumnError, Metric, TableReader};

use super::fighters::Fighters;
use super::{DatasetError, never_null};

const TABLE: &str = "dna_versions";

/// All versions. Columns of metrics stay columns: as JSON they would be many times larger.
#[derive(Debug)]
pub(crate) struct DnaTable {
    /// By row of the fighter; oldest version first.
    by_fighter: Vec<Versions>,
    pub(crate) metrics: Vec<MetricColumns>,
    definition_version: StringArray,
    weight_class: StringArray,
}

/// One fighter's versions.
#[derive(Debug, Default)]
pub(crate) struct Versions {
    pub(crate) dates: Vec<VersionDates>,
    heads: Vec<Head>,
}

/// What a version says beside its metrics.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head {
    /// Row of the columns.
    pub(crate) row: usize,
    pub(crate) version: i32,
    pub(crate) eligible_bouts: i32,
    pub(crate) eligible_rounds: i32,
    pub(crate) first_bout_date: NaiveDate,
}

impl Versions {
    pub(crate) fn head(&self, index: usize) -> Head {
        self.heads[index]
    }
}

impl DnaTable {
    pub(crate) fn read(batch: &RecordBatch, fighters: &Fighters) -> Result<Self, DatasetError> {
        let metrics = Catalogue::get().metrics.iter().map(|m| MetricColumns::read(batch, m));
        Ok(Self {
            by_fighter: versions(batch, fighters)?,
            metrics: metrics.collect::<Result<_, _>>()?,
            definition_version: column(batch, "definition_version")?,
            weight_class: column(batch, "weight_class")?,
        })
    }

    /// Versions of the fighter in a row of the fighters.
    pub(crate) fn versions(&self, fighter: usize) -> &Versions {
        &self.by_fighter[fighter]
    }

    pub(crate) fn definition_version(&self, row: usize) -> &str {
        self.definition_version.value(row)
    }

    pub(crate) fn weight_class(&self, row: usize) -> Option<&str> {
        text(&self.weight_class, row)
    }
}

fn versions(batch: &RecordBatch, fighters: &Fighters) -> Result<Vec<Versions>, DatasetError> {
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
    let mut versions: Vec<Versions> = (0..fighters.rows.len()).map(|_| Versions::default()).collect();
    for row in order {
        let id = ids[row];
        let fighter =
            fighters.ids.row(id).ok_or(DatasetError::Dangling { table: TABLE, what: "fighter", id })?;
        versions[fighter].dates.push(VersionDates { valid_from: from[row], last_bout_date: last[row] });
        versions[fighter].heads.push(Head {
            row,
            version: number_of[row],
            eligible_bouts: bouts[row],
            eligible_rounds: rounds[row],
            first_bout_date: first[row],
        });
    }
    Ok(versions)
}

macro_rules! metric_columns {
    ($($(#[$doc:meta])* $name:ident: $kind:ty),+ $(,)?) => {
        /// The stored columns of one metric.
        #[derive(Debug)]
        pub(crate) struct MetricColumns {
            pub(crate) metric: &'static Metric,
            $($(#[$doc])* pub(crate) $name: $kind),+
        }

        impl MetricColumns {
            fn read(batch: &RecordBatch, metric: &'static Metric) -> Result<Self, DatasetError> {
                Ok(Self {
                    metric,
                    $($name: column(batch, &Catalogue::version_column(&metric.name, stringify!($name)))?),+
                })
            }
        }
    };
}

metric_columns! {
    status: StringArray,
    value: Float64Array,
    raw_value: Float64Array,
    numerator: Int64Array,
    denominator: Int64Array,
    bouts: Int32Array,
    rounds: Int32Array,
    weight: Float64Array,
    prior_mean: Float64Array,
    prior_strength: Float64Array,
    confidence: StringArray,
    reasons: StringArray,
}

fn column<T: Clone + 'static>(batch: &RecordBatch, name: &str) -> Result<T, DatasetError> {
    let array = batch
        .column_by_name(name)
        .ok_or_else(|| ColumnError::Missing { table: TABLE.to_owned(), column: name.to_owned() })?;
    let typed = array.as_any().downcast_ref::<T>().ok_or_else(|| ColumnError::Type {
        table: TABLE.to_owned(),
        column: name.to_owned(),
        asked: "the contract's type",
        is: array.data_type().to_string(),
    })?;
    Ok(typed.clone())
}

/// A text that may be null.
fn text(array: &StringArray, row: usize) -> Option<&str> {
    array.is_valid(row).then(|| array.value(row))
}

/// A number that may be null.
pub(crate) fn float(array: &Float64Array, row: usize) -> Option<f64> {
    array.is_valid(row).then(|| array.value(row))
}
