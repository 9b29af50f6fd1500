//! Scheduled starts of events and bouts.

use chrono::{DateTime, Utc};
use fdna_api::ScheduledStart;

use super::columns::instant;

/// Every event has a date, so that where no instant is known, the date is. Bouts have no status of their own.
pub(crate) fn scheduled_start(at: Option<DateTime<Utc>>, status: Option<&str>) -> ScheduledStart<'static> {
    match (at, status) {
        (Some(at), _) => ScheduledStart { value: Some(instant(at)), status: "known" },
        (None, Some("unknown")) => ScheduledStart { value: None, status: "unknown" },
        (None, _) => ScheduledStart { value: None, status: "date_only" },
    }
}
