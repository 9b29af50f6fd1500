//! The rows of one bout in the per-round file.

use super::data_errors::Flaw;
use super::fighters::{Fighter, STRAY};
use super::files::format_clock;
use super::rounds::{RoundNumbers, Tally};
use super::world::{Bout, Event};

pub(super) const HEADER: [&str; 19] = [
    "EVENT",
    "BOUT",
    "ROUND",
    "FIGHTER",
    "KD",
    "SIG.STR.",
    "SIG.STR. %",
    "TOTAL STR.",
    "TD",
    "TD %",
    "SUB.ATT",
    "REV.",
    "CTRL",
    "HEAD",
    "BODY",
    "LEG",
    "DISTANCE",
    "CLINCH",
    "GROUND",
];

type Row = [String; HEADER.len()];

/// All rows of a bout; two rows with nothing but event and bout if there are no statistics.
pub(super) fn bout_rows(fighters: &[Fighter], event: &Event, bout: &Bout) -> Vec<Row> {
    let [first, second] = bout.pair.map(|fighter| fighters[fighter].old_name());
    let names = format!("{first} vs. {second}");
    if !bout.has_statistics {
        return vec![empty_row(event, &names); 2];
    }
    let corners = [(0, first), (1, second)];
    let place = |corner, round| Seat { bout, corner, round };
    corners
        .iter()
        .flat_map(|(corner, name)| (0..bout.rounds.len()).map(move |round| (*corner, name, round)))
        .map(|(corner, name, round)| {
            let stray = fighters[STRAY].name();
            place(corner, round).seat_row(&event.name, &names, name, &stray)
        })
        .collect()
}

fn empty_row(event: &Event, names: &str) -> Row {
    let mut row = Row::default();
    row[0] = event.name.clone();
    row[1] = names.to_owned();
    row
}

/// One fighter's round of a bout.
struct Seat<'a> {
    bout: &'a Bout,
    corner: usize,
    round: usize,
}

impl Seat<'_> {
    fn seat_row(&self, event: &str, names: &str, fighter: &str, stray: &str) -> Row {
        let numbers = &self.bout.rounds[self.round][self.corner];
        let fighter = if self.is_flawed(Flaw::StrayFighter, 1) { stray } else { fighter };
        let [mut head, body, leg] = numbers.targets;
        if self.is_flawed(Flaw::TargetsDisagree, 0) {
            head = head.plus(Tally { landed: 2, attempted: 3 });
        }
        let [distance, clinch, ground] = numbers.positions.map(landed_of_attempted);
        let significant = numbers.significant_strikes();
        [
            event.to_owned(),
            names.to_owned(),
            format!("Round {}", self.round + 1),
            fighter.to_owned(),
            format_decimal(numbers.knockdowns),
            landed_of_attempted(significant),
            format_percent(significant),
            landed_of_attempted(numbers.total_strikes()),
            landed_of_attempted(numbers.takedowns),
            format_percent(numbers.takedowns),
            format_decimal(numbers.submissions),
            format_decimal(numbers.reversals),
            self.control_time(numbers),
            landed_of_attempted(head),
            landed_of_attempted(body),
            landed_of_attempted(leg),
            distance,
            clinch,
            ground,
        ]
    }

    /// Flaws sit in the first round of one corner.
    fn is_flawed(&self, flaw: Flaw, corner: usize) -> bool {
        self.bout.flaw == Some(flaw) && self.corner == corner && self.round == 0
    }

    fn control_time(&self, numbers: &RoundNumbers) -> String {
        match self.bout.has_control {
            true => format_clock(numbers.control_secs),
            false => "--".to_owned(),
        }
    }
}

fn landed_of_attempted(tally: Tally) -> String {
    format!("{} of {}", tally.landed, tally.attempted)
}

/// The scraper reads counts as floating-point numbers.
fn format_decimal(count: u32) -> String {
    format!("{count}.0")
}

/// Truncated, not rounded; dashes where nothing was attempted.
fn format_percent(tally: Tally) -> String {
    match tally.attempted {
        0 => "---".to_owned(),
        attempted => format!("{}%", 100 * tally.landed / attempted),
    }
}
