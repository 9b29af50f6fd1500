//! Bouts, their results and rounds, and the fight week.

use serde::Deserialize;
use serde_json::Value;

use super::{EventCompact, Names};

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct BoutCompact {
    pub(crate) id: String,
    pub(crate) weight_class: Option<String>,
    pub(crate) is_title: Option<bool>,
    pub(crate) scheduled_rounds: Option<i64>,
    pub(crate) card_position: Option<String>,
    pub(crate) status: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct BoutResult {
    pub(crate) status: String,
    pub(crate) outcome: String,
    pub(crate) winner_id: Option<String>,
    pub(crate) method: String,
    pub(crate) method_detail: Option<String>,
    pub(crate) round: Option<i64>,
    pub(crate) time: Option<String>,
    pub(crate) referee: Option<String>,
    pub(crate) scorecards: Vec<Scorecard>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Scorecard {
    pub(crate) judge: Option<String>,
    pub(crate) score_a: Option<i64>,
    pub(crate) score_b: Option<i64>,
    pub(crate) rounds: Option<Vec<RoundScore>>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct RoundScore {
    pub(crate) round: i64,
    pub(crate) score_a: Option<i64>,
    pub(crate) score_b: Option<i64>,
}

/// A fighter of a card, who has no slug there.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Corner {
    pub(crate) id: String,
    pub(crate) name: String,
}

impl Corner {
    pub(crate) fn href(&self) -> String {
        format!("/fighters/{}", self.id)
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Card {
    pub(crate) event: super::Event,
    pub(crate) bouts: Vec<CardBout>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct CardBout {
    #[serde(flatten)]
    pub(crate) bout: BoutCompact,
    pub(crate) fighter_a: Corner,
    pub(crate) fighter_b: Corner,
    pub(crate) result: Option<BoutResult>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct BoutDetail {
    #[serde(flatten)]
    pub(crate) card: CardBout,
    pub(crate) event: EventCompact,
    pub(crate) deductions: Option<Vec<Value>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct BoutStats {
    pub(crate) round_stats: Vec<RoundStat>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct RoundStat {
    pub(crate) round: i64,
    pub(crate) fighter_id: String,
    #[serde(flatten)]
    pub(crate) counts: serde_json::Map<String, Value>,
}

impl RoundStat {
    pub(crate) fn count(&self, name: &str) -> Option<f64> {
        self.counts.get(name).and_then(Value::as_f64)
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Known {
    pub(crate) bout: BoutCompact,
    pub(crate) fighter_a: Names,
    pub(crate) fighter_b: Names,
    pub(crate) checkpoint: String,
    pub(crate) valid_at: String,
    pub(crate) bout_status: Option<String>,
    pub(crate) sources: Vec<LedgerSource>,
    pub(crate) diff: Vec<LedgerChange>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct LedgerSource {
    pub(crate) name: String,
    pub(crate) status: String,
    pub(crate) reason: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct LedgerChange {
    pub(crate) path: String,
    pub(crate) from: Value,
    pub(crate) to: Value,
    pub(crate) cause: String,
    pub(crate) source: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct LedgerRow {
    pub(crate) checkpoint: String,
    pub(crate) valid_at: String,
    pub(crate) recorded_at: String,
    pub(crate) hours_to_start: Option<f64>,
    pub(crate) diff: Vec<LedgerChange>,
    pub(crate) sources: Vec<LedgerSource>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Found {
    pub(crate) kind: String,
    pub(crate) record: Value,
}
