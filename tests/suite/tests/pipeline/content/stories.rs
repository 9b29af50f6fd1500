//! One story told by several outlets, under several headlines; videos.

use crate::content::{facts, news, told};

const WIRE: [&str; 5] = ["headline", "link", "outlet", "also_in", "previous_headlines"];

#[test]
fn one_link_is_one_story_and_its_headlines_are_kept() {
    let link = "https://outlet.example/story";
    let first = news(&[("First headline of it", &format!("{link}/?utm_source=rss"), "Outlet", "2026-03-01")]);
    let second = news(&[("Second headline of it", &format!("{link}#top"), "Outlet", "2026-03-01")]);
    let empty = news(&[]);
    let captures = || {
        vec![
            facts("news", "2026-03-01", &[("a.json", &first)]),
            facts("news", "2026-03-02", &[("a.json", &second)]),
            facts("news", "2026-03-03", &[("a.json", &empty)]),
        ]
    };
    let story = told(captures());
    let expected =
        r#"Second headline of it | https://outlet.example/story | Outlet | [] | ["First headline of it"]"#;
    assert_eq!(story.rows("wire", &WIRE), [expected]);
    assert_eq!(story.rows("wire", &["first_seen_at"]), ["2026-03-01T00:00:00Z"]);
    // In whichever order they are taken in.
    let mut turned = captures();
    turned.reverse();
    assert_eq!(told(turned).tables, story.tables);
}

#[test]
fn outlets_that_tell_one_story_under_one_headline_are_one_row() {
    let file = news(&[
        ("Quandle beats Tand at home", "https://b.example/2", "B", "Mon, 02 Mar 2026 10:00:00 +0000"),
        ("QUANDLE beats Tand — at home!", "https://a.example/1", "A", "2026-03-01T10:00:00Z"),
        ("Quandle beats Tand at home", "https://a.example/other", "A", "2026-03-02T10:00:00Z"),
        ("Quandle beats Tand at home", "https://c.example/late", "C", "2026-03-09T10:00:00Z"),
        ("Results", "https://a.example/r", "A", "2026-03-01T10:00:00Z"),
        ("Results", "https://b.example/r", "B", "2026-03-01T10:00:00Z"),
    ]);
    let story = told(vec![facts("news", "2026-03-10", &[("a.json", &file)])]);
    let mut rows = story.rows("wire", &["link", "also_in"]);
    rows.sort();
    assert_eq!(
        rows,
        [
            r#"https://a.example/1 | [{"link":"https://b.example/2","outlet":"B"}]"#,
            "https://a.example/other | []",
            "https://a.example/r | []",
            "https://b.example/r | []",
            "https://c.example/late | []",
        ]
    );
}

#[test]
fn a_story_dated_after_its_capture_has_no_time_and_its_headline_is_as_readers_show_it() {
    let headline = "Quandle &amp;#8217;s <b>return</b> &amp; more";
    let file = news(&[(headline, "https://a.example/1", "A", "2037-03-01T10:00:00Z")]);
    let of = |days: &[&str]| told(days.iter().map(|day| facts("news", day, &[("a.json", &file)])).collect());
    let story = of(&["2026-03-10"]);
    assert_eq!(story.rows("wire", &["headline"]), ["Quandle ’s return & more"]);
    assert!(!story.rows("wire", &["published_at"])[0].contains("2037"));
    let notes = story.rows("quarantine", &["severity", "kind", "reason"]);
    let note = "note | unreadable_value | it is dated 2037-03-01T10:00:00Z, after it was captured";
    assert!(notes.iter().any(|told| told == note), "{notes:?}");
    assert_eq!(of(&["2026-03-10", "2037-03-02"]).rows("wire", &["published_at"]), ["2037-03-01T10:00:00Z"]);
}

#[test]
fn a_video_is_known_by_its_id_and_stays_when_it_leaves_the_feed() {
    let feed = include_str!("../../../../fixtures/videos/channel-feed/channel.xml");
    let later = news(&[(
        "Quandle vs Tand | FULL FIGHT",
        "https://www.youtube.com/shorts/aaaaaaaaaa1",
        "Sample Channel YouTube",
        "2026-02-06T17:00:00+00:00",
    )]);
    let videos = told(vec![
        facts("videos", "2026-02-07", &[("channel.xml", feed)]),
        facts("news", "2026-03-09", &[("a.json", &later)]),
    ]);
    let columns = ["video_id", "url", "title", "video_type", "type_rule", "channel_id", "first_seen_at"];
    assert_eq!(
        videos.rows("videos", &columns),
        [
            "aaaaaaaaaa1 | https://www.youtube.com/watch?v=aaaaaaaaaa1 | Quandle vs Tand | FULL FIGHT | full_fight | \
         full_fight | UCSAMPLECHANNEL | 2026-02-07T00:00:00Z",
            "aaaaaaaaaa2 | https://www.youtube.com/watch?v=aaaaaaaaaa2 | By its link | other | none | UCSAMPLECHANNEL | \
         2026-02-07T00:00:00Z",
        ]
    );
    let kinds = videos.rows("mentions", &["item_kind", "item_id", "entity_kind", "rule"]);
    assert!(kinds.contains(&"video | aaaaaaaaaa1 | bout | pair".to_owned()), "{kinds:?}");
}
