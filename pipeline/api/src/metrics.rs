//! The metric definitions and their validity on the wire.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{enums, formats};

/// Answer of `dna_metrics`: the definition, beside what was measured of it.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct MetricCatalogue<'a> {
    pub definition_version: &'a str,
    /// Last date of the bouts that priors and variances were fitted on.
    #[schemars(with = "formats::Date")]
    pub constants_fitted_to: String,
    /// Last date of the bouts that gates and validity classes were measured on.
    #[schemars(with = "formats::Date")]
    pub gates_measured_to: String,
    pub families: Vec<MetricFamily<'a>>,
    pub metrics: Vec<MetricDefinition<'a>>,
}

/// A family of metrics.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct MetricFamily<'a> {
    pub family: &'a str,
    pub meaning: &'a str,
    pub metrics: usize,
}

/// What a metric is.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct MetricDefinition<'a> {
    pub metric: &'a str,
    pub family: &'a str,
    /// Its name for people.
    pub label: &'a str,
    /// The same for a narrow column.
    pub short_label: &'a str,
    pub meaning: &'a str,
    #[schemars(with = "enums::Unit")]
    pub unit: &'a str,
    /// Stands behind a number that is shown; empty where none does.
    pub display_unit: &'a str,
    /// What a number is multiplied by before it is shown: 100 for a share as percent.
    pub display_scale: f64,
    /// Decimals to show.
    pub decimals: u8,
    /// Which end is better for the fighter: higher, lower or neutral.
    #[schemars(with = "enums::Direction")]
    pub direction: &'a str,
    /// GP rate, BB proportion, DM shares that sum to one, NN difference, CT fact, EL rating.
    #[schemars(with = "enums::Estimator")]
    pub estimator: &'a str,
    /// What computes it.
    #[schemars(with = "enums::Kernel")]
    pub kernel: &'a str,
    /// Metrics of one group share a prior strength: with what is not published, they sum to one.
    pub group: Option<&'a str>,
    /// Null where the metric is no ratio.
    pub numerator: Option<ColumnSum>,
    pub denominator: Option<ColumnSum>,
    /// Every column it is made from; `o_` means the opponent's.
    pub source_columns: Vec<&'a str>,
    /// Of an adjusted metric: the opponent's metric that weighs the denominator.
    pub opponent_metric: Option<&'a str>,
    pub min_sample: MinSample<'a>,
    /// Smallest and largest value that an interval may state; null where the estimator sets them.
    #[schemars(with = "Option<formats::Range>")]
    pub range: Option<(f64, f64)>,
    /// Whether it is known exactly from the first bout on.
    pub plain_count: bool,
    /// Whether it moves with the days between bouts: it is given as of the asked day, not of the version's first.
    pub of_the_day: bool,
    /// Null where nothing is shrunk.
    pub prior: Option<Prior>,
    /// Nulls where nothing is predicted or nothing was measured.
    pub validity: MetricValidity<'a>,
    /// Whether splits show it.
    pub in_splits: bool,
    /// What the fighter with the higher value does, in an insight; `{}` stands for the value.
    pub insight: Option<&'a str>,
    /// Null where no difference is ever stated.
    pub gate: Option<Gate>,
    pub introduced_in: &'a str,
    pub caveats: Cow<'a, [String]>,
    pub history: Vec<MetricChange<'a>>,
}

/// A sum of columns over bouts.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct ColumnSum {
    /// Added, or subtracted after a minus.
    pub columns: Vec<String>,
    /// Column units in one unit: 60 seconds in a minute.
    pub per: f64,
}

/// Smallest sample for a value.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct MinSample<'a> {
    pub value: u32,
    /// min, count, takedowns, bouts, wins, losses or decisions.
    #[schemars(with = "enums::ExposureUnit")]
    pub unit: &'a str,
}

/// Towards what a value is drawn, and how strongly.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct Prior {
    /// Strength, in bouts of average exposure.
    pub strength_bouts: f64,
    /// Variance between fighters, in the metric's unit squared; null where it is not fitted.
    pub variance: Option<f64>,
}

