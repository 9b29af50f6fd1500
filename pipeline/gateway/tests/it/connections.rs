//! Connections to a canonical host: which are reused, and which are closed.

use std::time::Duration;

use fdna_gateway::Timeouts;
use fdna_gateway::key::Secret;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::common::{Keys, Reply, TestGateway, eventually};
use crate::counting::{count, flood};
use crate::upstream::{Behaviour, Host, answer, ok};

/// No health check after the first one, while a test counts connections.
fn one_health_check() -> Timeouts {
    Timeouts {
        health_check_interval: Duration::from_secs(3600),
        body_frame: Duration::from_millis(400),
        ..Timeouts::default()
    }
}

struct Fixture {
    host: Host,
    gateway: TestGateway,
    key: Secret,
    _keys: Keys,
}

async fn fixture(timeouts: Timeouts, act: impl Fn(&str) -> Behaviour + Send + Sync + 'static) -> Fixture {
    let host = Host::start(act).await;
    let keys = Keys::new();
    let (key, _) = keys.limited("acme", 1_000_000, 1_000_000);
    let gateway = TestGateway::start_with(&keys, &[host.url()], |options| options.timeouts = timeouts).await;
    Fixture { host, gateway, key, _keys: keys }
}

impl Fixture {
    async fn get(&self, path: &str) -> Reply {
        self.gateway.get(path, &self.key).await
    }

    /// Sends a request without reading the response.
    async fn send_request(&self, path: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.gateway.address).await.unwrap();
        let key = self.key.reveal();
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-API-Key: {key}\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        stream
    }

    async fn failure_metrics(&self) -> String {
        let page = self.gateway.admin("/metrics").await.text();
        let kept = page.lines().filter(|l| l.contains("retries_total ") || l.contains("faults_total "));
        kept.filter(|l| !l.starts_with('#')).collect::<Vec<_>>().join(", ")
    }
}

const NONE: &str = "fightdna_gateway_upstream_faults_total 0, fightdna_gateway_retries_total 0";

fn chunked(pieces: &[&str]) -> Behaviour {
    let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n".to_owned();
    let chunks = pieces.iter().map(|piece| format!("{:x}\r\n{piece}\r\n", piece.len()));
    Behaviour::Send((head + &chunks.collect::<String>() + "0\r\n\r\n").into_bytes())
}

