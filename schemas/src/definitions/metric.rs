//! The definition of one metric.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::words::{Direction, Estimator, Kernel, MinUnit, Unit, ValidityClass};

/// Smallest exposure for a value.
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

/// Least difference between two subjects to be stated, and how it held in the past.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// Smallest |z| of the difference.
    pub min_z: f64,
    /// Share of past contests at or above it in which the subject with the higher value also led.
    pub hold_share: f64,
    /// Those contests.
    #[serde(rename = "bouts", alias = "contests")]
    pub contests: u32,
    /// First and last year of them.
    pub first_year: i32,
    pub last_year: i32,
}

/// Where somebody else's measurement of a metric's stabilisation stands, and why ours differs.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedStabilisation {
    /// Of `unit`: what the denominator counts.
    pub sample: f64,
    pub unit: String,
    pub source: String,
    pub url: String,
    /// What explains the difference, if there is one.
    pub note: Option<String>,
}

fn default_one() -> f64 {
    1.0
}

fn default_kernel() -> Kernel {
    Kernel::Ratio
}

/// One metric. A ratio is (Σ numerator / `numerator_per`) / (Σ denominator / `denominator_per`) over the
/// bouts that carry all its columns.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metric {
    pub name: String,
    #[serde(skip)]
    pub family: String,
    /// The meaning, in a phrase that stands by itself.
    pub meaning: String,
    /// Its name for people, and the same for a narrow column.
    pub label: String,
    pub short_label: String,
    pub unit: Unit,
    pub direction: Direction,
    pub estimator: Estimator,
    #[serde(default = "default_kernel")]
    pub kernel: Kernel,
    /// Metrics of one group share one prior strength, so that their shares sum to one.
    pub group: Option<String>,
    /// Empty where the metric is no ratio.
    #[serde(default)]
    pub numerator: Vec<Term>,
    /// Column units in one unit of the numerator: 60 seconds in a minute.
    #[serde(default = "default_one")]
    pub numerator_per: f64,
    #[serde(default)]
    pub denominator: Vec<Term>,
    /// Column units in one unit of the denominator: 60 seconds in a minute, 900 in a quarter of an hour.
    #[serde(default = "default_one")]
    pub denominator_per: f64,
    /// Sources of a metric without numerator and denominator.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Of an adjusted metric: the opponent's metric that weighs the denominator.
    pub opponent_metric: Option<String>,
    pub min: MinSample,
    /// Smallest and largest value that a normal interval may state.
    pub range: Option<(f64, f64)>,
    /// A plain count is known exactly from the first bout on, however few there are.
    #[serde(default)]
    pub plain_count: bool,
    /// It moves with the days between bouts: what a version holds is of its first day, and of a later day it is
    /// computed anew.
    #[serde(default)]
    pub of_the_day: bool,
    /// Strength of the prior, in observations of average exposure; `None` where nothing is shrunk.
    #[serde(rename = "prior_bouts", alias = "prior_observations")]
    pub prior_observations: Option<f64>,
    /// Variance between fighters, in the published unit squared.
    pub variance: Option<f64>,
    /// Variance of a subject's rate from one season to the next, in the same unit.
    pub season_drift: Option<f64>,
    /// The sample at which others found half of the variance to be the subjects' own.
    pub published: Option<PublishedStabilisation>,
    /// `None` where nothing is predicted.
    pub validity_class: Option<ValidityClass>,
    /// Whether splits show it.
    #[serde(default)]
    pub split: bool,
    /// The insight about the fighter with the higher value; `{}` stands for the value: "attempts {} takedowns
    /// per 15 min".
    pub insight: Option<String>,
    pub gate: Option<Gate>,
    #[serde(default)]
    pub introduced_in: String,
    #[serde(default)]
    pub caveats: Vec<String>,
    #[serde(default)]
    pub history: Vec<MetricChange>,
}

impl Metric {
    /// Names of all columns that a bout must carry, without repetition, in order of mention.
    #[must_use]
    pub fn source_columns(&self) -> Vec<&str> {
        let mut seen = BTreeSet::new();
        let terms = self.numerator.iter().chain(&self.denominator);
        let names = terms.map(|t| t.column.as_str()).chain(self.sources.iter().map(String::as_str));
        names.filter(|c| seen.insert(*c)).collect()
    }

    /// Whether it is a ratio of sums, weighted or not, and so is drawn towards a prior.
    #[must_use]
    pub fn is_shrunk(&self) -> bool {
        !matches!(self.estimator, Estimator::Fact | Estimator::Elo)
    }

    /// Whether its sums are whole numbers in the columns' own units.
    #[must_use]
    pub fn has_whole_sums(&self) -> bool {
        matches!(self.kernel, Kernel::Ratio | Kernel::History)
    }

    /// Column units of the denominator in one unit of the minimum sample and of the stated exposure; not
    /// for samples that count bouts.
    #[must_use]
    pub fn exposure_per(&self) -> f64 {
        if self.min.unit == MinUnit::Min { 60.0 } else { 1.0 }
    }
}
