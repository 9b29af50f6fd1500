//! Webhooks, from a canonical host's stream to receivers that are well and badly behaved.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use fdna_gateway::key::{KeyProduct, Secret};
use fdna_gateway::plan::Plan;
use fdna_gateway::store::{Actor, EndpointChange, StoreError, WebhookStore, open_webhook_store};
use fdna_gateway::webhooks::{
    AddedEndpoint, Attempted, ClaimedEndpoint, DeadLetter, DeliveryTimeouts, Endpoint, EndpointSecrets,
    FailureVerdict, Lease, NewEndpoint, ReceiverPolicy, RetrySchedule, WebhookOptions, WebhookSecret,
};

use crate::change_stream::StreamHost;
use crate::common::{Keys, TestGateway, eventually};
use crate::receiver::{Answer, Received, Receiver};

/// An account with an endpoint, and its store.
pub(crate) struct Hooks {
    pub(crate) keys: Keys,
    pub(crate) key: Secret,
    pub(crate) account_id: i64,
}

impl Hooks {
    pub(crate) fn new() -> Self {
        let keys = Keys::new();
        let (key, issued) = keys.issue("acme", Plan::Pro);
        Self { keys, key, account_id: issued.account_id }
    }

    pub(crate) fn store(&self) -> Box<dyn WebhookStore> {
        open_webhook_store(&self.keys.place).unwrap()
    }

    fn actor(&self) -> Actor {
        self.keys.actor()
    }

    /// Adds an endpoint that begins behind this event.
    pub(crate) fn add(&self, url: &str, from: Option<&str>) -> (i64, WebhookSecret) {
        let secret = WebhookSecret::generate().unwrap();
        let new = NewEndpoint {
            account_id: self.account_id,
            product: KeyProduct::Mma,
            sport: None,
            url: url.to_owned(),
            secret: secret.clone(),
        };
        let AddedEndpoint::Added(added) = self.store().add_endpoint(&new, &self.actor()).unwrap() else {
            panic!("too many")
        };
        if let Some(from) = from {
            self.change(added.id, &EndpointChange::Replay { from: Some(from.to_owned()) });
        }
        (added.id, secret)
    }

    pub(crate) fn change(&self, id: i64, change: &EndpointChange) {
        assert!(self.store().change_endpoint(id, change, &self.actor()).unwrap());
    }

    pub(crate) fn endpoint(&self, id: i64) -> Endpoint {
        self.store().list_endpoints().unwrap().into_iter().find(|endpoint| endpoint.id == id).unwrap()
    }

    pub(crate) fn options(&self) -> WebhookOptions {
        self.options_on(self.store())
    }

    /// Tests take seconds.
    fn options_on(&self, store: Box<dyn WebhookStore>) -> WebhookOptions {
        let mut options = WebhookOptions::new(store);
        options.sender.policy = ReceiverPolicy { allow_http: true, allow_private: true };
        options.sender.timeouts = DeliveryTimeouts { connect: SECOND / 2, total: SECOND / 2 };
        options.schedule = RetrySchedule::new(vec![SECOND / 50; 9]);
        options.intervals.poll = Duration::from_millis(20);
        options.intervals.reconnect = Duration::from_millis(20);
        options.intervals.lease = Some(SECOND * 4);
        options
    }

    async fn gateway(&self, stream: &StreamHost) -> TestGateway {
        self.gateway_with(stream, self.options()).await
    }

    async fn gateway_with(&self, stream: &StreamHost, webhooks: WebhookOptions) -> TestGateway {
        TestGateway::start_with(&self.keys, &[stream.host.url()], |options| options.webhooks = Some(webhooks))
            .await
    }

    async fn is_at(&self, id: i64, event: &str) -> bool {
        eventually(|| async { self.endpoint(id).last_event_id.as_deref() == Some(event) }).await
    }
}

const SECOND: Duration = Duration::from_secs(1);

fn numbered(snapshot: &str, numbers: std::ops::RangeInclusive<usize>) -> Vec<String> {
    numbers.map(|number| format!("{snapshot}:{number}")).collect()
}

