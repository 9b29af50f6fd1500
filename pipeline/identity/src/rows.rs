//! The rows of `events`, `bouts` and `fighters`: the statistics source's, with what the schedule adds to them, and
//! those that the schedule alone has.

pub(super) mod bouts;
mod events;
mod fighters;

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use fdna_model::Kind;
use fdna_rows::{CellValue, TableRow};
use fdna_schemas::Table;
use fdna_schemas::tables::ColumnPlace;
use uuid::Uuid;

use super::listing_history::{ListingHistories, ListingHistory, ValidityInterval};
use super::listing_statements::{LinkedEntities, WomenFighters};
use super::registry::EntityRegistry;
use super::replacements::BoutReplacement;
use super::schedule::ScheduleCaptures;
use super::stated_start::believed_start;

/// Inputs of the rows.
pub(super) struct LinkedRows<'a> {
    pub(super) registry: &'a EntityRegistry,
    pub(super) schedule: &'a ScheduleCaptures,
    pub(super) entities: &'a LinkedEntities,
    pub(super) listings: &'a ListingHistories,
    pub(super) women: &'a WomenFighters,
    /// Bouts whose result is known.
    pub(super) results: &'a BTreeSet<Uuid>,
    /// These, and bouts that a schedule says are over.
    pub(super) over: &'a BTreeSet<Uuid>,
    /// Events of which the statistics source has a result.
    pub(super) told: &'a BTreeSet<Uuid>,
    /// The day up to which the sources tell; `None` where none says anything.
    pub(super) last_stated_day: Option<NaiveDate>,
    pub(super) replacements: &'a BTreeMap<Uuid, BoutReplacement>,
}

/// A row's cells by their columns.
struct RowCells<'a>(&'a mut TableRow);

impl RowCells<'_> {
    fn set_cell(&mut self, column: ColumnPlace, value: impl Into<CellValue>) {
        self.0[column.place] = value.into();
    }

    /// Sets what is unknown.
    fn fill_null(&mut self, column: ColumnPlace, value: impl Into<CellValue>) {
        if *self.cell_at(column) == CellValue::Null {
            self.set_cell(column, value);
        }
    }

    fn cell_at(&self, column: ColumnPlace) -> &CellValue {
        &self.0[column.place]
    }

    fn id(&self) -> Uuid {
        self.0[0].as_id().unwrap_or_default()
    }
}

/// The last stated value, from the newest source that states any. A source's value is the one in its last statement of
/// any of the columns `with` which it belongs: a list may leave out a value that another list gave, but the city of one
/// venue is not that of the next. Sources that no longer list the entity come after those that do.
fn newest_value<'a>(sources: &[Vec<&'a ValidityInterval>], place: usize, with: &[usize]) -> &'a CellValue {
    let is_on = |spans: &&Vec<&ValidityInterval>| spans.first().is_some_and(|span| span.is_listed);
    let (on, off): (Vec<_>, Vec<_>) = sources.iter().partition(is_on);
    let speaks = |span: &&&ValidityInterval| {
        with.iter().chain([&place]).any(|place| span.said[*place] != CellValue::Null)
    };
    let spoke = |spans: &&Vec<&'a ValidityInterval>| spans.iter().find(speaks).copied();
    let said = on.iter().chain(&off).filter_map(spoke).map(|span| &span.said[place]);
    said.into_iter().find(|value| **value != CellValue::Null).unwrap_or(&CellValue::Null)
}

/// Intervals of an entity, as [`ListingHistory::newest_by`] lists them, without sources that fill in the start
/// at this place.
fn with_believed_starts<'a>(
    history: &'a ListingHistory,
    entity: Uuid,
    place: usize,
    is_meant: &dyn Fn(&str) -> bool,
) -> Vec<Vec<&'a ValidityInterval>> {
    let is_believed = |source: &str| {
        let starts = history.intervals_by(entity, source).iter().rev().map(|span| &span.said[place]);
        let start = starts.into_iter().find(|start| **start != CellValue::Null);
        !matches!(start, Some(CellValue::Instant(start)) if believed_start(source, *start).is_none())
    };
    history.newest_by(entity, |source| is_meant(source) && is_believed(source))
}

