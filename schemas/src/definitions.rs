//! The metric definitions: families of metrics, most of them ratios of sums of named columns.
//!
//! A metric here is data. The same definition drives the kernels, the columns of `dna_versions`, the
//! answer of `dna/metrics` and the data dictionary.

mod columns;
mod metric;
mod settings;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

use crate::embedded;

pub use metric::{Gate, Metric, MetricChange, MinSample, Term};
pub use settings::{
    ConfidenceCaps, ConfidenceLevel, ConfidenceSettings, EngineSettings, GateSettings, RatingSettings,
    RatingSlowdown, ValiditySettings,
};
pub use words::{Confidence, Direction, Estimator, Kernel, MinUnit, Unit, ValidityClass};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FamilyFile {
    family: String,
    meaning: String,
    #[serde(rename = "metric")]
    metrics: Vec<Metric>,
}

/// A family of metrics: name and meaning.
#[derive(Debug, Clone)]
pub struct Family {
    pub name: String,
    pub meaning: String,
}

/// The metrics of a product, in the order of families and files, and what the engine must know beside them.
#[derive(Debug)]
pub struct MetricDefinitions {
    pub families: Vec<Family>,
    pub metrics: Vec<Metric>,
    pub settings: EngineSettings,
    /// Units of the sums of a column of observations.
    pub(crate) sum_units: BTreeMap<String, String>,
}

/// A file of metric definitions that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot read `{file}` of the metric definitions")]
pub struct MetricDefinitionError {
    pub file: String,
    #[source]
    pub source: Box<toml::de::Error>,
}

static MMA: LazyLock<MetricDefinitions> = LazyLock::new(|| {
    let definitions = MetricDefinitions::parse(embedded::MMA_ENGINE, embedded::MMA_METRICS)
        .unwrap_or_else(|error| panic!("{error}: {}", error.source));
    let units: BTreeMap<String, Vec<String>> = toml::from_str(embedded::MMA_SUM_UNITS)
        .unwrap_or_else(|error| panic!("embedded units of sums: {error}"));
    let of_columns = |(unit, columns): (String, Vec<String>)| {
        columns.into_iter().map(move |column| (column, unit.clone()))
    };
    MetricDefinitions { sum_units: units.into_iter().flat_map(of_columns).collect(), ..definitions }
});

