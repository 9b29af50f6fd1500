//! One metric of one fighter, version after version, on the wire.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Interval, Percentile, Sample, enums, formats};

/// Answer of `fighter_dna_series`, without `fighter`, which stands before these fields.
#[derive(Debug, JsonSchema, Serialize)]
pub struct DnaSeries<'a> {
    pub metric: &'a str,
    pub family: &'a str,
    /// Its name for people.
    pub label: &'a str,
    #[schemars(with = "enums::Unit")]
    pub unit: &'a str,
    #[schemars(with = "enums::Direction")]
    pub direction: &'a str,
    #[schemars(with = "formats::SnapshotId")]
    pub snapshot_id: &'a str,
    /// One for each version, the oldest first.
    pub points: Vec<SeriesPoint<'a>>,
}

/// The metric in one version, as of the day on which that begins.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct SeriesPoint<'a> {
    pub version: i32,
    /// First day on which the version holds.
    #[schemars(with = "formats::Date")]
    pub valid_from: &'a str,
    /// Last day on which it holds; null while there is none.
    #[schemars(with = "Option<formats::Date>")]
    pub valid_to: Option<&'a str>,
    #[schemars(with = "enums::MetricStatus")]
    pub status: &'a str,
    /// Shrunk value; null unless `status` is ok.
    pub value: Option<f64>,
    /// Plain ratio; null where the denominator is 0.
    pub raw_value: Option<f64>,
    pub interval: Option<Interval>,
    pub percentile: Option<Percentile<'a>>,
    pub sample: Sample<'a>,
    #[schemars(with = "enums::Confidence")]
    pub confidence: &'a str,
    pub confidence_reasons: Vec<&'a str>,
}
