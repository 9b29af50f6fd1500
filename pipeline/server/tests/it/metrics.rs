//! Metric objects of every kind, the metric definitions and their validity, from outside.

use std::collections::BTreeSet;
use std::sync::Arc;

use expect_test::expect;
use fdna_schemas::MetricDefinitions;
use fdna_server::{ServingState, router};
use serde_json::{Value, json};

use crate::common::{clock, get, request, send};
use crate::league::{ask, dataset, league, validity};
use crate::snapshot::{bout, table};

async fn metric(name: &str, query: &str) -> Value {
    let dna = ask(&format!("/v1/mma/fighters/qx/dna{query}")).await;
    dna["metrics"].as_array().unwrap().iter().find(|m| m["metric"] == name).unwrap().clone()
}

/// Names of the bouts that do not enter, with the reasons.
async fn excluded(name: &str, query: &str) -> String {
    let names = ["early", "untimed", "uncounted", "whole", "bare", "overturned", "later"];
    let name_of = |id: &Value| names.into_iter().find(|name| *id == json!(bout(name).to_string())).unwrap();
    let provenance = metric(name, query).await["provenance"].clone();
    let Some(out) = provenance["excluded"].as_array() else {
        return format!("{name}: {}\n", provenance["excluded"]);
    };
    let out: Vec<String> =
        out.iter().map(|e| format!("{} {}", name_of(&e["bout_id"]), e["reason"].as_str().unwrap())).collect();
    let summed = provenance["bout_ids"].as_array();
    let summed = summed.map(|ids| ids.iter().map(name_of).collect::<Vec<_>>().join(" "));
    format!("{name}: {} | {summed:?}\n", out.join(", "))
}

