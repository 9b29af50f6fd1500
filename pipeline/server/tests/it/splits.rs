//! Splits as of a date.

use std::sync::Arc;

use axum::Router;
use fdna_schemas::MetricDefinitions;
use fdna_server::SnapshotTables;
use serde_json::{Value, json};

use crate::careers::{app_with, known, packed_app_with, split, versions};
use crate::common::get;
use crate::snapshot::table;

fn app() -> Router {
    app_with(with_splits)
}

fn with_splits(tables: &mut SnapshotTables) {
    let sig = "sig_landed_per_min";
    tables.dna_versions = Arc::new(versions(&json!({sig: known(4.0, "medium")}), &json!({})));
    tables.splits = Arc::new(table(
        "splits",
        vec![
            split(1, "result", "win", 1, sig, [100, 900, 1]),
            split(2, "result", "draw", 1, sig, [10, 600, 1]),
            split(1, "title", "no_title", 1, sig, [100, 900, 1]),
            split(2, "title", "no_title", 2, sig, [110, 1500, 2]),
        ],
    ));
}

async fn splits(query: &str) -> Value {
    get(&app(), &format!("/v1/mma/fighters/fa/splits{query}")).await.data()
}

fn kinds(data: &Value) -> Vec<String> {
    let splits = data["splits"].as_array().unwrap().iter();
    splits.map(|s| format!("{} {} {}", s["dimension"], s["key"], s["bouts"]).replace('"', "")).collect()
}

fn near(value: &Value, expected: f64) {
    assert!((value.as_f64().unwrap() - expected).abs() < 1e-12, "{value} {expected}");
}

#[tokio::test]
async fn answers_are_the_same_before_records_are_written_and_after() {
    let (before, after) = (app(), packed_app_with(with_splits));
    for path in [
        "splits",
        "splits?as_of=2020-06-01",
        "dna",
        "dna?as_of=2020-06-01",
        "dna/series?metric=sig_landed_per_min",
    ] {
        let path = format!("/v1/mma/fighters/fa/{path}");
        let (before, after) = (get(&before, &path).await.data(), get(&after, &path).await.data());
        assert_eq!(before, after, "{path}");
    }
}

#[tokio::test]
async fn a_bout_on_the_day_is_in_no_split() {
    assert_eq!(kinds(&splits("?as_of=2020-06-01").await), ["result win 1", "title no_title 1"]);
    let after = ["result draw 1", "result win 1", "title no_title 2"];
    assert_eq!(kinds(&splits("?as_of=2020-06-02").await), after);
    assert_eq!(kinds(&splits("").await), after);
    let data = splits("?as_of=2020-06-01").await;
    assert_eq!((&data["version"], &data["valid_to"]), (&json!(1), &json!("2020-06-01")));
    assert_eq!((&data["origin"], &data["is_official"]), (&json!("HOUSE_DERIVED"), &json!(false)));
    assert!(data["notes"].as_array().unwrap().iter().any(|n| n.as_str().unwrap().contains("do not predict")));
}

#[tokio::test]
async fn a_split_is_drawn_towards_the_fighters_own_value() {
    let data = splits("?as_of=2020-06-01&result=win&metric=sig_landed_per_min").await;
    let metric = &data["splits"][0]["metrics"][0];
    // 100 strikes in 15 minutes, and 60 minutes at 4 per minute.
    near(&metric["value"], 340.0 / 75.0);
    near(&metric["raw_value"], 100.0 / 15.0);
    near(&metric["weight"], 0.2);
    near(&metric["delta"]["value"], 340.0 / 75.0 - 4.0);
    assert_eq!(
        metric["overall"],
        json!({"status": "ok", "value": 4.0, "confidence": "medium", "prior_strength": 60.0})
    );
    assert_eq!(metric["sample"], json!({"numerator": 100, "denominator": 900, "bouts": 1}));
    let is_measured = MetricDefinitions::get().metric("sig_landed_per_min").unwrap().variance.is_some();
    assert_eq!(metric["delta"]["distinguishable"].is_boolean(), is_measured);
    assert_eq!(metric["interval"].is_object(), is_measured);
}

#[tokio::test]
async fn without_a_value_the_reason_is_told() {
    let data = splits("?result=draw").await;
    let metrics = data["splits"][0]["metrics"].as_array().unwrap();
    assert_eq!(metrics.len(), MetricDefinitions::get().metrics.iter().filter(|m| m.split).count());
    let metric = |name: &str| metrics.iter().find(|m| m["metric"] == name).unwrap();
    let strikes = metric("sig_landed_per_min");
    assert_eq!(
        (&strikes["status"], &strikes["reason"]),
        (&json!("insufficient_sample"), &json!("below_min_sample"))
    );
    assert_eq!((&strikes["value"], &strikes["delta"]), (&Value::Null, &Value::Null));
    near(&strikes["raw_value"], 1.0);
    let takedowns = metric("td_landed_per_15");
    assert_eq!((&takedowns["status"], &takedowns["raw_value"]), (&json!("not_recorded"), &Value::Null));
}

#[tokio::test]
async fn filters_show_their_dimensions_and_words_are_closed() {
    assert_eq!(kinds(&splits("?result=win,loss").await), ["result win 1"]);
    assert_eq!(kinds(&splits("?result=draw&title=no_title").await), ["result draw 1", "title no_title 2"]);
    assert!(kinds(&splits("?opponent_stance=SOUTHPAW").await).is_empty());
    let data = splits("?result=win&family=control,targets&metric=control_share,sig_accuracy").await;
    let metrics = data["splits"][0]["metrics"].as_array().unwrap();
    assert_eq!(metrics.iter().map(|m| &m["metric"]).collect::<Vec<_>>(), ["control_share"]);
    for (query, parameter) in [
        ("opponent_stance=southpaw", "opponent_stance"),
        ("weight_class=CATCH_WEIGHT", "weight_class"),
        ("scheduled_rounds=6", "scheduled_rounds"),
        ("title=true", "title"),
        ("result=", "result"),
        ("metric=house_rating", "metric"),
        ("metric=sig_accuracy,", "metric"),
        ("family=odds", "family"),
        ("as_of=today", "as_of"),
        ("stance=SOUTHPAW", "stance"),
    ] {
        let reply = get(&app(), &format!("/v1/mma/fighters/fa/splits?{query}")).await;
        let error = &reply.json()["error"];
        assert_eq!(
            (reply.status.as_u16(), &error["details"]["parameter"]),
            (400, &json!(parameter)),
            "{query}"
        );
    }
}

#[tokio::test]
async fn without_a_version_there_are_no_splits_and_no_profiles() {
    for what in ["splits", "round-profile", "finish-profile"] {
        for (who, query, reason) in
            [("fc", "", "no_eligible_bout"), ("fa", "?as_of=2020-01-10", "before_first_version")]
        {
            let reply = get(&app(), &format!("/v1/mma/fighters/{who}/{what}{query}")).await;
            let error = &reply.json()["error"];
            assert_eq!((reply.status.as_u16(), &error["code"]), (404, &json!("dna_not_available")), "{what}");
            assert_eq!(error["details"]["reason"], reason, "{what}");
        }
        let reply = get(&app(), &format!("/v1/mma/fighters/nobody/{what}")).await;
        assert_eq!(reply.json()["error"]["code"], "not_found");
    }
}
