//! `fightdna diff` and `fightdna explain`, of captures that differ from one another in what is known.

use std::collections::BTreeSet;
use std::path::Path;

use fdna_suite::{TestLake, rows};
use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fightdna-under-test");

/// Bout of the sample of which a capture states another method.
const CORRECTED: &str = "83a295305a1e6112";

fn sample(folder: &str) -> String {
    format!("{}/../../data/sample/{folder}", env!("CARGO_MANIFEST_DIR"))
}

/// The sample of statistics as a capture in the folder of the test, each file through `edit`.
fn write_capture(bench: &TestLake, name: &str, edit: impl Fn(&str, String) -> String) -> String {
    let folder = bench.folder().join(name);
    std::fs::create_dir_all(&folder).unwrap();
    for entry in std::fs::read_dir(sample("statsdb/2025-11-01")).unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = edit(&file, std::fs::read_to_string(&path).unwrap());
        std::fs::File::create(folder.join(&file))
            .and_then(|mut to| std::io::Write::write_all(&mut to, text.as_bytes()))
            .unwrap();
    }
    format!("statsdb={}", folder.display())
}

/// With another method of one bout.
fn corrected(file: &str, text: String) -> String {
    let edit = |line: &str| match file == "ufc_fight_results.csv" && line.contains(CORRECTED) {
        true => line.replace("KO/TKO ", "Submission "),
        false => line.to_owned(),
    };
    text.lines().map(|line| edit(line) + "\n").collect()
}

/// A lake with the sample, and then with the correction.
fn lake_with_correction() -> TestLake {
    let bench = TestLake::new(PROGRAM);
    let later = write_capture(&bench, "2025-11-08", corrected);
    bench.ok(&["run", "--quiet", "--source", &format!("statsdb={}", sample("statsdb/2025-11-01"))]);
    bench.ok(&["run", "--quiet", "--source", &later]);
    bench
}

fn json_of(bench: &TestLake, args: &[&str]) -> Value {
    serde_json::from_str(&bench.ok(&[args, &["--json"]].concat())).unwrap()
}

/// Kinds of causes of a table, with how many rows and cells have each.
fn causes(diff: &Value, table: &str) -> Vec<String> {
    let tables = diff["tables"].as_array().unwrap();
    let found = tables.iter().find(|one| one["summary"]["table"] == table).unwrap();
    found["summary"]["causes"].as_object().unwrap().keys().cloned().collect()
}

fn bout_id(bench: &TestLake) -> String {
    let links = rows(&bench.tables()["identities"]);
    links.iter().find(|row| row["source_id"] == CORRECTED).unwrap()["entity_id"].clone()
}

fn newest_capture(bench: &TestLake) -> String {
    bench.lake().captures("statsdb").unwrap().last().unwrap().id.clone()
}

#[test]
fn a_corrected_result_is_led_back_to_its_capture_and_line_in_both_directions_of_time() {
    let bench = lake_with_correction();
    let diff = json_of(&bench, &["diff", "previous", "current"]);
    assert_eq!(causes(&diff, "results"), ["correction"]);
    assert_eq!(causes(&diff, "corrections"), ["capture"]);
    assert_eq!(causes(&diff, "dna_versions"), ["correction"]);
    let (bout, capture) = (bout_id(&bench), newest_capture(&bench));
    let now = json_of(&bench, &["explain", "results", CORRECTED, "method"]);
    assert_eq!((&now["cells"]["method"], &now["before"][0]["old"]), (&"submission".into(), &"ko_tko".into()));
    assert_eq!(now["before"][0]["replaced_by"], capture.as_str());
    let stated: Vec<&Value> = now["statements"].as_array().unwrap().iter().collect();
    assert_eq!(stated.len(), 2, "a row of results in each capture: {stated:?}");
    // The line is that of the file.
    let line = stated
        .iter()
        .find(|one| one["capture"]["id"] == capture.as_str() && one["table"] == "statsdb_results");
    let at = usize::try_from(line.unwrap()["line"].as_u64().unwrap()).unwrap();
    let file = std::fs::read_to_string(bench.folder().join("2025-11-08/ufc_fight_results.csv")).unwrap();
    assert!(file.lines().nth(at - 1).unwrap().contains(CORRECTED), "line {at}");
    // As it was before, and what became of it.
    let before = json_of(&bench, &["explain", "results", &bout, "method", "--snapshot", "previous"]);
    assert_eq!(
        (&before["cells"]["method"], &before["now"]["method"]),
        (&"ko_tko".into(), &"submission".into())
    );
    assert_eq!(
        (before["before"].as_array().unwrap().len(), &before["later"][0]["new"]),
        (0, &"submission".into())
    );
}

