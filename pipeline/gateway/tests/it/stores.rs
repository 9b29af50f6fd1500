//! Behaviour that both databases share; `postgres` runs it on a server.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use fdna_gateway::key::{Environment, Secret};
use fdna_gateway::plan::{CustomLimits, Plan};
use fdna_gateway::scope::{KeyScope, KeyScopes};
use fdna_gateway::store::{
    Actor, DayUsage, NewKey, Refund, Reservation, ReservationRequest, Store, Subject, Usage, UsageCount,
    UsageFlush, UsageKey,
};
use fdna_gateway::window::Window;
use sqlx::Connection as _;

use crate::common::{Keys, NOON};

fn noon() -> DateTime<Utc> {
    NOON.parse().unwrap()
}

fn by(at: DateTime<Utc>) -> Actor {
    Actor { name: "ann".to_owned(), at }
}

/// Runs statements on a database of this URL, past the store.
pub(crate) fn execute(url: &str, sql: &str) -> Result<(), sqlx::Error> {
    sqlx::any::install_default_drivers();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut connection = sqlx::AnyConnection::connect(url).await?;
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned())).execute(&mut connection).await?;
        connection.close().await
    })
}

/// Everything that is asked of a store; `url` is where its database is.
pub(crate) fn check(open: &dyn Fn() -> Box<dyn Store>, url: &str) {
    keys_come_back_as_they_were_kept(open);
    reservations_are_granted_a_quarter_of_what_is_left(open);
    what_is_flushed_adds_up(open);
    what_is_sent_again_counts_once(open);
    suspending_is_written_down_and_ended(open);
    the_log_of_key_actions_cannot_be_changed(url);
    many_at_once_reserve_the_limit_exactly(open);
}

fn keys_come_back_as_they_were_kept(open: &dyn Fn() -> Box<dyn Store>) {
    let mut store = open();
    let before = store.generation().unwrap();
    let custom = CustomLimits { per_minute: Some(7), ..CustomLimits::default() };
    let account = store.open_account("Błach & Co", Plan::Scale, custom, &by(noon())).unwrap();
    let again = store
        .open_account("Błach & Co", Plan::Pro, CustomLimits::default(), &by(noon() + TimeDelta::days(1)))
        .unwrap();
    assert_eq!(again, account);
    let secret = Secret::generate_key(Environment::Test).unwrap();
    let (label, expires_at) = (Some("Łódź, \"staging\"".to_owned()), Some(noon() + TimeDelta::days(90)));
    let scopes: KeyScopes = [KeyScope::Create, KeyScope::Erase].into_iter().collect();
    let new =
        NewKey { label, scopes, expires_at, ..NewKey::of_account(account.id, Environment::Test, &secret) };
    let key = store.add_key(&new, None, &by(noon())).unwrap();
    assert!(store.add_key(&new, None, &by(noon())).is_err(), "a digest is kept once");
    assert!(open().key_registry().unwrap().keys.contains(&key));
    let later = noon() + TimeDelta::hours(1);
    let second = Secret::generate_key(Environment::Live).unwrap();
    let second = NewKey::of_account(account.id, Environment::Live, &second);
    let second = store.add_key(&second, Some((key.id, later)), &by(later)).unwrap();
    store.revoke_key(second.id, &by(later)).unwrap();
    store.revoke_key(second.id, &by(later + TimeDelta::hours(9))).unwrap();
    // Another connection sees it.
    let registry = open().key_registry().unwrap();
    assert!(registry.generation > before && registry.accounts.contains(&account));
    let of = |id: i64| registry.keys.iter().find(|key| key.id == id).unwrap();
    assert!(of(key.id).digest.equals(&secret.digest()));
    assert_eq!((of(key.id).expires_at, of(key.id).revoked_at), (Some(later), None));
    assert_eq!(
        (of(key.id).shown.as_str(), of(key.id).environment),
        (&secret.reveal()[..13], Environment::Test)
    );
    assert_eq!((of(second.id).expires_at, of(second.id).revoked_at), (None, Some(later)));
    let own =
        CustomLimits { per_month: Some(9), download_bytes_per_month: Some(5_000), ..CustomLimits::default() };
    store.change_plan(account.id, Plan::Enterprise, own, &by(later)).unwrap();
    let actions = open().list_actions().unwrap();
    let entries: Vec<(&str, &str, Option<i64>)> = actions
        .iter()
        .filter(|action| action.account_id == account.id)
        .map(|action| (action.by.as_str(), action.action.as_str(), action.key_id))
        .collect();
    let expected = [("open", None), ("issue", Some(key.id)), ("rotate", Some(second.id))];
    let expected = expected.into_iter().chain([("revoke", Some(second.id)), ("plan", None)]);
    assert_eq!(entries, expected.map(|(what, key)| ("ann", what, key)).collect::<Vec<_>>());
    let changed = open().key_registry().unwrap();
    let changed = changed.accounts.iter().find(|a| a.id == account.id).unwrap().clone();
    assert_eq!(
        (changed.plan, changed.custom.per_minute, changed.custom.per_month),
        (Plan::Enterprise, None, Some(9))
    );
}

