//! Resolves a fighter's name in a bout to a source id by explicit rules; a name that no rule resolves gets none.
//!
//! The six-file layout names fighters in bouts and gives their ids only in the fighter index and the tale
//! of the tape. Names are not unique, and the index and the tale of the tape may hold an older and a newer
//! name of the same id.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{Datelike as _, NaiveDate};
use fdna_model::{WeightClass, fold_name};
use serde::{Deserialize, Serialize};

/// Facts that tell namesakes apart.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct FighterProfile {
    pub(super) born: Option<NaiveDate>,
    pub(super) weight_lbs: Option<i32>,
    pub(super) height_in: Option<i32>,
}

impl FighterProfile {
    /// A page that nobody filled in: the source keeps some for people who never fought there.
    fn is_empty(&self) -> bool {
        self.born.is_none() && self.weight_lbs.is_none() && self.height_in.is_none()
    }
}

/// All names of a capture.
#[derive(Default)]
pub(super) struct NameResolver {
    /// Names in the fighter index: the source's present names.
    index: HashMap<String, BTreeSet<String>>,
    /// Names in the tale of the tape.
    tape: HashMap<String, BTreeSet<String>>,
    /// Both, folded.
    folded: HashMap<String, BTreeSet<String>>,
    profiles: BTreeMap<String, FighterProfile>,
}

/// The rule that tied a name to an id; the names stand in `bouts.fighter_a_rule`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameRule {
    /// One id has the name.
    Name,
    /// One id has the name when case, marks, hyphens, spaces and a trailing Jr. are left out.
    Folded,
    /// One id has the name but for one letter, or two that changed places.
    Typing,
    /// Of several, one was between 18 and 45 on the day.
    Age,
    /// Of several, one weighs nearest to the class, by at least ten pounds.
    Weight,
    /// Of several, one has a page with anything on it.
    Profile,
}

impl NameRule {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Folded => "folded",
            Self::Typing => "typing",
            Self::Age => "age",
            Self::Weight => "weight",
            Self::Profile => "profile",
        }
    }
}

/// Ages of fighters between whom a name has to decide; unique names are not held to it.
const AGES: std::ops::RangeInclusive<i32> = 18..=45;
/// Nearer by less than this decides nothing: classes lie ten pounds apart and more.
const WEIGHT_GAP_LBS: i32 = 10;

/// Shorter names are too near to one another to tell a typing error.
const TYPED_LENGTH: usize = 8;
/// A match by typing error must weigh about as much as the class.
const TYPED_WEIGHT_LBS: i32 = 20;

impl NameResolver {
    pub(super) fn add_index(&mut self, id: &str, name: &str) {
        self.index.entry(name.to_owned()).or_default().insert(id.to_owned());
        self.folded.entry(fold_name(name)).or_default().insert(id.to_owned());
    }

    pub(super) fn add_tape(&mut self, id: &str, name: &str, profile: FighterProfile) {
        self.tape.entry(name.to_owned()).or_default().insert(id.to_owned());
        self.folded.entry(fold_name(name)).or_default().insert(id.to_owned());
        self.profiles.insert(id.to_owned(), profile);
    }

    /// Takes back what was added of a fighter: his names in the index and in the tale of the tape.
    pub(super) fn remove_fighter(&mut self, id: &str, index: Option<&str>, tape: Option<&str>) {
        let drop = |names: &mut HashMap<String, BTreeSet<String>>, name: &str| {
            if let Some(ids) = names.get_mut(name) {
                ids.remove(id);
                if ids.is_empty() {
                    names.remove(name);
                }
            }
        };
        if let Some(name) = index {
            drop(&mut self.index, name);
            drop(&mut self.folded, &fold_name(name));
        }
        if let Some(name) = tape {
            drop(&mut self.tape, name);
            drop(&mut self.folded, &fold_name(name));
        }
        self.profiles.remove(id);
    }

