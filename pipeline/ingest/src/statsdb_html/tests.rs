//! The fixtures of `tests/fixtures/statsdb-html`, each forcing what its folder says, and pages damaged at random.

use std::fmt::Write as _;
use std::path::Path;

use arrow::array::RecordBatch;
use bytes::Bytes;
use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::ingest;
use crate::Ingested;

fn files(case: &str) -> Vec<(String, Bytes)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/statsdb-html");
    let mut files: Vec<(String, Bytes)> = std::fs::read_dir(Path::new(folder).join(case))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            (path.file_name().unwrap().to_string_lossy().into(), std::fs::read(&path).unwrap().into())
        })
        .collect();
    files.sort_by(|a, b| a.0.cmp(&b.0));
    files
}

/// Rows of a table, without the digest of the page.
fn rows(ingested: &Ingested, table: &str) -> String {
    let (_, batch) = ingested.tables.iter().find(|(name, _)| name == table).unwrap();
    let cell = |row: usize, column: usize| {
        arrow::util::display::array_value_to_string(batch.column(column), row).unwrap()
    };
    let columns: Vec<usize> =
        (0..batch.num_columns()).filter(|i| batch.schema().field(*i).name() != "row_digest").collect();
    (0..batch.num_rows()).fold(String::new(), |mut out, row| {
        let cells: Vec<String> = columns.iter().map(|column| cell(row, *column)).collect();
        let _ = writeln!(out, "{}", cells.join("|"));
        out
    })
}

fn findings(ingested: &Ingested) -> String {
    ingested.findings.iter().fold(String::new(), |mut out, f| {
        let _ = writeln!(out, "{}:{} {} {}: {}", f.file, f.line, f.severity.name(), f.kind.name(), f.reason);
        out
    })
}

fn check_findings(case: &str, expected: &Expect) {
    let ingested = ingest(&files(case)).unwrap();
    assert_counts(&ingested);
    expected.assert_eq(&findings(&ingested));
}

/// Nothing is lost: of each page, and of all tables together.
fn assert_counts(ingested: &Ingested) {
    for count in &ingested.counts {
        assert_eq!(count.rows_in, count.rows_out + count.set_aside, "{count:?}");
    }
    let out: usize = ingested.counts.iter().map(|count| count.rows_out).sum();
    assert_eq!(out, ingested.tables.iter().map(|(_, batch)| batch.num_rows()).sum::<usize>());
}

#[test]
fn a_whole_card_becomes_the_tables_of_the_six_files() {
    let ingested = ingest(&files("a-whole-card")).unwrap();
    assert_counts(&ingested);
    let tables = [
        "statsdb_events",
        "statsdb_bout_details",
        "statsdb_results",
        "statsdb_round_stats",
        "statsdb_fighters",
        "statsdb_fighter_profiles",
    ];
    let told = tables.map(|table| format!("{table}\n{}\n", rows(&ingested, table)));
    expect![[""]].assert_eq(&told.concat());
    // The event stands in the list and on its own page, and says the same.
    expect![[""]].assert_eq(&findings(&ingested));
}

#[test]
fn what_is_odd_costs_a_record_and_what_is_built_otherwise_a_page() {
    check_findings("a-value-is-odd", &expect![[""]]);
    check_findings("a-column-is-gone", &expect![[""]]);
    check_findings("a-table-is-gone", &expect![[""]]);
}

#[test]
fn totals_that_are_not_the_sum_of_the_rounds_are_noted_and_the_rounds_stay() {
    check_findings("totals-are-not-the-sum", &expect![[""]]);
    let ingested = ingest(&files("totals-are-not-the-sum")).unwrap();
    assert_eq!(rows(&ingested, "statsdb_round_stats").lines().count(), 6);
}

#[test]
fn a_bout_that_has_no_statistics_or_no_outcome_yet_is_told() {
    check_findings("a-bout-without-statistics", &expect![[""]]);
    check_findings("a-bout-to-come", &expect![[""]]);
}

#[test]
fn an_event_told_twice_with_other_values_is_set_aside_once() {
    check_findings("an-event-told-twice", &expect![[""]]);
}

#[test]
fn a_capture_without_a_page_is_refused() {
    let ingested = ingest(&[("notes.txt".to_owned(), Bytes::from_static(b"x"))]).unwrap();
    assert_eq!(
        findings(&ingested),
        "events.html:0 fatal missing_file: the capture has no page of an event, bout or fighter\n"
    );
    let not_text =
        ingest(&[("fight-b000000000000001.html".to_owned(), Bytes::from_static(b"<p>\xff"))]).unwrap();
    assert_eq!(
        findings(&not_text),
        "fight-b000000000000001.html:1 quarantine not_utf8: byte 3 is no UTF-8\n"
    );
}

/// A way to damage a page.
#[derive(Debug, Clone)]
enum Damage {
    Cut(usize),
    Flip(usize, u8),
    Drop(usize, usize),
    Twice(usize, usize),
    Nest(usize, usize),
    Number(usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = 0..20_000_usize;
    prop_oneof![
        at.clone().prop_map(Damage::Cut),
        (at.clone(), any::<u8>()).prop_map(|(at, byte)| Damage::Flip(at, byte)),
        (at.clone(), 1..3_000_usize).prop_map(|(at, length)| Damage::Drop(at, length)),
        (at.clone(), 1..3_000_usize).prop_map(|(at, length)| Damage::Twice(at, length)),
        (at.clone(), 1..2_000_usize).prop_map(|(at, depth)| Damage::Nest(at, depth)),
        at.prop_map(Damage::Number),
    ]
}

fn apply(damage: &Damage, page: &mut Vec<u8>) {
    let length = page.len();
    let range = |at: usize, n: usize| at % length..(at % length + n).min(length);
    match *damage {
        _ if length == 0 => {}
        Damage::Cut(at) => page.truncate(at % length),
        Damage::Flip(at, byte) => page[at % length] = byte,
        Damage::Drop(at, n) => drop(page.drain(range(at, n))),
        Damage::Twice(at, n) => {
            let part = page[range(at, n)].to_vec();
            page.splice(at % length..at % length, part);
        }
        Damage::Nest(at, depth) => {
            drop(page.splice(at % length..at % length, b"<div><table><i>".repeat(depth)))
        }
        Damage::Number(at) => {
            let from = page[at % length..].iter().position(u8::is_ascii_digit).map(|n| n + at % length);
            from.into_iter().for_each(|n| drop(page.splice(n..=n, *b"99999999999999999999")));
        }
    }
}

fn shown(ingested: &Ingested) -> (Vec<(String, RecordBatch)>, String) {
    (ingested.tables.clone(), findings(ingested))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_damage_panics_or_loses_a_record(which in 0..8_usize, damages in prop::collection::vec(damage(), 1..6)) {
        let mut files = files("a-whole-card");
        let place = which % files.len();
        let mut page = files[place].1.to_vec();
        damages.iter().for_each(|damage| apply(damage, &mut page));
        files[place].1 = page.into();
        let ingested = ingest(&files).unwrap();
        assert_counts(&ingested);
        prop_assert_eq!(shown(&ingested), shown(&ingest(&files).unwrap()));
    }
}
