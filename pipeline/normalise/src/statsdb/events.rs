//! Events.

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use fdna_model::EventId;

use super::{Facts, SOURCE};
use crate::NormaliseError;
use crate::layout::{Layout, Row, Value};

/// Events of a capture, by the name that its other files use.
pub(super) struct Events {
    pub(super) rows: Vec<Row>,
    /// Usually one; several of one name cannot be told apart by the other files.
    pub(super) by_name: HashMap<String, Vec<(EventId, NaiveDate)>>,
}

pub(super) fn resolve(facts: &Facts<'_>, captured_on: NaiveDate) -> Result<Events, NormaliseError> {
    let layout = Layout::new(
        "events",
        &[
            "event_id",
            "statsdb_id",
            "feed_event_id",
            "name",
            "event_date",
            "venue",
            "city",
            "region",
            "country",
            "commission",
            "is_ppv",
            "card_status",
        ],
    )?;
    let reader = facts.read("statsdb_events")?;
    let (ids, names) = (reader.texts("event_source_id")?, reader.texts("event")?);
    let (dates, places) = (reader.days("event_date")?, reader.strings("location")?);
    let with_results: HashSet<&str> = facts.read("statsdb_results")?.texts("event")?.into_iter().collect();
    let mut events = Events { rows: Vec::new(), by_name: HashMap::new() };
    for i in 0..reader.rows() {
        let id = EventId::of(SOURCE, ids[i]);
        let date = dates[i];
        let place = places[i].map(Place::parse).unwrap_or_default();
        // The source lists an event before it happens and its results days after.
        let is_past = with_results.contains(names[i]) || date < captured_on;
        events.by_name.entry(names[i].to_owned()).or_default().push((id, date));
        events.rows.push(layout.row([
            id.0.into(),
            ids[i].into(),
            Value::Null,
            names[i].into(),
            date.into(),
            Value::Null,
            place.city.into(),
            place.region.into(),
            place.country.into(),
            Value::Null,
            Value::Null,
            if is_past { "completed" } else { "scheduled" }.into(),
        ]));
    }
    Ok(events)
}

impl Events {
    /// The one event of this name; an error says why there is none.
    pub(super) fn named(&self, name: &str) -> Result<(EventId, NaiveDate), String> {
        match self.by_name.get(name).map(Vec::as_slice) {
            Some([event]) => Ok(*event),
            Some(events) => Err(format!("{} events are named `{name}`", events.len())),
            None => Err(format!("no event is named `{name}`")),
        }
    }
}

/// `City, Region, Country`, `City, Country` or `Country`.
#[derive(Debug, Default, PartialEq)]
struct Place<'a> {
    city: Option<&'a str>,
    region: Option<&'a str>,
    country: Option<&'a str>,
}

impl<'a> Place<'a> {
    fn parse(text: &'a str) -> Self {
        let parts: Vec<&str> = text.split(',').map(str::trim).filter(|p| !p.is_empty()).collect();
        match parts[..] {
            [city, .., region, country] => {
                Self { city: Some(city), region: Some(region), country: Some(country) }
            }
            [city, country] => Self { city: Some(city), region: None, country: Some(country) },
            [country] => Self { country: Some(country), ..Self::default() },
            [] => Self::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_one_two_and_three_parts() {
        let place = Place::parse("Tampa, Florida, USA");
        assert_eq!((place.city, place.region, place.country), (Some("Tampa"), Some("Florida"), Some("USA")));
        let place = Place::parse("Macau, China");
        assert_eq!((place.city, place.region, place.country), (Some("Macau"), None, Some("China")));
        assert_eq!(Place::parse(" "), Place::default());
    }
}
