//! Events.

use fdna_model::Kind;
use fdna_schemas::Table;
use uuid::Uuid;

use super::{Cells, Made, blank, ids, newest};
use crate::layout::{Row, Value};
use crate::link::listings::Span;
use crate::link::told::EVENT_COLUMNS;

fn place(column: &str) -> usize {
    EVENT_COLUMNS.iter().position(|name| *name == column).unwrap_or_default()
}

impl Made<'_> {
    /// Adds to the rows of the statistics source what the schedule says, and the events that it alone has.
    pub(in crate::link) fn events(&self, table: &Table, mut rows: Vec<Row>) -> Vec<Row> {
        let (there, feed) = (ids(&rows), self.feed_ids(Kind::Event));
        let new = self.registry.events.keys().filter(|id| !there.contains(id));
        rows.extend(new.map(|id| blank(table, *id)));
        for row in &mut rows {
            let mut cells = Cells { table, row };
            let id = cells.id();
            let spans = self.listings.events.newest_of(id);
            cells.fill("feed_event_id", feed.get(&id).copied());
            if !there.contains(&id) {
                self.found_event(&mut cells, &spans);
            }
            for column in ["start_at", "venue", "city", "region", "country"] {
                cells.fill(column, newest(&spans, place(column)).clone());
            }
            if *cells.get("start_at") != Value::Null {
                cells.set("start_status", "known");
            }
            if !cells.is("card_status", "completed") {
                let status = self.unless_past(self.event_status(id, &spans), cells.get("event_date"));
                cells.set("card_status", status);
            }
        }
        rows
    }

    /// What a new event must have.
    fn found_event(&self, cells: &mut Cells<'_>, spans: &[&Span]) {
        let Some(event) = self.registry.events.get(&cells.id()) else { return };
        let name = newest(spans, place("name")).clone();
        let is_ufc = matches!(&name, Value::Text(name) if name.starts_with("UFC "));
        cells.set("name", name);
        cells.fill("name", event.names.first().map(String::as_str));
        cells.set("event_date", self.day_of_event(event.id, spans));
        cells.set("is_ufc", is_ufc.then_some(true));
        cells.set("start_status", "date_only");
    }

    fn day_of_event(&self, id: Uuid, spans: &[&Span]) -> Value {
        match newest(spans, place("event_date")) {
            Value::Null => self.registry.events.get(&id).map(|event| event.day).into(),
            day => day.clone(),
        }
    }

    /// The day of an event that is no event of the statistics source.
    pub(super) fn day_of(&self, event: Uuid) -> Value {
        self.day_of_event(event, &self.listings.events.newest_of(event))
    }

    pub(super) fn is_event_cancelled(&self, id: Uuid) -> bool {
        self.event_status(id, &self.listings.events.newest_of(id)) == Value::from("cancelled")
    }

    /// Completed if any of its bouts has a result, cancelled if the newest list lacks it, else what the newest says.
    fn event_status(&self, id: Uuid, spans: &[&Span]) -> Value {
        let is_over = self.registry.bouts_of(id).any(|bout| self.over.contains(&bout.id));
        match (is_over, spans.first()) {
            (true, _) => "completed".into(),
            (false, Some(span)) if !span.is_listed => "cancelled".into(),
            _ => match newest(spans, place("status")) {
                Value::Null => "scheduled".into(),
                status => status.clone(),
            },
        }
    }
}
