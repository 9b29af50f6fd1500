//! The multi-sport catalog: its listing, its health, and routes that have no data.

use std::collections::BTreeSet;
use std::error::Error;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use arrow::array::{RecordBatch, StringArray};
use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use chrono::DateTime;
use fdna_api::CATALOG_API;
use fdna_catalog::{CatalogSnapshot, CatalogTables, PagedTable, RowSource, StoredTable};
use fdna_lake::{Lake, LakeWriter, SnapshotDraft};
use fdna_schemas::Tables;
use fdna_server::{
    LakeSource, Options, RouteCatalog, ServedCatalog, ServingState, catalog_router, serve_catalog,
};
use fdna_view::catalog::CatalogLake;
use serde_json::Value;
use tokio::net::TcpListener;
use uuid::Uuid;

use crate::common::{Reply, clock, once, send};
use crate::lake::now;
use crate::snapshot::table;

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
    for path in ["/sports", "/docs", "/nhl/standings"] {
        let post = Request::post(path).header("host", "localhost").body(Body::empty()).unwrap();
        assert_eq!(error(&send(&app(), post).await)["code"], "method_not_allowed", "{path}");
    }
}

#[tokio::test]
async fn a_slash_at_the_end_leads_to_the_path_without() {
    for (path, to) in [
        ("/sports/", "/sports"),
        ("/changes/?sport=nhl", "/changes?sport=nhl"),
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

/// A list and an id over a table that any build has.
const ROUTES: &str = r#"
sport = "nhl"
name = "NHL"
position = 1
day_zone = "America/New_York"
[[group]]
name = "G"
in_narrow_listing = true
[[group.route]]
path = "/nhl/aliases"
kind = "derived"
shape = "list"
sources = ["boxes"]
coverage = "Some."
meaning = "Aliases."
table = "aliases"
param = [{ name = "rule", type = "text", column = "rule", meaning = "m" }]
[[group.route]]
path = "/nhl/alias/:id"
kind = "stated"
shape = "object"
sources = ["*"]
meaning = "An alias."
table = "aliases"
path_param = [{ name = "id", type = "id", column = "alias_id", meaning = "m" }]
"#;

fn routes() -> &'static RouteCatalog {
    Box::leak(Box::new(RouteCatalog::of_files(&[("nhl", ROUTES)]).unwrap()))
}

fn snapshot(routes: &RouteCatalog, id: &str, rules: &[&str]) -> CatalogSnapshot {
    let alias = |(place, rule): (usize, &&str)| serde_json::json!({"kind": "event", "alias_id": Uuid::from_u128(place as u128).to_string(), "rule": rule});
    let contract = Tables::get().table("aliases").unwrap();
    let rows = table("aliases", rules.iter().enumerate().map(alias).collect());
    let captured =
        [("nhl-boxes".to_owned(), DateTime::UNIX_EPOCH), ("mlb-x".to_owned(), DateTime::UNIX_EPOCH)];
    let tables = CatalogTables::new(routes, [(contract, rows)]).unwrap();
    CatalogSnapshot { id: id.to_owned(), tables, captured: captured.into(), ..CatalogSnapshot::default() }
}

#[tokio::test]
async fn a_route_with_data_is_answered_with_its_sources_and_a_tag_of_its_content() {
    let ask = async |id: &str, rules: &[&str], path: &str, headers: &[(&str, &str)]| {
        let catalog = ServedCatalog::new(routes());
        catalog.publish(snapshot(routes(), id, rules));
        let served = Arc::new(ServingState::new(None, clock()).of_api(&CATALOG_API));
        let app = catalog_router(served, catalog);
        send(&app, crate::common::request("GET", path, headers)).await
    };
    let reply = ask("s1", &["a", "b"], "/v1/nhl/aliases?rule=b", &[]).await;
    let (body, tag) = (reply.json(), reply.header("etag").to_owned());
    assert_eq!((body["ok"].clone(), body["data"][0]["rule"].clone()), (true.into(), "b".into()));
    let meta = &body["meta"];
    for (name, value) in [
        ("api", Value::from("catalog")),
        ("route", "/nhl/aliases".into()),
        ("sport", "nhl".into()),
        ("kind", "derived".into()),
        ("snapshot_id", "s1".into()),
        ("rule", "b".into()),
        ("count", 1.into()),
        ("total", 1.into()),
        ("limit", 50.into()),
        ("offset", 0.into()),
    ] {
        assert_eq!(meta[name], value, "{name}");
    }
    assert_eq!(
        (&meta["sources"][0]["name"], meta["sources"].as_array().unwrap().len()),
        (&"nhl-boxes".into(), 1)
    );
    assert_eq!(
        (&meta["derived"]["label"], &meta["coverage"]["note"]),
        (&"HOUSE_DERIVED".into(), &"Some.".into())
    );
    assert_eq!((reply.header("x-snapshot-id"), reply.header("cache-control")), ("s1", "max-age=60"));
    // Another snapshot with the same rows.
    let same = ask("s2", &["c", "b"], "/nhl/aliases?rule=b", &[("if-none-match", &tag)]).await;
    assert_eq!((same.status, same.header("etag")), (StatusCode::NOT_MODIFIED, &*tag));
    let other = ask("s1", &["a", "b"], "/nhl/aliases?rule=a", &[("if-none-match", &tag)]).await;
    assert_eq!(other.status, StatusCode::OK);
    let alias = format!("/nhl/alias/{}", Uuid::nil());
    assert_eq!(ask("s1", &["a"], &alias, &[]).await.data()["rule"], "a");
    let unknown = ask("s1", &["a"], "/nhl/alias/x", &[]).await;
    assert_eq!(
        (unknown.status, error(&unknown)["code"].clone()),
        (StatusCode::NOT_FOUND, "not_found".into())
    );
    let health = ask("s1", &["a"], "/health", &[]).await.data();
    assert_eq!((&health["snapshot_id"], &health["sports"][0]["served"]), (&"s1".into(), &2.into()));
    assert_eq!(ask("s1", &["a"], "/readyz", &[]).await.json()["snapshot_id"], "s1");
}

/// Rows that cannot be read from their file, or the reader of which panics.
#[derive(Debug)]
struct DamagedRows {
    is_panic: bool,
}

impl RowSource for DamagedRows {
    fn rows(&self, _: Range<u32>) -> Result<RecordBatch, Box<dyn Error + Send + Sync>> {
        assert!(!self.is_panic, "a reader that stops");
        Err("its bytes have changed".into())
    }
}

#[tokio::test]
async fn a_table_that_cannot_be_read_any_more_is_an_error_and_the_server_unready() {
    for is_panic in [false, true] {
        let (subjects, rows) = (StringArray::from(vec![Uuid::nil().to_string()]), DamagedRows { is_panic });
        let contract = Tables::get().table("aliases").unwrap();
        let table = StoredTable::InFile(PagedTable::new(contract, &subjects, Box::new(rows)).unwrap());
        let catalog = ServedCatalog::new(routes());
        let tables = [table].into_iter().collect();
        catalog.publish(CatalogSnapshot { tables, ..snapshot(routes(), "s1", &[]) });
        let app = catalog_router(Arc::new(ServingState::new(None, clock()).of_api(&CATALOG_API)), catalog);
        let ready = async || once(&app, crate::common::request("GET", "/readyz", &[])).await;
        assert_eq!(ready().await.status, StatusCode::OK);
        let alias = format!("/nhl/alias/{}", Uuid::nil());
        let reply = once(&app, crate::common::request("GET", &alias, &[])).await;
        assert_eq!((reply.status.as_u16(), &error(&reply)["code"]), (500, &"internal".into()));
        let ready = ready().await;
        // A defect of ours says nothing of the files.
        let expected = if is_panic { (200, "ready") } else { (503, "unavailable") };
        assert_eq!((ready.status.as_u16(), ready.json()["status"].as_str().unwrap()), expected);
    }
}

fn publish(writer: &LakeWriter, version: &str) -> String {
    let tables = Tables::get().catalog_tables().filter(|table| table.stage.starts_with("catalog/"));
    let tables =
        tables.map(|table| (table.name.clone(), RecordBatch::new_empty(table.arrow_schema()).into()));
    let draft = SnapshotDraft {
        tables: tables.collect(),
        contract_version: fdna_schemas::CONTRACT_VERSION.to_owned(),
        licences: Vec::new(),
        definition_versions: vec![version.to_owned()],
        inputs: vec![],
        captures: vec![],
        synthetic: true,
        facts_until: None,
        known_at: None,
    };
    let manifest = writer.commit_snapshot(draft).unwrap();
    writer.set_current(&manifest.id, now()).unwrap();
    manifest.id.to_string()
}

#[tokio::test]
async fn the_current_snapshot_of_a_lake_is_served_and_followed() {
    let folder = tempfile::tempdir().unwrap();
    let lake = Lake::open(folder.path().join("lake"));
    let writer = lake.writer("test", now()).unwrap();
    let first = publish(&writer, "1");
    let mut options = Options::new(Arc::new(LakeSource::new(lake.clone())), clock());
    (options.catalog, options.poll) = (Some(CatalogLake::new(lake)), Duration::from_millis(2));
    let mut state = options.state.subscribe();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let catalog = RouteCatalog::get().unwrap();
    let serving = tokio::spawn(serve_catalog(listener, options, catalog, std::future::pending()));
    let mut is_served = async |id: &str| {
        let told = state.wait_for(|state| state.snapshot_id.as_deref() == Some(id)).await.unwrap();
        told.problem.is_none()
    };
    assert!(is_served(&first).await);
    assert!(is_served(&publish(&writer, "2")).await);
    serving.abort();
}

#[tokio::test]
async fn tables_of_a_snapshot_are_listed_and_sent_whole_and_in_parts() {
    let folder = tempfile::tempdir().unwrap();
    let lake = Lake::open(folder.path().join("lake"));
    let id = publish(&lake.writer("test", now()).unwrap(), "1");
    let (routes, source) = (RouteCatalog::get().unwrap(), Arc::new(LakeSource::new(lake.clone())));
    let catalog = ServedCatalog::new(routes);
    let served = Arc::new(ServingState::new(None, clock()).of_api(&CATALOG_API).with_source(source));
    let empty = catalog_router(Arc::clone(&served), ServedCatalog::new(routes));
    catalog.publish(CatalogLake::new(lake).load(&id, routes).unwrap());
    let app = catalog_router(served, catalog);
    let ask = async |path: &str, headers: &[(&str, &str)]| {
        once(&app, crate::common::request("GET", path, headers)).await
    };
    let list = ask("/v1/catalog/snapshots/current/tables", &[]).await;
    assert_eq!(list.json()["meta"]["snapshot_id"], *id);
    let table = list.data()[0].clone();
    assert_eq!((table["columns"].is_array(), list.header("x-snapshot-id")), (true, &*id));
    let path = table["links"]["parquet"].as_str().unwrap();
    assert!(path.starts_with(&format!("/v1/catalog/snapshots/{id}/tables/")), "{path}");
    let tag = format!("\"{}\"", table["sha256"].as_str().unwrap());
    let file = ask(path, &[]).await;
    assert_eq!((file.header("etag"), file.bytes.len() as u64), (&*tag, table["bytes"].as_u64().unwrap()));
    let part = ask(path, &[("range", "bytes=-4")]).await;
    assert_eq!((part.status.as_u16(), &*part.bytes), (206, &b"PAR1"[..]));
    let current = ask(&path.replace(&id, "current"), &[("range", "bytes=0-3")]).await;
    assert_eq!((current.status.as_u16(), current.header("content-location")), (206, path));
    let beyond = ask(path, &[("range", "bytes=99999999-")]).await;
    assert_eq!(error(&beyond)["code"], "range_not_satisfiable");
    let unknown = ask(&format!("/v1/catalog/snapshots/{}/tables", "0".repeat(32)), &[]).await;
    assert_eq!(error(&unknown)["code"], "snapshot_not_found");
    assert!(!error(&unknown)["message"].as_str().unwrap().contains("mma"));
    let none = once(&empty, crate::common::request("GET", "/v1/catalog/snapshots/current/tables", &[])).await;
    assert_eq!(error(&none)["code"], "snapshot_not_available");
}