/// The newest span of all sources.
fn last_word<'a>(sources: &[Vec<&'a ValidityInterval>]) -> Option<&'a ValidityInterval> {
    sources.first()?.first().copied()
}

/// An empty row of a new entity.
fn blank_row(table: &Table, id: Uuid) -> TableRow {
    let mut row = vec![CellValue::Null; table.columns.len()];
    row[0] = id.into();
    row
}

/// Status values of future events and bouts.
const TO_COME: [&str; 3] = ["announced", "scheduled", "in_progress"];

impl LinkedRows<'_> {
    /// A status in the light of the day that it is of. What was to come then and of which nobody has told since may
    /// have taken place, or not: that is unknown.
    fn unless_past(&self, status: CellValue, day: &CellValue) -> CellValue {
        let is_past = day.as_date().zip(self.last_stated_day).is_some_and(|(day, until)| day < until);
        let is_to_come = status.as_text().is_some_and(|status| TO_COME.contains(&status));
        if is_past && is_to_come { CellValue::Null } else { status }
    }

    /// The feed's own ids, by entity.
    fn feed_ids(&self, kind: Kind) -> BTreeMap<Uuid, &str> {
        let links = self.registry.links.iter();
        let own = links.filter(|(key, _)| {
            key.kind == kind && key.source == crate::source_names::FEED && key.is_exclusive()
        });
        let mut ids: Vec<_> = own.map(|(key, link)| (link.entity, key.source_id.as_str())).collect();
        // Of two ids of one entity the greater stays.
        ids.sort_unstable();
        ids.into_iter().collect()
    }
}

/// Ids of the rows.
fn row_ids(rows: &[TableRow]) -> BTreeSet<Uuid> {
    rows.iter().filter_map(|row| row[0].as_id()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::FirstSeen;

    /// A span of a day that says these.
    fn span(is_listed: bool, said: [&str; 2]) -> ValidityInterval {
        let seen = || FirstSeen { at: chrono::DateTime::UNIX_EPOCH, capture: String::new() };
        let value = |text: &str| if text.is_empty() { CellValue::Null } else { CellValue::from(text) };
        ValidityInterval {
            from: seen(),
            until: None,
            last: seen(),
            is_listed,
            listed_bouts: None,
            said: said.map(value).into(),
        }
    }

    /// Venue and city as told by one source, the newest span first.
    fn told(spans: &[ValidityInterval]) -> [&CellValue; 2] {
        let source: Vec<Vec<&ValidityInterval>> = vec![spans.iter().collect()];
        [newest_value(&source, 0, &[0, 1]), newest_value(&source, 1, &[0, 1])]
    }

    #[test]
    fn a_list_that_leaves_out_what_was_known_hides_nothing() {
        let spans = [span(true, ["", ""]), span(true, ["the hall", "the city"])];
        assert_eq!(told(&spans), [&CellValue::from("the hall"), &CellValue::from("the city")]);
    }

    #[test]
    fn the_city_of_an_older_venue_is_not_that_of_the_next() {
        let spans = [span(true, ["the arena", ""]), span(true, ["the hall", "the city"])];
        assert_eq!(told(&spans), [&CellValue::from("the arena"), &CellValue::Null]);
    }

    #[test]
    fn who_lists_it_is_heard_before_who_took_it_off() {
        let (on, off) = (span(true, ["the arena", ""]), span(false, ["the hall", "the city"]));
        let sources = vec![vec![&off], vec![&on]];
        assert_eq!(newest_value(&sources, 0, &[0, 1]), &CellValue::from("the arena"));
    }
}
