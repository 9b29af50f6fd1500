//! Fight DNA: facts before a cut and the metric definitions in, versions out. Pure: no clock, no files, no
//! environment, no order of threads.
//!
//! A fighter's version n is his state after his n-th date with eligible bouts, seen from the day after
//! (`valid_from`); the league around it (priors, pools, ratings) is taken at that same day. So versions
//! never change when later bouts arrive, and the DNA as of any date is the newest version that is valid on it.
//!
//! ```
//! use fdna_model::{Facts, FactsAsOf};
//! use fdna_schemas::MetricDefinitions;
//!
//! let facts = Facts::new(Vec::new());
//! let day = chrono::NaiveDate::from_ymd_opt(2025, 1, 1).expect("a day");
//! // The cut leaves out every bout on or after the day.
//! let derived = fdna_derive::derive_tables(FactsAsOf::cut_at(&facts, day), MetricDefinitions::get())?;
//! assert!(derived.versions.is_empty());
//! # Ok::<(), fdna_derive::DeriveError>(())
//! ```

mod baselines;
mod career_index;
mod columns;
mod experience;
mod finishes;
mod form;
mod ratings;
mod rounds;
mod splits;
mod tables;

use std::collections::BTreeSet;

use fdna_dna::{DnaEngine, FactOnDay, PoolPopulation};
use fdna_model::{FactsAsOf, FighterId};
use fdna_schemas::{Kernel, Metric, MetricDefinitions};
use rayon::prelude::*;

pub use baselines::ClassPopulation;
pub use career_index::DnaVersion;
pub use fdna_dna::{
    EngineError as DeriveError, GateBin, GateMeasured, MetricState, MetricStatus, MetricValidity,
    MetricVersions, Reasons, SplitKey, SplitSums, SubjectSplits, UnknownColumn,
};
pub use finishes::{BoutEnding, FinishRow, FinishTimes};
pub use ratings::RatingRow;
pub use rounds::{PROFILE_COUNTS, RoundProfile, RoundScope, RoundSums, RoundTotals};
pub use tables::{TableSink, TablesError, metric_table, to_tables};

use career_index::CareerIndex;
use ratings::HouseRatings;
use tables::TableOutput;

/// The splits of all fighters.
#[derive(Debug, PartialEq)]
pub struct FighterSplits {
    /// By subject of the splits.
    pub fighters: Vec<FighterId>,
    pub splits: SubjectSplits,
}

/// All that is derived from facts.
#[derive(Debug, PartialEq)]
pub struct DerivedTables {
    /// By fighter and version.
    pub versions: Vec<DnaVersion>,
    /// In the order of the metric definitions.
    pub metrics: Vec<MetricVersions>,
    pub populations: Vec<ClassPopulation>,
    pub splits: FighterSplits,
    pub round_profiles: Vec<RoundProfile>,
    pub finish_profiles: Vec<FinishRow>,
    pub finish_times: Vec<FinishTimes>,
    /// By fighter and date.
    pub ratings: Vec<RatingRow>,
}

/// Derives every version that the facts support.
///
/// All versions have `valid_from` on or before the cut of `facts`.
///
/// # Errors
/// The metric definitions name a column that no bout has, or a metric that nothing computes.
pub fn derive_tables(
    facts: FactsAsOf<'_>,
    definitions: &MetricDefinitions,
) -> Result<DerivedTables, DeriveError> {
    let derivation = DnaDerivation::new(facts, definitions);
    let keep = |_: &Metric, versions| Ok::<_, DeriveError>(versions);
    let metrics = derivation.derive_metrics(definitions.metrics.iter().collect(), keep)?;
    derivation.finish(metrics)
}

/// Metrics that were derived elsewhere, each read when its turn comes.
pub type GivenMetrics<'g, E> = dyn Fn(&Metric) -> Result<MetricVersions, E> + Sync + 'g;

