//! What an operator sees of runs that failed or were killed, of damage and of odd clocks; what is kept and what goes.

mod commands;

use std::process::Output;

use fdna_suite::TestLake;
use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fightdna-under-test");

/// A day after the first capture of the sample, so that nothing is overdue.
const NOW: &str = "2025-11-02T00:00:00Z";
/// After the second capture of the sample was taken.
const LATER: &str = "2025-12-02T00:00:00Z";

fn sample(folder: &str) -> String {
    format!("statsdb={}/../../data/sample/{folder}", env!("CARGO_MANIFEST_DIR"))
}

fn first() -> String {
    sample("statsdb/2025-11-01")
}

fn later() -> String {
    sample("statsdb-later/2025-12-01")
}

fn at(bench: &TestLake, now: &str, args: &[&str]) -> Output {
    bench.command(args).env("FIGHTDNA_NOW", now).output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What `status --check` says at a time, and its exit code.
fn check(bench: &TestLake, now: &str) -> (i32, String) {
    let output = at(bench, now, &["status", "--check"]);
    (code(&output), text(&output))
}

fn one_run() -> TestLake {
    let bench = TestLake::new(PROGRAM);
    let output = at(&bench, NOW, &["run", "--source", &first()]);
    assert_eq!(code(&output), 0, "{}", String::from_utf8_lossy(&output.stderr));
    bench
}

#[expect(clippy::disallowed_methods, reason = "plays the disk that damages a file behind the lake's back")]
fn put(bench: &TestLake, file: &str, bytes: &[u8]) {
    std::fs::write(bench.folder().join("lake").join(file), bytes).unwrap();
}

#[test]
fn a_killed_run_is_told_as_killed_at_once_and_by_the_next_run() {
    let bench = one_run();
    assert_eq!(check(&bench, NOW), (0, "nothing needs attention\n".to_owned()));
    let mut command = bench.command(&["run", "--source", &later()]);
    command.env("FIGHTDNA_NOW", LATER).env("FIGHTDNA_FAULT", "crash:20").output().unwrap();
    let (exit, told) = check(&bench, LATER);
    assert!(exit == 79 && told.contains("ATTENTION last run: 000002-"), "{exit} {told}");
    assert!(told.contains("killed: it ended without a word"), "{told}");
    assert!(text(&at(&bench, LATER, &["status"])).contains("last run 000002-20251202T000000000Z: killed"));

    // A clock that was put back hides nothing.
    let output = at(&bench, "2025-12-01T12:00:00Z", &["run", "--source", &later()]);
    assert_eq!(code(&output), 0, "{}", String::from_utf8_lossy(&output.stderr));
    let lake = bench.lake();
    let runs = lake.list_runs().unwrap();
    let outcomes: Vec<Value> = runs.iter().map(|id| lake.read_run(id).unwrap()["outcome"].clone()).collect();
    assert_eq!(outcomes, ["done", "killed", "done"]);
    assert_eq!(lake.read_run(&runs[2]).unwrap()["exit_code"], 0);
}

#[test]
fn a_run_that_failed_before_its_first_job_or_after_a_run_of_the_future_is_told() {
    let bench = one_run();
    assert_eq!(code(&at(&bench, "2036-01-01T00:00:00Z", &["run"])), 0);
    let nowhere = at(&bench, NOW, &["run", "--source", "statsdb=nowhere"]);
    assert_eq!(code(&nowhere), 69);
    let (exit, told) = check(&bench, NOW);
    assert!(
        exit == 79
            && told.contains("ATTENTION last run: 000003-20251102T000000000Z refused: did not import "),
        "{told}"
    );
    let json = at(&bench, NOW, &["status", "--check", "--json"]);
    let status: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((code(&json), &status["last_run"]["exit_code"]), (79, &69.into()));
    assert_eq!(status["attention"][0]["kind"], "last_run");
    let (_, told) = check(&bench, "2025-10-30T00:00:00Z");
    for what in ["the newest capture", "the current snapshot", "the last run"] {
        assert!(told.contains(&format!("ATTENTION clock: {what} is of 2025-11-0")), "{told}");
    }
}

#[test]
fn status_names_what_is_damaged_and_tells_the_rest() {
    let bench = one_run();
    let report = format!("runs/{}.json", bench.lake().list_runs().unwrap()[0]);
    let pointer = std::fs::read(bench.folder().join("lake/current.json")).unwrap();
    for (file, flipped) in [(report.as_str(), 300), ("current.json", pointer.len() - 8)] {
        let damaged = TestLake::copy(&bench);
        let mut bytes = std::fs::read(damaged.folder().join("lake").join(file)).unwrap();
        bytes[flipped] ^= 1;
        put(&damaged, file, &bytes);
        let status = at(&damaged, NOW, &["status"]);
        let told = text(&status);
        assert_eq!(code(&status), 0, "{file}");
        assert!(told.contains("BROKEN") && told.contains(file) && told.contains("statsdb"), "{told}");
        let (exit, told) = check(&damaged, NOW);
        assert!(exit == 79 && told.contains("ATTENTION damaged: ") && told.contains(file), "{told}");
    }
}

#[test]
fn a_source_behind_its_rhythm_is_overdue() {
    let bench = one_run();
    let (exit, told) = check(&bench, "2025-12-31T00:00:00Z");
    assert!(exit == 79 && told.starts_with("ATTENTION overdue: statsdb"), "{told}");
}

#[test]
fn the_metrics_file_tells_of_a_run_that_failed_and_when_one_last_did_not() {
    let bench = one_run();
    let metrics = |now: &str, args: &[&str]| {
        let args = [args, &["--metrics-file", "fightdna.prom"]].concat();
        let output = at(&bench, now, &args);
        (code(&output), std::fs::read_to_string(bench.folder().join("fightdna.prom")).unwrap())
    };
    let (_, quiet) = metrics("2025-11-02T01:00:00Z", &["run"]);
    for line in
        ["fightdna_run_last_success 1.0", "fightdna_captures 1.0", "fightdna_snapshot_age_seconds 3600.0"]
    {
        assert!(quiet.lines().any(|found| found == line), "{line}\n{quiet}");
    }
    let (exit, failed) = metrics("2025-11-02T02:00:00Z", &["run", "--source", "statsdb=nowhere"]);
    assert!(exit == 69 && failed.contains("fightdna_run_last_exit_code 69.0\n"), "{failed}");
    // 2025-11-02T01:00:00Z and what that run took.
    assert!(failed.contains("fightdna_run_last_success_time_seconds 176204520"), "{failed}");
    let writer = bench.lake().writer("another", chrono::DateTime::UNIX_EPOCH).unwrap();
    let (exit, locked) = metrics("2025-11-02T03:00:00Z", &["run"]);
    assert_eq!((exit, locked), (75, failed), "that was no run");
    drop(writer);
}

#[test]
fn gc_keeps_as_many_besides_the_current_one_tells_what_it_frees_and_first_what_it_would() {
    let bench = one_run();
    for (now, args) in [
        ("2025-12-02T00:00:00Z", &["run", "--source", &later()][..]),
        ("2025-12-02T01:00:00Z", &["run", "--known-at", "2025-11-15T00:00:00Z"]),
    ] {
        assert_eq!(code(&at(&bench, now, args)), 0);
    }
    let old: Vec<String> = bench.lake().list_snapshots().unwrap().iter().map(|s| s.id.to_string()).collect();
    assert!(old.len() >= 2, "{old:?}");
    let keep_one = bench.ok(&["gc", "--keep", "1", "--dry-run"]);
    assert!(old.len() > 2 || !keep_one.contains("snapshot "), "{keep_one}");
    let plan = bench.ok(&["gc", "--keep", "0", "--dry-run"]);
    assert!(plan.contains("would remove snapshot ") && plan.contains(" bytes would be freed"), "{plan}");
    assert_eq!(bench.lake().list_snapshots().unwrap().len(), old.len());
    let done = bench.ok(&["gc", "--keep", "0"]);
    let plain = plan.replace("would remove", "removed").replace("would be freed", "freed");
    assert_eq!(done, format!("0 leftovers swept\n{plain}"));
    assert_eq!(bench.lake().list_snapshots().unwrap().len(), 1);
    bench.ok(&["verify"]);
}
