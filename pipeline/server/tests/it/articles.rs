//! The newsroom: published articles only.

use serde_json::{Value, json};

use crate::common::get;
use crate::content::{Moved, app_at, bout, captured, event, field, fighter, image, mention, source, uuid};
use crate::snapshot::table;

const NOW: &str = "2026-01-01T00:00:00Z";

fn moved(now: &str) -> Moved {
    let row = |slug: &str, day: Option<&str>, status: &str, hero: Option<u128>| {
        json!({"slug": slug, "title": format!("Title of {slug}"), "author": "Una Pen", "tags": "[\"preview\",\"a \\\"b\\\"\"]",
            "published_at": day.map(|day| format!("{day}T12:00:00Z")), "status": status,
            "hero_image_id": hero.map(uuid), "body": "# Text\n\n\"quoted\""})
    };
    Moved::at(now, |tables| {
        tables.sources = captured(&["editorial"]);
        tables.articles = table(
            "articles",
            vec![
                row("older", Some("2025-05-01"), "published", Some(1)),
                row("newer", Some("2025-06-01"), "published", Some(2)),
                row("ahead", Some("2026-02-01"), "published", None),
                row("draft", Some("2025-07-01"), "draft", None),
                row("undated", None, "draft", None),
            ],
        );
        let gone = json!({"rights_expires_at": "2025-12-31T00:00:00Z"});
        tables.images = table("images", vec![image(1, None, &json!({})), image(2, Some("fa"), &gone)]);
        tables.mentions = table(
            "mentions",
            vec![
                mention(("article", "older"), ("fighter", fighter("fa"))),
                mention(("article", "older"), ("event", event("e1"))),
                mention(("article", "newer"), ("bout", bout("b2"))),
                mention(("article", "draft"), ("fighter", fighter("fa"))),
                mention(("wire", "older"), ("fighter", fighter("fd"))),
            ],
        );
    })
}

#[tokio::test]
async fn news_is_what_is_published_newest_first() {
    let moved = moved(NOW);
    let reply = get(&moved.app, "/v1/mma/news").await;
    assert_eq!(field(&reply.data(), "slug"), ["newer", "older"]);
    let meta = reply.json()["meta"].clone();
    assert_eq!([&meta["count"], &meta["total"], &meta["limit"], &meta["offset"]], [2, 2, 20, 0]);
    assert_eq!(field(&moved.data("/v1/mma/news?limit=1&offset=1").await, "slug"), ["older"]);
    assert_eq!(moved.data("/v1/mma/news?tag=preview").await.as_array().unwrap().len(), 2);
    assert_eq!(moved.data("/v1/mma/news?tag=prev").await, json!([]));
}

#[tokio::test]
async fn an_article_has_its_text_and_an_image_only_while_it_may_be_shown() {
    let moved = moved(NOW);
    let article = moved.data("/v1/mma/articles/older").await;
    assert_eq!(article["hero"]["attribution_text"], "Pia Lens, CC BY 4.0");
    let mut rest = article.clone();
    rest["hero"].take();
    assert_eq!(
        rest,
        json!({"slug": "older", "title": "Title of older", "dek": null, "author": "Una Pen",
            "published_at": "2025-05-01T12:00:00+00:00", "updated_at": null, "tags": ["preview", "a \"b\""],
            "fighter_ids": [fighter("fa")], "event_ids": [event("e1")], "bout_ids": [], "hero": null,
            "body": "# Text\n\n\"quoted\""})
    );
    let newer = moved.data("/v1/mma/articles/newer").await;
    assert_eq!((&newer["hero"], &newer["event_ids"]), (&Value::Null, &json!([event("e2")])));
    assert!(moved.data("/v1/mma/news").await[0].get("body").is_none());
}

#[tokio::test]
async fn what_is_unknown_a_draft_or_dated_ahead_is_404() {
    let moved = moved(NOW);
    for slug in ["nothing", "draft", "undated", "ahead", "Older"] {
        let reply = get(&moved.app, &format!("/v1/mma/articles/{slug}")).await;
        assert_eq!(
            (reply.status.as_u16(), &reply.json()["error"]["code"]),
            (404, &json!("not_found")),
            "{slug}"
        );
    }
    let before = get(&moved.app, "/v1/mma/news").await.header("etag").to_owned();
    moved.to("2026-02-01T12:00:00Z");
    let after = get(&moved.app, "/v1/mma/news").await;
    assert_eq!(field(&after.data(), "slug"), ["ahead", "newer", "older"]);
    assert_ne!(after.header("etag"), before);
    assert_eq!(moved.data("/v1/mma/articles/ahead").await["slug"], "ahead");
}

#[tokio::test]
async fn articles_are_found_by_whom_and_what_they_are_about() {
    let moved = moved(NOW);
    for (path, found) in [
        ("events/e1/articles", vec!["older"]),
        ("events/e2/articles", vec!["newer"]),
        ("events/e3/articles", vec![]),
        ("fighters/fa/articles", vec!["older"]),
        ("fighters/fd/articles", vec![]),
    ] {
        let reply = get(&moved.app, &format!("/v1/mma/{path}")).await;
        assert_eq!(field(&reply.data(), "slug"), found, "{path}");
        assert_eq!(reply.json()["meta"]["total"], found.len(), "{path}");
    }
    for path in ["events/nobody/articles", "fighters/nobody/articles"] {
        assert_eq!(get(&moved.app, &format!("/v1/mma/{path}")).await.status.as_u16(), 404, "{path}");
    }
}

#[tokio::test]
async fn without_a_capture_there_is_no_newsroom_to_ask() {
    let never = source("editorial", &["editorial"], None);
    for (sources, reason) in [(vec![], "no_source"), (vec![never], "never_captured")] {
        let app = app_at(NOW, |tables| tables.sources = table("sources", sources));
        for (path, code) in [("news", "news_not_available"), ("articles/older", "articles_not_available")] {
            let reply = get(&app, &format!("/v1/mma/{path}")).await;
            let error = &reply.json()["error"];
            assert_eq!((reply.status.as_u16(), &error["code"]), (503, &json!(code)));
            assert_eq!(error["details"], json!({"group": "editorial", "reason": reason}));
        }
    }
}
