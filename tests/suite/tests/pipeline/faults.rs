//! Interruption: whatever a run is doing when it dies, the last snapshot stays served and the next run
//! finishes the work.

use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use fdna_lake::SnapshotManifest;
use fdna_suite::{TestLake, TriedOperations, fault_points, few_events};

const PROGRAM: &str = env!("CARGO_BIN_EXE_fightdna-under-test");

fn first() -> String {
    few_events("few-events/2025-11-01")
}

fn later() -> String {
    few_events("few-events-later/2025-12-01")
}

/// Snapshot ids after the first and after both captures, when nothing goes wrong.
fn undisturbed() -> (String, String) {
    let bench = TestLake::shared(PROGRAM, &[&["run", "--source", &first()]]).copy();
    let one = bench.snapshot().id.to_string();
    bench.ok(&["run", "--source", &later()]);
    (one, bench.snapshot().id.to_string())
}

/// What must hold after any interruption of the second run: the lake is sound, `current` is the old or the
/// new snapshot, and the next run makes the new one.
fn recovers(bench: &TestLake, before: &str, after: &str, what: &str) {
    let current = bench.snapshot().id.to_string();
    assert!([before, after].contains(&current.as_str()), "{what}: {current}");
    assert_eq!(bench.lake().verify().expect("a lake that can be listed").problems, [], "{what}");
    bench.ok(&["run", "--source", &later()]);
    assert_eq!(bench.snapshot().id.to_string(), after, "{what}");
    bench.ok(&["verify"]);
    assert_eq!(bench.leftovers(), Vec::<std::path::PathBuf>::new(), "{what}");
}

#[test]
fn a_run_that_dies_at_any_commit_step_is_finished_by_the_next() {
    let (before, after) = undisturbed();
    let seeded = TestLake::shared(PROGRAM, &[&["run", "--source", &first()]]).copy();
    let args = ["run", "--source", &later()];
    let steps = seeded.list_fault_points(&args, "steps");
    // Six stages' folders with their files, the pointer and the report: if this shrinks, steps are not seen.
    assert!(steps.lines().count() > 120, "{steps}");
    for (step, name) in fault_points(&steps, TriedOperations::FirstAndLast) {
        let bench = seeded.copy();
        let output = bench.run_with_fault(&args, &format!("crash:{step}"));
        assert!(output.status.code().is_none(), "step {step}, {name}: it was not killed");
        recovers(&bench, &before, &after, &format!("step {step}, {name}"));
    }
}

#[test]
fn a_run_killed_at_a_random_moment_is_finished_by_the_next() {
    let (before, after) = undisturbed();
    let begun = Instant::now();
    let seeded = TestLake::shared(PROGRAM, &[&["run", "--source", &first()]]).copy();
    let whole = begun.elapsed();
    for trial in 0..16u32 {
        let bench = seeded.copy();
        let mut command = bench.command(&["run", "--source", &later()]);
        let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let wait = Instant::now() + whole.mul_f64(f64::from(trial) / 16.0);
        while Instant::now() < wait {
            std::thread::yield_now();
        }
        // SIGKILL on this platform.
        run.kill().unwrap();
        run.wait().unwrap();
        recovers(&bench, &before, &after, &format!("trial {trial} of {whole:?}"));
    }
}

#[test]
fn a_second_run_beside_the_first_leaves_with_its_own_code_and_changes_nothing() {
    let bench = TestLake::shared(PROGRAM, &[&["run", "--source", &first()]]).copy();
    let before = std::fs::read(bench.folder().join("lake/current.json")).unwrap();
    let lake = bench.lake();
    let writer = lake.writer("another run", chrono::DateTime::UNIX_EPOCH).unwrap();
    let output = bench.run(&["run", "--source", &later()]);
    assert_eq!(output.status.code(), Some(75));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("held by another run since 1970-01-01"), "{message}");
    drop(writer);
    assert_eq!(std::fs::read(bench.folder().join("lake/current.json")).unwrap(), before);
    bench.ok(&["run", "--source", &later()]);
}

/// Flips a bit in the middle of a file.
fn flip(path: &Path) {
    let mut bytes = std::fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::remove_file(path).unwrap();
    std::io::Write::write_all(&mut std::fs::File::create(path).unwrap(), &bytes).unwrap();
}

/// Flips a bit of each table, file or manifest of that kind below a folder of the lake.
fn flip_all(bench: &TestLake, folder: &str, extension: &str) {
    let folders = std::fs::read_dir(bench.folder().join("lake").join(folder)).unwrap();
    let mut flipped = 0;
    for inside in folders.map(|entry| entry.unwrap().path()) {
        for path in std::fs::read_dir(&inside).unwrap().map(|entry| entry.unwrap().path()) {
            if path.extension().is_some_and(|e| e == extension) {
                flip(&path);
                flipped += 1;
            }
        }
    }
    assert!(flipped > 0, "{folder}");
}

fn flip_snapshot(bench: &TestLake, table: &str) {
    flip(&bench.folder().join(format!("lake/snapshots/{}/tables/{table}.parquet", bench.snapshot().id)));
}

const STAGES: [&str; 3] = ["facts/statsdb", "normalised", "derived/v1"];