/// A quarter of what is left, within bounds.
fn grant_size(reserved: u64, limit: u64, amount: u64) -> u64 {
    let left = limit - reserved;
    (left / 4).clamp(1, amount).min(left)
}

fn reservations_are_granted_a_quarter_of_what_is_left(open: &dyn Fn() -> Box<dyn Store>) {
    let mut store = open();
    let windows = [Window::minute_of(noon()), Window::month_of(noon())];
    for (n, (limit, amount)) in
        [(1, 1), (3, 1), (60, 15), (60, 1), (1000, 7), (25_000, 1024), (5, 1024)].into_iter().enumerate()
    {
        let account_id = 1000 + i64::try_from(n).unwrap();
        let mut reserved = 0;
        loop {
            let reservations = windows.map(|window| Reservation {
                account_id,
                request: ReservationRequest { window, limit, amount },
            });
            let grants = store.reserve_quota(&reservations).unwrap();
            let expected = grant_size(reserved, limit, amount);
            reserved += expected;
            for (grant, window) in grants.iter().zip(windows) {
                assert_eq!(
                    (grant.window, grant.granted, grant.reserved),
                    (window, expected, reserved),
                    "{limit}"
                );
            }
            if expected == 0 {
                break;
            }
        }
        assert_eq!(reserved, limit);
        // A smaller limit than is reserved already gives nothing, and takes nothing.
        let less = ReservationRequest { window: windows[1], limit: limit - 1, amount };
        let grant = store.reserve_quota(&[Reservation { account_id, request: less }]).unwrap()[0];
        assert_eq!((grant.granted, grant.reserved), (0, limit));
    }
}

/// A new account with a key.
fn account_and_key(store: &mut dyn Store, name: &str) -> (i64, i64) {
    let account = store.open_account(name, Plan::Pro, CustomLimits::default(), &by(noon())).unwrap();
    let secret = Secret::generate_key(Environment::Live).unwrap();
    let key = store
        .add_key(&NewKey::of_account(account.id, Environment::Live, &secret), None, &by(noon()))
        .unwrap();
    (account.id, key.id)
}

/// An empty flush of a gateway, with this number.
fn flush(gateway: &str, number: i64) -> UsageFlush {
    let (refunds, usage) = (Vec::new(), BTreeMap::new());
    UsageFlush {
        gateway: gateway.to_owned(),
        number,
        at: noon(),
        refunds,
        usage,
        delete_minutes_before: None,
    }
}

fn usage_key(key_id: i64, day: &str, operation: &'static str) -> UsageKey {
    UsageKey { key_id, day: day.parse().unwrap(), operation }
}

