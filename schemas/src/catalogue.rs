//! The metric catalogue: families of metrics, each a ratio of sums of named columns.
//!
//! A metric here is data. The same definition drives the kernels, the columns of `dna_versions`, the
//! answer of `dna/metrics` and the data dictionary.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::embedded;
use crate::table::{Column, ColumnType};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    PerMin,
    #[serde(rename = "per_15_min")]
    Per15Min,
    Share,
}

impl Unit {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::PerMin => "per_min",
            Self::Per15Min => "per_15_min",
            Self::Share => "share",
        }
    }
}

/// Which end is better for the fighter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    Higher,
    Lower,
    Neutral,
}

impl Direction {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Higher => "higher",
            Self::Lower => "lower",
            Self::Neutral => "neutral",
        }
    }
}

/// How the posterior of a metric is modelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Estimator {
    /// Rate: gamma–Poisson.
    #[serde(rename = "GP")]
    Rate,
    /// Proportion: beta–binomial.
    #[serde(rename = "BB")]
    Proportion,
    /// Shares that sum to one: Dirichlet–multinomial.
    #[serde(rename = "DM")]
    Share,
    /// Difference or bounded share: normal.
    #[serde(rename = "NN")]
    Difference,
}

impl Estimator {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Rate => "GP",
            Self::Proportion => "BB",
            Self::Share => "DM",
            Self::Difference => "NN",
        }
    }
}

/// How well the metric predicts the next bout; the class caps the confidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum ValidityClass {
    A,
    B,
    C,
    D,
}

impl ValidityClass {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
            Self::D => "D",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MinUnit {
    Min,
    Count,
}

impl MinUnit {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Count => "count",
        }
    }
}

/// Smallest exposure for a value: minutes, or the count in the denominator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MinSample {
    pub value: u32,
    pub unit: MinUnit,
}

/// A column of a bout, added or subtracted; `o_` before its name means the opponent's.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Term {
    pub column: String,
    pub sign: i8,
}

impl TryFrom<String> for Term {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (sign, column) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text.as_str()),
        };
        if column.is_empty() || !column.bytes().all(|b| b == b'_' || b.is_ascii_alphanumeric()) {
            return Err(format!("`{text}` is no column with an optional minus"));
        }
        Ok(Self { column: column.to_owned(), sign })
    }
}

impl std::fmt::Display for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.sign < 0 { "-" } else { "" })?;
        f.write_str(&self.column)
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricChange {
    pub version: u32,
    pub note: String,
}

/// One metric: Σ numerator / (Σ denominator / `denominator_per`) over the bouts that carry all its columns.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metric {
    pub name: String,
    #[serde(skip)]
    pub family: String,
    pub unit: Unit,
    pub direction: Direction,
    pub estimator: Estimator,
    /// Metrics of one group share one prior strength, so that their shares sum to one.
    pub group: Option<String>,
    pub numerator: Vec<Term>,
    pub denominator: Vec<Term>,
    /// Column units in one unit of the denominator: 60 seconds in a minute, 900 in a quarter of an hour.
    pub denominator_per: f64,
    pub min: MinSample,
    /// Strength of the prior, in bouts of average exposure.
    pub prior_bouts: f64,
    pub validity_class: ValidityClass,
    pub introduced_in: String,
    #[serde(default)]
    pub caveats: Vec<String>,
    pub history: Vec<MetricChange>,
}

impl Metric {
    /// Names of all columns that a bout must carry, without repetition, in order of mention.
    #[must_use]
    pub fn source_columns(&self) -> Vec<&str> {
        let mut seen = BTreeSet::new();
        let terms = self.numerator.iter().chain(&self.denominator);
        terms.map(|t| t.column.as_str()).filter(|c| seen.insert(*c)).collect()
    }

