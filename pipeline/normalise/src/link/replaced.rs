//! Opponents replaced: a bout that is off, and one of the same event that came later with one of its fighters.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use uuid::Uuid;

use super::listings::{Listings, Span};
use super::registry::{Bout, Registry};

/// The bout that another one stands in for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Replacement {
    pub(super) bout: Uuid,
    /// From the first capture that lists the new bout to the event; `None` if none did before.
    pub(super) days: Option<i32>,
    /// Who stays, and who came for whom.
    pub(super) stays: Uuid,
    pub(super) old: Uuid,
    pub(super) new: Uuid,
    /// The last time that the old bout was listed.
    pub(super) span: Span,
}

/// Replacements by the new bout. `is_off` says which bouts are off for good.
pub(super) fn replacements(
    registry: &Registry,
    listings: &Listings,
    is_off: impl Fn(Uuid) -> bool,
) -> BTreeMap<Uuid, Replacement> {
    let mut found = BTreeMap::new();
    for event in registry.events.keys() {
        let bouts: Vec<&Bout> = registry.bouts_of(*event).collect();
        let (off, on): (Vec<&Bout>, Vec<&Bout>) = bouts.into_iter().partition(|bout| is_off(bout.id));
        for new in on {
            let day = registry.events.get(event).map(|event| event.day);
            let replaced = off.iter().filter_map(|old| replacement(listings, old, new, day));
            if let Some(replacement) =
                replaced.max_by(|a, b| a.span.last.cmp(&b.span.last).then(b.bout.cmp(&a.bout)))
            {
                found.insert(new.id, replacement);
            }
        }
    }
    found
}

fn replacement(listings: &Listings, old: &Bout, new: &Bout, day: Option<NaiveDate>) -> Option<Replacement> {
    let stays = *old.fighters.iter().find(|fighter| new.fighters.contains(fighter))?;
    let other = |bout: &Bout| bout.fighters.iter().copied().find(|fighter| *fighter != stays);
    let listed = last_listed(listings, old.id)?;
    let first = listings.bouts.first_listed(new.id);
    // A bout that was listed as early as the one that is off did not come in its place.
    if first.is_some_and(|first| first <= listed.from.at) {
        return None;
    }
    let days = first.zip(day).map(|(first, day)| (day - first.date_naive()).num_days());
    let days = days.filter(|days| *days >= 0).and_then(|days| i32::try_from(days).ok());
    Some(Replacement { bout: old.id, days, stays, old: other(old)?, new: other(new)?, span: listed.clone() })
}

/// The last span in which any source listed it.
fn last_listed(listings: &Listings, bout: Uuid) -> Option<&Span> {
    let spans = listings.bouts.0.range((bout, String::new())..).take_while(|((id, _), _)| *id == bout);
    spans.flat_map(|(_, spans)| spans).filter(|span| span.is_listed).max_by_key(|span| &span.last)
}
