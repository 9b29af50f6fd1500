//! The store of leads in both databases.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use fdna_gateway::database::OpenError;
use fdna_leads::lead::{LeadPatch, NewLead};
use fdna_leads::store::erasure::Contact;
use fdna_leads::store::list::LeadQuery;
use fdna_leads::store::{Author, Change, Creation, Erasure, IdempotentRequest, LeadStore, StoreError};
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
    Author::by_key(1, "crm".into(), now)
}

pub(crate) async fn made(store: &LeadStore, n: usize) -> Uuid {
    let now = at("2026-11-24T10:00:00.123456Z") + TimeDelta::seconds(i64::try_from(n).unwrap());
    let created = store.create_lead(new(n), by(now), None).await.unwrap();
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
            let store =
                LeadStore::open_store(folder.path().join("leads.db").to_str().unwrap()).await.unwrap();
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
            let store = LeadStore::open_store(&server.address()).await.unwrap();
            let calls = model::calls().new_tree(&mut runner).unwrap().current();
            model::check(&store, calls).await;
            // A later time than any call's: everything goes.
            store.erase_before(at("2030-01-01T00:00:00Z"), by(at("2030-01-01T00:00:00Z"))).await.unwrap();
            let forget = forget(u8::try_from(case).unwrap());
            store.create_lead(new(0), by(at("2030-01-01T00:00:00Z")), Some(forget)).await.unwrap();
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
    let store = Arc::new(LeadStore::open_store(address).await.unwrap());
    let id = made(&store, 0).await;
    let before = store.get_lead(id, None).await.unwrap().unwrap().lead.name.chars().count();
    let writers: Vec<_> = (0..64)
        .map(|n| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                loop {
                    let read = store.get_lead(id, None).await.unwrap().unwrap();
                    let name = Some(read.lead.name + "x");
                    let patch = LeadPatch { name, ..LeadPatch::default() };
                    let now = by(at("2026-11-24T11:00:00Z"));
                    match store.change_lead(id, Some(read.version), patch, now).await.unwrap() {
                        Change::Changed(_) => break,
                        Change::OtherVersion(_) => {}
                        other => panic!("{other:?}"),
                    }
                }
                made(&store, 1 + n).await;
                let page = store.list_leads(&LeadQuery { limit: 100, ..LeadQuery::default() }).await.unwrap();
                assert_eq!(page.total, i64::try_from(page.leads.len()).unwrap());
                let request = IdempotentRequest {
                    key_id: 1,
                    digest: [9; 32],
                    request: [9; 32],
                    forget_before: at("2026-01-01T00:00:00Z"),
                };
                let now = by(at("2026-11-24T12:00:00Z"));
                store.create_lead(new(99), now, Some(request)).await.unwrap()
            })
        })
        .collect();
    let mut created = 0;
    for writer in writers {
        created += i32::from(matches!(writer.await.unwrap(), Creation::Created(_)));
    }
    let after = store.get_lead(id, None).await.unwrap().unwrap();
    assert_eq!((after.lead.name.chars().count() - before, after.version), (64, 65));
    let page = store.list_leads(&LeadQuery { limit: 1, ..LeadQuery::default() }).await.unwrap();
    assert_eq!((page.total, created), (66, 1));
    store.close().await;
}

#[test]
fn no_byte_of_an_erased_lead_is_left_in_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let address = folder.path().join("leads.db");
    runtime().block_on(async {
        let store = LeadStore::open_store(address.to_str().unwrap()).await.unwrap();
        let (gone, kept) = (made(&store, 1).await, made(&store, 2).await);
        let now = at("2026-11-24T12:00:00Z");
        let request = IdempotentRequest {
            key_id: 1,
            digest: [1; 32],
            request: [1; 32],
            forget_before: at("2026-01-01T00:00:00Z"),
        };
        store.create_lead(new(1), by(now), Some(request)).await.unwrap();
        assert!(has(folder.path(), "person1@example.com"));
        store.erase_lead(gone, None, by(now)).await.unwrap();
        let address = Contact::Email("PERSON1@example.com".to_owned());
        assert_eq!(store.erase_contact(&address, by(now)).await.unwrap(), 1);
        assert!(store.wipe_erased(now).await.unwrap());
        assert_eq!(store.erasures_not_wiped(), Some(0));
        for text in ["person1@example.com", "Person 1"] {
            assert!(!has(folder.path(), text), "{text}");
        }
        assert!(
            has(folder.path(), "person2@example.com") && store.get_lead(kept, None).await.unwrap().is_some()
        );
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
        let store = LeadStore::open_store(folder.path().join("leads.db").to_str().unwrap()).await.unwrap();
        let (old, changed) = (made(&store, 1).await, made(&store, 2).await);
        let patch = LeadPatch { name: Some("Other".to_owned()), ..LeadPatch::default() };
        store.change_lead(changed, None, patch, by(at("2026-12-24T00:00:00Z"))).await.unwrap();
        let now = by(at("2027-01-01T00:00:00Z"));
        assert_eq!(store.erase_before(at("2026-12-01T00:00:00Z"), now).await.unwrap(), 1);
        assert!(store.get_lead(old, None).await.unwrap().is_none());
        let left = store.export_leads(None, 10).await.unwrap();
        assert_eq!(left.iter().map(|lead| lead.lead.id).collect::<Vec<_>>(), [changed]);
        assert_eq!(left[0].metadata["utm_source"], "letter");
        assert!(store.export_leads(Some(changed), 10).await.unwrap().is_empty());
        store.close().await;
    });
}

