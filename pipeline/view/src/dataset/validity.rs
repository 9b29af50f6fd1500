//! How well each metric predicts the next bout, as measured on the facts of the snapshot.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use chrono::NaiveDate;
use fdna_api::{ShrunkBeatsRaw, TestYears, Validity, ValidityRow, ValiditySummary};
use fdna_schemas::{Catalogue, ColumnError, DEFINITION_VERSION, TableReader};

use super::{DatasetError, never_null};

const TABLE: &str = "validity";

/// One metric's.
#[derive(Debug)]
pub(crate) struct MeasuredValidity<'a> {
    pub(crate) metric: &'a str,
    catalogue_class: Option<&'a str>,
    measured_class: Option<&'a str>,
    pub(crate) r2: Option<f64>,
    r2_raw: Option<f64>,
    pub(crate) reliability: Option<f64>,
    pub(crate) interval_coverage: Option<f64>,
    pub(crate) test_bouts: i32,
    pub(crate) test_years: Option<TestYears>,
    fitted_variance: Option<f64>,
    catalogue_variance: Option<f64>,
    fitted_to: Option<NaiveDate>,
}

impl<'a> MeasuredValidity<'a> {
    /// In the order of the table.
    pub(crate) fn read(batch: &'a RecordBatch) -> Result<Vec<Self>, DatasetError> {
        let table = TableReader::new(TABLE, batch);
        let metrics = table.texts("metric")?;
        let (catalogue, measured) = (table.strings("catalogue_class")?, table.strings("measured_class")?);
        let (r2, r2_raw) = (table.floats("out_of_time_r2")?, table.floats("out_of_time_r2_raw")?);
        let (reliability, coverage) = (table.floats("reliability")?, table.floats("interval_coverage")?);
        let bouts = table.int32s("test_bouts")?;
        let years = years(&table)?;
        let (fitted, stated) = (table.floats("fitted_variance")?, table.floats("catalogue_variance")?);
        let fitted_to = table.dates("constants_fitted_to")?;
        let row = |i: usize| {
            Ok(Self {
                metric: metrics[i],
                catalogue_class: catalogue[i],
                measured_class: measured[i],
                r2: r2[i],
                r2_raw: r2_raw[i],
                reliability: reliability[i],
                interval_coverage: coverage[i],
                test_bouts: never_null(bouts[i], TABLE, "test_bouts")?,
                test_years: years[i],
                fitted_variance: fitted[i],
                catalogue_variance: stated[i],
                fitted_to: fitted_to[i],
            })
        };
        (0..table.rows()).map(row).collect()
    }

    fn wire(&self) -> ValidityRow<'a> {
        ValidityRow {
            metric: self.metric,
            family: Catalogue::get().metric(self.metric).map(|m| m.family.as_str()),
            catalogue_class: self.catalogue_class,
            measured_class: self.measured_class,
            out_of_time_r2: self.r2,
            out_of_time_r2_raw: self.r2_raw,
            reliability: self.reliability,
            interval_coverage: self.interval_coverage,
            n: self.test_bouts,
            test_years: self.test_years,
            fitted_variance: self.fitted_variance,
            catalogue_variance: self.catalogue_variance,
            constants_fitted_to: self.fitted_to.map(|day| day.to_string()),
        }
    }
}

fn years(table: &TableReader<'_>) -> Result<Vec<Option<TestYears>>, ColumnError> {
    let years = table.int32s("first_test_year")?.into_iter().zip(table.int32s("last_test_year")?);
    Ok(years.map(|(first, last)| Some(TestYears { first: first?, last: last? })).collect())
}

/// The answer of `dna_validity`.
pub(crate) fn wire<'a>(rows: &[MeasuredValidity<'a>]) -> Validity<'a> {
    Validity {
        definition_version: DEFINITION_VERSION,
        constants_fitted_to: Catalogue::get().settings.validity.fitted_to.to_string(),
        gates_measured_to: Catalogue::get().settings.validity.measured_to.to_string(),
        summary: summary(rows),
        metrics: rows.iter().map(MeasuredValidity::wire).collect(),
    }
}

fn summary<'a>(rows: &[MeasuredValidity<'a>]) -> ValiditySummary<'a> {
    let both: Vec<_> = rows.iter().filter_map(|row| row.r2.zip(row.r2_raw)).collect();
    let better = both.iter().filter(|(shrunk, raw)| shrunk > raw).count();
    ValiditySummary {
        metrics: rows.len(),
        measured: rows.iter().filter(|row| row.r2.is_some()).count(),
        catalogue_classes: count(rows.iter().filter_map(|row| row.catalogue_class)),
        measured_classes: count(rows.iter().filter_map(|row| row.measured_class)),
        shrunk_beats_raw: ShrunkBeatsRaw { metrics: better, of: both.len() },
    }
}

fn count<'a>(classes: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, usize> {
    classes.fold(BTreeMap::new(), |mut counts, class| {
        *counts.entry(class).or_default() += 1;
        counts
    })
}
