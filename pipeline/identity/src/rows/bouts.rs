//! Bouts.

use std::collections::BTreeMap;

use fdna_model::{Kind, WeightClass};
use fdna_rows::{CellValue, TableRow};
use fdna_schemas::{Table, Titles};
use uuid::Uuid;

use super::{LinkedRows, RowCells, blank, ids};
use crate::claims::mention;
use crate::listing_history::ValidityInterval;
use crate::listing_statements::BOUT_COLUMNS;
use crate::registry::SourceKey;

fn place(column: &str) -> usize {
    BOUT_COLUMNS.iter().position(|name| *name == column).unwrap_or_default()
}

/// Columns that a source states together: where on the card, and when; a class and what it was read from, so that a
/// limit that is none of a class is not given the class of the limit before.
const TOGETHER: [&[&str]; 2] =
    [&["card_position", "bout_order", "start_at"], &["weight_class", "weight_class_raw"]];

fn newest(sources: &[Vec<&ValidityInterval>], column: &str) -> CellValue {
    let with = TOGETHER.into_iter().find(|columns| columns.contains(&column)).unwrap_or_default();
    let with: Vec<usize> = with.iter().map(|column| place(column)).collect();
    super::newest(sources, place(column), &with).clone()
}

impl LinkedRows<'_> {
    /// Adds to the rows of the statistics source what the schedule says, and the bouts that it alone has; their day
    /// and promotion are those of their events, the rows of `events`.
    pub(crate) fn bouts(
        &self,
        table: &Table,
        mut rows: Vec<TableRow>,
        events: &EventColumns,
    ) -> Vec<TableRow> {
        let (there, feed) = (ids(&rows), self.feed_ids(Kind::Bout));
        let rules = self.rules();
        let new = self.registry.bouts.keys().filter(|id| !there.contains(id));
        rows.extend(new.map(|id| blank(table, *id)));
        for row in &mut rows {
            let mut cells = RowCells { table, row };
            let id = cells.id();
            let spans = self.listings.bouts.newest_of(id);
            cells.fill("feed_competition_id", feed.get(&id).copied());
            if !there.contains(&id) {
                self.found_bout(&mut cells, &spans, &rules);
            }
            for column in ["start_at", "card_position", "bout_order"] {
                cells.fill(column, newest(&spans, column));
            }
            if !cells.is("status", "completed") {
                let status = self.unless_past(self.bout_status(id, &spans), cells.get("event_date"));
                cells.set("status", status);
            }
            if let Some(replacement) = self.replacements.get(&id) {
                cells.set("replaced_bout_id", replacement.bout);
                cells.set("short_notice_days", replacement.days);
            }
            let belt = match cells.get("statsdb_id") {
                CellValue::Text(id) => Titles::get().kind_of(id),
                _ => None,
            };
            cells.fill("title_kind", belt);
            if let CellValue::Id(event) = cells.get("event_id")
                && let Some([day, promotion]) = events.get(event)
            {
                cells.set("event_date", day.clone());
                cells.set("promotion", promotion.clone());
            }
        }
        rows
    }

    /// What a new bout must have.
    fn found_bout(&self, cells: &mut RowCells<'_>, spans: &[Vec<&ValidityInterval>], rules: &LinkRules<'_>) {
        let Some(bout) = self.registry.bouts.get(&cells.id()) else { return };
        let [mut a, mut b] = bout.fighters;
        if b < a {
            (a, b) = (b, a);
        }
        cells.set("event_id", bout.event);
        cells.set("event_date", self.day_of(bout.event));
        for (column, rule, fighter) in
            [("fighter_a_id", "fighter_a_rule", a), ("fighter_b_id", "fighter_b_rule", b)]
        {
            cells.set(column, fighter);
            cells.set(rule, rules.get(&(bout.id, fighter)).copied().unwrap_or("name"));
        }
        for column in ["weight_class", "weight_class_raw", "scheduled_rounds", "is_title"] {
            cells.set(column, newest(spans, column));
        }
        let class = if let CellValue::Text(name) = cells.get("weight_class") {
            WeightClass::from_name(name)
        } else {
            None
        };
        let known = [a, b].iter().find_map(|fighter| self.women.get(fighter).copied());
        cells.set("is_womens", class.map(WeightClass::is_womens).or(known));
    }

    /// How each fighter was tied to a bout of the schedule.
    fn rules(&self) -> LinkRules<'_> {
        let mut rules = LinkRules::new();
        let claims = self.schedule.bouts.iter().zip(&self.entities.bouts);
        for (claim, linked) in claims.filter_map(|(claim, linked)| Some((claim, (*linked)?))) {
            let event = &self.schedule.events[claim.event];
            for ((id, name), fighter) in claim.fighters.iter().zip(linked.fighters) {
                let source_id = id.clone().unwrap_or_else(|| mention(&event.source_id, &[name]));
                let link = self.registry.links.get(&SourceKey::new(Kind::Fighter, event.space, &source_id));
                if let Some(link) = link.filter(|link| link.entity == fighter) {
                    rules.entry((linked.bout, fighter)).or_insert(&link.rule);
                }
            }
        }
        rules
    }

    /// Whether a bout will not be, or was not, fought.
    pub(crate) fn is_off(&self, id: Uuid) -> bool {
        self.bout_status(id, &self.listings.bouts.newest_of(id)) == CellValue::from("cancelled")
    }

    /// Completed with a result; without one, though it is over, its result is unknown; cancelled if the newest list of
    /// the event lacks it, or if the event is off or over without it; else what the newest list says.
    fn bout_status(&self, id: Uuid, spans: &[Vec<&ValidityInterval>]) -> CellValue {
        let event = self.registry.bouts.get(&id).map(|bout| bout.event).unwrap_or_default();
        match super::last_word(spans) {
            _ if self.results.contains(&id) => "completed".into(),
            _ if self.over.contains(&id) => "result_unknown".into(),
            Some(span) if !span.is_listed => "cancelled".into(),
            _ if self.told.contains(&event) || self.is_event_cancelled(event) => "cancelled".into(),
            _ => match newest(spans, "status") {
                CellValue::Null => "scheduled".into(),
                status => status,
            },
        }
    }
}

/// Day and promotion of each event.
pub(crate) type EventColumns = BTreeMap<Uuid, [CellValue; 2]>;

/// Reads them from rows of `events`.
pub(crate) fn of_events(table: &Table, rows: &[TableRow]) -> EventColumns {
    let places = ["event_date", "promotion"].map(|column| table.place(column));
    let cell =
        |row: &TableRow, place: Option<usize>| place.map_or(CellValue::Null, |place| row[place].clone());
    let of_row = |row: &TableRow| {
        let CellValue::Id(id) = row[0] else { return None };
        Some((id, places.map(|place| cell(row, place))))
    };
    rows.iter().filter_map(of_row).collect()
}

/// By bout and fighter.
type LinkRules<'a> = BTreeMap<(Uuid, Uuid), &'a str>;
