//! The wire: what a hostile or slow client can do.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fdna_server::SnapshotSource;

use crate::common::Running;
use crate::swapping::Moving;

async fn running() -> Running {
    let running = Running::start(Moving::at("s1"), |options| {
        options.limits.header_timeout = Duration::from_millis(300);
        options.limits.idle_timeout = Duration::from_millis(500);
    })
    .await;
    running.ready().await;
    running
}

fn status(reply: &str) -> &str {
    reply.split(' ').nth(1).unwrap_or("closed")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_a_request_no_request_and_half_a_preface_are_dropped() {
    let running = Running::start(Moving::at("s1"), |options| {
        options.limits.header_timeout = Duration::from_millis(300);
        options.limits.idle_timeout = Duration::from_secs(30);
    })
    .await;
    running.ready().await;
    let half = "GET /v1/mma HTTP/1.1\r\nHost: a\r\nX-Slow: ";
    let second = format!("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n{half}");
    for sent in ["", "P", "PRI * HTTP/2.0\r\n", half, &second] {
        let begun = Instant::now();
        let reply = running.raw(sent).await;
        assert!(begun.elapsed() < Duration::from_secs(3), "{sent:?} was held for {:?}", begun.elapsed());
        assert!(!reply.contains("/v1/mma/events"), "{sent:?}: {reply}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_is_kept_for_a_second_request_and_closed_when_idle() {
    let running = running().await;
    let request = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
    let begun = Instant::now();
    let reply = running.raw(request.repeat(2)).await;
    assert_eq!(reply.matches("HTTP/1.1 200 ").count(), 2);
    assert!(begun.elapsed() < Duration::from_secs(3));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_heads_are_refused() {
    let running = running().await;
    let many = (0..100).map(|i| format!("X-{i}: 1\r\n")).collect::<String>();
    let huge = format!("X-Huge: {}\r\n", "a".repeat(40_000));
    let head = |line: &str, more: &str| format!("{line}\r\nHost: a\r\n{more}Connection: close\r\n\r\n");
    for (what, request, expected) in [
        ("plain", head("GET /v1/mma HTTP/1.1", ""), "200"),
        ("two hosts", head("GET /v1/mma HTTP/1.1", "Host: b\r\n"), "400"),
        ("no host", "GET /v1/mma HTTP/1.1\r\nConnection: close\r\n\r\n".to_owned(), "400"),
        (
            "a body in chunks",
            head("GET /v1/mma HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "0\r\n\r\n",
            "400",
        ),
        (
            "two lengths",
            head("GET /v1/mma HTTP/1.1", "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n") + "0\r\n\r\n",
            "400",
        ),
        ("many headers", head("GET /v1/mma HTTP/1.1", &many), "431"),
        ("huge headers", head("GET /v1/mma HTTP/1.1", &huge), "431"),
        ("long path", head(&format!("GET /{} HTTP/1.1", "a".repeat(40_000)), ""), "431"),
        ("double slash", head("GET //v1/mma HTTP/1.1", ""), "400"),
        ("dots", head("GET /v1/../v1/mma HTTP/1.1", ""), "400"),
        ("encoded dots", head("GET /v1/%2e%2E/mma HTTP/1.1", ""), "400"),
        ("encoded slash", head("GET /v1%2Fmma HTTP/1.1", ""), "400"),
        ("path parameter", head("GET /v1/mma;x=1 HTTP/1.1", ""), "400"),
        ("asterisk", head("OPTIONS * HTTP/1.1", ""), "400"),
        ("post", head("POST /v1/mma HTTP/1.1", "Content-Length: 0\r\n"), "405"),
        ("two lengths", head("POST /v1/mma HTTP/1.1", "Content-Length: 1\r\nContent-Length: 2\r\n"), "400"),
        ("bad version", head("GET /v1/mma HTTP/9.9", ""), "400"),
    ] {
        let reply = running.raw(request).await;
        assert_eq!(status(&reply), expected, "{what}: {}", &reply[..reply.len().min(300)]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn head_on_the_wire_has_a_length_and_no_body() {
    let running = running().await;
    let reply = running.raw("HEAD /v1/mma HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await;
    assert!(reply.ends_with("\r\n\r\n"), "{reply}");
    let length = reply.lines().find_map(|l| l.strip_prefix("content-length: ")).unwrap();
    assert!(length.parse::<usize>().unwrap() > 1000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn beyond_the_cap_the_connection_that_was_idle_the_longest_leaves() {
    let running = Running::start(Moving::at("s1"), |options| {
        options.limits.max_connections = 2;
        options.limits.header_timeout = Duration::from_secs(30);
    })
    .await;
    running.ready().await;
    let begun = Instant::now();
    let mut idle: Vec<TcpStream> = (0..2).map(|_| TcpStream::connect(running.address).unwrap()).collect();
    idle[1].write_all(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
    assert!(idle[1].read(&mut [0; 4096]).unwrap() > 0);
    let reply = running.raw("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await;
    assert_eq!(status(&reply), "200");
    assert_eq!(idle[0].read(&mut [0; 4096]).unwrap(), 0, "the one that never asked");
    idle[1].write_all(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
    assert!(idle[1].read(&mut [0; 4096]).unwrap() > 0);
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shutdown_closes_idle_connections_and_ends() {
    let mut running = Running::start(Moving::at("s1"), |options| {
        options.limits.header_timeout = Duration::from_secs(30);
        options.limits.idle_timeout = Duration::from_secs(30);
    })
    .await;
    running.ready().await;
    let mut idle = TcpStream::connect(running.address).unwrap();
    idle.set_read_timeout(Some(Duration::from_secs(3))).unwrap();
    idle.write_all(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
    let mut buffer = [0; 4096];
    assert!(idle.read(&mut buffer).unwrap() > 0);
    running.stop.take().unwrap().send(()).unwrap();
    tokio::time::timeout(Duration::from_secs(3), running.task).await.unwrap().unwrap();
    while idle.read(&mut buffer).unwrap() > 0 {}
    assert!(TcpStream::connect(running.address).is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_request_on_a_socket_fails_while_fifty_snapshots_are_swapped() {
    let source = Moving::at("s0");
    let running = Running::start(Arc::clone(&source) as Arc<dyn SnapshotSource>, |options| {
        options.poll = Duration::from_millis(1);
    })
    .await;
    running.ready().await;
    let swapping = tokio::spawn(async move {
        for i in 1..=50 {
            source.point(&format!("s{i}"));
            tokio::time::sleep(Duration::from_millis(8)).await;
        }
    });
    let mut seen = BTreeSet::new();
    while !swapping.is_finished() {
        let reply =
            running.raw("GET /v1/mma/events/e1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await;
        assert_eq!(status(&reply), "200", "{reply}");
        let id = reply.lines().find_map(|line| line.strip_prefix("x-snapshot-id: ")).unwrap();
        assert!(reply.contains(&format!("\"Night e1 of {id}\"")), "{reply}");
        seen.insert(id.to_owned());
    }
    assert!(seen.len() > 2, "{seen:?}");
}
