//! The metric definitions as they are sent: each joined with what was measured of it.

use fdna_api::{
    ColumnSum, Gate, MetricCatalogue, MetricChange, MetricDefinition, MetricFamily, MetricValidity,
    MinSample, Prior, TestYears,
};
use fdna_schemas::{DEFINITION_VERSION, Metric, MetricDefinitions, Term};

use super::json;
use super::validity::{MeasuredValidity, read_next_year, read_stabilisation, test_years};
use crate::operations::digest;

/// The answer of `dna_metrics`, and its digest: it changes with the definition and with what was measured,
/// not with every snapshot.
#[derive(Debug)]
pub(crate) struct MetricDefinitionsJson {
    pub(crate) json: Box<[u8]>,
    pub(crate) digest: String,
    pub(crate) metrics: usize,
}

impl MetricDefinitionsJson {
    pub(crate) fn build(measured: &[MeasuredValidity<'_>]) -> Result<Self, serde_json::Error> {
        let wire = wire(MetricDefinitions::get(), measured);
        let json = json(&wire)?;
        Ok(Self { digest: digest(&json), json, metrics: wire.metrics.len() })
    }
}

fn wire<'a>(definitions: &'a MetricDefinitions, measured: &[MeasuredValidity<'a>]) -> MetricCatalogue<'a> {
    let count = |family: &str| definitions.metrics.iter().filter(|m| m.family == family).count();
    let families = definitions.families.iter().map(|family| MetricFamily {
        family: &family.name,
        meaning: &family.meaning,
        metrics: count(&family.name),
    });
    let row = |metric: &Metric| measured.iter().find(|row| row.metric == metric.name);
    MetricCatalogue {
        definition_version: DEFINITION_VERSION,
        constants_fitted_to: MetricDefinitions::get().settings.validity.fitted_to.to_string(),
        gates_measured_to: MetricDefinitions::get().settings.validity.measured_to.to_string(),
        families: families.collect(),
        metrics: definitions.metrics.iter().map(|metric| definition(metric, row(metric))).collect(),
    }
}

fn definition<'a>(metric: &'a Metric, measured: Option<&MeasuredValidity<'_>>) -> MetricDefinition<'a> {
    let display = metric.unit.display();
    MetricDefinition {
        metric: &metric.name,
        family: &metric.family,
        label: &metric.label,
        short_label: &metric.short_label,
        meaning: &metric.meaning,
        unit: metric.unit.name(),
        display_unit: display.unit,
        display_scale: display.scale,
        decimals: display.decimals,
        direction: metric.direction.name(),
        estimator: metric.estimator.name(),
        kernel: metric.kernel.name(),
        group: metric.group.as_deref(),
        numerator: sum(&metric.numerator, metric.numerator_per),
        denominator: sum(&metric.denominator, metric.denominator_per),
        source_columns: metric.source_columns(),
        opponent_metric: metric.opponent_metric.as_deref(),
        min_sample: MinSample { value: metric.min.value, unit: metric.min.unit.name() },
        range: metric.range,
        plain_count: metric.plain_count,
        of_the_day: metric.of_the_day,
        prior: metric
            .prior_observations
            .map(|strength_bouts| Prior { strength_bouts, variance: metric.variance }),
        validity: validity(metric, measured),
        in_splits: metric.split,
        insight: metric.insight.as_deref(),
        gate: metric.gate.map(|gate| Gate {
            min_z: gate.min_z,
            hold_share: gate.hold_share,
            bouts: gate.contests,
            years: TestYears { first: gate.first_year, last: gate.last_year },
        }),
        introduced_in: &metric.introduced_in,
        caveats: metric.caveats.as_slice().into(),
        history: metric
            .history
            .iter()
            .map(|change| MetricChange { version: change.version, note: &change.note })
            .collect(),
    }
}

fn sum(terms: &[Term], per: f64) -> Option<ColumnSum> {
    (!terms.is_empty()).then(|| ColumnSum { columns: terms.iter().map(Term::to_string).collect(), per })
}

fn validity<'a>(metric: &'a Metric, measured: Option<&MeasuredValidity<'_>>) -> MetricValidity<'a> {
    MetricValidity {
        class: metric.validity_class.map(fdna_schemas::ValidityClass::name),
        out_of_time_r2: measured.and_then(|m| m.out_of_time_r2),
        reliability: measured.and_then(|m| m.reliability),
        interval_coverage: measured.and_then(|m| m.interval_coverage),
        test_years: measured.and_then(test_years),
        n: measured.map(|m| m.test_bouts),
        stabilisation: measured.and_then(read_stabilisation),
        next_year: measured.and_then(read_next_year),
    }
}
