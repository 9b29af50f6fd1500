//! What a source of the schedule says otherwise than before, as rows of `corrections`, and the spans themselves.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::listings::{Listings, Span, Spans};
use super::registry::Registry;
use super::replaced::Replacement;
use super::told::{BOUT_COLUMNS, EVENT_COLUMNS};
use crate::NormaliseError;
use crate::layout::{Layout, Row, Value};

/// What is no change of the event or the bout: the same in other words, ranks.
const NO_CORRECTION: [&str; 3] = ["weight_class_raw", "rank_a", "rank_b"];

/// Columns that every span begins with, after the entity.
const SPAN: [&str; 6] = ["source", "from_at", "from_capture", "until_at", "last_seen_at", "is_listed"];

pub(super) fn event_rows(listings: &Listings) -> Result<Vec<Row>, NormaliseError> {
    let names = ["event_id"].into_iter().chain(SPAN).chain(EVENT_COLUMNS);
    let names: Vec<&str> = names.chain(["listed_bouts"]).collect();
    let layout = Layout::new("event_listings", &names)?;
    Ok(rows(&listings.events, |id, source, span| {
        layout.row([id.into()].into_iter().chain(values(source, span)).chain([span.listed_bouts.into()]))
    }))
}

pub(super) fn bout_rows(registry: &Registry, listings: &Listings) -> Result<Vec<Row>, NormaliseError> {
    let own = ["bout_id", "event_id", "fighter_a_id", "fighter_b_id"];
    let names: Vec<&str> = own.into_iter().chain(SPAN).chain(BOUT_COLUMNS).collect();
    let layout = Layout::new("bout_listings", &names)?;
    Ok(rows(&listings.bouts, |id, source, span| {
        let bout = registry.bouts.get(&id);
        let [a, b] = bout.map(|bout| bout.fighters).unwrap_or_default();
        let event = bout.map(|bout| bout.event).unwrap_or_default();
        layout.row([id, event, a.min(b), a.max(b)].map(Value::from).into_iter().chain(values(source, span)))
    }))
}

fn rows(spans: &Spans, row: impl Fn(Uuid, &str, &Span) -> Row) -> Vec<Row> {
    let each =
        spans.0.iter().flat_map(|((id, source), spans)| spans.iter().map(move |span| (*id, source, span)));
    each.map(|(id, source, span)| row(id, source, span)).collect()
}

fn values(source: &str, span: &Span) -> impl Iterator<Item = Value> {
    let head = [
        source.into(),
        span.from.at.into(),
        Value::text(&span.from.capture),
        span.until.into(),
        span.last.at.into(),
        span.is_listed.into(),
    ];
    head.into_iter().chain(span.said.clone())
}

/// Rows of `corrections`. `part` is the source, since each is compared with itself.
pub(super) fn corrections(
    listings: &Listings,
    replacements: &BTreeMap<Uuid, Replacement>,
    registry: &Registry,
) -> Result<Vec<Row>, NormaliseError> {
    let layout = Layout::corrections()?;
    let mut rows = Vec::new();
    let kinds =
        [("event", &listings.events, &EVENT_COLUMNS[..]), ("bout", &listings.bouts, &BOUT_COLUMNS[..])];
    for (kind, spans, columns) in kinds {
        for ((id, source), spans) in &spans.0 {
            for pair in spans.windows(2) {
                let changes = changes(&pair[0], &pair[1], columns);
                rows.extend(
                    changes
                        .into_iter()
                        .map(|change| layout.row(correction(kind, *id, source, &pair[0], &pair[1], change))),
                );
            }
        }
    }
    for (bout, replacement) in replacements {
        rows.extend(opponent(listings, registry, *bout, replacement).map(|values| layout.row(values)));
    }
    Ok(rows)
}

/// A field, what it was, and what it is.
type Change<'a> = (&'a str, Value, Value);

fn changes<'a>(old: &Span, new: &Span, columns: &[&'a str]) -> Vec<Change<'a>> {
    if old.is_listed != new.is_listed {
        return vec![("is_listed", old.is_listed.into(), new.is_listed.into())];
    }
    let cells = columns.iter().zip(old.said.iter().zip(&new.said));
    let changed = cells.filter(|(name, (old, new))| old != new && !NO_CORRECTION.contains(name));
    changed.map(|(name, (old, new))| (*name, old.clone(), new.clone())).collect()
}

fn correction(kind: &str, id: Uuid, part: &str, old: &Span, new: &Span, change: Change<'_>) -> Vec<Value> {
    let (field, before, after) = change;
    let how = match (&before, &after) {
        (Value::Null, _) => "filled",
        (_, Value::Null) => "withdrawn",
        _ => "changed",
    };
    vec![
        kind.into(),
        id.into(),
        part.into(),
        field.into(),
        how.into(),
        before.display().as_deref().into(),
        after.display().as_deref().into(),
        old.from.at.into(),
        old.last.at.into(),
        Value::text(&old.last.capture),
        new.from.at.into(),
        Value::text(&new.from.capture),
    ]
}

/// That one fighter's opponent is another one; `part` is who stays.
fn opponent(
    listings: &Listings,
    registry: &Registry,
    bout: Uuid,
    replacement: &Replacement,
) -> Option<Vec<Value>> {
    let listed = listings.bouts.0.range((bout, String::new())..).take_while(|((id, _), _)| *id == bout);
    let first = listed.flat_map(|(_, spans)| spans.first()).min_by_key(|span| &span.from);
    // Where no list has the new bout, the source of its result showed it.
    let shown = registry.links.values().filter(|link| link.entity == bout).map(|link| &link.seen).min();
    let from = first.map(|span| &span.from).or(shown)?;
    let new = Span { from: from.clone(), ..replacement.span.clone() };
    let change = ("opponent", replacement.old.into(), replacement.new.into());
    Some(correction("bout", bout, &replacement.stays.to_string(), &replacement.span, &new, change))
}
