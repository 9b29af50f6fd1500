//! A store that fails in the accounting thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use chrono::{DateTime, NaiveDate, Utc};
use fdna_gateway::plan::{CustomLimits, Plan};
use fdna_gateway::store::{
    Account, Actor, DayUsage, Grant, Key, KeyAction, KeyRegistry, NewKey, Reservation, Store, StoreError,
    Subject, Usage, UsageFlush,
};
use fdna_gateway::window::Window;

use crate::common::{Keys, TestGateway, eventually};
use crate::counting::{count, flood};
use crate::upstream::{Host, ok};

/// Faults that a test switches on.
#[derive(Default)]
struct Faults {
    panics: AtomicBool,
    /// The number of flushes that are applied and not confirmed.
    unconfirmed: AtomicUsize,
}

struct FaultyStore {
    inner: Box<dyn Store>,
    faults: Arc<Faults>,
}

impl Store for FaultyStore {
    fn generation(&mut self) -> Result<i64, StoreError> {
        assert!(!self.faults.panics.load(Ordering::SeqCst), "as a fault of the program would");
        self.inner.generation()
    }

    fn flush_usage(&mut self, flush: &UsageFlush) -> Result<(), StoreError> {
        self.inner.flush_usage(flush)?;
        let left = |left: usize| left.checked_sub(1);
        match self.faults.unconfirmed.fetch_update(Ordering::SeqCst, Ordering::SeqCst, left) {
            Ok(_) => Err(StoreError::Query {
                operation: "write down usage",
                source: "the connection broke".into(),
            }),
            Err(_) => Ok(()),
        }
    }

    fn key_registry(&mut self) -> Result<KeyRegistry, StoreError> {
        self.inner.key_registry()
    }

    fn reserve_quota(&mut self, reservations: &[Reservation]) -> Result<Vec<Grant>, StoreError> {
        self.inner.reserve_quota(reservations)
    }

    fn open_account(
        &mut self,
        name: &str,
        plan: Plan,
        custom: CustomLimits,
        by: &Actor,
    ) -> Result<Account, StoreError> {
        self.inner.open_account(name, plan, custom, by)
    }

    fn change_plan(
        &mut self,
        id: i64,
        plan: Plan,
        custom: CustomLimits,
        by: &Actor,
    ) -> Result<(), StoreError> {
        self.inner.change_plan(id, plan, custom, by)
    }

    fn add_key(
        &mut self,
        key: &NewKey,
        ends: Option<(i64, DateTime<Utc>)>,
        by: &Actor,
    ) -> Result<Key, StoreError> {
        self.inner.add_key(key, ends, by)
    }

    fn revoke_key(&mut self, key_id: i64, by: &Actor) -> Result<(), StoreError> {
        self.inner.revoke_key(key_id, by)
    }

    fn set_suspended(&mut self, subject: Subject, suspended: bool, by: &Actor) -> Result<bool, StoreError> {
        self.inner.set_suspended(subject, suspended, by)
    }

    fn list_actions(&mut self) -> Result<Vec<KeyAction>, StoreError> {
        self.inner.list_actions()
    }

    fn account_usage(&mut self, account_id: i64, month: Window) -> Result<Usage, StoreError> {
        self.inner.account_usage(account_id, month)
    }

    fn downloads_of_month(&mut self, month: Window) -> Result<Vec<(i64, u64)>, StoreError> {
        self.inner.downloads_of_month(month)
    }

    fn usage_by_day(&mut self, from: NaiveDate, to: NaiveDate) -> Result<Vec<DayUsage>, StoreError> {
        self.inner.usage_by_day(from, to)
    }

    fn last_used(&mut self) -> Result<Vec<(i64, DateTime<Utc>)>, StoreError> {
        self.inner.last_used()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gateway_whose_accounting_thread_died_is_unready_and_ends() {
    let host = Host::start(|_| ok("{}")).await;
    let keys = Keys::new();
    let (key, _) = keys.limited("acme", 1000, 1000);
    let faults = Arc::new(Faults::default());
    let store = Box::new(FaultyStore { inner: keys.store(), faults: Arc::clone(&faults) });
    let gateway = TestGateway::start_on(&keys, store, &[host.url()]).await;
    assert_eq!(gateway.get("/v1/mma", &key).await.status, 200);
    assert_eq!(gateway.get_with("/readyz", &[]).await.status, 200);
    faults.panics.store(true, Ordering::SeqCst);
    let is_unready = || async { gateway.get_with("/readyz", &[]).await.status == 503 };
    assert!(eventually(is_unready).await);
    assert!(gateway.admin("/readyz").await.text().contains("the accounting thread died"));
    assert!(gateway.admin("/metrics").await.text().contains("fightdna_gateway_store_up 0\n"));
    let ended = gateway.ended().await.unwrap_err();
    assert!(ended.to_string().contains("the accounting thread died"), "{ended}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flush_whose_confirmation_was_lost_is_not_billed_twice() {
    let host = Host::start(|_| ok("{}")).await;
    let keys = Keys::new();
    let (key, issued) = keys.limited("acme", 1000, 1000);
    let faults = Arc::new(Faults::default());
    faults.unconfirmed.store(2, Ordering::SeqCst);
    let store = Box::new(FaultyStore { inner: keys.store(), faults: Arc::clone(&faults) });
    let gateway = TestGateway::start_on(&keys, store, &[host.url()]).await;
    assert_eq!(count(&flood(&[&gateway], 4, 10, &key).await, 200), 40);
    let is_retried = || async { faults.unconfirmed.load(Ordering::SeqCst) == 0 };
    assert!(eventually(is_retried).await);
    assert_eq!(count(&flood(&[&gateway], 4, 5, &key).await, 200), 20);
    // The last one of all is lost too, as the gateway ends.
    faults.unconfirmed.store(1, Ordering::SeqCst);
    gateway.stop().await;
    let used = keys.store().account_usage(issued.account_id, Window::month_of(keys.time().now())).unwrap();
    assert_eq!((used.reserved, used.requests), (60, vec![(issued.id, 60)]));
}