#[test]
fn a_capture_that_is_withdrawn_is_the_cause_of_what_goes_back() {
    let bench = lake_with_correction();
    let capture = newest_capture(&bench);
    bench.ok(&["captures", "withdraw", "statsdb", &capture, "--reason", "another bout", "--by", "me"]);
    bench.ok(&["run", "--quiet", "--accept", "freshness"]);
    let diff = json_of(&bench, &["diff"]);
    for table in ["results", "corrections", "dna_versions"] {
        assert_eq!(causes(&diff, table), ["withdrawal"], "{table}");
    }
    let text = bench.ok(&["diff", "--table", "results"]);
    assert!(text.contains("no longer counts (withdraw by me at") && text.contains("another bout"), "{text}");
    let markdown = bench.ok(&["diff", "--markdown"]);
    assert!(markdown.contains("## Captures that no longer count: 1"), "{markdown}");
    let explained = bench.ok(&["explain", "results", CORRECTED, "method"]);
    assert!(explained.contains("(withdraw by me: another bout)"), "{explained}");
}

#[test]
fn new_bouts_are_named_in_notes_and_feed_and_are_causes_of_what_is_derived() {
    let bench = TestLake::shared(
        PROGRAM,
        &[
            &["run", "--source", &format!("statsdb={}", sample("statsdb/2025-11-01"))],
            &["run", "--source", &format!("statsdb={}", sample("statsdb-later/2025-12-01"))],
        ],
    );
    let diff = json_of(&bench, &["diff", "--rows", "1"]);
    assert!(causes(&diff, "bouts").contains(&"new_bout".to_owned()));
    assert!(causes(&diff, "dna_versions").contains(&"new_bout".to_owned()));
    let unknown = diff["tables"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| !one["summary"]["causes"]["unknown"].is_null());
    assert_eq!(unknown.count(), 0, "captures alone differ, so that every cause is shown");
    let markdown = bench.ok(&["diff", "--markdown"]);
    assert!(markdown.contains("Sample Fight Night 31: Urkwump vs. Wibchik"), "{markdown}");
    let feed = bench.ok(&["snapshots", "feed", "--address", "https://h.example/feed?a=1&b=2"]);
    assert!(feed.contains("href=\"https://h.example/feed?a=1&amp;b=2\""), "{feed}");
    assert_eq!(feed.matches("<entry>").count(), 2);
    assert_eq!(feed, bench.ok(&["snapshots", "feed", "--address", "https://h.example/feed?a=1&b=2"]));
    let text =
        bench.ok(&["diff", "--rows", "1", "--table", "bouts", "--table", "fighters", "--table", "ratings"]);
    insta::assert_snapshot!("diff", without_times(&text));
    insta::assert_snapshot!("notes", without_times(&markdown));
    let explained = bench.ok(&["explain", "fighters", "Hoxfip Jorpfuzz", "name"]);
    insta::assert_snapshot!("explained", without_times(&explained));
    // A snapshot beside itself.
    let same = bench.ok(&["diff", "current", "current"]);
    assert!(same.ends_with("35 tables are the same\n"), "{same}");
}

