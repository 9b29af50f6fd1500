//! Fight DNA on the wire: the payload and the `MetricObject`.

use crate::Id;
use serde::Serialize;

/// Answer of `fighter_dna`, without `fighter`, which stands before these fields.
#[derive(Debug, Serialize)]
pub struct Dna<'a> {
    #[serde(flatten)]
    pub head: DnaHead<'a>,
    /// In the order of the catalogue.
    pub metrics: Vec<MetricObject<'a>>,
}

/// Which version of a fighter an answer speaks of.
#[derive(Debug, Serialize)]
pub struct DnaHead<'a> {
    /// State after the fighter's n-th date with eligible bouts.
    pub version: i32,
    pub definition_version: &'a str,
    /// The asked date; without one, the day after `facts_until`, the first on which all known bouts are past.
    pub as_of: &'a str,
    /// First day on which this version holds.
    pub valid_from: &'a str,
    /// Last day on which it holds, the day of the next eligible bout; null while there is none.
    pub valid_to: Option<&'a str>,
    /// Date of the last event with facts in the snapshot: bouts after it are not known here.
    pub facts_until: Option<&'a str>,
    pub eligible_bouts: i32,
    pub eligible_rounds: i32,
    pub first_bout_date: &'a str,
    pub last_bout_date: &'a str,
    pub weight_class: Option<&'a str>,
    pub context: DnaContext,
}

/// Facts about the asked date rather than about the version.
#[derive(Debug, Serialize)]
pub struct DnaContext {
    /// Completed years at `as_of`; null without a date of birth.
    pub age_years: Option<u32>,
    pub days_since_last_eligible_bout: i64,
}

/// One derived value with its sample, strength, origin and date. Not an official statistic.
#[derive(Debug, Serialize)]
pub struct MetricObject<'a> {
    pub metric: &'a str,
    pub family: &'a str,
    pub unit: &'a str,
    /// Which end is better for the fighter: higher, lower or neutral.
    pub direction: &'a str,
    /// ok, insufficient_sample, not_recorded, not_applicable or source_unavailable.
    pub status: &'a str,
    /// Shrunk value; null unless `status` is ok.
    pub value: Option<f64>,
    /// Plain ratio; null where the denominator is 0.
    pub raw_value: Option<f64>,
    pub interval: Option<Interval>,
    pub sample: Sample<'a>,
    pub shrinkage: Option<Shrinkage<'a>>,
    /// high, medium, low or insufficient.
    pub confidence: &'a str,
    pub confidence_reasons: Vec<&'a str>,
    pub percentile: Option<Percentile<'a>>,
    pub as_of: &'a str,
    pub valid_from: &'a str,
    pub definition_version: &'a str,
    pub origin: &'static str,
    pub is_official: bool,
    pub provenance: MetricProvenance<'a>,
}

/// Interval of the posterior; null unless `status` is ok and the value is shrunk.
#[derive(Debug, Serialize)]
pub struct Interval {
    pub level: f64,
    pub low: f64,
    pub high: f64,
    /// gamma, beta, normal, or degenerate where nothing is left uncertain.
    pub method: &'static str,
}

/// What the value rests on.
#[derive(Debug, Serialize)]
pub struct Sample<'a> {
    /// Eligible bouts that carry the metric's columns.
    pub bouts: i32,
    pub rounds: i32,
    /// The sample in `exposure_unit`.
    pub exposure: f64,
    /// What the exposure counts: min, count, takedowns, bouts, wins, losses or decisions.
    pub exposure_unit: &'a str,
    /// Sums in the units of their columns, seconds for times; null where the metric is no ratio.
    pub numerator: Option<Quantity>,
    pub denominator: Option<Quantity>,
    pub eligible_bouts: i32,
    /// `bouts` over `eligible_bouts`.
    pub coverage: Option<f64>,
}

/// A sum: whole unless its bouts were weighted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Quantity {
    Whole(i64),
    Weighted(f64),
}

/// How far the value was drawn towards the prior.
#[derive(Debug, Serialize)]
pub struct Shrinkage<'a> {
    /// Weight of the fighter's own sums, 0 to 1.
    pub weight: f64,
    pub prior_mean: f64,
    /// In the denominator's units of the metric's own `unit`: minutes for `per_min`, quarters of an hour
    /// for `per_15_min`, counts for shares of counts.
    pub prior_strength: f64,
    /// Weight class, or `ALL`.
    pub prior_population: &'a str,
    pub prior_window: &'static str,
}

/// Place among the active fighters of the class, 100 best.
#[derive(Debug, Serialize)]
pub struct Percentile<'a> {
    pub value: f64,
    pub pool: &'a str,
    pub pool_size: i32,
}

/// Where a value comes from.
#[derive(Debug, Serialize)]
pub struct MetricProvenance<'a> {
    pub snapshot_id: &'a str,
    pub sources: &'static [&'static str],
    /// First and last eligible bout of the version.
    pub first_bout_date: &'a str,
    pub last_bout_date: &'a str,
    /// The fighter's bouts up to the version that do not enter; null where they cannot be told from the
    /// snapshot.
    pub excluded: Option<&'a [ExcludedBout]>,
    /// With `include=provenance`: the bouts summed; null where they cannot be told from the snapshot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bout_ids: Option<Option<&'a [Id]>>,
}

/// An item of `dna_query`, after `fighter`.
#[derive(Debug, Serialize)]
pub struct QueryItem<'a> {
    /// The fighter's version that was asked.
    pub version: i32,
    pub weight_class: Option<&'a str>,
    pub metric: MetricObject<'a>,
}

/// A bout that does not enter a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ExcludedBout {
    pub bout_id: Id,
    /// not_recorded where an eligible bout lacks the columns; before_2000_11_17, no_time_format,
    /// no_fought_time or no_round_statistics where it is not eligible; no_contest where only results count;
    /// no_result where none is known yet.
    pub reason: &'static str,
}
