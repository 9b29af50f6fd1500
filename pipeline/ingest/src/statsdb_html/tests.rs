//! The fixtures of `tests/fixtures/statsdb-html`, each forcing what its folder says, and pages damaged at random.

use std::fmt::Write as _;

use arrow::array::RecordBatch;
use bytes::Bytes;
use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::ingest;
use crate::IngestedCapture;
use crate::testing::{TestFiles, fixture};

fn files(case: &str) -> TestFiles {
    fixture("statsdb-html", case)
}

/// Rows of a table, without the digest of the page.
fn rows(ingested: &IngestedCapture, table: &str) -> String {
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

fn findings(ingested: &IngestedCapture) -> String {
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
fn assert_counts(ingested: &IngestedCapture) {
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
    expect![[r#"
            statsdb_events
            events.html|1|e0000000000000e1|Example Night 7: Quill vs. Stone|2026-03-01|Anytown, Someland
            events.html|2|e0000000000000e0|Example Night 6|2026-02-01|

            statsdb_bout_details
            event-e0000000000000e1.html|2|b000000000000001|Example Night 7: Quill vs. Stone|Ada Quill vs. Bo Stone
            event-e0000000000000e1.html|3|b000000000000002|Example Night 7: Quill vs. Stone|Dot Vane vs. Cy Marsh

            statsdb_results
            fight-b000000000000001.html|1|b000000000000001|Example Night 7: Quill vs. Stone|Ada Quill|Bo Stone|00000000000000a1|00000000000000b2|W/L|UFC Flyweight Title Bout|Decision - Split|3|300|3 Rnd (5-5-5)|Ref One|Jo Judge 28 - 29.Al Arbiter 29 - 28.Em Umpire 28 - 29.
            fight-b000000000000002.html|1|b000000000000002|Example Night 7: Quill vs. Stone|Cy Marsh|Dot Vane|00000000000000c3|00000000000000d4|L/W|Women's Strawweight Bout|KO/TKO|1|125|3 Rnd (5-5-5)|Ref Two|Punch to Head At Distance

            statsdb_round_stats
            fight-b000000000000001.html|4|Example Night 7: Quill vs. Stone|Ada Quill|Bo Stone|1|Ada Quill|0|10|20|12|24|1|2|0|0|60|6|12|2|4|2|4|8|16|1|2|1|2
            fight-b000000000000001.html|5|Example Night 7: Quill vs. Stone|Ada Quill|Bo Stone|2|Ada Quill|1|12|18|12|18|0|0|0|1|30|8|12|2|3|2|3|10|15|1|1|1|2
            fight-b000000000000001.html|6|Example Night 7: Quill vs. Stone|Ada Quill|Bo Stone|3|Ada Quill|0|9|30|9|30|0|3|0|0|0|5|20|2|6|2|4|9|29|0|1|0|0
            fight-b000000000000001.html|7|Example Night 7: Quill vs. Stone|Ada Quill|Bo Stone|1|Bo Stone|0|5|15|5|15|0|1|0|0|10|3|10|1|3|1|2|5|15|0|0|0|0
            fight-b000000000000001.html|8|Example Night 7: Quill vs. Stone|Ada Quill|Bo Stone|2|Bo Stone|0|7|19|9|22|1|1|1|0|45|4|12|2|4|1|3|6|16|1|2|0|1
            fight-b000000000000001.html|9|Example Night 7: Quill vs. Stone|Ada Quill|Bo Stone|3|Bo Stone|0|11|25|11|25|0|0|0|0|0|9|20|1|3|1|2|11|25|0|0|0|0
            fight-b000000000000002.html|4|Example Night 7: Quill vs. Stone|Cy Marsh|Dot Vane|1|Cy Marsh|0|1|3|1|3|0|0|0|0|0|0|1|0|1|1|1|1|3|0|0|0|0
            fight-b000000000000002.html|5|Example Night 7: Quill vs. Stone|Cy Marsh|Dot Vane|1|Dot Vane|1|4|6|4|6|0|0|0|0|0|4|6|0|0|0|0|3|5|0|0|1|1

            statsdb_fighters
            fight-b000000000000001.html|2|00000000000000a1|Ada Quill|The Pen
            fight-b000000000000001.html|3|00000000000000b2|Bo Stone|
            fight-b000000000000002.html|2|00000000000000c3|Cy Marsh|Reed
            fight-b000000000000002.html|3|00000000000000d4|Dot Vane|
            fighter-00000000000000a1.html|2|00000000000000a1|Ada Quill|The Pen
            fighter-00000000000000b2.html|2|00000000000000b2|Bo Stone|
            fighter-00000000000000c3.html|2|00000000000000c3|Cy Marsh|Reed
            fighter-00000000000000d4.html|2|00000000000000d4|Dot Vane|

            statsdb_fighter_profiles
            fighter-00000000000000a1.html|1|00000000000000a1|Ada Quill|64|125|66|Orthodox|1996-01-02
            fighter-00000000000000b2.html|1|00000000000000b2|Bo Stone|64|125|66|Orthodox|1996-01-02
            fighter-00000000000000c3.html|1|00000000000000c3|Cy Marsh|64|125|66|Orthodox|1996-01-02
            fighter-00000000000000d4.html|1|00000000000000d4|Dot Vane||115|||

        "#]].assert_eq(&told.concat());
    // The event stands in the list and on its own page, and says the same.
    expect![[r#"
            event-e0000000000000e1.html:1 note duplicate: the same as `events.html`, 1
        "#]]
    .assert_eq(&findings(&ingested));
}

#[test]
fn what_is_odd_costs_a_record_and_what_is_built_otherwise_a_page() {
    check_findings(
        "a-value-is-odd",
        &expect![[r#"
            event-e0000000000000e1.html:2 quarantine unreadable_value: `data-link` is `?`
            fight-b000000000000002.html:1 quarantine unreadable_value: `Time` is `soon`
            fight-nobody.html:1 quarantine unreadable_value: the file's name has `nobody` for an id
            fighter-00000000000000a1.html:1 quarantine unreadable_value: `Height` is `tall`
        "#]],
    );
    check_findings(
        "a-column-is-gone",
        &expect![[r#"
            fight-b000000000000001.html:1 quarantine missing_column: the page has no `section.b-statistics__section_details table th` in the columns it had; it has `Fighter`, `KD`, `Sig. str.`, `Sig. str. %`, `Total str.`, `Td`, `Td %`, `Sub. att`, `Rev.`
            fighter-00000000000000a1.html:1 quarantine missing_column: the page has no `li.b-list__box-list-item` with `STANCE:`
        "#]],
    );
    check_findings(
        "a-table-is-gone",
        &expect![[r#"
            events.html:1 quarantine missing_column: the page has no `table.b-statistics__table-events a[href*='event-details/']`
            event-e0000000000000e1.html:1 quarantine missing_column: the page has no `table.js-fight-table`
            fight-b000000000000001.html:1 quarantine missing_column: the page has no `section.b-statistics__section_details table` with `Sig. str` and `Round 1`
        "#]],
    );
}

#[test]
fn totals_that_are_not_the_sum_of_the_rounds_are_noted_and_the_rounds_stay() {
    check_findings(
        "totals-are-not-the-sum",
        &expect![[r#"
            fight-b000000000000001.html:1 note contradiction: the totals of `Ada Quill` say sig_landed 30 where the rounds add up to 31
            fight-b000000000000001.html:1 note contradiction: the totals of `Bo Stone` say control 57 s where the rounds add up to 55 s
        "#]],
    );
    let ingested = ingest(&files("totals-are-not-the-sum")).unwrap();
    assert_eq!(rows(&ingested, "statsdb_round_stats").lines().count(), 6);
}

#[test]
fn a_bout_that_has_no_statistics_or_no_outcome_yet_is_told() {
    check_findings(
        "a-bout-without-statistics",
        &expect![[r#"
            fight-b000000000000001.html:1 note no_statistics: the source has no statistics of this bout
        "#]],
    );
    check_findings(
        "a-bout-to-come",
        &expect![[r#"
            fight-b000000000000001.html:1 quarantine no_result: the page gives no outcome yet
            fight-b000000000000001.html:1 note no_statistics: the source has no statistics of this bout
        "#]],
    );
}

#[test]
fn an_event_told_twice_with_other_values_is_set_aside_once() {
    check_findings(
        "an-event-told-twice",
        &expect![[r#"
            event-e0000000000000e1.html:1 quarantine duplicate: duplicate id `e0000000000000e1`: `events.html`, line 1, has different values
        "#]],
    );
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

fn shown(ingested: &IngestedCapture) -> (Vec<(String, RecordBatch)>, String) {
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
