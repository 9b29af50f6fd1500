//! From a site to a snapshot with the program itself: what is new becomes a capture, what is not becomes nothing,
//! and what fails leaves the rest alone.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fdna_kit::{Asked, Reply, Site};
use fdna_suite::TestLake;
use serde_json::Value;

fn bench() -> TestLake {
    TestLake::new(env!("CARGO_BIN_EXE_fightdna-under-test"))
}

fn page(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/statsdb-html/a-whole-card");
    std::fs::read(Path::new(folder).join(name)).unwrap()
}

/// The recorded pages under their names, each with a validator made of its length; 304 to who has it.
fn recorded(asked: &Asked) -> Reply {
    let body = page(asked.path.trim_start_matches('/'));
    let etag = format!("\"{}\"", body.len());
    let headers = [("etag", etag.as_str()), ("content-type", "text/html")];
    let is_same = asked.header("if-none-match") == Some(etag.as_str());
    if is_same { Reply::status(304, &headers, "") } else { Reply::status(200, &headers, body) }
}

const PAGES: [&str; 4] = [
    "events.html",
    "event-e0000000000000e1.html",
    "fight-b000000000000001.html",
    "fight-b000000000000002.html",
];

fn source(name: &str, site: &Site, files: &[&str]) -> String {
    let head = format!(
        "[[source]]\nname = \"{name}\"\nevery_minutes = 60\nuser_agent = \"tests (+mailto:desk@example.org)\"\n\
         terms = \"it is our own site\"\nrobots = \"it has no robots.txt\"\n\
         min_interval_ms = 0\nretries = 1\nbackoff_ms = 1\n"
    );
    let file = |file: &&str| {
        format!("[[source.file]]\nurl = \"{}\"\nfile = \"{file}\"\n", site.url(&format!("/{file}")))
    };
    head + &files.iter().map(file).collect::<String>()
}

