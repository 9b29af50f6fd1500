//! Connections to a canonical host: which are used again, and which are closed.

use std::time::Duration;

use fdna_gateway::Patience;
use fdna_gateway::key::Secret;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::common::{Keys, Reply, Running, eventually};
use crate::counting::{count, flood};
use crate::upstream::{Act, Host, answer, ok};

/// Looks at a host's health once, and not again while a test counts connections.
fn unlooking() -> Patience {
    Patience { look: Duration::from_secs(3600), silence: Duration::from_millis(400), ..Patience::default() }
}

struct Set {
    host: Host,
    gateway: Running,
    key: Secret,
    _keys: Keys,
}

async fn set(patience: Patience, act: impl Fn(&str) -> Act + Send + Sync + 'static) -> Set {
    let host = Host::start(act).await;
    let keys = Keys::new();
    let (key, _) = keys.limited("acme", 1_000_000, 1_000_000);
    let gateway = Running::start_with(&keys, &[host.url()], |options| {
        options.patience = patience;
        // Each has its own lines.
        options.threads = 1;
    })
    .await;
    Set { host, gateway, key, _keys: keys }
}

impl Set {
    async fn get(&self, path: &str) -> Reply {
        self.gateway.get(path, &self.key).await
    }

    /// A client that has sent a request and reads nothing yet.
    async fn ask(&self, path: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.gateway.address).await.unwrap();
        let key = self.key.reveal();
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-API-Key: {key}\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        stream
    }

    async fn numbers(&self) -> String {
        let page = self.gateway.operator("/metrics").await.text();
        let kept = page.lines().filter(|l| l.contains("retries_total ") || l.contains("faults_total "));
        kept.filter(|l| !l.starts_with('#')).collect::<Vec<_>>().join(", ")
    }
}

const NONE: &str = "fightdna_gateway_upstream_faults_total 0, fightdna_gateway_retries_total 0";

fn chunked(pieces: &[&str]) -> Act {
    let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n".to_owned();
    let chunks = pieces.iter().map(|piece| format!("{:x}\r\n{piece}\r\n", piece.len()));
    Act::Send((head + &chunks.collect::<String>() + "0\r\n\r\n").into_bytes())
}

/// Bytes of which none is where another one belongs.
fn pattern(length: usize) -> String {
    (0..length / 8).map(|n| format!("{n:08x}")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_kind_of_answer_that_is_whole_leaves_its_line_to_the_next_request() {
    for (what, method, act, body) in [
        ("a length", "GET", ok("whole"), "whole"),
        ("no bytes", "GET", ok(""), ""),
        ("chunks", "GET", chunked(&["one ", "two"]), "one two"),
        ("HEAD", "HEAD", Act::Send(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n".to_vec()), ""),
        ("204", "OPTIONS", Act::Send(b"HTTP/1.1 204 No Content\r\n\r\n".to_vec()), ""),
        ("304", "GET", Act::Send(b"HTTP/1.1 304 Not Modified\r\netag: W/\"a\"\r\n\r\n".to_vec()), ""),
        ("an error", "GET", Act::Send(answer("404 Not Found", "", "{}")), "{}"),
    ] {
        let set = set(unlooking(), move |_| act.clone()).await;
        let key = [("X-API-Key", set.key.reveal())];
        set.gateway.send(method, "/v1/mma", &key).await;
        let before = set.host.accepted();
        for _ in 0..10 {
            let reply = set.gateway.send(method, "/v1/mma", &key).await;
            // Without a length, the gateway's own answers come in chunks.
            let text = reply.text();
            assert!(text == body || (what == "chunks" && text.contains("two")), "{what}: {text}");
        }
        assert_eq!((set.host.accepted(), set.host.heads().len()), (before, 11), "{what}");
        assert_eq!(set.numbers().await, NONE, "{what}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_answer_leaves_its_line_too() {
    let long = pattern(1_000_000);
    let body = long.clone();
    let set = set(unlooking(), move |_| Act::Send(answer("200 OK", "", &body))).await;
    set.get("/v1/mma").await;
    let before = set.host.accepted();
    for _ in 0..5 {
        assert!(set.get("/v1/mma").await.text() == long);
    }
    assert_eq!(set.host.accepted(), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_that_the_host_closed_is_not_used_and_costs_no_retry() {
    let act = Act::SendAndClose(answer("200 OK", "", "whole"));
    let set = set(unlooking(), move |_| act.clone()).await;
    for n in 0..20 {
        let reply = set.get("/v1/mma").await;
        assert_eq!((reply.status, reply.text().as_str()), (200, "whole"), "{n}");
        // Until the end of the line has come.
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(set.numbers().await, NONE);
    assert!(set.host.accepted() >= 20);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_that_the_host_says_is_its_last_is_not_kept() {
    let set = set(unlooking(), |_| Act::Send(answer("200 OK", "connection: close\r\n", "{}"))).await;
    for _ in 0..5 {
        assert_eq!(set.get("/v1/mma").await.status, 200);
    }
    assert!(set.host.accepted() >= 5);
    assert_eq!(set.numbers().await, NONE);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lines_that_nobody_needs_are_closed() {
    let patience = Patience {
        look: Duration::from_millis(50),
        kept: Duration::from_millis(1000),
        ..Patience::default()
    };
    let set = set(patience, |_| ok("{}")).await;
    let statuses = flood(&[&set.gateway], 16, 20, &set.key).await;
    assert_eq!(count(&statuses, 200), 320);
    assert!(set.host.open() > 1, "{}", set.host.open());
    // The one that is looked over stays.
    assert!(eventually(|| async { set.host.open() <= 1 }).await, "{}", set.host.open());
    assert_eq!(set.get("/v1/mma").await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_leaves_amid_a_body_takes_its_line_with_it() {
    let long = pattern(16_000_000);
    let act = move |head: &str| {
        if head.contains("/v1/mma/events ") { Act::Send(answer("200 OK", "", &long)) } else { ok("short") }
    };
    let set = set(unlooking(), act).await;
    set.get("/v1/mma").await;
    let before = set.host.open();
    for _ in 0..3 {
        let mut stream = set.ask("/v1/mma/events").await;
        let mut some = [0; 10_000];
        stream.read_exact(&mut some).await.unwrap();
        drop(stream);
        assert_eq!(set.get("/v1/mma").await.text(), "short");
    }
    assert!(eventually(|| async { set.host.open() <= before }).await, "{}", set.host.open());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_reads_slowly_loses_no_byte_and_is_not_taken_for_a_silent_host() {
    let long = pattern(24_000_000);
    let body = long.clone();
    let set = set(unlooking(), move |_| Act::Send(answer("200 OK", "", &body))).await;
    let mut stream = set.ask("/v1/mma").await;
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
