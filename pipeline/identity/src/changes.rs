//! What a source of the schedule says otherwise than before, as rows of `corrections`, and the spans themselves.
//!
//! Each source is compared with what it last gave itself. Lists leave out a part of the card, a title or a place for
//! once and give it again the next day: what is left out says nothing, so that nothing is ever withdrawn. A place on the
//! card is counted from the first bout, so that it shifts with every bout below it: only bouts that change places
//! with another one have moved.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use fdna_rows::{CellValue, RowsError, TableLayout, TableRow};
use uuid::Uuid;

use super::claims::FirstSeen;
use super::listing_history::{ListingHistories, ListingHistory, ValidityInterval};
use super::listing_statements::{BOUT_COLUMNS, EVENT_COLUMNS};
use super::registry::EntityRegistry;
use super::replacements::BoutReplacement;

/// What is no change of the event or the bout: the same in other words, ranks.
const NO_CORRECTION: [&str; 3] = ["weight_class_raw", "rank_a", "rank_b"];

/// Columns that every span begins with, after the entity.
const SPAN: [&str; 6] = ["source", "from_at", "from_capture", "until_at", "last_seen_at", "is_listed"];

pub(super) fn event_rows(listings: &ListingHistories) -> Result<Vec<TableRow>, RowsError> {
    let names = ["event_id"].into_iter().chain(SPAN).chain(EVENT_COLUMNS);
    let names: Vec<&str> = names.chain(["listed_bouts"]).collect();
    let layout = TableLayout::new("event_listings", &names)?;
    Ok(rows(&listings.events, |id, source, span| {
        layout.row([id.into()].into_iter().chain(values(source, span)).chain([span.listed_bouts.into()]))
    }))
}

pub(super) fn bout_rows(
    registry: &EntityRegistry,
    listings: &ListingHistories,
) -> Result<Vec<TableRow>, RowsError> {
    let own = ["bout_id", "event_id", "fighter_a_id", "fighter_b_id"];
    let names: Vec<&str> = own.into_iter().chain(SPAN).chain(BOUT_COLUMNS).collect();
    let layout = TableLayout::new("bout_listings", &names)?;
    Ok(rows(&listings.bouts, |id, source, span| {
        let bout = registry.bouts.get(&id);
        let [a, b] = bout.map(|bout| bout.fighters).unwrap_or_default();
        let event = bout.map(|bout| bout.event).unwrap_or_default();
        layout
            .row([id, event, a.min(b), a.max(b)].map(CellValue::from).into_iter().chain(values(source, span)))
    }))
}

fn rows(spans: &ListingHistory, row: impl Fn(Uuid, &str, &ValidityInterval) -> TableRow) -> Vec<TableRow> {
    let each =
        spans.0.iter().flat_map(|((id, source), spans)| spans.iter().map(move |span| (*id, source, span)));
    each.map(|(id, source, span)| row(id, source, span)).collect()
}

fn values(source: &str, span: &ValidityInterval) -> impl Iterator<Item = CellValue> {
    let head = [
        source.into(),
        span.from.at.into(),
        CellValue::text(&span.from.capture),
        span.until.into(),
        span.last.at.into(),
        span.is_listed.into(),
    ];
    head.into_iter().chain(span.said.clone())
}