    /// The id of the fighter named `name` in a bout on `date` in `class`; an error says why there is none.
    pub(super) fn resolve_name(
        &self,
        name: &str,
        date: NaiveDate,
        class: Option<WeightClass>,
    ) -> Result<(String, NameRule), String> {
        let folded = fold_name(name);
        let found = [(&self.index, name), (&self.tape, name), (&self.folded, folded.as_str())]
            .into_iter()
            .enumerate()
            .find_map(|(step, (names, key))| Some((step, names.get(key)?)));
        let Some((step, ids)) = found else {
            let typed = self.resolve_typing_error(&folded, date, class);
            return typed
                .map(|id| (id, NameRule::Typing))
                .ok_or_else(|| format!("no fighter is named `{name}`"));
        };
        if let Some(id) = ids.first().filter(|_| ids.len() == 1) {
            return Ok((id.clone(), if step == 2 { NameRule::Folded } else { NameRule::Name }));
        }
        self.tell_apart(ids, date, class)
            .ok_or_else(|| format!("{} fighters are named `{name}`, and nothing tells them apart", ids.len()))
    }

    /// The one fighter whose name is this but for a typing error, and whose age and weight are those of such a bout.
    fn resolve_typing_error(
        &self,
        folded: &str,
        date: NaiveDate,
        class: Option<WeightClass>,
    ) -> Option<String> {
        if folded.len() < TYPED_LENGTH {
            return None;
        }
        let is_typed = |name: &&String| {
            name.len().abs_diff(folded.len()) <= 1 && strsim::osa_distance(name, folded) == 1
        };
        let near = self.folded.iter().filter(|(name, _)| is_typed(name)).flat_map(|(_, ids)| ids);
        let limit = class.and_then(WeightClass::limit_lbs);
        let fits = |id: &&String| {
            self.profiles.get(*id).is_none_or(|profile| {
                let weight = profile.weight_lbs.zip(limit).map(|(weight, limit)| (weight - limit).abs());
                profile.born.is_none_or(|born| AGES.contains(&age_on(born, date)))
                    && weight.is_none_or(|pounds| pounds <= TYPED_WEIGHT_LBS)
            })
        };
        let ids: BTreeSet<&String> = near.collect();
        match ids.iter().copied().collect::<Vec<_>>()[..] {
            [id] => Some(id).filter(fits).cloned(),
            _ => None,
        }
    }

    /// Whether the capture gives this name to this id, however spelt.
    pub(super) fn is_name_of(&self, name: &str, id: &str) -> bool {
        self.folded.get(&fold_name(name)).is_some_and(|ids| ids.contains(id))
    }

    fn tell_apart(
        &self,
        ids: &BTreeSet<String>,
        date: NaiveDate,
        class: Option<WeightClass>,
    ) -> Option<(String, NameRule)> {
        let empty = FighterProfile::default();
        let all: Vec<(&String, &FighterProfile)> =
            ids.iter().map(|id| (id, self.profiles.get(id).unwrap_or(&empty))).collect();
        let of_age: Vec<_> = all
            .iter()
            .copied()
            .filter(|(_, p)| p.born.is_none_or(|born| AGES.contains(&age_on(born, date))))
            .collect();
        if let [(id, _)] = of_age[..] {
            return Some((id.clone(), NameRule::Age));
        }
        if let Some(id) =
            class.and_then(WeightClass::limit_lbs).and_then(|limit| nearest_weight(&of_age, limit))
        {
            return Some((id.clone(), NameRule::Weight));
        }
        let filled: Vec<_> = of_age.iter().filter(|(_, p)| !p.is_empty()).collect();
        match filled[..] {
            [(id, _)] => Some(((*id).clone(), NameRule::Profile)),
            _ => None,
        }
    }
}

fn age_on(born: NaiveDate, on: NaiveDate) -> i32 {
    let birthday_passed = (on.month(), on.day()) >= (born.month(), born.day());
    on.year() - born.year() - i32::from(!birthday_passed)
}

