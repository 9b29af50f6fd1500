//! Records of the schedule sources. What a source does not state is `None`, so that a source names only what it
//! has and takes the rest from `Default`.

use chrono::{DateTime, NaiveDate, Utc};

use super::{CardPosition, Status, Winner};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ScheduledEvent {
    pub(crate) source_id: String,
    pub(crate) name: String,
    pub(crate) date: Option<NaiveDate>,
    pub(crate) start_at: Option<DateTime<Utc>>,
    pub(crate) venue: EventVenue,
    pub(crate) status: Option<Status>,
    pub(crate) status_raw: Option<String>,
    pub(crate) broadcast: Option<String>,
    pub(crate) listed_bouts: i32,
    pub(crate) unknown: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct EventVenue {
    /// Only where venues have a list of their own.
    pub(crate) source_id: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) city: Option<String>,
    pub(crate) region: Option<String>,
    pub(crate) country: Option<String>,
    pub(crate) unknown: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ScheduledBout {
    pub(crate) event: String,
    pub(crate) source_id: Option<String>,
    /// Place in the source's list of the event's bouts, 1 first.
    pub(crate) listed_at: i32,
    /// 1 first to be fought.
    pub(crate) order: Option<i32>,
    pub(crate) position: Option<CardPosition>,
    pub(crate) start_at: Option<DateTime<Utc>>,
    pub(crate) weight_class: Option<String>,
    pub(crate) weight_lbs: Option<i32>,
    pub(crate) is_title: Option<bool>,
    pub(crate) rounds: Option<i32>,
    pub(crate) status: Option<Status>,
    pub(crate) status_raw: Option<String>,
    /// In the order of the source, which says nothing.
    pub(crate) corners: [BoutCorner; 2],
    pub(crate) winner: Option<Winner>,
    pub(crate) broadcast: Option<String>,
    pub(crate) unknown: Option<String>,
}

/// One of the two fighters of a bout; without a name he is to be announced.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BoutCorner {
    pub(crate) source_id: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) rank: Option<i32>,
    pub(crate) is_champion: Option<bool>,
    pub(crate) record: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ScheduledFighter {
    pub(crate) source_id: String,
    pub(crate) name: String,
    pub(crate) nickname: Option<String>,
    pub(crate) date_of_birth: Option<NaiveDate>,
    pub(crate) height_in: Option<f64>,
    pub(crate) reach_in: Option<f64>,
    pub(crate) stance: Option<String>,
    pub(crate) country: Option<String>,
    pub(crate) record: Option<String>,
    pub(crate) unknown: Option<String>,
}
