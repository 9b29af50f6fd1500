//! Events, bouts and fighters that are known, and which ids of which sources stand for them.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use fdna_model::Kind;
use uuid::Uuid;

use super::claims::Seen;

/// An event that we have.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) id: Uuid,
    pub(crate) names: Vec<String>,
    pub(crate) day: NaiveDate,
    pub(crate) bouts: Vec<Uuid>,
}

/// A bout that we have.
#[derive(Debug, Clone)]
pub(crate) struct Bout {
    pub(crate) id: Uuid,
    pub(crate) event: Uuid,
    pub(crate) day: NaiveDate,
    pub(crate) fighters: [Uuid; 2],
    pub(crate) order: Option<i32>,
}

/// A fighter that we have.
#[derive(Debug, Clone)]
pub(crate) struct Fighter {
    pub(crate) id: Uuid,
    /// As the sources write him.
    pub(crate) names: Vec<String>,
    pub(crate) born: Option<NaiveDate>,
    pub(crate) bouts: Vec<Uuid>,
}

/// That an id of a source stands for one of ours.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Link {
    pub(crate) entity: Uuid,
    pub(crate) rule: String,
    /// 0 to 1.
    pub(crate) score: f64,
    pub(crate) name: Option<String>,
    pub(crate) seen: Seen,
}

/// A link that was not made, for a person to decide.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Doubt {
    pub(crate) kind: Kind,
    pub(crate) source: String,
    pub(crate) source_id: String,
    pub(crate) name: String,
    pub(crate) candidate: Option<Uuid>,
    pub(crate) candidate_name: Option<String>,
    pub(crate) rule: String,
    pub(crate) score: f64,
    pub(crate) reason: String,
    pub(crate) seen: Seen,
}

/// A claimed bout that is one of ours; the fighters in the order of the claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Linked {
    pub(crate) event: Uuid,
    pub(crate) bout: Uuid,
    pub(crate) fighters: [Uuid; 2],
}

/// All that is known so far.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    pub(crate) events: BTreeMap<Uuid, Event>,
    pub(crate) bouts: BTreeMap<Uuid, Bout>,
    pub(crate) fighters: BTreeMap<Uuid, Fighter>,
    /// By kind, source and source id.
    pub(crate) links: BTreeMap<(Kind, String, String), Link>,
    pub(crate) doubts: Vec<Doubt>,
}

impl Registry {
    pub(crate) fn events_on(&self, day: NaiveDate, within_days: i64) -> impl Iterator<Item = &Event> {
        self.events.values().filter(move |event| (event.day - day).num_days().abs() <= within_days)
    }

    pub(crate) fn bouts_of(&self, event: Uuid) -> impl Iterator<Item = &Bout> {
        let bouts = self.events.get(&event).map(|event| event.bouts.as_slice()).unwrap_or_default();
        bouts.iter().filter_map(|id| self.bouts.get(id))
    }

    /// What this id of a source stands for.
    pub(crate) fn entity(&self, kind: Kind, source: &str, source_id: &str) -> Option<Uuid> {
        self.links.get(&(kind, source.to_owned(), source_id.to_owned())).map(|link| link.entity)
    }
}
