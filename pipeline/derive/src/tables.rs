//! Derived tables, as their contracts describe them.

mod profiles;
mod versions;

use arrow::array::RecordBatch;
use fdna_schemas::{ColumnError, Metric, MetricDefinitions, TableError, TableWriter, Tables};

use fdna_dna::SplitRows;
use fdna_model::FighterId;

pub use profiles::metric_table;

use crate::{
    ClassPopulation, DeriveError, DerivedTables, DnaVersion, FinishRow, FinishTimes, MetricState,
    MetricVersions, RatingRow, RoundProfile, SplitSums,
};

/// Why no tables could be made: they would not follow their contracts.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    #[error("no contract for a table")]
    Contract(#[from] TableError),
    #[error("cannot build a table")]
    Column(#[from] ColumnError),
}

/// Sink of derived tables, some columns at a time.
pub trait TableSink: Sync {
    type Error: From<DeriveError> + From<TablesError> + Send;

    /// Takes columns of a table, with all their rows. Each column comes once; threads come in any order.
    ///
    /// # Errors
    /// They cannot be kept.
    fn put_columns(&self, table: &'static str, columns: RecordBatch) -> Result<(), Self::Error>;
}

/// Every table of the derived stage, by contract name, each sorted by its key. For what fits into memory as a whole;
/// [`DnaDerivation::write_tables`](crate::DnaDerivation::write_tables) makes the same tables column by column.
///
/// # Errors
/// The metric definitions are others than those of the contracts.
pub fn to_tables(
    derived: &DerivedTables,
    definitions: &MetricDefinitions,
) -> Result<Vec<(&'static str, RecordBatch)>, TablesError> {
    let states = definitions.metrics.iter().zip(&derived.metrics);
    let (dna, splits) = (table_writer("dna_versions")?, &derived.splits);
    let of_metrics = states
        .map(|(metric, d)| versions::metric_columns(dna.new_of_table(), definitions, metric, &d.states));
    let versions = of_metrics
        .fold(versions::version_columns(dna.new_of_table(), &derived.versions), TableWriter::merge_with);
    let split_rows = profiles::split_columns(table_writer("splits")?, &splits.fighters, &splits.splits.rows);
    let (rounds, mut of_rounds) = (table_writer("round_profiles")?, Vec::new());
    profiles::round_profiles(&derived.round_profiles, &rounds, |columns| {
        of_rounds.push(columns);
        Ok::<_, TablesError>(())
    })?;
    let rounds = of_rounds.into_iter().fold(rounds, TableWriter::merge_with);
    let splits = splits.splits.metrics.iter().fold(split_rows, profiles::split_sums);
    Ok(vec![
        ("dna_versions", versions.finish()?),
        ("splits", splits.finish()?),
        (
            "baselines",
            versions::write_baselines(
                table_writer("baselines")?,
                &derived.populations,
                &derived.metrics,
                definitions,
            )?,
        ),
        ("finish_profiles", profiles::finish_profiles(&derived.finish_profiles)?),
        ("finish_times", profiles::finish_times(&derived.finish_times)?),
        ("metrics", profiles::metric_table(definitions)?),
        ("ratings", profiles::rating_table(&derived.ratings)?),
        ("round_profiles", rounds.finish()?),
        ("validity", profiles::validity_table(&derived.metrics, definitions)?),
    ])
}

/// Hands the tables to a sink, each as it is made, and keeps none.
pub(crate) struct TableOutput<'a, S> {
    pub(crate) definitions: &'a MetricDefinitions,
    pub(crate) sink: &'a S,
}

impl<S: TableSink> TableOutput<'_, S> {
    fn put_table(
        &self,
        table: &'static str,
        make: impl FnOnce(TableWriter<'static>) -> Result<RecordBatch, ColumnError>,
    ) -> Result<(), S::Error> {
        self.sink.put_columns(table, make(table_writer(table)?).map_err(TablesError::from)?)
    }

    pub(crate) fn put_versions(&self, dna_versions: &[DnaVersion]) -> Result<(), S::Error> {
        self.put_table("dna_versions", |writer| versions::version_columns(writer, dna_versions).finish_some())
    }

    pub(crate) fn put_metric(&self, metric: &Metric, states: &[MetricState]) -> Result<(), S::Error> {
        let columns =
            |writer| versions::metric_columns(writer, self.definitions, metric, states).finish_some();
        self.put_table("dna_versions", columns)
    }

    /// Writes the tables about metrics once all metrics are derived.
    pub(crate) fn put_metrics(
        &self,
        populations: &[ClassPopulation],
        metrics: &[MetricVersions],
    ) -> Result<(), S::Error> {
        self.put_table("baselines", |writer| {
            versions::write_baselines(writer, populations, metrics, self.definitions)
        })?;
        self.sink.put_columns("validity", profiles::validity_table(metrics, self.definitions)?)?;
        self.sink.put_columns("metrics", profiles::metric_table(self.definitions)?)
    }

    pub(crate) fn split_rows(&self, fighters: &[FighterId], rows: &SplitRows) -> Result<(), S::Error> {
        self.put_table("splits", |writer| profiles::split_columns(writer, fighters, rows).finish_some())
    }

    pub(crate) fn split_sums(&self, sums: &SplitSums) -> Result<(), S::Error> {
        self.put_table("splits", |writer| profiles::split_sums(writer, sums).finish_some())
    }

    pub(crate) fn round_profiles(&self, profiles: &[RoundProfile]) -> Result<(), S::Error> {
        profiles::round_profiles(profiles, &table_writer("round_profiles")?, |columns| {
            self.sink.put_columns("round_profiles", columns.finish_some().map_err(TablesError::from)?)
        })
    }

    pub(crate) fn put_finishes(
        &self,
        (profiles, times): &(Vec<FinishRow>, Vec<FinishTimes>),
    ) -> Result<(), S::Error> {
        self.sink.put_columns("finish_profiles", profiles::finish_profiles(profiles)?)?;
        self.sink.put_columns("finish_times", profiles::finish_times(times)?)
    }

    pub(crate) fn put_ratings(&self, ratings: &[RatingRow]) -> Result<(), S::Error> {
        self.sink.put_columns("ratings", profiles::rating_table(ratings)?)
    }
}

fn table_writer(name: &str) -> Result<TableWriter<'static>, TablesError> {
    Ok(TableWriter::new(Tables::get().table(name)?))
}
