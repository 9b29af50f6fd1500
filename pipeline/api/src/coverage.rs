//! Counts and coverage of a snapshot, on the wire.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::{enums, formats};

/// `data` of the counts.
#[derive(Debug, JsonSchema, Serialize)]
pub struct SnapshotCounts<'a> {
    #[schemars(with = "formats::SnapshotId")]
    pub snapshot_id: &'a str,
    /// Date of the last event with facts in the snapshot.
    #[schemars(with = "Option<formats::Date>")]
    pub facts_until: Option<String>,
    /// The day up to which captures of results and schedules tell: what is upcoming, recent and active is so on that day.
    #[schemars(with = "Option<formats::Date>")]
    pub known_until: Option<String>,
    /// Rows of each published table.
    pub tables: BTreeMap<&'a str, u64>,
    /// Dates of the first and last event, those to come among them.
    #[schemars(with = "Option<formats::Date>")]
    pub first_date: Option<String>,
    #[schemars(with = "Option<formats::Date>")]
    pub last_date: Option<String>,
    /// By year, oldest first; years without a fought bout are left out.
    pub round_statistics: Vec<StatisticsOfYear>,
}

/// Round statistics of the bouts of a year.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct StatisticsOfYear {
    pub year: i32,
    /// Fought bouts.
    pub bouts: usize,
    /// Those of them with round statistics.
    pub with_round_stats: usize,
    pub share: f64,
}

/// `data` of the coverage.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Coverage<'a> {
    #[schemars(with = "formats::SnapshotId")]
    pub snapshot_id: &'a str,
    #[schemars(with = "Option<formats::Date>")]
    pub facts_until: Option<String>,
    pub sources: Vec<SourceCoverage<'a>>,
    pub years: Vec<YearCoverage>,
    /// The same year by year of each promotion, in the order of years and codes.
    pub promotions: Vec<PromotionCoverage<'a>>,
    pub fields: Vec<FieldCoverage<'a>>,
}

/// What a source has given.
#[derive(Debug, JsonSchema, Serialize)]
pub struct SourceCoverage<'a> {
    pub source: &'a str,
    /// What it tells of first.
    pub group: &'a str,
    /// Captures that could be used.
    pub captures: Option<i32>,
    /// RFC 3339 with offset; null where it was never captured.
    #[schemars(with = "Option<formats::Instant>")]
    pub last_captured_at: Option<String>,
    /// Rows of the newest capture.
    pub rows: Option<i64>,
    /// Those of them that were set aside.
    pub set_aside: Option<i64>,
    /// Hours between captures that are expected; null where there is no rhythm.
    pub expected_every_hours: Option<i32>,
}

/// What is known of the bouts of a year.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
pub struct YearCoverage {
    pub year: i32,
    /// Fought bouts.
    pub bouts: usize,
    pub with_result: usize,
    pub with_round_stats: usize,
    /// Bouts in which the control time of every round is known.
    pub with_control_time: usize,
    /// Bouts that ended in a decision.
    pub decisions: usize,
    /// Those of them with the totals of every card that is known.
    pub with_scorecards: usize,
}

/// What is known of the bouts of a promotion in a year.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
pub struct PromotionCoverage<'a> {
    /// Null where the promotion of the event is not known.
    #[schemars(with = "Option<enums::Promotion>")]
    pub promotion: Option<&'a str>,
    pub year: i32,
    /// Fought bouts.
    pub bouts: usize,
    pub with_round_stats: usize,
}

/// How often a column of a published table is known.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FieldCoverage<'a> {
    pub table: &'static str,
    pub field: &'a str,
    pub rows: usize,
    pub known: usize,
    /// Null where the table is empty.
    pub share: Option<f64>,
    /// What a null says in this column.
    pub null_means: Option<&'a str>,
}
