//! An opponent replaced: another bout of the event that is off, with one of the same fighters, listed before.

use std::cmp::Reverse;

use uuid::Uuid;

use super::BoutSubject;
use crate::StateValue;
use crate::history::{BoutHistory, SourceStatement};
use crate::state::{KnownState, StateField};

impl BoutSubject<'_> {
    pub(super) fn set_replaced(&self, known: &mut KnownState) {
        if known.state.is_cancelled() {
            return;
        }
        let Some(first) = self.bout.tellings.first_listed(self.at) else { return };
        let others = self.history.bouts_of(self.bout.event).filter(|(id, _)| *id != self.id);
        let replaced = others.filter(|(id, other)| self.stands_in_for(*id, other));
        // Of several that fell through one after the other, the last; of those at once, the one whose place it took.
        let mine = self.bout.tellings.first_listing(self.at);
        let like = |(id, other): (Uuid, &BoutHistory)| {
            let last = other.tellings.last_listing(self.at);
            (
                last.map(|(until, _)| until),
                card_place_likeness(mine, last.map(|(_, telling)| telling)),
                Reverse(id),
            )
        };
        let Some((.., Reverse(id))) = replaced.map(like).max() else { return };
        let source = known.told_by.get(StateField::FighterA).cloned();
        known.state.set(StateField::ReplacedBout, id);
        known.told_by.set(StateField::ReplacedBout, source.clone());
        let days =
            known.state.get(StateField::StartDate).as_date().map(|day| (day - first.date_naive()).num_days());
        let days = days.filter(|days| *days >= 0).and_then(|days| i32::try_from(days).ok());
        known.state.set(StateField::ShortNotice, days);
        known.told_by.set(StateField::ShortNotice, source);
    }

    fn stands_in_for(&self, id: Uuid, other: &BoutHistory) -> bool {
        let shares = other.fighters.iter().any(|fighter| self.bout.fighters.contains(fighter));
        let (first, others) =
            (self.bout.tellings.first_listed(self.at), other.tellings.first_listed(self.at));
        let came_later = others.is_some_and(|others| Some(others) < first);
        if !shares || !came_later {
            return false;
        }
        let other = BoutSubject { history: self.history, id, bout: other, at: self.at };
        let stated = other.bout.tellings.stated_at(&self.history.captures, self.at);
        other.bout_status(&stated).0.is_word("cancelled")
    }
}

/// How much a bout that is off stood where the new one stands: in the same part of the card, then at the nearest
/// place. When the challenger falls out and one of another bout steps in, both bouts are off and share a fighter with
/// the new one.
fn card_place_likeness(
    new: Option<&SourceStatement>,
    old: Option<&SourceStatement>,
) -> (bool, Option<Reverse<u32>>) {
    let Some((new, old)) = new.zip(old) else { return (false, None) };
    let [part, old_part] = [new, old].map(|telling| telling.get(StateField::CardPosition));
    let [order, old_order] = [new, old].map(|telling| match telling.get(StateField::BoutOrder) {
        Some(StateValue::Int(order)) => Some(*order),
        _ => None,
    });
    let distance = order.zip(old_order).map(|(a, b)| Reverse(a.abs_diff(b)));
    (part.is_some() && part == old_part, distance)
}
