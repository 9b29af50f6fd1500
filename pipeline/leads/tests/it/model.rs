//! The store against a model of it: a list in memory. The same random calls of both must come to the same.

use chrono::{DateTime, TimeDelta, Utc};
use fdna_leads::lead::{FIRST_STATUS, Lead, LeadPatch, NewLead, PatchProblem, StoredLead};
use fdna_leads::store::erasure::Contact;
use fdna_leads::store::list::LeadQuery;
use fdna_leads::store::{Author, Change, Creation, Erasure, IdempotentRequest, LeadStore};
use proptest::prelude::*;
use std::collections::BTreeMap;
use uuid::Uuid;

/// A call; leads are named by the order in which they were made, modulo their number.
#[derive(Debug, Clone)]
pub(crate) enum Call {
    Create { name: String, email: Option<u8>, source: Option<u8>, request: Option<(u8, u8)> },
    Change { lead: usize, expected: Option<i64>, patch: Patch },
    Erase { lead: usize, expected: Option<i64> },
    EraseEmail(u8),
    List { status: Option<u8>, source: Option<u8>, limit: u32, offset: u32 },
    Get(usize),
}

#[derive(Debug, Clone)]
pub(crate) struct Patch {
    name: Option<String>,
    email: Option<Option<u8>>,
    status: Option<u8>,
    metadata: Option<Option<(u8, Option<String>)>>,
}

const STATUSES: [&str; 3] = ["new", "contacted", "won"];

pub(crate) fn calls() -> impl Strategy<Value = Vec<Call>> {
    let small = || prop::option::of(0u8..3);
    let expected = || prop::option::of(1i64..4);
    let patch = (
        prop::option::of("\\PC{1,8}"),
        prop::option::of(small()),
        small(),
        prop::option::of(prop::option::of((0u8..3, prop::option::of("\\PC{0,5}")))),
    );
    let patch = patch.prop_map(|(name, email, status, metadata)| Patch { name, email, status, metadata });
    let request = prop::option::of((0u8..3, 0u8..2));
    let call = prop_oneof![
        4 => ("\\PC{1,8}", small(), small(), request)
            .prop_map(|(name, email, source, request)| Call::Create { name, email, source, request }),
        3 => (any::<usize>(), expected(), patch)
            .prop_map(|(lead, expected, patch)| Call::Change { lead, expected, patch }),
        1 => (any::<usize>(), expected()).prop_map(|(lead, expected)| Call::Erase { lead, expected }),
        1 => (0u8..3).prop_map(Call::EraseEmail),
        2 => (small(), small(), 1u32..6, 0u32..6)
            .prop_map(|(status, source, limit, offset)| Call::List { status, source, limit, offset }),
        1 => any::<usize>().prop_map(Call::Get),
    ];
    prop::collection::vec(call, 1..40)
}

fn email(n: u8) -> String {
    format!("Person{n}@Example.com")
}

/// All leads that were made, with those erased as `None`.
#[derive(Default)]
struct Model {
    leads: Vec<(Uuid, Option<StoredLead>)>,
    requests: BTreeMap<u8, (u8, Uuid, DateTime<Utc>)>,
    moves: BTreeMap<Uuid, usize>,
}

impl Model {
    fn place(&self, lead: usize) -> Option<usize> {
        (!self.leads.is_empty()).then(|| lead % self.leads.len())
    }

    fn is_erased(&self, id: Uuid) -> bool {
        self.leads.iter().any(|(known, lead)| *known == id && lead.is_none())
    }

    fn erase(&mut self, place: usize) {
        self.leads[place].1 = None;
    }
}

/// Makes the calls on an empty store, each later than the one before.
pub(crate) async fn check(store: &LeadStore, calls: Vec<Call>) {
    let mut model = Model::default();
    let mut now: DateTime<Utc> = "2026-11-24T00:00:00Z".parse().unwrap();
    for call in calls {
        now += TimeDelta::milliseconds(7);
        let by = Author::by_key(4, "crm".into(), now);
        step(store, &mut model, call, by).await;
    }
    for (id, lead) in &model.leads {
        assert_eq!(store.get_lead(*id, Some("crm")).await.unwrap(), *lead);
        let moves = store.status_moves(*id).await.unwrap();
        assert_eq!(moves.len(), lead.as_ref().map_or(0, |_| model.moves[id]));
        if let Some(lead) = lead {
            assert_eq!(moves.last().unwrap().to, lead.lead.status);
        }
    }
}

