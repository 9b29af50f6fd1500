//! Splits on the wire: a fighter in bouts of one kind.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Derived, Interval, enums};

/// What must be known to read splits.
pub const SPLIT_NOTES: &[&str] = &[
    "splits describe; they mostly do not predict the next bout better than the overall value",
    "each value is drawn towards the fighter's own overall value: (Y + K*m) / (D + K), where m is the overall \
     value and K its prior strength",
    "the variance of a delta is the sum of both posteriors' variances, which is more than it really has, as \
     both rest in part on the same bouts",
    "a bout whose value in a dimension is not known is in no split of that dimension",
    "a fighter's stance is the one that the newest capture states; result splits are conditional on how the \
     bout ended",
];

/// Answer of `fighter_splits`, without `fighter`, which stands before these fields.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Splits<'a> {
    #[serde(flatten)]
    pub version: Derived<'a>,
    pub notes: &'static [&'static str],
    /// By dimension and key. A kind of bouts that the fighter has not had is left out.
    pub splits: Vec<Split<'a>>,
}

/// One kind of bouts.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct Split<'a> {
    /// opponent_stance, weight_class, scheduled_rounds, title or result.
    #[schemars(with = "enums::SplitDimension")]
    pub dimension: &'a str,
    /// Stance or class in upper case, number of rounds, title or no_title, win, loss, draw or no_contest.
    pub key: &'a str,
    /// Eligible bouts of this kind.
    pub bouts: i32,
    pub rounds: i32,
    /// In the order of the metric definitions; those that splits show.
    pub metrics: Vec<SplitMetric<'a>>,
}

/// One metric in bouts of one kind.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct SplitMetric<'a> {
    pub metric: &'a str,
    pub family: &'a str,
    #[schemars(with = "enums::Unit")]
    pub unit: &'a str,
    /// Which end is better for the fighter: higher, lower or neutral.
    #[schemars(with = "enums::Direction")]
    pub direction: &'a str,
    /// ok, insufficient_sample, not_recorded or not_applicable.
    #[schemars(with = "enums::MetricStatus")]
    pub status: &'a str,
    /// Why there is no value: not_recorded, zero_denominator, below_min_sample or no_overall_value.
    #[schemars(with = "Option<enums::NoSplitReason>")]
    pub reason: Option<&'a str>,
    /// Drawn towards the overall value; null unless `status` is ok.
    pub value: Option<f64>,
    /// Plain ratio; null where the denominator is 0.
    pub raw_value: Option<f64>,
    /// Null where the variance between fighters is not known.
    pub interval: Option<Interval>,
    /// Weight of the split's own sums, 0 to 1.
    pub weight: Option<f64>,
    pub sample: SplitSample,
    pub overall: SplitOverall<'a>,
    /// Null unless `status` is ok.
    pub delta: Option<SplitDelta>,
}

/// What a split rests on.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct SplitSample {
    pub numerator: i64,
    /// In the unit of its columns: seconds for times.
    pub denominator: i64,
    /// Bouts of the kind that carry the metric's columns.
    pub bouts: i32,
}

/// The fighter's value in all bouts.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct SplitOverall<'a> {
    #[schemars(with = "enums::MetricStatus")]
    pub status: &'a str,
    pub value: Option<f64>,
    #[schemars(with = "enums::Confidence")]
    pub confidence: &'a str,
    /// K, in the denominator's units of the metric's own `unit`.
    pub prior_strength: Option<f64>,
}

/// Split less overall value.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct SplitDelta {
    pub value: f64,
    /// Null where the variance between fighters is not known.
    pub interval: Option<Interval>,
    /// Whether the interval leaves out 0.
    pub distinguishable: Option<bool>,
}
