//! The schedule over time, through the command line: later captures change a card, a second run finds nothing new, the
//! state of before comes back, a cold rebuild gives the same, and what a person decided holds.

use std::collections::BTreeMap;
use std::path::Path;

use fdna_suite::{Row, TestLake, cells, rows};

const PROGRAM: &str = env!("CARGO_BIN_EXE_fightdna-under-test");

/// A folder of the checked-in sample.
fn sample(folder: &str) -> String {
    format!("{}/../../data/sample/{folder}", env!("CARGO_MANIFEST_DIR"))
}

fn statsdb(folder: &str) -> String {
    format!("statsdb={}", sample(folder))
}

fn announced() -> String {
    format!("feed={}", sample("feed/2025-11-01"))
}

/// The history and the card as first announced.
fn first(bench: &TestLake) {
    bench.ok(&["run", "--quiet", "--source", &statsdb("statsdb/2025-11-01"), "--source", &announced()]);
}

/// The two captures in which the card changed.
fn later(bench: &TestLake) -> String {
    bench.ok(&["run", "--captures", &format!("feed={}", sample("feed-later"))])
}

fn write(bench: &TestLake, path: &str, text: &str) {
    let path = bench.folder().join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::io::Write::write_all(&mut std::fs::File::create(path).unwrap(), text.as_bytes()).unwrap();
}

struct Tables {
    all: BTreeMap<String, Vec<Row>>,
    names: BTreeMap<String, String>,
}

const READ: [&str; 8] =
    ["events", "bouts", "fighters", "results", "corrections", "identities", "aliases", "bout_listings"];

fn tables(bench: &TestLake) -> Tables {
    let mut read = bench.tables();
    let all: BTreeMap<_, _> =
        READ.iter().map(|name| ((*name).to_owned(), rows(&read.remove(*name).unwrap()))).collect();
    let names = all["fighters"].iter().map(|row| (row["fighter_id"].clone(), row["name"].clone())).collect();
    Tables { all, names }
}

impl Tables {
    fn bout(&self, pair: [&str; 2]) -> &Row {
        let is_pair = |row: &&Row| {
            let found = ["fighter_a_id", "fighter_b_id"].map(|column| self.names[&row[column]].as_str());
            found == pair || found == [pair[1], pair[0]]
        };
        let found: Vec<&Row> = self.all["bouts"].iter().filter(is_pair).collect();
        assert_eq!(found.len(), 1, "bouts of {pair:?}");
        found[0]
    }

    fn find(&self, table: &str, column: &str, text: &str) -> Vec<&Row> {
        self.all[table].iter().filter(|row| row.get(column).is_some_and(|cell| cell == text)).collect()
    }

    /// Our id of a source's.
    fn id(&self, kind: &str, source: &str, source_id: &str) -> &str {
        let found = self.find("identities", "source_id", source_id);
        let of_source = found.into_iter().find(|row| row["kind"] == kind && row["source"] == source);
        &of_source.unwrap_or_else(|| panic!("no {kind} {source_id} of {source}"))["entity_id"]
    }

    fn corrections(&self, id: &str) -> Vec<String> {
        let of_it = self.find("corrections", "entity_id", id);
        let text = |row: &&Row| {
            let named = |column: &str| {
                let text = cells(row, &[column]);
                self.names.get(&text).cloned().unwrap_or(text)
            };
            format!("{} {}: {} -> {}", row["kind"], row["field"], named("old"), named("new"))
        };
        let mut lines: Vec<String> = of_it.iter().map(text).collect();
        lines.sort();
        lines
    }
}

