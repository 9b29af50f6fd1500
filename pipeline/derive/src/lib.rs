//! Fight DNA: facts before a cut and the catalogue in, versions out. Pure: no clock, no files, no
//! environment, no order of threads.
//!
//! A fighter's version n is his state after his n-th date with eligible bouts, seen from the day after
//! (`valid_from`); the league around it (priors, pools, ratings) is taken at that same day. So versions
//! never change when later bouts arrive, and the DNA as of any date is the newest version that is valid on it.
//!
//! ```
//! use fdna_model::{Facts, FactsAsOf};
//! use fdna_schemas::Catalogue;
//!
//! let facts = Facts::new(Vec::new());
//! let day = chrono::NaiveDate::from_ymd_opt(2025, 1, 1).expect("a day");
//! // The cut leaves out every bout on or after the day.
//! let derived = fdna_derive::derive(FactsAsOf::cut(&facts, day), Catalogue::get())?;
//! assert!(derived.versions.is_empty());
//! # Ok::<(), fdna_derive::DeriveError>(())
//! ```

mod adjusted;
mod baselines;
mod career_index;
mod columns;
mod confidence;
mod experience;
mod fact;
mod finishes;
mod form;
mod interval;
mod metric;
mod percentile;
mod prior;
mod ratings;
mod ratio;
mod recent;
mod rounds;
mod splits;
mod tables;
mod validity;

use fdna_model::FactsAsOf;
use fdna_schemas::{Catalogue, Kernel, Metric};
use rayon::prelude::*;

pub use baselines::{ClassBaseline, ClassPopulation};
pub use career_index::DnaVersion;
pub use confidence::{ConfidenceReason, Reasons};
pub use finishes::{BoutEnding, FinishRow, FinishTimes};
pub use metric::{MetricPercentile, MetricShrinkage, MetricState, MetricStatus};
pub use ratings::RatingRow;
pub use ratio::UnknownColumn;
pub use rounds::{PROFILE_COUNTS, RoundProfile, RoundScope, RoundSums, RoundTotals};
pub use splits::{FighterSplits, SplitKey, SplitRow, SplitSums};
pub use tables::{TablesError, to_tables};
pub use validity::{FITTED_TO, GateBin, GateMeasured, MetricValidity};

use career_index::CareerIndex;
use prior::ClassPriors;
use ratings::HouseRatings;
use ratio::RatioTerms;

/// Why the facts could not be derived from.
#[derive(Debug, thiserror::Error)]
pub enum DeriveError {
    #[error(transparent)]
    Column(#[from] UnknownColumn),
    #[error("find what computes metric `{0}`")]
    Kernel(String),
}

/// One metric over all versions and populations.
#[derive(Debug, Clone, PartialEq)]
pub struct DnaDerivation {
    /// In the order of the versions.
    pub states: Vec<MetricState>,
    /// In the order of the populations; empty for what is not shrunk.
    pub baselines: Vec<ClassBaseline>,
    /// `None` for what predicts nothing.
    pub validity: Option<MetricValidity>,
}

/// All that is derived from facts.
#[derive(Debug, PartialEq)]
pub struct DerivedTables {
    /// By fighter and version.
    pub versions: Vec<DnaVersion>,
    /// In the order of the catalogue.
    pub metrics: Vec<DnaDerivation>,
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
/// The catalogue names a column that no bout has, or a metric that nothing computes.
pub fn derive(facts: FactsAsOf<'_>, catalogue: &Catalogue) -> Result<DerivedTables, DeriveError> {
    let league = CareerIndex::of(facts);
    let mut ratings = HouseRatings::of(facts.bouts());
    let populations = baselines::populations(&league);
    let whole =
        DerivationContext { league: &league, ratings: &ratings, catalogue, populations: &populations };
    let metrics =
        catalogue.metrics.par_iter().map(|metric| whole.derive(metric)).collect::<Result<_, _>>()?;
    let splits = splits::splits(&league, catalogue)?;
    let (finish_profiles, finish_times) = finishes::profiles(&league);
    let round_profiles = rounds::profiles(&league);
    ratings.rows.sort_by_key(|row| (row.fighter, row.bout));
    Ok(DerivedTables {
        metrics,
        populations,
        splits,
        round_profiles,
        finish_profiles,
        finish_times,
        ratings: ratings.rows,
        versions: league.versions,
    })
}

/// What a metric may look at.
struct DerivationContext<'a> {
    league: &'a CareerIndex<'a>,
    ratings: &'a HouseRatings,
    catalogue: &'a Catalogue,
    populations: &'a [ClassPopulation],
}

impl DerivationContext<'_> {
    fn derive(&self, metric: &Metric) -> Result<DnaDerivation, DeriveError> {
        match metric.kernel {
            _ if metric.is_shrunk() => self.shrunk(metric),
            Kernel::History => self.history(metric),
            _ => self.fact(metric),
        }
    }