#[test]
fn a_run_with_a_later_capture_makes_damaged_stage_outputs_anew() {
    let (_, after) = undisturbed();
    let seeded = TestLake::shared(PROGRAM, &[&["run", "--source", &first()]]).copy();
    for (stage, extension, with_snapshot) in [
        (STAGES[0], "parquet", false),
        (STAGES[0], "json", false),
        (STAGES[1], "parquet", false),
        (STAGES[2], "parquet", false),
        (STAGES[0], "parquet", true),
        (STAGES[1], "parquet", true),
        (STAGES[2], "parquet", true),
    ] {
        let bench = seeded.copy();
        flip_all(&bench, stage, extension);
        if with_snapshot {
            flip_snapshot(&bench, "bouts");
        }
        bench.ok(&["run", "--source", &later()]);
        assert_eq!(bench.snapshot().id.to_string(), after, "{stage} {extension} {with_snapshot}");
        bench.tables();
        // Long after: what was served on the last day stays, and shares its damaged tables with the stages.
        let late = bench.command(&["gc", "--keep", "0"]).env("FIGHTDNA_NOW", "2999-01-01T00:00:00Z").status();
        assert!(late.unwrap().success());
        bench.ok(&["verify"]);
    }
}

#[test]
fn a_damaged_snapshot_is_made_anew_of_stage_outputs_that_are_damaged_too() {
    let seeded = TestLake::shared(PROGRAM, &[&["run", "--source", &first()]]).copy();
    for stages in [&STAGES[1..2], &STAGES[2..], &STAGES[..]] {
        let bench = seeded.copy();
        stages.iter().for_each(|stage| flip_all(&bench, stage, "parquet"));
        flip_snapshot(&bench, "bouts");
        let report = bench.ok(&["run", "--source", &first()]);
        assert!(report.contains(": damaged, made anew"), "{report}");
        // The ids that it gave are an input of what is made anew: other inputs, the same tables.
        let [anew, before] = [&bench, &seeded].map(|bench| SnapshotManifest {
            inputs: vec![],
            log_heads: None,
            ..bench.snapshot()
        });
        assert_eq!(anew, before);
        bench.ok(&["verify"]);
    }
}

#[test]
fn a_damaged_capture_cannot_be_made_anew_and_is_named() {
    let bench = TestLake::shared(PROGRAM, &[&["run", "--source", &first()]]).copy();
    flip_all(&bench, "facts/statsdb", "parquet");
    flip_all(&bench, "raw/statsdb", "csv");
    // The report cannot be made whole either, which must not hide what is wrong.
    flip_snapshot(&bench, "quarantine");
    let output = bench.run(&["run", "--source", &later()]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(65), "{message}");
    assert!(message.contains("ingest failed") && message.contains(".csv"), "{message}");
    let lake = bench.lake();
    let report = lake.read_run(lake.list_runs().unwrap().last().unwrap()).unwrap();
    assert_eq!(report["outcome"], "failed");
    bench.ok(&["run", "--source", &first(), "--source", &later()]);
}

#[test]
fn a_flipped_bit_in_the_snapshot_is_found_and_mended_by_the_next_run() {
    let bench = TestLake::shared(PROGRAM, &[&["run", "--source", &first()]]).copy();
    let path = bench.folder().join(format!("lake/snapshots/{}/tables/bouts.parquet", bench.snapshot().id));
    flip(&path);
    let output = bench.run(&["verify"]);
    assert_eq!(output.status.code(), Some(65));
    assert!(String::from_utf8_lossy(&output.stdout).contains("bouts.parquet"));
    bench.ok(&["run"]);
    bench.ok(&["verify"]);
}

#[test]
fn a_damaged_snapshot_keeps_no_other_from_taking_its_place() {
    for table in ["identities", "dna_versions"] {
        let bench = TestLake::shared(PROGRAM, &[&["run", "--source", &first()]]).copy();
        let damaged = bench.snapshot().id;
        flip_snapshot(&bench, table);
        bench.ok(&["run", "--source", &later()]);
        let served = bench.snapshot();
        assert_ne!(served.id, damaged);
        for name in served.tables.iter().map(|table| &table.name) {
            bench.lake().read_snapshot_table(&served, name).unwrap();
        }
    }
}

#[test]
fn a_gate_does_not_keep_a_damaged_snapshot_served() {
    let bench = TestLake::shared(PROGRAM, &[&["run", "--source", &first()]]).copy();
    let before = bench.snapshot();
    bench.ok(&["run", "--source", &later()]);
    let served = bench.snapshot();
    let newest = served.captures.iter().find(|capture| !before.captures.contains(capture)).unwrap();
    bench.ok(&["captures", "withdraw", "statsdb", &newest.id, "--reason", "another's page"]);
    // The newest capture would be an older one.
    assert_eq!(bench.run(&["run"]).status.code(), Some(76));
    assert_eq!(bench.snapshot().id, served.id);
    flip_snapshot(&bench, "dna_versions");
    bench.ok(&["run"]);
    assert_eq!(bench.snapshot().captures, before.captures);
}

#[test]
fn a_lake_that_cannot_be_written_and_a_source_that_is_not_there_have_their_own_codes() {
    let bench = TestLake::new(PROGRAM);
    assert_eq!(bench.run(&["run", "--source", "statsdb=nowhere"]).status.code(), Some(69));
    assert_eq!(bench.run(&["run", "--source", "statsdb"]).status.code(), Some(2));
    assert_eq!(bench.run(&["serve"]).status.code(), Some(69));
    // A file where the lake's folder should be: no user, root either, can make the folder.
    let bench = TestLake::new(PROGRAM);
    std::fs::File::create(bench.folder().join("lake")).unwrap();
    assert_eq!(bench.run(&["run"]).status.code(), Some(73));
}
