//! Captures are read in processes of their own: what ends one, ends no run.

use std::process::Output;

use clap::Parser as _;
use fdna_jobs::{Cli, ExitCode};
use fdna_lake::Lake;
use fdna_suite::TestLake;

use crate::hostile::{bench, good, published, told, write};

fn run_within(bench: &TestLake, bound: (&str, &str), args: &[&str]) -> Output {
    bench.command(args).env(bound.0, bound.1).output().unwrap()
}

#[test]
fn a_process_and_a_thread_make_the_very_same_snapshot() {
    let [by_process, by_thread] = [bench(), bench()];
    by_process.ok(&["run"]);
    let lake = by_thread.folder().join("lake");
    let cli = Cli::parse_from(["fightdna", "run", "--quiet", "--lake", lake.to_str().unwrap()]);
    let now = "2026-11-01T00:00:00Z".parse().unwrap();
    assert_eq!(cli.run(now, |lake: Lake| lake).unwrap(), ExitCode::Done);
    assert_eq!(by_process.snapshot().id, by_thread.snapshot().id);
    assert_eq!(by_process.snapshot().inputs, by_thread.snapshot().inputs);
}

#[test]
fn a_capture_that_is_not_read_in_time_is_refused_by_name_until_the_next_run() {
    let bench = bench();
    write(&bench, "statsdb/2025-11-01", &good());
    let take_in = ["run", "--captures", "statsdb=statsdb"];
    let (code, report, message) = told(&run_within(&bench, ("FIGHTDNA_READ_SECONDS", "0"), &take_in));
    assert_eq!(code, Some(65), "{report}{message}");
    assert!(message.contains("not read within 0 s") && message.contains(".csv`"), "{message}");
    // Nothing is told of a refusal that does not hold any more.
    let report = bench.ok(&["run"]);
    assert!(!report.contains("REFUSED"), "{report}");
    assert_eq!(published(&bench), ["statsdb"]);
    assert!(!bench.ok(&["status"]).contains("REFUSED"));
}

#[test]
fn a_capture_that_takes_all_memory_is_refused_and_the_others_are_published() {
    let bench = bench();
    write(&bench, "statsdb/2025-11-01", &good());
    let values = format!("{{\"articles\": [{}0]}}", "[[]],".repeat(600_000));
    write(&bench, "news/2025-11-02", &[("mma-news.json".to_owned(), values.into_bytes())]);
    let args = ["run", "--captures", "statsdb=statsdb", "--captures", "news=news"];
    let (code, report, message) = told(&run_within(&bench, ("FIGHTDNA_READ_MEMORY_MB", "400"), &args));
    assert_eq!(code, Some(65), "{report}{message}");
    assert!(message.contains("more than 400 MB of memory") && message.contains("mma-news.json"), "{message}");
    assert_eq!(published(&bench), ["statsdb"]);
    // With more of it the capture is found to be none by what it says.
    let (code, _, message) = told(&bench.run(&["run"]));
    assert_eq!(code, Some(0), "{message}");
}

#[test]
fn a_worker_that_cannot_begin_refuses_for_now_and_hangs_nothing() {
    let bench = bench();
    write(&bench, "statsdb/2025-11-01", &good());
    let args = ["run", "--captures", "statsdb=statsdb"];
    let (code, _, message) = told(&run_within(&bench, ("FIGHTDNA_READ_MEMORY_MB", "1"), &args));
    assert_eq!(code, Some(65), "{message}");
    assert!(message.contains("tried again by the next run"), "{message}");
    bench.ok(&["run"]);
}

#[test]
fn a_capture_that_is_not_read_in_time_twice_is_given_up_until_it_may_take_longer() {
    let bench = bench();
    write(&bench, "statsdb/2025-11-01", &good());
    let none = ("FIGHTDNA_READ_SECONDS", "0");
    let (code, _, first) = told(&run_within(&bench, none, &["run", "--captures", "statsdb=statsdb"]));
    assert!(code == Some(65) && first.contains("tried again by the next run"), "{first}");
    let (code, _, second) = told(&run_within(&bench, none, &["run"]));
    assert!(code == Some(65) && second.contains("not tried again until"), "{second}");
    let (code, report, third) = told(&run_within(&bench, none, &["run"]));
    assert!(code == Some(65) && !report.contains("ingest statsdb"), "{report}{third}");
    assert!(third.contains("not tried again until"), "it is told all the same: {third}");
    bench.ok(&["run"]);
    assert_eq!(published(&bench), ["statsdb"]);
}
