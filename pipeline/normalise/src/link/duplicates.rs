//! Entities that stand twice, made one. Each source is linked as it comes, so that one who is on a card before the
//! statistics source has him, or after years away, or under a name that he gave up, first stands for himself.
//! Once every schedule is linked, more is known: classes, opponents, days. Then
//!
//! - fighters of one name are one, unless ids, birthdays, classes or a day on which both fought say otherwise;
//! - fighters whose names are nearly one are, where they are to meet the same opponent on the same card; where they
//!   share a surname alone, if every bout of the one is a bout of the other under a later name;
//! - bouts of one pair on one card are one, unless the statistics source has both;
//! - an event that names nobody (`TBD vs TBD`) and has no bout is the one of its number, else that of its day.
//!
//! What stays apart though it bears one name is a doubt.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::NaiveDate;
use fdna_model::{Kind, WeightClass};
use uuid::Uuid;

use super::events::Title;
use super::named::is_next;
use super::registry::{Bout, Doubt, Event, Fighter, Key, Registry};
use super::{NEAR, STATSDB, SURE};

/// Names of one fighter lie no further apart in years than a career is long.
const CAREER_YEARS: i64 = 12;
/// An event is put off by no more than this.
const POSTPONED_DAYS: i64 = 92;
/// A profile says the weight of the last years: within a class of the limit.
const WEIGHT_GAP_LBS: i32 = 20;
/// Heavyweights weigh what they weigh.
const HEAVYWEIGHT_FROM_LBS: i32 = 200;
/// A surname in common.
const SURNAME: f64 = 0.55;

/// By what two entities are one.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Same {
    rule: &'static str,
    score: f64,
}

/// Whether two fighters of one name are one.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Verdict {
    Same(Same),
    /// Nothing says that they are two, and too little that they are one.
    Doubt(&'static str),
    Different,
}

/// What became of the entities that are no more: lost, kept.
pub(super) type Merged = HashMap<Uuid, Uuid>;

impl Registry {
    /// Merges what stands twice, and notes the doubts.
    pub(super) fn merge_duplicates(&mut self) -> Merged {
        let mut merged = Merged::new();
        type Find = fn(&Registry) -> Vec<(Kind, Uuid, Uuid, Same)>;
        let finds: [Find; 4] = [placeholder_events, of_one_name, of_one_opponent, bouts_of_one_pair];
        // Bouts become one where their fighters did, and fighters where their bouts show it.
        loop {
            let before = merged.len();
            for find in finds {
                let found = find(self);
                self.merge(&found, &mut merged);
            }
            if merged.len() == before {
                break;
            }
        }
        self.doubt_namesakes();
        merged
    }