/// A derivation in steps: metrics are derived one after another on each thread, so that only as many are in memory as
/// there are threads.
pub struct DnaDerivation<'a> {
    facts: FactsAsOf<'a>,
    definitions: &'a MetricDefinitions,
    league: CareerIndex<'a>,
    /// By date and name of the population.
    populations: Vec<PoolPopulation>,
}

impl<'a> DnaDerivation<'a> {
    #[must_use]
    pub fn new(facts: FactsAsOf<'a>, definitions: &'a MetricDefinitions) -> Self {
        Self::with_columns(facts, definitions, None)
    }

    /// Of which no other metrics are derived than these: it holds the columns of bouts that they need, and no others.
    #[must_use]
    pub fn of_metrics(facts: FactsAsOf<'a>, definitions: &'a MetricDefinitions, metrics: &[&Metric]) -> Self {
        let theirs = metrics.iter().filter_map(|metric| definitions.metric(metric.opponent_metric.as_ref()?));
        let names = metrics.iter().copied().chain(theirs).flat_map(Metric::source_columns).collect();
        Self::with_columns(facts, definitions, Some(&names))
    }

    fn with_columns(
        facts: FactsAsOf<'a>,
        definitions: &'a MetricDefinitions,
        names: Option<&BTreeSet<&str>>,
    ) -> Self {
        let league = CareerIndex::from_facts(facts, &definitions.settings, names);
        let mut populations = DnaEngine::new(&league.timeline, &league, definitions).populations();
        populations.sort_by_key(|p| (p.valid_from, ClassPopulation::from_population(p).name()));
        Self { facts, definitions, league, populations }
    }

    /// By fighter and version.
    #[must_use]
    pub fn versions(&self) -> &[DnaVersion] {
        &self.league.versions
    }

    fn engine(&self) -> DnaEngine<'_> {
        DnaEngine::new(&self.league.timeline, &self.league, self.definitions)
    }

    /// Some of the defined metrics, each handed to `keep`, which says what is kept of it. A metric depends on the facts
    /// and the metric definitions alone, so that it is the same whichever others are derived with it.
    ///
    /// # Errors
    /// As for [`derive_tables()`], or those of `keep`.
    pub fn derive_metrics<T: Send, E: From<DeriveError> + Send>(
        &self,
        wanted: Vec<&Metric>,
        keep: impl Fn(&Metric, MetricVersions) -> Result<T, E> + Sync,
    ) -> Result<Vec<T>, E> {
        let engine = self.engine();
        let ratings = HouseRatings::from_league(&self.league, self.definitions.settings.rating);
        let versions = |metric: &Metric| match metric.kernel {
            Kernel::Experience | Kernel::Form | Kernel::Ratings => {
                derive_fact(&engine, &self.league, &ratings, metric)
            }
            Kernel::Ratio | Kernel::Adjusted | Kernel::Recent | Kernel::History => {
                engine.derive_ratio(metric, &self.populations)
            }
        };
        // One at a time: a thread that was given several at once would still hold the first when it begins the last.
        wanted.into_par_iter().with_max_len(1).map(|metric| keep(metric, versions(metric)?)).collect()
    }

    /// Every table of the derived stage, in columns: nothing is kept but what a later table needs. With `given`, each metric
    /// as it was derived elsewhere of the same facts and metric definitions.
    ///
    /// # Errors
    /// As for [`derive_tables()`], or those of the sink.
    pub fn write_tables<S: TableSink>(
        &self,
        given: Option<&GivenMetrics<'_, S::Error>>,
        sink: &S,
    ) -> Result<(), S::Error> {
        self.write_chosen(self.definitions, given, sink)
    }

    /// As [`Self::write_tables`], with the columns and rows of the metrics `chosen` from the metric definitions alone: what
    /// is there is what there is of all of them.
    ///
    /// # Errors
    /// As for [`Self::write_tables`].
    pub fn write_chosen<S: TableSink>(
        &self,
        chosen: &MetricDefinitions,
        given: Option<&GivenMetrics<'_, S::Error>>,
        sink: &S,
    ) -> Result<(), S::Error> {
        let league = &self.league;
        let output = TableOutput { definitions: chosen, sink };
        output.put_versions(&league.versions)?;
        let keep = |metric: &Metric, mut versions: MetricVersions| {
            output.put_metric(metric, &std::mem::take(&mut versions.states)).map(|()| versions)
        };
        let metrics = match given {
            Some(given) => {
                let metrics = chosen.metrics.par_iter().with_max_len(1);
                metrics.map(|metric| keep(metric, given(metric)?)).collect()
            }
            None => self.derive_metrics(chosen.metrics.iter().collect(), keep),
        };
        let populations: Vec<_> = self.populations.iter().map(ClassPopulation::from_population).collect();
        output.put_metrics(&populations, &metrics?)?;
        output.round_profiles(&rounds::round_profiles(league))?;
        output.put_finishes(&finishes::finish_profiles(league))?;
        output.put_ratings(&HouseRatings::from_league(league, chosen.settings.rating).rating_rows())?;
        let engine = DnaEngine::new(&league.timeline, league, chosen);
        let rows = engine.split_rows(|row| splits::split_keys(&league.sides[row], self.facts));
        output.split_rows(league.fighters(), &rows)?;
        engine.split_sums(&rows, |sums| output.split_sums(&sums))?;
        Ok(())
    }

    fn finish(self, metrics: Vec<MetricVersions>) -> Result<DerivedTables, DeriveError> {
        let (league, facts) = (&self.league, self.facts);
        let splits = self.engine().derive_splits(|row| splits::split_keys(&league.sides[row], facts))?;
        let fighters = league.fighters().to_vec();
        let (finish_profiles, finish_times) = finishes::finish_profiles(league);
        Ok(DerivedTables {
            metrics,
            populations: self.populations.iter().map(ClassPopulation::from_population).collect(),
            splits: FighterSplits { fighters, splits },
            round_profiles: rounds::round_profiles(league),
            finish_profiles,
            finish_times,
            ratings: HouseRatings::from_league(league, self.definitions.settings.rating).rating_rows(),
            versions: self.league.versions,
        })
    }
}

