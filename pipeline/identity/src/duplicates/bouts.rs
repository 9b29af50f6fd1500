//! Bouts of one pair on one card.

use std::collections::BTreeMap;

use fdna_model::Kind;
use uuid::Uuid;

use super::same_entity::{Duplicate, SameEntity};
use crate::registry::EntityRegistry;

pub(super) fn bouts_of_one_pair(registry: &EntityRegistry) -> Vec<Duplicate> {
    let mut found = Vec::new();
    for event in registry.events.keys() {
        let mut of_pair: BTreeMap<[Uuid; 2], Vec<Uuid>> = BTreeMap::new();
        for bout in registry.bouts_of(*event) {
            let mut pair = bout.fighters;
            pair.sort();
            of_pair.entry(pair).or_default().push(bout.id);
        }
        for bouts in of_pair.into_values().filter(|bouts| bouts.len() > 1) {
            let (known, others): (Vec<Uuid>, Vec<Uuid>) =
                bouts.into_iter().partition(|id| registry.is_of_statsdb(*id));
            // Two met twice that night: which of them is meant is not known.
            let kept = match known[..] {
                [] => others.first().copied(),
                [id] => Some(id),
                _ => None,
            };
            let Some(kept) = kept else { continue };
            let others =
                others.into_iter().filter(|id| *id != kept && !registry.have_ids_of_one_source(*id, kept));
            found.extend(
                others.map(|lost| (Kind::Bout, lost, kept, SameEntity { rule: "fighters", score: 0.95 })),
            );
        }
    }
    found
}
