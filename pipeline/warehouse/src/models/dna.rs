//! DNA of the catalog: the observations that a model makes, through the engine, back into tables that later models read.

mod metrics_table;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrow::array::{
    Array as _, ArrayRef, AsArray as _, Date32Array, DictionaryArray, Float64Array, Int32Array, RecordBatch,
    StringArray, UInt64Array,
};
use arrow::compute::take;
use arrow::datatypes::{DataType, Date32Type, Int32Type};
use chrono::NaiveDate;
use duckdb::Connection;
use fdna_dna::{
    DnaEngine, MetricState, MetricVersions, Observation, ObservationColumns, PoolId, Reasons, SubjectId,
    Timeline, count_as_i32,
};
use fdna_schemas::{CatalogDna, Metric, MetricDefinitions, ValidityClass};
use rayon::prelude::*;

use super::new_table::{NewTable, to_dictionary};
use super::sql::{describe_nulls, make_query_table, query_rows, rows_error};
use crate::WarehouseError;
use crate::settings::quote_name;

/// Makes the versions, the metrics and the leaders of `dna`, each a table of its name. A pool is derived when the one before is written.
pub(super) fn make_tables(connection: &Connection, dna: &CatalogDna) -> Result<(), WarehouseError> {
    let observations = Observations::read_observations(connection, dna)?;
    let carried = std::iter::once(dna.subject()).chain(dna.carried_columns());
    let carried = carried.map(|name| to_dictionary(&observations.batch[name]));
    let failed = |source| rows_error(dna.name, source);
    let carried = carried.collect::<Result<Vec<ArrayRef>, _>>().map_err(failed)?;
    let (versions, metrics) = (dna.versions_table(), dna.metrics_table());
    let mut new_versions = NewTable::create(connection, &versions)?;
    let mut new_metrics = NewTable::create(connection, &metrics)?;
    for pool in dna.pools() {
        let pool = PoolDna::derive_pool(dna, pool, &observations)?;
        let newest = UInt64Array::from_iter_values(pool.newest.iter().map(|row| *row as u64));
        let carried = carried.iter().map(|texts| take(texts, &newest, None)).collect::<Result<Vec<_>, _>>();
        pool.append_versions(&mut new_versions, &carried.map_err(failed)?)?;
        new_metrics.append_columns(pool.metric_columns())?;
    }
    new_versions.finish()?;
    new_metrics.finish()?;
    match dna.leaders_table() {
        Some(leaders) => make_query_table(connection, &leaders.name, &dna.leaders_query()),
        None => Ok(()),
    }
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
        let known = [dna.subject(), dna.pool(), dna.date()].into_iter().chain(dna.carried_columns());
        if let Some(why) = describe_nulls(&batch, known, dna.observations()) {
            return Err(refused(why));
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

    /// Appends every version of every metric; `carried` are the columns of their newest observations that they begin with.
    fn append_versions(&self, into: &mut NewTable<'_>, carried: &[ArrayRef]) -> Result<(), WarehouseError> {
        let days = self.timeline.versions.iter().map(|version| version.valid_from.to_epoch_days());
        let valid_from: ArrayRef = Arc::new(Date32Array::from_iter_values(days));
        for (metric, versions) in self.definitions.metrics.iter().zip(&self.metrics) {
            let of_all = |text: &str| repeat_text(text, versions.states.len());
            let class = metric.validity_class.map_or("", ValidityClass::name);
            let mut columns = carried.to_vec();
            columns.extend([self.pool, &metric.name, &metric.label].map(of_all));
            columns.extend([metric.unit.name(), metric.direction.name(), class].map(of_all));
            columns.push(Arc::clone(&valid_from));
            columns.extend(self.state_columns(metric, &versions.states));
            into.append_columns(columns)?;
        }
        Ok(())
    }

    /// Columns of `dna_versions.toml` from `status` on.
    fn state_columns(&self, metric: &Metric, states: &[MetricState]) -> [ArrayRef; 15] {
        let settings = &self.definitions.settings.confidence;
        let reasons = |reasons: Reasons| serde_json::Value::from(reasons.names(settings)).to_string();
        let number = |of: &dyn Fn(&MetricState) -> Option<f64>| -> ArrayRef {
            Arc::new(states.iter().map(of).collect::<Float64Array>())
        };
        let seasons: Vec<_> = states.iter().map(|state| state.season_interval(metric)).collect();
        let season_end = |of: fn((f64, f64)) -> f64| -> ArrayRef {
            Arc::new(seasons.iter().map(|season| season.map(of)).collect::<Float64Array>())
        };
        let count = |of: fn(&MetricState) -> Option<i32>| -> ArrayRef {
            Arc::new(states.iter().map(of).collect::<Int32Array>())
        };
        [
            repeat_texts(states.iter().map(|state| state.status.name()), str::to_owned),
            number(&|state| state.value),
            number(&|state| state.raw_value),
            number(&|state| state.interval.map(|(low, _)| low)),
            number(&|state| state.interval.map(|(_, high)| high)),
            season_end(|(low, _)| low),
            season_end(|(_, high)| high),
            number(&|state| state.shrinkage.map(|shrinkage| shrinkage.weight)),
            number(&|state| state.shrinkage.map(|shrinkage| shrinkage.prior_mean)),
            count(|state| Some(state.observations)),
            number(&|state| Some(state.exposure)),
            repeat_texts(states.iter().map(|state| state.confidence.name()), str::to_owned),
            repeat_texts(states.iter().map(|state| state.reasons), reasons),
            number(&|state| state.percentile.map(|percentile| percentile.value)),
            count(|state| state.percentile.map(|percentile| percentile.pool_size)),
        ]
    }

    /// Columns of the table of metrics.
    fn metric_columns(&self) -> Vec<ArrayRef> {
        let measured = self.metrics.iter().map(|versions| versions.validity.clone().unwrap_or_default());
        metrics_table::metric_columns(self.pool, &self.definitions, &measured.collect::<Vec<_>>())
    }
}

fn repeat_text(text: &str, rows: usize) -> ArrayRef {
    repeat_texts(std::iter::repeat_n((), rows), |()| text.to_owned())
}

/// The text of each value, made once for each that occurs.
fn repeat_texts<T: Copy + Ord>(values: impl Iterator<Item = T>, text: impl Fn(T) -> String) -> ArrayRef {
    let mut places: BTreeMap<T, i32> = BTreeMap::new();
    let mut texts = Vec::new();
    let place = |value: T| {
        *places.entry(value).or_insert_with(|| {
            texts.push(text(value));
            count_as_i32(texts.len()) - 1
        })
    };
    let keys: Int32Array = values.map(place).map(Some).collect();
    Arc::new(DictionaryArray::new(keys, Arc::new(StringArray::from(texts))))
}

#[cfg(test)]
mod tests;