/// Statements on the store's file, as another process.
pub(crate) async fn connect(folder: &std::path::Path) -> sqlx::AnyConnection {
    use sqlx::ConnectOptions as _;
    sqlx::any::install_default_drivers();
    let url = format!("sqlite:{}", folder.join("leads.db").display());
    url.parse::<sqlx::any::AnyConnectOptions>().unwrap().connect().await.unwrap()
}

pub(crate) async fn execute(connection: &mut sqlx::AnyConnection, sql: &'static str) {
    sqlx::raw_sql(sql).execute(connection).await.unwrap();
}

/// SQLite ends a transaction by itself where the disk is full, which a trigger does too.
#[test]
fn a_write_that_failed_stops_no_other() {
    let folder = tempfile::tempdir().unwrap();
    runtime().block_on(async {
        let store = LeadStore::open_store(folder.path().join("leads.db").to_str().unwrap()).await.unwrap();
        let id = made(&store, 1).await;
        let mut other = connect(folder.path()).await;
        let now = by(at("2026-11-24T12:00:00Z"));
        for (full, again) in [
            (
                "CREATE TRIGGER is_full BEFORE INSERT ON leads BEGIN SELECT RAISE(ROLLBACK, 'full'); END",
                "DROP TRIGGER is_full",
            ),
            (
                "CREATE TRIGGER is_full BEFORE INSERT ON leads BEGIN SELECT RAISE(FAIL, 'full'); END",
                "DROP TRIGGER is_full",
            ),
        ] {
            execute(&mut other, full).await;
            for _ in 0..3 {
                store.create_lead(new(2), now.clone(), None).await.unwrap_err();
            }
            execute(&mut other, again).await;
            store.create_lead(new(2), now.clone(), None).await.unwrap();
            assert_eq!(store.erase_lead(id, None, now.clone()).await.unwrap(), Erasure::Erased);
        }
        let full =
            "CREATE TRIGGER is_full BEFORE UPDATE ON lead_meta BEGIN SELECT RAISE(ROLLBACK, 'full'); END";
        execute(&mut other, full).await;
        store.create_lead(new(2), now.clone(), None).await.unwrap();
        assert!(store.probe_store(now.at).await.is_ok(), "a write was durable a moment ago");
        execute(
            &mut other,
            "CREATE TRIGGER more BEFORE INSERT ON leads BEGIN SELECT RAISE(ROLLBACK, 'full'); END",
        )
        .await;
        store.create_lead(new(3), now.clone(), None).await.unwrap_err();
        for _ in 0..2 {
            assert!(store.probe_store(now.at).await.is_err());
        }
        execute(&mut other, "DROP TRIGGER is_full").await;
        assert!(store.probe_store(now.at).await.is_ok());
        store.close().await;
    });
}