fn plan(bench: &TestLake, text: &str) {
    std::io::Write::write_all(
        &mut std::fs::File::create(bench.folder().join("sources.toml")).unwrap(),
        text.as_bytes(),
    )
    .unwrap();
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn what_a_site_serves_becomes_a_capture_and_a_run_takes_it_in() {
    let site = Site::new(|asked, _| recorded(asked));
    let bench = bench();
    plan(&bench, &source("statsdb-html", &site, &PAGES));
    let first = json(&bench.ok(&["fetch", "--json"]));
    assert_eq!(first["sources"][0]["state"], "captured");
    assert_eq!(first["sources"][0]["files"][0]["status"], 200);
    let captures = bench.lake().captures("statsdb-html").unwrap();
    assert_eq!(captures.iter().map(|c| (c.files.len(), c.synthetic)).collect::<Vec<_>>(), [(4, false)]);
    assert!(bench.lake().current_snapshot().unwrap().is_none(), "fetching takes nothing in");

    bench.ok(&["run"]);
    let tables = bench.tables();
    assert_eq!(["events", "bouts", "round_stats"].map(|name| tables[name].num_rows()), [2, 2, 8]);

    let second = json(&bench.ok(&["fetch", "--json"]));
    assert_eq!(second["sources"][0]["state"], "unchanged");
    let statuses: Vec<&Value> =
        second["sources"][0]["files"].as_array().unwrap().iter().map(|file| &file["status"]).collect();
    assert_eq!(statuses, [304, 304, 304, 304]);
    assert_eq!(bench.lake().captures("statsdb-html").unwrap(), captures);
    assert!(bench.ok(&["run"]).contains("nothing new"));
    assert_eq!(bench.lake().captures("statsdb-html").unwrap(), captures);
    assert!(bench.ok(&["verify"]).contains("0 problems"));
}

#[test]
fn one_page_that_changed_makes_a_capture_with_the_others_as_they_were() {
    let turn = Arc::new(AtomicUsize::new(0));
    let now = turn.clone();
    let site = Site::new(move |asked, _| match asked.path.as_str() {
        "/fight-b000000000000002.html" if now.load(Ordering::SeqCst) > 0 => {
            let text = String::from_utf8(page("fight-b000000000000002.html")).unwrap();
            Reply::ok(text.replace("Ref Two", "Ref Three"))
        }
        _ => recorded(asked),
    });
    let bench = bench();
    plan(&bench, &source("statsdb-html", &site, &PAGES));
    bench.ok(&["fetch"]);
    turn.store(1, Ordering::SeqCst);
    let text = bench.ok(&["fetch"]);
    assert!(text.contains("captured") && text.contains("events.html: 304, as it was"), "{text}");
    let captures = bench.lake().captures("statsdb-html").unwrap();
    assert_eq!(captures.len(), 2);
    let changed: Vec<&str> = captures[0]
        .files
        .iter()
        .zip(&captures[1].files)
        .filter(|(old, new)| old != new)
        .map(|(old, _)| old.name.as_str())
        .collect();
    assert_eq!(changed, ["fight-b000000000000002.html"]);
}

#[test]
fn a_source_that_fails_writes_nothing_and_the_others_go_on() {
    let site = Site::new(|asked, _| match asked.path.as_str() {
        "/fighter-00000000000000a1.html" => Reply::cut(200, &[], 5_000, b"<html>"),
        "/notice.json" => Reply::status(404, &[], ""),
        _ => recorded(asked),
    });
    let bench = bench();
    let statsdb = source("statsdb", &site, &["events.html", "notice.json"]);
    let ids = source("statsdb-ids", &site, &["fighter-00000000000000a1.html"]);
    plan(&bench, &(statsdb + &ids + &source("statsdb-html", &site, &PAGES)));
    let output = bench.run(&["fetch", "--quiet"]);
    assert_eq!(output.status.code(), Some(69));
    let errors = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<&str> = errors.lines().filter(|line| line.starts_with("fightdna: ")).collect();
    assert_eq!(lines.len(), 2, "{errors}");
    assert!(
        lines[0].contains("`notice.json` of statsdb") && lines[0].contains("status 404 (1 attempts)"),
        "{errors}"
    );
    assert!(lines[1].contains("statsdb-ids") && lines[1].contains("did not come whole"), "{errors}");
    let count = |name| bench.lake().captures(name).unwrap().len();
    assert_eq!(["statsdb", "statsdb-ids", "statsdb-html"].map(count), [0, 0, 1]);
}

#[test]
fn only_what_is_due_and_asked_for_is_asked() {
    let site = Site::new(|asked, _| recorded(asked));
    let bench = bench();
    plan(&bench, &source("statsdb-html", &site, &PAGES[..1]));
    let text = bench.ok(&["fetch", "--dry-run"]);
    assert!(text.contains("would ask for") && text.contains("events.html from 127.0.0.1"), "{text}");
    assert!(site.asked().is_empty() && bench.lake().captures("statsdb-html").unwrap().is_empty());
    bench.ok(&["fetch", "--if-due"]);
    assert_eq!(site.asked().len(), 1);
    assert!(bench.ok(&["fetch", "--if-due"]).contains("not due"));
    assert_eq!(site.asked().len(), 1);
    assert!(bench.ok(&["fetch", "--dry-run"]).contains("if it is another by now"));
    bench.ok(&["fetch", "--source", "statsdb-html"]);
    assert_eq!(site.asked().len(), 2);
}

#[test]
fn a_host_that_asks_for_it_is_left_alone_by_the_next_fetches_too() {
    let site = Site::new(|_, _| Reply::status(429, &[("retry-after", "3600")], ""));
    let bench = bench();
    plan(&bench, &source("statsdb-html", &site, &PAGES));
    assert_eq!(bench.run(&["fetch"]).status.code(), Some(69));
    for args in [&["fetch"][..], &["fetch", "--if-due"]] {
        assert!(bench.ok(args).contains("left alone, as its host asked"));
    }
    assert_eq!(site.asked().len(), 1);
}

/// The newest capture is damaged: what the address said of it no longer fits, and it comes whole again.
#[test]
fn a_file_that_was_damaged_meanwhile_is_asked_for_anew_and_mended() {
    let site = Site::new(|asked, _| recorded(asked));
    let bench = bench();
    plan(&bench, &source("statsdb-html", &site, &PAGES[..1]));
    bench.ok(&["fetch"]);
    let capture = bench.lake().captures("statsdb-html").unwrap().remove(0);
    let path = bench.folder().join("lake/raw/statsdb-html").join(&capture.id).join("events.html");
    std::io::Write::write_all(&mut std::fs::File::create(path).unwrap(), b"damaged").unwrap();
    let report = json(&bench.ok(&["fetch", "--json"]));
    assert_eq!(report["sources"][0]["files"][0]["status"], 200);
    assert_eq!(bench.lake().capture_file(&capture, "events.html").unwrap(), page("events.html"));
    assert_eq!(bench.lake().captures("statsdb-html").unwrap(), [capture]);
}

#[test]
fn a_plan_that_cannot_be_used_asks_nothing() {
    let site = Site::new(|asked, _| recorded(asked));
    let bench = bench();
    let good = source("statsdb-html", &site, &PAGES);
    let refused = |text: &str, args: &[&str]| {
        plan(&bench, text);
        let output = bench.run(&[&["fetch"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{text}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(
        refused(&good.replace("statsdb-html", "statsdb-x"), &[])
            .contains("no source `statsdb-x`; the nearest are `statsdb`")
    );
    assert!(refused(&good.replace("terms = ", "#"), &[]).contains("missing field `terms`"));
    assert!(refused(&good.replace("tests (+", "curl (+"), &[]).contains("as that of others does"));
    assert!(refused(&good, &["--source", "wire"]).contains("no source `wire` in `sources.toml`"));
    assert!(refused(&good, &["--config", "none.toml"]).contains("data/sources.example.toml shows one"));
    assert!(site.asked().is_empty());
}

#[test]
fn the_example_is_a_plan() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/sources.example.toml");
    let output = bench().run(&["fetch", "--dry-run", "--config", path]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // The values in comments are the defaults.
    let text = std::fs::read_to_string(path).unwrap();
    let stated =
        text.replace("# min_", "min_").replace("# connect_", "connect_").replace("# total_", "total_");
    let stated = ["max_bytes", "retries", "backoff_ms", "longest_wait_ms", "redirects"]
        .into_iter()
        .fold(stated, |text, option| text.replace(&format!("# {option} ="), &format!("{option} =")));
    let of = |text: &str| fdna_fetch::FetchPlan::parse(text).unwrap();
    assert_eq!(of(&stated), of(&text));
    assert_eq!(stated.matches("\n# ").count() + 8, text.matches("\n# ").count());
}

/// A lake of samples takes in nothing real.
#[test]
fn a_lake_of_samples_is_not_fetched_into() {
    let site = Site::new(|asked, _| recorded(asked));
    let bench = bench();
    bench.ok(&["ingest"]);
    plan(&bench, &source("statsdb-html", &site, &PAGES));
    let output = bench.run(&["fetch"]);
    assert_eq!(output.status.code(), Some(65), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(site.asked().is_empty());
}

/// While another has the lake, the sites are asked and the lake is waited for.
#[test]
fn the_lake_is_not_locked_while_a_site_is_slow() {
    let bench = bench();
    let lake = bench.lake();
    let could_write = Arc::new(AtomicUsize::new(0));
    let (count, now) = (could_write.clone(), chrono::DateTime::UNIX_EPOCH);
    let site = Site::new(move |asked, _| {
        count.fetch_add(usize::from(lake.writer("another run", now).is_ok()), Ordering::SeqCst);
        recorded(asked)
    });
    plan(&bench, &source("statsdb-html", &site, &PAGES));
    bench.ok(&["fetch"]);
    assert_eq!(could_write.load(Ordering::SeqCst), 4);
}
