//! The stored columns of one metric.

use std::ops::Range;

use arrow::array::RecordBatch;
use fdna_schemas::{Confidence, Metric, MetricDefinitions};

use super::TABLE;
use super::records::{MetricNumbers, MetricRow};
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

/// The columns of one metric over all versions, or some.
#[derive(Debug)]
pub(crate) struct MetricColumns {
    pub(crate) metric: &'static Metric,
    status: DictionaryColumn,
    value: NullPacked<f64>,
    raw_value: NullPacked<f64>,
    interval_low: NullPacked<f64>,
    interval_high: NullPacked<f64>,
    numerator: SumColumn,
    denominator: SumColumn,
    exposure: Box<[f64]>,
    bouts: Box<[i32]>,
    rounds: Box<[i32]>,
    weight: NullPacked<f64>,
    prior_mean: NullPacked<f64>,
    prior_strength: NullPacked<f64>,
    confidence: DictionaryColumn,
    /// Of its words.
    levels: Box<[Confidence]>,
    /// Rules, joined by spaces.
    reasons: DictionaryColumn,
    percentile: NullPacked<f64>,
    pool_size: NullPacked<i32>,
}

/// The sample of a metric, and what it comes to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MetricSample {
    pub(crate) value: Option<f64>,
    pub(crate) raw_value: Option<f64>,
    pub(crate) bouts: i32,
    pub(crate) confidence: Confidence,
}

impl MetricColumns {
    pub(super) fn read(
        table: &dyn LazyColumns,
        metric: &'static Metric,
        rows: Range<usize>,
    ) -> Result<Self, DatasetError> {
        let names = SUFFIXES.map(|suffix| MetricDefinitions::version_column(&metric.name, suffix));
        let batch = table.columns(&names.each_ref().map(String::as_str), rows)?;
        Self::of(&batch, metric)
    }

    fn of(batch: &RecordBatch, metric: &'static Metric) -> Result<Self, DatasetError> {
        let name = |suffix: &str| MetricDefinitions::version_column(&metric.name, suffix);
        let floats = |suffix| NullPacked::floats(batch, TABLE, &name(suffix));
        let counts = |suffix| NullPacked::counts(batch, TABLE, &name(suffix));
        let words = |suffix| DictionaryColumn::read(batch, TABLE, &name(suffix));
        let confidence = words("confidence")?;
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
            levels: confidence.words().iter().map(|word| Confidence::of(word)).collect(),
            confidence,
            reasons: words("reasons")?,
            percentile: floats("percentile")?,
            pool_size: counts("pool_size")?,
        })
    }

    /// What the version in a row says of the metric.
    pub(crate) fn row(&self, row: usize) -> MetricRow<'_> {
        MetricRow {
            metric: self.metric,
            status: self.status.value(row),
            confidence: self.confidence.value(row),
            reasons: self.reasons.value(row),
            numbers: self.numbers(row),
        }
    }

    /// What a query reads of each of its candidates; the raw value where it is asked for.
    pub(crate) fn read_sample(&self, row: usize, with_raw: bool) -> MetricSample {
        MetricSample {
            value: self.value.get(row),
            raw_value: with_raw.then(|| self.raw_value.get(row)).flatten(),
            bouts: self.bouts[row],
            confidence: self.levels[self.confidence.code(row)],
        }
    }

    pub(crate) fn interval_low(&self, row: usize) -> Option<f64> {
        self.interval_low.get(row)
    }

    /// Status, confidence and reasons.
    pub(super) fn words(&self) -> [&DictionaryColumn; 3] {
        [&self.status, &self.confidence, &self.reasons]
    }

    pub(super) fn numbers(&self, row: usize) -> MetricNumbers {
        MetricNumbers {
            value: self.value.get(row),
            raw_value: self.raw_value.get(row),
            interval_low: self.interval_low.get(row),
            interval_high: self.interval_high.get(row),
            numerator: self.numerator.get(row),
            denominator: self.denominator.get(row),
            exposure: self.exposure[row],
            bouts: self.bouts[row],
            rounds: self.rounds[row],
            weight: self.weight.get(row),
            prior_mean: self.prior_mean.get(row),
            prior_strength: self.prior_strength.get(row),
            percentile: self.percentile.get(row),
            pool_size: self.pool_size.get(row),
        }
    }

    /// Bytes in memory, about: eight for each number that there is, and one for each word.
    pub(super) fn size(&self) -> usize {
        let floats = [
            &self.value,
            &self.raw_value,
            &self.interval_low,
            &self.interval_high,
            &self.weight,
            &self.prior_mean,
            &self.prior_strength,
            &self.percentile,
        ];
        let floats: usize = floats.map(NullPacked::len).iter().sum();
        8 * (floats + 4 * self.exposure.len())
    }
}
