//! Invariants of every bout of the source, and of every bout of the sample but two.

use std::collections::HashSet;

use super::SEEDS;
use super::sheet::{Capture, Row, Sheet, names, of, secs, tidy};
use crate::{generate_later, generate_sample};

/// Bouts whose rounds break a rule, and which rule: those that are meant to.
pub(super) fn unsound_bouts(capture: &Capture) -> Vec<(String, &'static str)> {
    bouts(&capture.rounds)
        .into_iter()
        .zip(&capture.results.rows)
        .filter_map(|(rows, result)| {
            let bout = rows[0]["BOUT"].clone();
            fault(&rows, result).map(|fault| (bout, fault))
        })
        .collect()
}

/// Names in the fighter index whose address occurs twice.
pub(super) fn listed_twice(capture: &Capture) -> Vec<String> {
    let mut seen = HashSet::new();
    let is_again = |row: &&Row| !seen.insert(row["URL"].clone());
    let again = capture.index.rows.iter().filter(is_again);
    again.map(|row| format!("{} {}", row["FIRST"], row["LAST"])).collect()
}

/// The per-round rows, bout by bout. Both meetings of one night would be one run of rows if they
/// stood next to each other; they do not.
fn bouts(rounds: &Sheet) -> Vec<Vec<&Row>> {
    let is_same = |one: &&Row, other: &&Row| one["EVENT"] == other["EVENT"] && one["BOUT"] == other["BOUT"];
    let rows: Vec<&Row> = rounds.rows.iter().collect();
    rows.chunk_by(is_same).map(<[&Row]>::to_vec).collect()
}

fn fault(rows: &[&Row], result: &Row) -> Option<&'static str> {
    if rows.iter().all(|row| row["FIGHTER"].is_empty()) {
        return (rows.len() != 2).then_some("not two empty rows");
    }
    if !is_complete(rows, result) {
        return Some("rounds");
    }
    if !is_control_possible(rows, result) {
        return Some("control");
    }
    rows.iter().find_map(|row| row_fault(row))
}

/// Rounds 1 to the last of the first fighter, then of the second.
fn is_complete(rows: &[&Row], result: &Row) -> bool {
    let n: usize = result["ROUND"].parse().expect("a round");
    let expected: Vec<(String, String)> = names(rows[0])
        .into_iter()
        .flat_map(|name| (1..=n).map(move |round| (name.clone(), format!("Round {round}"))))
        .collect();
    let found = rows.iter().map(|row| (row["FIGHTER"].clone(), row["ROUND"].clone()));
    found.eq(expected)
}

fn is_control_possible(rows: &[&Row], result: &Row) -> bool {
    let n = rows.len() / 2;
    // The bout whose time cannot be read has rounds all the same.
    let last = secs(&result["TIME"]).unwrap_or(300);
    (0..n).all(|round| {
        let control = |row: &Row| secs(&row["CTRL"]).unwrap_or(0);
        let length = match round + 1 == n {
            true => last,
            false => round_length(&result["TIME FORMAT"], round),
        };
        control(rows[round]) + control(rows[round + n]) <= length
    })
}

fn round_length(format: &str, round: usize) -> u32 {
    let Some((_, lengths)) = format.trim_end_matches(')').split_once('(') else {
        return 3600;
    };
    let minutes = lengths.split('-').nth(round).expect("a round of the format");
    60 * minutes.parse::<u32>().expect("minutes")
}

fn row_fault(row: &Row) -> Option<&'static str> {
    let significant = of(row, "SIG.STR.");
    let total = of(row, "TOTAL STR.");
    let sum = |columns: [&str; 3]| {
        columns.into_iter().fold((0, 0), |sum, column| {
            let (landed, attempted) = of(row, column);
            (sum.0 + landed, sum.1 + attempted)
        })
    };
    let knockdowns: f64 = row["KD"].parse().expect("a decimal");
    let is_possible = ["TD", "HEAD", "BODY", "LEG", "DISTANCE", "CLINCH", "GROUND"]
        .into_iter()
        .chain(["SIG.STR.", "TOTAL STR."])
        .all(|column| of(row, column).0 <= of(row, column).1);
    match () {
        () if sum(["HEAD", "BODY", "LEG"]) != significant => Some("targets"),
        () if sum(["DISTANCE", "CLINCH", "GROUND"]) != significant => Some("positions"),
        () if significant.0 > total.0 || significant.1 > total.1 => Some("total"),
        () if !is_possible => Some("landed above attempted"),
        () if knockdowns > 3.0 || knockdowns > f64::from(of(row, "HEAD").0) => Some("knockdowns"),
        () => None,
    }
}

#[test]
fn every_bout_is_sound_but_the_two_that_are_not_meant_to_be() {
    for seed in SEEDS {
        for files in [generate_sample(seed), generate_later(seed)] {
            let capture = Capture::read(&files);
            let faults: Vec<_> = unsound_bouts(&capture).into_iter().map(|(_, fault)| fault).collect();
            assert_eq!(faults, ["rounds", "targets"], "seed {seed}");
        }
    }
}

#[test]
fn the_per_round_file_follows_the_results_bout_by_bout() {
    let capture = super::sample();
    let bouts = bouts(&capture.rounds);
    assert_eq!(bouts.len(), capture.results.rows.len());
    for (rows, result) in bouts.iter().zip(&capture.results.rows) {
        assert_eq!(rows[0]["EVENT"], tidy(&result["EVENT"]));
    }
}

#[test]
fn the_stray_is_a_fighter_of_the_index_without_bouts() {
    let capture = super::sample();
    let strays: Vec<_> = capture
        .rounds
        .rows
        .iter()
        .filter(|row| !row["FIGHTER"].is_empty() && !names(row).contains(&row["FIGHTER"]))
        .collect();
    assert_eq!(strays.len(), 1);
    assert_eq!(strays[0]["ROUND"], "Round 1");
    let stray = &strays[0]["FIGHTER"];
    assert_eq!(capture.tape.find("FIGHTER", stray).len(), 1);
    assert!(!capture.results.any(|row| names(row).contains(stray)));
}

#[test]
fn results_and_details_are_of_the_same_bouts() {
    let capture = super::sample();
    for (result, details) in capture.results.rows.iter().zip(&capture.details.rows) {
        assert_eq!(result["URL"], details["URL"]);
        let [mut listed, named] = [names(result), names(details)];
        if result["OUTCOME"] == "L/W" {
            listed.reverse();
        }
        assert_eq!(listed, named);
    }
}
