//! Round and finish profiles on the wire.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Derived, enums};

/// What must be known to read a round profile.
pub const ROUND_NOTES: &[&str] = &[
    "rates are plain ratios of sums over eligible bouts, not drawn towards any mean",
    "later rounds are of the bouts that reached them; `comparable` has rounds 1 to 3 of the same bouts, those \
     whose rounds 1 and 3 both lasted their length",
    "control is of the bouts in which it is known for both fighters",
];

/// What must be known to read a finish profile.
pub const FINISH_NOTES: &[&str] = &[
    "counts are of eligible bouts alone: those on or after 2000-11-17 with a known time format and round \
     statistics of both fighters",
    "by_round counts all methods: a decision ends in its last round",
    "finish times are of knockouts, technical knockouts, doctor's stoppages and submissions",
];

/// Answer of `fighter_round_profile`, without `fighter`, which stands before these fields.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RoundProfile<'a> {
    #[serde(flatten)]
    pub version: Derived<'a>,
    pub notes: &'static [&'static str],
    /// Rounds 1 to 5.
    pub rounds: Vec<Round>,
    pub comparable: ComparableRounds,
    pub fade: Fade,
}

/// Rounds 1 to 3 of the same bouts.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ComparableRounds {
    pub bouts: i32,
    pub rounds: Vec<Round>,
}

/// One round over all bouts that reached it.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct Round {
    pub round: i32,
    pub bouts_reached: i32,
    pub minutes: f64,
    /// Of these, in bouts whose control is known for both.
    pub control_known_minutes: f64,
    pub own: RoundSide,
    pub opponent: RoundSide,
    /// Own rates less the opponents'.
    pub differential: RoundRates,
}

/// What one side did in a round.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct RoundSide {
    pub totals: RoundTotals,
    #[serde(flatten)]
    pub rates: RoundRates,
}

/// Counts.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct RoundTotals {
    pub knockdowns: i64,
    pub sig_landed: i64,
    pub sig_attempted: i64,
    pub total_landed: i64,
    pub td_landed: i64,
    pub td_attempted: i64,
    pub sub_attempts: i64,
    /// Null where it is known in none of the bouts.
    pub control_secs: Option<i64>,
}

/// Rates; null where there is nothing to divide by.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct RoundRates {
    pub sig_landed_per_min: Option<f64>,
    pub sig_attempted_per_min: Option<f64>,
    pub total_landed_per_min: Option<f64>,
    pub knockdowns_per_15: Option<f64>,
    pub td_landed_per_15: Option<f64>,
    pub td_attempted_per_15: Option<f64>,
    pub sub_attempts_per_15: Option<f64>,
    pub sig_accuracy: Option<f64>,
    pub td_accuracy: Option<f64>,
    /// Of the time in bouts whose control is known for both.
    pub control_share: Option<f64>,
}

/// How the pace falls: round 3 less round 1, on comparable bouts.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Fade {
    /// sig_attempted_per_min.
    pub rate: &'static str,
    pub bouts: i32,
    pub own: Option<f64>,
    pub opponent: Option<f64>,
    /// Own less the opponents'.
    pub differential: Option<f64>,
    /// no_comparable_bouts, where it is null.
    pub reason: Option<&'static str>,
}

/// Answer of `fighter_finish_profile`, without `fighter`, which stands before these fields.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FinishProfile<'a> {
    #[serde(flatten)]
    pub version: Derived<'a>,
    pub notes: &'static [&'static str],
    pub wins: FinishedEndings<'a>,
    pub losses: FinishedEndings<'a>,
    pub draws: Endings<'a>,
    pub no_contests: Endings<'a>,
    /// Results that a commission changed later.
    pub overturned: Endings<'a>,
}

/// Bouts of one result, counted.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Endings<'a> {
    pub bouts: i32,
    /// Most frequent first.
    pub by_method: Vec<MethodCount<'a>>,
    pub by_round: Vec<RoundCount>,
    pub by_method_and_round: Vec<MethodRoundCount<'a>>,
}

/// Wins or losses, counted.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FinishedEndings<'a> {
    #[serde(flatten)]
    pub endings: Endings<'a>,
    /// Submissions, most frequent first.
    pub submissions: Vec<DetailCount<'a>>,
    /// Knockouts, technical knockouts and doctor's stoppages, most frequent first.
    pub knockouts: Vec<DetailCount<'a>>,
    pub finish_time: FinishTime,
}

#[derive(Debug, JsonSchema, Serialize)]
pub struct MethodCount<'a> {
    #[schemars(with = "enums::Method")]
    pub method: &'a str,
    pub bouts: i32,
}

#[derive(Debug, JsonSchema, Serialize)]
pub struct RoundCount {
    pub round: i32,
    pub bouts: i32,
}

#[derive(Debug, Deserialize, JsonSchema, Serialize)]
pub struct MethodRoundCount<'a> {
    #[schemars(with = "enums::Method")]
    pub method: &'a str,
    pub round: i32,
    pub bouts: i32,
}

#[derive(Debug, JsonSchema, Serialize)]
pub struct DetailCount<'a> {
    /// As the source words it; null where it states none.
    pub detail: Option<&'a str>,
    pub bouts: i32,
}

/// Fought time of finishes, in seconds; null without a finish.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FinishTime {
    pub n: i32,
    pub q1_secs: Option<f64>,
    pub median_secs: Option<f64>,
    pub q3_secs: Option<f64>,
}