#[test]
fn later_captures_take_a_bout_off_replace_an_opponent_and_move_the_start() {
    let bench = TestLake::new(PROGRAM);
    first(&bench);
    let before = tables(&bench);
    let off = ["Vlornax Quansnick", "Mozbix Nibwump"];
    assert_eq!(before.bout(off)["status"], "scheduled");
    later(&bench);
    let after = tables(&bench);
    assert_eq!(
        cells(after.bout(off), &["bout_id", "status"]),
        format!("{} cancelled", before.bout(off)["bout_id"])
    );
    let old = after.bout(["Grumzu Blunbottle", "Skrenbix Truzwobble"]);
    let new = after.bout(["Grumzu Blunbottle", "Drulunk Plonwobble"]);
    assert_eq!((&*old["status"], &new["replaced_bout_id"]), ("cancelled", &old["bout_id"]));
    assert_eq!(cells(new, &["status", "short_notice_days"]), "scheduled 7");
    assert_eq!(
        after.corrections(&new["bout_id"]),
        [
            "bout opponent: Skrenbix Truzwobble -> Drulunk Plonwobble",
            "bout start_at: 2025-11-23T02:00:00+00:00 -> 2025-11-23T03:00:00+00:00",
        ]
    );
    // Two bouts changed places; all others only have one bout less below them.
    let moved = |id: &str| {
        let said = after.corrections(after.id("bout", "feed", id));
        said.iter().filter(|line| line.contains("bout_order")).count()
    };
    assert_eq!(["401900011", "401900012"].map(moved), [1, 1]);
    assert_eq!(["401900000", "401900001", "401900010"].map(moved), [0, 0, 0]);
    let event = after.corrections(after.id("event", "feed", "690000031"));
    assert_eq!(event, ["event start_at: 2025-11-22T23:00:00+00:00 -> 2025-11-23T00:00:00+00:00"]);
}

#[test]
fn a_second_run_finds_nothing_new_and_after_a_rollback_the_state_of_before_is_whole() {
    let bench = TestLake::new(PROGRAM);
    first(&bench);
    let before = bench.snapshot().id;
    later(&bench);
    let after = bench.snapshot().id;
    assert_ne!(before, after);
    for again in [bench.ok(&["run"]), later(&bench)] {
        assert!(again.contains("nothing new: snapshot"), "{again}");
    }
    bench.ok(&["rollback"]);
    assert_eq!(bench.snapshot().id, before);
    assert_eq!(tables(&bench).bout(["Vlornax Quansnick", "Mozbix Nibwump"])["status"], "scheduled");
    bench.ok(&["verify"]);
    // What was taken in since is still there: the next run publishes it again, as it was.
    bench.ok(&["run"]);
    assert_eq!(bench.snapshot().id, after);
    bench.ok(&["verify"]);
}

#[test]
fn the_card_as_known_between_two_captures_is_the_one_of_the_first() {
    let (whole, then) = (TestLake::new(PROGRAM), TestLake::new(PROGRAM));
    first(&then);
    first(&whole);
    later(&whole);
    let (current, id) = (whole.snapshot().id, then.snapshot().id);
    let report = whole.ok(&["run", "--known-at", "2025-11-10T00:00:00Z"]);
    assert!(report.contains(&format!("snapshot {id} as known at")), "{report}");
    assert_eq!(whole.snapshot().id, current, "what is served stays");
    let known = whole.lake().snapshot(&id).unwrap();
    assert_eq!(known.captures, then.snapshot().captures);
    // Between the two later captures the opponent is new and the start is not.
    let report = whole.ok(&["run", "--known-at", "2025-11-18T00:00:00Z"]);
    then.ok(&["run", "--quiet", "--source", &format!("feed={}", sample("feed-later/2025-11-15"))]);
    assert!(report.contains(&format!("snapshot {} as known at", then.snapshot().id)), "{report}");
    let start = |bench: &TestLake| {
        tables(bench).bout(["Grumzu Blunbottle", "Drulunk Plonwobble"])["start_at"].clone()
    };
    assert_eq!([start(&then), start(&whole)], ["2025-11-23T02:00:00Z", "2025-11-23T03:00:00Z"]);
}

