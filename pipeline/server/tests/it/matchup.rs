//! Two fighters beside each other as of a date.

use std::sync::Arc;

use axum::Router;
use fdna_schemas::MetricDefinitions;
use serde_json::{Map, Value, json};

use crate::careers::{app_with, known, version, versions};
use crate::common::get;
use crate::snapshot::{bout, table};

fn app() -> Router {
    let a = json!({"td_landed_per_15": known(6.0, "high"), "td_absorbed_per_15": known(2.0, "medium"),
        "td_attempted_per_15": known(9.0, "medium"), "sig_landed_per_min": known(5.0, "low"),
        "sig_absorbed_per_min": known(3.0, "medium"), "cage_minutes": known(2.0, "high")});
    let b = json!({"td_landed_per_15": known(1.0, "medium"), "td_absorbed_per_15": known(6.0, "high"),
        "td_attempted_per_15": known(3.0, "medium"), "sig_landed_per_min": known(2.0, "high")});
    app_with(|tables| tables.dna_versions = Arc::new(versions(&a, &b)))
}

async fn matchup(pair: &str, query: &str) -> Value {
    get(&app(), &format!("/v1/mma/matchups/{pair}/dna{query}")).await.data()
}

fn metric<'a>(data: &'a Value, name: &str) -> &'a Value {
    data["metrics"].as_array().unwrap().iter().find(|m| m["metric"] == name).unwrap()
}

#[tokio::test]
async fn both_sides_stand_beside_each_other() {
    let data = matchup("fa/fb", "?as_of=2020-06-02").await;
    assert_eq!(data["a"]["fighter"]["statsdb_id"], "fa");
    assert_eq!((&data["a"]["version"], &data["b"]["version"]), (&json!(2), &json!(1)));
    assert_eq!((&data["as_of"], &data["b"]["as_of"]), (&json!("2020-06-02"), &json!("2020-06-02")));
    assert_eq!(data["a"]["context"]["days_since_last_eligible_bout"], 1);
    assert_eq!(data["metrics"].as_array().unwrap().len(), MetricDefinitions::get().metrics.len());
    let takedowns = metric(&data, "td_landed_per_15");
    assert_eq!(takedowns["gap"], 5.0);
    assert_eq!(
        takedowns["b"],
        json!({"status": "ok", "value": 1.0, "raw_value": 1.0, "confidence": "medium", "weight": 0.5, "bouts": 3})
    );
    let physical = &data["physical"];
    assert_eq!(
        physical["reach_in"],
        json!({"a": 72, "b": null, "difference": null, "reason": "b_not_stated"})
    );
    assert_eq!((&physical["age_years"]["a"], &physical["stance"]["a"]), (&json!(30), &json!("SOUTHPAW")));
    // Nowhere a winner.
    let text = data.to_string();
    assert!(!text.contains("\"pick") && !text.contains("win_probability") && !text.contains("\"odds\""));
}

#[tokio::test]
async fn an_edge_needs_values_confidence_class_gate_and_variance() {
    let data = matchup("fa/fb", "").await;
    let edge = |name: &str| {
        let m = metric(&data, name);
        format!("{} {}", m["edge"], m["edge_reason"]).replace('"', "")
    };
    assert_eq!(edge("sig_absorbed_per_min"), "not_rated value_missing");
    assert_eq!(edge("sig_landed_per_min"), "not_rated confidence");
    assert_eq!(edge("cage_minutes"), "not_rated value_missing");
    let td = MetricDefinitions::get().metric("td_landed_per_15").unwrap();
    let expected = match (td.gate, td.variance) {
        (None, _) => "not_rated no_gate",
        (Some(_), None) => "not_rated no_variance",
        (Some(gate), Some(a)) if 5.0 / a.sqrt() < gate.min_z => "none z_below_gate",
        _ => "a null",
    };
    assert_eq!(edge("td_landed_per_15"), expected);
}

#[tokio::test]
async fn every_insight_is_said_or_withheld_with_its_gate() {
    let data = matchup("fa/fb", "").await;
    let names =
        |list: &str| data[list].as_array().unwrap().iter().map(|i| i["metric"].clone()).collect::<Vec<_>>();
    let (said, withheld) = (names("insights"), names("withheld"));
    for m in &MetricDefinitions::get().metrics {
        let name = json!(m.name);
        let times = usize::from(said.contains(&name)) + usize::from(withheld.contains(&name));
        assert_eq!(times, usize::from(m.insight.is_some()), "{name}");
        let edge = &metric(&data, &m.name)["edge"];
        assert_eq!(said.contains(&name), m.insight.is_some() && (edge == "a" || edge == "b"), "{name}");
    }
    let strikes = data["withheld"].as_array().unwrap().iter().find(|w| w["metric"] == "sig_landed_per_min");
    let strikes = strikes.unwrap();
    assert_eq!((&strikes["failed"], &strikes["confidence_a"]), (&json!("confidence"), &json!("low")));
    for insight in data["insights"].as_array().unwrap() {
        assert!(insight["text"].as_str().unwrap().starts_with("Zorvik Quandle "), "{insight}");
        let z = insight["z"].as_f64().unwrap().abs();
        assert!(z >= insight["gate"]["min_z"].as_f64().unwrap(), "{insight}");
    }
}

