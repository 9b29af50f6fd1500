//! Whether a fighter whom a source names is one whom we know.

use fdna_model::Kind;
use uuid::Uuid;

use super::claims::FighterClaim;
use super::names::Name;
use super::registry::{Fighter, Key, Registry};

/// How a claimed fighter and one of ours agree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Side {
    /// 0 to 1.
    pub(super) likeness: f64,
    /// Whether the dates of birth are one; `None` where one is unknown.
    pub(super) is_of_age: Option<bool>,
    /// The one stands for another already: they are two people, whatever their names.
    pub(super) is_barred: bool,
}

impl Side {
    const LINKED: Self = Self { likeness: 1.0, is_of_age: None, is_barred: false };
    const BARRED: Self = Self { likeness: 0.0, is_of_age: None, is_barred: true };

    /// As good as the same name.
    pub(super) fn is_strong(&self) -> bool {
        self.likeness >= STRONG
    }
}

/// Likeness of names that says as much as the same name, of two who meet the same opponent on the same day.
pub(super) const STRONG: f64 = 0.92;
/// One name holds the other's nickname: `Mirko Cro Cop`.
const NICKNAME: f64 = 0.86;
/// Names in part alike, born on the same day.
const BORN: f64 = 0.9;

impl Registry {
    pub(super) fn side(&self, source: &str, claim: &FighterClaim, name: &Name, fighter: Uuid) -> Side {
        let known = self.known(source, claim, fighter);
        known.unwrap_or_else(|| {
            self.fighters.get(&fighter).map_or(Side::BARRED, |fighter| alike(claim, name, fighter))
        })
    }

    /// Whether it is he by an id, or by a name that is one but for marks, order and words left out.
    pub(super) fn is_strong(&self, source: &str, claim: &FighterClaim, name: &Name, fighter: Uuid) -> bool {
        let known = self.known(source, claim, fighter).map(|side| side.is_strong());
        known.unwrap_or_else(|| {
            let spellings = self.fighters.get(&fighter).map(|fighter| fighter.spellings.as_slice());
            spellings.unwrap_or_default().iter().any(|other| other.sameness(name) >= STRONG)
        })
    }

    /// What ids say of it, where they say anything.
    fn known(&self, source: &str, claim: &FighterClaim, fighter: Uuid) -> Option<Side> {
        let by_id = |entity| Some(if entity == fighter { Side::LINKED } else { Side::BARRED });
        if let Some(entity) = self.fighter_of(source, &claim.source_id) {
            return by_id(entity);
        }
        let key = Key::new(Kind::Fighter, source, &claim.source_id);
        if let Some((entity, ..)) = self.settled(&key) {
            return by_id(entity);
        }
        let of_statsdb = claim.statsdb_id.as_deref().and_then(|id| self.fighter_of(super::STATSDB, id));
        if let Some(entity) = of_statsdb {
            return by_id(entity);
        }
        self.is_barred(&key, fighter).then_some(Side::BARRED)
    }
}

pub(super) fn alike(claim: &FighterClaim, name: &Name, fighter: &Fighter) -> Side {
    let is_of_age = claim.born.zip(fighter.born).map(|(a, b)| a == b);
    let mut likeness = fighter.spellings.iter().map(|other| other.likeness(name)).fold(0.0, f64::max);
    let nickname = claim.nickname.as_deref().map(fdna_model::fold_name).filter(|n| n.len() >= 4);
    let holds = fighter.nicknames.iter().any(|nickname| name.folded.contains(nickname.as_str()))
        || nickname.is_some_and(|n| fighter.spellings.iter().any(|other| other.folded.contains(&n)));
    if holds && likeness >= 0.5 {
        likeness = likeness.max(NICKNAME);
    }
    if is_of_age == Some(true) && likeness >= 0.5 {
        likeness = likeness.max(BORN);
    }
    Side { likeness, is_of_age, is_barred: false }
}
