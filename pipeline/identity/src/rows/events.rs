//! Events.

use chrono::{DateTime, TimeDelta, Utc};
use fdna_model::Kind;
use fdna_rows::{CellValue, TableRow};
use fdna_schemas::tables::{ColumnPlace, EventListingsRow, EventsRow};
use fdna_schemas::{EventDays, Place, Places, Promotions, Table};
use uuid::Uuid;

use super::{LinkedRows, RowCells, blank_row, row_ids};
use crate::listing_history::ValidityInterval;
use crate::listing_statements::event_place;
use crate::source_names::{CARDS_LAYOUT, UFC};
use crate::stated_start::venue_day;

/// A card is over within this time, early bouts and all.
const CARD_LASTS: TimeDelta = TimeDelta::hours(12);

/// Columns that a source states together: the day with the time, the venue with its city; and the status with the name, so
/// that an event which is no longer said to be off is on again.
const TOGETHER: [&[ColumnPlace]; 3] = [
    &[EventListingsRow::NAME, EventListingsRow::STATUS],
    &[EventListingsRow::EVENT_DATE, EventListingsRow::START_AT],
    &[EventListingsRow::VENUE, EventListingsRow::CITY, EventListingsRow::REGION, EventListingsRow::COUNTRY],
];

fn newest_cell(sources: &[Vec<&ValidityInterval>], column: ColumnPlace) -> CellValue {
    let with = TOGETHER.into_iter().find(|columns| columns.contains(&column)).unwrap_or_default();
    let with: Vec<usize> = with.iter().map(|column| event_place(*column)).collect();
    super::newest_value(sources, event_place(column), &with).clone()
}

/// Leaves out what was said when the event was to be on another day: another venue then, too.
fn keep_near(sources: &mut Vec<Vec<&ValidityInterval>>, day: &CellValue) {
    let Some(day) = day.as_date() else { return };
    let is_near = |said: &CellValue| said.as_date().is_none_or(|said| (said - day).num_days().abs() <= 1);
    let place = event_place(EventListingsRow::EVENT_DATE);
    sources.iter_mut().for_each(|spans| spans.retain(|span| is_near(&span.said[place])));
    sources.retain(|spans| !spans.is_empty());
}

/// Writes the place one way, and the day as it was there when the event began: by public record, else by the starts.
fn place_of(cells: &mut RowCells<'_>, starts: &[DateTime<Utc>]) {
    let [city, region, country] = [EventsRow::CITY, EventsRow::REGION, EventsRow::COUNTRY]
        .map(|column| cells.cell_at(column).as_text().map(str::to_owned));
    let place = Places::get().normalise_place(&Place { city, region, country });
    let zone = Places::get().time_zone(&place).and_then(|zone| zone.parse::<chrono_tz::Tz>().ok());
    cells.set_cell(EventsRow::CITY, place.city.as_deref());
    cells.set_cell(EventsRow::REGION, place.region.as_deref());
    cells.set_cell(EventsRow::COUNTRY, place.country.as_deref());
    cells.set_cell(EventsRow::EVENT_DATE_RULE, "source");
    let Some(said) = cells.cell_at(EventsRow::EVENT_DATE).as_date() else { return };
    let on_record =
        cells.cell_at(EventsRow::STATSDB_ID).as_text().and_then(|id| EventDays::get().find_day(id));
    let by_start = zone.and_then(|zone| venue_day(said, starts, zone));
    let by_record = on_record.filter(|day| *day >= said).map(|day| (day, "public_record"));
    let (day, rule) = by_record.or(by_start.map(|day| (day, "venue"))).unwrap_or((said, "source"));
    cells.set_cell(EventsRow::EVENT_DATE, day);
    cells.set_cell(EventsRow::EVENT_DATE_RULE, rule);
}

/// Writes between two fighters what most sources write, so that one event has one spelling over time.
fn unify_name(cells: &mut RowCells<'_>) {
    let name = cells.cell_at(EventsRow::NAME).as_text().map(|name| name.replace(" vs ", " vs. "));
    cells.set_cell(EventsRow::NAME, name.as_deref());
}

/// Promotion of an event: by its name, else by a source that lists one promotion alone.
fn promotion_of(cells: &mut RowCells<'_>) {
    let name = cells.cell_at(EventsRow::NAME).as_text();
    let by_name = name.and_then(|name| Promotions::get().of_event(name));
    let by_source = (*cells.cell_at(EventsRow::IS_UFC) == CellValue::Bool(true)).then_some(UFC);
    let rule = by_name.map(|_| "name").or(by_source.map(|_| "source"));
    cells.set_cell(EventsRow::PROMOTION, by_name.or(by_source));
    cells.set_cell(EventsRow::PROMOTION_RULE, rule);
}

