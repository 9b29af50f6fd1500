//! The stored columns of one metric.

use arrow::array::RecordBatch;
use fdna_compare::PublishedValue;
use fdna_schemas::{Catalogue, Confidence, Metric};

use super::TABLE;
use crate::dataset::DatasetError;
use crate::dataset::lazy_columns::LazyColumns;
use crate::dataset::packed_columns::{DictionaryColumn, NullPacked, SumColumn};

/// What the columns of a metric are called, behind its name.
const SUFFIXES: [&str; 17] = [
    "status",
    "value",
    "raw_value",
    "interval_low",
    "interval_high",
    "numerator",
    "denominator",
    "exposure",
    "bouts",
    "rounds",
    "weight",
    "prior_mean",
    "prior_strength",
    "confidence",
    "reasons",
    "percentile",
    "pool_size",
];

/// The columns of one metric over all versions.
#[derive(Debug)]
pub(crate) struct MetricColumns {
    pub(crate) metric: &'static Metric,
    pub(crate) status: DictionaryColumn,
    pub(crate) value: NullPacked<f64>,
    pub(crate) raw_value: NullPacked<f64>,
    pub(crate) interval_low: NullPacked<f64>,
    pub(crate) interval_high: NullPacked<f64>,
    pub(crate) numerator: SumColumn,
    pub(crate) denominator: SumColumn,
    pub(crate) exposure: Box<[f64]>,
    pub(crate) bouts: Box<[i32]>,
    pub(crate) rounds: Box<[i32]>,
    pub(crate) weight: NullPacked<f64>,
    pub(crate) prior_mean: NullPacked<f64>,
    pub(crate) prior_strength: NullPacked<f64>,
    pub(crate) confidence: DictionaryColumn,
    /// Rules, joined by spaces.
    pub(crate) reasons: DictionaryColumn,
    pub(crate) percentile: NullPacked<f64>,
    pub(crate) pool_size: NullPacked<i32>,
}

impl MetricColumns {
    pub(super) fn read(table: &dyn LazyColumns, metric: &'static Metric) -> Result<Self, DatasetError> {
        let names = SUFFIXES.map(|suffix| Catalogue::version_column(&metric.name, suffix));
        let batch = table.columns(&names.each_ref().map(String::as_str))?;
        Self::of(&batch, metric)
    }

    fn of(batch: &RecordBatch, metric: &'static Metric) -> Result<Self, DatasetError> {
        let name = |suffix: &str| Catalogue::version_column(&metric.name, suffix);
        let floats = |suffix| NullPacked::floats(batch, TABLE, &name(suffix));
        let counts = |suffix| NullPacked::counts(batch, TABLE, &name(suffix));
        let words = |suffix| DictionaryColumn::read(batch, TABLE, &name(suffix));
        Ok(Self {
            metric,
            status: words("status")?,
            value: floats("value")?,
            raw_value: floats("raw_value")?,
            interval_low: floats("interval_low")?,
            interval_high: floats("interval_high")?,
            numerator: SumColumn::read(batch, TABLE, &name("numerator"))?,
            denominator: SumColumn::read(batch, TABLE, &name("denominator"))?,
            exposure: floats("exposure")?.of_every_row(TABLE, &name("exposure"))?,
            bouts: counts("bouts")?.of_every_row(TABLE, &name("bouts"))?,
            rounds: counts("rounds")?.of_every_row(TABLE, &name("rounds"))?,
            weight: floats("weight")?,
            prior_mean: floats("prior_mean")?,
            prior_strength: floats("prior_strength")?,
            confidence: words("confidence")?,
            reasons: words("reasons")?,
            percentile: floats("percentile")?,
            pool_size: counts("pool_size")?,
        })
    }

    /// What a version says of the metric, as far as comparing needs it.
    pub(crate) fn published(&self, row: usize) -> PublishedValue<'static> {
        PublishedValue {
            metric: self.metric,
            value: self.value.get(row),
            raw_value: self.raw_value.get(row),
            weight: self.weight.get(row),
            prior_mean: self.prior_mean.get(row),
            prior_strength: self.prior_strength.get(row),
            confidence: Confidence::of(self.confidence.value(row)),
        }
    }
}
