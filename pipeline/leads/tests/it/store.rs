//! The store of leads in both databases.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use fdna_leads::lead::{LeadPatch, NewLead};
use fdna_leads::store::{Author, Change, Creation, IdempotentRequest, LeadQuery, LeadStore, StoreError};
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;
use uuid::Uuid;

use crate::common::{at, runtime};
use crate::model;
use crate::postgres_server::Server;

/// A database for each case is made anew in SQLite, and emptied in PostgreSQL.
const CASES: usize = 60;

fn new(n: usize) -> NewLead {
    NewLead {
        name: format!("Person {n}"),
        email: Some(format!("person{n}@example.com")),
        phone: None,
        source: Some("web".to_owned()),
        metadata: BTreeMap::from([("utm_source".to_owned(), "letter".to_owned())]),
    }
}

fn by(now: DateTime<Utc>) -> Author {
    Author { key_id: Some(1), at: now }
}

async fn made(store: &LeadStore, n: usize) -> Uuid {
    let now = at("2026-11-24T10:00:00.123456Z") + TimeDelta::seconds(i64::try_from(n).unwrap());
    let created = store.create(new(n), by(now), None, |_| String::new()).await.unwrap();
    let Creation::Created(stored) = created else { panic!("{created:?}") };
    stored.lead.id
}

#[test]
fn sqlite_does_as_the_model() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..CASES {
        let calls = model::calls().new_tree(&mut runner).unwrap().current();
        let folder = tempfile::tempdir().unwrap();
        runtime().block_on(async {
            let store = LeadStore::open(folder.path().join("leads.db").to_str().unwrap()).await.unwrap();
            model::check(&store, calls).await;
            store.close().await;
        });
    }
}

#[test]
fn postgres_does_as_the_model() {
    let Some(server) = Server::start() else { return };
    let mut runner = TestRunner::deterministic();
    runtime().block_on(async {
        for case in 0..CASES {
            let store = LeadStore::open(&server.address()).await.unwrap();
            let calls = model::calls().new_tree(&mut runner).unwrap().current();
            model::check(&store, calls).await;
            // A later time than any call's: everything goes.
            store.erase_before(at("2030-01-01T00:00:00Z"), by(at("2030-01-01T00:00:00Z"))).await.unwrap();
            let forget = forget(u8::try_from(case).unwrap());
            store
                .create(new(0), by(at("2030-01-01T00:00:00Z")), Some(forget), |_| String::new())
                .await
                .unwrap();
            store.erase_before(at("2031-01-01T00:00:00Z"), by(at("2031-01-01T00:00:00Z"))).await.unwrap();
            store.close().await;
        }
    });
}

/// Forgets all requests before it.
fn forget(case: u8) -> IdempotentRequest {
    let forget_before = at("2029-01-01T00:00:00Z");
    IdempotentRequest { key_id: 2, digest: [case; 32], request: [0; 32], forget_before }
}

#[test]
fn sqlite_loses_no_update_of_many_writers() {
    let folder = tempfile::tempdir().unwrap();
    runtime().block_on(no_update_is_lost(folder.path().join("leads.db").to_str().unwrap()));
}

#[test]
fn postgres_loses_no_update_of_many_writers() {
    let Some(server) = Server::start() else { return };
    runtime().block_on(no_update_is_lost(&server.address()));
}

/// 64 writers add a letter each to one name, reading before and trying again where another was faster, while totals are
/// read; and 64 send one request, which makes one lead.
async fn no_update_is_lost(address: &str) {
    let store = Arc::new(LeadStore::open(address).await.unwrap());
    let id = made(&store, 0).await;
    let before = store.get(id).await.unwrap().unwrap().lead.name.chars().count();
    let writers: Vec<_> = (0..64)
        .map(|n| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                loop {
                    let read = store.get(id).await.unwrap().unwrap();
                    let name = Some(read.lead.name + "x");
                    let patch = LeadPatch { name, ..LeadPatch::default() };
                    let now = by(at("2026-11-24T11:00:00Z"));
                    match store.change(id, Some(read.version), patch, now).await.unwrap() {
                        Change::Changed(_) => break,
                        Change::OtherVersion(_) => {}
                        other => panic!("{other:?}"),
                    }
                }
                made(&store, 1 + n).await;
                let page = store.list(&LeadQuery { limit: 100, ..LeadQuery::default() }).await.unwrap();
                assert_eq!(page.total, i64::try_from(page.leads.len()).unwrap());
                let request = IdempotentRequest {
                    key_id: 1,
                    digest: [9; 32],
                    request: [9; 32],
                    forget_before: at("2026-01-01T00:00:00Z"),
                };
                let now = by(at("2026-11-24T12:00:00Z"));
                store.create(new(99), now, Some(request), |lead| lead.id.to_string()).await.unwrap()
            })
        })
        .collect();
    let mut created = 0;
    for writer in writers {
        created += i32::from(matches!(writer.await.unwrap(), Creation::Created(_)));
    }
    let after = store.get(id).await.unwrap().unwrap();
    assert_eq!((after.lead.name.chars().count() - before, after.version), (64, 65));
    let page = store.list(&LeadQuery { limit: 1, ..LeadQuery::default() }).await.unwrap();
    assert_eq!((page.total, created), (66, 1));
    store.close().await;
}