    /// Column units of the denominator in one unit of the minimum sample and of the stated exposure.
    #[must_use]
    pub fn exposure_per(&self) -> f64 {
        match self.min.unit {
            MinUnit::Min => 60.0,
            MinUnit::Count => 1.0,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FamilyFile {
    family: String,
    meaning: String,
    #[serde(rename = "metric")]
    metrics: Vec<Metric>,
}

/// A family of the catalogue: name and meaning.
#[derive(Debug, Clone)]
pub struct Family {
    pub name: String,
    pub meaning: String,
}

/// All metrics of the definition, in the order of families and files.
#[derive(Debug)]
pub struct Catalogue {
    pub families: Vec<Family>,
    pub metrics: Vec<Metric>,
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let mut families = Vec::new();
    let mut metrics = Vec::new();
    for (name, text) in embedded::METRICS {
        let file: FamilyFile =
            toml::from_str(text).unwrap_or_else(|error| panic!("embedded metric family {name}: {error}"));
        metrics.extend(file.metrics.into_iter().map(|mut m| {
            m.family.clone_from(&file.family);
            m
        }));
        families.push(Family { name: file.family, meaning: file.meaning });
    }
    Catalogue { families, metrics }
});

/// What `dna_versions` holds per metric: suffix, type, meaning, and what a null says.
const VERSION_COLUMNS: &[(&str, ColumnType, &str, Option<&str>)] = &[
    ("status", ColumnType::String, "ok, insufficient_sample, not_recorded or not_applicable", None),
    ("value", ColumnType::Float64, "shrunk value", Some("status is not ok")),
    ("raw_value", ColumnType::Float64, "numerator over denominator", Some("denominator is 0")),
    ("numerator", ColumnType::Int64, "sum of the numerator's columns", None),
    ("denominator", ColumnType::Int64, "sum of the denominator's columns, in their own unit", None),
    ("bouts", ColumnType::Int32, "eligible bouts that carry the columns", None),
    ("rounds", ColumnType::Int32, "rounds of those bouts", None),
    ("weight", ColumnType::Float64, "weight of the fighter's own sums in the value", Some("no prior")),
    ("prior_mean", ColumnType::Float64, "mean towards which the value is shrunk", Some("no prior")),
    (
        "prior_strength",
        ColumnType::Float64,
        "strength of the prior, in units of the denominator",
        Some("no prior"),
    ),
    ("confidence", ColumnType::String, "high, medium, low or insufficient", None),
    ("reasons", ColumnType::String, "rules that set the confidence, joined by spaces", None),
];

impl Catalogue {
    /// The catalogue compiled into this binary; checked by tests, so this cannot fail at run time.
    #[must_use]
    pub fn get() -> &'static Self {
        &CATALOGUE
    }

    #[must_use]
    pub fn metric(&self, name: &str) -> Option<&Metric> {
        self.metrics.iter().find(|m| m.name == name)
    }

    /// Column of `dna_versions` for a metric: `<metric>__<suffix>`.
    #[must_use]
    pub fn version_column(metric: &str, suffix: &str) -> String {
        format!("{metric}__{suffix}")
    }

    pub(crate) fn version_columns(&self) -> Vec<Column> {
        let of_metric = |m: &Metric| {
            let (name, unit) = (m.name.clone(), m.unit.name().to_owned());
            VERSION_COLUMNS.iter().map(move |(suffix, kind, meaning, null)| Column {
                name: Self::version_column(&name, suffix),
                kind: *kind,
                unit: matches!(*suffix, "value" | "raw_value" | "prior_mean").then(|| unit.clone()),
                meaning: format!("{name}: {meaning}"),
                null_means: null.map(str::to_owned),
                null_is_value: false,
                is_bookkeeping: false,
            })
        };
        self.metrics.iter().flat_map(of_metric).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metric_names_are_unique_and_histories_begin_at_one() {
        let catalogue = Catalogue::get();
        let names: BTreeSet<_> = catalogue.metrics.iter().map(|m| &m.name).collect();
        assert_eq!(names.len(), catalogue.metrics.len());
        for metric in &catalogue.metrics {
            assert_eq!(metric.history.first().map(|h| h.version), Some(1), "{}", metric.name);
            assert!(metric.prior_bouts > 0.0 && metric.denominator_per > 0.0, "{}", metric.name);
        }
    }

    #[test]
    fn metrics_of_a_group_share_prior_strength_and_denominator() {
        for a in Catalogue::get().metrics.iter().filter(|m| m.group.is_some()) {
            for b in Catalogue::get().metrics.iter().filter(|m| m.group == a.group) {
                assert!((a.prior_bouts - b.prior_bouts).abs() < f64::EPSILON, "{} {}", a.name, b.name);
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
