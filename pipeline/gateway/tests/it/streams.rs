//! Streams of events: passed on as they come, counted once, and ended with the gateway.

use std::time::{Duration, Instant};

use fdna_gateway::plan::Plan;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::common::{Keys, TestGateway, eventually};
use crate::upstream::{Behaviour, Host, ok};

const STREAM: &str = "/v1/mma/changes/stream";

/// A host of which each stream has one event, and nothing more.
async fn host() -> Host {
    Host::start(|head| match head.contains("/stream ") {
        true => {
            let event = "id: a:1\nevent: change\ndata: {}\n\n";
            let answer = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-store\r\n\
                 transfer-encoding: chunked\r\n\r\n{:x}\r\n{event}\r\n",
                event.len()
            );
            Behaviour::SendAndHang(answer.into_bytes())
        }
        false => ok("{}"),
    })
    .await
}

async fn connect(gateway: &TestGateway, key: &str, more: &str) -> TcpStream {
    let mut stream = TcpStream::connect(gateway.address).await.unwrap();
    let head = format!("GET {STREAM} HTTP/1.1\r\nHost: gateway\r\nX-API-Key: {key}\r\n{more}\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

/// Reads until a text came.
async fn read_until(stream: &mut TcpStream, text: &str) -> String {
    let mut read = String::new();
    let mut buffer = [0; 1024];
    while !read.contains(text) {
        let n = stream.read(&mut buffer).await.unwrap();
        assert!(n > 0, "{read}");
        read += &String::from_utf8_lossy(&buffer[..n]);
    }
    read
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_event_comes_at_once_silence_cuts_nothing_and_it_is_one_request() {
    let (host, keys) = (host().await, Keys::new());
    let (key, _) = keys.issue("acme", Plan::Developer);
    let gateway = TestGateway::start_with(&keys, &[host.url()], |options| {
        options.timeouts.body_frame = Duration::from_millis(200);
        options.limits.rate_window = Duration::from_millis(300);
    })
    .await;
    let begun = Instant::now();
    let mut stream = connect(&gateway, key.reveal(), "Last-Event-ID: b:2\r\n").await;
    let read = read_until(&mut stream, "data: {}\n\n").await;
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    assert!(
        read.contains("content-type: text/event-stream") && read.contains("cache-control: no-store"),
        "{read}"
    );
    assert!(read.contains("x-quota-remaining: 24999"), "{read}");
    let head = host.heads().pop().unwrap().to_lowercase();
    assert!(head.contains("last-event-id: b:2") && head.contains("x-gateway-client: acme"), "{head}");
    // Longer than an answer may be silent, or be taken slowly.
    let more = tokio::time::timeout(Duration::from_secs(1), stream.read(&mut [0; 64])).await;
    assert!(more.is_err(), "{more:?}");
    let usage = gateway.get("/v1/account/usage", &key).await.json();
    assert_eq!(usage["data"]["month"]["used"], 1, "{usage}");
    drop(stream);
    gateway.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_ends_with_the_gateway_and_one_that_the_client_left_with_its_connection() {
    let (host, keys) = (host().await, Keys::new());
    let (key, _) = keys.issue("acme", Plan::Developer);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    let mut left = connect(&gateway, key.reveal(), "").await;
    read_until(&mut left, "data: {}\n\n").await;
    assert!(eventually(|| async { host.count_hanging() == 1 }).await);
    drop(left);
    // Connections for health come and go meanwhile.
    assert!(eventually(|| async { host.count_hanging() == 0 }).await);
    let mut stream = connect(&gateway, key.reveal(), "").await;
    read_until(&mut stream, "data: {}\n\n").await;
    let begun = Instant::now();
    gateway.stop().await;
    assert!(begun.elapsed() < Duration::from_secs(3), "stopping took {:?}", begun.elapsed());
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).await.unwrap();
    // The last chunk: a whole answer, not a broken one.
    assert_eq!(String::from_utf8_lossy(&rest), "0\r\n\r\n");
}
