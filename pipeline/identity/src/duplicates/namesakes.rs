//! Fighters of one name: whether they are one.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use fdna_model::{Kind, WeightClass};
use uuid::Uuid;

use super::same_entity::{Duplicate, SameEntity};
use crate::name_matcher::is_next;
use crate::registry::{AmbiguousMatch, EntityRegistry, RegisteredBout, RegisteredFighter, SourceKey};

/// Names of one fighter lie no further apart in years than a career is long.
const CAREER_YEARS: i64 = 12;
/// A profile says the weight of the last years: within a class of the limit.
const WEIGHT_GAP_LBS: i32 = 20;
/// Heavyweights weigh what they weigh.
const HEAVYWEIGHT_FROM_LBS: i32 = 200;

/// Whether two fighters of one name are one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum NamesakeVerdict {
    Same(SameEntity),
    /// Nothing says that they are two, and too little that they are one.
    Doubt(&'static str),
    Different,
}

impl EntityRegistry {
    pub(super) fn compare_namesakes(&self, a: &RegisteredFighter, b: &RegisteredFighter) -> NamesakeVerdict {
        if self.are_decided_different(a.id, b.id) {
            return NamesakeVerdict::Different;
        }
        if self.have_ids_of_one_source(a.id, b.id) {
            let is_empty = a.bouts.is_empty() || b.bouts.is_empty();
            let is_one = is_empty && a.born.is_none_or(|born| b.born.is_none_or(|other| born == other));
            return if is_one {
                NamesakeVerdict::Doubt("the source has two pages of this name")
            } else {
                NamesakeVerdict::Different
            };
        }
        match a.born.zip(b.born) {
            Some((a, b)) if a != b => return NamesakeVerdict::Different,
            Some(_) => return NamesakeVerdict::Same(SameEntity { rule: "name_and_birth", score: 0.99 }),
            None => {}
        }
        let (of_a, of_b) = (self.career_of(a), self.career_of(b));
        if of_a.fought_same_day(&of_b) {
            return NamesakeVerdict::Different;
        }
        match (of_a.is_empty(), of_b.is_empty()) {
            (true, true) => NamesakeVerdict::Same(SameEntity { rule: "name", score: 0.86 }),
            (true, false) => of_b.with_profile(a),
            (false, true) => of_a.with_profile(b),
            (false, false) => of_a.compare_careers(&of_b),
        }
    }

    fn career_of(&self, fighter: &RegisteredFighter) -> FighterCareer<'_> {
        FighterCareer {
            id: fighter.id,
            bouts: fighter.bouts.iter().filter_map(|id| self.bouts.get(id)).collect(),
        }
    }

    /// Pairs of fighters of one name, each with the other as the only one it may be.
    fn find_namesakes(&self) -> Vec<(&RegisteredFighter, &RegisteredFighter, NamesakeVerdict)> {
        let mut pairs: BTreeMap<(Uuid, Uuid), NamesakeVerdict> = BTreeMap::new();
        for ids in self.sharing_a_name() {
            let fighters: Vec<&RegisteredFighter> =
                ids.iter().filter_map(|id| self.fighters.get(id)).collect();
            for (n, a) in fighters.iter().enumerate() {
                for b in &fighters[n + 1..] {
                    pairs.entry((a.id, b.id)).or_insert_with(|| self.compare_namesakes(a, b));
                }
            }
        }
        pairs.retain(|_, verdict| *verdict != NamesakeVerdict::Different);
        let mut rivals: BTreeMap<Uuid, usize> = BTreeMap::new();
        for ((a, b), _) in pairs.iter().filter(|(_, verdict)| matches!(verdict, NamesakeVerdict::Same(_))) {
            [a, b].into_iter().for_each(|id| *rivals.entry(*id).or_default() += 1);
        }
        let is_only = |id: &Uuid| rivals.get(id) == Some(&1);
        let verdict = |(a, b): &(Uuid, Uuid), verdict: NamesakeVerdict| match verdict {
            NamesakeVerdict::Same(_) if !is_only(a) || !is_only(b) => {
                NamesakeVerdict::Doubt("several fighters bear this name")
            }
            verdict => verdict,
        };
        let known = |id: &Uuid| self.fighters.get(id);
        pairs.iter().filter_map(|(ids, v)| Some((known(&ids.0)?, known(&ids.1)?, verdict(ids, *v)))).collect()
    }

    pub(super) fn doubt_namesakes(&mut self) {
        let doubts: Vec<(Uuid, Uuid, &'static str)> = self
            .find_namesakes()
            .into_iter()
            .filter_map(|(a, b, verdict)| match verdict {
                NamesakeVerdict::Doubt(reason) => {
                    let (lost, kept) = self.lost_and_kept(a, b);
                    Some((lost, kept, reason))
                }
                _ => None,
            })
            .collect();
        for (id, candidate, reason) in doubts {
            let first =
                self.links.iter().filter(|(key, link)| key.kind == Kind::Fighter && link.entity == id);
            let Some((key, link)) = first.min_by_key(|(key, link)| (&link.seen, *key)) else { continue };
            let (key, seen) = (key.clone(), link.seen.clone());
            if self.doubts.iter().any(|doubt| doubt.key == key) {
                continue;
            }
            let name = self.name_of(Kind::Fighter, id).unwrap_or_default();
            let reason = reason.to_owned();
            self.add_doubt(AmbiguousMatch {
                key,
                name,
                candidate: Some(candidate),
                rule: "name",
                score: 0.6,
                reason,
                seen,
            });
        }
    }

    fn are_decided_different(&self, a: Uuid, b: Uuid) -> bool {
        let keys_of =
            |id: Uuid| self.links.iter().filter(move |(_, link)| link.entity == id).map(|(key, _)| key);
        self.decisions.any_different()
            && keys_of(a).any(|key: &SourceKey| {
                self.decisions
                    .different_keys(key)
                    .any(|other| self.links.get(other).is_some_and(|link| link.entity == b))
            })
    }
}

