//! DNA of the catalog: the observations that a model makes, through the engine, back into tables that later models read.

use std::collections::{BTreeMap, BTreeSet};

use arrow::array::{Array as _, AsArray as _, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Date32Type, Int32Type};
use chrono::NaiveDate;
use duckdb::types::Value;
use duckdb::{Connection, appender_params_from_iter};
use fdna_dna::{
    DnaEngine, MetricState, MetricVersions, Observation, ObservationColumns, PoolId, SubjectId, Timeline,
    count_as_i32,
};
use fdna_schemas::{CatalogDna, Metric, MetricDefinitions, Table, Term, ValidityClass};
use rayon::prelude::*;

use super::{of_model, query_rows, sql_type};
use crate::WarehouseError;
use crate::settings::quote_name;

/// Makes the versions and the metrics of `dna`, each a table of its name.
pub(super) fn make_tables(connection: &Connection, dna: &CatalogDna) -> Result<(), WarehouseError> {
    let observations = Observations::read_observations(connection, dna)?;
    let pools = dna.pools().map(|pool| PoolDna::derive_pool(dna, pool, &observations));
    let pools = pools.collect::<Result<Vec<_>, _>>()?;
    let carried = std::iter::once(dna.subject()).chain(dna.carried_columns());
    let carried: Vec<&StringArray> = carried.map(|name| texts_of(&observations.batch, name)).collect();
    let versions = pools.iter().flat_map(|pool| {
        pool.metric_states().map(|(metric, place, state)| pool.version_row(&carried, metric, place, state))
    });
    write_rows(connection, &dna.versions_table(), versions)?;
    write_rows(connection, &dna.metrics_table(), pools.iter().flat_map(PoolDna::metric_rows))
}

/// Writes a row at a time: those of a large table take more memory than the table.
fn write_rows(
    connection: &Connection,
    table: &Table,
    rows: impl Iterator<Item = Vec<Value>>,
) -> Result<(), WarehouseError> {
    let columns: Vec<String> = table
        .columns
        .iter()
        .map(|column| format!("{} {}", quote_name(&column.name), sql_type(column.kind)))
        .collect();
    let append = || {
        connection.execute_batch(&format!(
            "CREATE TABLE {} ({})",
            quote_name(&table.name),
            columns.join(", ")
        ))?;
        let mut appender = connection.appender(&table.name)?;
        for row in rows {
            appender.append_row(appender_params_from_iter(row))?;
        }
        appender.flush()
    };
    append().map_err(|source| of_model(&table.name, source))
}

/// The observations of all pools, oldest first.
struct Observations {
    batch: RecordBatch,
    dates: Vec<NaiveDate>,
    /// Sorted, each once.
    subjects: BTreeMap<String, SubjectId>,
}

impl Observations {
    fn read_observations(connection: &Connection, dna: &CatalogDna) -> Result<Self, WarehouseError> {
        let of_type = |name: &str, kind: &str| format!("CAST({0} AS {kind}) AS {0}", quote_name(name));
        let texts = [dna.subject(), dna.pool()].into_iter().chain(dna.carried_columns());
        let columns: Vec<String> = texts
            .map(|name| of_type(name, "VARCHAR"))
            .chain([of_type(dna.date(), "DATE")])
            .chain(dna.summed_columns().into_iter().map(|name| of_type(name, "INTEGER")))
            .collect();
        // Of two on one day, all that they say decides: any number of threads gives the same order.
        let rest = dna.carried_columns().chain([dna.pool()]).chain(dna.summed_columns());
        let order: Vec<String> =
            [dna.date(), dna.subject()].into_iter().chain(rest).map(quote_name).collect();
        let sql = format!(
            "SELECT {} FROM {} ORDER BY {}",
            columns.join(", "),
            quote_name(dna.observations()),
            order.join(", ")
        );
        let batch = query_rows(connection, dna.name, &sql)?;
        let refused = |why: String| WarehouseError::Observations { dna: dna.name, why };
        for name in [dna.subject(), dna.pool(), dna.date()].into_iter().chain(dna.carried_columns()) {
            let nulls = batch.column_by_name(name).map_or(0, |column| column.null_count());
            if nulls > 0 {
                return Err(refused(format!("{name} is null in {nulls} rows of {}", dna.observations())));
            }
        }
        let of_file: BTreeSet<&str> = dna.pools().collect();
        if let Some(other) =
            texts_of(&batch, dna.pool()).iter().flatten().find(|pool| !of_file.contains(pool))
        {
            return Err(refused(format!(
                "{} has the pool `{other}`, for which there is no metric",
                dna.observations()
            )));
        }
        let days = batch.column_by_name(dna.date()).map(|column| column.as_primitive::<Date32Type>());
        let dates = days.into_iter().flat_map(|days| days.values().iter());
        let dates = dates.filter_map(|day| NaiveDate::from_epoch_days(*day)).collect();
        let ids: BTreeSet<String> =
            texts_of(&batch, dna.subject()).iter().flatten().map(str::to_owned).collect();
        let subjects = ids.into_iter().zip((0..).map(SubjectId)).collect();
        Ok(Self { batch, dates, subjects })
    }
}

fn texts_of<'a>(batch: &'a RecordBatch, column: &str) -> &'a StringArray {
    // The query that made the batch has cast it.
    batch[column].as_string()
}

/// Columns of the observations of one pool.
struct PoolColumns<'a> {
    batch: &'a RecordBatch,
    rows: &'a [usize],
}

impl ObservationColumns for PoolColumns<'_> {
    fn column(&self, name: &str) -> Option<Vec<Option<i32>>> {
        let column =
            self.batch.column_by_name(name).filter(|column| *column.data_type() == DataType::Int32)?;
        let column = column.as_primitive::<Int32Type>();
        Some(self.rows.iter().map(|&row| column.is_valid(row).then(|| column.value(row))).collect())
    }
}