fn what_is_flushed_adds_up(open: &dyn Fn() -> Box<dyn Store>) {
    let mut store = open();
    let (account_id, key) = account_and_key(store.as_mut(), "flushed");
    let (minute, month) = (Window::minute_of(noon()), Window::month_of(noon()));
    let reservation =
        |window| Reservation { account_id, request: ReservationRequest { window, limit: 100, amount: 10 } };
    assert_eq!(store.reserve_quota(&[reservation(minute), reservation(month)]).unwrap().len(), 2);
    assert!(store.last_used().unwrap().iter().all(|(used, _)| *used != key));
    let today = [
        (usage_key(key, "2026-09-07", "events"), UsageCount { requests: 6, bytes: 900 }),
        (usage_key(key, "2026-09-07", "card"), UsageCount::of_requests(2)),
    ];
    let first = UsageFlush {
        refunds: vec![(account_id, Refund { window: month, count: 4 })],
        usage: today.into(),
        ..flush("a", 1)
    };
    store.flush_usage(&first).unwrap();
    // One is given back, one is of the last day of the month before, and many rows go in at once.
    let later = noon() + TimeDelta::seconds(5);
    let mut usage = BTreeMap::from([
        (usage_key(key, "2026-09-07", "events"), UsageCount { requests: -1, bytes: 100 }),
        (usage_key(key, "2026-08-31", "events"), UsageCount { requests: 1, bytes: 70 }),
    ]);
    usage.extend((0..1200).map(|n| {
        (
            UsageKey { key_id: 1_000_000 + n, ..usage_key(0, "2026-09-07", "events") },
            UsageCount::of_requests(1),
        )
    }));
    store.flush_usage(&UsageFlush { at: later, usage, ..flush("a", 2) }).unwrap();
    let of_month = open().account_usage(account_id, month).unwrap();
    assert_eq!((of_month.reserved, of_month.requests, of_month.bytes), (6, vec![(key, 7)], 1000));
    assert!(store.downloads_of_month(month).unwrap().contains(&(account_id, 1000)));
    assert!(store.last_used().unwrap().contains(&(key, later)));
    let days = store.usage_by_day("2026-08-31".parse().unwrap(), "2026-09-07".parse().unwrap()).unwrap();
    let of_key: Vec<(String, &str, (i64, i64))> = days
        .iter()
        .filter(|day| day.key_id == key)
        .map(|DayUsage { day, operation, requests, bytes, .. }| {
            (day.to_string(), operation.as_str(), (*requests, *bytes))
        })
        .collect();
    let day = |day: &str, operation, requests| (day.to_owned(), operation, requests);
    let expected = [
        day("2026-08-31", "events", (1, 70)),
        day("2026-09-07", "card", (2, 0)),
        day("2026-09-07", "events", (5, 1000)),
    ];
    assert_eq!(of_key, expected);
    assert_eq!(days.len(), 3 + 1200);
    let next_month = Window::month_of("2026-10-01T00:00:00Z".parse().unwrap());
    assert_eq!(store.account_usage(account_id, next_month).unwrap(), Usage::default());
    // Minutes are forgotten, months are not.
    let delete_minutes_before = Some(noon() + TimeDelta::hours(1));
    store.flush_usage(&UsageFlush { delete_minutes_before, ..flush("a", 3) }).unwrap();
    assert_eq!(store.account_usage(account_id, month).unwrap().reserved, 6);
    assert_eq!(store.reserve_quota(&[reservation(minute)]).unwrap()[0].reserved, 10);
}

/// As after a commit of which nobody knows whether it was done.
fn what_is_sent_again_counts_once(open: &dyn Fn() -> Box<dyn Store>) {
    let mut store = open();
    let (account_id, key) = account_and_key(store.as_mut(), "again");
    let month = Window::month_of(noon());
    let request = ReservationRequest { window: month, limit: 100, amount: 10 };
    store.reserve_quota(&[Reservation { account_id, request }]).unwrap();
    let used = |number| UsageFlush {
        refunds: vec![(account_id, Refund { window: month, count: 2 })],
        usage: BTreeMap::from([(usage_key(key, "2026-09-07", "events"), UsageCount::of_requests(3))]),
        ..flush("again", number)
    };
    for _ in 0..3 {
        store.flush_usage(&used(1)).unwrap();
        store = open();
    }
    let usage = |store: &mut dyn Store| {
        let usage = store.account_usage(account_id, month).unwrap();
        (usage.reserved, usage.requests[0].1)
    };
    assert_eq!(usage(store.as_mut()), (8, 3));
    store.flush_usage(&used(2)).unwrap();
    assert_eq!(usage(store.as_mut()), (6, 6));
    // Another gateway's first is its own.
    store.flush_usage(&UsageFlush { gateway: "other".to_owned(), ..used(1) }).unwrap();
    assert_eq!(usage(store.as_mut()), (4, 9));
}

/// Opens an account as an operator does.
pub(crate) fn open_account(store: &mut dyn Store, name: &str) -> Result<(), fdna_gateway::store::StoreError> {
    store.open_account(name, Plan::Pro, CustomLimits::default(), &by(noon())).map(drop)
}

