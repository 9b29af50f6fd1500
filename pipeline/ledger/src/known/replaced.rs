//! An opponent replaced: another bout of the event that is off, with one of the same fighters, listed before.

use uuid::Uuid;

use super::Subject;
use crate::history::BoutHistory;
use crate::state::{Field, Known};

impl Subject<'_> {
    pub(super) fn tell_replaced(&self, known: &mut Known) {
        if known.state.is_cancelled() {
            return;
        }
        let Some(first) = self.bout.tellings.first_listed(self.at) else { return };
        let others = self.history.bouts_of(self.bout.event).filter(|(id, _)| *id != self.id);
        let replaced = others.filter(|(id, other)| self.stands_in_for(*id, other));
        // Of several that fell through one after the other, the last.
        let Some((_, id)) = replaced.map(|(id, other)| (other.tellings.last_listed(self.at), id)).max()
        else {
            return;
        };
        let source = known.told_by.get(Field::FighterA).cloned();
        known.state.set(Field::ReplacedBout, id);
        known.told_by.set(Field::ReplacedBout, source.clone());
        let days =
            known.state.get(Field::StartDate).as_date().map(|day| (day - first.date_naive()).num_days());
        let days = days.filter(|days| *days >= 0).and_then(|days| i32::try_from(days).ok());
        known.state.set(Field::ShortNotice, days);
        known.told_by.set(Field::ShortNotice, source);
    }

    fn stands_in_for(&self, id: Uuid, other: &BoutHistory) -> bool {
        let shares = other.fighters.iter().any(|fighter| self.bout.fighters.contains(fighter));
        let (first, others) =
            (self.bout.tellings.first_listed(self.at), other.tellings.first_listed(self.at));
        let came_later = others.is_some_and(|others| Some(others) < first);
        if !shares || !came_later {
            return false;
        }
        let other = Subject { history: self.history, id, bout: other, at: self.at };
        let told = other.bout.tellings.at(&self.history.captures, self.at);
        other.status(&told).0.is("cancelled")
    }
}
