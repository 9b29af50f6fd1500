//! Table files: their bytes are counted as they leave, and limited by the month.

use fdna_gateway::plan::{CustomLimits, Plan};
use fdna_gateway::window::Window;

use crate::common::{Keys, TestGateway, eventually};
use crate::upstream::{Behaviour, Host, answer, ok};

const FILE: &str = "/v1/mma/snapshots/current/tables/bouts.parquet";

/// A host of which each file has 1,000 bytes.
async fn host() -> Host {
    Host::start(|head| match head.contains(".parquet ") {
        true if head.contains("if-none-match") => Behaviour::Send(answer("304 Not Modified", "", "")),
        true => ok(&"x".repeat(1000)),
        false => ok("{}"),
    })
    .await
}

fn with_limit(bytes: u64) -> CustomLimits {
    CustomLimits { download_bytes_per_month: Some(bytes), ..CustomLimits::default() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_are_refused_when_the_bytes_of_the_month_are_used_up_and_nothing_else_is() {
    let (host, keys) = (host().await, Keys::new());
    let (key, _) = keys.issue_with("acme", Plan::Scale, with_limit(1500));
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    // One byte below the limit is below it: a file that has begun is sent to its end.
    assert_eq!(gateway.get(FILE, &key).await.body.len(), 1000);
    assert_eq!(gateway.get(FILE, &key).await.body.len(), 1000);
    let refused = gateway.get(FILE, &key).await;
    assert_eq!(refused.refusal(), (429, "quota_exceeded".to_owned()));
    assert!(refused.text().contains("1500 bytes of table files/month"), "{}", refused.text());
    assert_eq!(gateway.get("/v1/mma/events", &key).await.status, 200);
    keys.time().set("2026-10-01T00:00:00Z");
    assert_eq!(gateway.get(FILE, &key).await.status, 200);
    gateway.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_are_written_down_and_limit_other_gateways_too() {
    let (host, keys) = (host().await, Keys::new());
    let (key, stored) = keys.issue_with("acme", Plan::Scale, with_limit(2000));
    let [first, second] =
        [TestGateway::start(&keys, &[host.url()]).await, TestGateway::start(&keys, &[host.url()]).await];
    assert_eq!((first.get(FILE, &key).await.status, first.get(FILE, &key).await.status), (200, 200));
    assert!(eventually(|| async { second.get(FILE, &key).await.status == 429 }).await);
    first.stop().await;
    second.stop().await;
    let month = Window::month_of(keys.time().now());
    let bytes = tokio::task::spawn_blocking(move || {
        keys.store().account_usage(stored.account_id, month).unwrap().bytes
    });
    assert!((2000..=5000).contains(&bytes.await.unwrap()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_account_sees_its_bytes_and_what_a_client_has_costs_none() {
    let (host, keys) = (host().await, Keys::new());
    let (key, _) = keys.issue("acme", Plan::Scale);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    let headers = [("X-API-Key", key.reveal()), ("If-None-Match", "\"a\"")];
    assert_eq!(gateway.get_with(FILE, &headers).await.status, 304);
    assert_eq!(gateway.get(FILE, &key).await.status, 200);
    assert_eq!(gateway.get("/v1/mma/events", &key).await.status, 200);
    let usage = gateway.get("/v1/account/usage", &key).await.json();
    let downloads = &usage["data"]["downloads"];
    assert_eq!(downloads["used"], 1000);
    assert_eq!(downloads["limit"], 100_000_000_000_u64);
    assert_eq!(downloads["remaining"], 99_999_999_000_u64);
    gateway.stop().await;
}
