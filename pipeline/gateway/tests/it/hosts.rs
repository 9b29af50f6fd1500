//! Canonical hosts that fail, in every way, alone and among others.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fdna_gateway::Timeouts;
use fdna_gateway::plan::Plan;
use fdna_http::upstream_timeouts::HOST_ANSWER_WAIT;

use crate::common::{Keys, Reply, TestGateway, eventually, raw};
use crate::counting::{count, flood};
use crate::upstream::{Behaviour, Host, answer, ok};

/// Times short enough for a test.
fn short_timeouts() -> Timeouts {
    Timeouts {
        response: Duration::from_millis(600),
        body_frame: Duration::from_millis(400),
        health_check_interval: Duration::from_millis(100),
        ..Timeouts::default()
    }
}

async fn start_gateway(keys: &Keys, hosts: &[&Host]) -> TestGateway {
    let urls: Vec<String> = hosts.iter().map(|host| host.url()).collect();
    TestGateway::start_with(keys, &urls, |options| options.timeouts = short_timeouts()).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_way_to_fail_is_a_502_that_does_not_count() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
    for (what, act) in [
        ("silence", Behaviour::SendAndHang(Vec::new())),
        ("half a head", Behaviour::SendAndHang(head.as_bytes().to_vec())),
        ("no body", Behaviour::SendAndHang(format!("{head}content-length: 5\r\n\r\n").into_bytes())),
        ("hanging up", Behaviour::SendAndClose(Vec::new())),
        ("a cut head", Behaviour::SendAndClose(head.as_bytes().to_vec())),
        ("a cut body", Behaviour::SendAndClose(format!("{head}content-length: 50\r\n\r\nhalf").into_bytes())),
        (
            "a cut chunk",
            Behaviour::SendAndClose(
                format!("{head}transfer-encoding: chunked\r\n\r\n9\r\nhalf").into_bytes(),
            ),
        ),
        (
            "no last chunk",
            Behaviour::SendAndClose(
                format!("{head}transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n").into_bytes(),
            ),
        ),
        (
            "two lengths",
            Behaviour::Send(format!("{head}content-length: 2\r\ncontent-length: 3\r\n\r\n{{}}").into_bytes()),
        ),
        ("no HTTP", Behaviour::SendAndClose(b"hello there\r\n\r\n".to_vec())),
        (
            "another protocol",
            Behaviour::Send(
                b"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n".to_vec(),
            ),
        ),
    ] {
        let host = Host::start(move |_| act.clone()).await;
        let keys = Keys::new();
        let (key, _) = keys.issue("acme", Plan::Pro);
        let gateway = start_gateway(&keys, &[&host]).await;
        let began = Instant::now();
        let reply = gateway.get("/v1/mma", &key).await;
        assert_eq!(reply.refusal(), (502, "upstream_unavailable".into()), "{what}");
        assert!(began.elapsed() < Duration::from_millis(1500), "{what}: {:?}", began.elapsed());
        assert_eq!((reply.number("x-quota-remaining"), reply.header("x-plan")), (100_000, "pro"), "{what}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_fails_on_one_host_is_answered_by_another() {
    let head = "HTTP/1.1 200 OK\r\n";
    // Beside one another: two of them wait for timeouts.
    let all = [
        ("silence", Behaviour::SendAndHang(Vec::new())),
        ("hanging up", Behaviour::SendAndClose(Vec::new())),
        ("a cut body", Behaviour::SendAndClose(format!("{head}content-length: 50\r\n\r\nhalf").into_bytes())),
        (
            "a body that stops",
            Behaviour::SendAndHang(format!("{head}content-length: 50\r\n\r\nhalf").into_bytes()),
        ),
    ];
    futures_util::future::join_all(all.map(|(what, act)| is_answered_by_another(what, act))).await;
}

async fn is_answered_by_another(what: &str, act: Behaviour) {
    let (bad, good) = (Host::start(move |_| act.clone()).await, Host::start(|_| ok("whole")).await);
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Pro);
    let gateway = start_gateway(&keys, &[&bad, &good]).await;
    for n in 0..60 {
        let reply = gateway.get("/v1/mma", &key).await;
        assert_eq!((reply.status, reply.text().as_str()), (200, "whole"), "{what}");
        if n >= 5 && !bad.heads().is_empty() {
            break;
        }
        // On a slow machine its health check may time out, and it is not asked until the next.
        tokio::time::sleep(Duration::from_millis(if n < 5 { 0 } else { 50 })).await;
    }
    assert!(!bad.heads().is_empty(), "{what}: it was asked");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_of_a_host_is_not_asked_for_twice() {
    let failing =
        || Host::start(|_| Behaviour::Send(answer("503 Service Unavailable", "retry-after: 5\r\n", "{}")));
    let (one, two) = (failing().await, failing().await);
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Pro);
    let gateway = start_gateway(&keys, &[&one, &two]).await;
    assert_eq!(gateway.get("/v1/mma", &key).await.status, 503);
    assert_eq!(one.heads().len() + two.heads().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_killed_under_load_loses_no_request() {
    let slowly = || Host::start(|_| ok("{}"));
    let (one, two) = (slowly().await, slowly().await);
    let keys = Keys::new();
    let (key, _) = keys.limited("acme", 1_000_000, 1_000_000);
    let gateway = start_gateway(&keys, &[&one, &two]).await;
    // Killed after a share of the requests, not after a time: how long all of them take is the machine's.
    let killing = async {
        while one.heads().len() < 300 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        one.die();
        one.heads().len()
    };
    let gateways = [&gateway];
    let load = flood(&gateways, 32, 100, &key);
    let (statuses, asked) = tokio::join!(load, killing);
    assert!(two.heads().len() > asked, "{asked} {}", two.heads().len());
    assert_eq!(
        count(&statuses, 200),
        3200,
        "{:?}",
        statuses.iter().filter(|s| **s != 200).collect::<Vec<_>>()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_down_is_told_at_once_and_recovery_needs_no_restart() {
    let host = Host::start(|_| ok("{}")).await;
    let (address, keys) = (host.address, Keys::new());
    let (key, _) = keys.issue("acme", Plan::Pro);
    let gateway = start_gateway(&keys, &[&host]).await;
    assert_eq!(gateway.get("/v1/mma", &key).await.status, 200);
    host.die();
    let began = Instant::now();
    assert_eq!(gateway.get("/v1/mma", &key).await.refusal().0, 502);
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    let ready = || async { gateway.get_with("/readyz", &[]).await.status };
    assert!(eventually(|| async { ready().await == 503 }).await);
    let began = Instant::now();
    assert_eq!(gateway.get("/v1/mma", &key).await.refusal().0, 502);
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    drop(host);
    let _again = Host::start_at(address, |_| ok("again")).await;
    assert!(eventually(|| async { ready().await == 200 }).await);
    assert_eq!(gateway.get("/v1/mma", &key).await.text(), "again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_behind_an_answer_are_nobodys_answer() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counting = Arc::clone(&asked);
    let host = Host::start(move |_| {
        let n = counting.fetch_add(1, Ordering::SeqCst);
        let injected = answer("200 OK", "", "injected");
        Behaviour::Send([answer("200 OK", "", &format!("honest {n}")), injected].concat())
    })
    .await;
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Pro);
    let gateway = start_gateway(&keys, &[&host]).await;
    for _ in 0..20 {
        let reply = gateway.get("/v1/mma", &key).await;
        assert!(reply.status == 200 && reply.text().starts_with("honest "), "{}", reply.text());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_body_that_ends_early_ends_the_connection() {
    for (what, hangs) in [("cut", false), ("silent", true)] {
        let host = Host::start(move |_| {
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n{}", "a".repeat(200_000));
            if hangs {
                Behaviour::SendAndHang(head.into_bytes())
            } else {
                Behaviour::SendAndClose(head.into_bytes())
            }
        })
        .await;
        let keys = Keys::new();
        let (key, _) = keys.issue("acme", Plan::Pro);
        let gateway = start_gateway(&keys, &[&host]).await;
        let request = format!("GET /v1/mma HTTP/1.1\r\nHost: a\r\nX-API-Key: {}\r\n\r\n", key.reveal());
        let began = Instant::now();
        let reply = Reply::parse(&raw(gateway.address, request.as_bytes()).await);
        assert_eq!((reply.status, reply.number("content-length")), (200, 1_000_000), "{what}");
        assert!(reply.body.len() < 1_000_000 && began.elapsed() < Duration::from_secs(3), "{what}");
        assert!(!reply.text().contains("HTTP/1.1"), "{what}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_without_a_snapshot_is_asked_only_when_no_other_is_ready() {
    // Health is asked like anything else here: the raw host answers 200 by itself, so that this one is a listener.
    let unready = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", unready.local_addr().unwrap());
    let asked = Arc::new(AtomicUsize::new(0));
    let counting = Arc::clone(&asked);
    let serving = tokio::spawn(async move {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        loop {
            let (mut stream, _) = unready.accept().await.unwrap();
            let mut buffer = vec![0; 8192];
            let length = stream.read(&mut buffer).await.unwrap_or(0);
            if !String::from_utf8_lossy(&buffer[..length]).starts_with("GET /readyz") {
                counting.fetch_add(1, Ordering::SeqCst);
            }
            let reply = answer("503 Service Unavailable", "connection: close\r\nretry-after: 5\r\n", "{}");
            let _ = stream.write_all(&reply).await;
        }
    });
    let ready = Host::start(|_| ok("{}")).await;
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Pro);
    let gateway =
        TestGateway::start_with(&keys, &[url, ready.url()], |options| options.timeouts = short_timeouts())
            .await;
    let is_seen = || async { gateway.admin("/readyz").await.text().contains("\"unready\"") };
    assert!(eventually(is_seen).await);
    for _ in 0..4 {
        assert_eq!(gateway.get("/v1/mma", &key).await.status, 200);
    }
    assert_eq!(asked.load(Ordering::SeqCst), 0);
    ready.die();
    let is_down = || async { gateway.admin("/readyz").await.text().contains("\"down\"") };
    assert!(eventually(is_down).await);
    let reply = gateway.get("/v1/mma", &key).await;
    assert_eq!((reply.status, reply.header("retry-after")), (503, "5"));
    serving.abort();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_that_says_after_its_own_wait_that_it_is_busy_is_heard_among_several_too() {
    let busy = || {
        let bytes = answer("503 Service Unavailable", "retry-after: 7\r\n", "{}");
        Host::start(move |_| Behaviour::SendAfter(HOST_ANSWER_WAIT, bytes.clone()))
    };
    let (one, two) = (busy().await, busy().await);
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Pro);
    let gateway = TestGateway::start(&keys, &[one.url(), two.url()]).await;
    let all = (0..4).map(|_| gateway.get("/v1/mma", &key));
    for reply in futures_util::future::join_all(all).await {
        assert_eq!((reply.status, reply.header("retry-after")), (503, "7"));
    }
    assert_eq!(one.heads().len() + two.heads().len(), 4, "nobody is asked twice");
    let metrics = gateway.admin("/metrics").await.text();
    assert!(metrics.contains("fightdna_gateway_upstream_faults_total 0\n"), "{metrics}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_is_told_for_which_account_it_is_asked_and_by_nobody_else() {
    let host = Host::start(|_| ok("{}")).await;
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Pro);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    let headers = [("x-api-key", key.reveal()), ("x-gateway-client", "another")];
    assert_eq!(gateway.get_with("/v1/mma", &headers).await.status, 200);
    let heads = host.heads();
    let asked = heads.iter().find(|head| head.starts_with("GET /v1/mma ")).expect("the request");
    let named: Vec<&str> =
        asked.lines().filter(|line| line.to_ascii_lowercase().starts_with("x-gateway-client")).collect();
    assert_eq!(named, ["x-gateway-client: acme"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_that_is_slow_is_not_taken_for_one_that_is_dead() {
    let late = || {
        Host::start(|head| match head.contains("/v1/mma/events") {
            true => Behaviour::SendAfter(Duration::from_millis(900), answer("200 OK", "", "late")),
            false => ok("quick"),
        })
    };
    let (one, two) = (late().await, late().await);
    let keys = Keys::new();
    let (key, _) = keys.limited("acme", 1000, 1000);
    // Health is not looked at meanwhile, so that it mends nothing.
    let timeouts = Timeouts { health_check_interval: Duration::from_secs(3600), ..short_timeouts() };
    let gateway =
        TestGateway::start_with(&keys, &[one.url(), two.url()], |options| options.timeouts = timeouts).await;
    let all = (0..12).map(|_| gateway.get("/v1/mma/events", &key));
    for reply in futures_util::future::join_all(all).await {
        assert_eq!(reply.refusal().0, 502);
    }
    for _ in 0..4 {
        assert_eq!(gateway.get("/v1/mma", &key).await.text(), "quick");
    }
    assert!(!gateway.admin("/readyz").await.text().contains("down"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_that_hangs_is_found_dead_by_looks_at_its_health() {
    // Accepts, and never says a word.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let good = Host::start(|_| ok("{}")).await;
    let keys = Keys::new();
    let gateway =
        TestGateway::start_with(&keys, &[url, good.url()], |options| options.timeouts = short_timeouts())
            .await;
    let is_down = || async { gateway.admin("/readyz").await.text().contains("\"down\"") };
    assert!(eventually(is_down).await);
    drop(listener);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_health_check_on_its_way_does_not_clear_a_rejection() {
    let health = Behaviour::SendAfter(Duration::from_millis(300), answer("200 OK", "", "{}"));
    let rejected = || Behaviour::Send(answer("403 Forbidden", "", "{}"));
    // The check of a host that rejects the gateway asks as a client does, and is answered as slowly.
    let act = move |head: &str| match head.starts_with("GET /v1/mma/events ") {
        true => rejected(),
        false => Behaviour::SendAfter(Duration::from_secs(5), Vec::new()),
    };
    let host = Host::start_with_health("127.0.0.1:0".parse().unwrap(), health, act).await;
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Pro);
    let gateway = start_gateway(&keys, &[&host]).await;
    assert_eq!(gateway.get("/v1/mma/events", &key).await.refusal().0, 502);
    for _ in 0..8 {
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(gateway.admin("/readyz").await.text().contains("\"refusing\""));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_that_refuses_the_gateway_says_nothing_of_a_clients_key() {
    for status in ["401 Unauthorized", "403 Forbidden", "429 Too Many Requests"] {
        let shut = Arc::new(std::sync::atomic::AtomicBool::new(true));
        let asked = Arc::clone(&shut);
        let host = Host::start(move |_| match asked.load(Ordering::SeqCst) {
            true => Behaviour::Send(answer(status, "www-authenticate: Basic\r\nretry-after: 9\r\n", "{}")),
            false => ok("open"),
        })
        .await;
        let keys = Keys::new();
        let (key, _) = keys.issue("acme", Plan::Pro);
        let gateway = start_gateway(&keys, &[&host]).await;
        let reply = gateway.get("/v1/mma/events", &key).await;
        assert_eq!(reply.refusal(), (502, "upstream_unavailable".into()), "{status}");
        assert_eq!((reply.header("www-authenticate"), reply.header("retry-after")), ("", ""));
        assert_eq!(reply.number("x-quota-remaining"), 100_000, "it does not count");
        assert!(gateway.admin("/readyz").await.text().contains("\"refusing\""), "{status}");
        assert_eq!(gateway.get_with("/readyz", &[]).await.status, 503, "{status}");
        shut.store(false, Ordering::SeqCst);
        let is_ready = || async { gateway.get_with("/readyz", &[]).await.status == 200 };
        assert!(eventually(is_ready).await, "{status}");
        assert_eq!(gateway.get("/v1/mma", &key).await.text(), "open");
        // Another host that lets the gateway in is asked in its place.
        shut.store(true, Ordering::SeqCst);
        let other = Host::start(|_| ok("other")).await;
        let gateway = start_gateway(&keys, &[&host, &other]).await;
        for _ in 0..4 {
            assert_eq!(gateway.get("/v1/mma", &key).await.text(), "other", "{status}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upstream_is_an_http_address_and_nothing_more() {
    for url in ["https://a/v1", "http://a/v1", "a:80", "http://user:password@a:80", "ftp://a", ""] {
        let keys = Keys::new();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let plans = fdna_gateway::plan::Plans::default_plans().unwrap();
        let time = keys.time().clone();
        let clock = fdna_gateway::Clock::new(move || time.now());
        let options = fdna_gateway::Options::new(vec![url.to_owned()], plans, clock);
        let error = fdna_gateway::serve(listener, keys.store(), options, async {}).await.unwrap_err();
        assert!(error.to_string().starts_with("upstream `"), "{error}");
        assert!(!error.to_string().contains("password"), "{error}");
    }
}