/// A fighter's bouts.
struct FighterCareer<'a> {
    id: Uuid,
    bouts: Vec<&'a RegisteredBout>,
}

impl FighterCareer<'_> {
    fn is_empty(&self) -> bool {
        self.bouts.is_empty()
    }

    fn opponent_in(&self, bout: &RegisteredBout) -> Uuid {
        if bout.fighters[0] == self.id { bout.fighters[1] } else { bout.fighters[0] }
    }

    /// Whether both fought on one day, each against another opponent.
    fn fought_same_day(&self, other: &Self) -> bool {
        let is_one_day = |a: &RegisteredBout, b: &RegisteredBout| (a.day - b.day).num_days().abs() <= 1;
        self.bouts.iter().any(|a| {
            let mut theirs = other.bouts.iter().filter(|b| is_one_day(a, b));
            theirs.any(|b| self.opponent_in(a) != other.opponent_in(b) && a.is_fought && b.is_fought)
                || a.fighters.contains(&other.id)
        })
    }

    fn weight_classes(&self) -> Vec<WeightClass> {
        self.bouts
            .iter()
            .flat_map(|bout| bout.class.into_iter().chain(bout.possible_classes.iter().copied()))
            .collect()
    }

    fn years_between(&self, other: &Self) -> Option<i64> {
        let days = |career: &Self| career.bouts.iter().map(|bout| bout.day).collect::<Vec<NaiveDate>>();
        let theirs = days(other);
        let gaps = days(self)
            .into_iter()
            .flat_map(|a| theirs.iter().map(move |b| (a - *b).num_days().abs() / 365).collect::<Vec<_>>());
        gaps.min()
    }

    fn compare_careers(&self, other: &Self) -> NamesakeVerdict {
        let (mine, theirs) = (self.weight_classes(), other.weight_classes());
        let is_of_one_class = mine.iter().any(|a| theirs.iter().any(|b| is_next(*a, *b)));
        match self.years_between(other) {
            Some(years) if years > CAREER_YEARS => {
                NamesakeVerdict::Doubt("their bouts lie further apart than a career lasts")
            }
            _ if is_of_one_class => NamesakeVerdict::Same(SameEntity { rule: "name_and_class", score: 0.9 }),
            _ if mine.is_empty() || theirs.is_empty() => {
                NamesakeVerdict::Same(SameEntity { rule: "name", score: 0.86 })
            }
            _ => NamesakeVerdict::Doubt("they fought in classes that are not next to each other"),
        }
    }

    /// The profile of one who has no bout there yet.
    fn with_profile(&self, profile: &RegisteredFighter) -> NamesakeVerdict {
        let limits: Vec<i32> = self.weight_classes().into_iter().filter_map(WeightClass::limit_lbs).collect();
        match profile.weight_lbs {
            Some(weight) if limits.iter().any(|limit| is_of_limit(weight, *limit)) => {
                NamesakeVerdict::Same(SameEntity { rule: "name_and_weight", score: 0.9 })
            }
            Some(_) if !limits.is_empty() => NamesakeVerdict::Doubt("the weight is that of another class"),
            _ => NamesakeVerdict::Same(SameEntity { rule: "name", score: 0.86 }),
        }
    }
}

fn is_of_limit(weight: i32, limit: i32) -> bool {
    let is_heavy = Some(limit) == WeightClass::Heavyweight.limit_lbs() && weight >= HEAVYWEIGHT_FROM_LBS;
    is_heavy || (limit - weight).abs() <= WEIGHT_GAP_LBS
}

pub(super) fn of_one_name(registry: &EntityRegistry) -> Vec<Duplicate> {
    let pairs = registry.find_namesakes().into_iter();
    let found = pairs.filter_map(|(a, b, verdict)| match verdict {
        NamesakeVerdict::Same(same) => {
            let (lost, kept) = registry.lost_and_kept(a, b);
            Some((Kind::Fighter, lost, kept, same))
        }
        _ => None,
    });
    found.collect()
}
