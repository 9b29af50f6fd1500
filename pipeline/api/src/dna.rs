//! Fight DNA on the wire: the payload and the `MetricObject`.

use std::borrow::Cow;

use crate::{Id, enums, formats};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};

/// Answer of `fighter_dna`, without `fighter`, which stands before these fields.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Dna<'a> {
    #[serde(flatten)]
    pub head: DnaHead<'a>,
    /// In the order of the metric definitions; with `fields`, no more of each than was asked for.
    pub metrics: Vec<MetricShown<'a>>,
}

/// Fields of a metric that `fields` names; `metric` is always there.
pub const METRIC_FIELDS: &[&str] = &[
    "family",
    "unit",
    "direction",
    "status",
    "value",
    "raw_value",
    "interval",
    "sample",
    "shrinkage",
    "confidence",
    "confidence_reasons",
    "percentile",
    "percentile_reason",
    "as_of",
    "valid_from",
    "definition_version",
    "origin",
    "is_official",
    "provenance",
];

/// A metric as it is shown: whole, or the fields that were asked for.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(untagged)]
pub enum MetricShown<'a> {
    Whole(Box<MetricObject<'a>>),
    Part(MetricFields),
}

/// Some fields of a metric.
#[derive(Debug, Serialize)]
pub struct MetricFields(pub serde_json::Map<String, serde_json::Value>);

impl JsonSchema for MetricFields {
    fn schema_name() -> Cow<'static, str> {
        "MetricFields".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = MetricObject::json_schema(generator);
        schema.insert("description".to_owned(), "With `fields`: what was asked for of a metric.".into());
        schema.insert("required".to_owned(), vec!["metric"].into());
        schema
    }
}

/// Which version of a fighter an answer speaks of.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct DnaHead<'a> {
    /// State after the fighter's n-th date with eligible bouts.
    pub version: i32,
    pub definition_version: &'a str,
    /// The asked date; without one, the day after `facts_until`, the first on which all known bouts are past.
    #[schemars(with = "formats::Date")]
    pub as_of: &'a str,
    /// First day on which this version holds.
    #[schemars(with = "formats::Date")]
    pub valid_from: &'a str,
    /// Last day on which it holds, the day of the next eligible bout; null while there is none.
    #[schemars(with = "Option<formats::Date>")]
    pub valid_to: Option<&'a str>,
    /// Whether it holds every bout that the fighter fought before `as_of`: none without statistics came after its last, and
    /// sources tell of events up to the day before `as_of`.
    pub is_current: bool,
    /// Bouts that the fighter fought after its last eligible one and before `as_of`, whose statistics no source has.
    pub bouts_without_statistics: usize,
    /// Date of the last event with facts in the snapshot: bouts after it are not known here.
    #[schemars(with = "Option<formats::Date>")]
    pub facts_until: Option<&'a str>,
    pub eligible_bouts: i32,
    pub eligible_rounds: i32,
    #[schemars(with = "formats::Date")]
    pub first_bout_date: &'a str,
    #[schemars(with = "formats::Date")]
    pub last_bout_date: &'a str,
    #[schemars(with = "Option<enums::WeightClass>")]
    pub weight_class: Option<&'a str>,
    pub context: DnaContext,
}

/// Facts about the asked date rather than about the version.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct DnaContext {
    /// Completed years at `as_of`; null without a date of birth.
    pub age_years: Option<u32>,
    pub days_since_last_eligible_bout: i64,
}

/// One derived value with its sample, strength, origin and date. Not an official statistic.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct MetricObject<'a> {
    pub metric: &'a str,
    pub family: &'a str,
    #[schemars(with = "enums::Unit")]
    pub unit: &'a str,
    /// Which end is better for the fighter: higher, lower or neutral.
    #[schemars(with = "enums::Direction")]
    pub direction: &'a str,
    /// ok, insufficient_sample, not_recorded, not_applicable or source_unavailable.
    #[schemars(with = "enums::MetricStatus")]
    pub status: &'a str,
    /// Shrunk value, or a fact as it is; null unless `status` is ok. Of what moves with the days it is of `as_of`, not of the
    /// version's first day.
    pub value: Option<f64>,
    /// Plain ratio; null where the denominator is 0.
    pub raw_value: Option<f64>,
    pub interval: Option<Interval>,
    pub sample: Sample<'a>,
    pub shrinkage: Option<Shrinkage<'a>>,
    /// high, medium, low or insufficient.
    #[schemars(with = "enums::Confidence")]
    pub confidence: &'a str,
    pub confidence_reasons: Vec<&'a str>,
    pub percentile: Option<Percentile<'a>>,
    /// Why there is no percentile; null where there is one.
    #[schemars(with = "Option<enums::NoPercentile>")]
    pub percentile_reason: Option<&'a str>,
    #[schemars(with = "formats::Date")]
    pub as_of: &'a str,
    #[schemars(with = "formats::Date")]
    pub valid_from: &'a str,
    pub definition_version: &'a str,
    #[schemars(with = "enums::OriginLabel")]
    pub origin: &'a str,
    #[schemars(with = "formats::False")]
    pub is_official: bool,
    pub provenance: MetricProvenance<'a>,
}

