//! Whether a fighter whom a source names is one whom we know.

use chrono::NaiveDate;
use fdna_model::Kind;
use uuid::Uuid;

use super::claims::FighterClaim;
use super::names::Name;
use super::registry::{Fighter, Key, Registry};
use super::{NEAR, SURE};

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
/// Who fought last longer ago than this is not taken for one of his name who is on a card now.
const YEARS_AWAY: i32 = 6;
/// Of two of one name, the one who fought within these years is meant, if the other did not.
const YEARS_ACTIVE: i32 = 3;

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

    /// Who is meant where no bout tells: by the name and the date of birth, on a card of `day`.
    pub(super) fn by_name(&self, source: &str, claim: &FighterClaim, name: &Name, day: NaiveDate) -> ByName {
        let key = Key::new(Kind::Fighter, source, &claim.source_id);
        let side = |id: &Uuid| (*id, self.side(source, claim, name, *id));
        let mut named: Vec<(Uuid, Side)> = self.named(name).iter().map(side).collect();
        named.retain(|(_, side)| !side.is_barred);
        if named.is_empty() {
            return self.by_likeness(&key, claim, name, day);
        }
        let of_age = |is: Option<bool>| named.iter().filter(move |(_, side)| side.is_of_age == is);
        if let (Some((id, _)), 1) = (of_age(Some(true)).next(), of_age(Some(true)).count()) {
            return ByName::One(*id, "name_and_birth", 0.99);
        }
        let open: Vec<Uuid> = of_age(None).map(|(id, _)| *id).collect();
        let years = |id: &Uuid| self.last_day(*id).map(|last| (day - last).num_days().abs() / 365);
        let within = |id: &&Uuid, limit| years(id).is_some_and(|years| years < i64::from(limit));
        let active: Vec<&Uuid> = open.iter().filter(|id| within(id, YEARS_ACTIVE)).collect();
        match (open.as_slice(), active.as_slice()) {
            ([], _) => ByName::doubt(named[0].0, "name", 0.6, "born on another day"),
            ([id], _) if within(&id, YEARS_AWAY) => ByName::One(*id, "name", 0.92),
            ([id], _) => ByName::doubt(*id, "name", 0.75, "nobody of this name fought in the years before"),
            (_, [id]) if !open.iter().any(|other| other != *id && within(&other, YEARS_AWAY)) => {
                ByName::One(**id, "name_and_activity", 0.88)
            }
            (several, _) => {
                ByName::doubt(several[0], "name", 0.5, &format!("{} fighters bear this name", several.len()))
            }
        }
    }

    /// Nobody bears the name: someone active whose name is nearly so is meant if he was born on that day, else
    /// perhaps.
    fn by_likeness(&self, key: &Key, claim: &FighterClaim, name: &Name, day: NaiveDate) -> ByName {
        let is_active = |fighter: &&Fighter| {
            self.last_day(fighter.id).is_some_and(|last| (day - last).num_days().abs() < 365 * 4)
        };
        let weighed = self.fighters.values().map(|fighter| (fighter, alike(claim, name, fighter)));
        let mut alike: Vec<(f64, Uuid, Side)> = weighed
            .filter(|(_, side)| side.likeness >= SURE)
            .filter(|(fighter, side)| side.is_of_age == Some(true) || is_active(fighter))
            .filter(|(fighter, side)| side.is_of_age != Some(false) && !self.is_barred(key, fighter.id))
            .map(|(fighter, side)| (side.likeness, fighter.id, side))
            .collect();
        alike.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let clear = alike.len() < 2 || alike[0].0 - alike[1].0 >= NEAR;
        match alike.first() {
            Some((likeness, id, side)) if side.is_of_age == Some(true) && clear => {
                ByName::One(*id, "likeness_and_birth", *likeness)
            }
            Some((likeness, id, _)) => {
                ByName::doubt(*id, "likeness", likeness * 0.9, "the name is only alike")
            }
            None => ByName::Nobody,
        }
    }
}

/// Who is meant by a name.
pub(super) enum ByName {
    One(Uuid, &'static str, f64),
    Doubt { candidate: Uuid, rule: &'static str, score: f64, reason: String },
    Nobody,
}

impl ByName {
    fn doubt(candidate: Uuid, rule: &'static str, score: f64, reason: &str) -> Self {
        Self::Doubt { candidate, rule, score, reason: reason.to_owned() }
    }
}

fn alike(claim: &FighterClaim, name: &Name, fighter: &Fighter) -> Side {
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