#[tokio::test]
async fn offence_meets_defence_both_ways() {
    let data = matchup("fa/fb", "").await;
    let pairings = data["pairings"].as_array().unwrap();
    let find = |offence: &str, of: &str| {
        pairings.iter().find(|p| p["offence_metric"] == offence && p["offence_of"] == of).unwrap()
    };
    // 6 landed by A, 6 let through by B, 4 in the class.
    let a = find("td_landed_per_15", "a");
    assert_eq!((&a["expected"], &a["class_mean"], &a["reason"]), (&json!(9.0), &json!(4.0), &Value::Null));
    assert_eq!((&a["defence_metric"], &a["confidence"]), (&json!("td_absorbed_per_15"), &json!("high")));
    let b = find("td_landed_per_15", "b");
    assert_eq!((&b["expected"], &b["confidence"]), (&json!(0.5), &json!("medium")));
    let missing = find("sig_accuracy", "b");
    assert_eq!((&missing["expected"], &missing["reason"]), (&Value::Null, &json!("value_missing")));
    assert_eq!(pairings.len(), 22);
}

#[tokio::test]
async fn only_bouts_before_the_day_are_meetings() {
    let before = matchup("fa/fb", "?as_of=2020-06-01").await;
    assert_eq!(before["common_opponents"], json!([]));
    let [a, b] = [&before["previous_meetings"][0]["outcome_a"], &before["previous_meetings"][0]["outcome_b"]];
    assert_eq!((a, b), (&json!("win"), &json!("loss")));
    let after = matchup("fa/fb", "?as_of=2020-06-02").await;
    let common = after["common_opponents"].as_array().unwrap();
    assert_eq!((common.len(), &common[0]["opponent"]["statsdb_id"]), (1, &json!("fc")));
    assert_eq!(
        common[0]["a"],
        json!([{"bout_id": bout("b2").to_string(), "date": "2020-06-01", "event_name": "Night e2 of s1",
            "method": "decision_split", "round": 2, "time": "1:05", "outcome": "draw"}])
    );
    assert_eq!(
        common[0]["b"],
        json!([{"bout_id": bout("b4").to_string(), "date": "2020-01-10", "event_name": "Night e1 of s1",
            "method": "overturned", "round": 2, "time": "1:05", "outcome": "no_contest"}])
    );
    // The announced bout of 2031 is no meeting, however far the asked day lies.
    let far = matchup("fa/fb", "?as_of=2040-01-01").await;
    assert_eq!(far["previous_meetings"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn of_fighters_who_can_never_meet_nothing_is_expected() {
    let a = json!({"td_landed_per_15": known(6.0, "high"), "td_absorbed_per_15": known(2.0, "high")});
    let mut rows = vec![version("fa", 1, "2020-01-11", "2020-01-10", &a)];
    rows.push(version("fb", 1, "2020-01-11", "2020-01-10", &a));
    rows[1]["weight_class"] = json!("WOMENS_FLYWEIGHT");
    let app = app_with(|tables| tables.dna_versions = Arc::new(table("dna_versions", rows)));
    let data = get(&app, "/v1/mma/matchups/fa/fb/dna").await.data();
    for pairing in data["pairings"].as_array().unwrap() {
        assert_eq!((&pairing["expected"], &pairing["class_mean"]), (&Value::Null, &Value::Null));
        assert_eq!(pairing["reason"], "different_populations");
    }
}

#[tokio::test]
async fn a_matchup_needs_two_fighters_with_versions() {
    for pair in ["fa/fa", "fa/merged-into-fa"] {
        let reply = get(&app(), &format!("/v1/mma/matchups/{pair}/dna")).await;
        let error = &reply.json()["error"];
        assert_eq!(
            (reply.status.as_u16(), &error["details"]["parameter"]),
            (400, &json!("fighterB")),
            "{pair}"
        );
    }
    for (pair, query, code) in [
        ("fa/fc", "", "dna_not_available"),
        ("fa/fb", "?as_of=2020-01-10", "dna_not_available"),
        ("fa/nobody", "", "not_found"),
        ("nobody/fb", "", "not_found"),
    ] {
        let reply = get(&app(), &format!("/v1/mma/matchups/{pair}/dna{query}")).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["error"]["code"]), (404, &json!(code)), "{pair}");
    }
}

#[tokio::test]
async fn the_fighters_swapped_give_the_mirror_image() {
    for query in ["?as_of=2020-01-11", "?as_of=2020-06-02", ""] {
        let (ab, ba) = (matchup("fa/fb", query).await, matchup("fb/fa", query).await);
        assert_ne!(ab, ba);
        assert_eq!(in_order(mirror("", ab)), in_order(ba), "{query}");
    }
}

/// Exchanges a and b and turns every difference around.
fn mirror(name: &str, value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(k, v)| (swapped(&k), mirror(&k, v)));
            Value::Object(fields.collect::<Map<_, _>>())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(|item| mirror(name, item)).collect()),
        Value::Number(n) if ["gap", "z", "difference"].contains(&name) => {
            // 0 - x, as -0 is not written by a difference of equal values.
            json!(0.0 - n.as_f64().unwrap())
        }
        Value::String(text) if ["edge", "side", "offence_of", "reason"].contains(&name) => {
            Value::String(swapped(&text))
        }
        other => other,
    }
}

fn swapped(word: &str) -> String {
    let pairs = [
        ("a", "b"),
        ("outcome_a", "outcome_b"),
        ("confidence_a", "confidence_b"),
        ("value_a", "value_b"),
        ("a_not_stated", "b_not_stated"),
    ];
    let to = |(a, b): &(&str, &str)| {
        if word == *a { Some((*b).to_owned()) } else { (word == *b).then(|| (*a).to_owned()) }
    };
    pairs.iter().find_map(to).unwrap_or_else(|| word.to_owned())
}

/// Pairings begin with A's offence: put them in an order of their own.
fn in_order(mut data: Value) -> Value {
    let pairings = data["pairings"].as_array_mut().unwrap();
    pairings.sort_by_key(|p| format!("{} {}", p["offence_metric"], p["offence_of"]));
    data
}