fn is_signed(request: &Received, secret: &WebhookSecret) -> bool {
    let time = request.header("webhook-timestamp").parse().unwrap();
    let signature = secret.sign_message(&request.id(), time, &request.body);
    request.header("webhook-signature").split(' ').any(|own| own == signature)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_are_delivered_signed_in_order_and_once() {
    let (hooks, stream, receiver) = (Hooks::new(), StreamHost::start().await, Receiver::start().await);
    let (id, secret) = hooks.add(&receiver.url(), None);
    let gateway = hooks.gateway(&stream).await;
    // It begins with what is published from then on.
    assert!(hooks.is_at(id, "s0:end").await);
    stream.publish("s1", 3);
    let received = receiver.wait_for(3).await;
    assert_eq!(receiver.ids(), numbered("s1", 1..=3));
    let first = &received[0];
    assert!(first.head.starts_with("POST /hook?tenant=7 HTTP/1.1\r\n"), "{}", first.head);
    assert_eq!(first.header("content-type"), "application/json");
    assert!(first.header("user-agent").starts_with("fightdna-webhooks/"));
    let body =
        r#"{"type":"mma.change","timestamp":"2026-09-07T12:00:20.000Z","data":{"number":1,"name":"Błach"}}"#;
    assert_eq!(first.body, body);
    assert!(received.iter().all(|request| is_signed(request, &secret)));
    assert!(!is_signed(first, &WebhookSecret::generate().unwrap()));
    assert!(hooks.is_at(id, "s1:end").await);
    stream.publish("s2", 0);
    stream.publish("s3", 1);
    receiver.wait_for(4).await;
    assert!(hooks.is_at(id, "s3:end").await);
    assert_eq!(receiver.ids()[3..], ["s3:1"]);
    let endpoint = hooks.endpoint(id);
    assert_eq!((endpoint.delivered, endpoint.state()), (4, "enabled"));
    assert_eq!(endpoint.last_result.as_deref(), Some("HTTP 204"));
    assert_eq!(stream.positions()[0], None, "the first request has no position");
    let metrics = gateway.admin("/metrics").await.text();
    for line in [
        "fightdna_gateway_webhook_deliveries_total{outcome=\"delivered\"} 4",
        "fightdna_gateway_webhook_endpoints{state=\"enabled\"} 1",
        "fightdna_gateway_webhook_endpoints{state=\"disabled\"} 0",
        "fightdna_gateway_webhook_lag_seconds 0",
    ] {
        assert!(metrics.lines().any(|own| own == line), "{line} in\n{metrics}");
    }
    gateway.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_was_down_misses_nothing() {
    let (hooks, stream) = (Hooks::new(), StreamHost::start().await);
    stream.publish("s1", 4);
    let receiver = Receiver::start_with(|count, _| match count {
        1 => Answer::Status(500, ""),
        2 => Answer::Close,
        3 => Answer::Status(429, "retry-after: 0\r\n"),
        _ => Answer::Status(200, ""),
    })
    .await;
    let (id, secret) = hooks.add(&receiver.url(), Some("s0:end"));
    let gateway = hooks.gateway(&stream).await;
    let received = receiver.wait_for(7).await;
    assert_eq!(receiver.ids(), ["s1:1", "s1:2", "s1:2", "s1:2", "s1:2", "s1:3", "s1:4"]);
    assert!(received[1..5].iter().all(|request| request.body == received[1].body), "every try is the same");
    assert!(received.iter().all(|request| is_signed(request, &secret)));
    assert!(hooks.is_at(id, "s1:end").await);
    // And one that nobody can connect to for a while, when the host has forgotten the publication.
    let (address, url) = (receiver.address, receiver.url());
    drop(receiver);
    stream.publish("s2", 1);
    assert!(eventually(|| async { hooks.endpoint(id).failing.is_some() }).await);
    let failing = hooks.endpoint(id);
    assert_eq!(failing.failing.unwrap().message_id, "s2:1");
    assert!(failing.last_result.unwrap().contains("cannot connect to the receiver"));
    stream.collect_garbage();
    let receiver = Receiver::start_at(address, |_, _| Answer::Status(204, ""));
    assert_eq!(receiver.url(), url);
    receiver.wait_for(2).await;
    // The message that failed is not lost, and the receiver is told of what it cannot be sent.
    assert_eq!(receiver.ids(), ["s2:1", "s2:end"]);
    let reset = receiver.received()[1].json();
    assert_eq!((&reset["type"], &reset["data"]["last_event_id"]), (&"mma.reset".into(), &"s2:1".into()));
    gateway.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_busy_receiver_is_left_alone_for_as_long_as_it_asks() {
    let (hooks, stream) = (Hooks::new(), StreamHost::start().await);
    stream.publish("s1", 1);
    let receiver = Receiver::start_with(|count, _| match count {
        0 => Answer::Status(503, "retry-after: 1\r\n"),
        _ => Answer::Status(200, ""),
    })
    .await;
    hooks.add(&receiver.url(), Some("s0:end"));
    let gateway = hooks.gateway(&stream).await;
    let received = receiver.wait_for(2).await;
    let waited = received[1].at - received[0].at;
    assert!(waited >= SECOND * 9 / 10, "{waited:?}");
    gateway.stop().await;
}

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
    fn list_endpoints(&mut self) -> Result<Vec<Endpoint>, StoreError> {
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

    fn move_position(&mut self, lease: &Lease, event_id: &str) -> Result<bool, StoreError> {
        self.check().and_then(|()| self.store.move_position(lease, event_id))
    }

    fn record_delivery(
        &mut self,
        lease: &Lease,
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
        lease: &Lease,
        failed: &Attempted,
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_gateways_deliver_each_message_once() {
    let (hooks, stream, receiver) = (Hooks::new(), StreamHost::start().await, Receiver::start().await);
    stream.publish("s1", 40);
    let (id, _) = hooks.add(&receiver.url(), Some("s0:end"));
    let (first, second) = (hooks.gateway(&stream).await, hooks.gateway(&stream).await);
    receiver.wait_for(40).await;
    assert!(hooks.is_at(id, "s1:end").await);
    // The lease is given back, so that the other need not wait for its end.
    first.stop().await;
    stream.publish("s2", 40);
    receiver.wait_for(80).await;
    assert!(hooks.is_at(id, "s2:end").await);
    assert_eq!(receiver.ids(), [numbered("s1", 1..=40), numbered("s2", 1..=40)].concat());
    second.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rotated_secret_signs_beside_the_old_one_for_a_while() {
    let (hooks, stream, receiver) = (Hooks::new(), StreamHost::start().await, Receiver::start().await);
    stream.publish("s1", 1);
    let (id, old) = hooks.add(&receiver.url(), Some("s0:end"));
    let gateway = hooks.gateway(&stream).await;
    receiver.wait_for(1).await;
    let new = WebhookSecret::generate().unwrap();
    let previous_until = hooks.keys.time().now() + TimeDelta::hours(1);
    hooks.change(id, &EndpointChange::RotateSecret { secret: new.clone(), previous_until });
    // A message that is on its way while the secret is rotated may be sent with the old one; wait for the new worker.
    let asked = stream.positions().len();
    assert!(eventually(|| async { stream.positions().len() > asked + 3 }).await);
    stream.publish("s2", 1);
    let received = receiver.wait_for(2).await;
    assert_eq!(received[1].header("webhook-signature").split(' ').count(), 2);
    assert!(is_signed(&received[1], &old) && is_signed(&received[1], &new));
    hooks.keys.time().set("2026-09-07T13:00:21Z");
    stream.publish("s3", 1);
    let received = receiver.wait_for(3).await;
    assert!(!is_signed(&received[2], &old) && is_signed(&received[2], &new));
    gateway.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_is_never_taken_is_a_dead_letter_and_its_endpoint_is_disabled() {
    let (hooks, stream) = (Hooks::new(), StreamHost::start().await);
    stream.publish("s1", 2);
    let is_well = Arc::new(AtomicBool::new(false));
    let healed = Arc::clone(&is_well);
    let receiver = Receiver::start_with(move |_, _| match healed.load(Ordering::SeqCst) {
        true => Answer::Status(200, ""),
        false => Answer::Status(500, ""),
    })
    .await;
    let (id, _) = hooks.add(&receiver.url(), Some("s0:end"));
    let mut options = hooks.options();
    options.schedule = RetrySchedule::new(vec![SECOND / 50; 2]);
    let gateway = hooks.gateway_with(&stream, options).await;
    assert!(eventually(|| async { hooks.endpoint(id).disabled_at.is_some() }).await);
    let endpoint = hooks.endpoint(id);
    let reason = "a message was not taken in 3 tries; the last: HTTP 500";
    assert_eq!((endpoint.state(), endpoint.disabled_reason.as_deref()), ("disabled", Some(reason)));
    assert_eq!((endpoint.last_event_id.as_deref(), endpoint.dead_letters), (Some("s0:end"), 1));
    let letters = hooks.store().dead_letters(Some(id)).unwrap();
    assert_eq!((letters[0].message.id.as_str(), letters[0].attempts), ("s1:1", 3));
    assert_eq!(
        (letters[0].reason.as_str(), &letters[0].message.body),
        (reason, &receiver.received()[0].body)
    );
    assert_eq!(receiver.ids(), ["s1:1"; 3]);
    let page = gateway.get("/v1/account/webhooks", &hooks.key).await.json();
    assert_eq!(
        (&page["data"]["endpoints"][0]["state"], &page["data"]["endpoints"][0]["disabled_reason"]),
        (&"disabled".into(), &reason.into())
    );
    // Enabled, it begins with that message: nothing is skipped.
    is_well.store(true, Ordering::SeqCst);
    hooks.change(id, &EndpointChange::Enable);
    receiver.wait_for(5).await;
    assert!(hooks.is_at(id, "s1:end").await);
    assert_eq!(receiver.ids()[3..], ["s1:1", "s1:2"]);
    assert_eq!(hooks.endpoint(id).dead_letters, 0, "it was delivered");
    gateway.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_is_gone_is_sent_nothing_more() {
    let (hooks, stream) = (Hooks::new(), StreamHost::start().await);
    stream.publish("s1", 2);
    let receiver = Receiver::start_with(|_, _| Answer::Status(410, "")).await;
    let (id, _) = hooks.add(&receiver.url(), Some("s0:end"));
    let gateway = hooks.gateway(&stream).await;
    assert!(eventually(|| async { hooks.endpoint(id).disabled_at.is_some() }).await);
    let endpoint = hooks.endpoint(id);
    assert_eq!(endpoint.disabled_reason.as_deref(), Some("the receiver answered 410 Gone"));
    assert_eq!((endpoint.dead_letters, receiver.ids().len()), (0, 1));
    gateway.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_redirect_is_followed_and_no_slow_receiver_holds_another_up() {
    let (hooks, stream) = (Hooks::new(), StreamHost::start().await);
    stream.publish("s1", 3);
    let (target, well) = (Receiver::start().await, Receiver::start().await);
    let location: &'static str = format!("location: {}\r\n", target.url()).leak();
    let redirecting = Receiver::start_with(move |_, _| Answer::Status(307, location)).await;
    let slow = Receiver::start_with(|_, _| Answer::Drip).await;
    let (redirected, _) = hooks.add(&redirecting.url(), Some("s0:end"));
    let (dripping, _) = hooks.add(&slow.url(), Some("s0:end"));
    hooks.add(&well.url(), Some("s0:end"));
    let gateway = hooks.gateway(&stream).await;
    well.wait_for(3).await;
    redirecting.wait_for(2).await;
    slow.wait_for(2).await;
    let result = |id| hooks.endpoint(id).last_result.unwrap();
    assert_eq!(result(redirected), "HTTP 307: redirects are not followed");
    assert!(
        eventually(|| async { result(dripping) == "no answer within 0.5 s" }).await,
        "{}",
        result(dripping)
    );
    assert_eq!(target.received().len(), 0);
    gateway.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn addresses_that_are_not_public_are_refused_when_they_are_connected_to() {
    let (hooks, stream, receiver) = (Hooks::new(), StreamHost::start().await, Receiver::start().await);
    stream.publish("s1", 1);
    // A name, so that it is known after it was resolved.
    let url = format!("http://localhost:{}/", receiver.address.port());
    let (named, _) = hooks.add(&url, Some("s0:end"));
    let (literal, _) = hooks.add(&receiver.url(), Some("s0:end"));
    let mut options = hooks.options();
    options.sender.policy = ReceiverPolicy { allow_http: true, allow_private: false };
    let gateway = hooks.gateway_with(&stream, options).await;
    for id in [named, literal] {
        let is_refused = || async {
            let result = hooks.endpoint(id).last_result;
            result.is_some_and(|result| result.contains("not one of the public Internet"))
        };
        assert!(eventually(is_refused).await, "{:?}", hooks.endpoint(id).last_result);
    }
    assert_eq!(receiver.received().len(), 0);
    gateway.stop().await;
    // And without encryption, as an operator allowed it before.
    let mut options = hooks.options();
    options.sender.policy = ReceiverPolicy { allow_http: false, allow_private: true };
    let gateway = hooks.gateway_with(&stream, options).await;
    let is_refused = || async {
        let result = hooks.endpoint(literal).last_result;
        result.is_some_and(|result| result == "the URL is not allowed: it is not https")
    };
    assert!(eventually(is_refused).await, "{:?}", hooks.endpoint(literal).last_result);
    assert_eq!(receiver.received().len(), 0);
    gateway.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn messages_are_replayed_from_an_event_or_not_at_all() {
    let (hooks, stream, receiver) = (Hooks::new(), StreamHost::start().await, Receiver::start().await);
    stream.publish("s1", 3);
    let (id, _) = hooks.add(&receiver.url(), Some("s0:end"));
    let gateway = hooks.gateway(&stream).await;
    receiver.wait_for(3).await;
    assert!(hooks.is_at(id, "s1:end").await);
    hooks.change(id, &EndpointChange::Replay { from: Some("s1:1".to_owned()) });
    receiver.wait_for(5).await;
    assert!(hooks.is_at(id, "s1:end").await);
    hooks.change(id, &EndpointChange::Disable);
    stream.publish("s2", 3);
    hooks.change(id, &EndpointChange::Replay { from: None });
    hooks.change(id, &EndpointChange::Enable);
    assert!(hooks.is_at(id, "s2:end").await);
    assert_eq!(receiver.ids(), ["s1:1", "s1:2", "s1:3", "s1:2", "s1:3"]);
    hooks.change(id, &EndpointChange::Replay { from: Some("long-gone:7".to_owned()) });
    receiver.wait_for(6).await;
    let reset = receiver.received()[5].json();
    assert_eq!(
        (&reset["type"], &reset["data"]["last_event_id"]),
        (&"mma.reset".into(), &"long-gone:7".into())
    );
    gateway.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_sees_its_own_webhooks_without_secrets() {
    let (hooks, stream, receiver) = (Hooks::new(), StreamHost::start().await, Receiver::start().await);
    stream.publish("s1", 1);
    let (id, secret) = hooks.add(&receiver.url(), Some("s0:end"));
    let (other, _) = hooks.keys.issue("other", Plan::Pro);
    let gateway = hooks.gateway(&stream).await;
    receiver.wait_for(1).await;
    assert!(hooks.is_at(id, "s1:end").await);
    let reply = gateway.get("/v1/account/webhooks", &hooks.key).await;
    assert_eq!((reply.status, reply.header("cache-control")), (200, "no-store"));
    let data = reply.json()["data"].clone();
    let expected = serde_json::json!({
        "id": id, "url": receiver.url(), "sport": null, "state": "enabled", "disabled_reason": null,
        "last_event_id": "s1:end", "delivered": 1, "last_delivered_at": "2026-09-07T12:00:20+00:00",
        "last_attempt_at": "2026-09-07T12:00:20+00:00", "last_result": "HTTP 204", "failing": null, "dead_letters": 0,
    });
    assert_eq!((&data["account"], &data["endpoints"]), (&"acme".into(), &serde_json::json!([expected])));
    assert!(!reply.text().contains(secret.reveal().trim_start_matches("whsec_")));
    assert_eq!(
        gateway.get("/v1/account/webhooks", &other).await.json()["data"]["endpoints"],
        serde_json::json!([])
    );
    assert_eq!(gateway.get_with("/v1/account/webhooks", &[]).await.refusal().0, 401);
    assert_eq!(gateway.get("/v1/account/webhooks?x=1", &hooks.key).await.refusal().0, 400);
    let debug = format!("{:?} {:?}", hooks.store().endpoint_secrets(id).unwrap(), hooks.endpoint(id));
    assert!(!debug.contains("whsec") && debug.contains("WebhookSecret(…)"), "{debug}");
    gateway.stop().await;
    // A gateway that delivers none has no such page.
    let without = TestGateway::start(&hooks.keys, &[stream.host.url()]).await;
    assert_eq!(without.get("/v1/account/webhooks", &hooks.key).await.refusal().0, 404);
    without.stop().await;
}

/// A receiver over TLS, with a certificate of its own for `localhost`.
async fn tls_receiver(taken: Arc<AtomicUsize>) -> (u16, String) {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio_rustls::rustls::pki_types::pem::PemObject as _;
    use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
    use tokio_rustls::rustls::{ServerConfig, crypto::ring};
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let certificate = CertificateDer::from_pem_slice(made.cert.pem().as_bytes()).unwrap();
    let key = PrivateKeyDer::from_pem_slice(made.signing_key.serialize_pem().as_bytes()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let mut buffer = [0; 8192];
            if stream.read(&mut buffer).await.is_ok_and(|length| length > 0) {
                taken.fetch_add(1, Ordering::SeqCst);
                let response = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
                let _ = stream.write_all(response).await;
                let _ = stream.shutdown().await;
            }
        }
    });
    (port, made.cert.pem())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::disallowed_methods, reason = "plays the certificate client")]
async fn a_receiver_over_tls_is_verified() {
    let (hooks, stream, taken) = (Hooks::new(), StreamHost::start().await, Arc::new(AtomicUsize::new(0)));
    stream.publish("s1", 1);
    let (port, certificate) = tls_receiver(Arc::clone(&taken)).await;
    let trusted = hooks.keys.folder().join("trusted.pem");
    std::fs::write(&trusted, certificate).unwrap();
    let (id, _) = hooks.add(&format!("https://localhost:{port}/"), Some("s0:end"));
    let gateway = hooks.gateway(&stream).await;
    let is_refused = || async {
        hooks.endpoint(id).last_result.is_some_and(|result| result.to_lowercase().contains("certificate"))
    };
    assert!(eventually(is_refused).await, "{:?}", hooks.endpoint(id).last_result);
    assert_eq!(taken.load(Ordering::SeqCst), 0);
    gateway.stop().await;
    let mut options = hooks.options();
    options.sender.policy = ReceiverPolicy { allow_http: false, allow_private: true };
    options.sender.authorities = Some(trusted);
    hooks.change(id, &EndpointChange::Enable);
    let gateway = hooks.gateway_with(&stream, options).await;
    assert!(hooks.is_at(id, "s1:end").await, "{:?}", hooks.endpoint(id).last_result);
    assert_eq!(taken.load(Ordering::SeqCst), 1);
    gateway.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_suspended_account_is_sent_nothing_until_it_is_resumed() {
    use fdna_gateway::store::Subject;
    let (hooks, stream, receiver) = (Hooks::new(), StreamHost::start().await, Receiver::start().await);
    let (id, _) = hooks.add(&receiver.url(), Some("s0:end"));
    let account = Subject::Account(hooks.account_id);
    hooks.keys.store().set_suspended(account, true, &hooks.actor()).unwrap();
    let gateway = hooks.gateway(&stream).await;
    stream.publish("s1", 1);
    tokio::time::sleep(SECOND / 4).await;
    assert_eq!((receiver.ids().len(), hooks.endpoint(id).state()), (0, "suspended"));
    hooks.keys.store().set_suspended(account, false, &hooks.actor()).unwrap();
    receiver.wait_for(1).await;
    gateway.stop().await;
}