    fn shrunk(&self, metric: &Metric) -> Result<DnaDerivation, DeriveError> {
        let league = self.league;
        let parts = self.parts(metric)?;
        let priors = ClassPriors::of(league, metric, &parts);
        let keep = if metric.kernel == Kernel::Recent { recent::keep() } else { 1.0 };
        let sums = ratio::sums(league, &parts, keep);
        let mut states = ratio::states(league, &priors, metric, &sums);
        percentile::of_shrunk(league, &priors, metric, &sums, &mut states);
        let subject =
            validity::ValiditySubject { league, metric, parts: &parts, priors: &priors, states: &states };
        let validity = Some(validity::measure(&subject));
        Ok(DnaDerivation { baselines: baselines::baselines(self.populations, &priors), validity, states })
    }

    /// What each side adds to the metric's sums.
    fn parts(&self, metric: &Metric) -> Result<Vec<Option<prior::SumRatio>>, DeriveError> {
        let parts = RatioTerms::of(metric)?.parts(self.league);
        let Some(name) = &metric.opponent_metric else { return Ok(parts) };
        let theirs = self.catalogue.metric(name).filter(|m| m.opponent_metric.is_none());
        let theirs = theirs.ok_or_else(|| DeriveError::Kernel(metric.name.clone()))?;
        let their_parts = RatioTerms::of(theirs)?.parts(self.league);
        let theirs = adjusted::OpponentMetric {
            metric: theirs,
            priors: ClassPriors::of(self.league, theirs, &their_parts),
            sums: ratio::sums(self.league, &their_parts, 1.0),
        };
        Ok(adjusted::weigh(self.league, parts, &theirs))
    }

    /// A ratio of the past as it was.
    fn history(&self, metric: &Metric) -> Result<DnaDerivation, DeriveError> {
        let sums = ratio::sums(self.league, &self.parts(metric)?, 1.0);
        let mut states = ratio::as_it_was(self.league, metric, &sums);
        percentile::of_facts(self.league, metric, None, &mut states);
        Ok(DnaDerivation { states, baselines: Vec::new(), validity: None })
    }

    fn fact(&self, metric: &Metric) -> Result<DnaDerivation, DeriveError> {
        let facts = match metric.kernel {
            Kernel::Experience => experience::facts(self.league, &metric.name),
            Kernel::Form => form::facts(self.league, &metric.name),
            Kernel::Ratings => self.ratings.facts(self.league, &metric.name),
            Kernel::Ratio | Kernel::Adjusted | Kernel::Recent | Kernel::History => None,
        };
        let facts = facts.ok_or_else(|| DeriveError::Kernel(metric.name.clone()))?;
        let versions = self.league.versions.iter().zip(facts);
        let mut states =
            versions.map(|(version, found)| fact::state(metric, version, found)).collect::<Vec<_>>();
        let rated = |v: &DnaVersion, day| self.ratings.at(&metric.name, v.fighter, day);
        let recent = |v: &DnaVersion, day| Some(experience::bouts_last_36m(self.league, v.fighter, day));
        let layoff = |v: &DnaVersion, day| experience::layoff(self.league, v.fighter, day);
        let at: Option<percentile::PercentileDay<'_>> = match metric.name.as_str() {
            "house_rating" | "rating_change_365d" => Some(&rated),
            "bouts_last_36m" => Some(&recent),
            "layoff_days" => Some(&layoff),
            _ => None,
        };
        percentile::of_facts(self.league, metric, at, &mut states);
        Ok(DnaDerivation { states, baselines: Vec::new(), validity: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn catalogue_and_modules_name_the_same_facts() {
        let named = |kernel| -> BTreeSet<&str> {
            let metrics = Catalogue::get().metrics.iter().filter(|m| m.kernel == kernel);
            metrics.map(|m| m.name.as_str()).collect()
        };
        assert_eq!(named(Kernel::Experience), experience::METRICS.into());
        assert_eq!(named(Kernel::Form), form::METRICS.into());
        assert_eq!(named(Kernel::Ratings), ratings::METRICS.into());
    }
}