/// Without the times at which the tests ran, and the ids that follow from the bytes of the tables.
fn without_times(text: &str) -> String {
    let words = text.split_inclusive([' ', '\n', ';']).map(|word| {
        let (core, end) = word.split_at(word.trim_end_matches([' ', '\n', ';', '.']).len());
        let is_id = core.len() == 32 && core.chars().all(|c| c.is_ascii_hexdigit());
        let is_time = core.len() == 20 && core.ends_with('Z') && core.contains('T');
        match (is_id, is_time) {
            (true, _) => format!("ID{end}"),
            (_, true) => format!("TIME{end}"),
            _ => word.to_owned(),
        }
    });
    words.collect()
}

#[test]
fn a_decision_that_makes_two_fighters_one_is_the_cause_and_stands_with_the_fighter() {
    let bench = TestLake::new(PROGRAM);
    bench.ok(&["run", "--quiet", "--source", &format!("statsdb={}", sample("statsdb/2025-11-01"))]);
    bench.ok(&["run", "--quiet", "--source", &format!("feed={}", sample("feed/2025-11-01"))]);
    let links = rows(&bench.tables()["identities"]);
    let of = |source: &'static str| {
        links.iter().filter(move |row| row["kind"] == "fighter" && row["source"] == source)
    };
    let known: BTreeSet<&String> = of("statsdb").map(|row| &row["entity_id"]).collect();
    let stranger =
        of("feed").find(|row| !known.contains(&row["entity_id"])).expect("a fighter of the feed alone");
    let tied: BTreeSet<&String> = of("feed").map(|row| &row["entity_id"]).collect();
    let free =
        of("statsdb").find(|row| !tied.contains(&row["entity_id"])).expect("a fighter of statistics alone");
    let decision = format!(
        "[[same]]\nkind = \"fighter\"\nsource = \"feed\"\nsource_id = {:?}\nas = \"statsdb:{}\"\n\
         reason = \"the same face\"\nby = \"A. Person\"\non = 2026-01-01\n",
        stranger["source_id"], free["source_id"]
    );
    write(&bench.folder().join("lake/decisions/who.toml"), &decision);
    bench.ok(&["run", "--quiet", "--accept", "ids"]);
    let diff = json_of(&bench, &["diff"]);
    for table in ["aliases", "fighters", "identities"] {
        assert_eq!(causes(&diff, table), ["decision"], "{table}");
    }
    let explained = bench.ok(&["explain", "fighters", &free["source_id"]]);
    assert!(
        explained.contains("A. Person of 2026-01-01") && explained.contains("the same face"),
        "{explained}"
    );
    assert!(explained.contains(&format!("{} stands for", stranger["entity_id"])), "{explained}");
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::io::Write::write_all(&mut std::fs::File::create(path).unwrap(), text.as_bytes()).unwrap();
}

#[test]
fn an_error_names_the_nearest_tables_columns_and_keys() {
    let bench = TestLake::shared(
        PROGRAM,
        &[&["run", "--source", &format!("statsdb={}", sample("statsdb/2025-11-01"))]],
    );
    let id = bench.snapshot().id.to_string();
    let said = |args: &[&str]| {
        let output = bench.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        String::from_utf8_lossy(&output.stderr).replace(&id, "ID")
    };
    insta::assert_snapshot!(
        [
            said(&["diff", "current", "feedc0de"]),
            said(&["diff"]),
            said(&["diff", "current", "current", "--table", "result"]),
            said(&["explain", "result", "x"]),
            said(&["explain", "results", "x"]),
            said(&["explain", "results", CORRECTED, "metod"]),
            said(&["explain", "round_stats", "x,one"]),
            said(&["explain", "round_stats", CORRECTED])
                .replace(&bout_id(&bench), "BOUT")
                .lines()
                .take(2)
                .collect::<Vec<_>>()
                .join("\n"),
        ]
        .concat()
    );
}
