//! Webhooks where the store fails, or the gateway dies.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use chrono::{DateTime, Utc};
use fdna_gateway::store::{Actor, EndpointChange, StoreError, WebhookStore};
use fdna_gateway::webhooks::{
    AddedEndpoint, AttemptedMessage, ClaimedEndpoint, DeadLetter, EndpointLease, EndpointSecrets,
    FailureVerdict, NewEndpoint, WebhookEndpoint,
};

use crate::change_stream::StreamHost;
use crate::receiver::{Answer, Receiver};
use crate::webhook_fixture::Hooks;

/// A store whose calls fail when a test says so.
struct FaultyStore {
    store: Box<dyn WebhookStore>,
    /// Deliveries that are not written down.
    failures: Arc<AtomicUsize>,
    /// As of a process that was killed: nothing is written any more.
    is_dead: Arc<AtomicBool>,
}

impl FaultyStore {
    fn check(&self) -> Result<(), StoreError> {
        match self.is_dead.load(Ordering::SeqCst) {
            true => Err(StoreError::Query { operation: "live", source: "dead".into() }),
            false => Ok(()),
        }
    }
}

impl WebhookStore for FaultyStore {
    fn list_endpoints(&mut self) -> Result<Vec<WebhookEndpoint>, StoreError> {
        self.check().and_then(|()| self.store.list_endpoints())
    }

    fn dead_letters(&mut self, endpoint_id: Option<i64>) -> Result<Vec<DeadLetter>, StoreError> {
        self.check().and_then(|()| self.store.dead_letters(endpoint_id))
    }

    fn endpoint_secrets(&mut self, endpoint_id: i64) -> Result<Option<EndpointSecrets>, StoreError> {
        self.check().and_then(|()| self.store.endpoint_secrets(endpoint_id))
    }

    fn add_endpoint(&mut self, endpoint: &NewEndpoint, by: &Actor) -> Result<AddedEndpoint, StoreError> {
        self.check().and_then(|()| self.store.add_endpoint(endpoint, by))
    }

    fn change_endpoint(&mut self, id: i64, change: &EndpointChange, by: &Actor) -> Result<bool, StoreError> {
        self.check().and_then(|()| self.store.change_endpoint(id, change, by))
    }

    fn claim_endpoint(
        &mut self,
        endpoint_id: i64,
        holder: &str,
        lease_ms: i64,
    ) -> Result<Option<ClaimedEndpoint>, StoreError> {
        self.check().and_then(|()| self.store.claim_endpoint(endpoint_id, holder, lease_ms))
    }

    fn renew_leases(&mut self, holder: &str, lease_ms: i64) -> Result<Vec<(i64, i64)>, StoreError> {
        self.check().and_then(|()| self.store.renew_leases(holder, lease_ms))
    }

    fn release_lease(&mut self, endpoint_id: i64, holder: &str) -> Result<(), StoreError> {
        self.check().and_then(|()| self.store.release_lease(endpoint_id, holder))
    }

    fn move_position(&mut self, lease: &EndpointLease, event_id: &str) -> Result<bool, StoreError> {
        self.check().and_then(|()| self.store.move_position(lease, event_id))
    }

    fn record_delivery(
        &mut self,
        lease: &EndpointLease,
        message_id: &str,
        result: &str,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        self.check()?;
        let count_down = |left: usize| left.checked_sub(1);
        if self.failures.fetch_update(Ordering::SeqCst, Ordering::SeqCst, count_down).is_ok() {
            return Err(StoreError::Query { operation: "write", source: "no room".into() });
        }
        self.store.record_delivery(lease, message_id, result, at)
    }

    fn record_failure(
        &mut self,
        lease: &EndpointLease,
        failed: &AttemptedMessage,
        result: &str,
        verdict: &FailureVerdict,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        self.check().and_then(|()| self.store.record_failure(lease, failed, result, verdict, at))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_delivery_that_is_not_written_down_is_made_again_with_its_id() {
    let (hooks, stream, receiver) = (Hooks::new(), StreamHost::start().await, Receiver::start().await);
    stream.publish("s1", 3);
    let (id, _) = hooks.add(&receiver.url(), Some("s0:end"));
    let failures = Arc::new(AtomicUsize::new(2));
    let store = FaultyStore { store: hooks.store(), failures, is_dead: Arc::default() };
    let gateway = hooks.gateway_with(&stream, hooks.options_on(Box::new(store))).await;
    receiver.wait_for(5).await;
    assert!(hooks.is_at(id, "s1:end").await);
    assert_eq!(receiver.ids(), ["s1:1", "s1:1", "s1:1", "s1:2", "s1:3"]);
    assert_eq!(hooks.endpoint(id).delivered, 3);
    gateway.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_gateway_goes_on_where_one_died_between_delivery_and_store() {
    let (hooks, stream) = (Hooks::new(), StreamHost::start().await);
    stream.publish("s1", 4);
    let is_dead = Arc::new(AtomicBool::new(false));
    let killed = Arc::clone(&is_dead);
    let receiver = Receiver::start_with(move |count, _| {
        // The message was taken, and nobody will know.
        killed.fetch_or(count == 1, Ordering::SeqCst);
        Answer::Status(204, "")
    })
    .await;
    let (id, _) = hooks.add(&receiver.url(), Some("s0:end"));
    let store = FaultyStore { store: hooks.store(), failures: Arc::default(), is_dead: Arc::clone(&is_dead) };
    let _dying = hooks.gateway_with(&stream, hooks.options_on(Box::new(store))).await;
    receiver.wait_for(2).await;
    let heir = hooks.gateway(&stream).await;
    receiver.wait_for(5).await;
    assert!(hooks.is_at(id, "s1:end").await);
    assert_eq!(receiver.ids(), ["s1:1", "s1:2", "s1:2", "s1:3", "s1:4"]);
    heir.stop().await;
}