#[test]
fn a_reader_delays_the_wiping_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    runtime().block_on(async {
        let store = LeadStore::open_store(folder.path().join("leads.db").to_str().unwrap()).await.unwrap();
        let (gone, _) = (made(&store, 1).await, made(&store, 2).await);
        let now = at("2026-11-24T12:00:00Z");
        let mut reader = connect(folder.path()).await;
        execute(&mut reader, "BEGIN; SELECT count(*) FROM leads").await;
        let begun = std::time::Instant::now();
        assert_eq!(store.erase_lead(gone, None, by(now)).await.unwrap(), Erasure::Erased);
        made(&store, 3).await;
        assert!(!store.wipe_erased(now).await.unwrap() && !store.wipe_erased(now).await.unwrap());
        assert!(begun.elapsed() < std::time::Duration::from_secs(4), "{:?}", begun.elapsed());
        assert_eq!(store.erasures_not_wiped(), Some(1));
        made(&store, 4).await;
        assert!(has(folder.path(), "person1@example.com"));
        execute(&mut reader, "ROLLBACK").await;
        assert!(store.wipe_erased(now).await.unwrap());
        assert_eq!(store.erasures_not_wiped(), Some(0));
        assert!(!has(folder.path(), "person1@example.com") && has(folder.path(), "person2@example.com"));
        // What another process erased is seen, too.
        let other = LeadStore::open_store(folder.path().join("leads.db").to_str().unwrap()).await.unwrap();
        other.erase_contact(&Contact::Email("person2@example.com".to_owned()), by(now)).await.unwrap();
        assert!(store.wipe_erased(now).await.unwrap() && !has(folder.path(), "person2@example.com"));
        other.close().await;
        store.close().await;
    });
}

#[test]
fn what_a_lead_was_before_a_change_is_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    runtime().block_on(async {
        let store = LeadStore::open_store(folder.path().join("leads.db").to_str().unwrap()).await.unwrap();
        let now = at("2026-11-24T12:00:00Z");
        let request = IdempotentRequest {
            key_id: 1,
            digest: [1; 32],
            request: [1; 32],
            forget_before: now - TimeDelta::hours(24),
        };
        let made = store.create_lead(new(1), by(now), Some(request.clone())).await.unwrap();
        let Creation::Created(first) = made else { panic!("{made:?}") };
        let email = Some(Some("other@example.com".to_owned()));
        let patch = LeadPatch { name: Some("Other".to_owned()), email, ..LeadPatch::default() };
        store.change_lead(first.lead.id, None, patch, by(now)).await.unwrap();
        assert!(store.wipe_erased(now).await.unwrap());
        for text in ["person1@example.com", "Person 1"] {
            assert!(!has(folder.path(), text), "{text}");
        }
        // Who sends the request again has what it says, and is told the same.
        let again = store.create_lead(new(1), by(now), Some(request.clone())).await.unwrap();
        assert!(again == Creation::Repeated(first.clone()));
        let old = Contact::Email("person1@example.com".to_owned());
        assert_eq!(store.erase_contact(&old, by(now)).await.unwrap(), 0);
        // It is forgotten by its time, without another request.
        assert_eq!(store.forget_requests(now).await.unwrap(), 0);
        assert_eq!(store.forget_requests(now + TimeDelta::seconds(1)).await.unwrap(), 1);
        store.close().await;
    });
}

#[test]
fn a_person_is_erased_by_telephone() {
    let folder = tempfile::tempdir().unwrap();
    runtime().block_on(async {
        let store = LeadStore::open_store(folder.path().join("leads.db").to_str().unwrap()).await.unwrap();
        let now = at("2026-11-24T12:00:00Z");
        let phone = "+14155552671".to_owned();
        store.create_lead(NewLead { phone: Some(phone.clone()), ..new(1) }, by(now), None).await.unwrap();
        made(&store, 2).await;
        let contact = Contact::Phone(phone);
        assert_eq!(store.erase_contact(&contact, Author::by_operator("erase", now)).await.unwrap(), 1);
        assert_eq!(store.count_before(now + TimeDelta::days(1)).await.unwrap().all, 1);
        store.close().await;
    });
}

#[test]
fn accounts_have_their_own_leads_in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    runtime().block_on(accounts_are_apart(folder.path().join("leads.db").to_str().unwrap()));
}

#[test]
fn accounts_have_their_own_leads_in_postgres() {
    let Some(server) = Server::start() else { return };
    runtime().block_on(accounts_are_apart(&server.address()));
}

async fn accounts_are_apart(address: &str) {
    let store = LeadStore::open_store(address).await.unwrap();
    let id = made(&store, 1).await;
    let now = at("2026-11-24T12:00:00Z");
    let other = || Author::by_key(2, "form".into(), now);
    assert!(store.get_lead(id, Some("form")).await.unwrap().is_none());
    assert!(store.get_lead(id, Some("crm")).await.unwrap().is_some());
    let mut asked = LeadQuery { account: Some("form".into()), limit: 9, ..LeadQuery::default() };
    assert_eq!(store.list_leads(&asked).await.unwrap().total, 0);
    asked.account = Some("crm".into());
    assert_eq!(store.list_leads(&asked).await.unwrap().total, 1);
    let patch = LeadPatch { name: Some("Other".to_owned()), ..LeadPatch::default() };
    assert_eq!(store.change_lead(id, None, patch, other()).await.unwrap(), Change::Unknown);
    assert_eq!(store.erase_lead(id, None, other()).await.unwrap(), Erasure::Unknown);
    assert_eq!(store.erase_lead(id, None, by(now)).await.unwrap(), Erasure::Erased);
    assert_eq!(store.erase_lead(id, None, other()).await.unwrap(), Erasure::Unknown);
    assert_eq!(store.erase_lead(id, None, by(now)).await.unwrap(), Erasure::Erased);
    store.close().await;
}

