//! Events.

use chrono::{NaiveDate, TimeDelta};
use fdna_model::Kind;
use fdna_rows::{CellValue, TableRow};
use fdna_schemas::{Place, Places, Promotions, Table};
use uuid::Uuid;

use super::{LinkedRows, RowCells, blank, ids};
use crate::CARDS_LAYOUT;
use crate::listing_history::ValidityInterval;
use crate::listing_statements::EVENT_COLUMNS;

fn place(column: &str) -> usize {
    EVENT_COLUMNS.iter().position(|name| *name == column).unwrap_or_default()
}

/// A card is over within this time, early bouts and all.
const CARD_LASTS: TimeDelta = TimeDelta::hours(12);

/// Columns that a source states together: the day with the time, the venue with its city.
const TOGETHER: [&[&str]; 2] = [&["event_date", "start_at"], &["venue", "city", "region", "country"]];

fn newest(sources: &[Vec<&ValidityInterval>], column: &str) -> CellValue {
    let with = TOGETHER.into_iter().find(|columns| columns.contains(&column)).unwrap_or_default();
    let with: Vec<usize> = with.iter().map(|column| place(column)).collect();
    super::newest(sources, place(column), &with).clone()
}

/// Leaves out what was said when the event was to be on another day: another venue then, too.
fn keep_near(sources: &mut Vec<Vec<&ValidityInterval>>, day: &CellValue) {
    let CellValue::Date(day) = day else { return };
    let is_near = |said: &CellValue| match said {
        CellValue::Date(said) => (*said - *day).num_days().abs() <= 1,
        _ => true,
    };
    sources.iter_mut().for_each(|spans| spans.retain(|span| is_near(&span.said[place("event_date")])));
    sources.retain(|spans| !spans.is_empty());
}

/// Writes the place one way, and the day as it was there when the event began.
fn place_of(cells: &mut RowCells<'_>) {
    let text =
        |value: &CellValue| if let CellValue::Text(text) = value { Some(text.to_string()) } else { None };
    let [city, region, country] = ["city", "region", "country"].map(|column| text(cells.get(column)));
    let place = Places::get().normalise(&Place { city, region, country });
    let zone = Places::get().zone(&place).and_then(|zone| zone.parse::<chrono_tz::Tz>().ok());
    cells.set("city", place.city.as_deref());
    cells.set("region", place.region.as_deref());
    cells.set("country", place.country.as_deref());
    let there = match (cells.get("start_at"), zone) {
        (CellValue::Instant(start), Some(zone)) => Some(start.with_timezone(&zone).date_naive()),
        _ => None,
    };
    // A start further off is of another day that the event was once to be on.
    let near = |day: &NaiveDate| matches!(cells.get("event_date"), CellValue::Date(said) if (*said - *day).num_days().abs() <= 1);
    let there = there.filter(near);
    cells.set("event_date_rule", if there.is_some() { "venue" } else { "source" });
    if let Some(day) = there {
        cells.set("event_date", day);
    }
}

/// Whose event it is: by its name, else by a source that lists one promotion alone.
fn promotion_of(cells: &mut RowCells<'_>) {
    let by_name = match cells.get("name") {
        CellValue::Text(name) => Promotions::get().of_event(name),
        _ => None,
    };
    let by_source = (*cells.get("is_ufc") == CellValue::Bool(true)).then_some("UFC");
    let rule = by_name.map(|_| "name").or(by_source.map(|_| "source"));
    cells.set("promotion", by_name.or(by_source));
    cells.set("promotion_rule", rule);
}

impl LinkedRows<'_> {
    /// Adds to the rows of the statistics source what the schedule says, and the events that it alone has.
    pub(crate) fn events(&self, table: &Table, mut rows: Vec<TableRow>) -> Vec<TableRow> {
        let (there, feed) = (ids(&rows), self.feed_ids(Kind::Event));
        let new = self.registry.events.keys().filter(|id| !there.contains(id));
        rows.extend(new.map(|id| blank(table, *id)));
        for row in &mut rows {
            let mut cells = RowCells { table, row };
            let id = cells.id();
            let mut spans = self.listings.events.newest_of(id);
            if there.contains(&id) {
                keep_near(&mut spans, cells.get("event_date"));
            }
            cells.fill("feed_event_id", feed.get(&id).copied());
            if !there.contains(&id) {
                self.found_event(&mut cells, &spans);
            }
            for column in ["venue", "city", "region", "country"] {
                cells.fill(column, newest(&spans, column));
            }
            cells.fill("start_at", self.start_of(id, &spans));
            if *cells.get("start_at") != CellValue::Null {
                cells.set("start_status", "known");
            }
            if !cells.is("card_status", "completed") {
                let status = self.unless_past(self.event_status(id, &spans), cells.get("event_date"));
                cells.set("card_status", status);
            }
            place_of(&mut cells);
            promotion_of(&mut cells);
        }
        rows
    }

    /// What a new event must have.
    fn found_event(&self, cells: &mut RowCells<'_>, spans: &[Vec<&ValidityInterval>]) {
        let Some(event) = self.registry.events.get(&cells.id()) else { return };
        let name = newest(spans, "name");
        let is_ufc = matches!(&name, CellValue::Text(name) if name.starts_with("UFC "));
        cells.set("name", name);
        cells.fill("name", event.names.first().map(String::as_str));
        cells.set("event_date", self.day_of_event(event.id, spans));
        cells.set("is_ufc", is_ufc.then_some(true));
        cells.set("start_status", "date_only");
    }

    fn day_of_event(&self, id: Uuid, spans: &[Vec<&ValidityInterval>]) -> CellValue {
        match newest(spans, "event_date") {
            CellValue::Null => self.registry.events.get(&id).map(|event| event.day).into(),
            day => day,
        }
    }

    /// The start as the feed gives it, that of the first bout, unless the calendars, which give that of the main
    /// card, have put it to another day since.
    fn start_of(&self, id: Uuid, spans: &[Vec<&ValidityInterval>]) -> CellValue {
        let of_feed = self.listings.events.newest_by(id, |source| source != CARDS_LAYOUT);
        match (newest(&of_feed, "start_at"), newest(spans, "start_at")) {
            (CellValue::Instant(feed), CellValue::Instant(newest)) if (newest - feed).abs() <= CARD_LASTS => {
                feed.into()
            }
            (_, newest) => newest,
        }
    }

    /// The day of an event that is no event of the statistics source.
    pub(super) fn day_of(&self, event: Uuid) -> CellValue {
        self.day_of_event(event, &self.listings.events.newest_of(event))
    }

    pub(super) fn is_event_cancelled(&self, id: Uuid) -> bool {
        self.event_status(id, &self.listings.events.newest_of(id)) == CellValue::from("cancelled")
    }

    /// Completed if any of its bouts has a result, cancelled if the newest list lacks it, else what the newest says.
    fn event_status(&self, id: Uuid, spans: &[Vec<&ValidityInterval>]) -> CellValue {
        let is_over = self.registry.bouts_of(id).any(|bout| self.over.contains(&bout.id));
        match (is_over, super::last_word(spans)) {
            (true, _) => "completed".into(),
            (false, Some(span)) if !span.is_listed => "cancelled".into(),
            _ => match newest(spans, "status") {
                CellValue::Null => "scheduled".into(),
                status => status,
            },
        }
    }
}