impl LinkedRows<'_> {
    /// Adds to the rows of the statistics source what the schedule says, and the events that it alone has.
    pub(crate) fn event_rows(&self, table: &Table, mut rows: Vec<TableRow>) -> Vec<TableRow> {
        let (there, feed) = (row_ids(&rows), self.feed_ids(Kind::Event));
        let new = self.registry.events.keys().filter(|id| !there.contains(id));
        rows.extend(new.map(|id| blank_row(table, *id)));
        for row in &mut rows {
            let mut cells = RowCells(row);
            let id = cells.id();
            let mut spans = self.listings.events.newest_of(id);
            if there.contains(&id) {
                keep_near(&mut spans, cells.cell_at(EventsRow::EVENT_DATE));
            }
            cells.fill_null(EventsRow::FEED_EVENT_ID, feed.get(&id).copied());
            if !there.contains(&id) {
                self.found_event(&mut cells, &spans);
            }
            for (column, said) in [
                (EventsRow::VENUE, EventListingsRow::VENUE),
                (EventsRow::CITY, EventListingsRow::CITY),
                (EventsRow::REGION, EventListingsRow::REGION),
                (EventsRow::COUNTRY, EventListingsRow::COUNTRY),
            ] {
                cells.fill_null(column, newest_cell(&spans, said));
            }
            let near = there.contains(&id).then(|| cells.cell_at(EventsRow::EVENT_DATE).clone());
            let starts = self.starts_of(id, near.as_ref());
            cells.fill_null(EventsRow::START_AT, starts.first().copied());
            if *cells.cell_at(EventsRow::START_AT) != CellValue::Null {
                cells.set_cell(EventsRow::START_STATUS, "known");
            }
            if cells.cell_at(EventsRow::CARD_STATUS).as_text() != Some("completed") {
                let day = cells.cell_at(EventsRow::EVENT_DATE);
                let status = self.unless_past(self.event_status(id, &spans), day);
                cells.set_cell(EventsRow::CARD_STATUS, status);
            }
            place_of(&mut cells, &starts);
            promotion_of(&mut cells);
            unify_name(&mut cells);
        }
        rows
    }

    /// Fills the required columns of a new event.
    fn found_event(&self, cells: &mut RowCells<'_>, spans: &[Vec<&ValidityInterval>]) {
        let Some(event) = self.registry.events.get(&cells.id()) else { return };
        let name = newest_cell(spans, EventListingsRow::NAME);
        let is_ufc = name.as_text().is_some_and(|name| Promotions::get().of_event(name) == Some(UFC));
        cells.set_cell(EventsRow::NAME, name);
        cells.fill_null(EventsRow::NAME, event.names.first().map(String::as_str));
        cells.set_cell(EventsRow::EVENT_DATE, self.day_of_event(event.id, spans));
        cells.set_cell(EventsRow::IS_UFC, is_ufc.then_some(true));
        cells.set_cell(EventsRow::START_STATUS, "date_only");
    }

    fn day_of_event(&self, id: Uuid, spans: &[Vec<&ValidityInterval>]) -> CellValue {
        match newest_cell(spans, EventListingsRow::EVENT_DATE) {
            CellValue::Null => self.registry.events.get(&id).map(|event| event.day).into(),
            day => day,
        }
    }

    /// The start, and what the other source of starts gives, if it gives one: the feed's is that of the first bout; the
    /// calendars', which is that of the main card, comes first where they have put it to another day since.
    fn starts_of(&self, id: Uuid, near: Option<&CellValue>) -> Vec<DateTime<Utc>> {
        let start_of = |is_meant: &dyn Fn(&str) -> bool| {
            let place = event_place(EventListingsRow::START_AT);
            let mut spans = super::with_believed_starts(&self.listings.events, id, place, is_meant);
            near.into_iter().for_each(|day| keep_near(&mut spans, day));
            match newest_cell(&spans, EventListingsRow::START_AT) {
                CellValue::Instant(start) => Some(start),
                _ => None,
            }
        };
        let newest = start_of(&|_| true);
        let (feed, cards) =
            (start_of(&|source| source != CARDS_LAYOUT), start_of(&|source| source == CARDS_LAYOUT));
        let is_near =
            |start: &DateTime<Utc>| newest.is_some_and(|newest| (newest - *start).abs() <= CARD_LASTS);
        let first = feed.filter(is_near).or(newest);
        let other = [feed, cards].into_iter().flatten().find(|start| Some(*start) != first);
        first.into_iter().chain(other).collect()
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
            _ => match newest_cell(spans, EventListingsRow::STATUS) {
                CellValue::Null => "scheduled".into(),
                status => status,
            },
        }
    }
}
