//! The multi-sport catalog: its listing, its health, and routes that have no data.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use fdna_api::CATALOG_API;
use fdna_server::{RouteCatalog, ServingState, catalog_router};
use serde_json::Value;

use crate::common::{Reply, clock, send};

fn app() -> Router {
    let served = ServingState::new(None, clock()).of_api(&CATALOG_API);
    catalog_router(Arc::new(served), RouteCatalog::get().unwrap())
}

async fn get(path: &str) -> Reply {
    get_with(path, &[]).await
}

async fn get_with(path: &str, headers: &[(&str, &str)]) -> Reply {
    let request = Request::get(path).header("host", "localhost");
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    send(&app(), request.body(Body::empty()).unwrap()).await
}

fn error(reply: &Reply) -> Value {
    let body = reply.json();
    assert_eq!((&body["ok"], &body["meta"]["api"]), (&false.into(), &"catalog".into()));
    assert_eq!(reply.header("x-api-version"), CATALOG_API.version);
    assert_eq!(body["meta"]["version"], CATALOG_API.version);
    body["error"].clone()
}

#[tokio::test]
async fn the_listing_has_every_route_and_counts_what_it_lists() {
    let full = get("/sports").await.data();
    let narrow = get("/sports?listing=narrow").await.data();
    let nhl = get("/sports?sport=nhl").await.data();
    let listed = |data: &Value| {
        let groups =
            data["sports"].as_array().unwrap().iter().flat_map(|sport| sport["groups"].as_array().unwrap());
        let routes = groups.flat_map(|group| group["routes"].as_array().unwrap());
        routes.map(|route| route["path"].as_str().unwrap().to_owned()).collect::<BTreeSet<_>>()
    };
    for data in [&full, &narrow, &nhl] {
        assert_eq!(data["totals"]["routes"], listed(data).len());
    }
    assert!(listed(&narrow).is_subset(&listed(&full)) && listed(&nhl).is_subset(&listed(&full)));
    assert_eq!(get("/health").await.data()["totals"], full["totals"]);
}

#[tokio::test]
async fn each_prefix_has_the_same_answer() {
    for path in ["/sports", "/health", "/sports?listing=narrow&sport=wnba"] {
        let [bare, v1, api] =
            [get(path).await, get(&format!("/v1{path}")).await, get(&format!("/api{path}")).await];
        assert_eq!((bare.data(), bare.data()), (v1.data(), api.data()));
        assert_eq!((bare.header("etag"), bare.header("etag")), (v1.header("etag"), api.header("etag")));
    }
}

#[tokio::test]
async fn every_route_answers_with_its_code() {
    let full = get("/sports").await.data();
    let sports = full["sports"].as_array().unwrap();
    let routes = sports.iter().flat_map(|sport| sport["groups"].as_array().unwrap());
    for route in routes.flat_map(|group| group["routes"].as_array().unwrap()) {
        let path = route["path"].as_str().unwrap();
        let required: Vec<String> = route["params"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|param| param["required"] == true && param["in"] == "query")
            .map(|param| {
                let allowed = param["allowed"].as_str().unwrap();
                let first = allowed.strip_prefix("one of ").and_then(|words| words.split(", ").next());
                format!("{}={}", param["name"].as_str().unwrap(), first.unwrap_or("x"))
            })
            .collect();
        let asked = path.replace(':', "");
        let asked = if required.is_empty() { asked } else { format!("{asked}?{}", required.join("&")) };
        for prefix in ["", "/v1", "/api"] {
            let reply = get(&format!("{prefix}{asked}")).await;
            assert_eq!(
                (reply.status, &error(&reply)["code"]),
                (StatusCode::SERVICE_UNAVAILABLE, &route["code"]),
                "{asked}"
            );
            assert_eq!(reply.header("cache-control"), "no-store");
        }
        let reply = get(&format!("{asked}{}no=1", if required.is_empty() { "?" } else { "&" })).await;
        assert_eq!(error(&reply)["code"], "invalid_parameter", "{asked}");
    }
}

#[tokio::test]
async fn what_is_not_there_or_not_allowed_is_told() {
    for (path, status, code) in [
        ("/nhl/standing", 404, "not_found"),
        ("/cricket/matches", 404, "not_found"),
        ("/v1/mma/events", 404, "not_found"),
        ("/v1/v1/nhl/standings", 404, "not_found"),
        ("/nhl/standings?season=24", 400, "invalid_parameter"),
        ("/nhl/leaders?limit=0", 400, "invalid_parameter"),
        ("/nhl/leaders?limit=501", 400, "invalid_parameter"),
        ("/nhl/leaders?category=points&category=goals", 400, "invalid_parameter"),
        ("/sports?sport=nfll", 400, "invalid_parameter"),
        ("/health?x=1", 400, "invalid_parameter"),
        ("/nhl//standings", 400, "invalid_request"),
        ("/nhl/%2e%2e/sports", 400, "invalid_request"),
    ] {
        let reply = get(path).await;
        assert_eq!((reply.status.as_u16(), &error(&reply)["code"]), (status, &code.into()), "{path}");
    }
    let near = error(&get("/nhl/standing").await);
    assert_eq!(near["details"]["did_you_mean"][0], "/nhl/standings");
    let post = Request::post("/sports").header("host", "localhost").body(Body::empty()).unwrap();
    let reply = send(&app(), post).await;
    assert_eq!((reply.status.as_u16(), reply.header("allow")), (405, "GET, HEAD, OPTIONS"));
}

#[tokio::test]
async fn a_slash_at_the_end_leads_to_the_path_without() {
    for (path, to) in [
        ("/sports/", "/sports"),
        ("/v1/health/?a=b", "/v1/health?a=b"),
        ("/api/nhl/standings/", "/api/nhl/standings"),
    ] {
        let reply = get(path).await;
        assert_eq!((reply.status.as_u16(), reply.header("location")), (308, to), "{path}");
    }
    assert_eq!(get("/nhl/nothing/").await.status, StatusCode::NOT_FOUND);
    assert_eq!(get("/").await.header("location"), "/docs");
}

#[tokio::test]
async fn the_listing_is_compressed_and_validated() {
    let plain = get("/sports").await;
    let tag = plain.header("etag").to_owned();
    let unchanged = get_with("/sports", &[("if-none-match", &tag)]).await;
    assert_eq!((unchanged.status, unchanged.bytes.len()), (StatusCode::NOT_MODIFIED, 0));
    for encoding in ["gzip", "br", "zstd"] {
        let reply = get_with("/sports", &[("accept-encoding", encoding)]).await;
        assert_eq!(reply.header("content-encoding"), encoding);
        assert!(reply.bytes.len() * 4 < plain.bytes.len(), "{encoding}: {}", reply.bytes.len());
    }
    let head = Request::head("/sports").header("host", "localhost").body(Body::empty()).unwrap();
    let reply = send(&app(), head).await;
    assert_eq!((reply.bytes.len(), reply.header("content-length")), (0, &*plain.bytes.len().to_string()));
}

#[tokio::test]
async fn the_document_and_its_page_are_of_the_catalog() {
    let document = get("/openapi.json").await.json();
    assert_eq!(document["info"]["version"], CATALOG_API.version);
    let page = String::from_utf8(get("/docs").await.bytes).unwrap();
    assert!(page.contains("Multi-sport catalog") && !page.contains("fighters"));
    for path in ["/readyz", "/healthz"] {
        assert_eq!(get(path).await.status, StatusCode::OK);
    }
}
