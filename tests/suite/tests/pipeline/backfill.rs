//! `fightdna backfill`, from the command line to the files, on the synthetic sample.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use arrow::array::{Array as _, AsArray as _, RecordBatch};
use arrow::datatypes::{Date32Type, Float64Type, Int32Type};
use chrono::NaiveDate;
use fdna_lake::{PanelManifest, PanelSet};
use fdna_schemas::MetricDefinitions;
use fdna_suite::{TestLake, TriedOperations, fault_points};
use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fightdna-under-test");

fn sample(folder: &str) -> String {
    format!("statsdb={}/../../data/sample/{folder}", env!("CARGO_MANIFEST_DIR"))
}

/// A lake with the first sample capture published.
fn published() -> TestLake {
    let bench = TestLake::new(PROGRAM);
    bench.ok(&["run", "--source", &sample("statsdb/2025-11-01")]);
    bench
}

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn backfill(bench: &TestLake, args: &[&str]) -> Value {
    let text = bench.ok(&[&["backfill", "--json"], args].concat());
    serde_json::from_str(&text).unwrap()
}

/// State of each date in a report.
fn states(report: &Value) -> BTreeMap<String, String> {
    let dates = report["dates"].as_array().unwrap().iter();
    dates.map(|d| (text(&d["as_of"]), text(&d["state"]))).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// Path and content of every file of the panels.
fn files(bench: &TestLake) -> BTreeMap<PathBuf, Vec<u8>> {
    let root = bench.folder().join("lake/panels");
    let (mut found, mut folders) = (BTreeMap::new(), vec![root.clone()]);
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(&root).unwrap().to_owned();
                found.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn panel(bench: &TestLake, as_of: &str) -> PanelManifest {
    bench
        .lake()
        .whole_panel(PanelSet::Metrics, day(as_of))
        .unwrap()
        .unwrap_or_else(|| panic!("no whole panel of {as_of}"))
}

fn table(bench: &TestLake, as_of: &str, name: &str) -> RecordBatch {
    bench.lake().read_panel_table(&panel(bench, as_of), name).unwrap()
}

const DATES: [&str; 3] = ["2019-06-01", "2021-06-01", "2025-06-01"];

const ASK: [&str; 8] = ["backfill", "--quiet", "--as-of", DATES[0], "--as-of", DATES[1], "--as-of", DATES[2]];

#[test]
fn a_panel_has_the_version_of_each_fighter_that_holds_on_the_date() {
    let bench = published();
    bench.ok(&ASK);
    let versions = bench.tables().remove("dna_versions").unwrap();
    let metric = &MetricDefinitions::get().metrics[3].name;
    let value = MetricDefinitions::version_column(metric, "value");
    for as_of in DATES {
        let epoch = Date32Type::from_naive_date(day(as_of));
        let mut expected: BTreeMap<String, (i32, Option<f64>)> = BTreeMap::new();
        // In order of the versions, so that the last one begun is the one that holds.
        for row in 0..versions.num_rows() {
            if versions["valid_from"].as_primitive::<Date32Type>().value(row) <= epoch {
                let id = versions["fighter_id"].as_string::<i32>().value(row).to_owned();
                let values = versions[value.as_str()].as_primitive::<Float64Type>();
                let value = values.is_valid(row).then(|| values.value(row));
                expected.insert(id, (versions["version"].as_primitive::<Int32Type>().value(row), value));
            }
        }
        let wide = table(&bench, as_of, "panel_wide");
        assert!(!expected.is_empty() && wide.num_rows() == expected.len(), "{as_of}");
        let ids = wide["fighter_id"].as_string::<i32>().iter().flatten().map(str::to_owned);
        let numbers = wide["version"].as_primitive::<Int32Type>().values().iter().copied();
        let values = wide[value.as_str()].as_primitive::<Float64Type>().iter();
        let found: BTreeMap<_, _> = ids.zip(numbers.zip(values)).collect();
        assert_eq!(found, expected, "{as_of}");

        let long = table(&bench, as_of, "panel_long");
        assert_eq!(long.num_rows(), wide.num_rows() * MetricDefinitions::get().metrics.len());
        let metrics = long["metric"].as_string::<i32>().iter().flatten();
        let in_long = (0..).zip(metrics).filter(|(_, name)| name == metric).map(|(row, _)| row);
        let values = long["value"].as_primitive::<Float64Type>();
        let in_long: Vec<_> =
            in_long.map(|row: usize| values.is_valid(row).then(|| values.value(row))).collect();
        assert_eq!(in_long, expected.into_values().map(|(_, value)| value).collect::<Vec<_>>());
    }
    bench.ok(&["verify"]);
}

#[test]
fn many_dates_at_once_make_the_bytes_of_each_by_itself() {
    let together = published();
    let alone = together.copy();
    let report = backfill(&together, &["--from", "2017-10-31", "--to", "2025-10-31", "--every", "quarter"]);
    let states = states(&report);
    assert_eq!(states.len(), 33);
    assert_eq!((states["2017-10-31"].as_str(), states["2025-10-31"].as_str()), ("before_first", "made"));
    assert!(states.contains_key("2019-04-30"), "{states:?}");
    let made: Vec<_> = states.iter().filter(|(_, state)| *state == "made").map(|(day, _)| day).collect();
    assert_eq!(files(&together).len(), 3 * made.len());
    for as_of in made.into_iter().rev() {
        let mut command = alone.command(&["backfill", "--quiet", "--as-of", as_of]);
        assert!(command.env("RAYON_NUM_THREADS", "1").status().unwrap().success());
    }
    // Compared with `==`: megabytes of digits help nobody.
    assert!(files(&alone) == files(&together));
}

#[test]
fn what_is_there_is_left_alone_and_what_is_damaged_is_made_anew() {
    let bench = published();
    bench.ok(&ASK);
    let before = files(&bench);
    let report = backfill(&bench, &ASK[2..]);
    assert_eq!(report["outcome"], "nothing_to_do");
    assert!(states(&report).values().all(|state| state == "kept"), "{report}");
    for (broken, name) in
        [(DATES[0], "wide/as_of=2019-06-01/part.parquet"), (DATES[2], "manifests/2025-06-01.json")]
    {
        std::fs::remove_file(bench.folder().join("lake/panels").join(name)).unwrap();
        let report = backfill(&bench, &ASK[2..]);
        let made: Vec<_> = states(&report).into_iter().filter(|(_, state)| state == "made").collect();
        assert_eq!(made, [(broken.to_owned(), "made".to_owned())]);
        assert!(files(&bench) == before);
    }
}

#[test]
fn panels_of_an_earlier_snapshot_are_told_and_replaced_when_asked_again() {
    let bench = published();
    bench.ok(&ASK);
    let old = panel(&bench, DATES[2]);
    bench.ok(&["run", "--source", &sample("statsdb-later/2025-12-01")]);
    let report = backfill(&bench, &["--as-of", DATES[2]]);
    assert_eq!(states(&report)[DATES[2]], "made");
    assert_eq!(report["outdated"], serde_json::json!([DATES[0], DATES[1]]));
    let new = panel(&bench, DATES[2]);
    assert_eq!(new.snapshot_id, bench.snapshot().id);
    assert!(new.snapshot_id != old.snapshot_id && new.fingerprint != old.fingerprint);
    bench.ok(&["gc", "--keep", "0"]);
    assert_eq!(bench.lake().panel_dates(PanelSet::Metrics).unwrap(), DATES.map(day));
    bench.ok(&["verify"]);

    let fresh = TestLake::new(PROGRAM);
    fresh.ok(&["run", "--source", &sample("statsdb/2025-11-01")]);
    fresh.ok(&["run", "--source", &sample("statsdb-later/2025-12-01")]);
    fresh.ok(&ASK);
    bench.ok(&ASK);
    assert!(files(&bench) == files(&fresh));
}

#[test]
fn a_backfill_that_dies_at_any_commit_step_is_finished_by_the_next() {
    let seeded = published();
    let undisturbed = seeded.copy();
    undisturbed.ok(&ASK);
    let whole = files(&undisturbed);
    let steps = seeded.list_fault_points(&ASK, "steps");
    // Two tables and a manifest for each date, four steps each.
    assert_eq!(steps.lines().count(), 3 * 3 * 4);
    for (step, name) in fault_points(&steps, TriedOperations::FirstAndLast) {
        let bench = seeded.copy();
        let output = bench.run_with_fault(&ASK, &format!("crash:{step}"));
        assert!(output.status.code().is_none(), "step {step}, {name}: it was not killed");
        goes_on(&bench, &whole, &format!("step {step}, {name}"));
    }
}

#[test]
fn a_backfill_killed_at_a_random_moment_is_finished_by_the_next() {
    let seeded = published();
    let undisturbed = seeded.copy();
    let begun = Instant::now();
    undisturbed.ok(&ASK);
    let (took, whole) = (begun.elapsed(), files(&undisturbed));
    for trial in 1..=12u32 {
        let bench = seeded.copy();
        let mut run = bench.command(&ASK).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let wait = Instant::now() + took.mul_f64(f64::from(trial) / 12.0).max(Duration::from_millis(1));
        while Instant::now() < wait {
            std::thread::yield_now();
        }
        // SIGKILL on this platform.
        run.kill().unwrap();
        run.wait().unwrap();
        goes_on(&bench, &whole, &format!("trial {trial} of {took:?}"));
    }
}

/// What must hold after any interruption: what has a manifest is whole, and stays, and the next run makes the
/// rest and leaves nothing else.
fn goes_on(bench: &TestLake, whole: &BTreeMap<PathBuf, Vec<u8>>, what: &str) {
    bench.ok(&["verify"]);
    let there = bench.lake().panel_dates(PanelSet::Metrics).unwrap();
    let report = backfill(bench, &ASK[2..]);
    let kept = states(&report).into_iter().filter(|(_, state)| state == "kept");
    assert_eq!(kept.map(|(as_of, _)| day(&as_of)).collect::<Vec<_>>(), there, "{what}");
    assert!(files(bench) == *whole, "{what}: {:?}", files(bench).keys());
    bench.ok(&["verify"]);
}

#[test]
fn a_dry_run_says_what_would_be_made_and_makes_nothing() {
    let bench = published();
    bench.ok(&["backfill", "--as-of", DATES[1]]);
    let before = files(&bench);
    let series = ["--from", "2010-06-01", "--to", "2026-06-01", "--every", "year", "--dry-run"];
    let text = bench.ok(&[&["backfill"], series.as_slice()].concat());
    let told: Vec<_> = text.lines().filter(|line| line.starts_with("   ")).map(str::trim).collect();
    let [to_make, kept, skipped, after] = told.as_slice() else { panic!("{text}") };
    assert_eq!(*to_make, "8 to make: 2018-06-01 to 2026-06-01");
    assert!(kept.starts_with("1 there already") && kept.ends_with(": 2021-06-01"), "{kept}");
    assert_eq!(*skipped, "8 skipped: before the first DNA version: 2010-06-01 to 2017-06-01");
    assert!(after.starts_with("1 of these lie after the last facts (2025-10-25)"), "{after}");
    let report = backfill(&bench, &series);
    assert_eq!((report["outcome"].as_str(), states(&report)[DATES[1]].as_str()), (Some("planned"), "kept"));
    assert!(files(&bench) == before);
}

#[test]
fn a_date_after_the_last_facts_has_a_panel_and_one_before_the_first_has_none() {
    let bench = published();
    let report = backfill(&bench, &["--as-of", "2030-01-01", "--as-of", "1990-01-01"]);
    assert_eq!(report["dates"][0]["state"], "before_first");
    assert_eq!(
        (&report["dates"][1]["state"], &report["dates"][1]["after_facts"]),
        (&"made".into(), &true.into())
    );
    assert_eq!(bench.lake().panel_dates(PanelSet::Metrics).unwrap(), [day("2030-01-01")]);
    let days = table(&bench, "2030-01-01", "panel_wide");
    let days = days["days_since_last_bout"].as_primitive::<Int32Type>().values().iter().min().copied();
    // From 2025-10-25.
    assert_eq!(days, Some(1529));
}

#[test]
fn dates_come_from_a_file_too_and_each_is_made_once() {
    let bench = published();
    let path = bench.folder().join("dates.txt");
    let write =
        |text: &str| std::io::Write::write_all(&mut std::fs::File::create(&path).unwrap(), text.as_bytes());
    write("# fight nights\n2021-06-01\n2020-01-01\n").unwrap();
    let report = backfill(&bench, &["--dates", "dates.txt", "--as-of", "2021-06-01"]);
    assert_eq!(states(&report).into_keys().collect::<Vec<_>>(), ["2020-01-01", "2021-06-01"]);
    write("2020-01-01\n2020-01-32\n").unwrap();
    refused(&bench, &["--dates", "dates.txt"], 65, "`dates.txt`, line 2: `2020-01-32`");
    refused(&bench, &["--dates", "nowhere.txt"], 69, "nowhere.txt");
}

fn refused(bench: &TestLake, args: &[&str], code: i32, message: &str) {
    let output = bench.run(&[&["backfill"], args].concat());
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {told}");
    assert!(told.contains(message), "{args:?}: {told}");
}

#[test]
fn a_wrong_command_line_a_missing_snapshot_and_another_writer_have_their_own_codes() {
    let bench = published();
    for (args, message) in [
        (&["--from", "2025-01-01", "--to", "2024-01-01"][..], "--to must not be before --from"),
        (&["--from", "2025-01-01"], "--to"),
        (&["--as-of", "2025-1-1"], "expected a date such as 2005-01-01"),
        (&["--as-of", "2025-01-01", "--every", "day"], "--from"),
        (&["--from", "2025-01-01", "--to", "2025-02-01", "--every", "decade"], "month"),
        (&[], "--as-of"),
    ] {
        refused(&bench, args, 2, message);
    }
    let lake = bench.lake();
    let writer = lake.writer("another run", chrono::DateTime::UNIX_EPOCH).unwrap();
    refused(&bench, &["--as-of", "2025-01-01"], 75, "held by another run since 1970-01-01");
    drop(writer);
    assert!(files(&bench).is_empty());
    let none = TestLake::new(PROGRAM);
    refused(&none, &["--as-of", "2025-01-01"], 69, "there is no such folder");
    assert!(!none.folder().join("lake").exists());
    std::fs::create_dir(none.folder().join("lake")).unwrap();
    refused(
        &none,
        &["--as-of", "2025-01-01"],
        69,
        "no current snapshot in lake; run \"fightdna run\" to make one",
    );
    flip(&bench.folder().join(format!("lake/snapshots/{}/tables/dna_versions.parquet", bench.snapshot().id)));
    refused(&bench, &["--as-of", "2025-01-01"], 65, "dna_versions.parquet");
}

/// Flips a bit in the middle of a file.
fn flip(path: &Path) {
    let mut bytes = std::fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::io::Write::write_all(&mut std::fs::File::create(path).unwrap(), &bytes).unwrap();
}
