//! Changes in what a source of the schedule states, as rows of `corrections`, and the spans themselves.
//!
//! Each source is compared with what it last gave itself. Lists leave out a part of the card, a title or a place for
//! once and give it again the next day: what is left out says nothing, so that nothing is ever withdrawn. A place on the
//! card is counted from the first bout, so that it shifts with every bout below it: only bouts that change places
//! with another one have moved.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use fdna_rows::{CellValue, TableRow, row_cells};
use fdna_schemas::tables::{BoutListingsRow, ColumnPlace, CorrectionsRow, EventListingsRow};
use uuid::Uuid;

use super::claims::FirstSeen;
use super::listing_history::{ListingHistories, ListingHistory, ValidityInterval};
use super::listing_statements::{BOUT_COLUMNS, EVENT_COLUMNS, bout_place};
use super::registry::EntityRegistry;
use super::replacements::BoutReplacement;

/// Columns whose change is no correction: the same in other words, ranks.
const NO_CORRECTION: [ColumnPlace; 3] =
    [BoutListingsRow::WEIGHT_CLASS_RAW, BoutListingsRow::RANK_A, BoutListingsRow::RANK_B];

pub(super) fn event_rows(listings: &ListingHistories) -> Vec<TableRow> {
    interval_rows(&listings.events, &EVENT_COLUMNS, |id, source, span| {
        row_cells(&EventListingsRow {
            event_id: id,
            source,
            from_at: span.from.at,
            from_capture: &span.from.capture,
            until_at: span.until,
            last_seen_at: span.last.at,
            is_listed: span.is_listed,
            name: None,
            event_date: None,
            start_at: None,
            venue: None,
            city: None,
            region: None,
            country: None,
            status: None,
            listed_bouts: span.listed_bouts,
        })
    })
}

pub(super) fn bout_rows(registry: &EntityRegistry, listings: &ListingHistories) -> Vec<TableRow> {
    interval_rows(&listings.bouts, &BOUT_COLUMNS, |id, source, span| {
        let bout = registry.bouts.get(&id);
        let [a, b] = bout.map(|bout| bout.fighters).unwrap_or_default();
        row_cells(&BoutListingsRow {
            bout_id: id,
            event_id: bout.map(|bout| bout.event).unwrap_or_default(),
            source,
            from_at: span.from.at,
            from_capture: &span.from.capture,
            until_at: span.until,
            last_seen_at: span.last.at,
            is_listed: span.is_listed,
            fighter_a_id: a.min(b),
            fighter_b_id: a.max(b),
            start_at: None,
            card_position: None,
            bout_order: None,
            weight_class: None,
            weight_class_raw: None,
            scheduled_rounds: None,
            is_title: None,
            status: None,
            rank_a: None,
            rank_b: None,
        })
    })
}

/// A row of each span, and in it what was said.
fn interval_rows(
    spans: &ListingHistory,
    columns: &[ColumnPlace],
    row: impl Fn(Uuid, &str, &ValidityInterval) -> TableRow,
) -> Vec<TableRow> {
    let each = spans
        .all_intervals()
        .flat_map(|(id, source, spans)| spans.iter().map(move |span| (id, source, span)));
    let filled = |(id, source, span): (Uuid, &str, &ValidityInterval)| {
        let mut row = row(id, source, span);
        columns.iter().zip(&*span.said).for_each(|(column, said)| row[column.place] = said.clone());
        row
    };
    each.map(filled).collect()
}

