//! Two fighters beside each other on the wire.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Id, enums, formats};

/// What must be known to read a matchup.
pub const MATCHUP_NOTES: &[&str] = &[
    "differences between two fighters' published values: no picks, no odds, no probability of winning",
    "a and b are as asked; z = (a - b) / sqrt(var_a + var_b), each variance a metric's variance between \
     fighters times (1 - weight)",
    "an edge needs confidence medium or better on both sides, validity class A or B, and |z| at or above the \
     gate that was measured on past bouts; of a neutral metric it names the higher value",
    "an insight speaks of a metric with a measured gate alone: layoff, age and experience have none, so that nothing is \
     said of them",
    "an expectation of a pairing sets one side's offence against what the other allows, by the stated method; \
     it is no forecast of a result, and needs confidence medium or better on both sides",
    "reach, height and stance are as the newest capture states them; meetings are those before as_of",
];

/// Answer of `matchup_dna`, after `a` and `b`, each a fighter with his version, and before
/// `common_opponents` and `previous_meetings`.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Matchup<'a> {
    /// The asked date; without one, the first day on which all known bouts are past.
    #[schemars(with = "formats::Date")]
    pub as_of: &'a str,
    pub notes: &'static [&'static str],
    pub physical: MatchupPhysical<'a>,
    /// In the order of the metric definitions.
    pub metrics: Vec<MatchupMetric<'a>>,
    /// Offence against defence, both ways.
    pub pairings: Vec<MatchupPairing<'a>>,
    /// In the order of the metric definitions.
    pub insights: Vec<MatchupInsight<'a>>,
    /// Insights whose gate failed, in the order of the metric definitions.
    pub withheld: Vec<WithheldInsight<'a>>,
}

/// A matchup in short, after `a` and `b` and before `previous_meetings`.
#[derive(Debug, JsonSchema, Serialize)]
pub struct MatchupSummary<'a> {
    /// Path of the whole matchup.
    pub href: String,
    pub physical: MatchupPhysical<'a>,
    /// In the order of the metric definitions.
    pub insights: Vec<MatchupInsight<'a>>,
    /// Insights whose gate failed, in the order of the metric definitions.
    pub withheld: Vec<WithheldInsight<'a>>,
}

/// Bodies.
#[derive(Debug, JsonSchema, Serialize)]
pub struct MatchupPhysical<'a> {
    /// Inches.
    pub reach_in: PhysicalPair<i32, i32>,
    /// Inches.
    pub height_in: PhysicalPair<i32, i32>,
    /// Completed years at `as_of`; the difference in years of 365.25 days.
    pub age_years: PhysicalPair<u32, f64>,
    /// The difference is `same` or `different`.
    #[schemars(with = "PhysicalPair<enums::Stance, enums::StanceRelation>")]
    pub stance: PhysicalPair<&'a str, &'static str>,
}

/// Both sides and their difference.
#[derive(Debug, JsonSchema, Serialize)]
pub struct PhysicalPair<T, D> {
    pub a: Option<T>,
    pub b: Option<T>,
    /// A less B.
    pub difference: Option<D>,
    /// a_not_stated, b_not_stated or neither_stated, where there is no difference.
    #[schemars(with = "Option<enums::NotStated>")]
    pub reason: Option<&'static str>,
}

/// One metric of both.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct MatchupMetric<'a> {
    pub metric: &'a str,
    pub family: &'a str,
    #[schemars(with = "enums::Unit")]
    pub unit: &'a str,
    /// Which end is better for a fighter: higher, lower or neutral.
    #[schemars(with = "enums::Direction")]
    pub direction: &'a str,
    pub a: MatchupValue<'a>,
    pub b: MatchupValue<'a>,
    /// Value of A less value of B.
    pub gap: Option<f64>,
    /// Standard deviation of the gap; null where the variance between fighters is not known.
    pub gap_sd: Option<f64>,
    pub z: Option<f64>,
    /// a, b, none or not_rated.
    #[schemars(with = "enums::Edge")]
    pub edge: &'a str,
    /// Why there is no edge: value_missing, confidence, validity_class, no_gate, no_variance or z_below_gate.
    #[schemars(with = "Option<enums::FailedGate>")]
    pub edge_reason: Option<&'a str>,
    /// Null where none was measured.
    pub gate: Option<MatchupGate>,
}

/// One side's value.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct MatchupValue<'a> {
    #[schemars(with = "enums::MetricStatus")]
    pub status: &'a str,
    pub value: Option<f64>,
    pub raw_value: Option<f64>,
    /// high, medium, low or insufficient.
    #[schemars(with = "enums::Confidence")]
    pub confidence: &'a str,
    /// Weight of the fighter's own sums in the value; null where nothing is shrunk.
    pub weight: Option<f64>,
    /// Eligible bouts that carry the metric's columns.
    pub bouts: i32,
}

