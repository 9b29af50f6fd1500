//! Many captures of one source: taken in by one command, kept as differences, merged one after the other; and the
//! state as it was known at any time.

mod merged;
mod vintage;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use bytes::Bytes;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use fdna_kit::real_data;
use fdna_normalise::{CaptureMerger, PreparedUnit};
use fdna_rows::{CaptureFacts, Normalised, quarantine_table};
use fdna_suite::TestLake;
use proptest::prelude::*;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fightdna-under-test");

type Files = Vec<(String, String)>;

fn sample(folder: &str) -> Files {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample").join(folder);
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Files = entries
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

/// The files without the rows that name one of these events.
fn without(files: &Files, events: &BTreeSet<String>) -> Files {
    let keep = |line: &&str| {
        let first = line.split(',').next().unwrap_or_default().trim().trim_matches('"');
        !events.contains(first)
    };
    let cut = |(name, text): &(String, String)| {
        let lines: Vec<&str> = text.lines().filter(keep).collect();
        (name.clone(), lines.join("\n") + "\n")
    };
    files.iter().map(cut).collect()
}

/// The sample as it stood in each of the weeks before, the oldest first, and the later sample at last.
fn weeks(n: usize) -> Vec<(NaiveDate, Files)> {
    let (now, later) = (sample("statsdb/2025-11-01"), sample("statsdb-later/2025-12-01"));
    let events = &now.iter().find(|(name, _)| name == "ufc_event_details.csv").unwrap().1;
    let names: Vec<String> =
        events.lines().skip(1).map(|line| line.split(',').next().unwrap().trim().to_owned()).collect();
    let day = NaiveDate::from_ymd_opt(2025, 11, 1).unwrap();
    let week = |back: usize| {
        let gone = names.iter().take(back).cloned().collect();
        let days = TimeDelta::weeks(i64::try_from(back).unwrap());
        (day - days, without(&now, &gone))
    };
    let mut weeks: Vec<_> = (0..n).rev().map(week).collect();
    weeks.push((NaiveDate::from_ymd_opt(2025, 12, 1).unwrap(), later));
    weeks
}

/// Writes captures into a folder of the bench, and gives it.
fn write(bench: &TestLake, folder: &str, weeks: &[(NaiveDate, Files)]) -> String {
    for (day, files) in weeks {
        let capture = bench.folder().join(folder).join(day.to_string());
        std::fs::create_dir_all(&capture).unwrap();
        for (name, text) in files {
            std::io::Write::write_all(
                &mut std::fs::File::create(capture.join(name)).unwrap(),
                text.as_bytes(),
            )
            .unwrap();
        }
    }
    format!("statsdb={folder}")
}

fn capture_of(bench: &TestLake, folder: &str, day: NaiveDate) -> String {
    format!("statsdb={}", bench.folder().join(folder).join(day.to_string()).display())
}

/// A lake of all these captures, taken in by one command.
fn at_once(weeks: &[(NaiveDate, Files)]) -> (TestLake, String) {
    let bench = TestLake::new(PROGRAM);
    let folder = write(&bench, "weeks", weeks);
    let report = bench.ok(&["run", "--captures", &folder]);
    (bench, report)
}

fn facts_outputs(bench: &TestLake) -> Vec<PathBuf> {
    let folder = bench.folder().join("lake/facts/statsdb");
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn a_folder_of_captures_is_taken_in_by_one_command_and_told_in_one_line() {
    let weeks = weeks(4);
    let bench = TestLake::new(PROGRAM);
    let folder = write(&bench, "weeks", &weeks);
    std::fs::create_dir(bench.folder().join("weeks/notes")).unwrap();
    let report = bench.ok(&["run", "--captures", &folder]);
    assert!(report.contains("statsdb from weeks: 5 new, 0 there already"), "{report}");
    assert!(report.contains("their names begin with no date: notes"), "{report}");
    assert_eq!(bench.snapshot().captures.len(), 5);
    let again = bench.ok(&["run", "--captures", &folder]);
    assert!(again.contains("0 new, 5 there already") && again.contains("nothing new: snapshot"), "{again}");
    let plan = bench.ok(&["run", "--dry-run", "--captures", &folder]);
    assert!(plan.contains("up to date: 0 of 5 captures"), "{plan}");
}

#[test]
fn a_folder_without_captures_and_one_that_is_not_there_are_errors() {
    let bench = TestLake::new(PROGRAM);
    std::fs::create_dir_all(bench.folder().join("empty/notes")).unwrap();
    assert_eq!(bench.run(&["run", "--captures", "statsdb=empty"]).status.code(), Some(69));
    assert_eq!(bench.run(&["run", "--captures", "statsdb=nowhere"]).status.code(), Some(69));
    assert_eq!(bench.run(&["run", "--captures", "nobody=empty"]).status.code(), Some(2));
}

#[test]
fn captures_in_any_order_and_one_by_one_come_to_the_same_snapshot() {
    let weeks = weeks(4);
    let (whole, _) = at_once(&weeks);
    for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 4, 0, 3, 1]] {
        let bench = TestLake::new(PROGRAM);
        write(&bench, "weeks", &weeks);
        for at in order {
            bench.ok(&["run", "--quiet", "--source", &capture_of(&bench, "weeks", weeks[at].0)]);
        }
        assert_eq!(bench.snapshot().id, whole.snapshot().id, "{order:?}");
        bench.ok(&["verify"]);
    }
}

