//! Requests of odd forms: what the gateway refuses, and what never reaches a canonical host.

use fdna_gateway::plan::Plan;

use crate::common::{Keys, Reply, TestGateway, raw};
use crate::upstream::{Behaviour, Host, answer, ok};

struct Fixture {
    host: Host,
    gateway: TestGateway,
    key: String,
    _keys: Keys,
}

async fn fixture() -> Fixture {
    let host = Host::start(|_| ok("{}")).await;
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Scale);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    Fixture { host, gateway, key: key.reveal().to_owned(), _keys: keys }
}

impl Fixture {
    /// A request line and headers, with the key and one host.
    fn request(&self, line: &str, headers: &str) -> Vec<u8> {
        format!("{line}\r\nHost: a\r\nX-API-Key: {}\r\nConnection: close\r\n{headers}\r\n", self.key)
            .into_bytes()
    }

    async fn status(&self, request: &[u8]) -> u16 {
        Reply::parse(&raw(self.gateway.address, request).await).status
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_is_taken_from_either_header_and_from_one_only() {
    let fixture = fixture().await;
    let (key, other) = (fixture.key.as_str(), fixture.key.to_ascii_lowercase());
    let bearer = format!("Bearer {key}");
    let lower = format!("bearer   {key}");
    for headers in [
        vec![("X-API-Key", key)],
        vec![("Authorization", bearer.as_str())],
        vec![("Authorization", lower.as_str())],
        vec![("Authorization", bearer.as_str()), ("X-API-Key", key)],
    ] {
        assert_eq!(fixture.gateway.get_with("/v1/mma", &headers).await.status, 200, "{headers:?}");
    }
    let wrong = format!("Bearer {other}");
    let basic = format!("Basic {key}");
    let bare = format!("Bearer{key}");
    for (headers, status) in [
        (vec![("Authorization", wrong.as_str()), ("X-API-Key", key)], 400),
        (vec![("Authorization", basic.as_str()), ("X-API-Key", key)], 400),
        (vec![("X-API-Key", key), ("X-API-Key", key)], 400),
        (vec![("Authorization", bearer.as_str()), ("Authorization", bearer.as_str())], 400),
        (vec![("Authorization", basic.as_str())], 401),
        (vec![("Authorization", bare.as_str())], 401),
        (vec![("Authorization", "Bearer ")], 401),
        (vec![("Authorization", key)], 401),
        (vec![("X_API_Key", key)], 401),
        (vec![("X-API-Key", "")], 401),
        (vec![("X-API-Key", other.as_str())], 401),
        (vec![("Cookie", key)], 401),
    ] {
        let reply = fixture.gateway.get_with("/v1/mma", &headers).await;
        assert_eq!(reply.refusal().0, status, "{headers:?}");
        assert!(!reply.text().contains("fdk_"), "{}", reply.text());
    }
    assert_eq!(fixture.host.heads().len(), 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_in_an_address_is_refused_and_not_repeated() {
    let fixture = fixture().await;
    let key = fixture.key.as_str();
    let encoded: String = key.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let twice = encoded.replace('%', "%25");
    for path in [
        format!("/v1/mma/events?key={key}"),
        format!("/v1/mma/events?limit=1&{key}"),
        format!("/v1/mma/events?q={encoded}"),
        format!("/v1/mma/events?q={twice}"),
        format!("/v1/mma/{key}/events"),
        format!("/v1/mma/{encoded}"),
        "/v1/mma/events?api_key=x".to_owned(),
        "/v1/mma/events?API%5FKEY=x".to_owned(),
        "/v1/mma/events?access_token=".to_owned(),
        "/v1/mma/events?q=FDK_live_".to_owned(),
    ] {
        for headers in [vec![], vec![("X-API-Key", key)]] {
            let reply = fixture.gateway.get_with(&path, &headers).await;
            assert_eq!(reply.refusal(), (400, "invalid_request".into()), "{path}");
            assert!(!reply.text().to_lowercase().contains("fdk_"), "{}", reply.text());
        }
    }
    assert!(fixture.host.heads().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_canonical_host_sees_neither_the_key_nor_what_the_client_says_of_itself() {
    let fixture = fixture().await;
    let key = fixture.key.clone();
    let bearer = format!("Bearer {key}");
    let headers = [
        ("Authorization", bearer.as_str()),
        ("X-API-Key", key.as_str()),
        ("X_API_Key", key.as_str()),
        ("X-Plan", "enterprise"),
        ("X-Forwarded-For", "6.6.6.6"),
        ("X-Forwarded-Host", "evil"),
        ("Forwarded", "for=6.6.6.6"),
        ("X-Request-Id", "spoofed"),
        ("X-Upstream-Request-Id", "spoofed"),
        ("Keep-Alive", "timeout=600"),
        ("TE", "trailers"),
        ("Upgrade", "h2c"),
        ("Proxy-Authorization", "Basic x"),
        ("X-Secret", "named by connection"),
        ("Connection", "X-Secret"),
        ("Accept", "application/json"),
    ];
    let reply = fixture.gateway.get_with("/v1/mma", &headers).await;
    assert_eq!(reply.status, 200);
    assert!(reply.header("x-request-id") != "spoofed" && reply.header("x-plan") == "scale");
    let head = fixture.host.heads()[0].to_lowercase();
    assert!(head.contains(&format!("x-gateway-request-id: {}\r\n", reply.header("x-request-id"))), "{head}");
    let mut names: Vec<&str> =
        head.lines().skip(1).filter_map(|l| l.split_once(": ")).map(|(n, _)| n).collect();
    names.sort_unstable();
    assert_eq!(names, ["accept", "host", "x-gateway-client", "x-gateway-request-id"], "{head}");
    assert!(head.contains(&format!("host: {}\r\n", fixture.host.address)));
    assert!(!head.contains("fdk_") && !head.contains("6.6.6.6"), "{head}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_that_could_be_read_in_two_ways_are_refused() {
    let fixture = fixture().await;
    let get = "GET /v1/mma HTTP/1.1";
    let smuggled = "0\r\n\r\nGET /v1/mma/smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
    let both = format!("Content-Length: {}\r\nTransfer-Encoding: chunked\r\n\r\n{smuggled}", smuggled.len());
    for (what, request) in [
        ("length and chunks", fixture.request("POST /v1/mma HTTP/1.1", &both)),
        ("length and chunks of GET", fixture.request(get, &both)),
        ("two lengths", fixture.request(get, "Content-Length: 0\r\nContent-Length: 5\r\n")),
        ("length with sign", fixture.request(get, "Content-Length: +5\r\n")),
        ("list of lengths", fixture.request(get, "Content-Length: 5, 6\r\n")),
        ("unknown coding", fixture.request(get, "Transfer-Encoding: xchunked\r\n")),
        ("chunked twice", fixture.request(get, "Transfer-Encoding: chunked, chunked\r\n")),
        (
            "chunks in HTTP/1.0",
            fixture.request("GET /v1/mma HTTP/1.0", "Transfer-Encoding: chunked\r\n\r\n0\r\n"),
        ),
        ("a body", fixture.request(get, "Content-Length: 5\r\n\r\nabcde")),
        ("folded header", fixture.request(get, "X-A: a\r\n b\r\n")),
        ("space before colon", fixture.request(get, "X-B : a\r\n")),
        ("NUL in a value", fixture.request(get, "X-A: a\0b\r\n")),
        ("two hosts", fixture.request(get, "Host: b\r\n")),
        ("another host in the address", fixture.request("GET http://evil/v1/mma HTTP/1.1", "")),
        ("a word for a method", fixture.request("GET\t/v1/mma HTTP/1.1", "")),
        ("no version", fixture.request("GET /v1/mma", "")),
        ("asterisk", fixture.request("GET * HTTP/1.1", "")),
        ("no slash", fixture.request("GET v1/mma HTTP/1.1", "")),
    ] {
        let read = raw(fixture.gateway.address, &request).await;
        let reply = String::from_utf8_lossy(&read).into_owned();
        let statuses: Vec<&str> =
            reply.split("HTTP/1.1 ").skip(1).filter_map(|rest| rest.split(' ').next()).collect();
        assert!(matches!(statuses.as_slice(), ["400"] | []), "{what}: {reply}");
    }
    assert!(fixture.host.heads().is_empty(), "{:?}", fixture.host.heads());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn paths_out_of_normal_form_are_refused_before_anyone_judges_them() {
    let fixture = fixture().await;
    for path in [
        "//v1/mma/dna/query",
        "/v1//mma/dna/query",
        "/v1/mma/events/../dna/query",
        "/v1/mma/events/%2e%2e/dna/query",
        "/v1/mma/events/%2E%2e%2Fdna",
        "/v1/mma/./dna/query",
        "/v1/mma/dna;x=y/query",
        "/v1/mma/dna%3bx/query",
        "/v1/mma/dna%5cquery",
        "/v1/mma/dna%00/query",
    ] {
        let line = format!("GET {path} HTTP/1.1");
        assert_eq!(fixture.status(&fixture.request(&line, "")).await, 400, "{path}");
    }
    assert!(fixture.host.heads().is_empty(), "{:?}", fixture.host.heads());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_too_large_is_refused() {
    let fixture = fixture().await;
    let get = "GET /v1/mma HTTP/1.1";
    let many: String = (0..80).map(|n| format!("X-{n}: a\r\n")).collect();
    for (request, status) in [
        (fixture.request(get, &format!("X-A: {}\r\n", "a".repeat(20_000))), 431),
        (fixture.request(get, &many), 431),
        (fixture.request(&format!("GET /v1/mma?q={} HTTP/1.1", "a".repeat(9000)), ""), 414),
    ] {
        assert_eq!(fixture.status(&request).await, status);
    }
    assert!(fixture.host.heads().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_a_request_is_dropped_and_silence_too() {
    let keys = Keys::new();
    let host = Host::start(|_| ok("{}")).await;
    let gateway = TestGateway::start_with(&keys, &[host.url()], |options| {
        options.limits.header_timeout = std::time::Duration::from_millis(400);
    })
    .await;
    for bytes in ["GET /v1/mma HTTP/1.1\r\nHost: a\r\nX-A: ", "", "PRI * HTTP/2.0\r\n"] {
        let began = std::time::Instant::now();
        raw(gateway.address, bytes.as_bytes()).await;
        let took = began.elapsed().as_millis();
        assert!((300..2500).contains(&took), "{bytes:?} {took} ms");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pipeline_is_answered_in_order_and_each_counts() {
    let host = Host::start(|head| {
        let path = head.split(' ').nth(1).unwrap().to_owned();
        Behaviour::Send(answer("200 OK", "", &path))
    })
    .await;
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Pro);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    let one = |path: &str, rest: &str| {
        format!("GET {path} HTTP/1.1\r\nHost: a\r\nX-API-Key: {}\r\n{rest}\r\n", key.reveal())
    };
    let three = [one("/v1/mma", ""), one("/v1/mma/events", ""), one("/v1/mma/wire", "Connection: close\r\n")]
        .concat();
    let reply = String::from_utf8_lossy(&raw(gateway.address, three.as_bytes()).await).into_owned();
    let bodies: Vec<&str> =
        reply.split("\r\n\r\n").skip(1).map(|rest| rest.split("HTTP/1.1").next().unwrap()).collect();
    assert_eq!(bodies, ["/v1/mma", "/v1/mma/events", "/v1/mma/wire"]);
    assert!(reply.contains("x-quota-remaining: 99997"), "{reply}");
}
