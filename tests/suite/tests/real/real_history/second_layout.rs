//! The same source in a layout that is keyed by its ids: an answer to the names by which the six files tie
//! bouts, fighters and rounds together.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::real_history::read::{History, Round, csv, history};
use crate::real_history::{day, fail_with};

/// Rows by column name.
struct Sheet {
    columns: HashMap<String, usize>,
    rows: Vec<Vec<String>>,
}

impl Sheet {
    fn open(history: &History, file: &str) -> Self {
        let path = history.second_layout.join(file);
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let header = text.lines().next().expect("a header").split(',');
        Self { columns: header.enumerate().map(|(i, name)| (name.to_owned(), i)).collect(), rows: csv(&path) }
    }

    fn text<'a>(&self, row: &'a [String], column: &str) -> &'a str {
        &row[self.columns[column]]
    }

    /// `None` for an empty field.
    fn number(&self, row: &[String], column: &str) -> Option<i32> {
        let text = self.text(row, column);
        (!text.is_empty()).then(|| text.parse().unwrap_or_else(|_| panic!("{column} is {text}")))
    }
}

/// It has all our bouts up to its day, 7,974 of them: the 7,935 of the capture of 2024-12-15 and the 39 of
/// three events that were missing there.
#[test]
fn every_bout_has_the_two_fighters_and_the_end_that_the_second_layout_gives_it() {
    let Some(history) = history() else { return };
    let sheet = Sheet::open(history, "bouts.csv");
    let (mut seen, mut wrong) = (BTreeSet::new(), Vec::new());
    for row in &sheet.rows {
        let id = sheet.text(row, "id");
        let Some(bout) = history.bouts.get(id) else { continue };
        seen.insert(id);
        let theirs: BTreeSet<&str> =
            ["red_fighter_id", "blue_fighter_id"].map(|c| sheet.text(row, c)).into_iter().collect();
        let ours: BTreeSet<&str> = [bout.a, bout.b].map(|f| history.source_id(f)).into_iter().collect();
        if ours != theirs {
            wrong.push(format!("bout {id}: fighters are {ours:?}, there {theirs:?}"));
        }
        let total = sheet.number(row, "total_time_seconds");
        if bout.result.total != total {
            wrong.push(format!("bout {id}: {:?} s, there {total:?}", bout.result.total));
        }
    }
    let old = history.bouts.iter().filter(|(_, bout)| bout.date <= day("2024-12-14"));
    let missing: Vec<&String> = old.map(|(id, _)| id).filter(|id| !seen.contains(id.as_str())).collect();
    assert!(missing.is_empty(), "not in the second layout: {missing:?}");
    assert_eq!(seen.len(), 7_974);
    fail_with(&wrong);
}

/// What both layouts state of a fighter's round.
fn ours(r: &Round) -> [Option<i32>; 7] {
    let [[sig, sig_of], [td, td_of]] = ["sig", "td"].map(|stem| r.pair(stem));
    [Some(sig), Some(sig_of), Some(td), Some(td_of), Some(r.of("knockdowns")), r.control, r.secs]
}

const THEIRS: [&str; 7] = [
    "significant_strikes_landed",
    "significant_strikes_attempted",
    "takedowns_landed",
    "takedowns_attempted",
    "knockdowns_scored",
    "control_time_seconds",
    "round_time_seconds",
];

#[test]
fn every_round_has_the_fighter_and_the_counts_that_the_second_layout_gives_it() {
    let Some(history) = history() else { return };
    let sheet = Sheet::open(history, "round_stats.csv");
    let mut theirs: HashMap<(&str, i32, &str), [Option<i32>; 7]> = HashMap::new();
    for row in &sheet.rows {
        let round = sheet.number(row, "round_number").expect("a round");
        let key = (sheet.text(row, "bout_id"), round, sheet.text(row, "fighter_id"));
        theirs.insert(key, THEIRS.map(|column| sheet.number(row, column)));
    }
    let (mut compared, mut wrong) = (0, Vec::new());
    let old = history.bouts.iter().filter(|(_, bout)| bout.date <= day("2024-12-14"));
    for (id, r) in old.flat_map(|(id, bout)| bout.rounds.iter().map(move |r| (id, r))) {
        let key = (id.as_str(), r.round, history.source_id(r.fighter));
        compared += 1;
        match theirs.get(&key) {
            Some(theirs) if *theirs == ours(r) => {}
            theirs => wrong.push(format!("{key:?}: {:?}, there {theirs:?}", ours(r))),
        }
    }
    // `ufc_fight_stats.csv` of 2024-12-15: 37,302 lines behind the header, 42 of them empty.
    assert_eq!(compared, 37_302 - 42);
    fail_with(&wrong);
}

/// The bouts of ours that have no rounds have none there either, but for the 39 that the six files lack.
#[test]
fn the_second_layout_has_statistics_of_three_events_that_the_six_files_lack() {
    let Some(history) = history() else { return };
    let sheet = Sheet::open(history, "round_stats.csv");
    let there: BTreeSet<&str> = sheet.rows.iter().map(|row| sheet.text(row, "bout_id")).collect();
    let mut lacking: BTreeMap<&str, usize> = BTreeMap::new();
    let without = history.bouts.iter().filter(|(_, bout)| bout.rounds.is_empty());
    for (_, bout) in without.filter(|(id, _)| there.contains(id.as_str())) {
        *lacking.entry(&history.events[&bout.event]).or_default() += 1;
    }
    let expected = [
        ("UFC 294: Makhachev vs. Volkanovski 2", 13),
        ("UFC 308: Topuria vs. Holloway", 13),
        ("UFC Fight Night: Holloway vs. The Korean Zombie", 13),
    ];
    assert_eq!(lacking, BTreeMap::from(expected));
}
