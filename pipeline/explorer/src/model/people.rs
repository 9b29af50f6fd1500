//! Fighters and events.

use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Names {
    pub(crate) name: String,
    pub(crate) slug_id: String,
}

impl Names {
    pub(crate) fn href(&self) -> String {
        format!("/fighters/{}", self.slug_id)
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Fighter {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) nickname: Option<String>,
    pub(crate) dob: Option<String>,
    pub(crate) height_in: Option<i64>,
    pub(crate) reach_in: Option<i64>,
    pub(crate) stance: Option<String>,
    pub(crate) record_w: Option<i64>,
    pub(crate) record_l: Option<i64>,
    pub(crate) record_d: Option<i64>,
    pub(crate) record_source: Option<String>,
    pub(crate) record_date: Option<String>,
    pub(crate) is_active: bool,
    pub(crate) fight_history_count: i64,
    pub(crate) primary_image: Option<Image>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Image {
    pub(crate) image_url: Option<String>,
    pub(crate) source_url: Option<String>,
    pub(crate) attribution_text: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct FighterDetail {
    #[serde(flatten)]
    pub(crate) fighter: Fighter,
    pub(crate) slug_id: String,
    pub(crate) record_counted: CountedRecord,
    pub(crate) ranking: Option<Ranking>,
    pub(crate) next_bout: Option<NextBout>,
    pub(crate) history: Vec<HistoryItem>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct CountedRecord {
    pub(crate) bouts: i64,
    pub(crate) wins: i64,
    pub(crate) losses: i64,
    pub(crate) draws: i64,
    pub(crate) no_contests: i64,
    pub(crate) unknown: i64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Ranking {
    pub(crate) source: String,
    pub(crate) snapshot_date: String,
    pub(crate) positions: Vec<Position>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Position {
    pub(crate) label: String,
    pub(crate) rank: i64,
    pub(crate) is_champion: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct NextBout {
    pub(crate) bout: super::BoutCompact,
    pub(crate) event: EventCompact,
    pub(crate) opponent: Names,
}

#[derive(Debug, Deserialize)]
pub(crate) struct HistoryItem {
    pub(crate) bout: super::BoutCompact,
    pub(crate) event: EventCompact,
    pub(crate) opponent: Names,
    pub(crate) result: Option<super::BoutResult>,
    pub(crate) outcome: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct EventCompact {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) promotion: Option<String>,
    pub(crate) event_date: String,
    pub(crate) card_status: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Event {
    #[serde(flatten)]
    pub(crate) short: EventCompact,
    pub(crate) event_date_rule: String,
    pub(crate) venue: Option<String>,
    pub(crate) city: Option<String>,
    pub(crate) country: Option<String>,
    pub(crate) scheduled_start: Start,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Start {
    pub(crate) value: Option<String>,
    pub(crate) status: String,
}