/// Bytes of which none is where another one belongs.
fn pattern(length: usize) -> String {
    (0..length / 8).map(|n| format!("{n:08x}")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_kind_of_whole_response_leaves_its_connection_to_the_next_request() {
    for (what, method, act, body) in [
        ("a length", "GET", ok("whole"), "whole"),
        ("no bytes", "GET", ok(""), ""),
        ("chunks", "GET", chunked(&["one ", "two"]), "one two"),
        ("HEAD", "HEAD", Behaviour::Send(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n".to_vec()), ""),
        ("204", "OPTIONS", Behaviour::Send(b"HTTP/1.1 204 No Content\r\n\r\n".to_vec()), ""),
        ("304", "GET", Behaviour::Send(b"HTTP/1.1 304 Not Modified\r\netag: W/\"a\"\r\n\r\n".to_vec()), ""),
        ("an error", "GET", Behaviour::Send(answer("404 Not Found", "", "{}")), "{}"),
    ] {
        let fixture = fixture(one_health_check(), move |_| act.clone()).await;
        let key = [("X-API-Key", fixture.key.reveal())];
        fixture.gateway.send(method, "/v1/mma", &key).await;
        let before = fixture.host.accepted();
        for _ in 0..10 {
            let reply = fixture.gateway.send(method, "/v1/mma", &key).await;
            // Without a length, the gateway's own answers come in chunks.
            let text = reply.text();
            assert!(text == body || (what == "chunks" && text.contains("two")), "{what}: {text}");
        }
        // A client may have a whole answer a moment before its connection is free again.
        let more = fixture.host.accepted() - before;
        assert!(more <= 2 && fixture.host.heads().len() == 11, "{what}: {more} more connections");
        assert_eq!(fixture.failure_metrics().await, NONE, "{what}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_response_leaves_its_connection_too() {
    let long = pattern(1_000_000);
    let body = long.clone();
    let fixture = fixture(one_health_check(), move |_| Behaviour::Send(answer("200 OK", "", &body))).await;
    fixture.get("/v1/mma").await;
    let before = fixture.host.accepted();
    for _ in 0..5 {
        assert!(fixture.get("/v1/mma").await.text() == long);
    }
    assert_eq!(fixture.host.accepted(), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_the_host_closed_is_not_used_and_costs_no_retry() {
    let act = Behaviour::SendAndClose(answer("200 OK", "", "whole"));
    let fixture = fixture(one_health_check(), move |_| act.clone()).await;
    for n in 0..20 {
        let reply = fixture.get("/v1/mma").await;
        assert_eq!((reply.status, reply.text().as_str()), (200, "whole"), "{n}");
        // Until the gateway has seen that the connection is closed.
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(fixture.failure_metrics().await, NONE);
    assert!(fixture.host.accepted() >= 20);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_with_connection_close_is_not_pooled() {
    let fixture =
        fixture(one_health_check(), |_| Behaviour::Send(answer("200 OK", "connection: close\r\n", "{}")))
            .await;
    for _ in 0..5 {
        assert_eq!(fixture.get("/v1/mma").await.status, 200);
    }
    assert!(fixture.host.accepted() >= 5);
    assert_eq!(fixture.failure_metrics().await, NONE);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_connections_are_closed() {
    let timeouts = Timeouts {
        health_check_interval: Duration::from_millis(50),
        idle_connection: Duration::from_millis(1000),
        ..Timeouts::default()
    };
    let fixture = fixture(timeouts, |_| ok("{}")).await;
    let statuses = flood(&[&fixture.gateway], 16, 20, &fixture.key).await;
    assert_eq!(count(&statuses, 200), 320);
    assert!(fixture.host.open() > 1, "{}", fixture.host.open());
    // The one of the health checks stays open.
    assert!(eventually(|| async { fixture.host.open() <= 1 }).await, "{}", fixture.host.open());
    assert_eq!(fixture.get("/v1/mma").await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_leaves_amid_a_body_closes_the_connection_to_the_host() {
    let long = pattern(16_000_000);
    let act = move |head: &str| {
        if head.contains("/v1/mma/events ") {
            Behaviour::Send(answer("200 OK", "", &long))
        } else {
            ok("short")
        }
    };
    let fixture = fixture(one_health_check(), act).await;
    fixture.get("/v1/mma").await;
    let before = fixture.host.open();
    for _ in 0..3 {
        let mut stream = fixture.send_request("/v1/mma/events").await;
        let mut some = [0; 10_000];
        stream.read_exact(&mut some).await.unwrap();
        drop(stream);
        assert_eq!(fixture.get("/v1/mma").await.text(), "short");
    }
    assert!(eventually(|| async { fixture.host.open() <= before }).await, "{}", fixture.host.open());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_reads_slowly_loses_no_byte_and_is_not_taken_for_a_silent_host() {
    let long = pattern(24_000_000);
    let body = long.clone();
    let fixture = fixture(one_health_check(), move |_| Behaviour::Send(answer("200 OK", "", &body))).await;
    let mut stream = fixture.send_request("/v1/mma").await;
    let (mut read, mut buffer) = (Vec::new(), vec![0; 300_000]);
    loop {
        // Longer than the host may be silent, at the beginning and amid the body.
        let nap = if matches!(read.len(), 0..100_000 | 9_000_000..9_300_000) { 700 } else { 1 };
        tokio::time::sleep(Duration::from_millis(nap)).await;
        match stream.read(&mut buffer).await.unwrap() {
            0 => break,
            length => read.extend_from_slice(&buffer[..length]),
        }
    }
    let reply = Reply::parse(&read);
    assert_eq!((reply.status, reply.body.len()), (200, long.len()));
    assert!(reply.text() == long);
}