#[tokio::test]
async fn every_bout_that_does_not_enter_is_named_with_the_reason() {
    let mut seen = String::new();
    for query in ["?include=provenance", "?include=provenance&as_of=2004-06-01", ""] {
        for name in
            ["sig_landed_per_min", "control_share", "card_margin_per_round", "southpaw_exposure_share"]
        {
            seen.push_str(&excluded(name, query).await);
        }
    }
    for name in ["td_accuracy", "house_rating", "sig_diff_per_min"] {
        seen.push_str(&excluded(name, "?include=provenance").await);
    }
    expect![[r#"
        sig_landed_per_min: early before_2000_11_17, untimed no_time_format, uncounted no_round_statistics | Some("whole bare overturned later")
        control_share: early before_2000_11_17, untimed no_time_format, uncounted no_round_statistics, bare not_recorded | Some("whole overturned later")
        card_margin_per_round: early before_2000_11_17, untimed no_time_format, uncounted no_round_statistics, bare not_recorded, later not_recorded | Some("whole overturned")
        southpaw_exposure_share: early before_2000_11_17, untimed no_time_format, uncounted no_round_statistics, bare not_recorded, later not_recorded | Some("whole overturned")
        sig_landed_per_min: early before_2000_11_17, untimed no_time_format, uncounted no_round_statistics | Some("whole bare")
        control_share: early before_2000_11_17, untimed no_time_format, uncounted no_round_statistics, bare not_recorded | Some("whole")
        card_margin_per_round: early before_2000_11_17, untimed no_time_format, uncounted no_round_statistics, bare not_recorded | Some("whole")
        southpaw_exposure_share: early before_2000_11_17, untimed no_time_format, uncounted no_round_statistics, bare not_recorded | Some("whole")
        sig_landed_per_min: early before_2000_11_17, untimed no_time_format, uncounted no_round_statistics | None
        control_share: early before_2000_11_17, untimed no_time_format, uncounted no_round_statistics, bare not_recorded | None
        card_margin_per_round: early before_2000_11_17, untimed no_time_format, uncounted no_round_statistics, bare not_recorded, later not_recorded | None
        southpaw_exposure_share: early before_2000_11_17, untimed no_time_format, uncounted no_round_statistics, bare not_recorded, later not_recorded | None
        td_accuracy: null
        house_rating: null
        sig_diff_per_min: null
    "#]].assert_eq(&seen);
}

#[tokio::test]
async fn shares_rates_differences_weighted_sums_and_facts_say_what_they_are() {
    let mut seen = String::new();
    for name in [
        "sig_landed_per_min",
        "sig_accuracy",
        "head_share",
        "control_share",
        "recent_sig_diff_per_min",
        "house_rating",
        "cage_minutes",
        "layoff_days",
    ] {
        let m = metric(name, "").await;
        let shown =
            json!([m["status"], m["value"], m["interval"], m["sample"], m["shrinkage"], m["percentile"]]);
        seen.push_str(&format!("{name} {shown}\n"));
    }
    expect![[r#"
        sig_landed_per_min ["ok",0.25,{"high":0.4,"level":0.9,"low":0.1,"method":"gamma"},{"bouts":4,"coverage":1.0,"denominator":2,"denominator_unit":"seconds","eligible_bouts":4,"exposure":15.0,"exposure_unit":"min","numerator":1,"numerator_unit":"count","rounds":4},{"prior_mean":0.2,"prior_population":"ALL","prior_strength":2.0,"prior_window":"5y","weight":0.5},null]
        sig_accuracy ["ok",0.25,{"high":0.25,"level":0.9,"low":0.25,"method":"degenerate"},{"bouts":4,"coverage":1.0,"denominator":2,"denominator_unit":"count","eligible_bouts":4,"exposure":15.0,"exposure_unit":"count","numerator":1,"numerator_unit":"count","rounds":4},{"prior_mean":0.2,"prior_population":"ALL","prior_strength":2.0,"prior_window":"5y","weight":0.5},null]
        head_share ["ok",0.25,{"high":0.4,"level":0.9,"low":0.1,"method":"beta"},{"bouts":4,"coverage":1.0,"denominator":2,"denominator_unit":"count","eligible_bouts":4,"exposure":15.0,"exposure_unit":"count","numerator":1,"numerator_unit":"count","rounds":4},{"prior_mean":0.2,"prior_population":"ALL","prior_strength":2.0,"prior_window":"5y","weight":0.5},null]
        control_share ["ok",0.25,{"high":0.4,"level":0.9,"low":0.1,"method":"normal"},{"bouts":3,"coverage":0.75,"denominator":2,"denominator_unit":"seconds","eligible_bouts":4,"exposure":15.0,"exposure_unit":"min","numerator":1,"numerator_unit":"seconds","rounds":3},{"prior_mean":0.2,"prior_population":"ALL","prior_strength":2.0,"prior_window":"5y","weight":0.5},null]
        recent_sig_diff_per_min ["ok",0.25,{"high":2.0,"level":0.9,"low":-1.0,"method":"normal"},{"bouts":4,"coverage":1.0,"denominator":7.5,"denominator_unit":"seconds","eligible_bouts":4,"exposure":15.0,"exposure_unit":"bouts","numerator":12.625,"numerator_unit":"count","rounds":4},{"prior_mean":0.2,"prior_population":"ALL","prior_strength":2.0,"prior_window":"5y","weight":0.5},null]
        house_rating ["insufficient_sample",null,null,{"bouts":0,"coverage":null,"denominator":null,"denominator_unit":null,"eligible_bouts":4,"exposure":15.0,"exposure_unit":"bouts","numerator":null,"numerator_unit":null,"rounds":4},null,null]
        cage_minutes ["ok",10.0,null,{"bouts":4,"coverage":1.0,"denominator":null,"denominator_unit":null,"eligible_bouts":4,"exposure":15.0,"exposure_unit":"bouts","numerator":null,"numerator_unit":null,"rounds":4},null,null]
        layoff_days ["ok",5296.0,null,{"bouts":7,"coverage":null,"denominator":null,"denominator_unit":null,"eligible_bouts":4,"exposure":0.0,"exposure_unit":"bouts","numerator":null,"numerator_unit":null,"rounds":0},null,null]
    "#]].assert_eq(&seen);
}

#[tokio::test]
async fn the_metric_definitions_is_the_definition_with_what_was_measured_of_it() {
    let data = ask("/v1/mma/dna/metrics").await;
    let metrics = data["metrics"].as_array().unwrap();
    let names: Vec<_> = metrics.iter().map(|m| m["metric"].as_str().unwrap()).collect();
    assert_eq!(names, MetricDefinitions::get().metrics.iter().map(|m| m.name.as_str()).collect::<Vec<_>>());
    let families = data["families"].as_array().unwrap();
    assert_eq!(families.iter().map(|f| f["metrics"].as_u64().unwrap()).sum::<u64>(), 81);
    let one = |name: &str| metrics.iter().find(|m| m["metric"] == name).unwrap();
    let landed = one("sig_landed_per_min");
    assert_eq!(
        landed["validity"],
        json!({"class": "A", "out_of_time_r2": 0.09, "reliability": 0.71, "interval_coverage": 0.89,
            "test_years": {"first": 2017, "last": 2024}, "n": 4000, "stabilisation": null, "next_year": null})
    );
    assert_eq!(landed["numerator"], json!({"columns": ["sig_landed"], "per": 1.0}));
    assert_eq!(landed["denominator"], json!({"columns": ["duration_secs"], "per": 60.0}));
    assert_eq!(landed["prior"]["strength_bouts"], 4.0);
    let diff = one("control_diff_share");
    assert_eq!(diff["numerator"]["columns"], json!(["control_secs", "-o_control_secs"]));
    assert_eq!((&diff["range"], &diff["validity"]["n"]), (&json!([-1.0, 1.0]), &Value::Null));
    let fact = one("win_streak");
    assert_eq!(
        (&fact["numerator"], &fact["prior"], &fact["validity"]["class"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    assert_eq!((&fact["source_columns"], &fact["plain_count"]), (&json!(["outcome"]), &json!(true)));
}

#[tokio::test]
async fn the_metric_definitions_tag_stays_over_snapshots_and_changes_with_what_is_measured() {
    let served = Arc::new(ServingState::new(None, clock()));
    let app = router(Arc::clone(&served));
    let mut tags = Vec::new();
    for (id, rows) in [("s1", validity()), ("s2", validity()), ("s3", table("validity", vec![]))] {
        served.publish(dataset(id, rows));
        tags.push(get(&app, "/v1/mma/dna/metrics").await.header("etag").to_owned());
    }
    assert!(tags[0] == tags[1] && tags[1] != tags[2]);
    let known = [("if-none-match", tags[2].as_str())];
    assert_eq!(send(&app, request("GET", "/v1/mma/dna/metrics", &known)).await.status.as_u16(), 304);
    let validity = get(&app, "/v1/mma/dna/validity").await;
    served.publish(dataset("s4", table("validity", vec![])));
    assert_ne!(get(&app, "/v1/mma/dna/validity").await.header("etag"), validity.header("etag"));
}

#[tokio::test]
async fn validity_counts_what_was_measured_and_what_was_not() {
    let data = ask("/v1/mma/dna/validity").await;
    expect![[r#"
        {
          "constants_fitted_to": "2016-12-31",
          "definition_version": "1",
          "gates_measured_to": "2024-12-31",
          "metrics": [
            {
              "catalogue_class": "D",
              "catalogue_variance": null,
              "constants_fitted_to": "2016-12-31",
              "family": "power_durability",
              "fitted_variance": null,
              "interval_coverage": null,
              "measured_class": null,
              "metric": "kd_per_15",
              "n": 12,
              "next_year": null,
              "out_of_time_r2": null,
              "out_of_time_r2_raw": null,
              "reliability": null,
              "stabilisation": null,
              "test_years": null
            },
            {
              "catalogue_class": "A",
              "catalogue_variance": null,
              "constants_fitted_to": "2016-12-31",
              "family": "striking_offence",
              "fitted_variance": 1.5,
              "interval_coverage": 0.89,
              "measured_class": "B",
              "metric": "sig_accuracy",
              "n": 4000,
              "next_year": null,
              "out_of_time_r2": 0.05,
              "out_of_time_r2_raw": 0.06,
              "reliability": 0.71,
              "stabilisation": null,
              "test_years": {
                "first": 2017,
                "last": 2024
              }
            },
            {
              "catalogue_class": "A",
              "catalogue_variance": null,
              "constants_fitted_to": "2016-12-31",
              "family": "striking_offence",
              "fitted_variance": 1.5,
              "interval_coverage": 0.89,
              "measured_class": "B",
              "metric": "sig_landed_per_min",
              "n": 4000,
              "next_year": null,
              "out_of_time_r2": 0.09,
              "out_of_time_r2_raw": -0.5,
              "reliability": 0.71,
              "stabilisation": null,
              "test_years": {
                "first": 2017,
                "last": 2024
              }
            }
          ],
          "summary": {
            "catalogue_classes": {
              "A": 2,
              "D": 1
            },
            "measured": 2,
            "measured_classes": {
              "B": 2
            },
            "metrics": 3,
            "shrunk_beats_raw": {
              "metrics": 1,
              "of": 2
            }
          }
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&data).unwrap());
}

#[tokio::test]
async fn neither_the_metric_definitions_nor_its_validity_takes_a_date() {
    for path in ["/v1/mma/dna/metrics", "/v1/mma/dna/validity"] {
        let reply = get(&league("s1"), &format!("{path}?as_of=2020-01-01")).await;
        let error = &reply.json()["error"];
        assert_eq!((reply.status.as_u16(), &error["details"]["parameter"]), (400, &json!("as_of")), "{path}");
    }
}

#[tokio::test]
async fn position_profiles_are_unavailable_for_those_who_exist() {
    for (path, status, code) in [
        ("/v1/mma/fighters/qa/position-profile", 503, "position_profile_not_available"),
        ("/v1/mma/fighters/nobody/position-profile", 404, "not_found"),
        ("/v1/mma/fighters/qa/position-profile?as_of=2020-01-01", 503, "position_profile_not_available"),
        ("/v1/mma/fighters/qa/position-profile?as_of=2020-13-01", 400, "invalid_parameter"),
    ] {
        let reply = get(&league("s1"), path).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["error"]["code"]), (status, &json!(code)), "{path}");
        if status == 503 {
            assert_eq!(reply.json()["error"]["details"]["origin"], "LICENSED");
            assert_eq!(reply.header("retry-after"), "");
        }
    }
}

#[tokio::test]
async fn every_metric_can_be_shown_to_people() {
    let metrics = get(&league("s1"), "/v1/mma/dna/metrics").await.data()["metrics"].clone();
    let metrics = metrics.as_array().unwrap();
    for name in ["label", "short_label", "meaning"] {
        let texts: BTreeSet<&str> = metrics.iter().map(|metric| metric[name].as_str().unwrap()).collect();
        assert_eq!(texts.len(), metrics.len(), "two have one {name}");
        let longest = if name == "short_label" { 14 } else { 200 };
        assert!(texts.iter().all(|text| (1..=longest).contains(&text.len())), "{texts:?}");
        // Whoever reads one has not read the one before.
        assert!(!texts.iter().any(|text| text.contains("the same") || text.ends_with(" them")), "{texts:?}");
    }
    for metric in metrics {
        let shown = (metric["display_unit"].as_str().unwrap(), metric["display_scale"].as_f64().unwrap());
        assert_eq!(shown == ("%", 100.0), metric["unit"] == "share", "{metric}");
        assert!(metric["decimals"].as_u64().unwrap() <= 2);
    }
}
