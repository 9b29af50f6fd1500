//! An entry of a calendar as an event.

use chrono::{DateTime, Datelike as _, NaiveDateTime, Utc};
use fdna_model::FindingKind;
use fdna_schemas::{Places, SourceContract};
use icalendar::parser::{Component, Property};
use serde_json::{Map, Value};

use super::description::CalendarCard;
use super::property::value;
use super::zone::CalendarZones;
use crate::row::RowError;
use crate::schedule::{EventVenue, ScheduledEvent, Status};

/// The entry without its description, whose lines are records of their own, and the time at which it was made.
pub(super) fn text(entry: &Component<'_>) -> String {
    let kept = entry.properties.iter().filter(|p| p.name != "DESCRIPTION" && p.name != "DTSTAMP");
    kept.map(|p| format!("{}{}:{}", p.name, parameters(p), p.val)).collect::<Vec<_>>().join("\n")
}

/// `;TZID=America/Denver`.
fn parameters(property: &Property<'_>) -> String {
    let one = |name: &str, value: Option<&str>| match value {
        Some(value) => format!(";{name}={value}"),
        None => format!(";{name}"),
    };
    property.params.iter().map(|p| one(p.key.as_str(), p.val.as_ref().map(|value| value.as_str()))).collect()
}

/// What a calendar says of all its entries.
pub(super) struct CalendarHead {
    pub(super) zones: CalendarZones,
    /// Whether it takes its entries back (`METHOD:CANCEL` of RFC 5546).
    pub(super) is_cancelled: bool,
}

impl CalendarHead {
    pub(super) fn of(roots: &[Component<'_>]) -> Self {
        let is_cancel =
            |root: &Component<'_>| value(root, "METHOD").is_some_and(|m| m.eq_ignore_ascii_case("CANCEL"));
        Self { zones: CalendarZones::of(roots), is_cancelled: roots.iter().any(is_cancel) }
    }
}

/// What the entry states of whether it will be, read where it says more than that it may.
fn status(entry: &Component<'_>, head: &CalendarHead) -> (Option<Status>, Option<String>) {
    let stated = value(entry, "STATUS");
    let read = stated.as_deref().and_then(|text| match text.to_ascii_uppercase().as_str() {
        "CANCELLED" | "CANCELED" => Some(Status::Cancelled),
        "POSTPONED" => Some(Status::Postponed),
        "CONFIRMED" => Some(Status::Scheduled),
        _ => None,
    });
    (if head.is_cancelled { Some(Status::Cancelled) } else { read }, stated)
}

pub(super) fn read(
    contract: &SourceContract,
    entry: &Component<'_>,
    head: &CalendarHead,
    card: &CalendarCard<'_>,
) -> Result<ScheduledEvent, RowError> {
    let required = |name: &str| {
        let missing = || RowError::new(FindingKind::MissingValue, format!("`{name}` has no value"));
        value(entry, name).ok_or_else(missing)
    };
    let start = start(entry, &head.zones)?;
    let (status, status_raw) = status(entry, head);
    Ok(ScheduledEvent {
        source_id: required("UID")?,
        name: required("SUMMARY")?,
        date: Some(card.start_at.unwrap_or(start).date_naive()),
        // As stated: the parts before it come and go with the headings of the list, and are the bouts' own.
        start_at: card.start_at,
        venue: value(entry, "LOCATION").map(|text| venue(&text)).unwrap_or_default(),
        status,
        status_raw,
        listed_bouts: i32::try_from(card.lines.len()).unwrap_or(i32::MAX),
        unknown: unknown(contract, entry, card),
        ..ScheduledEvent::default()
    })
}

/// When the entry starts: in UTC, or in a zone that it names. A day alone and a time without a zone are no instant.
pub(super) fn start(entry: &Component<'_>, zones: &CalendarZones) -> Result<DateTime<Utc>, RowError> {
    let missing = || RowError::new(FindingKind::MissingValue, "`DTSTART` has no value");
    let text = value(entry, "DTSTART").ok_or_else(missing)?;
    let parameters = entry.find_prop("DTSTART").map(|p| p.params.as_slice()).unwrap_or_default();
    let zone = parameters.iter().find(|p| p.key.as_str().eq_ignore_ascii_case("TZID"));
    let zone = zone.and_then(|p| Some(p.val.as_ref()?.as_str()));
    let time = |form| NaiveDateTime::parse_from_str(&text, form).ok();
    let in_utc = time("%Y%m%dT%H%M%SZ").map(|time| time.and_utc());
    let in_zone = || zones.instant(zone?, time("%Y%m%dT%H%M%S")?);
    // Far years would run out of the range of times when hours are taken off.
    let found = in_utc.or_else(in_zone).filter(|at| (1900..2200).contains(&at.year()));
    found.ok_or_else(|| {
        let zone = zone.map(|zone| format!(" in the zone `{zone}`")).unwrap_or_default();
        RowError::new(FindingKind::UnreadableValue, format!("`DTSTART` is `{text}`{zone}"))
    })
}

/// Properties that the contract does not name, and lines of the description that are neither a bout nor known.
fn unknown(contract: &SourceContract, entry: &Component<'_>, card: &CalendarCard<'_>) -> Option<String> {
    let is_known = |name: &str| contract.files[0].columns.iter().any(|column| column.name == name);
    let fields = entry.properties.iter().filter(|p| !is_known(p.name.as_str()));
    let mut unknown: Map<String, Value> =
        fields.map(|p| (p.name.to_string(), Value::from(short(p.val.as_str())))).collect();
    if !card.notes.is_empty() {
        let notes: Vec<Value> = card.notes.iter().take(10).map(|note| Value::from(short(note))).collect();
        unknown.insert("notes".to_owned(), notes.into());
    }
    (!unknown.is_empty()).then(|| Value::Object(unknown).to_string())
}

fn short(text: &str) -> String {
    text.chars().take(200).collect()
}

/// `Ball Arena, Denver United States`, or `Prudential Center, Newark, United States`; a place whose country is not
/// known stays one text.
fn venue(text: &str) -> EventVenue {
    let whole = || EventVenue { name: Some(text.to_owned()), ..EventVenue::default() };
    let Some((name, place)) = text.split_once(',') else { return whole() };
    let (name, place) = (name.trim(), place.trim());
    match Places::get().split_country(place) {
        Some((city, country)) if !name.is_empty() => EventVenue {
            name: Some(name.to_owned()),
            city: Some(city.trim_end_matches(',').trim()).filter(|city| !city.is_empty()).map(str::to_owned),
            country: Some(country.to_owned()),
            ..EventVenue::default()
        },
        _ => whole(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> [Option<String>; 3] {
        let venue = venue(text);
        [venue.name, venue.city, venue.country]
    }

    #[test]
    fn places_are_taken_apart_where_the_country_is_known() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(parts("Ball Arena, Denver United States"), ["Ball Arena", "Denver", "USA"].map(some));
        assert_eq!(
            parts("Prudential Center, Newark, United States"),
            ["Prudential Center", "Newark", "USA"].map(some)
        );
        assert_eq!(parts("Galaxy Arena,  Macao"), [some("Galaxy Arena"), None, some("Macau")]);
        assert_eq!(parts("Hall, Mexico"), [some("Hall"), None, some("Mexico")]);
        assert_eq!(parts("Hall, Atlantis"), [some("Hall, Atlantis"), None, None]);
        assert_eq!(parts("Somewhere"), [some("Somewhere"), None, None]);
    }
}
