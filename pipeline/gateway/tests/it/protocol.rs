//! Responses of canonical hosts as bytes: which are HTTP, where they end, and whose they are.

use std::sync::atomic::{AtomicUsize, Ordering};

use fdna_gateway::key::Secret;
use fdna_gateway::plan::Plan;

use crate::common::{Keys, Reply, TestGateway, raw};
use crate::upstream::{Behaviour, Host, ok};

struct Fixture {
    host: Host,
    gateway: TestGateway,
    key: Secret,
    _keys: Keys,
}

async fn fixture(act: impl Fn(&str) -> Behaviour + Send + Sync + 'static) -> Fixture {
    let host = Host::start(act).await;
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Pro);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    Fixture { host, gateway, key, _keys: keys }
}

/// What a client gets of a host that sends these bytes and closes the connection.
async fn received(bytes: impl Into<Vec<u8>>) -> Reply {
    let bytes = bytes.into();
    let fixture = fixture(move |_| Behaviour::SendAndClose(bytes.clone())).await;
    fixture.gateway.get("/v1/mma", &fixture.key).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_malformed_head_is_a_502() {
    for head in [
        "HTTP/1.1 200 OK\r\nx-a : a\r\n",
        "HTTP/1.1 200 OK\r\nx a: a\r\n",
        "HTTP/1.1 200 OK\r\n: a\r\n",
        "HTTP/1.1 200 OK\r\nx-a: a\0b\r\n",
        "HTTP/1.1 200 OK\r\nx-a: a\rb\r\n",
        "HTTP/1.1 200 OK\r\nx-a: a\r\n b\r\n",
        "HTTP/2.0 200 OK\r\n",
        "HTTP/1.1 20 OK\r\n",
        "HTTP/1.1 2000 OK\r\n",
        "HTTP/1.1 099 OK\r\n",
        "{\"ok\":true}\r\n",
        "",
    ] {
        let reply = received(format!("{head}content-length: 0\r\n\r\n")).await;
        assert_eq!(reply.refusal(), (502, "upstream_unavailable".into()), "{head:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_head_beyond_the_bounds_is_a_502() {
    let long = format!("x-a: {}\r\n", "a".repeat(4000)).repeat(50);
    let many: String = (0..200).map(|n| format!("x-{n}: a\r\n")).collect();
    for headers in [long, many] {
        let reply = received(format!("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n{headers}\r\n")).await;
        assert_eq!(reply.refusal().0, 502);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_whose_length_is_ambiguous_is_a_502() {
    for headers in [
        "content-length: 4\r\ntransfer-encoding: chunked\r\n",
        "content-length: 4\r\ncontent-length: 4\r\n",
        "content-length: 4, 4\r\n",
        "content-length: +4\r\n",
        "content-length: -0\r\n",
        "content-length:\r\n",
        "content-length: 99999999999999999999\r\n",
        "transfer-encoding: gzip, chunked\r\n",
        "transfer-encoding: xchunked\r\n",
        "transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n",
    ] {
        for body in ["body", "4\r\nbody\r\n0\r\n\r\n"] {
            let reply = received(format!("HTTP/1.1 200 OK\r\n{headers}\r\n{body}")).await;
            assert_eq!(reply.refusal().0, 502, "{headers} {body}");
        }
    }
    let reply = received("HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n").await;
    assert_eq!(reply.refusal().0, 502);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn malformed_chunks_are_a_502() {
    for body in [
        "\r\n",
        "x\r\n",
        "-4\r\nbody\r\n0\r\n\r\n",
        "0x4\r\nbody\r\n0\r\n\r\n",
        "4\r\nbody more\r\n0\r\n\r\n",
        "4\r\nbo\r\n0\r\n\r\n",
        "4\r\nbody0\r\n\r\n",
        "11111111111111111\r\nbody",
        "4\r\nbody\r\n",
        "4\r\nbody\r\n0\r\n",
    ] {
        let reply = received(format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{body}")).await;
        assert_eq!(reply.refusal().0, 502, "{body:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_is_received_whole_however_it_ends() {
    for (headers, body) in [
        ("content-length: 4\r\n", "body"),
        ("transfer-encoding: Chunked\r\n", "2;a=\"b\"\r\nbo\r\n02\r\ndy\r\n0\r\nx-trailer: a\r\n\r\n"),
        ("", "body"),
    ] {
        for version in ["HTTP/1.1", "HTTP/1.0"] {
            if version == "HTTP/1.0" && headers.starts_with("transfer") {
                continue;
            }
            let reply = received(format!("{version} 200 OK\r\n{headers}\r\n{body}")).await;
            assert_eq!((reply.status, reply.header("x-trailer")), (200, ""), "{headers}");
            let text = reply.text();
            assert!(text == "body" || text == "4\r\nbody\r\n0\r\n\r\n", "{version} {headers} {text:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn interim_responses_and_empty_lines_before_the_status_line_are_skipped() {
    let interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n";
    for before in [interim, "\r\n"] {
        let reply = received(format!("{before}HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nbody")).await;
        assert_eq!(
            (reply.status, reply.text().as_str(), reply.header("link")),
            (200, "body", ""),
            "{before:?}"
        );
    }
    assert_eq!(received("\r\n\r\n").await.refusal().0, 502);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_header_cannot_split_a_response() {
    let split = "x-a: a\nx-b: b\n\nHTTP/1.1 200 OK\r\nx-c: c\r\n";
    let fixture = fixture(move |_| {
        Behaviour::SendAndClose(
            format!("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n{split}\r\nbody").into_bytes(),
        )
    })
    .await;
    let request = format!(
        "GET /v1/mma HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-API-Key: {}\r\n\r\n",
        fixture.key.reveal()
    );
    let read = raw(fixture.gateway.address, request.as_bytes()).await;
    let reply = Reply::parse(&read);
    assert_eq!(reply.header("x-c"), "");
    assert_eq!(reply.body.len(), usize::try_from(reply.number("content-length")).unwrap());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooled_connection_that_closes_as_it_is_used_is_retried_once() {
    let requests = AtomicUsize::new(0);
    let fixture = fixture(move |_| match requests.fetch_add(1, Ordering::SeqCst) {
        1 | 3.. => Behaviour::SendAndClose(Vec::new()),
        _ => ok("{}"),
    })
    .await;
    for retries in [0, 1] {
        assert_eq!(fixture.gateway.get("/v1/mma", &fixture.key).await.status, 200);
        let metrics = fixture.gateway.admin("/metrics").await.text();
        let line = format!("fightdna_gateway_retries_total {retries}\n");
        assert!(metrics.contains(&line), "{metrics}");
    }
    assert_eq!(fixture.gateway.get("/v1/mma", &fixture.key).await.refusal().0, 502);
    assert_eq!(fixture.host.heads().len(), 5);
}
