//! Round statistics, totals and career figures on the wire.

use crate::{Id, formats};
use schemars::JsonSchema;
use serde::Serialize;

macro_rules! counts {
    ($($name:ident),+ $(,)?) => {
        /// Every count that the statistics source keeps, of one round or summed.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, JsonSchema, Serialize)]
        pub struct Counts { $(pub $name: i64),+ }

        impl Counts {
            /// Field names, in order.
            pub const NAMES: &[&str] = &[$(stringify!($name)),+];

            /// Fills each field from its name.
            pub fn from_names(mut value: impl FnMut(&'static str) -> i64) -> Self {
                Self { $($name: value(stringify!($name))),+ }
            }

            /// Adds field by field.
            #[must_use]
            pub fn plus(&self, other: &Self) -> Self {
                Self { $($name: self.$name + other.$name),+ }
            }
        }
    };
}

counts! {
    knockdowns,
    sig_landed, sig_attempted, total_landed, total_attempted,
    td_landed, td_attempted, sub_attempts, reversals,
    head_landed, head_attempted, body_landed, body_attempted, leg_landed, leg_attempted,
    distance_landed, distance_attempted, clinch_landed, clinch_attempted, ground_landed, ground_attempted,
}

/// One fighter in one round.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct RoundStat {
    pub bout_id: Id,
    pub fighter_id: Id,
    /// From 1.
    pub round: i32,
    /// Fought seconds; null where the time format is not known.
    pub round_secs: Option<i32>,
    #[serde(flatten)]
    pub counts: Counts,
    /// Null where the source did not record control time, which is not 0.
    pub control_secs: Option<i32>,
}

/// Sums of one fighter.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct StatTotals {
    pub rounds: usize,
    /// Null if any round's time is not known.
    pub seconds: Option<i64>,
    #[serde(flatten)]
    pub counts: Counts,
    /// Null if any round's control time is not known.
    pub control_secs: Option<i64>,
}

/// One fighter's entry in `stat_totals`.
#[derive(Debug, JsonSchema, Serialize)]
pub struct BoutTotals<'a> {
    #[serde(flatten)]
    pub totals: StatTotals,
    pub provenance: StatProvenance<'a>,
}

/// Where summed counts come from.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct StatProvenance<'a> {
    #[schemars(with = "formats::SnapshotId")]
    pub snapshot_id: &'a str,
    pub sources: &'static [&'static str],
    /// Table whose rows were summed.
    pub table: &'static str,
    /// Number of those rows.
    pub rows: usize,
}

/// `stats` of a fighter: what a source states, and what we computed.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FighterStats<'a> {
    pub career_snapshot: CareerSnapshot<'a>,
    pub computed: ComputedStats<'a>,
}

/// Display-only career figures, where a source states them. Shares are 0 to 1.
#[derive(Debug, Default, JsonSchema, Serialize)]
pub struct CareerSnapshot<'a> {
    pub career_slpm: Option<f64>,
    pub career_str_acc: Option<f64>,
    pub career_sapm: Option<f64>,
    pub career_str_def: Option<f64>,
    pub career_td_avg: Option<f64>,
    pub career_td_acc: Option<f64>,
    pub career_td_def: Option<f64>,
    pub career_sub_avg: Option<f64>,
    /// Who states them; null where nobody does.
    pub career_source: Option<&'a str>,
    /// Day on which they were stated: they may include bouts of that day.
    #[schemars(with = "Option<formats::Date>")]
    pub career_date: Option<String>,
    pub leakage_warning: &'static str,
}

/// Sums over the round statistics of all bouts that have any.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ComputedStats<'a> {
    /// Newest first.
    pub bouts: Vec<BoutLine>,
    /// Null where no bout has round statistics.
    pub career: Option<CareerTotals>,
    pub provenance: StatProvenance<'a>,
}

/// One bout of a fighter's computed statistics.
#[derive(Debug, JsonSchema, Serialize)]
pub struct BoutLine {
    pub bout_id: Id,
    pub event_id: Id,
    /// `YYYY-MM-DD`.
    #[schemars(with = "formats::Date")]
    pub event_date: String,
    pub opponent_id: Id,
    pub own: StatTotals,
    pub opponent: StatTotals,
}

/// Sums over all bouts with round statistics, own and the opponents', and plain rates of them.
#[derive(Debug, JsonSchema, Serialize)]
pub struct CareerTotals {
    pub bouts: usize,
    pub own: StatTotals,
    pub opponent: StatTotals,
    pub rates: CareerRates,
}

/// Plain rates: no shrinkage, no cut by date; null where a denominator is 0 or not known.
#[derive(Debug, JsonSchema, Serialize)]
pub struct CareerRates {
    pub sig_landed_per_min: Option<f64>,
    pub sig_absorbed_per_min: Option<f64>,
    pub sig_accuracy: Option<f64>,
    pub sig_defense: Option<f64>,
    pub td_landed_per_15: Option<f64>,
    pub td_accuracy: Option<f64>,
    pub td_defense: Option<f64>,
    pub sub_attempts_per_15: Option<f64>,
}
