//! Events.

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use fdna_model::{EventId, FindingKind};
use fdna_rows::PackedRow;
use fdna_schemas::tables::{EventsRow, StatsdbEventsReader, StatsdbResultsReader};

use super::capture_facts::{FactPosition, FindingLog, SOURCE, StatsdbFacts};
use crate::error::NormaliseError;

/// Events of a capture, by the name that its other files use.
pub(super) struct ResolvedEvents {
    pub(super) rows: Vec<PackedRow>,
    /// Usually one; several of one name cannot be told apart by the other files.
    pub(super) by_name: HashMap<String, Vec<(EventId, NaiveDate)>>,
}

/// An event as any layout lists it.
pub(super) struct ListedEvent<'a> {
    pub(super) source_id: &'a str,
    pub(super) name: &'a str,
    pub(super) date: NaiveDate,
    pub(super) location: Option<&'a str>,
    /// The source lists an event before it happens and its results days after.
    pub(super) is_past: bool,
    /// `None` where the layout does not say.
    pub(super) is_ufc: Option<bool>,
}

impl ListedEvent<'_> {
    pub(super) fn to_row(&self) -> PackedRow {
        let place = self.location.map(EventPlace::parse).unwrap_or_default();
        PackedRow::from_row(&EventsRow {
            event_id: EventId::of(SOURCE, self.source_id).0,
            statsdb_id: Some(self.source_id),
            feed_event_id: None,
            name: self.name,
            event_date: self.date,
            venue: None,
            city: place.city,
            region: place.region,
            country: place.country,
            commission: None,
            is_ppv: None,
            is_ufc: self.is_ufc,
            card_status: Some(if self.is_past { "completed" } else { "scheduled" }),
            start_at: None,
            start_status: "date_only",
            event_date_rule: "source",
            promotion: None,
            promotion_rule: None,
            last_capture: None,
        })
    }
}

/// The page of the source that lists events. It has the UFC's alone, as the six files do; the page of a single
/// event may be of any promotion.
const LIST_PAGE: &str = "events.html";

/// Events of the six-file layout, and of the source's pages.
pub(super) fn resolve_events(
    facts: &StatsdbFacts<'_>,
    captured_on: NaiveDate,
    log: &mut FindingLog,
) -> Result<ResolvedEvents, NormaliseError> {
    let results: StatsdbResultsReader<'_> = facts.read_table()?;
    let with_results: HashSet<&str> = results.event()?.into_iter().collect();
    let mut events = ResolvedEvents { rows: Vec::new(), by_name: HashMap::new() };
    for row in facts.read_table::<StatsdbEventsReader<'_>>()?.all_rows()? {
        let (source_id, name, date) = (row.event_source_id, row.event, row.event_date);
        let known = events.by_name.entry(name.to_owned()).or_default();
        // Listed twice, under one id or two: one event, on one day.
        if let Some((first, _)) = known.iter().find(|(_, day)| *day == date) {
            let at = FactPosition { file: row.file, line: row.line };
            let reason = format!("`{name}` of {date} is listed already, as {}", first.0);
            log.set_aside(at, FindingKind::Duplicate, Some(source_id), reason);
            continue;
        }
        known.push((EventId::of(SOURCE, source_id), date));
        let is_past = with_results.contains(name) || date < captured_on;
        let is_ufc = (!facts.is_of_pages() || row.file == LIST_PAGE).then_some(true);
        let listed = ListedEvent { source_id, name, date, location: row.location, is_past, is_ufc };
        events.rows.push(listed.to_row());
    }
    Ok(events)
}

impl ResolvedEvents {
    /// The one event of this name; an error says why there is none.
    pub(super) fn event_named(&self, name: &str) -> Result<(EventId, NaiveDate), String> {
        match self.by_name.get(name).map(Vec::as_slice) {
            Some([event]) => Ok(*event),
            Some(events) => Err(format!("{} events are named `{name}`", events.len())),
            None => Err(format!("no event is named `{name}`")),
        }
    }
}

/// `City, Region, Country`, `City, Country` or `Country`.
#[derive(Debug, Default, PartialEq)]
struct EventPlace<'a> {
    city: Option<&'a str>,
    region: Option<&'a str>,
    country: Option<&'a str>,
}

impl<'a> EventPlace<'a> {
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
        let place = EventPlace::parse("Tampa, Florida, USA");
        assert_eq!((place.city, place.region, place.country), (Some("Tampa"), Some("Florida"), Some("USA")));
        let place = EventPlace::parse("Macau, China");
        assert_eq!((place.city, place.region, place.country), (Some("Macau"), None, Some("China")));
        assert_eq!(EventPlace::parse(" "), EventPlace::default());
    }
}