/// DNA of one pool.
struct PoolDna<'a> {
    pool: &'a str,
    definitions: MetricDefinitions,
    timeline: Timeline,
    metrics: Vec<MetricVersions>,
    /// By version: row of its newest observation.
    newest: Vec<usize>,
}

impl<'a> PoolDna<'a> {
    fn derive_pool(
        dna: &CatalogDna,
        pool: &'a str,
        observations: &Observations,
    ) -> Result<Self, WarehouseError> {
        let definitions = dna.definitions(pool);
        let Observations { batch, dates, subjects } = observations;
        let (names, pools) = (texts_of(batch, dna.subject()), texts_of(batch, dna.pool()));
        let rows: Vec<usize> = (0..batch.num_rows()).filter(|&row| pools.value(row) == pool).collect();
        let observation = |&row: &usize| Observation {
            subject: subjects[names.value(row)],
            opponent: None,
            date: dates[row],
            pool: Some(PoolId(0)),
            periods: 1,
        };
        let timeline = Timeline::new(rows.iter().map(observation).collect(), 1, &definitions.settings);
        let columns = PoolColumns { batch, rows: &rows };
        let engine = DnaEngine::new(&timeline, &columns, &definitions);
        let metrics =
            definitions.metrics.par_iter().with_max_len(1).map(|metric| engine.derive_ratio(metric, &[]));
        let metrics = metrics.collect::<Result<Vec<_>, _>>();
        let metrics = metrics.map_err(|source| WarehouseError::Engine { dna: dna.name, source })?;
        let newest = timeline.each_version(|_, until| until.last().map_or(0, |place| rows[*place]));
        Ok(Self { pool, definitions, metrics, newest, timeline })
    }

    /// Every version of every metric, by its place among the versions.
    fn metric_states(&self) -> impl Iterator<Item = (&Metric, usize, &MetricState)> {
        let metrics = self.definitions.metrics.iter().zip(&self.metrics);
        metrics.flat_map(|(metric, versions)| {
            versions.states.iter().enumerate().map(move |(place, state)| (metric, place, state))
        })
    }

    /// A row of the table of versions; `carried` are the columns of the observations that it begins with.
    fn version_row(
        &self,
        carried: &[&StringArray],
        metric: &Metric,
        place: usize,
        state: &MetricState,
    ) -> Vec<Value> {
        let newest = self.newest[place];
        let class = metric.validity_class.map_or("", ValidityClass::name);
        let words = [&metric.label, metric.unit.name(), metric.direction.name(), class].map(text_value);
        let valid_from = Value::Date32(self.timeline.versions[place].valid_from.to_epoch_days());
        let head = carried.iter().map(|texts| text_value(texts.value(newest)));
        let head =
            head.chain([text_value(self.pool), text_value(&metric.name)]).chain(words).chain([valid_from]);
        head.chain(self.state_values(state)).collect()
    }

    /// Columns of `dna_versions.toml` from `status` on.
    fn state_values(&self, state: &MetricState) -> [Value; 13] {
        let reasons = state.reasons.names(&self.definitions.settings.confidence);
        [
            text_value(state.status.name()),
            number_value(state.value),
            number_value(state.raw_value),
            number_value(state.interval.map(|(low, _)| low)),
            number_value(state.interval.map(|(_, high)| high)),
            number_value(state.shrinkage.map(|shrinkage| shrinkage.weight)),
            number_value(state.shrinkage.map(|shrinkage| shrinkage.prior_mean)),
            Value::Int(state.observations),
            Value::Double(state.exposure),
            text_value(state.confidence.name()),
            text_value(&serde_json::Value::from(reasons).to_string()),
            number_value(state.percentile.map(|percentile| percentile.value)),
            state.percentile.map_or(Value::Null, |percentile| Value::Int(percentile.pool_size)),
        ]
    }

    /// Rows of the table of metrics.
    fn metric_rows(&self) -> Vec<Vec<Value>> {
        let settings = &self.definitions.settings;
        let of_metric = |(metric, versions): (&Metric, &MetricVersions)| {
            let measured = versions.validity.clone().unwrap_or_default();
            let class = measured.validity_class(&settings.validity);
            vec![
                text_value(self.pool),
                text_value(&metric.name),
                text_value(&metric.label),
                text_value(&metric.meaning),
                text_value(metric.unit.name()),
                text_value(metric.direction.name()),
                text_value(&sum_expression(&metric.numerator)),
                text_value(&sum_expression(&metric.denominator)),
                settings.history_observations.map_or(Value::Null, |games| Value::Int(count_as_i32(games))),
                number_value(metric.prior_observations),
                number_value(metric.variance),
                number_value(measured.variance),
                metric.validity_class.map_or(Value::Null, |class| text_value(class.name())),
                class.map_or(Value::Null, |class| text_value(class.name())),
                number_value(measured.r2),
                number_value(measured.r2_raw),
                number_value(measured.reliability),
                number_value(measured.coverage),
                Value::Int(count_as_i32(measured.test_observations)),
            ]
        };
        self.definitions.metrics.iter().zip(&self.metrics).map(of_metric).collect()
    }
}

fn text_value(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn number_value(number: Option<f64>) -> Value {
    number.map_or(Value::Null, Value::Double)
}

/// `duels_won + duels_lost`.
fn sum_expression(terms: &[Term]) -> String {
    terms.iter().map(Term::to_string).collect::<Vec<_>>().join(" + ")
}

#[cfg(test)]
mod tests;