/// The one that weighs nearest to the limit; all must have a weight.
fn nearest_weight<'a>(profiles: &[(&'a String, &FighterProfile)], limit: i32) -> Option<&'a String> {
    let distances = profiles.iter().map(|(id, p)| Some(((p.weight_lbs? - limit).abs(), *id)));
    let mut distances = distances.collect::<Option<Vec<_>>>()?;
    distances.sort();
    match distances[..] {
        [(first, id), (second, _), ..] if second - first >= WEIGHT_GAP_LBS => Some(id),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn profile(born: Option<&str>, weight_lbs: Option<i32>) -> FighterProfile {
        FighterProfile { born: born.map(day), weight_lbs, height_in: None }
    }

    fn namesakes(a: FighterProfile, b: FighterProfile) -> NameResolver {
        let mut names = NameResolver::default();
        for (id, profile) in [("a", a), ("b", b)] {
            names.add_index(id, "Jo Twin");
            names.add_tape(id, "Jo Twin", profile);
        }
        names
    }

    fn of(names: &NameResolver, class: WeightClass) -> Result<(String, NameRule), String> {
        names.resolve_name("Jo Twin", day("2024-06-29"), Some(class))
    }

    #[test]
    fn namesakes_are_told_apart_by_age_then_weight_then_an_empty_page() {
        let old = profile(Some("1977-10-08"), Some(145));
        let young = profile(Some("1996-12-13"), Some(160));
        let by_age = namesakes(old, young.clone());
        assert_eq!(of(&by_age, WeightClass::Featherweight), Ok(("b".into(), NameRule::Age)));
        let heavy = profile(Some("1989-07-13"), Some(185));
        let light = profile(Some("1990-03-16"), Some(125));
        let by_weight = namesakes(heavy.clone(), light);
        assert_eq!(of(&by_weight, WeightClass::Bantamweight), Ok(("b".into(), NameRule::Weight)));
        let by_page = namesakes(heavy, FighterProfile::default());
        assert_eq!(of(&by_page, WeightClass::Middleweight), Ok(("a".into(), NameRule::Profile)));
    }

    #[test]
    fn namesakes_that_nothing_tells_apart_have_no_id() {
        let same = profile(Some("1990-01-01"), Some(155));
        assert!(of(&namesakes(same.clone(), same), WeightClass::Lightweight).is_err());
    }

    #[test]
    fn a_typing_error_means_the_one_fighter_of_nearly_that_name_age_and_weight() {
        let mut names = NameResolver::default();
        names.add_tape("a", "Rafael Cerqueira", profile(Some("1990-01-01"), Some(205)));
        let resolve = |names: &NameResolver, class| {
            names.resolve_name("Rafael Cerquiera", day("2025-02-22"), Some(class))
        };
        assert_eq!(resolve(&names, WeightClass::LightHeavyweight), Ok(("a".into(), NameRule::Typing)));
        assert!(resolve(&names, WeightClass::Bantamweight).is_err(), "of another class");
        assert!(
            names.resolve_name("Rafael Cerqueiro Jo", day("2025-02-22"), None).is_err(),
            "three letters off"
        );
        names.add_tape("b", "Rafael Cerquier", FighterProfile::default());
        assert!(resolve(&names, WeightClass::LightHeavyweight).is_err(), "two are as near");
    }

    #[test]
    fn the_index_goes_before_the_tape_and_spelling_comes_last() {
        let mut names = NameResolver::default();
        names.add_index("a", "New Name-Two");
        names.add_tape("a", "Old Name", FighterProfile::default());
        names.add_tape("b", "New Name-Two", FighterProfile::default());
        let resolve = |name| names.resolve_name(name, day("2020-01-01"), None);
        assert_eq!(resolve("New Name-Two"), Ok(("a".into(), NameRule::Name)));
        assert_eq!(resolve("Old Name"), Ok(("a".into(), NameRule::Name)));
        assert_eq!(resolve("OLD NAME"), Ok(("a".into(), NameRule::Folded)));
        assert!(resolve("Nobody").is_err());
    }
}