/// Removes all that is made of the captures, but for what is published.
fn cool(bench: &TestLake) {
    let lake = bench.folder().join("lake");
    for stage in ["facts", "normalised", "derived", "merging"] {
        if lake.join(stage).is_dir() {
            std::fs::remove_dir_all(lake.join(stage)).unwrap();
        }
    }
}

#[test]
fn a_cold_rebuild_that_keeps_the_published_ids_gives_the_same_snapshot() {
    let bench = TestLake::new(PROGRAM);
    // The feed comes first, so that its ids are given before the statistics source has any.
    bench.ok(&["run", "--quiet", "--source", &announced()]);
    let of_feed = tables(&bench).id("bout", "feed", "401900001").to_owned();
    bench.ok(&["run", "--quiet", "--source", &statsdb("statsdb/2025-11-01")]);
    later(&bench);
    bench.ok(&["run", "--quiet", "--source", &statsdb("statsdb-later/2025-12-01")]);
    let (id, published) = (bench.snapshot().id, tables(&bench));
    assert_eq!(published.id("bout", "feed", "401900001"), of_feed, "given once, it stays");
    assert_eq!(published.find("bouts", "bout_id", &of_feed)[0]["status"], "completed");
    let cold = bench.copy();
    cool(&cold);
    cold.ok(&["run", "--quiet"]);
    assert_eq!(cold.snapshot().id, id);
    cold.ok(&["verify"]);
}

#[test]
fn a_cold_rebuild_without_what_was_published_gives_the_same_snapshot_where_no_better_source_came_late() {
    let (bench, cold) = (TestLake::new(PROGRAM), TestLake::new(PROGRAM));
    first(&bench);
    later(&bench);
    let every = format!("feed={}", sample("feed"));
    let later = format!("feed={}", sample("feed-later"));
    cold.ok(&[
        "run",
        "--quiet",
        "--captures",
        &later,
        "--captures",
        &every,
        "--source",
        &statsdb("statsdb/2025-11-01"),
    ]);
    assert_eq!(cold.snapshot().id, bench.snapshot().id);
}

/// A card of the night whose result is overturned later; synthetic, as the rest of the sample.
const CARD: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\n\
    UID:https://cards.example/event/sample-28\r\n\
    SUMMARY:Sample Fight Night 28: Vorbnork vs van Glornork\r\n\
    DTSTAMP:20250320T000000Z\r\nDTSTART:20250406T020000Z\r\n\
    DESCRIPTION:Main Card\\n--------------------\\n• Hoxquo Vorbnork vs. Ekkdrim van Glornork @205\\n\
    • Ekkzu Kwezwobble vs. Zorbix Urklop @170\r\n\
    LOCATION:Placeholder Hall\\, Fixture Falls Samplonia\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

#[test]
fn what_a_calendar_says_otherwise_takes_a_bout_off_only_where_it_can_be_read() {
    let bench = TestLake::new(PROGRAM);
    write(&bench, "cards/SYNTHETIC.txt", "made up\n");
    let (main, second) = (["Hoxquo Vorbnork", "Ekkdrim van Glornork"], ["Ekkzu Kwezwobble", "Zorbix Urklop"]);
    let status = |day: &str, card: &str, code: i32| {
        write(&bench, &format!("cards/2025-03-{day}T000000Z.ics"), card);
        let run = bench.run(&["run", "--quiet", "--captures", "cards=cards"]);
        assert_eq!(run.status.code(), Some(code), "{day}: {}", String::from_utf8_lossy(&run.stderr));
        let tables = tables(&bench);
        [main, second].map(|pair| cells(tables.bout(pair), &["status"]))
    };
    let on = ["scheduled", "scheduled"];
    assert_eq!(status("20", CARD, 0), on);
    let unknown = CARD.replace(" vs. ", " / ").replace('•', "");
    assert_eq!(status("21", &unknown, 65), on, "a layout that is not known");
    assert_eq!(status("22", &CARD.replace("Urklop @", "Urklop (?) @"), 0), on, "a line that is not");
    let first_alone = CARD.replace("\\n• Ekkzu Kwezwobble vs. Zorbix Urklop @170", "");
    assert_eq!(status("23", &first_alone, 0), ["scheduled", "cancelled"]);
    let plain = CARD.replace("• ", "").replace("Main Card", "Main Card — Sat\\, Apr 5\\, 10:00 PM EDT");
    assert_eq!(status("24", &plain, 0), on, "without bullets");
    let off = CARD.replace("END:VEVENT", "status:Cancelled\r\nEND:VEVENT");
    assert_eq!(status("25", &off, 0), ["cancelled", "cancelled"]);
    assert_eq!(status("26", CARD, 0), on);
}

