//! What is refused, and that every refusal is in the envelope.

use std::sync::Arc;

use fdna_api::{ErrorCode, OPERATIONS};
use fdna_server::{ServingState, router};
use serde_json::json;

use crate::common::{app, clock, get, request, send};

#[tokio::test]
async fn every_bad_parameter_is_named_with_what_it_allows() {
    for (path, parameter) in [
        ("/v1/mma?x=1", "x"),
        ("/v1/mma/events?status=past", "status"),
        ("/v1/mma/events?date=10-01-2020", "date"),
        ("/v1/mma/events?limit=1001", "limit"),
        ("/v1/mma/events?limit=5&limit=5", "limit"),
        ("/v1/mma/events?offset=5", "offset"),
        ("/v1/mma/events/e1?include=stats", "include"),
        ("/v1/mma/events/e1/card?include=odds", "include"),
        ("/v1/mma/fighters?q=", "q"),
        ("/v1/mma/fighters?active=1", "active"),
        ("/v1/mma/fighters?limit=251", "limit"),
        ("/v1/mma/fighters?offset=-1", "offset"),
        ("/v1/mma/fighters/fa?include=history,", "include"),
        ("/v1/mma/fighters/fa?history_limit=0", "history_limit"),
        ("/v1/mma/fighters/fa/dna?as_of=2020-13-01", "as_of"),
        ("/v1/mma/bouts/b1?limit=1", "limit"),
        ("/v1/mma/fighters/media", "ids"),
        ("/v1/mma/fighters/media?ids=fa", "ids"),
        ("/v1/mma/rankings?division=Lightweight", "division"),
        ("/v1/mma/rankings?limit=5", "limit"),
        ("/v1/mma/rankings?as_of=2024", "as_of"),
        ("/v1/mma/results?from=2020", "from"),
        ("/v1/mma/results?method=KO", "method"),
        ("/v1/mma/results?weight_class=Lightweight", "weight_class"),
        ("/v1/mma/results?limit=251", "limit"),
        ("/v1/mma/fighters/fa/history?limit=0", "limit"),
        ("/v1/mma/fighters/fa/stats?limit=1", "limit"),
        ("/v1/mma/search", "q"),
        ("/v1/mma/search?q=", "q"),
        ("/v1/mma/search?q=a&kind=venue", "kind"),
        ("/v1/mma/search?q=a&limit=101", "limit"),
        ("/v1/mma/counts?year=2020", "year"),
        ("/v1/mma/changes?since=yesterday", "since"),
        ("/v1/mma/changes?limit=1001", "limit"),
        ("/v1/mma/changes?cursor=0", "cursor"),
        ("/v1/mma/snapshots?limit=101", "limit"),
        ("/v1/mma/snapshots/s1?snapshot=s1", "snapshot"),
        ("/v1/mma/bouts/b1/ledger?snapshot=s1", "snapshot"),
        ("/v1/mma/news?limit=101", "limit"),
        ("/v1/mma/articles/some-slug?limit=1", "limit"),
        ("/v1/mma/events/e1/articles?limit=0", "limit"),
        ("/v1/mma/events/e1/articles?offset=1", "offset"),
        ("/v1/mma/fighters/fa/articles?limit=101", "limit"),
        ("/v1/mma/wire?type=interview", "type"),
        ("/v1/mma/wire?limit=101", "limit"),
        ("/v1/mma/videos?type=trailer", "type"),
        ("/v1/mma/videos?limit=201", "limit"),
        ("/v1/mma/events/e1/videos?limit=201", "limit"),
        ("/v1/mma/events/e1/videos?fighter_id=fa", "fighter_id"),
        ("/v1/mma/fighters/fa/videos?limit=201", "limit"),
        ("/v1/mma/bouts/b1/videos?type=", "type"),
    ] {
        let reply = get(&app(), path).await;
        let error = &reply.json()["error"];
        assert_eq!((reply.status.as_u16(), &error["code"]), (400, &json!("invalid_parameter")), "{path}");
        assert_eq!(error["details"]["parameter"], parameter, "{path}");
        assert!(error["message"].as_str().unwrap().contains(parameter), "{path}");
    }
}

