//! The metrics of a call, and definitions that must be those of this build.

use anyhow::Context as _;
use arrow::array::{AsArray as _, RecordBatch};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use fdna_derive::metric_table;
use fdna_schemas::MetricDefinitions;

use crate::facts::ArrowRows;

/// The metrics that are named, else those whose definitions are given, else all.
///
/// # Errors
/// A metric is not defined, or a definition is another than that of this build.
pub(crate) fn choose_metrics(
    given: Option<ArrowRows>,
    named: Option<Vec<String>>,
) -> anyhow::Result<MetricDefinitions> {
    let defined = MetricDefinitions::get();
    let given = given.map(|given| read_definitions(given, defined)).transpose()?;
    let Some(names) = named.or(given) else { return Ok(defined.clone()) };
    if let Some(unknown) = names.iter().find(|name| defined.metric(name).is_none()) {
        anyhow::bail!("no metric `{unknown}`; metric_definitions() lists all {}", defined.metrics.len());
    }
    Ok(defined.choose_metrics(|metric| names.contains(&metric.name)))
}

/// Names of the metrics in a table `metrics`, each of which is defined as here.
fn read_definitions(given: ArrowRows, defined: &MetricDefinitions) -> anyhow::Result<Vec<String>> {
    let ours = metric_table(defined)?;
    let known = |column: &str| ours.column_by_name(column).is_some();
    let theirs = given.join_columns(known).context("cannot read the metric definitions")?;
    let names = names_of(&theirs).context("the metric definitions have no column `metric` of text")?;
    let our_names = names_of(&ours).unwrap_or_default();
    for (row, name) in names.iter().enumerate() {
        let place = our_names.iter().position(|ours| ours == name);
        let place = place.with_context(|| format!("no metric `{name}` in this build of the engine"))?;
        for field in theirs.schema_ref().fields() {
            let [stated, derived] = [(&theirs, row), (&ours, place)].map(|(table, row)| {
                let column = ArrayFormatter::try_new(&table[field.name()], &FormatOptions::default())?;
                column.value(row).try_to_string()
            });
            let (stated, derived) = (stated?, derived?);
            if stated != derived {
                anyhow::bail!(
                    "`{}` of metric `{name}` is `{stated}` in the definitions and `{derived}` in this build: \
                     use the version of fightdna-engine that derived them",
                    field.name()
                );
            }
        }
    }
    Ok(names)
}

fn names_of(table: &RecordBatch) -> Option<Vec<String>> {
    let names = table.column_by_name("metric")?.as_string_opt::<i32>()?;
    Some(names.iter().flatten().map(str::to_owned).collect())
}
