//! Events and bouts to come, and the ids by which they are found.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::common::get;
use crate::content::{Moved, bout, event, field, fighter, uuid};
use crate::snapshot::{sides, table};

/// A night to come with feed ids, one that was moved, and bouts that were called off.
fn moved() -> Moved {
    with_second(&json!("scheduled"), &json!("announced"))
}

/// The same where the second night and its bout stand so.
fn with_second(card_status: &Value, status: &Value) -> Moved {
    let night = |n: u128, feed: &str, day: &str, start: Option<&str>, card_status: &Value| {
        json!({"event_id": uuid(n), "feed_event_id": feed, "name": format!("Night {feed}"), "event_date": day,
            "card_status": card_status, "start_at": start, "start_status": if start.is_some() { "known" } else { "date_only" }})
    };
    let pairing = |n: u128,
                   of: u128,
                   who: [&str; 2],
                   order: Option<i32>,
                   status: &Value,
                   start: Option<&str>| {
        let [a, b] = sides(who[0], who[1]);
        json!({"bout_id": uuid(n), "feed_competition_id": format!("{n}"), "event_id": uuid(of),
            "event_date": if of == 100 { "2026-02-01" } else { "2026-03-01" }, "status": status, "bout_order": order,
            "fighter_a_id": a.to_string(), "fighter_b_id": b.to_string(), "start_at": start,
            "replaced_bout_id": if n == 11 { json!(uuid(12)) } else { json!(null) },
            "short_notice_days": if n == 11 { json!(9) } else { json!(null) }})
    };
    let start = Some("2026-02-01T23:00:00Z");
    Moved::at("2026-01-01T00:00:00Z", |tables| {
        tables.events = table(
            "events",
            vec![
                night(100, "600", "2026-02-01", start, &json!("scheduled")),
                night(101, "601", "2026-03-01", None, card_status),
            ],
        );
        let mut fighters = vec![];
        for (id, feed) in [("fa", Some("42")), ("fb", None), ("fc", None), ("fd", None)] {
            fighters.push(json!({"fighter_id": fighter(id), "statsdb_id": id, "feed_athlete_id": feed,
                "name": format!("Name {id}")}));
        }
        tables.fighters = table("fighters", fighters);
        tables.bouts = table(
            "bouts",
            vec![
                pairing(12, 100, ["fa", "fb"], Some(9), &json!("cancelled"), None),
                pairing(11, 100, ["fa", "fc"], Some(8), &json!("scheduled"), start),
                pairing(13, 100, ["fb", "fd"], None, &json!("scheduled"), None),
                pairing(14, 101, ["fa", "fd"], Some(1), status, None),
            ],
        );
        for (name, batch) in [
            ("results", &mut tables.results),
            ("round_stats", &mut tables.round_stats),
            ("scorecards", &mut tables.scorecards),
        ] {
            *batch = table(name, vec![]);
        }
        tables.dna_versions = Arc::new(table("dna_versions", vec![]));
        let merged = |kind: &str, alias: u128, into: String| json!({"kind": kind, "alias_id": uuid(alias), "entity_id": into});
        tables.aliases = table(
            "aliases",
            vec![
                merged("event", 200, uuid(100)),
                merged("bout", 201, uuid(11)),
                merged("fighter", 202, uuid(203)),
                merged("fighter", 203, fighter("fa")),
            ],
        );
    })
}

#[tokio::test]
async fn of_events_to_come_the_next_is_first_and_says_when_it_begins() {
    let moved = moved();
    let upcoming = moved.data("/v1/mma/events?status=upcoming").await;
    assert_eq!(field(&upcoming, "feed_event_id"), ["600", "601"]);
    assert_eq!(
        upcoming[0]["scheduled_start"],
        json!({"value": "2026-02-01T23:00:00+00:00", "status": "known"})
    );
    assert_eq!(upcoming[1]["scheduled_start"], json!({"value": null, "status": "date_only"}));
    assert_eq!(upcoming[0]["statsdb_id"], Value::Null);
    assert_eq!(moved.data("/v1/mma/events?status=recent").await, json!([]));
    assert_eq!(field(&moved.data("/v1/mma/events").await, "feed_event_id"), ["601", "600"]);
}

