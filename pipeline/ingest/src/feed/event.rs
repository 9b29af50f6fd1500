//! An event of the feed.

use fdna_model::FindingKind;

use crate::parse;
use crate::record_files::{JsonObject, text_of};
use crate::row::RowError;
use crate::schedule::{EventVenue, ScheduledEvent, Status};
use serde_json::Value;

pub(super) fn read(json: JsonObject<'_>, unknown: Option<String>) -> Result<ScheduledEvent, RowError> {
    let start = instant(json, "date")?;
    let bouts: Vec<JsonObject<'_>> = json.list("competitions").collect();
    let is_day_only = bouts.first().is_some_and(|bout| bout.truth("timeValid") == Some(false));
    let channels = bouts.iter().flat_map(|bout| channels(*bout));
    Ok(ScheduledEvent {
        source_id: id(json)?,
        name: required(json, "name")?.to_owned(),
        date: start.map(|start| start.date_naive()),
        start_at: start.filter(|_| !is_day_only),
        venue: venue(json),
        status: status(json),
        status_raw: json.string("status.type.name"),
        broadcast: text_of(channels),
        listed_bouts: i32::try_from(bouts.len()).unwrap_or(i32::MAX),
        unknown,
    })
}

pub(super) fn id(json: JsonObject<'_>) -> Result<String, RowError> {
    let id = required(json, "id")?;
    let refusal = || RowError::new(FindingKind::UnreadableValue, format!("`id` is `{id}`"));
    parse::feed_id(id).map(str::to_owned).ok_or_else(refusal)
}

pub(super) fn required<'v>(json: JsonObject<'v>, path: &str) -> Result<&'v str, RowError> {
    let refusal = || RowError::new(FindingKind::MissingValue, format!("`{path}` has no value"));
    json.text(path).ok_or_else(refusal)
}

/// A time that is there but cannot be read is not unknown.
pub(super) fn instant(
    json: JsonObject<'_>,
    path: &str,
) -> Result<Option<chrono::DateTime<chrono::Utc>>, RowError> {
    let Some(text) = json.text(path) else { return Ok(None) };
    let refusal = || RowError::new(FindingKind::UnreadableValue, format!("`{path}` is `{text}`"));
    parse::instant(text).map(Some).ok_or_else(refusal)
}

/// The scoreboard has venues of the event, the schedule the venue of its one bout.
fn venue(json: JsonObject<'_>) -> EventVenue {
    let of_bouts = || json.list("competitions").find_map(|bout| bout.at("venue").map(JsonObject));
    let Some(venue) = json.list("venues").find(|venue| venue.text("fullName").is_some()).or_else(of_bouts)
    else {
        return EventVenue::default();
    };
    EventVenue {
        name: venue.string("fullName"),
        city: venue.string("address.city"),
        region: venue.string("address.state"),
        country: venue.string("address.country"),
        ..EventVenue::default()
    }
}

/// The names first: a bout that is off is in the state `post`, as one that is over.
pub(super) fn status(json: JsonObject<'_>) -> Option<Status> {
    let state = json.text("status.type.state");
    match json.text("status.type.name")? {
        "STATUS_CANCELED" | "STATUS_CANCELLED" => Some(Status::Cancelled),
        "STATUS_POSTPONED" => Some(Status::Postponed),
        "STATUS_SCHEDULED" => Some(Status::Scheduled),
        "STATUS_FINAL" => Some(Status::Completed),
        "STATUS_IN_PROGRESS" => Some(Status::InProgress),
        // Walkouts, introductions, ends of rounds: many names, one state.
        _ if state == Some("in") => Some(Status::InProgress),
        _ => None,
    }
}

/// Who shows a bout: names of the scoreboard, media of the fight centre.
pub(super) fn channels(bout: JsonObject<'_>) -> Vec<&str> {
    let mut channels = Vec::new();
    for broadcast in bout.list("broadcasts") {
        let names = broadcast.at("names").and_then(Value::as_array).into_iter().flatten();
        channels.extend(names.filter_map(Value::as_str).map(str::trim));
        channels.extend(broadcast.text("media.shortName"));
    }
    channels
}