#[test]
fn facts_are_kept_as_differences_and_a_base_alone_is_whole() {
    let (bench, _) = at_once(&weeks(6));
    let outputs = facts_outputs(&bench);
    let differences = outputs.iter().filter(|folder| folder.join("difference.json").exists()).count();
    assert_eq!((outputs.len(), differences > outputs.len() / 2), (7, true), "{differences} differences");
}

#[test]
fn what_was_known_at_a_time_is_what_a_lake_of_the_captures_up_to_then_has() {
    let weeks = weeks(5);
    let (full, _) = at_once(&weeks);
    let current = std::fs::read(full.folder().join("lake/current.json")).unwrap();
    for upto in [1, 3, 5] {
        let (then, _) = at_once(&weeks[..upto]);
        let until = format!("{}T12:00:00Z", weeks[upto - 1].0);
        let report = full.ok(&["run", "--known-at", &until]);
        let id = then.snapshot().id;
        assert!(report.contains(&format!("snapshot {id} as known at")), "{report}");
        let (known, of_then) = (full.lake().snapshot(&id).unwrap(), then.snapshot());
        assert_eq!(known.captures, of_then.captures);
        for table in &of_then.tables {
            let [a, b] = [(&full, &known), (&then, &of_then)].map(|(bench, manifest)| {
                let path = format!("lake/snapshots/{}/tables/{}.parquet", manifest.id, table.name);
                std::fs::read(bench.folder().join(path)).unwrap()
            });
            assert!(a == b, "{}", table.name);
        }
        assert_eq!(std::fs::read(full.folder().join("lake/current.json")).unwrap(), current);
    }
    // The next run without a time goes on as if nothing had been asked.
    let report = full.ok(&["run"]);
    assert!(report.contains("nothing new"), "{report}");
}