#[tokio::test]
async fn a_night_of_which_nobody_told_is_in_no_list_but_that_of_all() {
    let moved = with_second(&Value::Null, &Value::Null);
    assert_eq!(field(&moved.data("/v1/mma/events?status=upcoming").await, "feed_event_id"), ["600"]);
    assert_eq!(moved.data("/v1/mma/events?status=recent").await, json!([]));
    let all = moved.data("/v1/mma/events").await;
    assert_eq!((&all[0]["feed_event_id"], &all[0]["card_status"]), (&json!("601"), &Value::Null));
    let card = moved.data("/v1/mma/events/601/card").await;
    assert_eq!(card["bouts"][0]["status"], Value::Null);
}

#[tokio::test]
async fn a_card_keeps_what_was_called_off_after_what_will_be_fought() {
    let card = moved().data("/v1/mma/events/600/card").await;
    assert_eq!(field(&card["bouts"], "feed_competition_id"), ["11", "13", "12"]);
    assert_eq!(field(&card["bouts"], "status"), ["scheduled", "scheduled", "cancelled"]);
    let main = &card["bouts"][0];
    assert_eq!((&main["replaced_bout_id"], &main["short_notice_days"]), (&json!(uuid(12)), &json!(9)));
    assert_eq!((&main["result"], &main["scheduled_start"]["status"]), (&Value::Null, &json!("known")));
    assert_eq!(card["bouts"][1]["scheduled_start"], json!({"value": null, "status": "date_only"}));
}

#[tokio::test]
async fn whoever_is_booked_is_active_and_his_next_bout_is_the_earliest() {
    let moved = moved();
    let next = moved.data("/v1/mma/fighters/fa?include=next").await;
    assert_eq!((&next["is_active"], &next["fight_history_count"]), (&json!(true), &json!(0)));
    let next = &next["next_bout"];
    assert_eq!((&next["bout"]["id"], &next["event"]["feed_event_id"]), (&json!(uuid(11)), &json!("600")));
    assert_eq!(
        (&next["bout"]["feed_competition_id"], &next["bout"]["scheduled_start"]["status"]),
        (&json!("11"), &json!("known"))
    );
    assert_eq!(next["opponent"]["statsdb_id"], "fc");
    assert_eq!(next["event"]["scheduled_start"]["value"], "2026-02-01T23:00:00+00:00");
    let other = moved.data("/v1/mma/fighters/fb?include=next").await;
    assert_eq!(other["next_bout"]["bout"]["id"], json!(uuid(13)));
}

#[tokio::test]
async fn an_id_of_the_feed_and_one_left_by_a_merge_answer_as_the_entity() {
    let moved = moved();
    let alias = uuid;
    for (path, ids) in [
        ("events", [uuid(100), "600".to_owned(), alias(200)]),
        ("bouts", [uuid(11), "11".to_owned(), alias(201)]),
        ("fighters", [fighter("fa"), "42".to_owned(), alias(202)]),
    ] {
        let own = moved.data(&format!("/v1/mma/{path}/{}", ids[0])).await;
        assert_eq!(own["id"], json!(ids[0]));
        for id in &ids[1..] {
            assert_eq!(moved.data(&format!("/v1/mma/{path}/{id}")).await, own, "{path} {id}");
        }
    }
    let slug = format!("name-fa-{}", &alias(203)[..8]);
    assert_eq!(moved.data(&format!("/v1/mma/fighters/{slug}")).await["id"], json!(fighter("fa")));
    assert_eq!(get(&moved.app, &format!("/v1/mma/events/{}", alias(202))).await.status.as_u16(), 404);
    assert_eq!(get(&moved.app, &format!("/v1/mma/bouts/{}", bout("b1"))).await.status.as_u16(), 404);
    assert_eq!(get(&moved.app, &format!("/v1/mma/events/{}", event("e1"))).await.status.as_u16(), 404);
}
