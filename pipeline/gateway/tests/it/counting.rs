//! Limits under concurrency, crashes, restarts and moving clocks.

use std::sync::Arc;

use fdna_gateway::key::Secret;
use fdna_gateway::plan::Plan;
use fdna_gateway::window::Window;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::common::{Keys, TestGateway, eventually};
use crate::upstream::{Behaviour, Host, answer, ok};

/// Statuses of `each` requests on every one of so many connections at once.
pub(crate) async fn flood(
    gateways: &[&TestGateway],
    connections: usize,
    each: usize,
    key: &Secret,
) -> Vec<u16> {
    let start = Arc::new(tokio::sync::Barrier::new(connections));
    let mut all = tokio::task::JoinSet::new();
    for n in 0..connections {
        let (address, start) = (gateways[n % gateways.len()].address, Arc::clone(&start));
        let request = format!("GET /v1/mma HTTP/1.1\r\nHost: a\r\nX-API-Key: {}\r\n\r\n", key.reveal());
        all.spawn(async move {
            let mut stream = TcpStream::connect(address).await.unwrap();
            let (mut statuses, mut read) = (Vec::new(), Vec::new());
            start.wait().await;
            for _ in 0..each {
                stream.write_all(request.as_bytes()).await.unwrap();
                statuses.push(next_status(&mut stream, &mut read).await);
            }
            statuses
        });
    }
    let mut statuses = Vec::new();
    while let Some(some) = all.join_next().await {
        statuses.extend(some.unwrap());
    }
    statuses
}

/// Reads one answer with a length from a connection that is kept.
async fn next_status(stream: &mut TcpStream, read: &mut Vec<u8>) -> u16 {
    loop {
        let head = read.windows(4).position(|w| w == b"\r\n\r\n");
        if let Some(end) = head {
            let head = String::from_utf8_lossy(&read[..end]).into_owned();
            let length = head.lines().find_map(|l| l.strip_prefix("content-length: ")).unwrap();
            let whole = end + 4 + length.parse::<usize>().unwrap();
            if read.len() >= whole {
                read.drain(..whole);
                return head.split(' ').nth(1).unwrap().parse().unwrap();
            }
        }
        let mut buffer = [0; 8192];
        let length = stream.read(&mut buffer).await.unwrap();
        assert!(length > 0, "closed in the middle: {:?}", String::from_utf8_lossy(read));
        read.extend_from_slice(&buffer[..length]);
    }
}

