//! Webhooks, from a canonical host's stream to receivers that are well and badly behaved.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::TimeDelta;
use fdna_gateway::plan::Plan;
use fdna_gateway::store::{EndpointChange, Subject};
use fdna_gateway::webhooks::{RetrySchedule, WebhookSecret};

use crate::change_stream::StreamHost;
use crate::common::{TestGateway, eventually};
use crate::receiver::{Answer, Receiver};
use crate::webhook_fixture::{Hooks, SECOND, is_signed, numbered};

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
    // Until its worker has ended, and asks for nothing more.
    let is_quiet = || async {
        let asked = stream.positions().len();
        tokio::time::sleep(SECOND / 4).await;
        stream.positions().len() == asked
    };
    assert!(eventually(is_quiet).await);
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_suspended_account_is_sent_nothing_until_it_is_resumed() {
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
