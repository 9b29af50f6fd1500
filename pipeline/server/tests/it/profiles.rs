//! Round and finish profiles as of a date.

use std::sync::Arc;

use axum::Router;
use serde_json::{Value, json};

use crate::careers::{app_with, versions};
use crate::common::get;
use crate::snapshot::{fighter, table};

fn round(version: i32, scope: &str, round: i32, bouts: i32, counts: [i64; 4]) -> Value {
    let [secs, known, own, opponent] = counts;
    json!({"fighter_id": fighter("fa").to_string(), "version": version, "scope": scope, "round": round,
        "bouts": bouts, "secs": secs, "control_known_secs": known, "sig_attempted": own, "sig_landed": own / 2,
        "o_sig_attempted": opponent, "control_secs": known / 4})
}

fn ending(version: i32, result: &str, method: &str, round: i32, detail: &str, bouts: i32) -> Value {
    json!({"fighter_id": fighter("fa").to_string(), "version": version, "result": result, "method": method,
        "round": round, "detail": detail, "bouts": bouts})
}

fn app() -> Router {
    app_with(|tables| {
        tables.dna_versions = Arc::new(versions(&json!({}), &json!({})));
        tables.round_profiles = Arc::new(table(
            "round_profiles",
            vec![
                round(1, "all", 1, 1, [300, 0, 50, 30]),
                round(2, "all", 1, 2, [600, 300, 100, 60]),
                round(2, "all", 3, 1, [300, 300, 30, 40]),
                round(2, "comparable", 1, 1, [300, 300, 50, 30]),
                round(2, "comparable", 2, 1, [300, 300, 45, 30]),
                round(2, "comparable", 3, 1, [300, 300, 30, 40]),
            ],
        ));
        tables.finish_profiles = Arc::new(table(
            "finish_profiles",
            vec![
                ending(1, "win", "submission", 2, "Armbar", 1),
                ending(2, "win", "submission", 2, "Armbar", 1),
                ending(2, "win", "ko_tko", 1, "", 1),
                ending(2, "draw", "decision_split", 3, "", 1),
                ending(2, "no_contest", "could_not_continue", 1, "", 1),
                ending(2, "overturned", "overturned", 2, "", 1),
            ],
        ));
        let times = |version: i32, bouts: i32, median: f64| {
            json!({"fighter_id": fighter("fa").to_string(), "version": version, "result": "win", "bouts": bouts,
                "q1_secs": median - 10.0, "median_secs": median, "q3_secs": median + 10.0})
        };
        tables.finish_times = Arc::new(table("finish_times", vec![times(1, 1, 400.0), times(2, 2, 300.0)]));
    })
}

async fn profile(what: &str, query: &str) -> Value {
    get(&app(), &format!("/v1/mma/fighters/fa/{what}-profile{query}")).await.data()
}

#[tokio::test]
async fn rounds_one_to_five_are_shown_and_one_that_nobody_reached_has_no_rates() {
    let data = profile("round", "").await;
    let rounds = data["rounds"].as_array().unwrap();
    let line =
        |r: &Value| format!("{} {} {}", r["round"], r["bouts_reached"], r["own"]["sig_attempted_per_min"]);
    let lines: Vec<String> = rounds.iter().map(line).collect();
    assert_eq!(lines, ["1 2 10.0", "2 0 null", "3 1 6.0", "4 0 null", "5 0 null"]);
    let first = &rounds[0];
    assert_eq!((&first["minutes"], &first["control_known_minutes"]), (&json!(10.0), &json!(5.0)));
    assert_eq!(
        (&first["own"]["control_share"], &first["opponent"]["control_share"]),
        (&json!(0.25), &json!(0.0))
    );
    assert_eq!(first["differential"]["sig_attempted_per_min"], 4.0);
    assert_eq!(first["own"]["totals"]["sig_landed"], 50);
    assert_eq!((&first["own"]["sig_accuracy"], &first["own"]["td_accuracy"]), (&json!(0.5), &Value::Null));
}

#[tokio::test]
async fn the_fade_is_of_comparable_bouts_alone() {
    let data = profile("round", "").await;
    assert_eq!(data["comparable"]["bouts"], 1);
    assert_eq!(data["comparable"]["rounds"].as_array().unwrap().len(), 3);
    assert_eq!(
        data["fade"],
        json!({"rate": "sig_attempted_per_min", "bouts": 1, "own": -4.0, "opponent": 2.0, "differential": -6.0,
            "reason": null})
    );
}

#[tokio::test]
async fn a_bout_on_the_day_is_in_no_profile() {
    let data = profile("round", "?as_of=2020-06-01").await;
    assert_eq!((&data["rounds"][0]["bouts_reached"], &data["version"]), (&json!(1), &json!(1)));
    // Control was known in none of his bouts by then.
    let own = &data["rounds"][0]["own"];
    assert_eq!((&own["control_share"], &own["totals"]["control_secs"]), (&Value::Null, &Value::Null));
    let fade = &data["fade"];
    assert_eq!((&fade["own"], &fade["reason"]), (&Value::Null, &json!("no_comparable_bouts")));
    let data = profile("finish", "?as_of=2020-06-01").await;
    assert_eq!((&data["wins"]["bouts"], &data["draws"]["bouts"]), (&json!(1), &json!(0)));
    assert_eq!(data["wins"]["finish_time"]["median_secs"], 400.0);
}

#[tokio::test]
async fn endings_are_counted_by_result_and_kept_apart() {
    let data = profile("finish", "").await;
    let wins = &data["wins"];
    assert_eq!(
        wins["by_method"],
        json!([{"method": "ko_tko", "bouts": 1}, {"method": "submission", "bouts": 1}])
    );
    assert_eq!(wins["by_round"], json!([{"round": 1, "bouts": 1}, {"round": 2, "bouts": 1}]));
    assert_eq!(wins["by_method_and_round"][1], json!({"method": "submission", "round": 2, "bouts": 1}));
    assert_eq!(wins["submissions"], json!([{"detail": "Armbar", "bouts": 1}]));
    assert_eq!(wins["knockouts"], json!([{"detail": null, "bouts": 1}]));
    assert_eq!(
        wins["finish_time"],
        json!({"n": 2, "q1_secs": 290.0, "median_secs": 300.0, "q3_secs": 310.0})
    );
    assert_eq!(
        data["losses"]["finish_time"],
        json!({"n": 0, "q1_secs": null, "median_secs": null, "q3_secs": null})
    );
    let bouts = |result: &str| data[result]["bouts"].as_i64().unwrap();
    let counted = ["wins", "losses", "draws", "no_contests", "overturned"].map(bouts);
    assert_eq!(counted, [2, 0, 1, 1, 1]);
    assert!(data["notes"][0].as_str().unwrap().contains("eligible bouts alone"));
}
