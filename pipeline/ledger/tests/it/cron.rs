//! Real schedules of runs: late, twice, with clocks and starts that move.

use chrono::{DateTime, Utc};
use expect_test::{Expect, expect};
use fdna_ledger::{LedgerEntry, LedgerState, RecordedRows};

use crate::rows::text;
use crate::script::{at, history, parse};

/// Runs at these times, each with the captures that were received by then: a line of the script may begin with the
/// time of its reception and `>`. Gives the rows, and the checkpoints missed.
fn live(script: &str, runs: &[&str]) -> (Vec<LedgerEntry>, String) {
    let lines = script.lines().map(str::trim).filter(|line| !line.is_empty());
    let received: Vec<(DateTime<Utc>, String)> = lines
        .map(|line| match line.split_once("> ") {
            Some((time, line)) => (at(time), line.to_owned()),
            None => (at(&line[..11]), line.to_owned()),
        })
        .collect();
    let mut entries: Vec<LedgerEntry> = Vec::new();
    let mut missed = Vec::new();
    for run in runs {
        let there: Vec<&str> =
            received.iter().filter(|(time, _)| *time <= at(run)).map(|(_, line)| line.as_str()).collect();
        let history = history(&parse(&there.join("\n")));
        let mut book = LedgerState::from_entries(&entries, &history);
        let RecordedRows { entries: new, missed: more } = book.record_run(&history, at(run), at(run));
        entries.extend(new);
        missed.extend(more.into_iter().map(|missed| missed.checkpoint.to_string()));
    }
    (entries, missed.join(" "))
}

fn check(script: &str, runs: &[&str], expected: &Expect) {
    let (entries, missed) = live(script, runs);
    let without: Vec<&str> =
        script.lines().map(|line| line.split_once("> ").map_or(line, |(_, line)| line)).collect();
    let captures = parse(&without.join("\n"));
    expected.assert_eq(&format!("{}missed: {missed}\n", text(&captures, &entries)));
    assert_eq!(fdna_ledger::find_faults(&entries, None), []);
    // Bitemporal order holds whatever the clocks did.
    assert!(entries.is_sorted_by_key(|entry| entry.recorded_at));
}

const WEEK: &str = "01-10 00:00 cards fight 01-18 23:00: A-B 1";

#[test]
fn after_an_outage_the_checkpoint_reached_is_written_and_the_others_are_told_as_missed() {
    check(
        WEEK,
        &["01-10 01:00", "01-12 00:00", "01-16 00:00", "01-20 00:00"],
        &expect![[r#"
            01-10 00:00 A-B ANNOUNCED 1 215.0 h scheduled
            01-11 23:00 A-B T-7D 1 168.0 h scheduled
            01-15 23:00 A-B T-3D 1 72.0 h scheduled
            01-18 11:00 A-B T-0 1 12.0 h scheduled
            missed: T-6D T-5D T-4D T-2D T-1D
        "#]],
    );
}

#[test]
fn two_runs_at_once_write_one_row() {
    check(
        WEEK,
        &["01-12 00:00", "01-12 00:00", "01-12 00:00"],
        &expect![[r#"
        01-11 23:00 A-B T-7D 1 168.0 h scheduled
        missed: 
    "#]],
    );
}

#[test]
fn a_clock_set_back_writes_nothing_that_is_there_and_loses_nothing() {
    check(
        WEEK,
        &["01-13 00:00", "01-11 00:00", "01-13 00:00", "01-14 00:00"],
        &expect![[r#"
        01-12 23:00 A-B T-6D 1 144.0 h scheduled
        01-13 23:00 A-B T-5D 1 120.0 h scheduled
        missed: 
    "#]],
    );
}

#[test]
fn a_capture_that_arrives_late_is_valid_earlier_than_it_is_recorded() {
    check(
        "01-10 00:00 cards fight 01-18 23:00: A-B 1
         01-14 12:00> 01-13 00:00 cards fight 01-18 23:00: A-B 3",
        &["01-14 00:00", "01-14 13:00"],
        &expect![[r#"
            01-13 23:00 A-B T-5D 1 120.0 h scheduled
            01-13 23:00 A-B T-5D 2 120.0 h scheduled
                replace /state/bout_order: 1 -> 3 (source_change, cards)
            missed: 
        "#]],
    );
}

#[test]
fn a_capture_older_than_the_newest_of_its_source_changes_nothing_when_it_arrives() {
    check(
        "01-10 00:00 cards fight 01-18 23:00: A-B 1
         01-14 12:00> 01-09 00:00 cards fight 01-18 23:00: A-B 3",
        &["01-14 00:00", "01-14 13:00"],
        &expect![[r#"
            01-13 23:00 A-B T-5D 1 120.0 h scheduled
            missed: 
        "#]],
    );
}

#[test]
fn an_event_postponed_across_the_date_line_goes_through_its_checkpoints_again() {
    check(
        "01-10 00:00 feed fight 01-18 23:00: A-B 1
         01-17 12:00 feed fight 01-18 23:00 postponed: A-B 1
         01-18 00:00 feed fight 01-25 10:00: A-B 1",
        &["01-17 00:00", "01-17 13:00", "01-18 01:00", "01-24 12:00", "01-25 01:00"],
        &expect![[r#"
            01-16 23:00 A-B T-2D 1 48.0 h scheduled
            01-17 12:00 A-B T-2D 2 35.0 h postponed
                replace /state/bout_status: scheduled -> postponed (source_change, feed)
            01-18 00:00 A-B ANNOUNCED 1 178.0 h scheduled
                replace /scheduled_start/value: 2025-01-18T23:00:00Z -> 2025-01-25T10:00:00Z (source_change, feed)
                replace /scheduled_start/date: 2025-01-18 -> 2025-01-25 (source_change, feed)
                replace /state/bout_status: postponed -> scheduled (source_change, feed)
            01-24 10:00 A-B T-1D 1 24.0 h scheduled
            01-24 22:00 A-B T-0 1 12.0 h scheduled
            missed: T-7D T-6D T-5D T-4D T-3D T-2D
        "#]],
    );
}

#[test]
fn a_start_that_moves_within_the_last_hours_is_a_further_row() {
    check(
        "01-18 00:00 feed fight 01-18 23:00: A-B 1
         01-18 13:00 feed fight 01-18 23:30: A-B 1
         01-18 14:00 feed fight 01-19 03:00: A-B 1",
        &["01-18 12:00", "01-18 13:00", "01-18 13:30", "01-18 14:00", "01-18 15:30"],
        &expect![[r#"
            01-18 11:00 A-B T-0 1 12.0 h scheduled
            01-18 13:00 A-B T-0 2 10.5 h scheduled
                replace /scheduled_start/value: 2025-01-18T23:00:00Z -> 2025-01-18T23:30:00Z (source_change, feed)
            01-18 14:00 A-B T-1D 1 13.0 h scheduled
                replace /scheduled_start/value: 2025-01-18T23:30:00Z -> 2025-01-19T03:00:00Z (source_change, feed)
            01-18 15:00 A-B T-0 3 12.0 h scheduled
            missed: 
        "#]],
    );
}
