//! Stories of outlets.

use serde_json::json;

use crate::common::get;
use crate::content::{Moved, captured, event, field, fighter, mention, uuid};
use crate::snapshot::table;

fn moved() -> Moved {
    let row = |n: u128, outlet: &str, published: Option<&str>, also: &str| {
        json!({"wire_id": uuid(n), "headline": format!("Story {n}"), "link": format!("https://o.test/{n}"),
            "outlet": outlet, "published_at": published, "first_seen_at": "2025-03-01T00:00:00Z", "also_in": also,
            "previous_headlines": "[\"Old\"]"})
    };
    Moved::at("2026-01-01T00:00:00Z", |tables| {
        tables.sources = captured(&["wire"]);
        tables.wire = table(
            "wire",
            vec![
                row(1, "Cage Post", Some("2025-01-01T00:00:00Z"), "[]"),
                row(
                    2,
                    "Mat Daily",
                    Some("2025-02-01T00:00:00Z"),
                    "[{\"outlet\":\"Cage Post\",\"link\":\"https://c.test/2\"}]",
                ),
                row(3, "Mat Daily", None, "[]"),
            ],
        );
        tables.mentions = table(
            "mentions",
            vec![
                mention(("wire", &uuid(1)), ("fighter", fighter("fa"))),
                mention(("wire", &uuid(2)), ("fighter", fighter("fa"))),
                mention(("wire", &uuid(2)), ("event", event("e3"))),
            ],
        );
    })
}

#[tokio::test]
async fn stories_are_newest_first_and_undated_ones_stand_where_they_were_seen() {
    let moved = moved();
    let reply = get(&moved.app, "/v1/mma/wire").await;
    assert_eq!(field(&reply.data(), "headline"), ["Story 3", "Story 2", "Story 1"]);
    assert_eq!(
        reply.data()[1],
        json!({"id": uuid(2), "headline": "Story 2", "link": "https://o.test/2", "outlet": "Mat Daily",
            "published_at": "2025-02-01T00:00:00+00:00", "first_seen_at": "2025-03-01T00:00:00+00:00",
            "also_in": [{"outlet": "Cage Post", "link": "https://c.test/2"}],
            "fighter_ids": [fighter("fa")], "event_ids": [event("e3")], "bout_ids": []})
    );
    let meta = reply.json()["meta"].clone();
    assert_eq!([&meta["count"], &meta["total"], &meta["limit"], &meta["offset"]], [3, 3, 20, 0]);
}

#[tokio::test]
async fn filters_are_met_together_and_an_outlet_counts_where_it_tells_the_story_too() {
    let moved = moved();
    for (query, found) in [
        ("fighter_id=fa", vec!["Story 2", "Story 1"]),
        ("fighter_id=fa&event_id=e3", vec!["Story 2"]),
        ("fighter_id=fb", vec![]),
        ("outlet=cage+post", vec!["Story 2", "Story 1"]),
        ("outlet=Mat+Daily&limit=1", vec!["Story 3"]),
        ("outlet=Mat", vec![]),
        ("offset=2", vec!["Story 1"]),
    ] {
        assert_eq!(field(&moved.data(&format!("/v1/mma/wire?{query}")).await, "headline"), found, "{query}");
    }
    let reply = get(&moved.app, "/v1/mma/wire?fighter_id=nobody").await;
    assert_eq!(
        (reply.status.as_u16(), &reply.json()["error"]["message"]),
        (404, &json!("No fighter has the id `nobody`: use a UUID, a statsdb or feed id, or a slug_id"))
    );
}
