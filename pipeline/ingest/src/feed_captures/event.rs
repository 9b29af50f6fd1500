//! An event of a capture.

use fdna_model::FindingKind;

use crate::parse;
use crate::record_files::JsonObject;
use crate::row::RowError;
use crate::schedule::{EventVenue, ScheduledEvent};

/// The record without its fights.
pub(super) fn text(json: JsonObject<'_>) -> String {
    let mut record = json.0.clone();
    if let Some(fields) = record.as_object_mut() {
        fields.remove("fights");
    }
    record.to_string()
}

pub(super) fn read(json: JsonObject<'_>, unknown: Option<String>) -> Result<ScheduledEvent, RowError> {
    let id = json.text("source.event_id").and_then(parse::feed_id);
    let (Some(id), Some("espn")) = (id, json.text("source.provider")) else {
        let reason =
            "no event id of the feed (`source.event_id` with provider `espn`): the event may be invented";
        return Err(RowError::new(FindingKind::MissingValue, reason));
    };
    let missing = || RowError::new(FindingKind::MissingValue, "`name` has no value");
    let date = json.text("date");
    let unreadable =
        || RowError::new(FindingKind::UnreadableValue, format!("`date` is `{}`", date.unwrap_or_default()));
    Ok(ScheduledEvent {
        source_id: id.to_owned(),
        name: json.text("name").ok_or_else(missing)?.to_owned(),
        date: date.map(|text| parse::iso_date(text).ok_or_else(unreadable)).transpose()?,
        venue: json.text("location").map(venue).unwrap_or_default(),
        // It stays `upcoming` when the event is long over.
        status_raw: json.string("status"),
        listed_bouts: i32::try_from(json.list("fights").count()).unwrap_or(i32::MAX),
        unknown,
        ..ScheduledEvent::default()
    })
}

/// `T-Mobile Arena, Las Vegas, NV`, `Galaxy Arena, Cotai, Macau`, `RAC Arena (AUS), Perth, WA, Australia`; of a
/// text of other parts it is not known which is which.
fn venue(text: &str) -> EventVenue {
    let owned = |text: &str| Some(text.to_owned());
    let is_region =
        |text: &str| (2..=3).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_uppercase());
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let (name, city, region, country) = match parts[..] {
        [name, city, region] if is_region(region) => (name, owned(city), owned(region), None),
        [name, city, country] => (name, owned(city), None, owned(country)),
        [name, city, region, country] => (name, owned(city), owned(region), owned(country)),
        _ => (text, None, None, None),
    };
    EventVenue { name: owned(name), city, region, country, ..EventVenue::default() }
}
