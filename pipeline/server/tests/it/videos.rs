//! Videos, and the rail of an event.

use fdna_api::VIDEO_TYPES;
use fdna_server::SnapshotTables;
use serde_json::{Value, json};

use crate::common::get;
use crate::content::{Moved, bout, captured, event, field, fighter, mention, source};
use crate::snapshot::table;

fn video(id: &str, kind: &str, day: Option<&str>) -> Value {
    json!({"video_id": id, "url": format!("https://v.test/{id}"), "channel": "Cage TV", "title": format!("Video {id}"),
        "published_at": day.map(|day| format!("{day}T10:00:00Z")), "video_type": kind, "type_rule": "title",
        "first_seen_at": "2020-01-09T00:00:00Z"})
}

fn moved() -> Moved {
    Moved::at("2026-01-01T00:00:00Z", |tables| {
        tables.sources = captured(&["videos"]);
        tables.videos = table(
            "videos",
            vec![
                video("v1", "weigh_in", Some("2020-01-08")),
                video("v2", "interview", Some("2020-01-05")),
                video("v3", "interview", Some("2020-01-07")),
                video("v4", "full_fight", None),
                video("v5", "interview", Some("2020-05-30")),
            ],
        );
        let of = |id: &str, what: &'static str, entity| mention(("video", id), (what, entity));
        tables.mentions = table(
            "mentions",
            vec![
                of("v1", "event", event("e1")),
                of("v2", "event", event("e1")),
                of("v2", "fighter", fighter("fa")),
                of("v3", "event", event("e1")),
                of("v4", "bout", bout("b1")),
                of("v5", "event", event("e2")),
                of("v5", "fighter", fighter("fa")),
            ],
        );
    })
}

#[tokio::test]
async fn an_events_rail_is_in_the_order_of_time_and_grouped_in_that_of_a_fight_week() {
    let reply = get(&moved().app, "/v1/mma/events/e1/videos").await;
    let data = reply.data();
    assert_eq!(data["event"]["statsdb_id"], "e1");
    assert_eq!(field(&data["videos"], "id"), ["v2", "v3", "v1", "v4"]);
    assert_eq!(field(&data["groups"], "video_type"), ["interview", "weigh_in", "full_fight"]);
    let interviews = &data["groups"][0];
    assert_eq!((&interviews["label"], &interviews["count"]), (&json!("Interview"), &json!(2)));
    assert_eq!(interviews["first_published_at"], "2020-01-05T10:00:00+00:00");
    assert_eq!(interviews["last_published_at"], "2020-01-07T10:00:00+00:00");
    assert_eq!(field(&interviews["videos"], "id"), ["v2", "v3"]);
    assert_eq!(data["groups"][2]["first_published_at"], Value::Null);
    let meta = reply.json()["meta"].clone();
    assert_eq!(meta["timeline_order"], json!(VIDEO_TYPES));
    assert_eq!((&meta["count"], &meta["total"]), (&json!(4), &json!(4)));
}

#[tokio::test]
async fn a_rail_is_cut_and_filtered_with_its_groups() {
    let moved = moved();
    let cut = moved.data("/v1/mma/events/e1/videos?limit=1").await;
    assert_eq!((field(&cut["videos"], "id"), &cut["groups"][0]["count"]), (vec!["v2"], &json!(1)));
    let filtered = moved.data("/v1/mma/events/e1/videos?type=weigh_in").await;
    assert_eq!(field(&filtered["groups"], "video_type"), ["weigh_in"]);
    let none = moved.data("/v1/mma/events/e3/videos").await;
    assert_eq!((&none["videos"], &none["groups"]), (&json!([]), &json!([])));
    assert_eq!(get(&moved.app, "/v1/mma/events/nobody/videos").await.status.as_u16(), 404);
}

#[tokio::test]
async fn lists_are_newest_first_and_filters_are_met_together() {
    let moved = moved();
    for (path, found) in [
        ("videos", vec!["v5", "v4", "v1", "v3", "v2"]),
        ("videos?type=interview&limit=2", vec!["v5", "v3"]),
        ("videos?offset=4", vec!["v2"]),
        ("videos?fighter_id=fa&event_id=e1", vec!["v2"]),
        ("videos?bout_id=b1", vec!["v4"]),
        ("videos?event_id=e3", vec![]),
        ("fighters/fa/videos", vec!["v5", "v2"]),
        ("fighters/fa/videos?limit=1", vec!["v5"]),
        ("bouts/b1/videos", vec!["v4"]),
        ("bouts/b2/videos", vec![]),
    ] {
        assert_eq!(field(&moved.data(&format!("/v1/mma/{path}")).await, "id"), found, "{path}");
    }
    for path in ["videos?bout_id=x", "videos?event_id=x", "fighters/x/videos", "bouts/x/videos"] {
        assert_eq!(get(&moved.app, &format!("/v1/mma/{path}")).await.status.as_u16(), 404, "{path}");
    }
}

#[tokio::test]
async fn a_source_of_news_that_gives_videos_too_makes_them_available() {
    let app = |sources: Vec<Value>| {
        let videos = |tables: &mut SnapshotTables| {
            tables.sources = table("sources", sources);
            tables.videos = table("videos", vec![video("v1", "interview", None)]);
        };
        Moved::at("2026-01-01T00:00:00Z", videos)
    };
    let news = |last_capture| source("wire", &["wire", "videos"], last_capture);
    let fed = app(vec![news(Some("c")), source("videos", &["videos"], None)]);
    assert_eq!(field(&fed.data("/v1/mma/videos").await, "id"), ["v1"]);
    for (sources, reason) in
        [(vec![news(None)], "never_captured"), (vec![source("wire", &["wire"], Some("c"))], "no_source")]
    {
        let reply = get(&app(sources).app, "/v1/mma/videos").await;
        let error = &reply.json()["error"];
        assert_eq!((reply.status.as_u16(), &error["code"]), (503, &json!("videos_not_available")));
        assert_eq!(error["details"], json!({"group": "videos", "reason": reason}));
    }
}

#[tokio::test]
async fn what_an_overdue_source_told_is_served_still() {
    let long_ago = json!({"last_captured_at": "2019-01-01T00:00:00Z", "expected_every_hours": 6});
    let mut overdue = source("videos", &["videos"], Some("c"));
    overdue.as_object_mut().unwrap().extend(long_ago.as_object().unwrap().clone());
    let moved = Moved::at("2026-01-01T00:00:00Z", |tables| {
        tables.sources = table("sources", vec![overdue]);
        tables.videos = table("videos", vec![video("v1", "interview", None)]);
    });
    assert_eq!(field(&moved.data("/v1/mma/videos").await, "id"), ["v1"]);
}

#[tokio::test]
async fn a_video_is_identifiers_and_an_official_address() {
    let video = moved().data("/v1/mma/bouts/b1/videos").await[0].clone();
    assert_eq!(
        video,
        json!({"id": "v4", "url": "https://v.test/v4", "title": "Video v4", "channel": "Cage TV", "channel_id": null,
            "video_type": "full_fight", "type_rule": "title", "published_at": null,
            "first_seen_at": "2020-01-09T00:00:00+00:00", "fighter_ids": [], "event_ids": [event("e1")],
            "bout_ids": [bout("b1")]})
    );
}