#[test]
fn no_byte_of_an_erased_lead_is_left_in_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let address = folder.path().join("leads.db");
    runtime().block_on(async {
        let store = LeadStore::open(address.to_str().unwrap()).await.unwrap();
        let (gone, kept) = (made(&store, 1).await, made(&store, 2).await);
        let now = at("2026-11-24T12:00:00Z");
        let request = IdempotentRequest {
            key_id: 1,
            digest: [1; 32],
            request: [1; 32],
            forget_before: at("2026-01-01T00:00:00Z"),
        };
        let answer = |lead: &fdna_leads::lead::Lead| lead.email.clone().unwrap();
        store.create(new(1), by(now), Some(request), answer).await.unwrap();
        assert!(has(folder.path(), "person1@example.com"));
        store.erase(gone, None, by(now)).await.unwrap();
        assert_eq!(store.erase_email("PERSON1@example.com", by(now)).await.unwrap(), 1);
        for text in ["person1@example.com", "Person 1"] {
            assert!(!has(folder.path(), text), "{text}");
        }
        assert!(has(folder.path(), "person2@example.com") && store.get(kept).await.unwrap().is_some());
        assert!(has(folder.path(), &gone.to_string()), "its tombstone");
        store.close().await;
    });
}

fn has(folder: &std::path::Path, text: &str) -> bool {
    let files = std::fs::read_dir(folder).unwrap().map(|file| std::fs::read(file.unwrap().path()).unwrap());
    files.into_iter().any(|bytes| bytes.windows(text.len()).any(|part| part == text.as_bytes()))
}

#[test]
fn old_leads_are_erased_and_changed_ones_are_not() {
    let folder = tempfile::tempdir().unwrap();
    runtime().block_on(async {
        let store = LeadStore::open(folder.path().join("leads.db").to_str().unwrap()).await.unwrap();
        let (old, changed) = (made(&store, 1).await, made(&store, 2).await);
        let patch = LeadPatch { name: Some("Other".to_owned()), ..LeadPatch::default() };
        store.change(changed, None, patch, by(at("2026-12-24T00:00:00Z"))).await.unwrap();
        let now = by(at("2027-01-01T00:00:00Z"));
        assert_eq!(store.erase_before(at("2026-12-01T00:00:00Z"), now).await.unwrap(), 1);
        assert!(store.get(old).await.unwrap().is_none());
        let left = store.export(None, 10).await.unwrap();
        assert_eq!(left.iter().map(|lead| lead.lead.id).collect::<Vec<_>>(), [changed]);
        assert_eq!(left[0].metadata["utm_source"], "letter");
        assert!(store.export(Some(changed), 10).await.unwrap().is_empty());
        store.close().await;
    });
}

#[test]
fn a_store_of_a_later_program_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("leads.db");
    runtime().block_on(async {
        let store = LeadStore::open(path.to_str().unwrap()).await.unwrap();
        store.close().await;
        use sqlx::{ConnectOptions as _, Connection as _};
        let url: sqlx::any::AnyConnectOptions = format!("sqlite:{}", path.display()).parse().unwrap();
        let mut connection = url.connect().await.unwrap();
        sqlx::raw_sql("UPDATE lead_meta SET value = 9").execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        let refused = LeadStore::open(path.to_str().unwrap()).await.unwrap_err();
        assert!(matches!(refused, StoreError::Version { found: 9, known: 1 }), "{refused}");
    });
}