    fn merge(&mut self, found: &[(Kind, Uuid, Uuid, Same)], merged: &mut Merged) {
        let mut of_kind: BTreeMap<(Kind, Uuid), (Uuid, Same)> = BTreeMap::new();
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
        self.reindex(new);
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

    /// Which of two stays: the statistics source's, else the one with more bouts, else the lower id.
    fn lost_and_kept(&self, a: &Fighter, b: &Fighter) -> (Uuid, Uuid) {
        let worth = |fighter: &Fighter| (self.is_of_statsdb(fighter.id), fighter.bouts.len());
        let is_a = worth(a).cmp(&worth(b)).then(b.id.cmp(&a.id)).is_ge();
        if is_a { (b.id, a.id) } else { (a.id, b.id) }
    }

    /// Whether every bout of the one, two at least or one that was listed when it was over, is a bout of the other
    /// against the same opponent on the same card: a brother who steps in does so once, and before.
    fn is_shadow(&self, lost: Uuid, kept: Uuid) -> bool {
        let Some(bouts) = self.fighters.get(&lost).map(|fighter| &fighter.bouts) else { return false };
        let bouts: Vec<&Bout> = bouts.iter().filter_map(|id| self.bouts.get(id)).collect();
        let is_doubled = |bout: &&Bout| {
            let opponent = bout.fighters.into_iter().find(|id| *id != lost);
            self.bouts_of(bout.event).any(|other| {
                other.fighters.contains(&kept) && opponent.is_some_and(|id| other.fighters.contains(&id))
            })
        };
        let is_late = |bout: &&Bout| {
            let seen = self.links.values().filter(|link| link.entity == bout.id).map(|link| &link.seen).min();
            seen.is_some_and(|seen| seen.at.date_naive() > bout.day)
        };
        bouts.iter().all(is_doubled) && (bouts.len() >= 2 || bouts.iter().any(is_late))
    }

    fn compare(&self, a: &Fighter, b: &Fighter) -> Verdict {
        if self.are_decided_different(a.id, b.id) {
            return Verdict::Different;
        }
        if self.have_ids_of_one_source(a.id, b.id) {
            let is_empty = a.bouts.is_empty() || b.bouts.is_empty();
            let is_one = is_empty && a.born.is_none_or(|born| b.born.is_none_or(|other| born == other));
            return if is_one {
                Verdict::Doubt("the source has two pages of this name")
            } else {
                Verdict::Different
            };
        }
        match a.born.zip(b.born) {
            Some((a, b)) if a != b => return Verdict::Different,
            Some(_) => return Verdict::Same(Same { rule: "name_and_birth", score: 0.99 }),
            None => {}
        }
        let (of_a, of_b) = (self.career(a), self.career(b));
        if of_a.meets(&of_b) {
            return Verdict::Different;
        }
        match (of_a.is_empty(), of_b.is_empty()) {
            (true, true) => Verdict::Same(Same { rule: "name", score: 0.86 }),
            (true, false) => of_b.with_profile(a),
            (false, true) => of_a.with_profile(b),
            (false, false) => of_a.with(&of_b),
        }
    }

    fn career(&self, fighter: &Fighter) -> Career<'_> {
        Career { id: fighter.id, bouts: fighter.bouts.iter().filter_map(|id| self.bouts.get(id)).collect() }
    }

    /// Pairs of fighters of one name, each with the other as the only one it may be.
    fn namesakes(&self) -> Vec<(&Fighter, &Fighter, Verdict)> {
        let mut pairs: BTreeMap<(Uuid, Uuid), Verdict> = BTreeMap::new();
        for ids in self.sharing_a_name() {
            let fighters: Vec<&Fighter> = ids.iter().filter_map(|id| self.fighters.get(id)).collect();
            for (n, a) in fighters.iter().enumerate() {
                for b in &fighters[n + 1..] {
                    pairs.entry((a.id, b.id)).or_insert_with(|| self.compare(a, b));
                }
            }
        }
        pairs.retain(|_, verdict| *verdict != Verdict::Different);
        let mut rivals: BTreeMap<Uuid, usize> = BTreeMap::new();
        for ((a, b), _) in pairs.iter().filter(|(_, verdict)| matches!(verdict, Verdict::Same(_))) {
            [a, b].into_iter().for_each(|id| *rivals.entry(*id).or_default() += 1);
        }
        let is_only = |id: &Uuid| rivals.get(id) == Some(&1);
        let verdict = |(a, b): &(Uuid, Uuid), verdict: Verdict| match verdict {
            Verdict::Same(_) if !is_only(a) || !is_only(b) => {
                Verdict::Doubt("several fighters bear this name")
            }
            verdict => verdict,
        };
        let known = |id: &Uuid| self.fighters.get(id);
        pairs.iter().filter_map(|(ids, v)| Some((known(&ids.0)?, known(&ids.1)?, verdict(ids, *v)))).collect()
    }

