//! Official rankings as of a date.

use serde_json::{Value, json};

use crate::common::get;
use crate::content::{Moved, captured, field, fighter, image, uuid};
use crate::snapshot::table;

fn place(day: &str, division: &str, place: i32, who: Option<&str>, more: &Value) -> Value {
    let mut row = json!({"snapshot_date": day, "division": division, "place": place, "rank": place - 1,
        "label": division.to_lowercase(), "is_champion": place == 1 && division != "P4P", "is_p4p": division == "P4P",
        "fighter_id": who.map(fighter), "fighter_name": format!("Name {place}"),
        "source": "rankings", "captured_at": format!("{day}T06:00:00Z")});
    row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    row
}

/// When one list of the newest snapshot was given otherwise than before.
const RESTATED: &str = "2020-02-03T06:00:00+00:00";

fn moved() -> Moved {
    let nothing = json!({});
    Moved::at("2026-01-01T00:00:00Z", |tables| {
        tables.sources = captured(&["rankings"]);
        tables.rankings = table(
            "rankings",
            vec![
                place("2020-01-01", "LIGHTWEIGHT", 1, Some("fb"), &nothing),
                place("2020-02-01", "FLYWEIGHT", 2, None, &json!({"rank": 1})),
                place("2020-02-01", "FLYWEIGHT", 1, Some("fc"), &json!({"is_new": true})),
                place(
                    "2020-02-01",
                    "LIGHTWEIGHT",
                    1,
                    Some("fa"),
                    &json!({"change": 4, "captured_at": RESTATED}),
                ),
                place("2020-02-01", "P4P", 1, Some("fa"), &json!({"rank": 1})),
                place("2020-02-01", "P4P", 2, Some("fb"), &json!({"rank": 1, "fighter_name": null})),
            ],
        );
        tables.images = table("images", vec![image(1, Some("fa"), &json!({"is_primary": true}))]);
    })
}

#[tokio::test]
async fn the_newest_snapshot_is_by_division_and_place() {
    let reply = get(&moved().app, "/v1/mma/rankings").await;
    let data = reply.data();
    assert_eq!((&data["source"], &data["source_url"]), (&json!("rankings"), &Value::Null));
    assert_eq!((&data["snapshot_date"], &data["captured_at"]), (&json!("2020-02-01"), &json!(RESTATED)));
    let divisions = ["P4P", "P4P", "FLYWEIGHT", "FLYWEIGHT", "LIGHTWEIGHT"];
    assert_eq!(field(&data["positions"], "division"), divisions);
    let positions = data["positions"].as_array().unwrap();
    assert_eq!(positions.iter().map(|p| p["rank"].as_i64().unwrap()).collect::<Vec<_>>(), [1, 1, 0, 1, 0]);
    let mut champion = positions[4].clone();
    assert_eq!(champion["fighter"]["statsdb_id"], "fa");
    assert_eq!(champion["fighter"]["primary_image"]["id"], json!(uuid(1)));
    champion["fighter"].take();
    assert_eq!(
        champion,
        json!({"division": "LIGHTWEIGHT", "label": "lightweight", "is_womens": false, "is_p4p": false, "rank": 0,
            "is_champion": true, "change": 4, "is_new": false, "fighter_name": "Name 1", "fighter": null})
    );
    assert_eq!((&positions[3]["fighter"], &positions[3]["fighter_name"]), (&Value::Null, &json!("Name 2")));
    assert_eq!((&positions[1]["fighter_name"], &positions[2]["is_new"]), (&Value::Null, &json!(true)));
    let meta = reply.json()["meta"].clone();
    assert_eq!((&meta["count"], &meta["division"], &meta["as_of"]), (&json!(5), &Value::Null, &Value::Null));
}

#[tokio::test]
async fn history_is_served_as_of_a_day_and_is_the_same_for_ever() {
    let moved = moved();
    for (query, day, places) in [
        ("on=2020-01-31", json!("2020-01-01"), 1),
        ("on=2020-02-01", json!("2020-02-01"), 5),
        ("on=2020-02-01&division=FLYWEIGHT", json!("2020-02-01"), 2),
        // A snapshot of the day is the future of who asks before it.
        ("as_of=2020-02-01", json!("2020-01-01"), 1),
        ("as_of=2020-02-02", json!("2020-02-01"), 5),
        ("division=WOMENS_FLYWEIGHT", json!("2020-02-01"), 0),
        ("on=2019-12-31", Value::Null, 0),
        ("as_of=2020-01-01", Value::Null, 0),
    ] {
        let data = moved.data(&format!("/v1/mma/rankings?{query}")).await;
        assert_eq!(
            (&data["snapshot_date"], data["positions"].as_array().unwrap().len()),
            (&day, places),
            "{query}"
        );
    }
    let past = moved.data("/v1/mma/rankings?on=2020-02-01").await;
    assert_eq!(past["positions"][4]["fighter"]["primary_image"], Value::Null);
    let both = moved.data("/v1/mma/rankings?on=2020-02-01&as_of=2020-02-01").await;
    assert_eq!(both["snapshot_date"], "2020-01-01");
}

#[tokio::test]
async fn a_fighter_carries_his_places_and_null_stands_for_no_snapshot() {
    let moved = moved();
    let ranking = moved.data("/v1/mma/fighters/fa?include=ranking").await["ranking"].clone();
    assert_eq!(ranking["snapshot_date"], "2020-02-01");
    assert_eq!(field(&ranking["positions"], "division"), ["P4P", "LIGHTWEIGHT"]);
    assert!(ranking["positions"][0].get("fighter").is_none());
    let unranked = moved.data("/v1/mma/fighters/fd?include=ranking").await["ranking"].clone();
    assert_eq!((&unranked["positions"], &unranked["source"]), (&json!([]), &json!("rankings")));
    let none = Moved::at("2026-01-01T00:00:00Z", |_| ()).data("/v1/mma/fighters/fa?include=ranking").await;
    assert_eq!(none["ranking"], Value::Null);
}