/// Rows of `corrections`. `part` is the source, since each is compared with itself.
pub(super) fn correction_rows(
    listings: &ListingHistories,
    replacements: &BTreeMap<Uuid, BoutReplacement>,
    registry: &EntityRegistry,
) -> Vec<TableRow> {
    let mut rows = Vec::new();
    let kinds =
        [("event", &listings.events, &EVENT_COLUMNS[..]), ("bout", &listings.bouts, &BOUT_COLUMNS[..])];
    for (kind, spans, columns) in kinds {
        for (id, source, spans) in spans.all_intervals() {
            let changes = find_changes(spans, columns).into_iter();
            let is_order = |c: &EntityChange<'_>| c.field == BoutListingsRow::BOUT_ORDER.name;
            let changes = changes.filter(|c| !is_order(c) || is_moved(listings, registry, id, source, c));
            rows.extend(changes.map(|change| correction_row(kind, id, source, &change)));
        }
    }
    for (bout, replacement) in replacements {
        rows.extend(opponent_change_row(listings, registry, *bout, replacement));
    }
    rows
}

/// A field, what it was from when to when, and what it is since when.
#[derive(Debug, Clone)]
struct EntityChange<'a> {
    field: &'a str,
    old: CellValue,
    first: &'a FirstSeen,
    last: &'a FirstSeen,
    new: CellValue,
    since: &'a FirstSeen,
}

/// Changes that one source made to one event or bout.
fn find_changes<'a>(spans: &'a [ValidityInterval], columns: &[ColumnPlace]) -> Vec<EntityChange<'a>> {
    let is_told = |pair: &&[ValidityInterval]| pair[0].is_listed != pair[1].is_listed;
    let listed = spans.windows(2).filter(is_told).map(|pair| EntityChange {
        field: EventListingsRow::IS_LISTED.name,
        old: pair[0].is_listed.into(),
        first: &pair[0].from,
        last: &pair[0].last,
        new: pair[1].is_listed.into(),
        since: &pair[1].from,
    });
    let fields = columns.iter().enumerate().filter(|(_, column)| !NO_CORRECTION.contains(column));
    listed.chain(fields.flat_map(|(place, column)| field_changes(spans, place, column.name))).collect()
}

/// The changes of one field. A span of a list that lacks the entity repeats what was said before.
fn field_changes<'a>(spans: &'a [ValidityInterval], place: usize, field: &'a str) -> Vec<EntityChange<'a>> {
    let mut changes = Vec::new();
    let Some(first) = spans.first() else { return changes };
    let (mut old, mut begun, mut last) = (&CellValue::Null, &first.from, &first.from);
    for span in spans.iter().filter(|span| span.is_listed) {
        let new = &span.said[place];
        if *new != CellValue::Null && old != new {
            if span.from.at > first.from.at {
                let (old, new) = (old.clone(), new.clone());
                changes.push(EntityChange { field, old, first: begun, last, new, since: &span.from });
            }
            (old, begun) = (new, &span.from);
        }
        // As long as nothing is known, every list that does not say it says that.
        if *new != CellValue::Null || *old == CellValue::Null {
            last = &span.last;
        }
    }
    changes
}

/// Whether the bout passed another one that was on the card before and after.
fn is_moved(
    listings: &ListingHistories,
    registry: &EntityRegistry,
    bout: Uuid,
    source: &str,
    change: &EntityChange<'_>,
) -> bool {
    if change.old == CellValue::Null {
        return true;
    }
    let place = bout_place(BoutListingsRow::BOUT_ORDER);
    let order = |bout: Uuid, at: DateTime<Utc>| {
        let spans = listings.bouts.intervals_by(bout, source);
        let then = spans.iter().find(|span| span.is_listed && span.from.at <= at && at <= span.last.at)?;
        then.said[place].as_int()
    };
    let places = |bout: Uuid| Some((order(bout, change.last.at)?, order(bout, change.since.at)?));
    let Some((before, after)) = places(bout) else { return true };
    let event = registry.bouts.get(&bout).map(|bout| bout.event).unwrap_or_default();
    let mut others =
        registry.bouts_of(event).filter(|other| other.id != bout).filter_map(|other| places(other.id));
    others.any(|(then, now)| (then < before) != (now < after))
}