    fn doubt_namesakes(&mut self) {
        let doubts: Vec<(Uuid, Uuid, &'static str)> = self
            .namesakes()
            .into_iter()
            .filter_map(|(a, b, verdict)| match verdict {
                Verdict::Doubt(reason) => {
                    let (lost, kept) = self.lost_and_kept(a, b);
                    Some((lost, kept, reason))
                }
                _ => None,
            })
            .collect();
        for (id, candidate, reason) in doubts {
            let first =
                self.links.iter().filter(|(key, link)| key.kind == Kind::Fighter && link.entity == id);
            let Some((key, link)) = first.min_by_key(|(_, link)| &link.seen) else { continue };
            let (key, seen) = (key.clone(), link.seen.clone());
            if self.doubts.iter().any(|doubt| doubt.key == key) {
                continue;
            }
            let name = self.name_of(Kind::Fighter, id).unwrap_or_default();
            let reason = reason.to_owned();
            self.doubt(Doubt {
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
}

/// A fighter's bouts.
struct Career<'a> {
    id: Uuid,
    bouts: Vec<&'a Bout>,
}

impl Career<'_> {
    fn is_empty(&self) -> bool {
        self.bouts.is_empty()
    }

    fn opponent(&self, bout: &Bout) -> Uuid {
        if bout.fighters[0] == self.id { bout.fighters[1] } else { bout.fighters[0] }
    }

    /// Whether both were at work on one day, each against another opponent.
    fn meets(&self, other: &Self) -> bool {
        let is_one_day = |a: &Bout, b: &Bout| (a.day - b.day).num_days().abs() <= 1;
        self.bouts.iter().any(|a| {
            let mut theirs = other.bouts.iter().filter(|b| is_one_day(a, b));
            theirs.any(|b| self.opponent(a) != other.opponent(b) && a.is_fought && b.is_fought)
                || a.fighters.contains(&other.id)
        })
    }

    fn classes(&self) -> Vec<WeightClass> {
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

    fn with(&self, other: &Self) -> Verdict {
        let (mine, theirs) = (self.classes(), other.classes());
        let is_of_one_class = mine.iter().any(|a| theirs.iter().any(|b| is_next(*a, *b)));
        match self.years_between(other) {
            Some(years) if years > CAREER_YEARS => {
                Verdict::Doubt("their bouts lie further apart than a career lasts")
            }
            _ if is_of_one_class => Verdict::Same(Same { rule: "name_and_class", score: 0.9 }),
            _ if mine.is_empty() || theirs.is_empty() => Verdict::Same(Same { rule: "name", score: 0.86 }),
            _ => Verdict::Doubt("they fought in classes that are not next to each other"),
        }
    }

    /// The profile of one who has no bout there yet.
    fn with_profile(&self, profile: &Fighter) -> Verdict {
        let limits: Vec<i32> = self.classes().into_iter().filter_map(WeightClass::limit_lbs).collect();
        match profile.weight_lbs {
            Some(weight) if limits.iter().any(|limit| is_of_limit(weight, *limit)) => {
                Verdict::Same(Same { rule: "name_and_weight", score: 0.9 })
            }
            Some(_) if !limits.is_empty() => Verdict::Doubt("the weight is that of another class"),
            _ => Verdict::Same(Same { rule: "name", score: 0.86 }),
        }
    }
}

fn is_of_limit(weight: i32, limit: i32) -> bool {
    let is_heavy = Some(limit) == WeightClass::Heavyweight.limit_lbs() && weight >= HEAVYWEIGHT_FROM_LBS;
    is_heavy || (limit - weight).abs() <= WEIGHT_GAP_LBS
}

fn of_one_name(registry: &Registry) -> Vec<(Kind, Uuid, Uuid, Same)> {
    let pairs = registry.namesakes().into_iter();
    let found = pairs.filter_map(|(a, b, verdict)| match verdict {
        Verdict::Same(same) => {
            let (lost, kept) = registry.lost_and_kept(a, b);
            Some((Kind::Fighter, lost, kept, same))
        }
        _ => None,
    });
    found.collect()
}

/// One of them is on no list of the statistics source, bears nearly the name of the other, and both are to meet the
/// same opponent on the same card.
fn of_one_opponent(registry: &Registry) -> Vec<(Kind, Uuid, Uuid, Same)> {
    let mut found = Vec::new();
    for event in registry.events.keys() {
        let bouts: Vec<&Bout> = registry.bouts_of(*event).collect();
        for (n, a) in bouts.iter().enumerate() {
            for b in &bouts[n + 1..] {
                let Some((x, y)) = others(a, b) else { continue };
                let pair = registry.fighters.get(&x).zip(registry.fighters.get(&y));
                let Some((x, y)) = pair else { continue };
                let likeness = x.spellings.iter().flat_map(|a| y.spellings.iter().map(|b| a.likeness(b)));
                let likeness = likeness.fold(0.0, f64::max);
                let (lost, kept) = registry.lost_and_kept(x, y);
                let is_one = likeness >= SURE || (likeness >= SURNAME && registry.is_shadow(lost, kept));
                if !is_one || registry.is_of_statsdb(lost) || registry.compare(x, y) == Verdict::Different {
                    continue;
                }
                let same = match likeness {
                    likeness if likeness >= SURE => {
                        Same { rule: "name_and_opponent", score: (likeness + NEAR).min(0.95) }
                    }
                    _ => Same { rule: "surname_and_opponents", score: 0.87 },
                };
                found.push((Kind::Fighter, lost, kept, same));
            }
        }
    }
    found
}

/// The two who are to meet the same one.
fn others(a: &Bout, b: &Bout) -> Option<(Uuid, Uuid)> {
    let shared = *a.fighters.iter().find(|id| b.fighters.contains(id))?;
    let other = |bout: &Bout| bout.fighters.into_iter().find(|id| *id != shared);
    other(a).zip(other(b)).filter(|(x, y)| x != y)
}

fn bouts_of_one_pair(registry: &Registry) -> Vec<(Kind, Uuid, Uuid, Same)> {
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
            found.extend(others.map(|lost| (Kind::Bout, lost, kept, Same { rule: "fighters", score: 0.95 })));
        }
    }
    found
}

fn placeholder_events(registry: &Registry) -> Vec<(Kind, Uuid, Uuid, Same)> {
    let title = |event: &Event| event.names.iter().map(|name| Title::new(name)).collect::<Vec<_>>();
    let is_placeholder = |event: &&Event| {
        event.bouts.is_empty()
            && !registry.is_of_statsdb(event.id)
            && title(event).iter().all(Title::names_nobody)
    };
    let mut found = Vec::new();
    for event in registry.events.values().filter(is_placeholder) {
        let days = |other: &Event| (other.day - event.day).num_days().abs();
        let numbers: Vec<u32> = title(event).iter().filter_map(|title| title.number).collect();
        let others =
            || registry.events.values().filter(|other| other.id != event.id && !other.bouts.is_empty());
        let is_number = |other: &&Event| {
            title(other).iter().any(|title| title.number.is_some_and(|n| numbers.contains(&n)))
        };
        let by_number = others().filter(|other| days(other) <= POSTPONED_DAYS).filter(is_number);
        let is_ufc = |other: &&Event| other.names.iter().any(|name| is_ufc(name));
        let by_day = others()
            .filter(|other| days(other) <= 1 && event.names.iter().any(|name| self::is_ufc(name)))
            .filter(is_ufc);
        let same = only(by_number).map(|other| (other, Same { rule: "number", score: 0.95 }));
        let same = same.or_else(|| only(by_day).map(|other| (other, Same { rule: "day", score: 0.86 })));
        found.extend(same.map(|(other, same)| (Kind::Event, event.id, other.id, same)));
    }
    found
}

fn only<T>(mut of: impl Iterator<Item = T>) -> Option<T> {
    of.next().filter(|_| of.next().is_none())
}

fn is_ufc(name: &str) -> bool {
    name.split(|c: char| !c.is_alphanumeric()).any(|word| word.eq_ignore_ascii_case("ufc"))
}

impl Registry {
    /// Whether a source gives each of them an id of its own: then it says that they are two.
    fn have_ids_of_one_source(&self, a: Uuid, b: Uuid) -> bool {
        self.sources_with_own_ids().any(|source| self.has_own(source, a) && self.has_own(source, b))
    }

    fn are_decided_different(&self, a: Uuid, b: Uuid) -> bool {
        let of = |id: Uuid| self.links.iter().filter(move |(_, link)| link.entity == id).map(|(key, _)| key);
        self.decisions.any_different()
            && of(a).any(|key: &Key| {
                self.decisions
                    .different(key)
                    .any(|other| self.links.get(other).is_some_and(|link| link.entity == b))
            })
    }
}
