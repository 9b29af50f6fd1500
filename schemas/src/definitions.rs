//! The metric definitions: families of metrics, most of them ratios of sums of named columns.
//!
//! A metric here is data. The same definition drives the kernels, the columns of `dna_versions`, the
//! answer of `dna/metrics` and the data dictionary.

mod columns;
mod metric;
mod settings;
mod words;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::embedded;

pub use metric::{Gate, Metric, MetricChange, MinSample, PublishedStabilisation, Term};
pub use settings::{
    ConfidenceCaps, ConfidenceLevel, ConfidenceSettings, EngineSettings, GateSettings, RatingMargin,
    RatingSettings, RatingSlowdown, ValiditySettings,
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
#[derive(Debug, Clone)]
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

    /// The metrics that are wanted, in the order of the metric definitions, with all settings.
    #[must_use]
    pub fn choose_metrics(&self, is_wanted: impl Fn(&Metric) -> bool) -> Self {
        let metrics = self.metrics.iter().filter(|metric| is_wanted(metric)).cloned().collect();
        Self { metrics, ..self.clone() }
    }

    /// The metrics that are ratios of whole sums, in the order of the metric definitions.
    pub fn whole_ratios(&self) -> impl Iterator<Item = &Metric> {
        self.metrics.iter().filter(|metric| metric.has_whole_sums())
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
