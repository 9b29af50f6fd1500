//! Events, bouts and fighters that are known, and which ids of which sources stand for them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{Days, NaiveDate};
use fdna_model::{Kind, WeightClass};
use uuid::Uuid;

use super::claims::{FirstSeen, is_mention};
use super::decisions::LinkDecisions;
use super::name_similarity::FoldedName;
use super::published::PublishedIds;

/// An event that we have.
#[derive(Debug, Clone)]
pub(crate) struct RegisteredEvent {
    pub(crate) id: Uuid,
    pub(crate) names: Vec<String>,
    pub(crate) day: NaiveDate,
    pub(crate) bouts: Vec<Uuid>,
}

/// A bout that we have.
#[derive(Debug, Clone)]
pub(crate) struct RegisteredBout {
    pub(crate) id: Uuid,
    pub(crate) event: Uuid,
    pub(crate) day: NaiveDate,
    pub(crate) fighters: [Uuid; 2],
    pub(crate) order: Option<i32>,
    pub(crate) class: Option<WeightClass>,
    /// As far as the schedule leaves open.
    pub(crate) possible_classes: Vec<WeightClass>,
    /// Some source has a result.
    pub(crate) is_fought: bool,
}

/// A fighter that we have.
#[derive(Debug, Clone)]
pub(crate) struct RegisteredFighter {
    pub(crate) id: Uuid,
    /// As the sources write him.
    pub(crate) names: Vec<String>,
    pub(crate) spellings: Vec<FoldedName>,
    /// Folded.
    pub(crate) nicknames: BTreeSet<String>,
    pub(crate) born: Option<NaiveDate>,
    pub(crate) weight_lbs: Option<i32>,
    pub(crate) bouts: Vec<Uuid>,
}

/// A source's id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SourceKey {
    pub(crate) kind: Kind,
    pub(crate) source: String,
    pub(crate) source_id: String,
}

impl SourceKey {
    pub(crate) fn new(kind: Kind, source: &str, source_id: &str) -> Self {
        Self { kind, source: source.to_owned(), source_id: source_id.to_owned() }
    }

    /// Whether the source gave the id itself, so that no other of its ids is the same entity. An event page moves
    /// to another address now and then.
    pub(crate) fn is_exclusive(&self) -> bool {
        !is_mention(&self.source_id) && self.source != crate::source_names::CARDS
    }
}

/// Link of a source id to one of our entities.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EntityLink {
    pub(crate) entity: Uuid,
    pub(crate) rule: String,
    /// 0 to 1.
    pub(crate) score: f64,
    pub(crate) name: Option<String>,
    pub(crate) seen: FirstSeen,
}

/// A link that was not made, for a person to decide.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AmbiguousMatch {
    pub(crate) key: SourceKey,
    pub(crate) name: String,
    pub(crate) candidate: Option<Uuid>,
    pub(crate) rule: &'static str,
    pub(crate) score: f64,
    pub(crate) reason: String,
    pub(crate) seen: FirstSeen,
}

/// A claimed bout that is one of ours; the fighters in the order of the claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LinkedBout {
    pub(crate) event: Uuid,
    pub(crate) bout: Uuid,
    pub(crate) fighters: [Uuid; 2],
}

/// All that is known so far.
#[derive(Debug, Default)]
pub(crate) struct EntityRegistry {
    pub(crate) events: BTreeMap<Uuid, RegisteredEvent>,
    pub(crate) bouts: BTreeMap<Uuid, RegisteredBout>,
    pub(crate) fighters: BTreeMap<Uuid, RegisteredFighter>,
    pub(crate) links: HashMap<SourceKey, EntityLink>,
    pub(crate) doubts: Vec<AmbiguousMatch>,
    pub(super) published: PublishedIds,
    pub(super) decisions: LinkDecisions,
    by_day: BTreeMap<NaiveDate, Vec<Uuid>>,
    /// Fighters by the folded name, and by its words in other orders.
    by_name: HashMap<String, BTreeSet<Uuid>>,
    /// By source and entity, the source's own id.
    own: HashMap<String, HashMap<Uuid, String>>,
    /// By source and its id, the fighter: `links` without the rest.
    fighter_of: HashMap<String, HashMap<String, Uuid>>,
    /// Present holder of a published id.
    holders: HashMap<Uuid, Uuid>,
}