/// As the first version of this program left it.
#[test]
fn leads_of_the_first_version_are_given_to_the_account_of_their_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("leads.db");
    std::fs::File::create(&path).unwrap();
    runtime().block_on(async {
        let mut connection = connect(folder.path()).await;
        let first = include_str!("../../src/store/migrations/1.sql").replace("{bytes}", "BLOB");
        sqlx::raw_sql(sqlx::AssertSqlSafe(first)).execute(&mut connection).await.unwrap();
        execute(
            &mut connection,
            "INSERT INTO leads VALUES
                 ('01890000-0000-7000-8000-000000000001', 'A', 'a@b.example', 'a@b.example', NULL, 'new', NULL, '{}', 1, 1, 1),
                 ('01890000-0000-7000-8000-000000000002', 'B', 'b@b.example', 'b@b.example', NULL, 'new', NULL, '{}', 1, 1, 1);
             INSERT INTO lead_moves VALUES ('01890000-0000-7000-8000-000000000001', 1, NULL, 'new', 1, 7),
                 ('01890000-0000-7000-8000-000000000002', 1, NULL, 'new', 1, 9);
             INSERT INTO lead_tombstones VALUES ('01890000-0000-7000-8000-000000000003', 1, 7);
             INSERT INTO lead_requests VALUES (7, x'00', x'01', 'the answer: A', '01890000-0000-7000-8000-000000000001', 1)",
        )
        .await;
        use sqlx::Connection as _;
        connection.close().await.unwrap();
        let store = LeadStore::open_store(path.to_str().unwrap()).await.unwrap();
        let first: Uuid = "01890000-0000-7000-8000-000000000001".parse().unwrap();
        assert!(store.get_lead(first, Some("crm")).await.unwrap().is_none());
        assert_eq!(store.adopt_leads(vec![(7, "crm".to_owned()), (8, "form".to_owned())]).await.unwrap(), 1);
        assert!(store.get_lead(first, Some("crm")).await.unwrap().is_some());
        assert!(store.get_lead(first, Some("form")).await.unwrap().is_none());
        assert_eq!(store.export_leads(None, 9).await.unwrap().len(), 2, "an operator has all");
        let erased: Uuid = "01890000-0000-7000-8000-000000000003".parse().unwrap();
        let now = at("2026-11-24T12:00:00Z");
        assert_eq!(store.erase_lead(erased, None, by(now)).await.unwrap(), Erasure::Erased);
        assert!(store.wipe_erased(now).await.unwrap() && !has(folder.path(), "the answer"));
        store.close().await;
    });
}

#[test]
fn old_leads_are_counted_beside_what_tells_the_time() {
    let folder = tempfile::tempdir().unwrap();
    runtime().block_on(async {
        let store = LeadStore::open_store(folder.path().join("leads.db").to_str().unwrap()).await.unwrap();
        let count = async || store.count_before(at("2026-11-24T10:00:02Z")).await.unwrap();
        assert_eq!((count().await.all, count().await.newest), (0, None));
        made(&store, 1).await;
        made(&store, 2).await;
        let counted = count().await;
        assert_eq!((counted.old, counted.all), (1, 2));
        assert_eq!(counted.newest, Some(at("2026-11-24T10:00:02.123456Z")));
        store.close().await;
    });
}

#[test]
fn a_store_of_a_later_program_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("leads.db");
    runtime().block_on(async {
        let store = LeadStore::open_store(path.to_str().unwrap()).await.unwrap();
        store.close().await;
        use sqlx::{ConnectOptions as _, Connection as _};
        let url: sqlx::any::AnyConnectOptions = format!("sqlite:{}", path.display()).parse().unwrap();
        let mut connection = url.connect().await.unwrap();
        sqlx::raw_sql("UPDATE lead_meta SET value = 9").execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        let refused = LeadStore::open_store(path.to_str().unwrap()).await.unwrap_err();
        assert!(
            matches!(refused, StoreError::Open(OpenError::Version { found: 9, known: 3, .. })),
            "{refused}"
        );
    });
}
