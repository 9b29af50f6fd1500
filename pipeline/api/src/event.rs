//! Events on the wire.

use crate::{Id, enums, formats};
use schemars::JsonSchema;
use serde::Serialize;

/// An event, as in lists, on its own and on a card.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct Event<'a> {
    pub id: Id,
    pub statsdb_id: Option<&'a str>,
    pub feed_event_id: Option<&'a str>,
    pub name: &'a str,
    /// Whose event it is; null where neither its source nor its name says so.
    #[schemars(with = "Option<enums::Promotion>")]
    pub promotion: Option<&'a str>,
    /// `YYYY-MM-DD`: the day as `event_date_rule` says.
    #[schemars(with = "formats::Date")]
    pub event_date: String,
    /// `venue` where it is the day at the venue when the event begins, by its start and time zone; `public_record` where
    /// it is that day by public record; `source` where it is the day that the source states. Never earlier than that.
    #[schemars(with = "enums::EventDateRule")]
    pub event_date_rule: &'a str,
    pub venue: Option<&'a str>,
    pub city: Option<&'a str>,
    pub region: Option<&'a str>,
    pub country: Option<&'a str>,
    pub commission: Option<&'a str>,
    pub is_ppv: Option<bool>,
    /// announced, scheduled, in_progress, completed, cancelled or postponed; null where its day is over and no
    /// source told what came of it.
    #[schemars(with = "Option<enums::Status>")]
    pub card_status: Option<&'a str>,
    /// RFC 3339 with offset: the capture that first had the event or last changed it.
    #[schemars(with = "Option<formats::Instant>")]
    pub updated_at: Option<String>,
    pub scheduled_start: ScheduledStart<'a>,
}

/// When an event or a bout is to begin, as a schedule source states it.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct ScheduledStart<'a> {
    /// RFC 3339 with offset; null unless the status is `known`.
    #[schemars(with = "Option<formats::Instant>")]
    pub value: Option<String>,
    /// known, date_only where no more than the date of the event is known, or unknown.
    #[schemars(with = "enums::StartStatus")]
    pub status: &'a str,
}

/// An event inside another record.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct EventCompact<'a> {
    pub id: Id,
    pub statsdb_id: Option<&'a str>,
    pub feed_event_id: Option<&'a str>,
    pub name: &'a str,
    #[schemars(with = "Option<enums::Promotion>")]
    pub promotion: Option<&'a str>,
    /// `YYYY-MM-DD`.
    #[schemars(with = "formats::Date")]
    pub event_date: String,
    #[schemars(with = "Option<enums::Status>")]
    pub card_status: Option<&'a str>,
    pub scheduled_start: ScheduledStart<'a>,
}