#[tokio::test]
async fn operations_without_a_source_answer_503_and_say_which() {
    let app = app();
    let served = [
        "index",
        "events",
        "event",
        "card",
        "fighters",
        "fighters_media",
        "fighter",
        "fighter_history",
        "fighter_stats",
        "results",
        "search",
        "counts",
        "bout",
        "bout_stats",
        "dna_metrics",
        "dna_query",
        "fighter_dna",
        "fighter_position_profile",
        "fighter_splits",
        "fighter_round_profile",
        "fighter_finish_profile",
        "matchup_dna",
    ];
    for operation in OPERATIONS.iter().filter(|o| !served.contains(&o.name)) {
        let reply = get(&app, &operation.path.replace(['{', '}'], "")).await;
        let code = reply.json()["error"]["code"].as_str().unwrap().to_owned();
        assert_eq!(
            (reply.status.as_u16(), code.as_str()),
            (503, operation.unavailable.name()),
            "{}",
            operation.name
        );
        assert!(code.ends_with("_not_available") && code != ErrorCode::SnapshotNotAvailable.name());
        let may_come = code == "ledger_not_available";
        assert_eq!(reply.header("retry-after"), if may_come { "3600" } else { "" }, "{code}");
    }
}

#[tokio::test]
async fn without_a_snapshot_data_is_unavailable_and_the_index_is_not() {
    let app = router(Arc::new(ServingState::new(Some("https://media.test".to_owned()), clock())));
    let reply = get(&app, "/v1/mma/events").await;
    assert_eq!(
        (reply.status.as_u16(), &reply.json()["error"]["code"]),
        (503, &json!("snapshot_not_available"))
    );
    assert_eq!(reply.header("retry-after"), "5");
    assert_eq!(get(&app, "/v1/mma").await.data()["media_base_url"], "https://media.test");
    assert_eq!(get(&app, "/healthz").await.status.as_u16(), 200);
    let ready = get(&app, "/readyz").await;
    assert_eq!((ready.status.as_u16(), &ready.json()["status"]), (503, &json!("unavailable")));
}

#[tokio::test]
async fn unknown_routes_are_404_in_the_envelope() {
    for path in ["/v1", "/v2/mma", "/v1/mma/odds", "/v1/mma/events/e1/odds", "/%C3%A9"] {
        let reply = get(&app(), path).await;
        assert_eq!(
            (reply.status.as_u16(), &reply.json()["error"]["code"]),
            (404, &json!("not_found")),
            "{path}"
        );
        assert_eq!(reply.header("content-type"), "application/json", "{path}");
        assert_eq!(reply.json()["meta"]["request_id"], reply.header("x-request-id"), "{path}");
    }
}

#[tokio::test]
async fn paths_not_in_normal_form_are_400_in_the_envelope() {
    for path in [
        "/v1//mma",
        "/v1/mma//",
        "/v1/mma/../mma",
        "/v1/mma/%2e%2e/x",
        "/v1/mma/events/a%2Fb",
        "/v1/mma/events;x=1",
        "/v1/./mma",
    ] {
        let reply = get(&app(), path).await;
        assert_eq!(
            (reply.status.as_u16(), &reply.json()["error"]["code"]),
            (400, &json!("invalid_request")),
            "{path}"
        );
    }
    let reply = get(&app(), "/v1/mma/events/%ff").await;
    assert_eq!((reply.status.as_u16(), &reply.json()["error"]["code"]), (400, &json!("invalid_request")));
}

#[tokio::test]
async fn one_host_is_needed() {
    let hosts = |hosts: &[&str]| {
        let builder = axum::http::Request::builder().uri("/v1/mma");
        let builder = hosts.iter().fold(builder, |b, host| b.header("host", *host));
        builder.body(axum::body::Body::empty()).unwrap()
    };
    for (given, status) in [(&["a"][..], 200), (&[], 400), (&["a", "a"], 400), (&[""], 400)] {
        assert_eq!(send(&app(), hosts(given)).await.status.as_u16(), status, "{given:?}");
    }
    let absolute = |uri: &str| request("GET", uri, &[]);
    assert_eq!(send(&app(), absolute("http://api.test/v1/mma")).await.status.as_u16(), 200);
    assert_eq!(send(&app(), absolute("http://other.test/v1/mma")).await.status.as_u16(), 400);
}

#[tokio::test]
async fn more_than_64_headers_are_431_in_the_envelope() {
    let names: Vec<String> = (0..64).map(|i| format!("x-h{i}")).collect();
    let headers: Vec<(&str, &str)> = names.iter().map(|n| (n.as_str(), "1")).collect();
    let reply = send(&app(), request("GET", "/v1/mma", &headers)).await;
    assert_eq!((reply.status.as_u16(), &reply.json()["error"]["code"]), (431, &json!("headers_too_large")));
    assert_eq!(send(&app(), request("GET", "/v1/mma", &headers[..63])).await.status.as_u16(), 200);
}
