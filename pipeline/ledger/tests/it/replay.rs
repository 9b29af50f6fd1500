//! Random captures and random runs: rows are only added, no bout begins twice, the chain holds, and a replay writes
//! what runs wrote.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use fdna_ledger::{
    LedgerEntry, LedgerState, StateValue, find_faults, from_table, replay_rows, replay_runs, to_table,
};
use proptest::prelude::*;
use uuid::Uuid;

use crate::script::{Capture, Line, at, history};

const PAIRS: [[&str; 2]; 6] = [["A", "B"], ["A", "C"], ["B", "C"], ["D", "E"], ["D", "F"], ["G", "H"]];

fn lines(chosen: &[(usize, u8)], is_result: bool) -> Vec<Line> {
    let mut seen = BTreeSet::new();
    let chosen = chosen.iter().filter(|(pair, _)| seen.insert(pair % PAIRS.len()));
    let line = |(pair, word): &(usize, u8)| {
        let [a, b] = PAIRS[pair % PAIRS.len()];
        let words = match (is_result, word % 4) {
            (true, 0) => vec!["win", a, "ko_tko"],
            (true, 1) => vec!["win", b, "submission"],
            (true, 2) => vec!["no_contest", "overturned"],
            (true, _) => vec!["draw"],
            (false, 0) => vec!["1"],
            (false, 1) => vec!["2", "main_event"],
            (false, 2) => vec!["completed"],
            (false, _) => vec![],
        };
        Line { fighters: [a.to_owned(), b.to_owned()], words: words.into_iter().map(str::to_owned).collect() }
    };
    chosen.map(line).collect()
}

fn capture() -> impl Strategy<Value = Capture> {
    let sources = prop_oneof![4 => Just("cards"), 4 => Just("feed"), 2 => Just("stats"), 1 => Just("wire")];
    let bouts = proptest::collection::vec((0..PAIRS.len(), 0..4u8), 0..6);
    let start =
        prop_oneof![Just("01-18 23:00"), Just("01-18 20:00"), Just("01-19 03:00"), Just("01-25 10:00")];
    let status = prop_oneof![6 => Just(None), 1 => Just(Some("postponed")), 1 => Just(Some("cancelled"))];
    (0..70 * 24i64, sources, bouts, start, status, any::<bool>(), any::<bool>()).prop_map(
        |(hour, source, bouts, start, status, has_hour, second)| {
            let start = at(start);
            let told =
                if has_hour { StateValue::Instant(start) } else { StateValue::Date(start.date_naive()) };
            let name = match (source, second) {
                ("wire", _) => "A",
                (_, true) => "fight",
                (_, false) => "other",
            };
            let told = (source != "stats" && source != "wire").then_some(told);
            Capture {
                at: at("01-01 00:00") + TimeDelta::hours(hour),
                source: source.to_owned(),
                event: Some((name.to_owned(), told, status.map(str::to_owned).filter(|_| source != "stats"))),
                bouts: lines(&bouts, source == "stats"),
            }
        },
    )
}

/// One capture of a source at a time.
fn captures() -> impl Strategy<Value = Vec<Capture>> {
    proptest::collection::vec(capture(), 1..14).prop_map(|captures| {
        let mut seen = BTreeSet::new();
        captures.into_iter().filter(|c| seen.insert((c.at, c.source.clone()))).collect()
    })
}

fn live(captures: &[Capture], runs: &BTreeSet<DateTime<Utc>>) -> Vec<LedgerEntry> {
    let mut entries: Vec<LedgerEntry> = Vec::new();
    for run in runs {
        let there: Vec<Capture> = captures.iter().filter(|c| c.at <= *run).cloned().collect();
        let history = history(&there);
        let new = LedgerState::from_entries(&entries, &history).record_run(&history, *run, *run);
        entries.extend(new.entries);
    }
    entries
}

/// Rows without the time at which they were written.
fn timeless(entries: &[LedgerEntry]) -> Vec<LedgerEntry> {
    entries.iter().map(|e| LedgerEntry { recorded_at: DateTime::UNIX_EPOCH, ..e.clone() }).collect()
}

fn check_rows(entries: &[LedgerEntry]) {
    assert_eq!(find_faults(entries, None), []);
    let mut of_bout: BTreeMap<Uuid, Vec<&LedgerEntry>> = BTreeMap::new();
    entries.iter().for_each(|entry| of_bout.entry(entry.bout_id).or_default().push(entry));
    for rows in of_bout.values() {
        assert!(rows[0].is_baseline && rows[0].diff.is_empty());
        assert!(rows[1..].iter().all(|row| !row.is_baseline));
        assert!(rows.is_sorted_by_key(|row| row.valid_at));
        let numbered: BTreeSet<(String, i32)> =
            rows.iter().map(|row| (row.checkpoint.to_string(), row.sequence)).collect();
        assert_eq!(numbered.len(), rows.len(), "a checkpoint's rows are numbered once each");
    }
    let batch = to_table(entries, 1).unwrap();
    assert_eq!(from_table(&batch).unwrap(), entries);
}

const RECORDED: &str = "12-31 00:00";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_replay_with_the_times_of_runs_is_what_the_runs_wrote(
        captures in captures(),
        runs in proptest::collection::btree_set(0..75 * 24 * 60i64, 1..30),
    ) {
        let runs: BTreeSet<DateTime<Utc>> =
            runs.into_iter().map(|minute| at("01-01 00:00") + TimeDelta::minutes(minute)).collect();
        let written = live(&captures, &runs);
        check_rows(&written);
        let runs: Vec<_> = runs.into_iter().collect();
        let replayed = replay_runs(&mut LedgerState::default(), &history(&captures), &runs, at(RECORDED)).entries;
        prop_assert_eq!(timeless(&replayed), timeless(&written));
    }

    #[test]
    fn a_replay_is_what_runs_at_every_capture_and_checkpoint_wrote(captures in captures()) {
        let history = history(&captures);
        let span = [at("01-01 00:00"), at("03-20 00:00")];
        let replayed = replay_rows(&mut LedgerState::default(), &history, span, at(RECORDED)).entries;
        check_rows(&replayed);
        let mut runs: BTreeSet<DateTime<Utc>> = replayed.iter().map(|entry| entry.valid_at).collect();
        runs.extend(captures.iter().map(|capture| capture.at));
        prop_assert_eq!(timeless(&live(&captures, &runs)), timeless(&replayed));
        // Again upon itself, nothing is added.
        let mut book = LedgerState::from_entries(&replayed, &history);
        prop_assert_eq!(replay_rows(&mut book, &history, span, at(RECORDED)).entries, vec![]);
    }

    #[test]
    fn between_a_run_and_the_time_that_is_due_next_there_is_nothing_to_write(
        captures in captures(),
        run in 0..75 * 24 * 60i64,
        minutes in 1..60 * 24 * 60i64,
    ) {
        let (history, run) = (history(&captures), at("01-01 00:00") + TimeDelta::minutes(run));
        let mut book = LedgerState::default();
        // A run that wrote rows may leave some to the next: a result and the day after it.
        while !book.record_run(&history, run, run).entries.is_empty() {}
        let (due, later) = (book.next_due(&history, run), run + TimeDelta::minutes(minutes));
        prop_assert!(due.is_none_or(|due| due > run));
        let later = due.map_or(later, |due| later.min(due - TimeDelta::milliseconds(1)));
        prop_assert_eq!(book.record_run(&history, later, later).entries, vec![]);
    }
}
