//! Fighters whose names are nearly one, and who are to meet the same opponent on the same card.

use fdna_model::Kind;
use uuid::Uuid;

use super::namesakes::NamesakeVerdict;
use super::same_entity::{Duplicate, SameEntity};
use crate::registry::{EntityRegistry, RegisteredBout};
use crate::thresholds::{AMBIGUITY_MARGIN, MATCH_THRESHOLD};

/// A surname in common.
const SURNAME: f64 = 0.55;

impl EntityRegistry {
    /// Whether every bout of the one, two at least or one that was listed when it was over, is a bout of the other
    /// against the same opponent on the same card: a brother who steps in does so once, and before.
    fn is_shadow(&self, lost: Uuid, kept: Uuid) -> bool {
        let Some(bouts) = self.fighters.get(&lost).map(|fighter| &fighter.bouts) else { return false };
        let bouts: Vec<&RegisteredBout> = bouts.iter().filter_map(|id| self.bouts.get(id)).collect();
        let is_doubled = |bout: &&RegisteredBout| {
            let opponent = bout.fighters.into_iter().find(|id| *id != lost);
            self.bouts_of(bout.event).any(|other| {
                other.fighters.contains(&kept) && opponent.is_some_and(|id| other.fighters.contains(&id))
            })
        };
        let is_late = |bout: &&RegisteredBout| {
            let seen = self.links.values().filter(|link| link.entity == bout.id).map(|link| &link.seen).min();
            seen.is_some_and(|seen| seen.at.date_naive() > bout.day)
        };
        bouts.iter().all(is_doubled) && (bouts.len() >= 2 || bouts.iter().any(is_late))
    }
}

/// One of them is on no list of the statistics source, bears nearly the name of the other, and both are to meet the
/// same opponent on the same card.
pub(super) fn of_one_opponent(registry: &EntityRegistry) -> Vec<Duplicate> {
    let mut found = Vec::new();
    for event in registry.events.keys() {
        let bouts: Vec<&RegisteredBout> = registry.bouts_of(*event).collect();
        for (n, a) in bouts.iter().enumerate() {
            for b in &bouts[n + 1..] {
                let Some((x, y)) = remaining_opponents(a, b) else { continue };
                let pair = registry.fighters.get(&x).zip(registry.fighters.get(&y));
                let Some((x, y)) = pair else { continue };
                let similarity = x.spellings.iter().flat_map(|a| y.spellings.iter().map(|b| a.similarity(b)));
                let similarity = similarity.fold(0.0, f64::max);
                let (lost, kept) = registry.lost_and_kept(x, y);
                let is_one = similarity >= MATCH_THRESHOLD
                    || (similarity >= SURNAME && registry.is_shadow(lost, kept));
                if !is_one
                    || registry.is_of_statsdb(lost)
                    || registry.compare_namesakes(x, y) == NamesakeVerdict::Different
                {
                    continue;
                }
                let same = match similarity {
                    similarity if similarity >= MATCH_THRESHOLD => SameEntity {
                        rule: "name_and_opponent",
                        score: (similarity + AMBIGUITY_MARGIN).min(0.95),
                    },
                    _ => SameEntity { rule: "surname_and_opponents", score: 0.87 },
                };
                found.push((Kind::Fighter, lost, kept, same));
            }
        }
    }
    found
}

/// The two who are to meet the same one.
fn remaining_opponents(a: &RegisteredBout, b: &RegisteredBout) -> Option<(Uuid, Uuid)> {
    let shared = *a.fighters.iter().find(|id| b.fighters.contains(id))?;
    let other = |bout: &RegisteredBout| bout.fighters.into_iter().find(|id| *id != shared);
    other(a).zip(other(b)).filter(|(x, y)| x != y)
}