async fn step(store: &LeadStore, model: &mut Model, call: Call, by: Author) {
    match call {
        Call::Create { name, email: address, source, request } => {
            let new = NewLead {
                name,
                email: address.map(email),
                phone: Some("+14155552671".to_owned()),
                source: source.map(|source| source.to_string()),
                metadata: BTreeMap::new(),
            };
            let sent = request.map(|(key, body)| IdempotentRequest {
                key_id: 4,
                digest: [key; 32],
                request: [body; 32],
                forget_before: by.at - TimeDelta::hours(24),
            });
            let created = store.create_lead(new.clone(), by.clone(), sent).await.unwrap();
            let known = request.and_then(|(key, body)| Some((*model.requests.get(&key)?, body)));
            let told = |id, created_at| {
                let NewLead { name, email, phone, source, metadata } = new.clone();
                let status = FIRST_STATUS.to_owned();
                let lead =
                    Lead { id, name, email, phone, status, source, created_at, updated_at: created_at };
                StoredLead { lead, metadata, version: 1 }
            };
            if let Some(((sent, id, at), body)) = known {
                let wanted = match (model.is_erased(id), sent == body) {
                    (true, _) => Creation::Erased,
                    (false, true) => Creation::Repeated(told(id, at)),
                    (false, false) => Creation::OtherBody,
                };
                return assert!(created == wanted);
            }
            let Creation::Created(stored) = created else { panic!("{created:?}") };
            let id = stored.lead.id;
            assert_eq!((id.get_version_num(), stored.version), (7, 1));
            assert!(stored == told(id, by.at));
            request.map(|(key, body)| model.requests.insert(key, (body, id, by.at)));
            model.leads.push((id, Some(stored)));
            model.moves.insert(id, 1);
        }
        Call::Change { lead, expected, patch } => {
            let Some(place) = model.place(lead) else { return };
            let id = model.leads[place].0;
            let patch = patch.whole();
            let changed = store.change_lead(id, expected, patch.clone(), by.clone()).await.unwrap();
            let Some(before) = &model.leads[place].1 else { return assert_eq!(changed, Change::Unknown) };
            if expected.is_some_and(|expected| expected != before.version) {
                return assert_eq!(changed, Change::OtherVersion(before.version));
            }
            let mut after = before.clone();
            patch.name.iter().for_each(|name| after.lead.name.clone_from(name));
            patch.email.iter().for_each(|email| after.lead.email.clone_from(email));
            patch.status.iter().for_each(|status| after.lead.status.clone_from(status));
            match patch.metadata {
                Some(None) => after.metadata.clear(),
                Some(Some(entries)) => entries.into_iter().for_each(|(key, value)| match value {
                    Some(value) => drop(after.metadata.insert(key, value)),
                    None => drop(after.metadata.remove(&key)),
                }),
                None => {}
            }
            if after != *before {
                after.version += 1;
                after.lead.updated_at = by.at;
            }
            if after.lead.status != before.lead.status {
                *model.moves.get_mut(&id).unwrap() += 1;
            }
            assert_eq!(changed, Change::Changed(after.clone()));
            model.leads[place].1 = Some(after);
        }
        Call::Erase { lead, expected } => {
            let Some(place) = model.place(lead) else {
                let unknown = store.erase_lead(Uuid::from_u128(7), expected, by).await.unwrap();
                return assert_eq!(unknown, Erasure::Unknown);
            };
            let erased = store.erase_lead(model.leads[place].0, expected, by).await.unwrap();
            match &model.leads[place].1 {
                Some(before) if expected.is_some_and(|expected| expected != before.version) => {
                    assert_eq!(erased, Erasure::OtherVersion(before.version));
                }
                _ => {
                    assert_eq!(erased, Erasure::Erased);
                    model.erase(place);
                }
            }
        }
        Call::EraseEmail(n) => {
            let has = |lead: &StoredLead| lead.lead.email == Some(email(n));
            let found =
                (0..model.leads.len()).filter(|place| model.leads[*place].1.as_ref().is_some_and(has));
            let found: Vec<usize> = found.collect();
            let address = Contact::Email(email(n).to_uppercase());
            let erased = store.erase_contact(&address, by).await.unwrap();
            assert_eq!(erased, found.len());
            found.into_iter().for_each(|place| model.erase(place));
        }
        Call::List { status, source, limit, offset } => {
            let status = status.map(|status| STATUSES[usize::from(status)].to_owned());
            let source = source.map(|source| source.to_string());
            let account = Some("crm".into());
            let asked = LeadQuery {
                account,
                status: status.clone(),
                source: source.clone(),
                limit,
                offset,
                ..LeadQuery::default()
            };
            let page = store.list_leads(&asked).await.unwrap();
            let all = model.leads.iter().rev().filter_map(|(_, lead)| Some(lead.as_ref()?.lead.clone()));
            let all: Vec<Lead> = all
                .filter(|lead| status.as_ref().is_none_or(|status| lead.status == *status))
                .filter(|lead| source.is_none() || lead.source == source)
                .collect();
            assert_eq!(page.total, i64::try_from(all.len()).unwrap());
            let part = all.into_iter().skip(offset.try_into().unwrap()).take(limit.try_into().unwrap());
            assert!(page.leads == part.collect::<Vec<_>>());
        }
        Call::Get(lead) => {
            let Some(place) = model.place(lead) else { return };
            let (id, known) = &model.leads[place];
            assert!(store.get_lead(*id, Some("crm")).await.unwrap() == *known);
        }
    }
}

impl Patch {
    fn whole(self) -> LeadPatch {
        let entry = |(key, value): (u8, Option<String>)| BTreeMap::from([(key.to_string(), value)]);
        LeadPatch {
            name: self.name,
            email: self.email.map(|address| address.map(email)),
            status: self.status.map(|status| STATUSES[usize::from(status)].to_owned()),
            metadata: self.metadata.map(|metadata| metadata.map(entry)),
            ..LeadPatch::default()
        }
    }
}

#[test]
fn a_patch_that_leaves_nobody_to_reach_is_refused() {
    let created_at = "2026-11-24T00:00:00Z".parse().unwrap();
    let (email, status) = (Some("a@b.example".to_owned()), "new".to_owned());
    let (phone, source) = (None, None);
    let (id, name, updated_at) = (Uuid::nil(), "a".to_owned(), created_at);
    let lead = Lead { id, name, email, phone, status, source, created_at, updated_at };
    let before = StoredLead { lead, metadata: BTreeMap::new(), version: 1 };
    let without = LeadPatch { email: Some(None), ..LeadPatch::default() };
    assert_eq!(without.apply_to(&before), Err(PatchProblem::NoContact));
}
