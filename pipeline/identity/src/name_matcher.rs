//! Matching of a name without a bout: an exact bearer, or one whose name is nearly the same.

use chrono::NaiveDate;
use fdna_model::{Kind, WeightClass};
use uuid::Uuid;

use super::claims::FighterClaim;
use super::fighters::{SideMatch, match_by_name};
use super::name_similarity::FoldedName;
use super::registry::{EntityRegistry, RegisteredFighter, SourceKey};
use crate::thresholds::{AMBIGUITY_MARGIN, MATCH_THRESHOLD};

/// A fighter whose last bout is older than this is not matched by name to a card of now.
const YEARS_AWAY: i32 = 6;
/// Of two of one name, the one who fought within these years is meant, if the other did not.
const YEARS_ACTIVE: i32 = 3;

impl EntityRegistry {
    /// Match by name and date of birth, or by what else is known of namesakes, where no bout decides.
    pub(super) fn by_name(
        &self,
        source: &str,
        claim: &FighterClaim,
        name: &FoldedName,
        occasion: BoutContext<'_>,
    ) -> NameResolution {
        let day = occasion.day;
        let key = SourceKey::new(Kind::Fighter, source, &claim.source_id);
        let sought = self.fighter_candidate(source, claim, name);
        let side = |id: &Uuid| (*id, self.match_side(&sought, *id));
        let mut named: Vec<(Uuid, SideMatch)> = self.fighters_named(name).iter().map(side).collect();
        named.retain(|(_, side)| !side.is_barred);
        if named.is_empty() {
            return self.by_similarity(&key, claim, name, day);
        }
        let of_age = |is: Option<bool>| named.iter().filter(move |(_, side)| side.same_birth_date == is);
        if let (Some((id, _)), 1) = (of_age(Some(true)).next(), of_age(Some(true)).count()) {
            return NameResolution::One(*id, "name_and_birth", 0.99);
        }
        let open: Vec<Uuid> = of_age(None).map(|(id, _)| *id).collect();
        let years = |id: &Uuid| self.last_day(*id).map(|last| (day - last).num_days().abs() / 365);
        let within = |id: &&Uuid, limit| years(id).is_some_and(|years| years < i64::from(limit));
        let active: Vec<&Uuid> = open.iter().filter(|id| within(id, YEARS_ACTIVE)).collect();
        match (open.as_slice(), active.as_slice()) {
            ([], _) => NameResolution::ambiguous(named[0].0, "name", 0.6, "born on another day"),
            ([id], _) if within(&id, YEARS_AWAY) => NameResolution::One(*id, "name", 0.92),
            ([id], _) => {
                NameResolution::ambiguous(*id, "name", 0.75, "nobody of this name fought in the years before")
            }
            (_, [id]) if !open.iter().any(|other| other != *id && within(&other, YEARS_AWAY)) => {
                NameResolution::One(**id, "name_and_activity", 0.88)
            }
            (several, _) => match self.of_weight(several, occasion.classes) {
                Some(id) if within(&&id, YEARS_AWAY) => NameResolution::One(id, "name_and_weight", 0.87),
                _ => NameResolution::ambiguous(
                    several[0],
                    "name",
                    0.5,
                    &format!("{} fighters bear this name", several.len()),
                ),
            },
        }
    }

    /// The one of them who has fought in these classes, if all others fought in classes further away than the next:
    /// from one class to the next fighters move.
    fn of_weight(&self, namesakes: &[Uuid], classes: &[WeightClass]) -> Option<Uuid> {
        let fought = |id: &Uuid| -> Vec<WeightClass> {
            let bouts = self.fighters.get(id).into_iter().flat_map(|fighter| &fighter.bouts);
            bouts.filter_map(|id| self.bouts.get(id)?.class).collect()
        };
        let of_class = |id: &&Uuid| fought(id).iter().any(|class| classes.contains(class));
        let is_apart = |id: &Uuid| {
            let fought = fought(id);
            !fought.is_empty() && !fought.iter().any(|a| classes.iter().any(|b| is_next(*a, *b)))
        };
        let (of_class, others): (Vec<&Uuid>, Vec<&Uuid>) = namesakes.iter().partition(of_class);
        match of_class[..] {
            [id] if others.into_iter().all(is_apart) => Some(*id),
            _ => None,
        }
    }

    /// Nobody bears the name: someone active whose name is nearly so is meant if he was born on that day, else
    /// perhaps.
    fn by_similarity(
        &self,
        key: &SourceKey,
        claim: &FighterClaim,
        name: &FoldedName,
        day: NaiveDate,
    ) -> NameResolution {
        let is_active = |fighter: &&RegisteredFighter| {
            self.last_day(fighter.id).is_some_and(|last| (day - last).num_days().abs() < 365 * 4)
        };
        let weighed = self.fighters.values().map(|fighter| (fighter, match_by_name(claim, name, fighter)));
        let mut alike: Vec<(f64, Uuid, SideMatch)> = weighed
            .filter(|(_, side)| side.similarity >= MATCH_THRESHOLD)
            .filter(|(fighter, side)| side.same_birth_date == Some(true) || is_active(fighter))
            .filter(|(fighter, side)| side.same_birth_date != Some(false) && !self.is_barred(key, fighter.id))
            .map(|(fighter, side)| (side.similarity, fighter.id, side))
            .collect();
        alike.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let clear = alike.len() < 2 || alike[0].0 - alike[1].0 >= AMBIGUITY_MARGIN;
        match alike.first() {
            Some((similarity, id, side)) if side.same_birth_date == Some(true) && clear => {
                NameResolution::One(*id, "likeness_and_birth", *similarity)
            }
            Some((similarity, id, _)) => {
                NameResolution::ambiguous(*id, "likeness", similarity * 0.9, "the name is only alike")
            }
            None => NameResolution::Nobody,
        }
    }
}

/// Whether it is the same class or the one above or below.
pub(super) fn is_next(a: WeightClass, b: WeightClass) -> bool {
    let place = |class| WeightClass::ALL.iter().position(|other| *other == class).unwrap_or_default();
    a.is_womens() == b.is_womens() && place(a).abs_diff(place(b)) <= 1
}

/// The bout for which somebody is looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct BoutContext<'a> {
    pub(super) day: NaiveDate,
    /// Classes that it may be of.
    pub(super) classes: &'a [WeightClass],
}

/// Result of matching a name.
pub(super) enum NameResolution {
    One(Uuid, &'static str, f64),
    Doubt { candidate: Uuid, rule: &'static str, score: f64, reason: String },
    Nobody,
}

impl NameResolution {
    fn ambiguous(candidate: Uuid, rule: &'static str, score: f64, reason: &str) -> Self {
        Self::Doubt { candidate, rule, score, reason: reason.to_owned() }
    }
}
