//! Columns of the tables of metrics: definitions, what was measured of them, and what others published.

use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, Int32Array, StringArray};
use fdna_dna::{MetricValidity, Stabilisation, count_as_i32};
use fdna_schemas::{
    Metric, MetricDefinitions, PublishedStabilisation, Term, ValidityClass, ValiditySettings,
};

use super::repeat_text;

/// All of `dna_metrics.toml`, of the metrics of a pool; `measured` in their order.
pub(super) fn metric_columns(
    pool: &str,
    definitions: &MetricDefinitions,
    measured: &[MetricValidity],
) -> Vec<ArrayRef> {
    let mut columns = definition_columns(pool, definitions, measured);
    columns.extend(validity_columns(&definitions.settings.validity, measured));
    columns.extend(published_columns(&definitions.metrics));
    columns.push(count_column(measured, |measured| measured.test_observations));
    columns
}

/// Up to the class of the definition, with what these facts would give for its constants.
fn definition_columns(
    pool: &str,
    definitions: &MetricDefinitions,
    measured: &[MetricValidity],
) -> Vec<ArrayRef> {
    let metrics = &definitions.metrics;
    let text = |of: fn(&Metric) -> String| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(metrics.iter().map(of)))
    };
    let number = |of: fn(&Metric) -> Option<f64>| -> ArrayRef {
        Arc::new(metrics.iter().map(of).collect::<Float64Array>())
    };
    let history = definitions.settings.history_observations.map(count_as_i32);
    vec![
        repeat_text(pool, metrics.len()),
        text(|metric| metric.name.clone()),
        text(|metric| metric.label.clone()),
        text(|metric| metric.meaning.clone()),
        text(|metric| metric.unit.name().to_owned()),
        Arc::new(metrics.iter().map(join_caveats).collect::<StringArray>()),
        text(|metric| metric.direction.name().to_owned()),
        text(|metric| sum_expression(&metric.numerator)),
        text(|metric| sum_expression(&metric.denominator)),
        Arc::new(metrics.iter().map(|_| history).collect::<Int32Array>()),
        number(|metric| metric.prior_observations),
        number(|metric| metric.variance),
        measure_column(measured, |measured| measured.variance),
        number(|metric| metric.season_drift),
        measure_column(measured, |measured| measured.season.drift),
        class_column(metrics.iter().map(|metric| metric.validity_class)),
    ]
}

/// From the measured class to the sample at which values stabilise.
fn validity_columns(settings: &ValiditySettings, measured: &[MetricValidity]) -> Vec<ArrayRef> {
    let measure = |of: fn(&MetricValidity) -> Option<f64>| measure_column(measured, of);
    let stabilisation = |of: fn(&Stabilisation) -> Option<f64>| -> ArrayRef {
        Arc::new(measured.iter().map(|m| m.stabilisation.as_ref().and_then(of)).collect::<Float64Array>())
    };
    vec![
        class_column(measured.iter().map(|measured| measured.validity_class(settings))),
        measure(|measured| measured.r2),
        measure(|measured| measured.r2_raw),
        measure(|measured| measured.reliability),
        measure(|measured| measured.coverage),
        measure(|measured| measured.season.coverage),
        measure(|measured| measured.season.coverage_without_drift),
        count_column(measured, |measured| measured.season.tests),
        stabilisation(|s| Some(s.exposure)),
        stabilisation(|s| Some(s.low)),
        stabilisation(|s| s.high),
        stabilisation(|s| Some(s.observations)),
    ]
}

fn published_columns(metrics: &[Metric]) -> Vec<ArrayRef> {
    let published = || metrics.iter().map(|metric| metric.published.as_ref());
    let text = |of: fn(&PublishedStabilisation) -> Option<&str>| -> ArrayRef {
        Arc::new(published().map(|published| of(published?)).collect::<StringArray>())
    };
    let sample = published().map(|published| Some(published?.sample));
    vec![
        Arc::new(sample.collect::<Float64Array>()),
        text(|published| Some(&published.unit)),
        text(|published| Some(&published.source)),
        text(|published| Some(&published.url)),
        text(|published| published.note.as_deref()),
    ]
}

fn measure_column(measured: &[MetricValidity], of: fn(&MetricValidity) -> Option<f64>) -> ArrayRef {
    Arc::new(measured.iter().map(of).collect::<Float64Array>())
}

fn count_column(measured: &[MetricValidity], of: fn(&MetricValidity) -> usize) -> ArrayRef {
    Arc::new(Int32Array::from_iter_values(measured.iter().map(|measured| count_as_i32(of(measured)))))
}

fn class_column(classes: impl Iterator<Item = Option<ValidityClass>>) -> ArrayRef {
    Arc::new(classes.map(|class| class.map(ValidityClass::name)).collect::<StringArray>())
}

fn join_caveats(metric: &Metric) -> Option<String> {
    (!metric.caveats.is_empty()).then(|| metric.caveats.join(" "))
}

/// `duels_won + duels_lost`.
fn sum_expression(terms: &[Term]) -> String {
    terms.iter().map(Term::to_string).collect::<Vec<_>>().join(" + ")
}