/// A metric that is no ratio, from the module of its kernel.
fn derive_fact(
    engine: &DnaEngine<'_>,
    league: &CareerIndex<'_>,
    ratings: &HouseRatings<'_>,
    metric: &Metric,
) -> Result<MetricVersions, DeriveError> {
    let name = metric.name.as_str();
    let found = match metric.kernel {
        Kernel::Experience => experience::experience_facts(league, name),
        Kernel::Form => form::form_facts(league, name),
        _ => ratings.rating_facts(name),
    };
    let found = found.ok_or_else(|| DeriveError::Kernel(metric.name.clone()))?;
    let rated =
        |fighter, day| (ratings.value_at(name, fighter, day), ratings.next_change(name, fighter, day));
    let recent = |fighter, day| experience::recent_bouts(league, fighter, day);
    let layoff = |fighter, day| experience::layoff_order(league, fighter, day);
    let streak = |fighter, day| {
        let until = experience::until_next(league.bout_days(fighter), day);
        (Some(form::win_streak(league, fighter, day)), until)
    };
    let at: Option<FactOnDay<'_>> = match name {
        "house_rating" | "rating_change_365d" => Some(&rated),
        "bouts_last_36m" => Some(&recent),
        "layoff_days" => Some(&layoff),
        "win_streak" => Some(&streak),
        _ => None,
    };
    Ok(engine.derive_fact(metric, found, at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn definitions_and_modules_name_the_same_facts() {
        let named = |kernel| -> BTreeSet<&str> {
            let metrics = MetricDefinitions::get().metrics.iter().filter(|m| m.kernel == kernel);
            metrics.map(|m| m.name.as_str()).collect()
        };
        assert_eq!(named(Kernel::Experience), experience::METRICS.into());
        assert_eq!(named(Kernel::Form), form::METRICS.into());
        assert_eq!(named(Kernel::Ratings), ratings::METRICS.into());
    }
}