/// One side's offence against the other's defence.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct MatchupPairing<'a> {
    /// Side whose offence it is: a or b.
    #[schemars(with = "enums::Side")]
    pub offence_of: &'a str,
    pub offence_metric: &'a str,
    pub defence_metric: &'a str,
    /// Of both metrics.
    #[schemars(with = "enums::Unit")]
    pub unit: &'a str,
    pub offence: Option<f64>,
    pub defence: Option<f64>,
    /// Lower of both values' confidences.
    #[schemars(with = "enums::Confidence")]
    pub confidence: &'a str,
    /// Mean towards which both are drawn, of what is landed.
    pub class_mean: Option<f64>,
    /// What both together lead to expect, in the unit of the offence.
    pub expected: Option<f64>,
    #[schemars(with = "enums::ExpectationMethod")]
    pub method: &'a str,
    /// Why nothing can be expected: different_populations, value_missing, confidence (below medium on a side), no_prior
    /// or undefined.
    #[schemars(with = "Option<enums::NoExpectation>")]
    pub reason: Option<&'a str>,
}

/// A gate and how it held.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema, Serialize)]
pub struct MatchupGate {
    /// Smallest |z| that is stated.
    pub min_z: f64,
    /// Share of past bouts at or above it in which the fighter with the higher value also led in the bout.
    pub hold_share: f64,
    /// Those bouts.
    pub n: u32,
    pub first_year: i32,
    pub last_year: i32,
}

/// A difference that passed every gate.
#[derive(Debug, JsonSchema, Serialize)]
pub struct MatchupInsight<'a> {
    pub metric: &'a str,
    /// Side that it is about, the one with the higher value: a or b.
    #[schemars(with = "enums::Side")]
    pub side: &'static str,
    pub fighter_id: Id,
    /// Both names, both shrunk values, and how the gate held: no more than the values say.
    pub text: String,
    /// Values of A and B, shrunk, as in `metrics`.
    pub value_a: Option<f64>,
    pub value_b: Option<f64>,
    /// Value of A less value of B.
    pub gap: Option<f64>,
    #[schemars(with = "enums::Unit")]
    pub unit: &'a str,
    /// As in `metrics`: positive where A has the higher value.
    pub z: Option<f64>,
    pub gate: MatchupGate,
}

/// A difference that is not stated.
#[derive(Debug, JsonSchema, Serialize)]
pub struct WithheldInsight<'a> {
    pub metric: &'a str,
    /// value_missing, confidence, validity_class, no_gate, no_variance or z_below_gate.
    #[schemars(with = "enums::FailedGate")]
    pub failed: &'static str,
    pub z: Option<f64>,
    /// Null where none was measured.
    pub gate: Option<MatchupGate>,
    #[schemars(with = "enums::Confidence")]
    pub confidence_a: &'a str,
    #[schemars(with = "enums::Confidence")]
    pub confidence_b: &'a str,
    #[schemars(with = "Option<enums::ValidityClass>")]
    pub validity_class: Option<&'static str>,
}

/// A bout of one side against a common opponent.
#[derive(Debug, JsonSchema, Serialize)]
pub struct CommonBout<'a> {
    pub bout_id: Id,
    #[schemars(with = "formats::Date")]
    pub date: String,
    #[serde(flatten)]
    pub end: BoutEnd<'a>,
    /// For the side: win, loss, draw or no_contest; null where the result is not known.
    #[schemars(with = "Option<enums::SideOutcome>")]
    pub outcome: Option<&'a str>,
}

/// A bout of the two.
#[derive(Debug, JsonSchema, Serialize)]
pub struct PreviousMeeting<'a> {
    pub bout_id: Id,
    pub event_id: Id,
    #[schemars(with = "formats::Date")]
    pub date: String,
    #[schemars(with = "Option<enums::SideOutcome>")]
    pub outcome_a: Option<&'a str>,
    #[schemars(with = "Option<enums::SideOutcome>")]
    pub outcome_b: Option<&'a str>,
    #[serde(flatten)]
    pub end: BoutEnd<'a>,
}

/// Where a bout was and how it ended; nulls where the result is not known.
#[derive(Debug, JsonSchema, Serialize)]
pub struct BoutEnd<'a> {
    pub event_name: &'a str,
    #[schemars(with = "Option<enums::Method>")]
    pub method: Option<&'a str>,
    /// Round in which it ended.
    pub round: Option<i32>,
    /// Clock of that round.
    #[schemars(with = "Option<formats::Clock>")]
    pub time: Option<String>,
}