impl EntityRegistry {
    pub(super) fn new(published: PublishedIds, decisions: LinkDecisions) -> Self {
        Self { published, decisions, ..Self::default() }
    }

    pub(crate) fn events_on(
        &self,
        day: NaiveDate,
        within_days: u64,
    ) -> impl Iterator<Item = &RegisteredEvent> {
        let from = day.checked_sub_days(Days::new(within_days)).unwrap_or(day);
        let until = day.checked_add_days(Days::new(within_days)).unwrap_or(day);
        self.by_day.range(from..=until).flat_map(|(_, ids)| ids).filter_map(|id| self.events.get(id))
    }

    pub(crate) fn bouts_of(&self, event: Uuid) -> impl Iterator<Item = &RegisteredBout> {
        let bouts = self.events.get(&event).map(|event| event.bouts.as_slice()).unwrap_or_default();
        bouts.iter().filter_map(|id| self.bouts.get(id))
    }

    /// The entity of a source id.
    pub(crate) fn find_entity(&self, kind: Kind, source: &str, source_id: &str) -> Option<Uuid> {
        self.links.get(&SourceKey::new(kind, source, source_id)).map(|link| link.entity)
    }

    /// Fighters whose name this is, but for marks, spaces and the order of words.
    pub(super) fn fighters_named(&self, name: &FoldedName) -> BTreeSet<Uuid> {
        let keys = name.turned.iter().chain([&name.folded]);
        keys.filter_map(|key| self.by_name.get(key)).flatten().copied().collect()
    }

    pub(crate) fn add_event(&mut self, event: RegisteredEvent) {
        self.by_day.entry(event.day).or_default().push(event.id);
        self.events.insert(event.id, event);
    }

    pub(crate) fn add_bout(&mut self, bout: RegisteredBout) {
        if let Some(event) = self.events.get_mut(&bout.event) {
            event.bouts.push(bout.id);
        }
        for id in bout.fighters {
            if let Some(fighter) = self.fighters.get_mut(&id) {
                fighter.bouts.push(bout.id);
            }
        }
        self.bouts.insert(bout.id, bout);
    }

    pub(crate) fn add_fighter(&mut self, id: Uuid, born: Option<NaiveDate>) {
        let fighter = RegisteredFighter {
            id,
            names: Vec::new(),
            spellings: Vec::new(),
            nicknames: BTreeSet::new(),
            born,
            weight_lbs: None,
            bouts: Vec::new(),
        };
        self.fighters.insert(id, fighter);
    }

    /// Adds a source's spelling of a fighter.
    pub(crate) fn add_name(&mut self, fighter: Uuid, name: &str, nickname: Option<&str>) {
        let Some(known) = self.fighters.get_mut(&fighter) else { return };
        known.nicknames.extend(nickname.map(fdna_model::fold_name).filter(|nickname| nickname.len() >= 4));
        if known.names.iter().any(|n| n == name) {
            return;
        }
        known.names.push(name.to_owned());
        let spelling = FoldedName::new(name);
        if known.spellings.contains(&spelling) {
            return;
        }
        for key in spelling.turned.iter().chain([&spelling.folded]) {
            self.by_name.entry(key.clone()).or_default().insert(fighter);
        }
        known.spellings.push(spelling);
    }

    /// A link settled before any rule: one made already, a person's decision, a published id.
    pub(super) fn settled_link(&self, key: &SourceKey) -> Option<(Uuid, String, f64)> {
        if let Some(link) = self.links.get(key) {
            return Some((link.entity, link.rule.clone(), link.score));
        }
        let decided = self.decisions.same_keys(key).find_map(|other| Some(self.links.get(other)?.entity));
        if let Some(entity) = decided {
            return Some((entity, "decision".to_owned(), 1.0));
        }
        let row = self.published.rows.get(key)?;
        let entity = *self.holders.get(&row.entity)?;
        (!self.is_barred(key, entity)).then(|| (entity, row.rule.clone(), row.score))
    }