/// What a gateway does all day.
pub(crate) fn reserve_and_flush(store: &mut dyn Store) {
    let (minute, month) = (Window::minute_of(noon()), Window::month_of(noon()));
    let reservation = |window| Reservation {
        account_id: 1,
        request: ReservationRequest { window, limit: 100, amount: 10 },
    };
    assert_eq!(store.reserve_quota(&[reservation(minute), reservation(month)]).unwrap().len(), 2);
    let flush = UsageFlush {
        refunds: vec![(1, Refund { window: month, count: 1 })],
        usage: BTreeMap::from([(usage_key(1, "2026-09-07", "events"), UsageCount::of_requests(1))]),
        delete_minutes_before: Some(noon()),
        ..flush("a", 1)
    };
    store.flush_usage(&flush).unwrap();
}

fn suspending_is_written_down_and_ended(open: &dyn Fn() -> Box<dyn Store>) {
    let mut store = open();
    let (account_id, key_id) = account_and_key(store.as_mut(), "suspended");
    let since = |store: &mut dyn Store| {
        let registry = store.key_registry().unwrap();
        let key = registry.keys.iter().find(|key| key.id == key_id).unwrap().suspended_at;
        (registry.accounts.iter().find(|of| of.id == account_id).unwrap().suspended_at, key)
    };
    let before = store.generation().unwrap();
    for (subject, suspended) in
        [(Subject::Account(account_id), (Some(noon()), None)), (Subject::Key(key_id), (None, Some(noon())))]
    {
        assert!(store.set_suspended(subject, true, &by(noon())).unwrap());
        assert!(!store.set_suspended(subject, true, &by(noon() + TimeDelta::hours(1))).unwrap());
        assert_eq!(since(open().as_mut()), suspended);
        assert!(store.set_suspended(subject, false, &by(noon())).unwrap());
        assert!(!store.set_suspended(subject, false, &by(noon())).unwrap());
        assert_eq!(since(open().as_mut()), (None, None));
    }
    assert_eq!(store.generation().unwrap(), before + 4);
    let actions = store.list_actions().unwrap();
    let entries = actions.iter().rev().take(4).map(|action| (action.action.as_str(), action.key_id));
    let expected = [("resume", Some(key_id)), ("suspend", Some(key_id)), ("resume", None), ("suspend", None)];
    assert_eq!(entries.collect::<Vec<_>>(), expected);
}

fn the_log_of_key_actions_cannot_be_changed(url: &str) {
    for sql in ["UPDATE key_actions SET by_whom = 'nobody'", "DELETE FROM key_actions"] {
        let error = execute(url, sql).unwrap_err().to_string();
        assert!(error.contains("append-only"), "{error}");
    }
}

/// What the first version of this program left, in this database.
pub(crate) fn check_migration(url: &str, open: &dyn Fn() -> Box<dyn Store>, id: &str, bytes: &str) {
    let tables = include_str!("../../src/store/migrations/1.sql");
    execute(url, &tables.replace("{id}", id).replace("{bytes}", bytes)).unwrap();
    let digest =
        if bytes == "BLOB" { format!("X'{}'", "ab".repeat(32)) } else { format!("'\\x{}'", "ab".repeat(32)) };
    let month = Window::month_of(noon()).begins_at();
    execute(
        url,
        &format!(
            "INSERT INTO accounts (name, plan, created_at) VALUES ('old', 'pro', 1);
             INSERT INTO keys (account_id, digest, shown, environment, created_at, revoked_at)
                 VALUES (1, {digest}, 'fdk_live_abcd', 'live', 1, 7);
             INSERT INTO windows (account_id, span, begins_at, reserved, granted) VALUES (1, 'month', {month}, 50, 5);
             INSERT INTO key_usage (key_id, month_begins_at, requests) VALUES (1, {month}, 40)"
        ),
    )
    .unwrap();
    let mut store = open();
    let registry = store.key_registry().unwrap();
    let (account, key) = (&registry.accounts[0], &registry.keys[0]);
    assert_eq!((account.name.as_str(), account.plan, account.suspended_at), ("old", Plan::Pro, None));
    assert_eq!((key.digest.0, key.shown.as_str(), &key.label), ([0xab; 32], "fdk_live_abcd", &None));
    assert_eq!(key.scopes, KeyScopes::default(), "a key of before there were scopes has all");
    assert_eq!(key.revoked_at, DateTime::from_timestamp(7, 0));
    // A month that was counted without days goes on with them.
    let usage = BTreeMap::from([(usage_key(1, "2026-09-07", "events"), UsageCount::of_requests(3))]);
    store.flush_usage(&UsageFlush { usage, ..flush("a", 1) }).unwrap();
    let usage = open().account_usage(1, Window::month_of(noon())).unwrap();
    assert_eq!(usage, Usage { requests: vec![(1, 43)], reserved: 50, bytes: 0 });
    assert_eq!(
        store.usage_by_day("2026-01-01".parse().unwrap(), "2026-12-31".parse().unwrap()).unwrap().len(),
        1
    );
    assert_eq!(
        fdna_gateway::store::open_webhook_store(
            url.trim_start_matches("sqlite:").trim_end_matches("?mode=rwc")
        )
        .unwrap()
        .list_endpoints()
        .unwrap(),
        []
    );
    // The program before does not take what it does not know.
    execute(url, "UPDATE meta SET value = 9 WHERE name = 'version' AND value = 5").unwrap();
}

