//! The wire: what a hostile or slow client can do.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fdna_server::SnapshotSource;

use crate::common::{Running, record};
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

/// What is answered, what the request is called, and its bytes. Answers before any route are hyper's where the bytes
/// are no HTTP at all, and have no body; all others are in the envelope.
fn hostile() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let many = |n: usize| (0..n).map(|i| format!("X-{i}: 1\r\n")).collect::<String>();
    let line = |line: &str, more: &str| format!("{line}\r\nHost: a\r\n{more}\r\n").into_bytes();
    let get = |more: &str| line("GET /v1/mma HTTP/1.1", more);
    let path = |path: &str| line(&format!("GET {path} HTTP/1.1"), "");
    let long = |n: usize| format!("X-A: {}\r\n", "a".repeat(n));
    let smuggled = "POST /v1/mma HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n\
                    0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
    let not_utf8 = [&b"GET /\xff\xfe HTTP/1.1\r\nHost: a\r\n\r\n"[..]].concat();
    vec![
        ("200", "plain", get("")),
        ("400", "no host", b"GET /v1/mma HTTP/1.1\r\n\r\n".to_vec()),
        ("400", "two hosts", get("Host: b\r\n")),
        ("400", "an empty host", b"GET /v1/mma HTTP/1.1\r\nHost:\r\n\r\n".to_vec()),
        ("400", "smuggled behind chunks", smuggled.into()),
        ("400", "two lengths", get("Content-Length: 0\r\nContent-Length: 5\r\n")),
        ("400", "a length with a sign", get("Content-Length: +5\r\n")),
        ("400", "a length below zero", get("Content-Length: -1\r\n")),
        ("400", "an encoding that is none", get("Transfer-Encoding: xchunked\r\n")),
        ("400", "chunks", [get("Transfer-Encoding: chunked\r\n"), b"0\r\n\r\n".to_vec()].concat()),
        ("400", "chunks in HTTP/1.0", line("GET /v1/mma HTTP/1.0", "Transfer-Encoding: chunked\r\n")),
        ("400", "a body", [get("Content-Length: 5\r\n"), b"abcde".to_vec()].concat()),
        ("400", "a body that never comes", get("Content-Length: 1000000000\r\n")),
        ("400", "a body that waits to be asked for", get("Expect: 100-continue\r\nContent-Length: 5\r\n")),
        ("200", "a body of nothing", get("Content-Length: 0\r\n")),
        ("400", "a space before the colon", get("X-API-Key : a\r\n")),
        ("400", "a folded line", get("X-A: a\r\n b\r\n")),
        ("200", "bare line feeds", b"GET /v1/mma HTTP/1.1\nHost: a\n\n".to_vec()),
        ("400", "a NUL in a value", get("X-A: a\0b\r\n")),
        ("200", "an underscore in a name", get("X_API_Key: a\r\n")),
        ("400", "two keys", get("X-API-Key: a\r\nX-API-Key: b\r\n")),
        ("400", "two authorizations", get("Authorization: Bearer a\r\nAuthorization: Bearer b\r\n")),
        ("200", "a value of 8 KiB", get(&long(8 * 1024))),
        ("431", "a value of 16 KiB", get(&long(16 * 1024))),
        ("431", "a value of 300 KiB", get(&long(300_000))),
        ("200", "64 headers", get(&many(63))),
        ("431", "65 headers", get(&many(64))),
        ("431", "150 headers", get(&many(150))),
        ("400", "a query of 8000 bytes", path(&format!("/v1/mma?q={}", "a".repeat(8000)))),
        ("414", "a query of 8 KiB", path(&format!("/v1/mma?q={}", "a".repeat(8 * 1024)))),
        ("431", "a query of 70 KiB", path(&format!("/v1/mma?q={}", "a".repeat(70_000)))),
        ("431", "a path of 40 KB", path(&format!("/{}", "a".repeat(40_000)))),
        ("400", "a double slash", path("//v1/mma")),
        ("400", "dots", path("/v1/../v1/mma")),
        ("400", "out of the root", path("/../../../../etc/passwd")),
        ("400", "encoded dots", path("/v1/%2e%2E/mma")),
        ("400", "an encoded slash", path("/v1%2Fmma")),
        ("400", "an encoded backslash", path("/v1/mma%5c..")),
        ("400", "an encoded NUL", path("/v1/mma/events/%00")),
        ("400", "a path parameter", path("/v1/mma;x=1")),
        ("404", "an encoded letter", path("/v1/%6Dma")),
        ("404", "a trailing slash of nothing", path("/v1/mma/odds/")),
        ("404", "upper case", path("/V1/MMA")),
        ("400", "what is no UTF-8 when decoded", path("/v1/mma/events/%ff")),
        ("400", "an encoding cut off", path("/v1/mma/events/%4")),
        ("404", "an accent", path("/v1/mma/events/%C3%A9")),
        ("400", "bytes that are no UTF-8", not_utf8),
        ("400", "another host in the line", path("http://evil.test/v1/mma")),
        ("400", "a limit without end", path("/v1/mma/fighters?limit=99999999999999999999999999")),
        ("400", "an offset below zero", path("/v1/mma/fighters?offset=-1")),
        ("400", "a query that is no UTF-8", path("/v1/mma/fighters?q=%ff")),
        ("200", "a query in another script", path("/v1/mma/fighters?q=%E4%B8%AD")),
        ("400", "the asterisk", line("OPTIONS * HTTP/1.1", "")),
        ("204", "options", line("OPTIONS /v1/mma HTTP/1.1", "")),
        ("405", "trace", line("TRACE /v1/mma HTTP/1.1", "")),
        ("400", "connect", line("CONNECT a:80 HTTP/1.1", "")),
        ("405", "post", line("POST /v1/mma HTTP/1.1", "Content-Length: 0\r\n")),
        ("405", "a method of its own", line("BREW /v1/mma HTTP/1.1", "")),
        ("200", "another method in a header", get("X-HTTP-Method-Override: DELETE\r\n")),
        ("400", "a version that is none", line("GET /v1/mma HTTP/9.9", "")),
        ("400", "no HTTP", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n".to_vec()),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_hostile_request_has_one_clear_answer() {
    let running = running().await;
    let address = running.address;
    // At once: connections that are kept end only when they have been idle.
    let asking = hostile().into_iter().map(|(expected, what, request)| {
        (expected, what, tokio::task::spawn_blocking(move || record(address, &request)))
    });
    for (expected, what, asking) in asking.collect::<Vec<_>>() {
        let reply = asking.await.unwrap();
        let shown = &reply[..reply.len().min(300)];
        assert_eq!(status(&reply), expected, "{what}: {shown}");
        assert_eq!(reply.matches("HTTP/1.1 ").count(), 1, "{what}: {shown}");
        let is_ours = reply.contains("x-request-id: ");
        assert_eq!(is_ours, reply.contains(r#""request_id":""#) || expected == "204", "{what}: {shown}");
        assert!(is_ours || reply.contains("content-length: 0"), "{what}: {shown}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_behind_a_refused_body_is_read_where_the_body_ends() {
    let running = running().await;
    let body = "GET /v1/mma HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcde";
    let reply = running.raw(format!("{body}GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")).await;
    assert_eq!((status(&reply), reply.matches("HTTP/1.1 ").count()), ("400", 2), "{reply}");
    assert!(reply.contains("HTTP/1.1 200 OK") && reply.contains(r#"{"status":"ok"}"#), "{reply}");
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

/// Asks on one connection for ever; each answer must be of one snapshot. Returns the snapshots seen.
fn ask_while(address: SocketAddr, is_over: &AtomicBool) -> BTreeSet<String> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let mut seen = BTreeSet::new();
    while !is_over.load(Ordering::Relaxed) {
        for (path, of) in
            [("events/e1", r#""Night e1 of SNAPSHOT""#), ("fighters/fa/dna", r#""snapshot_id":"SNAPSHOT""#)]
        {
            let request = format!("GET /v1/mma/{path} HTTP/1.1\r\nHost: a\r\n\r\n");
            stream.write_all(request.as_bytes()).unwrap();
            let reply = one_reply(&mut stream);
            assert_eq!(status(&reply), "200", "{reply}");
            let id = reply.lines().find_map(|line| line.strip_prefix("x-snapshot-id: ")).unwrap();
            let (of, other) = (of.replace("SNAPSHOT", id), r#""snapshot_id":""#);
            assert!(reply.contains(&of), "{reply}");
            let own = format!("{other}{id}\"");
            assert_eq!(reply.matches(other).count(), reply.matches(&own).count(), "mixed: {reply}");
            seen.insert(id.to_owned());
        }
    }
    seen
}

/// Reads as much as the head says.
fn one_reply(stream: &mut TcpStream) -> String {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 65536]);
    loop {
        let n = stream.read(&mut buffer).unwrap();
        assert!(n > 0, "closed after {}", String::from_utf8_lossy(&bytes));
        bytes.extend_from_slice(&buffer[..n]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
        if body.len() == length.parse::<usize>().unwrap() {
            return text.into_owned();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_request_on_a_kept_socket_fails_or_mixes_while_a_hundred_snapshots_are_swapped() {
    let source = Moving::at("s0");
    let running = Running::start(Arc::clone(&source) as Arc<dyn SnapshotSource>, |options| {
        options.poll = Duration::from_millis(1);
    })
    .await;
    running.ready().await;
    let (address, is_over) = (running.address, Arc::new(AtomicBool::new(false)));
    let asking: Vec<_> = (0..4)
        .map(|_| {
            let is_over = Arc::clone(&is_over);
            std::thread::spawn(move || ask_while(address, &is_over))
        })
        .collect();
    for i in 1..=100 {
        let id = format!("s{i}");
        source.point(&id);
        while !running.raw(SNAPSHOT_NOW).await.contains(&format!("\"snapshot_id\":\"{id}\"")) {}
    }
    is_over.store(true, Ordering::Relaxed);
    let seen: Vec<BTreeSet<String>> = asking.into_iter().map(|thread| thread.join().unwrap()).collect();
    assert!(
        seen.iter().all(|ids| ids.len() > 20),
        "{:?}",
        seen.iter().map(BTreeSet::len).collect::<Vec<_>>()
    );
}

const SNAPSHOT_NOW: &str = "GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
