//! What was derived, as the tables of its contracts.

mod observations;
mod profiles;
mod versions;

use arrow::array::RecordBatch;
use fdna_schemas::{Catalogue, ColumnError, Metric, TableError, TableWriter, Tables};

use fdna_dna::SplitRows;
use fdna_model::FighterId;

pub use observations::observations;

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

/// Where derived tables go, some columns at a time.
pub trait TableSink: Sync {
    type Error: From<DeriveError> + From<TablesError> + Send;

    /// Takes columns of a table, with all their rows. Each column comes once; threads come in any order.
    ///
    /// # Errors
    /// They cannot be kept.
    fn put(&self, table: &'static str, columns: RecordBatch) -> Result<(), Self::Error>;
}

/// Every table of the derived stage, by contract name, each sorted by its key. For what fits into memory as a whole;
/// [`DnaDerivation::write`](crate::DnaDerivation::write) makes the same tables column by column.
///
/// # Errors
/// The catalogue is another than that of the contracts.
pub fn to_tables(
    derived: &DerivedTables,
    catalogue: &Catalogue,
) -> Result<Vec<(&'static str, RecordBatch)>, TablesError> {
    let states = catalogue.metrics.iter().zip(&derived.metrics);
    let (dna, splits) = (writer("dna_versions")?, &derived.splits);
    let of_metrics =
        states.map(|(metric, d)| versions::metric_columns(dna.fresh(), catalogue, metric, &d.states));
    let versions =
        of_metrics.fold(versions::version_columns(dna.fresh(), &derived.versions), TableWriter::with);
    let split_rows = profiles::split_columns(writer("splits")?, &splits.fighters, &splits.splits.rows);
    let (rounds, mut of_rounds) = (writer("round_profiles")?, Vec::new());
    profiles::round_profiles(&derived.round_profiles, &rounds, |columns| {
        of_rounds.push(columns);
        Ok::<_, TablesError>(())
    })?;
    let rounds = of_rounds.into_iter().fold(rounds, TableWriter::with);
    let splits = splits.splits.metrics.iter().fold(split_rows, profiles::split_sums);
    Ok(vec![
        ("dna_versions", versions.finish()?),
        ("splits", splits.finish()?),
        (
            "baselines",
            versions::baselines(writer("baselines")?, &derived.populations, &derived.metrics, catalogue)?,
        ),
        ("finish_profiles", profiles::finish_profiles(&derived.finish_profiles)?),
        ("finish_times", profiles::finish_times(&derived.finish_times)?),
        ("metrics", profiles::metrics(catalogue)?),
        ("ratings", profiles::ratings(&derived.ratings)?),
        ("round_profiles", rounds.finish()?),
        ("validity", profiles::validity(&derived.metrics, catalogue)?),
    ])
}

/// Hands the tables to a sink, each as it is made, and keeps none.
pub(crate) struct TableOutput<'a, S> {
    pub(crate) catalogue: &'a Catalogue,
    pub(crate) sink: &'a S,
}

impl<S: TableSink> TableOutput<'_, S> {
    fn put(
        &self,
        table: &'static str,
        make: impl FnOnce(TableWriter<'static>) -> Result<RecordBatch, ColumnError>,
    ) -> Result<(), S::Error> {
        self.sink.put(table, make(writer(table)?).map_err(TablesError::from)?)
    }

    pub(crate) fn versions(&self, of: &[DnaVersion]) -> Result<(), S::Error> {
        self.put("dna_versions", |writer| versions::version_columns(writer, of).finish_some())
    }

    pub(crate) fn metric(&self, metric: &Metric, states: &[MetricState]) -> Result<(), S::Error> {
        let columns = |writer| versions::metric_columns(writer, self.catalogue, metric, states).finish_some();
        self.put("dna_versions", columns)
    }

    /// What is known of metrics once all of them are derived.
    pub(crate) fn metrics(
        &self,
        populations: &[ClassPopulation],
        metrics: &[MetricVersions],
    ) -> Result<(), S::Error> {
        self.put("baselines", |writer| versions::baselines(writer, populations, metrics, self.catalogue))?;
        self.sink.put("validity", profiles::validity(metrics, self.catalogue)?)?;
        self.sink.put("metrics", profiles::metrics(self.catalogue)?)
    }

    pub(crate) fn split_rows(&self, fighters: &[FighterId], rows: &SplitRows) -> Result<(), S::Error> {
        self.put("splits", |writer| profiles::split_columns(writer, fighters, rows).finish_some())
    }

    pub(crate) fn split_sums(&self, sums: &SplitSums) -> Result<(), S::Error> {
        self.put("splits", |writer| profiles::split_sums(writer, sums).finish_some())
    }

    pub(crate) fn round_profiles(&self, profiles: &[RoundProfile]) -> Result<(), S::Error> {
        profiles::round_profiles(profiles, &writer("round_profiles")?, |columns| {
            self.sink.put("round_profiles", columns.finish_some().map_err(TablesError::from)?)
        })
    }

    pub(crate) fn finishes(
        &self,
        (profiles, times): &(Vec<FinishRow>, Vec<FinishTimes>),
    ) -> Result<(), S::Error> {
        self.sink.put("finish_profiles", profiles::finish_profiles(profiles)?)?;
        self.sink.put("finish_times", profiles::finish_times(times)?)
    }

    pub(crate) fn ratings(&self, ratings: &[RatingRow]) -> Result<(), S::Error> {
        self.sink.put("ratings", profiles::ratings(ratings)?)
    }
}

fn writer(name: &str) -> Result<TableWriter<'static>, TablesError> {
    Ok(TableWriter::new(Tables::get().table(name)?))
}
