//! Search over the small snapshot.

use axum::Router;
use serde_json::{Value, json};

use crate::common::{app, data, get};
use crate::content::{app_at, captured, field};
use crate::snapshot::table;

/// Kind and name of everything found, in order.
async fn found(app: &Router, query: &str) -> Vec<String> {
    let list = get(app, &format!("/v1/mma/search?q={query}")).await.data();
    list.as_array().unwrap().iter().map(shown).collect()
}

fn shown(item: &Value) -> String {
    let record = &item["record"];
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    match item["kind"].as_str().unwrap() {
        "fighter" => text(&record["name"]),
        "event" => text(&record["name"]),
        "bout" => text(&record["bout"]["statsdb_id"]),
        _ => text(&record["slug"]),
    }
}

#[tokio::test]
async fn a_name_finds_the_fighter_first_and_then_his_bouts_newest_first() {
    let reply = get(&app(), "/v1/mma/search?q=quandle").await;
    let list = reply.data();
    assert_eq!(
        list.as_array().unwrap().iter().map(shown).collect::<Vec<_>>(),
        ["Zorvik Quandle", "b3", "b2", "b1"]
    );
    assert_eq!(field(&list, "kind"), ["fighter", "bout", "bout", "bout"]);
    assert_eq!(field(&list, "match"), ["exact"; 4]);
    assert_eq!(list[0]["record"], data("/v1/mma/fighters/fa/stats").await["fighter"]);
    assert_eq!(list[3]["record"], data("/v1/mma/results?event_id=e1").await[0]);
    let meta = &reply.json()["meta"];
    assert_eq!((&meta["count"], &meta["total"]), (&json!(4), &json!(4)));
}

#[tokio::test]
async fn accents_apostrophes_case_and_spaces_do_not_matter() {
    let app = app();
    for query in ["O%27Belmont", "obelmont", "ANA%20OBELMONT", "%C3%A1na+o%E2%80%99belmont", "anaobelmont"] {
        assert_eq!(found(&app, query).await[0], "Ána O'Belmont", "{query}");
    }
    assert_eq!(found(&app, "the+owl").await, ["Zorvik Quandle"]);
}

#[tokio::test]
async fn small_errors_are_forgiven_and_told_and_great_ones_find_nothing() {
    let app = app();
    for query in ["zorvic", "quandel", "zorvik+qandle", "zorv"] {
        assert_eq!(found(&app, query).await[0], "Zorvik Quandle", "{query}");
    }
    let nearness = |query: &'static str| {
        let app = app.clone();
        async move { get(&app, &format!("/v1/mma/search?q={query}")).await.data()[0]["match"].clone() }
    };
    assert_eq!(nearness("zorv").await, "prefix");
    assert_eq!(nearness("zorvic").await, "similar");
    for query in ["zebra", "quandle+draper+nobody", "!!!", "e9"] {
        assert_eq!(found(&app, query).await, Vec::<String>::new(), "{query}");
    }
}

#[tokio::test]
async fn two_names_find_their_bouts_and_a_kind_leaves_only_its_own() {
    let app = app();
    assert_eq!(found(&app, "draper+quandle").await, ["b2"]);
    assert_eq!(found(&app, "quandle+vs+obelmont").await, ["b3", "b1"]);
    assert_eq!(found(&app, "quandle&kind=bout,event&limit=2").await, ["b3", "b2"]);
    assert_eq!(found(&app, "night+e2").await, ["Night e2 of s1"]);
    assert_eq!(found(&app, "springfield+e2").await, ["Night e2 of s1"]);
}

#[tokio::test]
async fn an_article_is_found_from_its_publication_on() {
    let article = |slug: &str, at: &str, status: &str| json!({"slug": slug, "title": "Quandle ready for the night", "published_at": at, "status": status, "tags": "[]"});
    let rows = vec![
        article("out", "2025-12-31T00:00:00Z", "published"),
        article("ahead", "2026-01-02T00:00:00Z", "published"),
        article("draft", "2025-12-31T00:00:00Z", "draft"),
    ];
    let at = |now: &str| {
        app_at(now, |tables| {
            tables.articles = table("articles", rows.clone());
            tables.sources = captured(&["editorial"]);
        })
    };
    assert_eq!(found(&at("2026-01-01T00:00:00Z"), "quandle+ready").await, ["out"]);
    assert_eq!(found(&at("2026-01-02T00:00:00Z"), "quandle+ready").await, ["ahead", "out"]);
    let record = get(&at("2026-01-01T00:00:00Z"), "/v1/mma/search?q=ready").await.data()[0]["record"].clone();
    assert_eq!((record.get("body"), record.get("hero")), (None, Some(&Value::Null)));
}
