//! The history of changes of the small snapshot.

use axum::Router;
use expect_test::expect;
use serde_json::{Value, json};

use crate::common::get;
use crate::content::{app_at, uuid};
use crate::snapshot::{event, fighter, table};

fn app() -> Router {
    app_at("2026-01-01T00:00:00Z", |tables| {
        tables.corrections = table(
            "corrections",
            vec![
                json!({"kind": "fighter", "entity_id": fighter("fa").to_string(), "field": "reach_in", "change": "filled",
                    "new": "72", "replaced_by": "c2", "replaced_at": "2025-02-03T04:05:06Z"}),
                json!({"kind": "result", "entity_id": uuid(9), "field": "method", "change": "changed", "old": "other",
                    "new": "overturned", "part": "", "replaced_by": "c1", "replaced_at": "2024-12-01T12:00:00Z"}),
            ],
        );
        tables.aliases = table(
            "aliases",
            vec![json!({"kind": "fighter", "alias_id": uuid(5), "entity_id": fighter("fa").to_string(),
                "since_capture": "c2", "since_at": "2025-02-03T04:05:06Z"})],
        );
    })
}

async fn words(app: &Router, query: &str) -> Vec<String> {
    let list = get(app, &format!("/v1/mma/changes?{query}")).await.data();
    let word = |row: &Value| format!("{} {}", row["change"].as_str().unwrap(), row["kind"].as_str().unwrap());
    list.as_array().unwrap().iter().map(word).collect()
}

const ALL: [&str; 6] =
    ["added event", "added fighter", "linked fighter", "changed result", "merged fighter", "filled fighter"];

#[tokio::test]
async fn changes_are_in_the_order_of_time_with_everything_they_say() {
    let app = app();
    assert_eq!(words(&app, "").await, ALL);
    let list = get(&app, "/v1/mma/changes").await.data();
    assert_eq!(
        list[0],
        json!({"at": "2024-12-01T12:00:00+00:00", "change": "added", "kind": "event",
            "entity_id": event("e1").to_string(), "name": "Night e1 of s1",
            "summary": "Night e1 of s1: new event of statsdb", "part": null, "field": null, "old": null, "new": null,
            "old_first_seen_at": null, "old_last_seen_at": null, "capture": "", "source": "statsdb", "source_id": "e1"})
    );
    assert_eq!(
        (&list[3]["old"], &list[3]["new"], &list[3]["part"]),
        (&json!("other"), &json!("overturned"), &Value::Null)
    );
    assert_eq!((&list[4]["old"], &list[5]["field"]), (&json!(uuid(5)), &json!("reach_in")));
    let summaries: Vec<&str> =
        list.as_array().unwrap()[1..].iter().map(|row| row["summary"].as_str().unwrap()).collect();
    expect![[r#"
        Zorvik Quandle: new fighter of statsdb
        Zorvik Quandle: tied to fighter merged-into-fa of statsdb
        an entity that is gone: result, method other → overturned
        Zorvik Quandle: merged with the fighter 00000000-0000-0000-0000-000000000005
        Zorvik Quandle: reach in 72, not known before
    "#]]
    .assert_eq(&(summaries.join("\n") + "\n"));
}

#[tokio::test]
async fn since_takes_its_own_instant_and_a_day_from_its_first() {
    let app = app();
    assert_eq!(words(&app, "since=2025-02-03").await, ALL[4..]);
    assert_eq!(words(&app, "since=2025-02-03T04:05:06Z").await, ALL[4..]);
    assert_eq!(words(&app, "since=2025-02-03T04:05:07Z").await, Vec::<String>::new());
    assert_eq!(words(&app, "since=2024-12-01").await, ALL);
}

#[tokio::test]
async fn pages_follow_one_another_and_a_cursor_is_of_its_own_query() {
    let app = app();
    let mut seen = Vec::new();
    let mut query = "since=2024-12-01&limit=4".to_owned();
    loop {
        let meta = get(&app, &format!("/v1/mma/changes?{query}")).await.json()["meta"].clone();
        assert_eq!(meta["total"], 6);
        seen.extend(words(&app, &query).await);
        let Some(cursor) = meta["next_cursor"].as_str() else { break };
        // The snapshot may be named in the middle.
        query = format!("since=2024-12-01&limit=3&snapshot=s1&cursor={cursor}");
    }
    assert_eq!(seen, ALL);
    let cursor = get(&app, "/v1/mma/changes?limit=2").await.json()["meta"]["next_cursor"].clone();
    let other = format!("/v1/mma/changes?since=2024-12-01&cursor={}", cursor.as_str().unwrap());
    assert_eq!(get(&app, &other).await.status.as_u16(), 400);
}

#[tokio::test]
async fn changes_of_some_entities_come_alone_page_by_page() {
    let app = app();
    let (event, fighter) = (event("e1"), fighter("fa"));
    assert_eq!(words(&app, &format!("ids={event}")).await[0], "added event");
    let of_fighter = words(&app, &format!("ids={fighter}")).await;
    assert!(
        of_fighter.len() > 1 && of_fighter.iter().all(|change| change.ends_with("fighter")),
        "{of_fighter:?}"
    );
    let all = words(&app, &format!("ids={event},{fighter}")).await;
    assert!(all.len() > of_fighter.len() && all.len() < ALL.len(), "{all:?}");
    let query = format!("ids={fighter}&since=2025-02-03&limit=1");
    let meta = get(&app, &format!("/v1/mma/changes?{query}")).await.json()["meta"].clone();
    assert_eq!((&meta["total"], &meta["count"]), (&json!(2), &json!(1)));
    let next = meta["next_cursor"].as_str().unwrap();
    assert_eq!(words(&app, &format!("{query}&cursor={next}")).await, ["filled fighter"]);
    assert_eq!(words(&app, &format!("ids={}", uuid(99))).await, Vec::<String>::new());
}