/// Rows of `corrections`. `part` is the source, since each is compared with itself.
pub(super) fn corrections(
    listings: &ListingHistories,
    replacements: &BTreeMap<Uuid, BoutReplacement>,
    registry: &EntityRegistry,
) -> Result<Vec<TableRow>, RowsError> {
    let layout = TableLayout::corrections()?;
    let mut rows = Vec::new();
    let kinds =
        [("event", &listings.events, &EVENT_COLUMNS[..]), ("bout", &listings.bouts, &BOUT_COLUMNS[..])];
    for (kind, spans, columns) in kinds {
        for ((id, source), spans) in &spans.0 {
            let changes = changes(spans, columns).into_iter();
            let changes =
                changes.filter(|c| c.field != "bout_order" || is_moved(listings, registry, *id, source, c));
            rows.extend(changes.map(|change| layout.row(correction(kind, *id, source, change))));
        }
    }
    for (bout, replacement) in replacements {
        rows.extend(opponent(listings, registry, *bout, replacement).map(|values| layout.row(values)));
    }
    Ok(rows)
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

/// What one source says otherwise than before of one event or bout.
fn changes<'a>(spans: &'a [ValidityInterval], columns: &[&'a str]) -> Vec<EntityChange<'a>> {
    let is_told = |pair: &&[ValidityInterval]| pair[0].is_listed != pair[1].is_listed;
    let listed = spans.windows(2).filter(is_told).map(|pair| EntityChange {
        field: "is_listed",
        old: pair[0].is_listed.into(),
        first: &pair[0].from,
        last: &pair[0].last,
        new: pair[1].is_listed.into(),
        since: &pair[1].from,
    });
    let fields = columns.iter().enumerate().filter(|(_, name)| !NO_CORRECTION.contains(name));
    listed.chain(fields.flat_map(|(place, name)| field_changes(spans, place, name))).collect()
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
    let place = BOUT_COLUMNS.iter().position(|name| *name == "bout_order").unwrap_or_default();
    let order = |bout: Uuid, at: DateTime<Utc>| {
        let spans = listings.bouts.0.get(&(bout, source.to_owned()))?;
        let then = spans.iter().find(|span| span.is_listed && span.from.at <= at && at <= span.last.at)?;
        if let CellValue::Int(order) = then.said[place] { Some(order) } else { None }
    };
    let places = |bout: Uuid| Some((order(bout, change.last.at)?, order(bout, change.since.at)?));
    let Some((before, after)) = places(bout) else { return true };
    let event = registry.bouts.get(&bout).map(|bout| bout.event).unwrap_or_default();
    let mut others =
        registry.bouts_of(event).filter(|other| other.id != bout).filter_map(|other| places(other.id));
    others.any(|(then, now)| (then < before) != (now < after))
}

fn correction(kind: &str, id: Uuid, part: &str, change: EntityChange<'_>) -> Vec<CellValue> {
    let how = if change.old == CellValue::Null { "filled" } else { "changed" };
    vec![
        kind.into(),
        id.into(),
        part.into(),
        change.field.into(),
        how.into(),
        change.old.display().as_deref().into(),
        change.new.display().as_deref().into(),
        change.first.at.into(),
        change.last.at.into(),
        CellValue::text(&change.last.capture),
        change.since.at.into(),
        CellValue::text(&change.since.capture),
    ]
}

/// That one fighter's opponent is another one; `part` is who stays.
fn opponent(
    listings: &ListingHistories,
    registry: &EntityRegistry,
    bout: Uuid,
    replacement: &BoutReplacement,
) -> Option<Vec<CellValue>> {
    let listed = listings.bouts.0.range((bout, String::new())..).take_while(|((id, _), _)| *id == bout);
    let first = listed.flat_map(|(_, spans)| spans.first()).min_by_key(|span| &span.from);
    // Where no list has the new bout, the source of its result showed it.
    let shown = registry.links.values().filter(|link| link.entity == bout).map(|link| &link.seen).min();
    let from = first.map(|span| &span.from).or(shown)?;
    let BoutReplacement { stays, old, new, span, .. } = replacement;
    let change = EntityChange {
        field: "opponent",
        old: (*old).into(),
        first: &span.from,
        last: &span.last,
        new: (*new).into(),
        since: from,
    };
    Some(correction("bout", bout, &stays.to_string(), change))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [&str; 2] = ["is_title", "rank_a"];

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
            said: vec![value.clone(), CellValue::Int(day.cast_signed())],
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
        changes(&spans, &COLUMNS).into_iter().map(line).collect()
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
