//! Record of each metric of a version.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use fdna_compare::PublishedValue;
use fdna_schemas::{Confidence, Metric, MetricDefinitions};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::MetricColumns;
use crate::dataset::DatasetError;
use crate::dataset::lazy_columns::{DECODED_AT_ONCE, LazyColumns};
use crate::dataset::packed_columns::{DictionaryColumn, StoredSum};
use crate::dataset::record_file::{RecordError, RecordFile, RecordWriter};

/// A metric of a version.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MetricRow<'a> {
    pub(crate) metric: &'static Metric,
    pub(crate) status: &'a str,
    pub(crate) confidence: &'a str,
    /// Rules, joined by spaces.
    pub(crate) reasons: &'a str,
    pub(crate) numbers: MetricNumbers,
}

/// The numbers of a metric of a version.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct MetricNumbers {
    pub(crate) value: Option<f64>,
    pub(crate) raw_value: Option<f64>,
    pub(crate) interval_low: Option<f64>,
    pub(crate) interval_high: Option<f64>,
    pub(crate) numerator: Option<StoredSum>,
    pub(crate) denominator: Option<StoredSum>,
    pub(crate) exposure: f64,
    pub(crate) bouts: i32,
    pub(crate) rounds: i32,
    pub(crate) weight: Option<f64>,
    pub(crate) prior_mean: Option<f64>,
    pub(crate) prior_strength: Option<f64>,
    pub(crate) percentile: Option<f64>,
    pub(crate) pool_size: Option<i32>,
}

impl MetricRow<'_> {
    /// As far as comparing needs it.
    pub(crate) fn published(&self) -> PublishedValue<'static> {
        PublishedValue {
            metric: self.metric,
            value: self.numbers.value,
            raw_value: self.numbers.raw_value,
            weight: self.numbers.weight,
            prior_mean: self.numbers.prior_mean,
            prior_strength: self.numbers.prior_strength,
            confidence: Confidence::of(self.confidence),
        }
    }
}

/// Status, confidence and reasons, as places in the list of words.
type WordCodes = [u16; 3];

/// What is kept of a metric of a version.
type StoredMetric = (WordCodes, MetricNumbers);

/// Parts of a table that may be in memory as columns at a time: of the real history that is all of it.
const PARTS_DECODED: usize = 2;

/// The versions of all fighters, by row of the table.
#[derive(Debug)]
pub(crate) struct VersionRecords {
    stored: RwLock<StoredVersions>,
    words: Vec<Box<str>>,
}

#[derive(Debug)]
enum StoredVersions {
    /// Until [`VersionRecords::pack`] has written them: parts of so many rows as are decoded at once.
    Columns(Vec<DecodedVersions>),
    /// Each with the metrics in the order of the metric definitions.
    File(RecordFile),
}

/// Versions of a part of the table.
#[derive(Debug)]
struct DecodedVersions {
    rows: usize,
    metrics: Vec<MetricColumns>,
    codes: Vec<[Vec<u16>; 3]>,
}

impl VersionRecords {
    pub(super) fn read(table: &dyn LazyColumns) -> Result<Self, DatasetError> {
        let mut words = WordList::default();
        let parts = (0..table.n_rows()).step_by(DECODED_AT_ONCE);
        let n = parts.len();
        let mut parts = parts.map(|first| {
            let rows = first..table.n_rows().min(first + DECODED_AT_ONCE);
            DecodedVersions::read(table, rows, &mut words)
        });
        let stored = if n <= PARTS_DECODED {
            StoredVersions::Columns(parts.collect::<Result<_, _>>()?)
        } else {
            let mut writer = RecordWriter::new();
            parts.try_for_each(|part| Ok::<_, DatasetError>(part?.append_to(&mut writer)?))?;
            StoredVersions::File(writer.finish())
        };
        Ok(Self { stored: RwLock::new(stored), words: words.words })
    }

    /// Writes the records, which take half the room of the columns.
    ///
    /// # Errors
    /// They cannot be written. Then the columns stay.
    pub(crate) fn pack(&self) -> Result<(), RecordError> {
        let mut writer = RecordWriter::new();
        match &*self.stored() {
            StoredVersions::Columns(parts) => {
                parts.iter().try_for_each(|part| part.append_to(&mut writer))?;
            }
            StoredVersions::File(_) => return Ok(()),
        }
        let packed = StoredVersions::File(writer.finish());
        *self.stored.write().unwrap_or_else(PoisonError::into_inner) = packed;
        Ok(())
    }

    fn stored(&self) -> RwLockReadGuard<'_, StoredVersions> {
        self.stored.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// All metrics of the version in a row of the table.
    pub(crate) fn metrics(&self, row: usize) -> Result<Vec<MetricRow<'_>>, RecordError> {
        let stored: Vec<StoredMetric> = match &*self.stored() {
            StoredVersions::Columns(parts) => parts[row / DECODED_AT_ONCE].version(row % DECODED_AT_ONCE),
            StoredVersions::File(file) => file.read(row)?,
        };
        let metrics = MetricDefinitions::get().metrics.iter().zip(stored);
        let row = |(metric, (codes, numbers)): (_, StoredMetric)| {
            let [status, confidence, reasons] = codes.map(|code| &*self.words[usize::from(code)]);
            MetricRow { metric, status, confidence, reasons, numbers }
        };
        Ok(metrics.map(row).collect())
    }
}

impl DecodedVersions {
    fn read(table: &dyn LazyColumns, rows: Range<usize>, words: &mut WordList) -> Result<Self, DatasetError> {
        let metrics = MetricDefinitions::get().metrics.par_iter();
        let metrics = metrics.map(|metric| MetricColumns::read(table, metric, rows.clone()));
        let metrics: Vec<MetricColumns> = metrics.collect::<Result<_, _>>()?;
        let codes = metrics.iter().map(|columns| words.codes_of(columns)).collect();
        Ok(Self { rows: rows.len(), metrics, codes })
    }

    fn version(&self, row: usize) -> Vec<StoredMetric> {
        let metrics = self.metrics.iter().zip(&self.codes);
        metrics.map(|(columns, codes)| (columns.codes(row, codes), columns.numbers(row))).collect()
    }

    fn append_to(&self, writer: &mut RecordWriter) -> Result<(), RecordError> {
        writer.append(self.rows, |row| self.version(row))
    }
}

/// Every word of the table once.
#[derive(Default)]
struct WordList {
    words: Vec<Box<str>>,
    places: HashMap<Box<str>, u16>,
}

impl WordList {
    /// Places of the words of the columns, by the columns' own codes.
    fn codes_of(&mut self, columns: &MetricColumns) -> [Vec<u16>; 3] {
        columns.words().map(|column| self.codes(column))
    }

    fn codes(&mut self, column: &DictionaryColumn) -> Vec<u16> {
        let mut place = |word: &str| {
            *self.places.entry(word.into()).or_insert_with(|| {
                self.words.push(word.into());
                // A column has 256 words at most, and three columns of less than 85 metrics fewer than can be numbered.
                u16::try_from(self.words.len() - 1).unwrap_or(u16::MAX)
            })
        };
        column.words().iter().map(|word| place(word)).collect()
    }
}

impl MetricColumns {
    fn codes(&self, row: usize, places: &[Vec<u16>; 3]) -> WordCodes {
        let columns = self.words();
        [0, 1, 2].map(|n| places[n][columns[n].code(row)])
    }
}
