//! Images, articles, the wire and videos, from files as received to what is told: rights, stories, types and whom a
//! text is about.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use bytes::Bytes;
use chrono::{DateTime, Utc};
use fdna_kit::{BoutRow, CaptureFiles};
use fdna_normalise::{CaptureFacts, TableSet, enrich, normalise, quarantine_table};
use fdna_schemas::TableReader;
use serde_json::json;

fn at(text: &str) -> DateTime<Utc> {
    let text = if text.len() == 10 { format!("{text}T00:00:00Z") } else { text.to_owned() };
    DateTime::parse_from_rfc3339(&text).unwrap().to_utc()
}

fn facts(source: &str, captured_at: &str, files: &[(&str, &str)]) -> CaptureFacts {
    let files: Vec<(String, Bytes)> = files
        .iter()
        .map(|(name, text)| ((*name).to_owned(), Bytes::copy_from_slice(text.as_bytes())))
        .collect();
    let ingested = fdna_ingest::ingest(source, &files).unwrap();
    let id = format!("{source}-{captured_at}");
    let set_aside = ingested.findings.into_iter().map(|f| (id.clone(), "ingest", f)).collect();
    CaptureFacts {
        source: source.to_owned(),
        capture: id,
        captured_at: at(captured_at),
        tables: ingested.tables.into_iter().collect(),
        set_aside: quarantine_table(set_aside).unwrap(),
    }
}

/// Two cards of early 2026, one of 2009, and two fighters of one name.
fn history() -> TableSet {
    let bout = |id, event, bout| BoutRow { id, event, bout, ..BoutRow::default() };
    let fighters = [
        "Zorvik Quandle",
        "Mirela Tand",
        "Abel Quoss",
        "Iain St. Rell",
        "Lio Varga",
        "Pia Ostrom",
        "Bruno Vex",
        "Bruno Vex",
        "Ezra Olds",
        "Juno Past",
        "Kora Hill",
        "Waldo Cort-Asta",
    ];
    let files = (1..).zip(fighters).fold(CaptureFiles::default(), |files, (id, name)| {
        files.fighter(id, name, if id == 8 { "265" } else { "155" }, "1990-01-01")
    });
    let (now, night, then) =
        ("UFC 326: Quandle vs. Tand", "UFC Fight Night: Varga vs. Ostrom", "UFC 101: Olds vs. Past");
    let files = files
        .event(1, now, "2026-03-07")
        .event(2, night, "2026-02-14")
        .event(3, then, "2009-08-08")
        .bout(bout(1, now, "Zorvik Quandle vs. Mirela Tand"))
        .bout(bout(2, now, "Abel Quoss vs. Iain St. Rell"))
        .bout(BoutRow { weight: "Lightweight Bout", ..bout(3, now, "Bruno Vex vs. Kora Hill") })
        .bout(bout(4, night, "Lio Varga vs. Pia Ostrom"))
        .bout(bout(5, then, "Ezra Olds vs. Juno Past"))
        .bout(BoutRow { weight: "Heavyweight Bout", ..bout(6, then, "Bruno Vex vs. Waldo Cort-Asta") })
        .files();
    let files: Vec<(&str, String)> = files
        .iter()
        .map(|(name, bytes)| (name.as_str(), String::from_utf8(bytes.clone()).unwrap()))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let normalised = normalise(vec![facts("statsdb", "2026-03-20", &files)]).unwrap();
    TableSet(normalised.tables.into_iter().collect())
}

/// Tables by name, with the names of fighters and events for their ids.
struct Told {
    tables: BTreeMap<String, RecordBatch>,
    names: BTreeMap<String, String>,
}

fn told(captures: Vec<CaptureFacts>) -> Told {
    let history = history();
    let mut names = BTreeMap::new();
    for (table, id) in [("fighters", "fighter_id"), ("events", "event_id")] {
        let reader = history.reader(table).unwrap();
        let ids = reader.ids(id).unwrap().into_iter().map(|id| id.to_string());
        names.extend(ids.zip(reader.texts("name").unwrap().into_iter().map(str::to_owned)));
    }
    let enriched = enrich(&history, captures).unwrap();
    assert!(enriched.counts.iter().all(|c| c.rows_in == c.rows_out + c.set_aside));
    Told { tables: enriched.tables.into_iter().collect(), names }
}