/// Interval of the posterior; null unless `status` is ok and the value is shrunk.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct Interval {
    pub level: f64,
    pub low: f64,
    pub high: f64,
    /// gamma, beta, normal, or degenerate where nothing is left uncertain.
    #[serde(deserialize_with = "enums::read_word::<enums::IntervalMethod, _>")]
    #[schemars(with = "enums::IntervalMethod")]
    pub method: enums::Word,
}

/// What the value rests on.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct Sample<'a> {
    /// Eligible bouts that carry the metric's columns.
    pub bouts: i32,
    pub rounds: i32,
    /// The sample in `exposure_unit`.
    pub exposure: f64,
    /// What the exposure counts: min, count, takedowns, bouts, wins, losses or decisions.
    #[schemars(with = "enums::ExposureUnit")]
    pub exposure_unit: &'a str,
    /// Sums in the units of their columns, seconds for times; null where the metric is no ratio.
    #[schemars(with = "Option<formats::Number>")]
    pub numerator: Option<Quantity>,
    #[schemars(with = "Option<formats::Number>")]
    pub denominator: Option<Quantity>,
    /// Units of both sums, which need not be that of the exposure: seconds where that is minutes. Null where the metric is
    /// no ratio.
    #[schemars(with = "Option<enums::SumUnit>")]
    pub numerator_unit: Option<&'a str>,
    #[schemars(with = "Option<enums::SumUnit>")]
    pub denominator_unit: Option<&'a str>,
    pub eligible_bouts: i32,
    /// `bouts` over `eligible_bouts`.
    pub coverage: Option<f64>,
}

/// A sum: whole unless its bouts were weighted.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema, Serialize)]
#[serde(untagged)]
pub enum Quantity {
    Whole(i64),
    Weighted(f64),
}

/// How far the value was drawn towards the prior.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct Shrinkage<'a> {
    /// Weight of the fighter's own sums, 0 to 1.
    #[schemars(with = "formats::Share")]
    pub weight: f64,
    pub prior_mean: f64,
    /// In the denominator's units of the metric's own `unit`: minutes for `per_min`, quarters of an hour
    /// for `per_15_min`, counts for shares of counts.
    pub prior_strength: f64,
    /// Weight class, or `ALL`.
    pub prior_population: &'a str,
    pub prior_window: &'a str,
}

/// Place among the active fighters of the class, 100 best.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct Percentile<'a> {
    pub value: f64,
    pub pool: &'a str,
    pub pool_size: i32,
}

/// Where a value comes from.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct MetricProvenance<'a> {
    #[schemars(with = "formats::SnapshotId")]
    pub snapshot_id: &'a str,
    #[serde(deserialize_with = "not_read")]
    pub sources: SourceNames,
    /// Oldest and newest bout that was summed for this metric; null where none was, or where they cannot be told from
    /// the snapshot.
    #[schemars(with = "Option<formats::Date>")]
    pub first_bout_date: Option<String>,
    #[schemars(with = "Option<formats::Date>")]
    pub last_bout_date: Option<String>,
    /// The fighter's bouts before `as_of` that do not enter; null where they cannot be told from the
    /// snapshot.
    pub excluded: Option<Cow<'a, [ExcludedBout]>>,
    /// With `include=provenance`: the bouts summed; null where they cannot be told from the snapshot.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Option<Vec<Id>>>")]
    pub bout_ids: Option<Option<Cow<'a, [Id]>>>,
}

/// A name of its own, for serde takes what is written as a reference to borrow from what is read.
type SourceNames = &'static [&'static str];

/// Constants of the server, which nobody needs back.
fn not_read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SourceNames, D::Error> {
    IgnoredAny::deserialize(deserializer).map(|_| SourceNames::default())
}

/// An item of `dna_query`, after `fighter`.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct QueryItem<'a> {
    /// The fighter's version that was asked.
    pub version: i32,
    #[schemars(with = "Option<enums::WeightClass>")]
    pub weight_class: Option<&'a str>,
    pub metric: MetricObject<'a>,
}

/// A bout that does not enter a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema, Serialize)]
pub struct ExcludedBout {
    pub bout_id: Id,
    /// not_recorded where an eligible bout lacks the columns; before_2000_11_17, no_time_format,
    /// no_fought_time or no_round_statistics where it is not eligible; no_contest where only results count;
    /// no_result where none is known yet.
    #[serde(deserialize_with = "enums::read_word::<enums::ExcludedReason, _>")]
    #[schemars(with = "enums::ExcludedReason")]
    pub reason: enums::Word,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_field_of_a_metric_can_be_asked_for() {
        let schema = MetricObject::json_schema(&mut SchemaGenerator::default()).to_value();
        let fields: BTreeSet<&str> =
            schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        let asked: BTreeSet<&str> = METRIC_FIELDS.iter().copied().chain(["metric"]).collect();
        assert_eq!(asked, fields);
    }
}