impl MetricDefinitions {
    /// The metric definitions of Fight DNA, compiled into this binary; checked by tests, so this cannot fail at run time.
    #[must_use]
    pub fn get() -> &'static Self {
        &MMA
    }

    /// The metric definitions of a product: the text of its `engine.toml`, and name and text of each family.
    ///
    /// # Errors
    /// A file is not TOML, or lacks or has a key that it must not.
    pub fn parse(engine: &str, families: &[(&str, &str)]) -> Result<Self, MetricDefinitionError> {
        let failed = |file: &str| {
            let file = file.to_owned();
            move |source| MetricDefinitionError { file, source: Box::new(source) }
        };
        let settings = toml::from_str(engine).map_err(failed("engine"))?;
        let sum_units = BTreeMap::new();
        let mut definitions = Self { families: Vec::new(), metrics: Vec::new(), settings, sum_units };
        for (name, text) in families {
            let FamilyFile { family, meaning, metrics } = toml::from_str(text).map_err(failed(name))?;
            definitions.metrics.extend(metrics.into_iter().map(|m| Metric { family: family.clone(), ..m }));
            definitions.families.push(Family { name: family, meaning });
        }
        Ok(definitions)
    }

    /// The metrics that are ratios of whole sums, in the order of the metric definitions.
    pub fn whole_ratios(&self) -> impl Iterator<Item = &Metric> {
        self.metrics.iter().filter(|metric| metric.has_whole_sums())
    }

    /// Columns that [`Self::whole_ratios`] sum, each once, in order of mention.
    #[must_use]
    pub fn observed_columns(&self) -> Vec<&str> {
        let mut seen = BTreeSet::new();
        self.whole_ratios().flat_map(Metric::source_columns).filter(|column| seen.insert(*column)).collect()
    }

    /// The unit of a sum of columns; `None` where a metric has no such sum.
    #[must_use]
    pub fn sum_unit(&self, terms: &[Term]) -> Option<&str> {
        let column = terms.first()?.column.as_str();
        self.sum_units.get(column.strip_prefix("o_").unwrap_or(column)).map(String::as_str)
    }

    #[must_use]
    pub fn metric(&self, name: &str) -> Option<&Metric> {
        self.metrics.iter().find(|m| m.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sum_counts_one_thing() {
        let definitions = MetricDefinitions::get();
        for terms in definitions.metrics.iter().flat_map(|metric| [&metric.numerator, &metric.denominator]) {
            let units: BTreeSet<_> = terms.chunks(1).map(|term| definitions.sum_unit(term)).collect();
            assert!(units.len() <= 1 && !units.contains(&None), "{terms:?}: {units:?}");
        }
    }

    #[test]
    fn metric_names_are_unique_and_histories_begin_at_one() {
        let definitions = MetricDefinitions::get();
        let names: BTreeSet<_> = definitions.metrics.iter().map(|m| &m.name).collect();
        assert_eq!(names.len(), definitions.metrics.len());
        for metric in &definitions.metrics {
            assert_eq!(metric.history.first().map(|h| h.version), Some(1), "{}", metric.name);
            assert!(metric.denominator_per > 0.0 && metric.numerator_per > 0.0, "{}", metric.name);
        }
    }

    #[test]
    fn there_are_81_metrics_in_16_families() {
        assert_eq!(
            (MetricDefinitions::get().metrics.len(), MetricDefinitions::get().families.len()),
            (81, 16)
        );
    }

    #[test]
    fn what_is_shrunk_has_sums_a_prior_and_a_class_and_what_is_not_has_none() {
        for m in &MetricDefinitions::get().metrics {
            let has = (
                !m.numerator.is_empty(),
                !m.denominator.is_empty(),
                m.prior_observations.is_some(),
                m.validity_class.is_some(),
            );
            let shrunk = m.is_shrunk();
            let has_sums = shrunk || m.kernel == Kernel::History;
            assert_eq!(has, (has_sums, has_sums, shrunk, shrunk), "{}", m.name);
            assert_eq!((m.sources.is_empty(), m.variance.is_some()), (has_sums, shrunk), "{}", m.name);
            assert_eq!(m.range.is_some(), m.estimator == Estimator::Difference, "{}", m.name);
            assert_eq!(m.opponent_metric.is_some(), m.kernel == Kernel::Adjusted, "{}", m.name);
            assert!(m.prior_observations.is_none_or(|k| k > 0.0), "{}", m.name);
        }
    }

    #[test]
    fn a_split_metric_is_a_ratio_of_whole_sums() {
        let split: Vec<_> = MetricDefinitions::get().metrics.iter().filter(|m| m.split).collect();
        assert!(split.len() > 15 && split.iter().all(|m| m.has_whole_sums()));
    }

    #[test]
    fn metrics_of_a_group_share_prior_strength_and_denominator() {
        for a in MetricDefinitions::get().metrics.iter().filter(|m| m.group.is_some()) {
            for b in MetricDefinitions::get().metrics.iter().filter(|m| m.group == a.group) {
                assert_eq!(a.prior_observations, b.prior_observations, "{} {}", a.name, b.name);
                assert_eq!(a.denominator, b.denominator, "{} {}", a.name, b.name);
            }
        }
    }

    #[test]
    fn a_term_is_a_column_with_an_optional_minus() {
        assert_eq!(Term::try_from("-o_td_landed".to_owned()).unwrap().to_string(), "-o_td_landed");
        assert!(Term::try_from("a+b".to_owned()).is_err());
        assert!(Term::try_from("-".to_owned()).is_err());
    }
}
