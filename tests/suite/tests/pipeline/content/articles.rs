//! Articles, and what they show.

use serde_json::json;

use crate::content::images::image;
use crate::content::{facts, told};

fn article(slug: &str, more: &str) -> String {
    format!("---\nslug: {slug}\ntitle: Of {slug}\n{more}---\nText.\n")
}

#[test]
fn articles_are_those_of_the_newest_capture_each_known_since_the_first_that_had_it() {
    let (a, b, c, new_a) = (
        article("a", ""),
        article("b", "published_at: 2026-03-01\n"),
        article("c", ""),
        article("a", "published_at: 2026-03-02\n"),
    );
    let told = told(vec![
        facts("articles", "2026-03-02", &[("a.md", &new_a), ("c.md", &c)]),
        facts("articles", "2026-03-01", &[("a.md", &a), ("b.md", &b)]),
    ]);
    assert_eq!(
        told.rows("articles", &["slug", "status", "published_at", "first_seen_at"]),
        [
            "a | published | 2026-03-02T00:00:00Z | 2026-03-01T00:00:00Z",
            "c | draft | - | 2026-03-02T00:00:00Z"
        ]
    );
}

#[test]
fn an_article_shows_only_an_image_that_is_served_and_names_whom_it_is_about() {
    let images = json!([image("good", json!({})), image("bad", json!({"license": null}))]).to_string();
    let text =
        "fighters: [Zorvik Quandle, 'statsdb:0000000000000003', Nobody Known]\nevents: [UFC 326, UFC 999]\n";
    let good = article("good", &format!("hero: https://i.example/good\npublished_at: 2026-03-01\n{text}"));
    let bad = article("bad", "hero: https://i.example/bad\n");
    let none = article("none", "hero: https://i.example/none\n");
    let told = told(vec![
        facts("images", "2026-03-01", &[("a.json", &images)]),
        facts("articles", "2026-03-01", &[("bad.md", &bad), ("good.md", &good), ("none.md", &none)]),
    ]);
    let heroes = told.read("articles").uuids("hero_image_id").unwrap();
    assert_eq!(heroes.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, false]);
    assert_eq!(
        told.mentions(),
        [
            "event UFC 326: Quandle vs. Tand: stated_name",
            "fighter Abel Quoss: stated_id",
            "fighter Zorvik Quandle: stated_name",
        ]
    );
    assert_eq!(
        told.rows("quarantine", &["file", "kind", "reason"]),
        [
            "bad.md | contradiction | the hero `https://i.example/bad` may not be shown",
            "good.md | unknown_event | nobody can say which event `UFC 999` is",
            "good.md | unknown_fighter | nobody can say which fighter `Nobody Known` is",
            "none.md | missing_value | the hero `https://i.example/none` is no known image",
        ]
    );
}
