//! Fighters by one metric, from outside.

use axum::Router;
use expect_test::expect;
use serde_json::{Value, json};

use crate::common::{Reply, get};
use crate::league::{ask, league};

async fn query(app: &Router, query: &str) -> Reply {
    get(app, &format!("/v1/mma/dna/query?metric=sig_landed_per_min{query}")).await
}

/// Source ids of the answer's fighters, and the counts of its meta.
async fn found(text: &str) -> String {
    let body = query(&league("s1"), text).await.json();
    let who = body["data"].as_array().unwrap_or_else(|| panic!("{body}"));
    let who: Vec<&str> = who.iter().map(|item| item["fighter"]["statsdb_id"].as_str().unwrap()).collect();
    let meta = |name: &str| body["meta"][name].as_u64().unwrap();
    format!(
        "{text}: {} | matched {} of {}, {} insufficient, {}\n",
        who.join(" "),
        meta("matched"),
        meta("population"),
        meta("excluded_insufficient"),
        body["meta"]["sort"].as_str().unwrap()
    )
}

#[tokio::test]
async fn filters_order_and_counts_are_those_asked() {
    let mut seen = String::new();
    for text in [
        "",
        "&active=all",
        "&active=all&weight_class=FLYWEIGHT,LIGHTWEIGHT",
        "&active=all&sex=men",
        "&active=all&sex=women",
        "&active=all&sort=-raw",
        "&min=5",
        "&min=4.0&max=5.00",
        "&on=raw&min=5.5&max=5.5",
        "&on=raw&min_confidence=insufficient",
        "&on=percentile&min=71",
        "&min_confidence=medium",
        "&min_confidence=high",
        "&min_bouts=2",
        "&weight_class=FLYWEIGHT",
        "&stance=ORTHODOX",
        "&active=true",
        "&active=false",
        "&sort=value",
        "&sort=percentile",
        "&sort=-percentile",
        "&sort=-interval_low",
        "&active=all&as_of=2015-01-11",
        "&active=all&as_of=2020-01-10",
        "&as_of=2015-01-11&active=true",
        "&as_of=2018-01-10&active=true",
        "&as_of=2018-01-11&active=true",
        "&active=all&as_of=1999-01-01",
        "&limit=2",
    ] {
        seen.push_str(&found(text).await);
    }
    expect![[r#"
        : qe qa qb | matched 3 of 4, 1 insufficient, -value
        &active=all: qe qa qb qd qx | matched 5 of 6, 1 insufficient, -value
        &active=all&weight_class=FLYWEIGHT,LIGHTWEIGHT: qe qa qb qd | matched 4 of 5, 1 insufficient, -value
        &active=all&sex=men: qe qa qb qd | matched 4 of 5, 1 insufficient, -value
        &active=all&sex=women:  | matched 0 of 0, 0 insufficient, -value
        &active=all&sort=-raw: qe qa qb qd qx | matched 5 of 6, 1 insufficient, -raw
        &min=5: qe qa qb | matched 3 of 4, 1 insufficient, -value
        &min=4.0&max=5.00: qa qb | matched 2 of 4, 1 insufficient, -value
        &on=raw&min=5.5&max=5.5: qa qb | matched 2 of 4, 1 insufficient, -value
        &on=raw&min_confidence=insufficient: qe qa qb qc | matched 4 of 4, 0 insufficient, -value
        &on=percentile&min=71: qe qb | matched 2 of 4, 1 insufficient, -value
        &min_confidence=medium: qe qa qb | matched 3 of 4, 1 insufficient, -value
        &min_confidence=high: qe qb | matched 2 of 4, 2 insufficient, -value
        &min_bouts=2: qa | matched 1 of 4, 3 insufficient, -value
        &weight_class=FLYWEIGHT: qe | matched 1 of 1, 0 insufficient, -value
        &stance=ORTHODOX: qb | matched 1 of 1, 0 insufficient, -value
        &active=true: qe qa qb | matched 3 of 4, 1 insufficient, -value
        &active=false: qd qx | matched 2 of 2, 0 insufficient, -value
        &sort=value: qa qb qe | matched 3 of 4, 1 insufficient, value
        &sort=percentile: qa qb qe | matched 3 of 4, 1 insufficient, percentile
        &sort=-percentile: qe qb qa | matched 3 of 4, 1 insufficient, -percentile
        &sort=-interval_low: qe qa qb | matched 3 of 4, 1 insufficient, -interval_low
        &active=all&as_of=2015-01-11: qd qa qx | matched 3 of 3, 0 insufficient, -value
        &active=all&as_of=2020-01-10: qd qa qx | matched 3 of 3, 0 insufficient, -value
        &as_of=2015-01-11&active=true: qa | matched 1 of 1, 0 insufficient, -value
        &as_of=2018-01-10&active=true: qa | matched 1 of 1, 0 insufficient, -value
        &as_of=2018-01-11&active=true:  | matched 0 of 0, 0 insufficient, -value
        &active=all&as_of=1999-01-01:  | matched 0 of 0, 0 insufficient, -value
        &limit=2: qe qa | matched 3 of 4, 1 insufficient, -value
    "#]]
    .assert_eq(&seen);
}

#[tokio::test]
async fn an_item_is_a_fighter_with_a_whole_metric_object() {
    let body = query(&league("s1"), "&limit=1&stance=SOUTHPAW&as_of=2020-06-01").await.json();
    let shown = json!({"data": body["data"], "meta": without_request_id(&body["meta"])});
    expect![[r#"
        {
          "data": [
            {
              "fighter": {
                "feed_athlete_id": null,
                "id": "995e4ddd-93d4-56e6-b5bc-6a06e06badb6",
                "name": "Name qa",
                "nickname": null,
                "primary_image": null,
                "slug_id": "name-qa-995e4ddd",
                "statsdb_id": "qa"
              },
              "metric": {
                "as_of": "2020-06-01",
                "confidence": "medium",
                "confidence_reasons": [
                  "weight_below_0.70"
                ],
                "definition_version": "1",
                "direction": "higher",
                "family": "striking_offence",
                "interval": {
                  "high": 6.5,
                  "level": 0.9,
                  "low": 4.0,
                  "method": "gamma"
                },
                "is_official": false,
                "metric": "sig_landed_per_min",
                "origin": "HOUSE_DERIVED",
                "percentile": {
                  "pool": "LIGHTWEIGHT",
                  "pool_size": 45,
                  "value": 70.0
                },
                "percentile_reason": null,
                "provenance": {
                  "excluded": [],
                  "first_bout_date": "2015-01-10",
                  "last_bout_date": "2020-01-10",
                  "snapshot_id": "s1",
                  "sources": [
                    "statsdb"
                  ]
                },
                "raw_value": 5.5,
                "sample": {
                  "bouts": 2,
                  "coverage": 1.0,
                  "denominator": 900,
                  "denominator_unit": "seconds",
                  "eligible_bouts": 2,
                  "exposure": 15.0,
                  "exposure_unit": "min",
                  "numerator": 50,
                  "numerator_unit": "count",
                  "rounds": 2
                },
                "shrinkage": {
                  "prior_mean": 4.0,
                  "prior_population": "LIGHTWEIGHT",
                  "prior_strength": 10.0,
                  "prior_window": "5y",
                  "weight": 0.6
                },
                "status": "ok",
                "unit": "per_min",
                "valid_from": "2020-01-11",
                "value": 5.0
              },
              "version": 2,
              "weight_class": "LIGHTWEIGHT"
            }
          ],
          "meta": {
            "access_tier": "pro",
            "api": "fight-data-intelligence",
            "as_of": "2020-06-01",
            "count": 1,
            "excluded_insufficient": 0,
            "limit": 1,
            "matched": 1,
            "metric": "sig_landed_per_min",
            "min_confidence": "low",
            "next_cursor": null,
            "on": "value",
            "population": 1,
            "snapshot_id": "s1",
            "sort": "-value",
            "total": 1,
            "version": "2026-09-06.3"
          }
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&shown).unwrap());
}

fn without_request_id(meta: &Value) -> Value {
    let mut meta = meta.clone();
    meta.as_object_mut().unwrap().remove("request_id");
    meta
}

#[tokio::test]
async fn pages_of_every_size_make_the_whole_list() {
    let app = league("s1");
    let all = query(&app, "").await.json();
    for limit in 1..=7 {
        let (mut items, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = query(&app, &format!("&limit={limit}{cursor}")).await.json();
            items.extend(page["data"].as_array().unwrap().clone());
            assert_eq!(page["meta"]["matched"], all["meta"]["matched"]);
            let Some(next) = page["meta"]["next_cursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        assert_eq!(Value::Array(items), all["data"], "{limit}");
    }
}

#[tokio::test]
async fn a_cursor_of_another_query_or_snapshot_is_refused() {
    let page = query(&league("s1"), "&limit=2").await.json();
    let cursor = page["meta"]["next_cursor"].as_str().unwrap();
    for (app, text) in [
        (league("s2"), format!("&limit=2&cursor={cursor}")),
        (league("s1"), format!("&limit=2&min=1&cursor={cursor}")),
        (league("s1"), "&cursor=00000002".to_owned()),
        (league("s1"), format!("&cursor={}", cursor.to_uppercase())),
    ] {
        let reply = query(&app, &text).await;
        let error = &reply.json()["error"];
        assert_eq!(
            (reply.status.as_u16(), &error["details"]["parameter"]),
            (400, &json!("cursor")),
            "{text}"
        );
    }
    let same = query(&league("s1"), &format!("&min_confidence=low&limit=250&cursor={cursor}")).await;
    assert_eq!(same.status.as_u16(), 200);
}

#[tokio::test]
async fn bad_parameters_are_named_with_what_they_allow() {
    let app = league("s1");
    for (text, parameter) in [
        ("", "metric"),
        ("metric=", "metric"),
        ("metric=win_rate", "metric"),
        ("metric=sig_accuracy&metric=sig_accuracy", "metric"),
        ("metric=sig_accuracy&min=NaN", "min"),
        ("metric=sig_accuracy&min=inf", "min"),
        ("metric=sig_accuracy&min=-infinity", "min"),
        ("metric=sig_accuracy&min=1e400", "min"),
        ("metric=sig_accuracy&min=0x1", "min"),
        ("metric=sig_accuracy&min=+1", "min"),
        ("metric=sig_accuracy&min=%2B1", "min"),
        ("metric=sig_accuracy&min=.5", "min"),
        ("metric=sig_accuracy&min=5.", "min"),
        ("metric=sig_accuracy&min=1_0", "min"),
        ("metric=sig_accuracy&min=--1", "min"),
        ("metric=sig_accuracy&min=1,5", "min"),
        ("metric=sig_accuracy&min=", "min"),
        ("metric=sig_accuracy&min=1e5e5", "min"),
        ("metric=sig_accuracy&max=٣", "max"),
        ("metric=sig_accuracy&min=2&max=1", "max"),
        ("metric=sig_accuracy&on=shrunk", "on"),
        ("metric=sig_accuracy&min_confidence=LOW", "min_confidence"),
        ("metric=sig_accuracy&min_bouts=-1", "min_bouts"),
        ("metric=sig_accuracy&weight_class=lightweight", "weight_class"),
        ("metric=sig_accuracy&stance=southpaw", "stance"),
        ("metric=sig_accuracy&active=yes", "active"),
        ("metric=sig_accuracy&as_of=2024-1-1", "as_of"),
        ("metric=sig_accuracy&as_of=2024-02-30", "as_of"),
        ("metric=sig_accuracy&sort=weight", "sort"),
        ("metric=sig_accuracy&sex=both", "sex"),
        ("metric=sig_accuracy&sort=", "sort"),
        ("metric=sig_accuracy&limit=0", "limit"),
        ("metric=sig_accuracy&limit=251", "limit"),
        ("metric=sig_accuracy&offset=1", "offset"),
    ] {
        let path = format!("/v1/mma/dna/query?{}", text.replace('٣', "%D9%A3"));
        let reply = get(&app, &path).await;
        let error = &reply.json()["error"];
        assert_eq!((reply.status.as_u16(), &error["code"]), (400, &json!("invalid_parameter")), "{text}");
        assert_eq!(error["details"]["parameter"], parameter, "{text}");
        assert!(error["message"].as_str().unwrap().contains(parameter), "{text}");
        assert!(!error["details"]["allowed"].as_str().unwrap().is_empty(), "{text}");
    }
    let reply = get(&app, "/v1/mma/dna/query?metric=win_rate").await.json();
    let near = reply["error"]["details"]["did_you_mean"].as_array().unwrap();
    assert!(
        near.len() == 3 && near.contains(&json!("ko_win_share")) | near.contains(&json!("win_streak")),
        "{near:?}"
    );
    assert_eq!(reply["error"]["details"]["allowed"], "a name that /v1/mma/dna/metrics lists");
}

#[tokio::test]
async fn queries_that_mean_the_same_have_one_tag_and_pages_have_their_own() {
    let app = league("s1");
    let tags = [
        "",
        "&limit=50",
        "&on=value&min_confidence=low",
        "&limit=2",
        "&min=5",
        "&min=5.0",
        "&min=-0",
        "&min=0",
    ];
    let mut seen = Vec::new();
    for text in tags {
        seen.push(query(&app, text).await.header("etag").to_owned());
    }
    assert!(seen[0] == seen[1] && seen[0] == seen[2] && seen[4] == seen[5] && seen[6] == seen[7]);
    assert!(seen[0] != seen[3] && seen[0] != seen[4]);
}

#[tokio::test]
async fn lower_is_better_is_asked_from_the_lowest_on() {
    let body = get(&league("s1"), "/v1/mma/dna/query?metric=sig_absorbed_per_min").await.json();
    assert_eq!((&body["meta"]["sort"], &body["data"]), (&json!("value"), &json!([])));
    let neutral = get(&league("s1"), "/v1/mma/dna/query?metric=head_share").await.json();
    assert_eq!(neutral["meta"]["sort"], "-value");
}

#[tokio::test]
async fn the_wire_has_the_classes_and_stances_of_the_model() {
    assert_eq!(fdna_api::WEIGHT_CLASSES, fdna_model::WeightClass::ALL.map(fdna_model::WeightClass::name));
    for stance in fdna_api::STANCES {
        assert_eq!(fdna_model::Stance::parse(stance).map(fdna_model::Stance::name), Some(*stance));
    }
    assert_eq!(ask("/v1/mma/dna/query?metric=cage_minutes").await[0]["metric"]["interval"], Value::Null);
}
