//! A server with a key of its own, and one with an operator's address.

use std::net::SocketAddr;
use std::sync::Arc;

use fdna_server::{KeyFile, SnapshotSource};
use tempfile::NamedTempFile;
use tokio::net::TcpListener;

use crate::common::{Running, record};
use crate::swapping::Moving;

const KEY: &str = "a-key-for-the-gateway";

fn asked(method: &str, path: &str, key: &str) -> String {
    let credential = if key.is_empty() { String::new() } else { format!("Authorization: Bearer {key}\r\n") };
    format!("{method} {path} HTTP/1.1\r\nHost: a\r\n{credential}Connection: close\r\n\r\n")
}

fn status(reply: &str) -> &str {
    reply.split(' ').nth(1).unwrap_or("closed")
}

async fn guarded() -> Running {
    let file = NamedTempFile::new().unwrap();
    crate::lake::overwrite(file.path(), KEY.as_bytes());
    let key = Arc::new(KeyFile::load(file.path()).unwrap());
    let running = Running::start(Moving::at("s1"), |options| options.key = Some(key)).await;
    running.ready().await;
    running
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_key_nothing_is_answered_but_health() {
    let running = guarded().await;
    let paths = ["/v1/mma", "/v1/mma/events/e1", "/metrics", "/openapi.json", "/docs", "/nowhere"];
    for path in paths.into_iter().cycle().take(2 * paths.len()) {
        for key in ["", "another-key-altogether", &KEY[1..]] {
            let reply = running.raw(asked("GET", path, key)).await;
            assert_eq!(status(&reply), "401", "{path} {key}: {reply}");
            assert!(reply.contains(r#""code":"unauthorized""#) && !reply.contains("Night"), "{reply}");
            assert!(reply.contains("www-authenticate: Bearer"), "{reply}");
        }
        let expected = if path == "/nowhere" { "404" } else { "200" };
        assert_eq!(status(&running.raw(asked("GET", path, KEY)).await), expected, "{path}");
    }
    assert_eq!(status(&running.raw(asked("GET", "/healthz", "")).await), "200");
    let head = running.raw(asked("HEAD", "/v1/mma", "")).await;
    assert!(status(&head) == "401" && head.ends_with("\r\n\r\n"), "{head}");
    assert_eq!(status(&running.raw(asked("OPTIONS", "/v1/mma", "")).await), "401");
    assert_eq!(status(&running.raw(asked("GET", "/v1/../v1/mma", "")).await), "400");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_has_no_key_is_told_that_it_is_ready_and_no_more() {
    let running = guarded().await;
    let stranger = running.raw(asked("GET", "/readyz", "")).await;
    assert!(stranger.ends_with(r#"{"status":"ready"}"#), "{stranger}");
    let known = running.raw(asked("GET", "/readyz", KEY)).await;
    assert!(known.contains(r#""snapshot_id":"s1""#) && known.contains(r#""problem":null"#), "{known}");
}

/// A server with an operator's address, whose newest snapshot cannot be loaded.
async fn degraded() -> (Running, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let operator = listener.local_addr().unwrap();
    let source = Moving::at("s1");
    let running = Running::start(Arc::clone(&source) as Arc<dyn SnapshotSource>, |options| {
        options.admin = Some(listener);
    })
    .await;
    running.ready().await;
    source.point("bad1");
    for _ in 0..400 {
        if running.raw(asked("GET", "/readyz", "")).await.contains("degraded") {
            return (running, operator);
        }
    }
    panic!("never degraded");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn metrics_and_reasons_are_on_the_operators_address_alone() {
    let (running, operator) = degraded().await;
    let public = running.raw(asked("GET", "/readyz", "")).await;
    assert!(public.ends_with(r#"{"status":"degraded"}"#), "{public}");
    assert_eq!(status(&running.raw(asked("GET", "/metrics", "")).await), "404");
    let told = async |path: &str| {
        let asked = asked("GET", path, "");
        tokio::task::spawn_blocking(move || record(operator, asked.as_bytes())).await.unwrap()
    };
    let ready = told("/readyz").await;
    assert!(ready.contains(r#""status":"degraded""#) && ready.contains("bad1"), "{ready}");
    assert!(told("/metrics").await.contains("fightdna_degraded 1"));
    assert_eq!((status(&told("/healthz").await), status(&told("/v1/mma").await)), ("200", "404"));
}

const GIVEN: &str = "00000000-0000-4000-8000-00000000abcd";

/// A question with the id that a gateway gives, and a key.
fn under_id(path: &str, key: &str) -> String {
    asked("GET", path, key).replace("Connection:", &format!("X-Gateway-Request-Id: {GIVEN}\r\nConnection:"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gateways_id_is_that_of_the_answer_where_its_word_is_taken() {
    let both = |reply: &str| {
        (
            reply.contains(&format!("x-request-id: {GIVEN}")),
            reply.contains(&format!("\"request_id\":\"{GIVEN}\"")),
        )
    };
    // From this machine, the second time without a route; of errors too.
    let open = Running::start(Moving::at("s1"), |_| ()).await;
    open.ready().await;
    for path in ["/v1/mma/events/e1", "/v1/mma/events/e1", "/v1/mma/events/nobody", "/nowhere", "/v1//mma"] {
        assert_eq!(both(&open.raw(under_id(path, "")).await), (true, true), "{path}");
    }
    assert_eq!(both(&open.raw(under_id("/v1/mma", "").replace("abcd", "no id")).await), (false, false));
    // Who has a key is asked for it.
    let guarded = guarded().await;
    assert_eq!(both(&guarded.raw(under_id("/v1/mma/events/e1", KEY)).await), (true, true));
    assert_eq!(both(&guarded.raw(under_id("/v1/mma/events/e1", "")).await), (false, false));
    // From nobody knows where it is not believed.
    let request = crate::common::request("GET", "/v1/mma", &[("x-gateway-request-id", GIVEN)]);
    let reply = crate::common::once(&crate::common::app(), request).await;
    assert_ne!(reply.header("x-request-id"), GIVEN);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_of_a_named_origin_may_ask_and_asks_first_without_the_key() {
    let cors = Arc::new(fdna_server::Cors::for_origins(&["https://app.example"]).unwrap());
    let file = NamedTempFile::new().unwrap();
    crate::lake::overwrite(file.path(), KEY.as_bytes());
    let key = Arc::new(KeyFile::load(file.path()).unwrap());
    let running = Running::start(Moving::at("s1"), |options| {
        options.key = Some(key);
        options.cors = cors;
    })
    .await;
    running.ready().await;
    let from = |method: &str, origin: &str, key: &str, more: &str| {
        let headers = format!("Origin: {origin}\r\n{more}Connection:");
        asked(method, "/v1/mma", key).replace("Connection:", &headers)
    };
    let first = "Access-Control-Request-Method: GET\r\n";
    let allowed = "access-control-allow-origin: https://app.example";
    for (request, code, is_let) in [
        (from("OPTIONS", "https://app.example", "", first), "204", true),
        (from("OPTIONS", "https://evil.example", "", first), "204", false),
        (from("OPTIONS", "https://app.example", "", ""), "401", true),
        (from("GET", "https://app.example", KEY, ""), "200", true),
        (from("GET", "https://app.example", KEY, ""), "200", true),
        (from("GET", "https://evil.example", KEY, ""), "200", false),
    ] {
        let reply = running.raw(request.clone()).await;
        assert_eq!((status(&reply), reply.contains(allowed)), (code, is_let), "{request}{reply}");
        assert!(reply.to_lowercase().contains("vary: origin"), "{reply}");
    }
}
