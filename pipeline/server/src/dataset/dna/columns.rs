//! The stored columns of one metric.
//!
//! Numbers stay in the buffers they were read into. Words are few and repeat in every row: they are kept
//! once each, with a code a row.

use std::collections::HashMap;

use arrow::array::{Array, AsArray, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Float64Type, Int64Type};
use fdna_api::Quantity;
use fdna_compare::Published;
use fdna_schemas::{Catalogue, ColumnError, Confidence, Metric};

use super::TABLE;
use crate::dataset::DatasetError;
use crate::dataset::columns::column;

/// The columns of one metric over all versions.
#[derive(Debug)]
pub(crate) struct MetricColumns {
    pub(crate) metric: &'static Metric,
    pub(crate) status: Words,
    pub(crate) value: Float64Array,
    pub(crate) raw_value: Float64Array,
    pub(crate) interval_low: Float64Array,
    pub(crate) interval_high: Float64Array,
    pub(crate) numerator: Quantities,
    pub(crate) denominator: Quantities,
    pub(crate) exposure: Float64Array,
    pub(crate) bouts: Int32Array,
    pub(crate) rounds: Int32Array,
    pub(crate) weight: Float64Array,
    pub(crate) prior_mean: Float64Array,
    pub(crate) prior_strength: Float64Array,
    pub(crate) confidence: Words,
    /// Rules, joined by spaces.
    pub(crate) reasons: Words,
    pub(crate) percentile: Float64Array,
    pub(crate) pool_size: Int32Array,
}

impl MetricColumns {
    pub(super) fn read(batch: &RecordBatch, metric: &'static Metric) -> Result<Self, DatasetError> {
        let name = |suffix: &str| Catalogue::version_column(&metric.name, suffix);
        let floats = |suffix| column::<Float64Array>(batch, TABLE, &name(suffix));
        let counts = |suffix| column::<Int32Array>(batch, TABLE, &name(suffix));
        let words = |suffix| Words::read(batch, &name(suffix));
        Ok(Self {
            metric,
            status: words("status")?,
            value: floats("value")?,
            raw_value: floats("raw_value")?,
            interval_low: floats("interval_low")?,
            interval_high: floats("interval_high")?,
            numerator: Quantities::read(batch, &name("numerator"))?,
            denominator: Quantities::read(batch, &name("denominator"))?,
            exposure: floats("exposure")?,
            bouts: counts("bouts")?,
            rounds: counts("rounds")?,
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
    pub(crate) fn published(&self, row: usize) -> Published<'static> {
        Published {
            metric: self.metric,
            value: float(&self.value, row),
            raw_value: float(&self.raw_value, row),
            weight: float(&self.weight, row),
            prior_mean: float(&self.prior_mean, row),
            prior_strength: float(&self.prior_strength, row),
            confidence: Confidence::of(self.confidence.value(row)),
        }
    }
}

/// Sums: whole numbers, or weighted ones.
#[derive(Debug)]
pub(crate) enum Quantities {
    Whole(Int64Array),
    Weighted(Float64Array),
}

impl Quantities {
    fn read(batch: &RecordBatch, name: &str) -> Result<Self, DatasetError> {
        let missing = || ColumnError::Missing { table: TABLE.to_owned(), column: name.to_owned() };
        let array = batch.column_by_name(name).ok_or_else(missing)?;
        match array.data_type() {
            DataType::Int64 => Ok(Self::Whole(array.as_primitive::<Int64Type>().clone())),
            DataType::Float64 => Ok(Self::Weighted(array.as_primitive::<Float64Type>().clone())),
            other => Err(wrong_type(name, &other.to_string()).into()),
        }
    }

    pub(crate) fn get(&self, row: usize) -> Option<Quantity> {
        match self {
            Self::Whole(sums) => sums.is_valid(row).then(|| Quantity::Whole(sums.value(row))),
            Self::Weighted(sums) => sums.is_valid(row).then(|| Quantity::Weighted(sums.value(row))),
        }
    }
}

/// A column of few words without nulls.
#[derive(Debug)]
pub(crate) struct Words {
    words: Vec<Box<str>>,
    codes: Vec<u16>,
}

impl Words {
    fn read(batch: &RecordBatch, name: &str) -> Result<Self, DatasetError> {
        let texts = column::<StringArray>(batch, TABLE, name)?;
        let mut known: HashMap<&str, u16> = HashMap::new();
        let (mut words, mut codes) = (Vec::new(), Vec::with_capacity(texts.len()));
        for row in 0..texts.len() {
            let text =
                if texts.is_valid(row) { texts.value(row) } else { return Err(null(name, row).into()) };
            let code = match known.get(text) {
                Some(code) => *code,
                None => {
                    let code =
                        u16::try_from(words.len()).map_err(|_| wrong_type(name, "a column of prose"))?;
                    words.push(Box::from(text));
                    known.insert(text, code);
                    code
                }
            };
            codes.push(code);
        }
        Ok(Self { words, codes })
    }

    pub(crate) fn value(&self, row: usize) -> &str {
        &self.words[usize::from(self.codes[row])]
    }
}

fn wrong_type(name: &str, is: &str) -> ColumnError {
    ColumnError::Type {
        table: TABLE.to_owned(),
        column: name.to_owned(),
        asked: "the contract's type",
        is: is.to_owned(),
    }
}

fn null(name: &str, row: usize) -> ColumnError {
    ColumnError::Null { table: TABLE.to_owned(), column: name.to_owned(), row }
}

/// A number that may be null.
pub(crate) fn float(array: &Float64Array, row: usize) -> Option<f64> {
    array.is_valid(row).then(|| array.value(row))
}
