//! Opponents replaced: a bout that is off, and one of the same event that came later with one of its fighters.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use chrono::NaiveDate;
use fdna_rows::CellValue;
use fdna_schemas::tables::BoutListingsRow;
use uuid::Uuid;

use super::listing_history::{ListingHistories, ValidityInterval};
use super::listing_statements::bout_place;
use super::registry::{EntityRegistry, RegisteredBout};

/// The bout that another one stands in for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BoutReplacement {
    pub(super) bout: Uuid,
    /// From the first capture that lists the new bout to the event; `None` if none did before.
    pub(super) days: Option<i32>,
    /// The fighter who stays, and the replacement with the replaced.
    pub(super) stays: Uuid,
    pub(super) old: Uuid,
    pub(super) new: Uuid,
    /// The last time that the old bout was listed.
    pub(super) span: ValidityInterval,
}

/// Replacements by the new bout. `is_off` says which bouts are off for good.
pub(super) fn find_replacements(
    registry: &EntityRegistry,
    listings: &ListingHistories,
    is_off: impl Fn(Uuid) -> bool,
) -> BTreeMap<Uuid, BoutReplacement> {
    let mut found = BTreeMap::new();
    for event in registry.events.keys() {
        let bouts: Vec<&RegisteredBout> = registry.bouts_of(*event).collect();
        let (off, on): (Vec<&RegisteredBout>, Vec<&RegisteredBout>) =
            bouts.into_iter().partition(|bout| is_off(bout.id));
        for new in on {
            let day = registry.events.get(event).map(|event| event.day);
            let replaced = off.iter().filter_map(|old| find_replacement(listings, old, new, day));
            let like = card_place_similarity(listings, new.id);
            let best = replaced.max_by_key(|r| (r.span.last.clone(), like(&r.span), Reverse(r.bout)));
            found.extend(best.map(|replacement| (new.id, replacement)));
        }
    }
    found
}

fn find_replacement(
    listings: &ListingHistories,
    old: &RegisteredBout,
    new: &RegisteredBout,
    day: Option<NaiveDate>,
) -> Option<BoutReplacement> {
    let stays = *old.fighters.iter().find(|fighter| new.fighters.contains(fighter))?;
    let other = |bout: &RegisteredBout| bout.fighters.iter().copied().find(|fighter| *fighter != stays);
    let listed = last_listed(listings, old.id)?;
    let first = listings.bouts.first_listed(new.id);
    // A bout that was listed as early as the one that is off did not come in its place.
    if first.is_some_and(|first| first <= listed.from.at) {
        return None;
    }
    let days = first.zip(day).map(|(first, day)| (day - first.date_naive()).num_days());
    let days = days.filter(|days| *days >= 0).and_then(|days| i32::try_from(days).ok());
    Some(BoutReplacement {
        bout: old.id,
        days,
        stays,
        old: other(old)?,
        new: other(new)?,
        span: listed.clone(),
    })
}

/// How much a bout that is off stood where this one stands: in the same part of the card, then at the nearest place.
/// When the challenger falls out and one of another bout steps in, both bouts are off and share a fighter with the new
/// one; it stands for the one whose place it took.
fn card_place_similarity(
    listings: &ListingHistories,
    new: Uuid,
) -> impl Fn(&ValidityInterval) -> (bool, Option<Reverse<u32>>) {
    let stands = |span: &ValidityInterval| {
        let said = |column| &span.said[bout_place(column)];
        let part = said(BoutListingsRow::CARD_POSITION).clone();
        (Some(part).filter(|part| *part != CellValue::Null), said(BoutListingsRow::BOUT_ORDER).as_int())
    };
    let first = spans_of(listings, new).find(|span| span.is_listed).map(stands);
    move |old| {
        let Some((part, order)) = &first else { return (false, None) };
        let (old_part, old_order) = stands(old);
        let distance = order.zip(old_order).map(|(a, b)| a.abs_diff(b));
        (part.is_some() && *part == old_part, distance.map(Reverse))
    }
}

fn spans_of(listings: &ListingHistories, bout: Uuid) -> impl Iterator<Item = &ValidityInterval> {
    listings.bouts.intervals_of(bout).flat_map(|(_, spans)| spans)
}

/// The last span in which any source listed it.
fn last_listed(listings: &ListingHistories, bout: Uuid) -> Option<&ValidityInterval> {
    spans_of(listings, bout).filter(|span| span.is_listed).max_by_key(|span| &span.last)
}
