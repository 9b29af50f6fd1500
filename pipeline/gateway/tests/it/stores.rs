//! What both databases must do alike; `postgres` runs it on a server.

use chrono::{DateTime, TimeDelta, Utc};
use fdna_gateway::counter::{Unused, Wanted, portion_of};
use fdna_gateway::key::{Environment, Secret};
use fdna_gateway::plan::{Custom, Plan};
use fdna_gateway::store::{Ask, NewKey, Settlement, Store};
use fdna_gateway::window::Window;

use crate::common::{Keys, NOON};

fn noon() -> DateTime<Utc> {
    NOON.parse().unwrap()
}

/// Everything that is asked of a store.
pub(crate) fn check(open: &dyn Fn() -> Box<dyn Store>) {
    keys_come_back_as_they_were_kept(open);
    portions_are_those_of_the_counter(open);
    what_is_settled_adds_up(open);
    many_at_once_reserve_the_limit_exactly(open);
}

fn keys_come_back_as_they_were_kept(open: &dyn Fn() -> Box<dyn Store>) {
    let mut store = open();
    let before = store.generation().unwrap();
    let custom = Custom { per_minute: Some(7), per_month: None };
    let account = store.open_account("Błach & Co", Plan::Scale, custom, noon()).unwrap();
    let again =
        store.open_account("Błach & Co", Plan::Pro, Custom::default(), noon() + TimeDelta::days(1)).unwrap();
    assert_eq!(again, account);
    let secret = Secret::draw(Environment::Test).unwrap();
    let new = NewKey::of(account.id, Environment::Test, &secret);
    let key = store.add_key(&new, noon(), None).unwrap();
    assert!(store.add_key(&new, noon(), None).is_err(), "a digest is kept once");
    let later = noon() + TimeDelta::hours(1);
    let second = Secret::draw(Environment::Live).unwrap();
    let second = NewKey::of(account.id, Environment::Live, &second);
    let second = store.add_key(&second, later, Some((key.id, later))).unwrap();
    store.revoke_key(second.id, later).unwrap();
    store.revoke_key(second.id, later + TimeDelta::hours(9)).unwrap();
    // Another connection sees it.
    let register = open().register().unwrap();
    assert!(register.generation > before && register.accounts.contains(&account));
    let of = |id: i64| register.keys.iter().find(|key| key.id == id).unwrap();
    assert!(of(key.id).digest.is(&secret.digest()));
    assert_eq!((of(key.id).expires_at, of(key.id).revoked_at), (Some(later), None));
    assert_eq!(
        (of(key.id).shown.as_str(), of(key.id).environment),
        (&secret.reveal()[..13], Environment::Test)
    );
    assert_eq!((of(second.id).expires_at, of(second.id).revoked_at), (None, Some(later)));
    store.change_plan(account.id, Plan::Enterprise, Custom { per_minute: None, per_month: Some(9) }).unwrap();
    let changed = open().register().unwrap();
    let changed = changed.accounts.iter().find(|a| a.id == account.id).unwrap().clone();
    assert_eq!(
        (changed.plan, changed.custom.per_minute, changed.custom.per_month),
        (Plan::Enterprise, None, Some(9))
    );
}

