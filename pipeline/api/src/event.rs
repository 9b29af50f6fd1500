//! Events on the wire.

use crate::{Id, shape, words};
use schemars::JsonSchema;
use serde::Serialize;

/// An event, as in lists, on its own and on a card.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct Event<'a> {
    pub id: Id,
    pub statsdb_id: Option<&'a str>,
    pub feed_event_id: Option<&'a str>,
    pub name: &'a str,
    /// `YYYY-MM-DD`, at the place of the event.
    #[schemars(with = "shape::Date")]
    pub event_date: String,
    pub venue: Option<&'a str>,
    pub city: Option<&'a str>,
    pub region: Option<&'a str>,
    pub country: Option<&'a str>,
    pub commission: Option<&'a str>,
    pub is_ppv: Option<bool>,
    /// announced, scheduled, in_progress, completed, cancelled or postponed; null where its day is over and no
    /// source told what came of it.
    #[schemars(with = "Option<words::Status>")]
    pub card_status: Option<&'a str>,
    /// RFC 3339 with offset: the capture that first had the event or last changed it.
    #[schemars(with = "Option<shape::Instant>")]
    pub updated_at: Option<String>,
    pub scheduled_start: ScheduledStart<'a>,
}

/// When an event or a bout is to begin, as a schedule source states it.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct ScheduledStart<'a> {
    /// RFC 3339 with offset; null unless the status is `known`.
    #[schemars(with = "Option<shape::Instant>")]
    pub value: Option<String>,
    /// known, date_only where no more than the date of the event is known, or unknown.
    #[schemars(with = "words::StartStatus")]
    pub status: &'a str,
}

/// An event inside another record.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct EventCompact<'a> {
    pub id: Id,
    pub statsdb_id: Option<&'a str>,
    pub feed_event_id: Option<&'a str>,
    pub name: &'a str,
    /// `YYYY-MM-DD`.
    #[schemars(with = "shape::Date")]
    pub event_date: String,
    #[schemars(with = "Option<words::Status>")]
    pub card_status: Option<&'a str>,
    pub scheduled_start: ScheduledStart<'a>,
}
