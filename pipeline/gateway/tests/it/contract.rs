//! Headers of every answer, and the codes of refusals.

use fdna_gateway::plan::Plan;
use serde_json::json;

use crate::common::{Keys, NOON, TestGateway};
use crate::upstream::{Behaviour, Host, answer, ok};

/// The eleven of the specification's part 8.
const HEADERS: [&str; 11] = [
    "x-request-id",
    "x-upstream-request-id",
    "x-api-version",
    "x-gateway-version",
    "x-plan",
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
    "x-quota-limit",
    "x-quota-remaining",
    "x-quota-reset",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_comes_back_byte_for_byte_under_all_eleven_headers() {
    let body = "{\"ok\":true,\"data\":{\"name\":\"Błachowicz\"},\"meta\":{\"request_id\":\"upstream-id\"}}";
    let host = Host::start(move |_| ok(body)).await;
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Pro);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    let reply = gateway.get("/v1/mma/fighters/x/dna?as_of=2024-01-01", &key).await;
    assert_eq!((reply.status, reply.text().as_str()), (200, body));
    for name in HEADERS {
        assert!(!reply.header(name).is_empty(), "{name}: {reply:?}");
    }
    assert_eq!(reply.header("x-upstream-request-id"), "upstream-id");
    assert_eq!(reply.header("x-request-id").len(), 36);
    assert_eq!(reply.header("x-api-version"), "2026-09-06.3");
    assert_eq!(reply.header("x-gateway-version"), "2026-09-06.3+gw.2026-09-07.1");
    assert_eq!(reply.header("x-plan"), "pro");
    assert_eq!((reply.number("x-ratelimit-limit"), reply.number("x-ratelimit-remaining")), (180, 179));
    assert_eq!((reply.number("x-quota-limit"), reply.number("x-quota-remaining")), (100_000, 99_999));
    let at = |text: &str| text.parse::<chrono::DateTime<chrono::Utc>>().unwrap().timestamp();
    assert_eq!(reply.number("x-ratelimit-reset"), at("2026-09-07T12:01:00Z"));
    assert_eq!(reply.number("x-quota-reset"), at("2026-10-01T00:00:00Z"));
    assert_eq!(reply.header("ratelimit-policy"), "\"minute\";q=180;w=60, \"month\";q=100000;w=2592000");
    let left = at("2026-10-01T00:00:00Z") - at(NOON);
    assert_eq!(reply.header("ratelimit"), format!("\"minute\";r=179;t=40, \"month\";r=99999;t={left}"));
    assert_eq!((reply.header("etag"), reply.header("cache-control")), ("W/\"a\"", "private, max-age=60"));
    let head = &host.heads()[0];
    assert!(head.starts_with("GET /v1/mma/fighters/x/dna?as_of=2024-01-01 HTTP/1.1\r\n"), "{head}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_that_are_no_text_come_back_as_they_are() {
    let body: Vec<u8> = (0..=255).cycle().take(300_000).collect();
    let sent = body.clone();
    let host = Host::start(move |_| {
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-encoding: br\r\nvary: Accept-Encoding\r\ncontent-length: {}\r\n\r\n",
            sent.len()
        );
        Behaviour::Send([head.as_bytes(), &sent].concat())
    })
    .await;
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Pro);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    let headers = [("X-API-Key", key.reveal()), ("Accept-Encoding", "br")];
    let reply = gateway.get_with("/v1/mma/fighters", &headers).await;
    assert_eq!((reply.header("content-encoding"), reply.number("content-length")), ("br", 300_000));
    assert!(reply.body == body);
    assert!(host.heads()[0].contains("accept-encoding: br\r\n"), "{}", host.heads()[0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_in_chunks_comes_back_whole() {
    let chunks =
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n";
    let host = Host::start(move |_| Behaviour::Send(chunks.as_bytes().to_vec())).await;
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Pro);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    for _ in 0..2 {
        let reply = gateway.get("/v1/mma", &key).await;
        assert_eq!((reply.text().as_str(), reply.header("transfer-encoding")), ("hello world", ""));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_refusal_has_its_status_code_and_headers() {
    let host = Host::start(|_| ok("{}")).await;
    let keys = Keys::new();
    let (developer, _) = keys.issue("small", Plan::Developer);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;

    let none = gateway.get_with("/v1/mma", &[]).await;
    assert_eq!(none.refusal(), (401, "unauthorized".into()));
    assert_eq!(none.header("www-authenticate"), "Bearer realm=\"fightdna\"");
    assert_eq!((none.header("x-plan"), none.header("x-quota-limit")), ("", ""));

    let dna = gateway.get("/v1/mma/fighters/x/dna", &developer).await;
    assert_eq!(dna.refusal(), (403, "plan_required".into()));
    assert_eq!(dna.json()["error"]["details"], json!({"plan": "developer", "required_plan": "pro"}));
    assert_eq!(
        dna.json()["error"]["message"],
        "fighter_dna needs the plan pro; the plan of this key is developer"
    );
    let card = gateway.get("/v1/mma/events/x/card?include=media,stats", &developer).await;
    assert_eq!(card.refusal(), (403, "plan_required".into()));
    assert_eq!(
        card.json()["error"]["message"],
        "include=stats needs the plan pro; the plan of this key is developer"
    );
    let matchup = gateway.get("/v1/mma/matchups/a/b/dna", &developer).await;
    assert_eq!(matchup.json()["error"]["details"]["required_plan"], "ultra");
    // None of them counted.
    assert_eq!((card.number("x-ratelimit-remaining"), card.number("x-quota-remaining")), (60, 25_000));
    assert_eq!(card.header("x-plan"), "developer");
    assert!(host.heads().is_empty());
    assert_eq!(gateway.get("/v1/mma/events/x/card?include=media", &developer).await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rate_and_quota_are_told_apart_and_say_when_to_come_again() {
    let host = Host::start(|_| ok("{}")).await;
    let keys = Keys::new();
    let (key, _) = keys.limited("acme", 2, 3);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    for _ in 0..2 {
        assert_eq!(gateway.get("/v1/mma", &key).await.status, 200);
    }
    let rate = gateway.get("/v1/mma", &key).await;
    assert_eq!(rate.refusal(), (429, "rate_limited".into()));
    assert_eq!((rate.number("retry-after"), rate.number("x-ratelimit-remaining")), (40, 0));
    assert!(rate.header("ratelimit").starts_with("\"minute\";r=0;t=40, "), "{rate:?}");
    assert_eq!((rate.number("x-quota-remaining"), rate.header("x-plan")), (1, "enterprise"));
    keys.time().set("2026-09-07T12:01:00Z");
    assert_eq!(gateway.get("/v1/mma", &key).await.status, 200);
    let quota = gateway.get("/v1/mma", &key).await;
    assert_eq!(quota.refusal(), (429, "quota_exceeded".into()));
    assert_eq!(quota.number("retry-after"), 24 * 86_400 - 12 * 3600 - 60);
    assert_eq!((quota.number("x-quota-remaining"), quota.number("x-ratelimit-remaining")), (0, 1));
    assert_eq!(host.heads().len(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_of_the_canonical_host_pass_and_those_under_500_count() {
    let host = Host::start(|head| {
        let path = head.split(' ').nth(1).unwrap();
        let status = path.rsplit('/').next().unwrap().to_owned();
        let retry = if status == "503" { "retry-after: 3600\r\ncache-control: no-store\r\n" } else { "" };
        Behaviour::Send(answer(&format!("{status} X"), retry, "{\"ok\":false}"))
    })
    .await;
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Ultra);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    let mut remaining = 500_000;
    for (status, counts) in [(200, 1), (400, 1), (404, 1), (500, 0), (503, 0), (410, 1), (204, 1)] {
        let reply = gateway.get(&format!("/v1/mma/events/{status}"), &key).await;
        remaining -= counts;
        assert_eq!((reply.status, reply.number("x-quota-remaining")), (status, remaining), "{status}");
        assert_eq!(reply.header("retry-after"), if status == 503 { "3600" } else { "" });
        assert_eq!((reply.header("x-plan"), reply.header("x-upstream-request-id")), ("ultra", "upstream-id"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn conditional_requests_head_and_options_are_passed_on() {
    let host = Host::start(|head| {
        let is_known = head.contains("if-none-match: W/\"a\"\r\n");
        Behaviour::Send(match head.split(' ').next().unwrap() {
            "HEAD" => b"HTTP/1.1 200 OK\r\ncontent-length: 1234\r\n\r\n".to_vec(),
            "OPTIONS" => b"HTTP/1.1 204 No Content\r\nallow: GET, HEAD, OPTIONS\r\n\r\n".to_vec(),
            _ if is_known => b"HTTP/1.1 304 Not Modified\r\netag: W/\"a\"\r\n\r\n".to_vec(),
            _ => answer("200 OK", "", "{}"),
        })
    })
    .await;
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Developer);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    let key = ("X-API-Key", key.reveal());
    let known = gateway.get_with("/v1/mma", &[key, ("If-None-Match", "W/\"a\"")]).await;
    assert_eq!((known.status, known.header("etag"), known.body.len()), (304, "W/\"a\"", 0));
    let head = gateway.send("HEAD", "/v1/mma", &[key]).await;
    assert_eq!((head.status, head.header("content-length"), head.body.len()), (200, "1234", 0));
    let options = gateway.send("OPTIONS", "/v1/mma", &[key]).await;
    assert_eq!((options.status, options.header("allow")), (204, "GET, HEAD, OPTIONS"));
    // 304 cost nothing of the month; the minute has seen all three.
    assert_eq!((options.number("x-quota-remaining"), options.number("x-ratelimit-remaining")), (24_998, 57));
    for method in ["HEAD", "OPTIONS"] {
        assert_eq!(gateway.send(method, "/v1/mma", &[]).await.status, 401, "{method}");
        assert_eq!(gateway.send(method, "/v1/mma/dna/query", &[key]).await.status, 403, "{method}");
    }
    let refused = gateway.send("HEAD", "/v1/mma", &[]).await;
    assert!(refused.body.is_empty() && refused.number("content-length") > 100);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_the_contracts_is_answered_here_and_counts() {
    let host = Host::start(|_| ok("{\"secret\":\"of the operator\"}")).await;
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Scale);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    for path in ["/metrics", "/docsx", "/openapi.json/", "/v1/mmax", "/V1/mma"] {
        assert_eq!(gateway.get_with(path, &[]).await.refusal(), (401, "unauthorized".into()), "{path}");
        assert_eq!(gateway.get(path, &key).await.refusal(), (404, "not_found".into()), "{path}");
    }
    for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"] {
        let reply = gateway.send(method, "/v1/mma", &[("X-API-Key", key.reveal())]).await;
        assert_eq!(reply.refusal(), (405, "method_not_allowed".into()), "{method}");
        assert_eq!(reply.header("allow"), "GET, HEAD, OPTIONS");
    }
    assert!(host.heads().is_empty());
    let reply = gateway.get("/v1/mma/no/such", &key).await;
    assert_eq!((reply.status, reply.number("x-quota-remaining")), (200, 2_000_000 - 12));
    assert_eq!(host.heads().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_documentation_is_for_all_so_many_times_a_minute() {
    let host = Host::start(|_| ok("{\"openapi\":\"3.1.0\"}")).await;
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Developer);
    let gateway =
        TestGateway::start_with(&keys, &[host.url()], |options| options.refusals_per_minute = 4).await;
    for path in ["/", "/docs", "/openapi.json", "/docs/style.css"] {
        let reply = gateway.get_with(path, &[]).await;
        assert_eq!(
            (reply.status, reply.header("x-plan"), reply.header("x-quota-limit")),
            (200, "", ""),
            "{path}"
        );
        assert_eq!(reply.header("x-gateway-version"), "2026-09-06.3+gw.2026-09-07.1");
        assert_eq!(reply.header("x-request-id").len(), 36);
    }
    let refused = gateway.get("/docs", &key).await;
    assert_eq!(refused.refusal(), (429, "rate_limited".into()));
    assert_eq!(refused.number("retry-after"), 40);
    let key_in_address = format!("/docs?key={}", key.reveal());
    assert_eq!(gateway.get_with(&key_in_address, &[]).await.refusal().0, 400);
    keys.time().set("2026-09-07T12:01:00Z");
    assert_eq!(gateway.send("POST", "/docs", &[]).await.refusal().0, 405);
    // None of them was the account's.
    assert_eq!(gateway.get("/v1/mma", &key).await.number("x-quota-remaining"), 24_999);
    assert!(!host.heads().iter().any(|head| head.contains("x-gateway-client") && head.contains("/docs")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_has_one_id_in_its_headers_and_its_body() {
    let host = Host::start(|head| {
        let given = head.lines().find_map(|line| line.strip_prefix("x-gateway-request-id: ")).unwrap();
        let id = if head.contains("/events") { "00000000-0000-4000-8000-00000000000e" } else { given };
        let body = format!("{{\"meta\":{{\"request_id\":\"{id}\"}}}}");
        Behaviour::Send(
            format!("HTTP/1.1 200 OK\r\nx-request-id: {id}\r\ncontent-length: {}\r\n\r\n{body}", body.len())
                .into_bytes(),
        )
    })
    .await;
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Developer);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    // A host that takes the gateway's id, and one that does not.
    for path in ["/v1/mma", "/v1/mma/events"] {
        let reply = gateway.get(path, &key).await;
        assert_eq!(reply.json()["meta"]["request_id"], reply.header("x-request-id"), "{path}");
        assert_eq!(reply.header("x-upstream-request-id"), reply.header("x-request-id"), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_sees_what_it_has_used() {
    let host = Host::start(|_| ok("{}")).await;
    let keys = Keys::new();
    let (key, kept) = keys.limited("acme", 5, 2);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    let usage = async || gateway.get("/v1/account/usage", &key).await;
    assert_eq!(gateway.get_with("/v1/account/usage", &[]).await.refusal().0, 401);
    assert_eq!(gateway.get("/v1/mma", &key).await.status, 200);
    let reply = usage().await;
    let data = reply.json()["data"].clone();
    assert_eq!((&data["account"], &data["plan"]), (&json!("acme"), &json!("enterprise")));
    assert_eq!(data["key"], json!({"shown": kept.shown, "expires_at": null}));
    let minute = json!({"window": "minute", "limit": 5, "used": 2, "remaining": 3, "resets_at": "2026-09-07T12:01:00+00:00"});
    let month = json!({"window": "month", "limit": 2, "used": 1, "remaining": 1, "resets_at": "2026-10-01T00:00:00+00:00"});
    assert_eq!((&data["minute"], &data["month"]), (&minute, &month));
    assert_eq!(reply.json()["meta"]["request_id"], reply.header("x-request-id"));
    assert_eq!((reply.number("x-quota-remaining"), reply.header("cache-control")), (1, "no-store"));
    // It is told when the month is used up, too.
    assert_eq!(gateway.get("/v1/mma", &key).await.status, 200);
    let data = usage().await.json()["data"].clone();
    assert_eq!((&data["month"]["used"], &data["month"]["remaining"]), (&json!(2), &json!(0)));
    assert_eq!(gateway.get("/v1/account/usage?x=1", &key).await.refusal().0, 400);
    assert_eq!(
        gateway.send("POST", "/v1/account/usage", &[("X-API-Key", key.reveal())]).await.refusal().0,
        405
    );
    assert_eq!(host.heads().len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_of_a_named_origin_may_ask_and_ask_first_without_a_key() {
    let host = Host::start(|_| ok("{}")).await;
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Developer);
    let named = std::sync::Arc::new(fdna_gateway::Cors::for_origins(&["https://app.example"]).unwrap());
    let gateway = TestGateway::start_with(&keys, &[host.url()], |options| options.cors = named).await;
    let (ours, theirs) = (("Origin", "https://app.example"), ("Origin", "https://evil.example"));
    let asks = ("Access-Control-Request-Method", "GET");
    let first = gateway.send("OPTIONS", "/v1/mma/events", &[ours, asks]).await;
    assert_eq!((first.status, first.header("access-control-allow-origin")), (204, "https://app.example"));
    assert!(first.header("access-control-allow-headers").contains("x-api-key"));
    let other = gateway.send("OPTIONS", "/v1/mma/events", &[theirs, asks]).await;
    assert_eq!((other.status, other.header("access-control-allow-origin")), (204, ""));
    let known = gateway.get_with("/v1/mma", &[ours, ("X-API-Key", key.reveal())]).await;
    assert_eq!((known.status, known.header("access-control-allow-origin")), (200, "https://app.example"));
    assert!(known.header("access-control-expose-headers").contains("x-quota-remaining"));
    // A refusal can be read, too.
    let refused = gateway.get_with("/v1/mma", &[ours]).await;
    assert_eq!((refused.status, refused.header("access-control-allow-origin")), (401, "https://app.example"));
    assert_eq!(gateway.get("/v1/mma", &key).await.header("vary"), "Origin");
    // Without a question before it, OPTIONS needs a key as ever; and off, nobody is let.
    assert_eq!(gateway.send("OPTIONS", "/v1/mma", &[ours]).await.status, 401);
    let closed = TestGateway::start(&keys, &[host.url()]).await;
    let first = closed.send("OPTIONS", "/v1/mma/events", &[ours, asks]).await;
    assert_eq!(
        (first.status, first.header("access-control-allow-origin"), first.header("vary")),
        (401, "", "")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn health_is_for_all_and_metrics_for_the_operator() {
    let host = Host::start(|_| ok("{}")).await;
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Pro);
    let gateway = TestGateway::start(&keys, &[host.url()]).await;
    assert_eq!(gateway.get_with("/healthz", &[]).await.text(), "{\"status\":\"ok\"}");
    assert_eq!(gateway.get_with("/readyz", &[]).await.text(), "{\"status\":\"ready\"}");
    assert_eq!(gateway.get("/v1/mma", &key).await.status, 200);
    assert_eq!(gateway.get_with("/v1/mma", &[("X-API-Key", "nobody's")]).await.status, 401);
    let ready = gateway.admin("/readyz").await.json();
    let shown = json!([{"host": host.address.to_string(), "state": "ready"}]);
    assert_eq!((&ready["upstreams"], &ready["store_problem"]), (&shown, &json!(null)));
    let metrics = gateway.admin("/metrics").await;
    assert_eq!(metrics.header("content-type"), "application/openmetrics-text; version=1.0.0; charset=utf-8");
    for line in [
        "fightdna_gateway_requests_total{plan=\"pro\",status=\"200\"} 1",
        "fightdna_gateway_requests_total{plan=\"none\",status=\"401\"} 1",
        "fightdna_gateway_keys 1",
        "fightdna_gateway_store_up 1",
        "fightdna_gateway_connections_accepted_total 4",
        "fightdna_gateway_connections_closed_total{reason=\"evicted\"} 0",
        "fightdna_gateway_reservation_seconds_count 1",
        "fightdna_gateway_reservation_failures_total 0",
        "fightdna_gateway_throttled_refusals_total 0",
        "# EOF",
    ] {
        assert!(metrics.text().lines().any(|l| l == line), "{line} in\n{}", metrics.text());
    }
    for name in ["connections_open", "requests_in_flight", "process_resident_memory_bytes"] {
        assert!(metrics.text().contains(&format!("\nfightdna_gateway_{name} ")), "{name}");
    }
    assert!(!metrics.text().contains("acme") && !metrics.text().contains("fdk_"));
    assert_eq!(gateway.admin("/v1/mma").await.status, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_with_too_many_refusals_is_told_to_wait_and_a_valid_request_from_it_passes() {
    let host = Host::start(|_| ok("{}")).await;
    let keys = Keys::new();
    let (key, _) = keys.issue("acme", Plan::Developer);
    let gateway =
        TestGateway::start_with(&keys, &[host.url()], |options| options.refusals_per_minute = 5).await;
    let guess = || gateway.get_with("/v1/mma", &[("X-API-Key", "fdk_live_guess")]);
    let forbidden = || gateway.get("/v1/mma/dna/query", &key);
    for _ in 0..3 {
        assert_eq!(guess().await.refusal(), (401, "unauthorized".into()));
    }
    for _ in 0..2 {
        assert_eq!(forbidden().await.refusal(), (403, "plan_required".into()));
    }
    for reply in [guess().await, forbidden().await] {
        assert_eq!(reply.refusal(), (429, "rate_limited".into()));
        assert_eq!(
            (reply.number("retry-after"), reply.json()["error"]["details"]["limit"].as_i64()),
            (40, Some(5))
        );
    }
    assert_eq!(gateway.get("/v1/mma", &key).await.status, 200);
    let metrics = gateway.admin("/metrics").await.text();
    assert!(metrics.contains("fightdna_gateway_throttled_refusals_total 2"), "{metrics}");
    keys.time().set("2026-09-07T12:01:00Z");
    assert_eq!(guess().await.refusal().0, 401);
}