pub(crate) fn count(statuses: &[u16], status: u16) -> usize {
    statuses.iter().filter(|s| **s == status).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_connections_get_exactly_what_a_minute_allows() {
    let host = Host::start(|_| ok("{}")).await;
    for per_minute in [1, 60, 1000] {
        let keys = Keys::new();
        let (key, _) = keys.limited("acme", per_minute, 1_000_000);
        let gateway = TestGateway::start(&keys, &[host.url()]).await;
        let asked = usize::try_from(per_minute).unwrap() / 64 + 3;
        let statuses = flood(&[&gateway], 64, asked, &key).await;
        let through = usize::try_from(per_minute).unwrap();
        assert_eq!((count(&statuses, 200), count(&statuses, 429)), (through, 64 * asked - through));
        keys.time().set("2026-09-07T12:01:00Z");
        assert_eq!(gateway.get("/v1/mma", &key).await.status, 200);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_connections_get_exactly_what_a_month_allows() {
    let host = Host::start(|_| ok("{}")).await;
    let keys = Keys::new();
    let (key, _) = keys.limited("acme", 1_000_000, 777);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    let statuses = flood(&[&gateway], 64, 20, &key).await;
    // Where the store is slow, a request may be refused with 503 before its month is known to be over.
    let refused = count(&statuses, 429) + count(&statuses, 503);
    assert_eq!((count(&statuses, 200), refused), (777, 64 * 20 - 777));
    keys.time().set("2026-10-01T00:00:00Z");
    assert_eq!(gateway.get("/v1/mma", &key).await.number("x-quota-remaining"), 776);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_gateways_on_one_store_share_a_limit() {
    let host = Host::start(|_| ok("{}")).await;
    let keys = Keys::new();
    let (key, _) = keys.limited("acme", 500, 1_000_000);
    let one = TestGateway::start(&keys, &[host.url()]).await;
    let two = TestGateway::start(&keys, &[host.url()]).await;
    let statuses = flood(&[&one, &two], 64, 20, &key).await;
    // Both have traffic to the end, so that no portion is left over.
    assert_eq!((count(&statuses, 200), count(&statuses, 429)), (500, 64 * 20 - 500));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restart_in_order_forgets_nothing_and_wastes_nothing() {
    let host = Host::start(|_| ok("{}")).await;
    let keys = Keys::new();
    let (key, issued) = keys.limited("acme", 50, 100_000);
    for round in 0..3 {
        let gateway = TestGateway::start(&keys, &[host.url()]).await;
        let statuses = flood(&[&gateway], 10, 2, &key).await;
        assert_eq!(count(&statuses, 200), if round < 2 { 20 } else { 10 });
        gateway.stop().await;
    }
    let used = keys.store().account_usage(issued.account_id, Window::month_of(keys.time().now())).unwrap();
    assert_eq!((used.reserved, used.requests), (50, vec![(issued.id, 50)]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_rotated_key_used_stays_with_its_account() {
    let host = Host::start(|_| ok("{}")).await;
    let keys = Keys::new();
    let (old, _) = keys.limited("acme", 1000, 10);
    let (new, _) = keys.limited("acme", 1000, 10);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    for n in 0..5 {
        assert_eq!(gateway.get("/v1/mma", &old).await.number("x-quota-remaining"), 9 - 2 * n);
        assert_eq!(gateway.get("/v1/mma", &new).await.number("x-quota-remaining"), 8 - 2 * n);
    }
    for key in [&old, &new] {
        assert_eq!(gateway.get("/v1/mma", key).await.refusal().1, "quota_exceeded");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failures_of_the_host_use_up_the_minute_and_not_the_month() {
    let host = Host::start(|_| Behaviour::Send(answer("500 Internal Server Error", "", "{}"))).await;
    let keys = Keys::new();
    let (key, issued) = keys.limited("acme", 30, 5);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    let statuses = flood(&[&gateway], 2, 20, &key).await;
    assert_eq!((count(&statuses, 500), count(&statuses, 429)), (30, 10));
    assert_eq!(gateway.get("/v1/mma", &key).await.number("x-quota-remaining"), 5);
    gateway.stop().await;
    let used = keys.store().account_usage(issued.account_id, Window::month_of(keys.time().now())).unwrap();
    assert_eq!((used.reserved, used.requests.iter().map(|(_, n)| n).sum::<u64>()), (0, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn usage_is_told_within_seconds_and_never_more_than_is_reserved() {
    let host = Host::start(|_| ok("{}")).await;
    let keys = Keys::new();
    let (key, issued) = keys.issue("acme", Plan::Scale);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    let statuses = flood(&[&gateway], 8, 10, &key).await;
    assert_eq!(count(&statuses, 200), 80);
    let month = Window::month_of(keys.time().now());
    let usage = || keys.store().account_usage(issued.account_id, month).unwrap();
    assert!(eventually(|| async { usage().requests == [(issued.id, 80)] }).await, "{:?}", usage());
    // A thousandth of the month.
    let reservation = 2_000;
    assert!(usage().reserved >= 80 && usage().reserved <= 80 + reservation, "{:?}", usage());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_leaves_has_used_its_request() {
    let host = Host::start(|_| Behaviour::SendAndHang(Vec::new())).await;
    let keys = Keys::new();
    let (key, _) = keys.limited("acme", 5, 5);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    for n in 1..=5 {
        let mut stream = TcpStream::connect(gateway.address).await.unwrap();
        let request = format!("GET /v1/mma HTTP/1.1\r\nHost: a\r\nX-API-Key: {}\r\n\r\n", key.reveal());
        stream.write_all(request.as_bytes()).await.unwrap();
        assert!(eventually(async || host.heads().len() == n).await, "request {n} reaches the host");
    }
    assert_eq!(gateway.get("/v1/mma", &key).await.refusal().1, "rate_limited");
}