/// The statement computes what the counter's model does.
fn portions_are_those_of_the_counter(open: &dyn Fn() -> Box<dyn Store>) {
    let mut store = open();
    let windows = [Window::minute(noon()), Window::month(noon())];
    for (n, (limit, portion)) in
        [(1, 1), (3, 1), (60, 15), (60, 1), (1000, 7), (25_000, 1024), (5, 1024)].into_iter().enumerate()
    {
        let account_id = 1000 + i64::try_from(n).unwrap();
        let mut reserved = 0;
        loop {
            let asks = windows.map(|window| Ask { account_id, wanted: Wanted { window, limit, portion } });
            let grants = store.reserve(&asks).unwrap();
            let expected = portion_of(reserved, limit, portion);
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
        let less = Wanted { window: windows[1], limit: limit - 1, portion };
        let grant = store.reserve(&[Ask { account_id, wanted: less }]).unwrap()[0];
        assert_eq!((grant.granted, grant.reserved), (0, limit));
    }
}

fn what_is_settled_adds_up(open: &dyn Fn() -> Box<dyn Store>) {
    let mut store = open();
    let account = store.open_account("settled", Plan::Pro, Custom::default(), noon()).unwrap();
    let secret = Secret::draw(Environment::Live).unwrap();
    let key = store.add_key(&NewKey::of(account.id, Environment::Live, &secret), noon(), None).unwrap();
    let (minute, month) = (Window::minute(noon()), Window::month(noon()));
    let ask = |window| Ask { account_id: account.id, wanted: Wanted { window, limit: 100, portion: 10 } };
    assert_eq!(store.reserve(&[ask(minute), ask(month)]).unwrap().len(), 2);
    let settlement = Settlement {
        unused: vec![(account.id, Unused { window: month, count: 4 })],
        used: vec![(key.id, month, 6), (key.id, month, -1)],
        forget_before: None,
    };
    store.settle(&settlement).unwrap();
    store.settle(&Settlement { unused: Vec::new(), ..settlement.clone() }).unwrap();
    let usage = open().usage(account.id, month).unwrap();
    assert_eq!((usage.reserved, usage.requests), (6, vec![(key.id, 10)]));
    let next_month = Window::month("2026-10-01T00:00:00Z".parse().unwrap());
    assert_eq!(store.usage(account.id, next_month).unwrap(), fdna_gateway::store::Usage::default());
    // Minutes are forgotten, months are not.
    let forget_before = Some(noon() + TimeDelta::hours(1));
    store.settle(&Settlement { forget_before, ..Settlement::default() }).unwrap();
    assert_eq!(store.usage(account.id, month).unwrap().reserved, 6);
    assert_eq!(store.reserve(&[ask(minute)]).unwrap()[0].reserved, 10);
}

fn many_at_once_reserve_the_limit_exactly(open: &dyn Fn() -> Box<dyn Store>) {
    let window = Window::month(noon());
    let stores: Vec<_> = (0..4).map(|_| open()).collect();
    let reserving = stores.into_iter().map(|mut store| {
        std::thread::spawn(move || {
            let mut sum = 0;
            loop {
                let wanted = Wanted { window, limit: 5000, portion: 20 };
                // Several accounts in opposite orders: nobody may wait for each other for ever.
                let mut asks = [2001, 2002, 2003].map(|account_id| Ask { account_id, wanted });
                if sum % 2 == 0 {
                    asks.reverse();
                }
                let granted: u64 = store.reserve(&asks).unwrap().iter().map(|grant| grant.granted).sum();
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
    check(&|| keys.store());
}

#[test]
fn what_is_no_store_of_this_version_is_not_opened() {
    let keys = Keys::new();
    std::fs::create_dir(keys.folder().join("folder")).unwrap();
    for place in [keys.folder().join("folder"), keys.folder().join("no/such/keys.db")] {
        let error = fdna_gateway::store::open(&place.display().to_string()).err().unwrap();
        assert!(error.to_string().starts_with("open the key store"), "{error}");
    }
    let text = keys.folder().join("text.db");
    std::io::Write::write_all(&mut std::fs::File::create(&text).unwrap(), &[b'a'; 5000]).unwrap();
    assert!(fdna_gateway::store::open(&text.display().to_string()).is_err());
    drop(keys.store());
    let newer = rusqlite::Connection::open(&keys.place).unwrap();
    newer.execute("UPDATE meta SET value = 9 WHERE name = 'version'", []).unwrap();
    let error = fdna_gateway::store::open(&keys.place).err().unwrap();
    assert_eq!(error.to_string(), "use the key store: it is of version 9, and this program knows up to 1");
}