fn correction_row(kind: &str, id: Uuid, part: &str, change: &EntityChange<'_>) -> TableRow {
    row_cells(&CorrectionsRow {
        kind,
        entity_id: id,
        part,
        field: change.field,
        change: if change.old == CellValue::Null { "filled" } else { "changed" },
        old: change.old.display().as_deref(),
        new: change.new.display().as_deref(),
        old_first_seen_at: change.first.at,
        old_last_seen_at: change.last.at,
        old_last_seen_in: &change.last.capture,
        replaced_at: change.since.at,
        replaced_by: &change.since.capture,
    })
}

/// Row about a fighter's new opponent; `part` is the fighter who stays.
fn opponent_change_row(
    listings: &ListingHistories,
    registry: &EntityRegistry,
    bout: Uuid,
    replacement: &BoutReplacement,
) -> Option<TableRow> {
    let first =
        listings.bouts.intervals_of(bout).flat_map(|(_, spans)| spans.first()).min_by_key(|span| &span.from);
    // Where no list has the new bout, the source of its result showed it.
    let shown = || registry.links.values().filter(|link| link.entity == bout).map(|link| &link.seen).min();
    let from = first.map(|span| &span.from).or_else(shown)?;
    let BoutReplacement { stays, old, new, span, .. } = replacement;
    let change = EntityChange {
        field: "opponent",
        old: (*old).into(),
        first: &span.from,
        last: &span.last,
        new: (*new).into(),
        since: from,
    };
    Some(correction_row("bout", bout, &stays.to_string(), &change))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [ColumnPlace; 2] = [BoutListingsRow::IS_TITLE, BoutListingsRow::RANK_A];

    fn seen(day: u32) -> FirstSeen {
        let day = chrono::NaiveDate::from_ymd_opt(2026, 1, day).unwrap();
        FirstSeen { at: day.and_hms_opt(0, 0, 0).unwrap().and_utc(), capture: day.to_string() }
    }

    /// Spans of a day each that say these; the second of each is a rank, whose change is none.
    fn spans(said: &[(bool, CellValue)]) -> Vec<ValidityInterval> {
        let span = |(day, (is_listed, value)): (u32, &(bool, CellValue))| ValidityInterval {
            from: seen(day),
            until: None,
            last: seen(day),
            listed_bouts: None,
            is_listed: *is_listed,
            said: [value.clone(), CellValue::Int(day.cast_signed())].into(),
        };
        (1..).zip(said).map(span).collect()
    }

    fn told(said: &[(bool, CellValue)]) -> Vec<String> {
        let spans = spans(said);
        let text = |value: &CellValue| value.display().unwrap_or("-".to_owned());
        let line = |c: EntityChange<'_>| {
            let days = [c.first, c.last, c.since].map(|seen| seen.capture[8..].to_owned());
            format!(
                "{} {} of {}-{} is {} on {}",
                c.field,
                text(&c.old),
                days[0],
                days[1],
                text(&c.new),
                days[2]
            )
        };
        find_changes(&spans, &COLUMNS).into_iter().map(line).collect()
    }

    const NONE: (bool, CellValue) = (true, CellValue::Null);
    const YES: (bool, CellValue) = (true, CellValue::Bool(true));
    const NO: (bool, CellValue) = (true, CellValue::Bool(false));

    #[test]
    fn what_a_list_leaves_out_and_gives_again_has_not_changed() {
        assert_eq!(told(&[YES, NONE, YES, NONE]), [""; 0]);
    }

    #[test]
    fn a_value_is_filled_once_and_changed_from_what_was_given_last() {
        let expected = ["is_title - of 01-02 is true on 03", "is_title true of 03-04 is false on 06"];
        assert_eq!(told(&[NONE, NONE, YES, YES, NONE, NO, NONE]), expected);
    }

    #[test]
    fn a_bout_that_is_back_says_what_changed_meanwhile() {
        let off = (false, CellValue::Bool(true));
        let expected = [
            "is_listed true of 01-01 is false on 02",
            "is_listed false of 02-02 is true on 03",
            "is_title true of 01-01 is false on 03",
        ];
        assert_eq!(told(&[YES, off, NO]), expected);
    }
}