/// How well a metric predicts the next bout.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct MetricValidity<'a> {
    /// Of the definition, A to D: it caps the confidence.
    #[schemars(with = "Option<enums::ValidityClass>")]
    pub class: Option<&'a str>,
    /// Share of the squared error of the class mean that the shrunk value removes.
    pub out_of_time_r2: Option<f64>,
    pub reliability: Option<f64>,
    /// Share of next bouts within the 90 % band.
    pub interval_coverage: Option<f64>,
    pub test_years: Option<TestYears>,
    /// Fighter-bouts that were predicted.
    pub n: Option<i32>,
    pub stabilisation: Option<Stabilisation>,
    pub next_year: Option<NextYear>,
}

/// The sample at which half of the variance of raw values is the fighters' own and half is noise; null where fighters differ
/// by no more than noise.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema, Serialize)]
pub struct Stabilisation {
    /// Sum of the denominator, in the metric's units.
    pub exposure: f64,
    /// The same in bouts of average exposure.
    pub bouts: f64,
    /// 5 % and 95 % quantiles of `exposure` over resampled fighters; no upper one where so many tell no difference.
    pub low: f64,
    pub high: Option<f64>,
}

/// What values say of the next calendar year: intervals are of the true rate now.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema, Serialize)]
pub struct NextYear {
    /// Variance of a fighter's rate from one year to the next, in the metric's unit squared.
    pub drift: Option<f64>,
    /// Share of years within the 90 % band with the drift, and without it.
    pub interval_coverage: Option<f64>,
    pub interval_coverage_without_drift: Option<f64>,
    /// Years of fighters that were predicted.
    pub n: i32,
}

/// First and last year of the bouts that were predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema, Serialize)]
pub struct TestYears {
    pub first: i32,
    pub last: i32,
}

/// What a difference must exceed to be stated, and how it held in the past.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct Gate {
    pub min_z: f64,
    pub hold_share: f64,
    pub bouts: u32,
    pub years: TestYears,
}

/// A change of the definition.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct MetricChange<'a> {
    pub version: u32,
    pub note: &'a str,
}

/// Answer of `dna_validity`.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Validity<'a> {
    pub definition_version: &'a str,
    #[schemars(with = "formats::Date")]
    pub constants_fitted_to: String,
    #[schemars(with = "formats::Date")]
    pub gates_measured_to: String,
    pub summary: ValiditySummary<'a>,
    pub metrics: Vec<ValidityRow<'a>>,
}

/// All measurements in short.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ValiditySummary<'a> {
    pub metrics: usize,
    /// Metrics with an out-of-time R².
    pub measured: usize,
    /// Metrics by class of the definition, and by the class that this measurement would give.
    pub catalogue_classes: BTreeMap<&'a str, usize>,
    pub measured_classes: BTreeMap<&'a str, usize>,
    pub shrunk_beats_raw: ShrunkBeatsRaw,
}

/// How often the shrunk value predicts better than the raw one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
pub struct ShrunkBeatsRaw {
    pub metrics: usize,
    /// Metrics with both measured.
    pub of: usize,
}

/// What was measured of a metric, on the facts of the snapshot.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ValidityRow<'a> {
    pub metric: &'a str,
    pub family: Option<&'a str>,
    #[schemars(with = "Option<enums::ValidityClass>")]
    pub catalogue_class: Option<&'a str>,
    #[schemars(with = "Option<enums::ValidityClass>")]
    pub measured_class: Option<&'a str>,
    pub out_of_time_r2: Option<f64>,
    pub out_of_time_r2_raw: Option<f64>,
    pub reliability: Option<f64>,
    pub interval_coverage: Option<f64>,
    pub n: i32,
    pub test_years: Option<TestYears>,
    pub fitted_variance: Option<f64>,
    pub catalogue_variance: Option<f64>,
    #[schemars(with = "Option<formats::Date>")]
    pub constants_fitted_to: Option<String>,
    pub stabilisation: Option<Stabilisation>,
    pub next_year: Option<NextYear>,
}