fn many_at_once_reserve_the_limit_exactly(open: &dyn Fn() -> Box<dyn Store>) {
    let window = Window::month_of(noon());
    let stores: Vec<_> = (0..4).map(|_| open()).collect();
    let reserving = stores.into_iter().map(|mut store| {
        std::thread::spawn(move || {
            let mut sum = 0;
            loop {
                let request = ReservationRequest { window, limit: 5000, amount: 20 };
                // Several accounts in opposite orders: nobody may wait for each other for ever.
                let mut reservations =
                    [2001, 2002, 2003].map(|account_id| Reservation { account_id, request });
                if sum % 2 == 0 {
                    reservations.reverse();
                }
                let granted: u64 =
                    store.reserve_quota(&reservations).unwrap().iter().map(|grant| grant.granted).sum();
                sum += granted;
                if granted == 0 {
                    return sum;
                }
            }
        })
    });
    let threads: Vec<_> = reserving.collect();
    let sum: u64 = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
    assert_eq!(sum, 3 * 5000);
}

#[test]
fn sqlite_keeps_what_it_is_given() {
    let keys = Keys::new();
    check(&|| keys.store(), &format!("sqlite:{}", keys.place));
}

#[test]
fn a_sqlite_store_of_the_first_version_is_taken_over() {
    let keys = Keys::new();
    let url = format!("sqlite:{}?mode=rwc", keys.place);
    check_migration(&url, &|| keys.store(), "INTEGER PRIMARY KEY", "BLOB");
    let error = fdna_gateway::store::open_key_store(&keys.place).err().unwrap();
    assert_eq!(
        error.to_string(),
        "the key store has version 9, and this program knows up to 5; use a newer program"
    );
}

#[test]
fn a_store_is_verified_and_none_is_made_where_there_is_none() {
    let keys = Keys::new();
    let missing = fdna_gateway::store::open_existing(&keys.place).err().unwrap();
    assert!(missing.to_string().starts_with("no key store"), "{missing}");
    assert!(
        fdna_gateway::store::verify_store(&keys.place).is_err()
            && !std::path::Path::new(&keys.place).exists()
    );
    drop(keys.store());
    assert!(fdna_gateway::store::open_existing(&keys.place).is_ok());
    assert_eq!(fdna_gateway::store::verify_store(&keys.place).unwrap(), Vec::<String>::new());
    let url = format!("sqlite:{}", keys.place);
    execute(&url, "DROP TRIGGER key_actions_stay").unwrap();
    let told = fdna_gateway::store::verify_store(&keys.place).unwrap();
    assert_eq!(told, ["it has no trigger key_actions_stay on key_actions"]);
}

#[test]
fn many_programs_that_open_a_new_store_at_once_make_its_tables_once() {
    let keys = Keys::new();
    let opening: Vec<_> = (0..8)
        .map(|_| {
            let place = keys.place.clone();
            std::thread::spawn(move || fdna_gateway::store::open_key_store(&place).map(drop))
        })
        .collect();
    for opened in opening {
        opened.join().unwrap().unwrap();
    }
    assert_eq!(keys.store().generation().unwrap(), 0);
}

#[test]
fn what_is_no_store_is_not_opened() {
    let keys = Keys::new();
    std::fs::create_dir(keys.folder().join("folder")).unwrap();
    for place in [keys.folder().join("folder"), keys.folder().join("no/such/keys.db")] {
        let error = fdna_gateway::store::open_key_store(&place.display().to_string()).err().unwrap();
        assert!(error.to_string().starts_with("cannot open the key store"), "{error}");
    }
    let text = keys.folder().join("text.db");
    std::io::Write::write_all(&mut std::fs::File::create(&text).unwrap(), &[b'a'; 5000]).unwrap();
    assert!(fdna_gateway::store::open_key_store(&text.display().to_string()).is_err());
}