#[test]
fn a_result_overturned_after_the_bout_was_listed_keeps_the_bout_and_its_listing() {
    let bench = TestLake::new(PROGRAM);
    write(&bench, "cards/SYNTHETIC.txt", "made up\n");
    write(&bench, "cards/2025-03-20T000000Z.ics", CARD);
    let pair = ["Ekkzu Kwezwobble", "Zorbix Urklop"];
    bench.ok(&["run", "--quiet", "--captures", "cards=cards"]);
    let listed = tables(&bench);
    let bout = listed.bout(pair).clone();
    assert_eq!(cells(&bout, &["status", "card_position"]), "scheduled co_main");
    let result = |tables: &Tables| {
        let bout_now = tables.bout(pair);
        assert_eq!(
            cells(bout_now, &["bout_id", "status", "card_position"]),
            format!("{} completed co_main", bout["bout_id"])
        );
        let result = tables.find("results", "bout_id", &bout["bout_id"])[0];
        let winner = result.get("winner_id").map_or("nobody", |id| &tables.names[id]);
        format!("{} {} {winner}", result["outcome"], result["method"])
    };
    bench.ok(&["run", "--quiet", "--source", &statsdb("statsdb/2025-11-01")]);
    assert_eq!(result(&tables(&bench)), "win submission Zorbix Urklop");
    let won = bench.snapshot().id;
    bench.ok(&["run", "--quiet", "--source", &statsdb("statsdb-later/2025-12-01")]);
    let after = tables(&bench);
    assert_eq!(result(&after), "no_contest overturned nobody");
    assert_eq!(
        after.corrections(&bout["bout_id"]),
        [
            "result method: submission -> overturned",
            "result method_detail: Arm Triangle From Mount -> Arm Triangle win for Urklop overturned",
            "result outcome: win -> no_contest",
            "result winner_id: Zorbix Urklop -> -",
        ]
    );
    assert_eq!(after.find("bout_listings", "bout_id", &bout["bout_id"]).len(), 1);
    bench.ok(&["rollback"]);
    assert_eq!(
        (bench.snapshot().id, result(&tables(&bench))),
        (won, "win submission Zorbix Urklop".to_owned())
    );
}

fn decision(what: &str, source: &str, id: &str, other: &str) -> String {
    format!(
        "[[{what}]]\nkind = \"fighter\"\nsource = \"{source}\"\nsource_id = \"{id}\"\nas = \"{other}\"\n\
         reason = \"seen on both pages\"\nby = \"A. Person\"\non = 2026-11-21\n\n"
    )
}

/// What `fightdna identities` counts under a rule.
fn links_by(bench: &TestLake, rule: &str) -> u64 {
    let told: serde_json::Value = serde_json::from_str(&bench.ok(&["identities", "--json"])).unwrap();
    let of_rule = told.as_array().unwrap().iter().filter(|row| row["rule"] == rule);
    of_rule.map(|row| row["links"].as_u64().unwrap()).sum()
}

