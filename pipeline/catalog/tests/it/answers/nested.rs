//! Lists of which a row is made of several rows of the table.

use serde_json::json;

use super::{get, meta};

/// Players of a list of profiles, each with the metrics that are there.
fn profiles(query: &str) -> Vec<String> {
    let rows = get(&format!("/t/profiles{query}"));
    let told = rows.as_array().unwrap().iter().map(|row| {
        let metrics = row["metrics"].as_array().unwrap().iter();
        let metrics: Vec<_> =
            metrics.map(|metric| format!(" {}={}", metric["metric"], metric["value"])).collect();
        format!("{} {}{}", row["player_id"], row["team"], metrics.concat()).replace('"', "")
    });
    told.collect()
}

#[test]
fn rows_of_one_subject_are_one_row_and_stand_by_the_metric_that_is_asked_for() {
    let (first, second) = ("p1 BOS pace=0.25 save=null", "p2 TOR pace=1.0 save=0.75");
    assert_eq!(profiles(""), [second, first, "p3 TOR pace=null"]);
    // Who has no value is last, whoever that is.
    assert_eq!(profiles("?sort=save"), [second, first, "p3 TOR pace=null"]);
    assert_eq!(profiles("?limit=1&offset=1"), [first]);
    assert_eq!(profiles("?offset=3"), Vec::<String>::new());
    let meta = meta("/t/profiles?limit=2");
    assert_eq!((&meta["count"], &meta["total"], &meta["sort"]), (&json!(2), &json!(3), &json!("pace")));
    let row = get("/t/profiles")[0].clone();
    let metric = json!({"metric": "pace", "value": 1.0, "confidence": "medium", "valid_from": "2024-01-10"});
    assert_eq!((row.as_object().unwrap().len(), &row["metrics"][0]), (3, &metric));
}

#[test]
fn a_confidence_keeps_metrics_and_a_team_keeps_players_by_the_newest() {
    assert_eq!(profiles("?min_confidence=high"), ["p2 TOR save=0.75", "p1 BOS pace=0.25"]);
    assert_eq!(profiles("?min_confidence=low&sort=save"), ["p2 TOR pace=1.0 save=0.75", "p1 BOS pace=0.25"]);
    // Of a player that is elsewhere now, older metrics name the team still.
    assert_eq!(profiles("?team=TOR"), ["p2 TOR pace=1.0 save=0.75", "p3 TOR pace=null"]);
    assert_eq!(profiles("?team=BOS"), ["p1 BOS pace=0.25 save=null"]);
    assert_eq!(profiles("?player=p1&team=TOR"), Vec::<String>::new());
}

#[test]
fn profiles_of_a_day_are_those_that_were_known_then() {
    assert_eq!(
        profiles("?as_of=2024-01-31"),
        ["p2 TOR pace=1.0 save=0.75", "p1 TOR pace=0.5 save=null", "p3 TOR pace=null"]
    );
    assert_eq!(profiles("?as_of=2024-01-31&team=BOS"), Vec::<String>::new());
    assert_eq!(profiles("?as_of=2024-01-09&player=p1"), ["p1 TOR pace=0.5"]);
    assert_eq!(profiles("?as_of=2023-12-31"), Vec::<String>::new());
}
