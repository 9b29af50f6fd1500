//! Merges duplicate entities. Sources are linked in turn, so a fighter who is on a card before the statistics source
//! lists him, or after years away, or under a former name, gets an entity of his own at first. Once every schedule is
//! linked, classes, opponents and days are known. Then
//!
//! - fighters of one name are one, unless ids, birthdays, classes or a day on which both fought say otherwise;
//! - fighters whose names are nearly one are, where they are to meet the same opponent on the same card; where they
//!   share a surname alone, if every bout of the one is a bout of the other under a later name;
//! - bouts of one pair on one card are one, unless the statistics source has both;
//! - an event that names nobody (`TBD vs TBD`) and has no bout is the one of its number, else that of its day.
//!
//! Entities of one name that are not merged are recorded as doubtful links.

mod bouts;
mod events;
mod namesakes;
mod opponents;
mod same_entity;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use fdna_model::Kind;
use uuid::Uuid;

use self::bouts::bouts_of_one_pair;
use self::events::placeholder_events;
use self::namesakes::of_one_name;
use self::opponents::of_one_opponent;
use self::same_entity::{Duplicate, SameEntity};
use super::registry::{EntityRegistry, RegisteredFighter};
use crate::source_names::STATSDB;

/// Merged entities: lost id to kept id.
pub(super) type MergedIds = HashMap<Uuid, Uuid>;

impl EntityRegistry {
    /// Merges what stands twice, and notes the doubts.
    pub(super) fn merge_duplicates(&mut self) -> MergedIds {
        let mut merged = MergedIds::new();
        type Find = fn(&EntityRegistry) -> Vec<Duplicate>;
        let finds: [Find; 4] = [placeholder_events, of_one_name, of_one_opponent, bouts_of_one_pair];
        // Bouts become one where their fighters did, and fighters where their bouts show it.
        loop {
            let before = merged.len();
            for find in finds {
                let found = find(self);
                self.merge_found(&found, &mut merged);
            }
            if merged.len() == before {
                break;
            }
        }
        self.doubt_namesakes();
        merged
    }

    fn merge_found(&mut self, found: &[Duplicate], merged: &mut MergedIds) {
        let mut of_kind: BTreeMap<(Kind, Uuid), (Uuid, SameEntity)> = BTreeMap::new();
        let mut touched: BTreeSet<Uuid> = BTreeSet::new();
        for (kind, lost, kept, same) in found {
            // One at a time: what is left of a chain is found in the next round.
            if touched.insert(*lost) && touched.insert(*kept) {
                of_kind.insert((*kind, *lost), (*kept, *same));
            }
        }
        if of_kind.is_empty() {
            return;
        }
        for (key, link) in &mut self.links {
            if let Some((kept, same)) = of_kind.get(&(key.kind, link.entity)) {
                link.entity = *kept;
                link.rule = same.rule.to_owned();
                link.score = same.score;
            }
        }
        for ((kind, lost), (kept, _)) in &of_kind {
            match kind {
                Kind::Fighter => self.merge_fighter(*lost, *kept),
                Kind::Bout => self.merge_bout(*lost, *kept),
                Kind::Event => self.merge_event(*lost, *kept),
            }
        }
        let kept: HashMap<Uuid, Uuid> = of_kind.iter().map(|((_, lost), (kept, _))| (*lost, *kept)).collect();
        let new = |id: Uuid| kept.get(&id).copied().unwrap_or(id);
        self.rebuild_indexes(new);
        for doubt in &mut self.doubts {
            doubt.candidate = doubt.candidate.map(new);
        }
        merged.values_mut().for_each(|id| *id = new(*id));
        merged.extend(kept);
    }

    fn merge_fighter(&mut self, lost: Uuid, kept: Uuid) {
        let Some(gone) = self.fighters.remove(&lost) else { return };
        for id in &gone.bouts {
            if let Some(bout) = self.bouts.get_mut(id) {
                bout.fighters = bout.fighters.map(|id| if id == lost { kept } else { id });
            }
        }
        for name in &gone.names {
            self.add_name(kept, name, None);
        }
        if let Some(fighter) = self.fighters.get_mut(&kept) {
            fighter.nicknames.extend(gone.nicknames);
            fighter.born = fighter.born.or(gone.born);
            fighter.weight_lbs = fighter.weight_lbs.or(gone.weight_lbs);
            fighter.bouts.extend(gone.bouts);
        }
    }

    fn merge_bout(&mut self, lost: Uuid, kept: Uuid) {
        let Some(gone) = self.bouts.remove(&lost) else { return };
        if let Some(event) = self.events.get_mut(&gone.event) {
            event.bouts.retain(|id| *id != lost);
        }
        for fighter in gone.fighters {
            if let Some(fighter) = self.fighters.get_mut(&fighter) {
                fighter.bouts.retain(|id| *id != lost);
            }
        }
        if let Some(bout) = self.bouts.get_mut(&kept) {
            bout.order = bout.order.or(gone.order);
            bout.possible_classes.extend(gone.possible_classes);
        }
    }

    fn merge_event(&mut self, lost: Uuid, kept: Uuid) {
        let Some(gone) = self.events.remove(&lost) else { return };
        self.forget_day(gone.day, lost);
        for id in &gone.bouts {
            if let Some(bout) = self.bouts.get_mut(id) {
                bout.event = kept;
            }
        }
        if let Some(event) = self.events.get_mut(&kept) {
            event.bouts.extend(gone.bouts);
            event.names.extend(gone.names);
        }
    }

    /// Whether the statistics source has it.
    fn is_of_statsdb(&self, id: Uuid) -> bool {
        self.has_own(STATSDB, id)
    }

    /// The id that stays: the statistics source's, else the one with more bouts, else the lower id.
    fn lost_and_kept(&self, a: &RegisteredFighter, b: &RegisteredFighter) -> (Uuid, Uuid) {
        let worth = |fighter: &RegisteredFighter| (self.is_of_statsdb(fighter.id), fighter.bouts.len());
        let is_a = worth(a).cmp(&worth(b)).then(b.id.cmp(&a.id)).is_ge();
        if is_a { (b.id, a.id) } else { (a.id, b.id) }
    }

    /// Whether a source gives each of them an id of its own: then it says that they are two.
    fn have_ids_of_one_source(&self, a: Uuid, b: Uuid) -> bool {
        self.sources_with_own_ids().any(|source| self.has_own(source, a) && self.has_own(source, b))
    }
}
