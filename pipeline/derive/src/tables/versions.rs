//! `dna_versions` and `baselines`: wide tables, with columns per metric.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use fdna_model::WeightClass;
use fdna_schemas::tables::{BaselinesRow, DnaVersionsRow};
use fdna_schemas::{
    ColumnError, ConfidenceSettings, DEFINITION_VERSION, Metric, MetricDefinitions, TableWriter,
};

use fdna_dna::{PoolBaseline, whole_sum};

use crate::{ClassPopulation, DnaVersion, MetricState, MetricVersions, Reasons};

/// Columns of a version that belong to no metric.
pub(super) fn version_columns<'t>(writer: TableWriter<'t>, versions: &[DnaVersion]) -> TableWriter<'t> {
    let versions = || versions.iter();
    writer
        .uuids(DnaVersionsRow::FIGHTER_ID.name, versions().map(|v| Some(v.fighter.0)))
        .int32s(DnaVersionsRow::VERSION.name, versions().map(|v| Some(v.version)))
        .dates(DnaVersionsRow::VALID_FROM.name, versions().map(|v| Some(v.valid_from)))
        .texts(DnaVersionsRow::DEFINITION_VERSION.name, versions().map(|_| DEFINITION_VERSION))
        .strings(DnaVersionsRow::WEIGHT_CLASS.name, versions().map(|v| v.class.map(WeightClass::name)))
        .int32s(DnaVersionsRow::ELIGIBLE_BOUTS.name, versions().map(|v| Some(v.eligible_bouts)))
        .int32s(DnaVersionsRow::ELIGIBLE_ROUNDS.name, versions().map(|v| Some(v.eligible_rounds)))
        .dates(DnaVersionsRow::FIRST_BOUT_DATE.name, versions().map(|v| Some(v.first_bout)))
        .dates(DnaVersionsRow::LAST_BOUT_DATE.name, versions().map(|v| Some(v.last_bout)))
}

/// The columns of one metric.
pub(super) fn metric_columns<'t>(
    writer: TableWriter<'t>,
    definitions: &MetricDefinitions,
    metric: &Metric,
    states: &[MetricState],
) -> TableWriter<'t> {
    let name = |suffix| MetricDefinitions::version_column(&metric.name, suffix);
    let each = || states.iter();
    let texts = texts_of(states, &definitions.settings.confidence);
    let writer = write_sums(writer, metric, states);
    writer
        .texts(&name("status"), each().map(|s| s.status.name()))
        .floats(&name("value"), each().map(|s| s.value))
        .floats(&name("raw_value"), each().map(|s| s.raw_value))
        .floats(&name("interval_low"), each().map(|s| s.interval.map(|(low, _)| low)))
        .floats(&name("interval_high"), each().map(|s| s.interval.map(|(_, high)| high)))
        .floats(&name("exposure"), each().map(|s| Some(s.exposure)))
        .int32s(&name("bouts"), each().map(|s| Some(s.observations)))
        .int32s(&name("rounds"), each().map(|s| Some(s.periods)))
        .floats(&name("weight"), each().map(|s| s.shrinkage.map(|s| s.weight)))
        .floats(&name("prior_mean"), each().map(|s| s.shrinkage.map(|s| s.prior_mean)))
        .floats(&name("prior_strength"), each().map(|s| s.shrinkage.map(|s| s.prior_strength)))
        .texts(&name("confidence"), each().map(|s| s.confidence.name()))
        .texts(&name("reasons"), each().map(|s| texts.get(&s.reasons).map_or("", String::as_str)))
        .floats(&name("percentile"), each().map(|s| s.percentile.map(|p| p.value)))
        .int32s(&name("pool_size"), each().map(|s| s.percentile.map(|p| p.pool_size)))
}

/// Whole where they are sums of counts.
fn write_sums<'t>(writer: TableWriter<'t>, metric: &Metric, states: &[MetricState]) -> TableWriter<'t> {
    let name = |suffix| MetricDefinitions::version_column(&metric.name, suffix);
    let (y, d) = (states.iter().map(|s| s.sums.map(|s| s.0)), states.iter().map(|s| s.sums.map(|s| s.1)));
    if metric.has_whole_sums() {
        let writer = writer.int64s(&name("numerator"), y.map(|y| y.map(whole_sum)));
        writer.int64s(&name("denominator"), d.map(|d| d.map(whole_sum)))
    } else {
        writer.floats(&name("numerator"), y).floats(&name("denominator"), d)
    }
}

/// The names of each set of rules, joined once.
fn texts_of(states: &[MetricState], settings: &ConfidenceSettings) -> BTreeMap<Reasons, String> {
    let mut texts = BTreeMap::new();
    for state in states {
        texts.entry(state.reasons).or_insert_with(|| state.reasons.names(settings).join(" "));
    }
    texts
}

/// With the columns of the metrics that `definitions` has.
pub(super) fn write_baselines(
    writer: TableWriter<'_>,
    populations: &[ClassPopulation],
    metrics: &[MetricVersions],
    definitions: &MetricDefinitions,
) -> Result<RecordBatch, ColumnError> {
    let populations = || populations.iter();
    let writer = writer
        .dates(BaselinesRow::VALID_FROM.name, populations().map(|p| Some(p.valid_from)))
        .texts(BaselinesRow::POPULATION.name, populations().map(ClassPopulation::name));
    let metrics = definitions.metrics.iter().zip(metrics).filter(|(metric, _)| metric.is_shrunk());
    metrics
        .fold(writer, |writer, (metric, derivation)| with_baselines(writer, metric, &derivation.baselines))
        .finish_some()
}

fn with_baselines<'t>(
    writer: TableWriter<'t>,
    metric: &Metric,
    baselines: &[PoolBaseline],
) -> TableWriter<'t> {
    let name = |suffix| MetricDefinitions::version_column(&metric.name, suffix);
    let priors = || baselines.iter().map(|b| b.prior);
    writer
        .floats(&name("mean"), priors().map(|prior| prior.map(|(mean, _)| mean)))
        .floats(&name("strength"), priors().map(|prior| prior.map(|(_, strength)| strength)))
        .int32s(&name("fighter_bouts"), baselines.iter().map(|b| Some(b.observations)))
}
