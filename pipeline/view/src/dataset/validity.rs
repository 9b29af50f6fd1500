//! Validity of each metric: how well it predicts the next bout, as measured on the facts of the snapshot.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use fdna_api::{NextYear, ShrunkBeatsRaw, Stabilisation, TestYears, Validity, ValidityRow, ValiditySummary};
use fdna_schemas::tables::{self, ContractReader as _, ValidityReader};
use fdna_schemas::{ColumnError, DEFINITION_VERSION, MetricDefinitions};

/// One metric's.
pub(crate) type MeasuredValidity<'a> = tables::ValidityRow<'a>;

/// In the order of the table.
pub(crate) fn read(batch: &RecordBatch) -> Result<Vec<MeasuredValidity<'_>>, ColumnError> {
    ValidityReader::of(batch).all_rows()
}

/// First and last year of the bouts that were predicted.
pub(crate) fn test_years(row: &MeasuredValidity<'_>) -> Option<TestYears> {
    Some(TestYears { first: row.first_test_year?, last: row.last_test_year? })
}

/// The sample at which half of what is seen is a fighter's own.
pub(crate) fn read_stabilisation(row: &MeasuredValidity<'_>) -> Option<Stabilisation> {
    let (exposure, bouts, low) = (row.stabilises_at?, row.stabilises_at_bouts?, row.stabilises_low?);
    Some(Stabilisation { exposure, bouts, low, high: row.stabilises_high })
}

/// What values say of the next year; `None` of what predicts nothing.
pub(crate) fn read_next_year(row: &MeasuredValidity<'_>) -> Option<NextYear> {
    (row.next_year_tests > 0).then_some(NextYear {
        drift: row.next_year_drift,
        interval_coverage: row.next_year_coverage,
        interval_coverage_without_drift: row.next_year_coverage_without_drift,
        n: row.next_year_tests,
    })
}

fn wire_row<'a>(row: &MeasuredValidity<'a>) -> ValidityRow<'a> {
    ValidityRow {
        metric: row.metric,
        family: MetricDefinitions::get().metric(row.metric).map(|m| m.family.as_str()),
        catalogue_class: row.catalogue_class,
        measured_class: row.measured_class,
        out_of_time_r2: row.out_of_time_r2,
        out_of_time_r2_raw: row.out_of_time_r2_raw,
        reliability: row.reliability,
        interval_coverage: row.interval_coverage,
        n: row.test_bouts,
        test_years: test_years(row),
        fitted_variance: row.fitted_variance,
        catalogue_variance: row.catalogue_variance,
        constants_fitted_to: Some(row.constants_fitted_to.to_string()),
        stabilisation: read_stabilisation(row),
        next_year: read_next_year(row),
    }
}

/// The answer of `dna_validity`.
pub(crate) fn wire<'a>(rows: &[MeasuredValidity<'a>]) -> Validity<'a> {
    Validity {
        definition_version: DEFINITION_VERSION,
        constants_fitted_to: MetricDefinitions::get().settings.validity.fitted_to.to_string(),
        gates_measured_to: MetricDefinitions::get().settings.validity.measured_to.to_string(),
        summary: summary(rows),
        metrics: rows.iter().map(wire_row).collect(),
    }
}

fn summary<'a>(rows: &[MeasuredValidity<'a>]) -> ValiditySummary<'a> {
    let both: Vec<_> = rows.iter().filter_map(|row| row.out_of_time_r2.zip(row.out_of_time_r2_raw)).collect();
    let better = both.iter().filter(|(shrunk, raw)| shrunk > raw).count();
    ValiditySummary {
        metrics: rows.len(),
        measured: rows.iter().filter(|row| row.out_of_time_r2.is_some()).count(),
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
