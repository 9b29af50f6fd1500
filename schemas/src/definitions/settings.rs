//! Settings of the DNA engine beside the metrics: windows, pools, levels of confidence, measurement, ratings.

use chrono::NaiveDate;
use serde::Deserialize;

use super::words::{Confidence, ValidityClass};

/// Settings of the engine, from `metrics/PRODUCT/engine.toml`; the file says what each is.
///
/// An observation is a subject in one contest that counts; a period is a part of a contest (round, half, inning); a
/// pool is what subjects are compared within (weight class, position, league).
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSettings {
    pub prior_window_months: u32,
    pub min_prior_observations: i32,
    pub pool_prior_observations: f64,
    pub active_months: u32,
    pub min_pool_subjects: usize,
    /// Newest observations of a subject that its values rest on; all where it is left out.
    pub history_observations: Option<usize>,
    pub recent_half_life: f64,
    pub current_days: u64,
    pub confidence: ConfidenceSettings,
    pub validity: ValiditySettings,
    pub rating: RatingSettings,
}

impl EngineSettings {
    /// How far back a prior reaches, as answers write it: `5y`, `30m`.
    #[must_use]
    pub fn prior_window(&self) -> String {
        match self.prior_window_months {
            months if months.is_multiple_of(12) => format!("{}y", months / 12),
            months => format!("{months}m"),
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfidenceSettings {
    pub noun: String,
    pub min_coverage: f64,
    pub high: ConfidenceLevel,
    pub medium: ConfidenceLevel,
    pub low: ConfidenceLevel,
    pub caps: ConfidenceCaps,
}

/// Requirements of a level of confidence.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfidenceLevel {
    pub min_weight: f64,
    pub min_observations: i32,
}

/// Highest level by what is known of the metric.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(non_snake_case, reason = "classes are capital letters")]
pub struct ConfidenceCaps {
    A: Confidence,
    B: Confidence,
    C: Confidence,
    D: Confidence,
    pub not_measured: Confidence,
    pub coverage: Confidence,
}

impl ConfidenceCaps {
    /// The cap of a metric of this class, or of one that was not measured.
    #[must_use]
    pub fn cap_of(&self, class: Option<ValidityClass>) -> Confidence {
        match class {
            Some(ValidityClass::A) => self.A,
            Some(ValidityClass::B) => self.B,
            Some(ValidityClass::C) => self.C,
            Some(ValidityClass::D) => self.D,
            None => self.not_measured,
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValiditySettings {
    pub fitted_to: NaiveDate,
    pub measured_to: NaiveDate,
    pub min_test_observations: usize,
    pub min_earlier_observations: i32,
    pub min_fitted_subjects: i32,
    pub min_halved_subjects: usize,
    pub min_half_observations: i32,
    /// First month of a season; nothing is said of the next season where it is left out.
    pub season_month: Option<u32>,
    /// Fewer predicted seasons of subjects than this measure nothing.
    pub min_test_seasons: usize,
    /// Of classes A, B and C.
    pub min_r2: [f64; 3],
    pub gate: GateSettings,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateSettings {
    pub edges: Vec<f64>,
    pub hold_share: f64,
    pub min_contests: i32,
}

/// Of an Elo rating.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingSettings {
    pub start: f64,
    pub k: f64,
    pub newcomer_contests: i32,
    pub newcomer_factor: f64,
    /// Without, K stays the same however many contests a subject has.
    pub slowdown: Option<RatingSlowdown>,
    /// Rating points that its own place is worth to the first side.
    #[serde(default)]
    pub home_advantage: f64,
    /// Share of the distance from the start that a rating keeps from one season to the next.
    #[serde(default = "keep_all")]
    pub carry: f64,
    /// Without, a narrow and a clear win move ratings alike.
    pub margin: Option<RatingMargin>,
}

fn keep_all() -> f64 {
    1.0
}

/// K grows with the logarithm of the margin, and less where the winner was expected to win: else the ratings of strong sides
/// would grow by themselves.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingMargin {
    pub scale: f64,
    pub damping: f64,
}

impl RatingMargin {
    /// By what K is multiplied. `winner_lead` is the rating of the winner less that of the loser, and 0 of a draw.
    #[must_use]
    pub fn k_multiplier(&self, margin: f64, winner_lead: f64) -> f64 {
        let damped = (self.scale + self.damping * winner_lead).max(self.damping);
        (margin.max(1.0) + 1.0).ln() * self.scale / damped
    }
}

/// K falls with the contests that a rating rests on: it is divided by `(contests + offset) ^ power`.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingSlowdown {
    pub offset: f64,
    pub power: f64,
}

impl RatingSlowdown {
    /// What K is divided by after so many contests.
    #[must_use]
    pub fn divisor_after(self, contests: i32) -> f64 {
        (f64::from(contests) + self.offset).powf(self.power)
    }
}
