//! Versions as the `dna_versions` table.

use std::borrow::Cow;

use arrow::array::RecordBatch;
use fdna_model::WeightClass;
use fdna_schemas::{Catalogue, ColumnError, DEFINITION_VERSION, Table, TableWriter};

use crate::version::{DnaVersion, MetricState};

/// One row per version, in the given order; `table` is the contract of `dna_versions`.
///
/// # Errors
/// The versions were made from another catalogue than the contract.
pub fn to_table(
    versions: &[DnaVersion],
    table: &Table,
    catalogue: &Catalogue,
) -> Result<RecordBatch, ColumnError> {
    let writer = TableWriter::new(table)
        .uuids("fighter_id", versions.iter().map(|v| Some(v.fighter.0)))
        .int32s("version", versions.iter().map(|v| Some(v.version)))
        .dates("valid_from", versions.iter().map(|v| Some(v.valid_from)))
        .texts("definition_version", versions.iter().map(|_| DEFINITION_VERSION))
        .strings("weight_class", versions.iter().map(|v| v.class.map(WeightClass::name)))
        .int32s("eligible_bouts", versions.iter().map(|v| Some(v.eligible_bouts)))
        .int32s("eligible_rounds", versions.iter().map(|v| Some(v.eligible_rounds)))
        .dates("first_bout_date", versions.iter().map(|v| Some(v.first_bout)))
        .dates("last_bout_date", versions.iter().map(|v| Some(v.last_bout)));
    let metrics = catalogue.metrics.iter().enumerate();
    metrics
        .fold(writer, |writer, (i, metric)| {
            columns(writer, &metric.name, || versions.iter().map(move |v| &v.metrics[i]))
        })
        .finish()
}

fn columns<'t, 'v, I: Iterator<Item = &'v MetricState>>(
    writer: TableWriter<'t>,
    metric: &str,
    states: impl Fn() -> I,
) -> TableWriter<'t> {
    let name = |suffix| Catalogue::version_column(metric, suffix);
    writer
        .texts(&name("status"), states().map(|s| s.status.name()))
        .floats(&name("value"), states().map(|s| s.value))
        .floats(&name("raw_value"), states().map(|s| s.raw_value))
        .int64s(&name("numerator"), states().map(|s| Some(s.numerator)))
        .int64s(&name("denominator"), states().map(|s| Some(s.denominator)))
        .int32s(&name("bouts"), states().map(|s| Some(s.bouts)))
        .int32s(&name("rounds"), states().map(|s| Some(s.rounds)))
        .floats(&name("weight"), states().map(|s| s.weight))
        .floats(&name("prior_mean"), states().map(|s| s.prior_mean))
        .floats(&name("prior_strength"), states().map(|s| s.prior_strength))
        .texts(&name("confidence"), states().map(|s| s.confidence.name()))
        .texts(&name("reasons"), states().map(reasons))
}

/// Names joined by spaces; most states have one reason or none, and need no memory of their own.
fn reasons(state: &MetricState) -> Cow<'static, str> {
    match state.reasons[..] {
        [] => Cow::Borrowed(""),
        [reason] => Cow::Borrowed(reason.name()),
        ref reasons => reasons.iter().map(|reason| reason.name()).collect::<Vec<_>>().join(" ").into(),
    }
}