    /// Whether this id must not stand for this entity: a person says so, or the source's own id for it is another.
    pub(super) fn is_barred(&self, key: &SourceKey, entity: Uuid) -> bool {
        let stands = |other: &SourceKey| self.links.get(other).is_some_and(|link| link.entity == entity);
        self.decisions.different_keys(key).any(stands) || (key.is_exclusive() && self.has_other(key, entity))
    }

    /// Whether the source has another id for the entity.
    fn has_other(&self, key: &SourceKey, entity: Uuid) -> bool {
        let own = self.own.get(&key.source).and_then(|own| own.get(&entity));
        own.is_some_and(|id| *id != key.source_id)
    }

    /// The fighter that this id stands for by now.
    pub(super) fn fighter_of(&self, source: &str, source_id: &str) -> Option<Uuid> {
        self.fighter_of.get(source)?.get(source_id).copied()
    }

    /// Whether a person has said that this id stands for this entity, or that it does not.
    pub(super) fn is_decided(&self, key: &SourceKey, entity: Uuid) -> bool {
        let mut others = self.decisions.same_keys(key).chain(self.decisions.different_keys(key));
        others.any(|other| self.links.get(other).is_some_and(|link| link.entity == entity))
    }

    pub(super) fn add_link(&mut self, key: SourceKey, link: EntityLink) {
        if let Some(row) = self.published.rows.get(&key) {
            self.holders.entry(row.entity).or_insert(link.entity);
        }
        if key.is_exclusive() {
            self.own.entry(key.source.clone()).or_default().insert(link.entity, key.source_id.clone());
        }
        if key.kind == Kind::Fighter {
            let of_source = self.fighter_of.entry(key.source.clone()).or_default();
            of_source.entry(key.source_id.clone()).or_insert(link.entity);
        }
        self.links.entry(key).or_insert(link);
    }

    pub(super) fn add_doubt(&mut self, doubt: AmbiguousMatch) {
        self.doubts.push(doubt);
    }

    /// As [`Self::by_day`] and the others are, under new ids.
    pub(super) fn rebuild_indexes(&mut self, new: impl Fn(Uuid) -> Uuid) {
        self.by_day.values_mut().flatten().for_each(|id| *id = new(*id));
        for ids in self.by_name.values_mut() {
            *ids = ids.iter().map(|id| new(*id)).collect();
        }
        for own in self.own.values_mut() {
            *own = std::mem::take(own).into_iter().map(|(id, own)| (new(id), own)).collect();
        }
        self.fighter_of.values_mut().flat_map(HashMap::values_mut).for_each(|id| *id = new(*id));
        self.holders.values_mut().for_each(|id| *id = new(*id));
    }

    /// Fighters who share a name, however its words are ordered.
    pub(super) fn sharing_a_name(&self) -> impl Iterator<Item = &BTreeSet<Uuid>> {
        self.by_name.values().filter(|fighters| fighters.len() > 1)
    }

    /// Sources that give ids of their own.
    pub(super) fn sources_with_own_ids(&self) -> impl Iterator<Item = &str> {
        self.own.keys().map(String::as_str)
    }

    /// Whether the source has an id of its own for the entity.
    pub(super) fn has_own(&self, source: &str, entity: Uuid) -> bool {
        self.own.get(source).is_some_and(|own| own.contains_key(&entity))
    }

    /// Removes an event.
    pub(super) fn forget_day(&mut self, day: NaiveDate, event: Uuid) {
        if let Some(events) = self.by_day.get_mut(&day) {
            events.retain(|id| *id != event);
        }
    }

    /// The last day on which he fought or is to fight.
    pub(super) fn last_day(&self, fighter: Uuid) -> Option<NaiveDate> {
        let bouts = self.fighters.get(&fighter)?.bouts.iter();
        bouts.filter_map(|id| self.bouts.get(id)).map(|bout| bout.day).max()
    }
}
