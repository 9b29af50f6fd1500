//! The two fighters: who they are, what DNA they bring, where they are ranked.

use std::sync::Arc;

use uuid::Uuid;

use super::BoutSubject;
use crate::history::RankingList;
use crate::history::statements::StatedValue;
use crate::state::{KnownState, StateField};

impl BoutSubject<'_> {
    pub(super) fn set_fighters(&self, stated: &[StatedValue<'_>], known: &mut KnownState) {
        let source = stated.first().map(|(source, _)| Arc::clone(source));
        for (side, fighter) in self.bout.fighters.into_iter().enumerate() {
            let field = [StateField::FighterA, StateField::FighterB][side];
            known.state.set(field, fighter);
            known.told_by.set(field, source.clone());
            self.set_dna(side, fighter, known);
            self.set_ranking(side, fighter, stated, known);
        }
    }

    /// The newest version that holds on the day of the event and was known then.
    fn set_dna(&self, side: usize, fighter: Uuid, known: &mut KnownState) {
        let day = known.state.get(StateField::StartDate).as_date();
        let versions = self.history.dna.get(&fighter).into_iter().flatten();
        let held = versions.filter(|v| v.known_since <= self.at && day.is_none_or(|day| v.valid_from <= day));
        let newest = held.map(|version| version.valid_from).max();
        known.state.set(StateField::HAS_DNA[side], newest.is_some());
        known.state.set(StateField::DNA_FROM[side], newest);
    }

    /// His official rank in the bout's class; where no list has been captured, the one that the card states.
    fn set_ranking(&self, side: usize, fighter: Uuid, stated: &[StatedValue<'_>], known: &mut KnownState) {
        let field = StateField::RANKING[side];
        if let Some(list) = self.ranking_list() {
            let division = known.state.get(StateField::WeightClass).as_text().unwrap_or_default().to_owned();
            let rank = list.ranks.get(&(fighter, division)).copied();
            known.set_stated(field, rank.into(), &Arc::from("rankings"));
        } else {
            known.set_from_statements(stated, field);
        }
    }

    /// The newest list that was published and captured.
    fn ranking_list(&self) -> Option<&RankingList> {
        let lists = &self.history.rankings;
        let published = lists.partition_point(|list| list.on <= self.at.date_naive());
        lists.get(..published)?.iter().rev().find(|list| list.known_since <= self.at)
    }
}