#[test]
fn a_time_before_every_capture_is_an_error_and_changes_nothing() {
    let (bench, _) = at_once(&weeks(1));
    let output = bench.run(&["run", "--known-at", "2001-01-01T00:00:00Z"]);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_replay_that_dies_at_a_commit_step_goes_on_where_it_was() {
    let weeks = weeks(3);
    let (whole, _) = at_once(&weeks);
    let mut died = 0;
    for step in (1..).step_by(29) {
        let bench = TestLake::new(PROGRAM);
        let folder = write(&bench, "weeks", &weeks);
        let output = bench.run_with_fault(&["run", "--captures", &folder], &format!("crash:{step}"));
        if output.status.success() {
            break;
        }
        died += 1;
        bench.ok(&["run", "--quiet", "--captures", &folder]);
        assert_eq!(bench.snapshot().id, whole.snapshot().id, "step {step}");
        bench.ok(&["verify"]);
    }
    assert!(died > 5, "{died}");
}

#[test]
fn a_further_capture_after_gc_reads_no_older_one_again() {
    let weeks = weeks(4);
    let bench = TestLake::new(PROGRAM);
    let folder = write(&bench, "weeks", &weeks[..4]);
    bench.ok(&["run", "--quiet", "--captures", &folder]);
    bench.ok(&["gc", "--keep", "0"]);
    assert_eq!(facts_outputs(&bench).len(), 4);
    assert_eq!(std::fs::read_dir(bench.folder().join("lake/merging")).unwrap().count(), 1);
    write(&bench, "weeks", &weeks[4..]);
    let report = bench.ok(&["run", "--captures", &folder]);
    assert_eq!(report.matches("ufc_fight_stats.csv").count(), 1, "{report}");
    assert_eq!(bench.snapshot().id, at_once(&weeks).0.snapshot().id);
}

/// Flips a bit in the middle of every file of these folders with that name or ending.
fn flip(folders: &[PathBuf], ending: &str) {
    let mut flipped = 0;
    for path in folders.iter().flat_map(|f| std::fs::read_dir(f).unwrap()).map(|entry| entry.unwrap().path())
    {
        if path.to_string_lossy().ends_with(ending) {
            let mut bytes = std::fs::read(&path).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            std::io::Write::write_all(&mut std::fs::File::create(&path).unwrap(), &bytes).unwrap();
            flipped += 1;
        }
    }
    assert!(flipped > 0, "{ending}");
}

#[test]
fn damaged_facts_and_a_damaged_state_are_made_anew() {
    let weeks = weeks(3);
    let seeded = TestLake::new(PROGRAM);
    let folder = write(&seeded, "weeks", &weeks[..3]);
    seeded.ok(&["run", "--quiet", "--captures", &folder]);
    let after = at_once(&weeks).0.snapshot().id;
    for ending in ["statsdb_results.parquet", "difference.json", "state.bin"] {
        let bench = seeded.copy();
        let merging = std::fs::read_dir(bench.folder().join("lake/merging")).unwrap();
        let merging: Vec<PathBuf> = merging.map(|entry| entry.unwrap().path()).collect();
        if ending == "state.bin" {
            flip(&merging, ending);
        } else {
            // So that the facts are read at all.
            std::fs::remove_dir_all(&merging[0]).unwrap();
            flip(&facts_outputs(&bench), ending);
        }
        write(&bench, "weeks", &weeks[3..]);
        bench.ok(&["run", "--quiet", "--captures", &folder]);
        assert_eq!(bench.snapshot().id, after, "{ending}");
    }
}

#[test]
fn one_snapshot_is_served_whichever_is_current() {
    let weeks = weeks(2);
    let (bench, _) = at_once(&weeks);
    let report = bench.ok(&["run", "--json", "--known-at", &format!("{}T00:00:00Z", weeks[0].0)]);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let line = report["jobs"].as_array().unwrap().last().unwrap()["lines"][0].as_str().unwrap().to_owned();
    let id = line.split(' ').nth(1).unwrap();
    assert_ne!(id, bench.snapshot().id.to_string());
    let mut command = bench.command(&["serve", "--listen", "127.0.0.1:0", "--snapshot", id]);
    let mut server = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(server.stdout.take().unwrap()), &mut line)
        .unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(line.starts_with("serving lake on http://127.0.0.1:"), "{line}");
    let unknown = bench.run(&["serve", "--snapshot", &"0".repeat(32)]);
    assert_eq!(unknown.status.code(), Some(2));
}