/// The feed's 9100156 is Thwoplin Wibchik, whom the statistics source has under that name.
#[test]
fn a_decision_undoes_a_link_that_a_rule_made_and_taking_it_back_restores_the_snapshot() {
    let bench = TestLake::new(PROGRAM);
    first(&bench);
    let (by_rule, id) = (tables(&bench), bench.snapshot().id);
    let ours = by_rule.id("fighter", "feed", "9100156").to_owned();
    let statsdb_id =
        by_rule.find("identities", "entity_id", &ours).into_iter().find(|row| row["source"] == "statsdb");
    let statsdb_id = statsdb_id.unwrap()["source_id"].clone();
    write(
        &bench,
        "who/decided.toml",
        &decision("different", "feed", "9100156", &format!("statsdb:{statsdb_id}")),
    );
    let report = bench.ok(&["run", "--aliases", "who"]);
    assert!(report.contains("decisions followed: 0 same, 1 different"), "{report}");
    let decided = tables(&bench);
    assert_ne!(decided.id("fighter", "feed", "9100156"), ours);
    assert_eq!(decided.id("fighter", "statsdb", &statsdb_id), ours);
    assert_eq!(decided.find("fighters", "name", "Thwoplin Wibchik").len(), 2);
    let again = bench.ok(&["run", "--aliases", "who"]);
    assert!(again.contains("nothing new"), "{again}");
    bench.ok(&["run", "--accept", "decisions"]);
    let back = tables(&bench);
    assert_eq!(back.id("fighter", "feed", "9100156"), ours);
    let given_up = decided.id("fighter", "feed", "9100156");
    assert_eq!(
        back.find("aliases", "alias_id", given_up).len(),
        1,
        "the id that was published still resolves"
    );
    bench.ok(&["verify"]);
    let anew = TestLake::new(PROGRAM);
    first(&anew);
    assert_eq!(anew.snapshot().id, id);
}

/// A card names somebody whom no other source has, and gives no id; a person says who it is.
#[test]
fn a_decision_ties_what_no_rule_would() {
    let bench = TestLake::new(PROGRAM);
    write(&bench, "cards/SYNTHETIC.txt", "made up\n");
    write(
        &bench,
        "cards/2025-03-20T000000Z.ics",
        &CARD.replace("Hoxquo Vorbnork vs. Ekkdrim", "Quite Unheard vs. Ekkdrim"),
    );
    bench.ok(&["run", "--quiet", "--source", &statsdb("statsdb/2025-11-01"), "--captures", "cards=cards"]);
    let before = tables(&bench);
    let unheard = "https://cards.example/event/sample-28#quiteunheard";
    let known = before.find("fighters", "name", "Ekkgle Quandle")[0];
    let (known, statsdb_id) = (&known["fighter_id"], &known["statsdb_id"]);
    let by_rule = before.id("fighter", "cards", unheard);
    assert!(by_rule != known && links_by(&bench, "decision") == 0);
    write(&bench, "who/decided.toml", &decision("same", "cards", unheard, &format!("statsdb:{statsdb_id}")));
    let report = bench.ok(&["run", "--aliases", "who"]);
    assert!(report.contains("decisions followed: 1 same, 0 different"), "{report}");
    let after = tables(&bench);
    assert_eq!(after.id("fighter", "cards", unheard), known);
    assert_eq!(after.id("fighter", "statsdb", statsdb_id), known);
    assert_eq!(links_by(&bench, "decision"), 1);
}

#[test]
fn a_decision_that_cannot_be_followed_ends_the_run_and_publishes_nothing() {
    let bench = TestLake::new(PROGRAM);
    first(&bench);
    let pointer = std::fs::read(Path::new(bench.folder()).join("lake/current.json")).unwrap();
    let good = decision("different", "feed", "9100156", "statsdb:nobody");
    for (text, place) in [
        (good.as_str(), "decided.toml:1, entry different 1: no capture has"),
        ("[[same]]\nkind =", "decided.toml:2, entry file: "),
    ] {
        write(&bench, "who/decided.toml", text);
        let output = bench.run(&["run", "--aliases", "who"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(65), "{said}");
        assert!(said.contains(place), "{said}");
        assert_eq!(std::fs::read(bench.folder().join("lake/current.json")).unwrap(), pointer);
    }
}
