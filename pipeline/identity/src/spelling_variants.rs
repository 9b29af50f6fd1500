//! One bout in two spellings: where a source has names only, it may spell a fighter inconsistently, and each
//! spelling is a claim. Both name the same two fighters at the same event, so that they are one bout, and nobody was replaced.

use fdna_model::Kind;

use super::claims::{BoutClaim, is_mention};
use super::name_similarity::FoldedName;
use super::registry::{EntityLink, EntityRegistry, LinkedBout, SourceKey};
use crate::thresholds::MATCH_THRESHOLD;

/// As sure as two fighters under names that are all but the same.
const SPELLED: f64 = 0.95;

impl EntityRegistry {
    /// Which of the source's bouts of the event, as far as they are linked, this claim spells otherwise: one of its
    /// fighters is as good as the same name, the other one is alike.
    pub(super) fn duplicate_claim(
        &self,
        source: &str,
        claim: &BoutClaim,
        claims: &[BoutClaim],
        linked: &[Option<LinkedBout>],
    ) -> Option<LinkedBout> {
        if !is_mention(&claim.source_id) {
            return None;
        }
        let key = SourceKey::new(Kind::Bout, source, &claim.source_id);
        let others = claims.iter().zip(linked).filter(|(other, _)| is_mention(&other.source_id));
        let mut others = others.filter_map(|(_, linked)| *linked);
        others.find_map(|other| {
            self.order_by_spelling(source, claim, other).filter(|_| !self.is_barred(&key, other.bout))
        })
    }

    /// The bout with its fighters in the order of the claim.
    fn order_by_spelling(&self, source: &str, claim: &BoutClaim, bout: LinkedBout) -> Option<LinkedBout> {
        let names = claim.fighters.each_ref().map(|fighter| FoldedName::new(&fighter.name));
        let [first, second] = [0, 1].map(|i| self.fighter_candidate(source, &claim.fighters[i], &names[i]));
        let [a, b] = bout.fighters;
        let orders = [[a, b], [b, a]].into_iter();
        let mut same = orders.filter(|[a, b]| {
            let sides = [self.match_side(&first, *a), self.match_side(&second, *b)];
            let is_known = sides.iter().all(|side| !side.is_barred && side.similarity >= MATCH_THRESHOLD);
            is_known
                && sides.iter().any(|side| side.is_strong())
                && sides.iter().all(|s| s.same_birth_date != Some(false))
        });
        same.next().map(|fighters| LinkedBout { fighters, ..bout })
    }

    /// Notes that a claim is a bout that another claim of the source is.
    pub(super) fn take_duplicate_claim(&mut self, source: &str, claim: &BoutClaim, linked: LinkedBout) {
        let link = |entity, name| EntityLink {
            entity,
            rule: RULE.to_owned(),
            score: SPELLED,
            name,
            seen: claim.seen.clone(),
        };
        let [first, second] = claim.fighters.each_ref().map(|fighter| fighter.name.clone());
        let bout = link(linked.bout, Some(format!("{first} vs. {second}")));
        self.add_link(SourceKey::new(Kind::Bout, source, &claim.source_id), bout);
        for (fighter, entity) in claim.fighters.iter().zip(linked.fighters) {
            self.add_name(entity, &fighter.name, fighter.nickname.as_deref());
            let key = SourceKey::new(Kind::Fighter, source, &fighter.source_id);
            self.add_link(key, link(entity, Some(fighter.name.clone())));
        }
    }
}

const RULE: &str = "spelling";