impl Told {
    fn read(&self, table: &'static str) -> TableReader<'_> {
        TableReader::new(table, &self.tables[table])
    }

    /// Rows with these columns, null as `-`.
    fn rows(&self, table: &'static str, columns: &[&str]) -> Vec<String> {
        let batch = &self.tables[table];
        let options = FormatOptions::default().with_null("-");
        let formats: Vec<ArrayFormatter<'_>> = columns
            .iter()
            .map(|name| ArrayFormatter::try_new(batch.column_by_name(name).unwrap(), &options).unwrap())
            .collect();
        let name = |text: String| self.names.get(&text).cloned().unwrap_or(text);
        (0..batch.num_rows())
            .map(|i| formats.iter().map(|f| name(f.value(i).to_string())).collect::<Vec<_>>().join(" | "))
            .collect()
    }

    /// What is mentioned and why, bouts without their id.
    fn mentions(&self) -> Vec<String> {
        let reader = self.read("mentions");
        let (kinds, rules) = (reader.texts("entity_kind").unwrap(), reader.texts("rule").unwrap());
        let ids = reader.ids("entity_id").unwrap();
        let name = |i: usize| self.names.get(&ids[i].to_string()).map_or("", String::as_str);
        let mut lines: Vec<String> = (0..reader.rows())
            .map(|i| format!("{} {}: {}", kinds[i], name(i), rules[i]).replace(" :", ":"))
            .collect();
        lines.sort();
        lines
    }
}

fn news(items: &[(&str, &str, &str, &str)]) -> String {
    let items: Vec<_> = items
        .iter()
        .map(|(title, link, source, date)| json!({"title": title, "link": link, "source": source, "pubDate": date}))
        .collect();
    json!({ "articles": items }).to_string()
}

/// Whom one headline of that day is about.
fn about(headline: &str, date: &str) -> Vec<String> {
    let file = news(&[(headline, "https://outlet.example/a", "Outlet", date)]);
    told(vec![facts("news", date, &[("a.json", &file)])]).mentions()
}

#[test]
fn a_headline_is_about_those_whom_it_names_clearly() {
    let day = "2026-03-01";
    let quandle = "fighter Zorvik Quandle: full_name";
    let bout = |rule: &str| {
        vec![
            format!("bout: {rule}"),
            "event UFC 326: Quandle vs. Tand: of_bout".to_owned(),
            format!("fighter Mirela Tand: {rule}"),
            format!("fighter Zorvik Quandle: {rule}"),
        ]
    };
    assert_eq!(about("Zorvik Quandle's rise", day), [quandle]);
    assert_eq!(about("ZÓRVIK QUANDLE is back #shorts", day), [quandle]);
    assert_eq!(about("Quandle vs. Tand is on", day), bout("pair"));
    let half_in_full = about("QUANDLE vs MIRELA TAND: who wins", day);
    assert_eq!(half_in_full[..2], bout("pair")[..2]);
    assert_eq!(half_in_full[2..], ["fighter Mirela Tand: full_name", "fighter Zorvik Quandle: pair"]);
    assert_eq!(about("Mirela Tand laughs #zorvikquandle", day), ["fighter Mirela Tand: full_name", quandle]);
    assert_eq!(about("Tand shuts down Zorvik Quandle", day)[2], "fighter Mirela Tand: surname_of_opponent");
    assert_eq!(about("Mirela Tand, Zorvik Quandle make weight", day)[0], "bout: both_names");
    assert_eq!(about("Iain St. Rell speaks", day), ["fighter Iain St. Rell: full_name"]);
    assert_eq!(
        about("What Quoss did at UFC 326", day),
        ["event UFC 326: Quandle vs. Tand: event_number", "fighter Abel Quoss: surname_at_event"]
    );
    assert_eq!(
        about("Fight Night: Varga vs. Ostrom results", day),
        [
            "bout: pair",
            "event UFC Fight Night: Varga vs. Ostrom: fight_night_headliners",
            "fighter Lio Varga: pair",
            "fighter Pia Ostrom: pair",
        ]
    );
    assert_eq!(about("#UFC326 is here", day), ["event UFC 326: Quandle vs. Tand: event_number"]);
}

#[test]
fn what_is_not_clear_is_about_nobody() {
    let day = "2026-03-01";
    for nobody in [
        "Quandle speaks", // a surname alone
        "quandle vs. nobody we know",
        "zorvik quandle in small letters", // no name is written so
        "Zorvik, Quandle and others",
        "UFC 3266 and UFC 9",
        "Ezra Olds wins the lottery", // one bout, long ago: rather somebody else
        "",
        "🔥🔥🔥",
    ] {
        assert_eq!(about(nobody, day), Vec::<String>::new(), "{nobody}");
    }
    // A surname on the card, but of somebody with another first name, and one that is a word.
    let event = ["event UFC 326: Quandle vs. Tand: event_number"];
    assert_eq!(about("Zorvik Quoss at UFC 326", day), event);
    assert_eq!(about("The Hill to die on at UFC 326", day), event);
    // Long after the bout the pair means none, and a full name still means the fighter.
    assert_eq!(about("Quandle vs. Tand, looking back", "2026-08-01"), Vec::<String>::new());
    assert_eq!(about("Tand beat Zorvik Quandle", "2026-08-01"), ["fighter Zorvik Quandle: full_name"]);
}

#[test]
fn of_two_of_one_name_the_one_who_fights_is_meant() {
    let found = told(vec![facts(
        "news",
        "2026-03-01",
        &[("a.json", &news(&[("Bruno Vex speaks", "https://outlet.example/a", "Outlet", "2026-03-01")]))],
    )]);
    assert_eq!(found.mentions(), ["fighter Bruno Vex: full_name_of_several"]);
    let id = found.read("mentions").ids("entity_id").unwrap()[0];
    let history = history();
    let bouts = history.reader("bouts").unwrap();
    let fights = bouts.ids("fighter_a_id").unwrap().into_iter().zip(bouts.ids("fighter_b_id").unwrap());
    let dates = bouts.days("event_date").unwrap();
    let date = fights.zip(dates).find(|((a, b), _)| *a == id || *b == id).unwrap().1;
    assert_eq!(date.to_string(), "2026-03-07");
    // Between the two careers nobody can say.
    assert_eq!(about("Bruno Vex speaks", "2018-01-01"), Vec::<String>::new());
}

#[test]
fn a_host_is_not_told_about_by_the_titles_of_his_show() {
    let video = |channel| {
        let file = news(&[(
            "Abel Quoss talks to Zorvik Quandle",
            "https://www.youtube.com/watch?v=aaaaaaaaaa1",
            channel,
            "2026-03-01",
        )]);
        told(vec![facts("news", "2026-03-01", &[("a.json", &file)])]).mentions()
    };
    assert_eq!(video("Zorvik Quandle YouTube"), ["fighter Abel Quoss: full_name"]);
    assert_eq!(video("Another YouTube").len(), 2);
}

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
fn a_video_is_known_by_its_id_and_stays_when_it_leaves_the_feed() {
    let feed = include_str!("../../fixtures/videos/channel-feed/channel.xml");
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

const IMAGES: [&str; 5] = ["image_url", "fighter_id", "not_served_reason", "is_primary", "attribution_text"];

fn images(captures: &[(&str, serde_json::Value)]) -> Vec<String> {
    let texts: Vec<(&str, String)> = captures.iter().map(|(date, json)| (*date, json.to_string())).collect();
    let captures = texts.iter().map(|(date, text)| facts("images", date, &[("a.json", text)])).collect();
    let mut rows = told(captures).rows("images", &IMAGES);
    rows.sort();
    rows
}

/// A record of Zorvik Quandle that may be shown, with other fields.
fn image(name: &str, fields: serde_json::Value) -> serde_json::Value {
    let mut record = json!({
        "subject_name": "Zorvik Quandle", "image_url": format!("https://i.example/{name}"), "kind": "portrait",
        "license": "CC0", "author": "Ana",
    });
    for (key, value) in fields.as_object().unwrap() {
        record[key] = value.clone();
    }
    record
}

#[test]
fn an_image_without_licence_or_credit_is_not_served() {
    let rows = images(&[(
        "2026-03-01",
        json!([
            image("a", json!({})),
            image("b", json!({"license": null})),
            image("c", json!({"license": "All rights reserved", "attribution_text": "Ana"})),
            image("d", json!({"author": null})),
            image("e", json!({"author": null, "attribution_text": "By Ana"})),
            image("f", json!({"rights_expires_at": "2026-03-01"})),
            image("g", json!({"rights_expires_at": "2026-03-02"})),
            image("h", json!({"subject_name": "Nobody Known"})),
        ]),
    )]);
    let but_primary: Vec<String> =
        rows.iter().map(|row| row.replace("| true |", "|").replace("| false |", "|")).collect();
    assert_eq!(
        but_primary,
        [
            "https://i.example/a | Zorvik Quandle | - | Ana, CC0",
            "https://i.example/b | Zorvik Quandle | no_licence | -",
            "https://i.example/c | Zorvik Quandle | no_licence | Ana",
            "https://i.example/d | Zorvik Quandle | no_attribution | -",
            "https://i.example/e | Zorvik Quandle | - | By Ana",
            "https://i.example/f | Zorvik Quandle | rights_expired | Ana, CC0",
            "https://i.example/g | Zorvik Quandle | - | Ana, CC0",
            "https://i.example/h | - | - | Ana, CC0",
        ]
    );
    assert_eq!(rows.iter().filter(|row| row.contains("| true |")).count(), 1, "one picture a fighter");
}

/// The image that is the fighter's picture.
fn picture(records: serde_json::Value) -> String {
    let rows = images(&[("2026-03-01", records)]);
    let row = rows.iter().find(|row| row.contains("| true |")).cloned().unwrap_or_default();
    row.split(" | ").next().unwrap_or_default().trim_start_matches("https://i.example/").to_owned()
}

#[test]
fn the_picture_is_a_portrait_that_is_served_large_and_new() {
    let small = json!({"width": 100, "height": 100});
    let large = json!({"width": 800, "height": 800});
    assert_eq!(
        picture(json!([
            image("a", json!({"kind": "action", "width": 900, "height": 900})),
            image("b", small.clone())
        ])),
        "b"
    );
    assert_eq!(picture(json!([image("a", small.clone()), image("b", large.clone())])), "b");
    assert_eq!(picture(json!([image("a", large), image("b", json!({}))])), "a");
    let made = |date: &str| json!({"width": 100, "height": 100, "created_at": date});
    assert_eq!(picture(json!([image("a", made("2026-01-01")), image("b", made("2026-01-02"))])), "b");
    assert_eq!(
        picture(json!([image("a", json!({"license": ""})), image("b", json!({"kind": "action"}))])),
        "b"
    );
    assert_eq!(picture(json!([image("a", json!({"rights_expires_at": "2020-01-01"}))])), "");
    let (ab, ba) = (
        json!([image("a", json!({})), image("b", json!({}))]),
        json!([image("b", json!({})), image("a", json!({}))]),
    );
    assert_eq!(picture(ab), picture(ba), "the order of the records does not matter");
}

#[test]
fn the_newest_record_of_an_image_says_all_of_its_rights() {
    let licensed = json!([image("a", json!({}))]);
    let revoked = json!([image("a", json!({"license": null}))]);
    let elsewhere = json!([image("b", json!({"subject_name": "Abel Quoss"}))]);
    let rows = images(&[
        ("2026-03-01", licensed.clone()),
        ("2026-03-02", revoked.clone()),
        ("2026-03-03", elsewhere.clone()),
    ]);
    assert_eq!(rows[0], "https://i.example/a | Zorvik Quandle | no_licence | false | -");
    assert_eq!(images(&[("2026-03-03", elsewhere), ("2026-03-02", revoked), ("2026-03-01", licensed)]), rows);
    // Rights end as the captures go on.
    let ending = json!([image("a", json!({"rights_expires_at": "2026-03-02"}))]);
    assert!(images(&[("2026-03-01", ending.clone())])[0].contains("| - | true |"));
    assert!(images(&[("2026-03-01", ending), ("2026-03-05", json!([]))])[0].contains("rights_expired"));
}

#[test]
fn of_two_records_of_one_address_the_first_stands_and_the_other_is_set_aside() {
    let both = json!([
        image("a", json!({})),
        image("a", json!({"subject_name": "Abel Quoss"})),
        image("a", json!({}))
    ]);
    let told = told(vec![facts("images", "2026-03-01", &[("a.json", &both.to_string())])]);
    assert_eq!(told.rows("images", &["fighter_id"]), ["Zorvik Quandle"]);
    assert_eq!(
        told.rows("quarantine", &["line", "kind", "severity"]),
        ["2 | duplicate | quarantine", "3 | duplicate | note"]
    );
}

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
