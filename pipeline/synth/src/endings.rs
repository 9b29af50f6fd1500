//! Endings of bouts: who wins, by which method, when, and the source's words for it.

use super::random::Rng;
use super::rules::Rules;
use super::scorecards::{self, Judging};
use super::script::Twist;
use super::style::Style;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    FirstWins,
    SecondWins,
    Draw,
    NoContest,
}

impl Outcome {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::FirstWins => "W/L",
            Self::SecondWins => "L/W",
            Self::Draw => "D/D",
            Self::NoContest => "NC/NC",
        }
    }

    /// 0 or 1: whose hand was raised.
    pub(super) fn winner(self) -> Option<usize> {
        match self {
            Self::FirstWins => Some(0),
            Self::SecondWins => Some(1),
            Self::Draw | Self::NoContest => None,
        }
    }
}

pub(super) const KNOCKOUT: &str = "KO/TKO";
pub(super) const SUBMISSION: &str = "Submission";
pub(super) const UNANIMOUS: &str = "Decision - Unanimous";
pub(super) const SPLIT: &str = "Decision - Split";
pub(super) const MAJORITY: &str = "Decision - Majority";

/// The result of a bout, in the source's words without their trailing spaces.
#[derive(Clone, Debug)]
pub(super) struct Ending {
    pub(super) outcome: Outcome,
    pub(super) method: &'static str,
    pub(super) details: String,
    /// Counted from 1.
    pub(super) round: usize,
    /// Seconds into that round.
    pub(super) secs: u32,
}

const KNOCKOUT_DETAILS: &[&str] = &[
    "Punch to Head At Distance ",
    "Punches to Head At Distance ",
    "Punches to Head On Ground ",
    "Punch to Head In Clinch ",
    "Kick to Head At Distance ",
    "Punches to Head From Mount ",
    "Elbows to Head From Half Guard ",
    "Flying Knee Head ",
];
const SUBMISSION_DETAILS: &[&str] = &[
    "Rear Naked Choke ",
    "Guillotine Choke On Ground ",
    "Arm Triangle From Side Control ",
    "Armbar From Mount ",
    "Triangle Choke From Bottom Guard ",
    "D'Arce Choke On Ground ",
    "Rear Naked ChokeTechnical Submission",
];

/// Facts of the bout that an ending needs.
pub(super) struct Matchup<'a> {
    pub(super) styles: [&'a Style; 2],
    pub(super) last_names: [&'a str; 2],
    pub(super) rules: &'static Rules,
}

/// The ending that the styles make likely.
pub(super) fn draw_ending(rng: &mut Rng, matchup: &Matchup) -> Ending {
    let winner = draw_winner(rng, matchup.styles);
    let [strikes, holds] = [matchup.styles[winner].power * 16, matchup.styles[winner].submissions / 12];
    match rng.weighted_index(&[strikes + 60, holds + 30, 480]) {
        0 => finish_ending(rng, matchup, winner, KNOCKOUT),
        1 => finish_ending(rng, matchup, winner, SUBMISSION),
        _ => {
            let judging = [Judging::Unanimous, Judging::Split, Judging::Majority];
            let judging = judging[rng.weighted_index(&[74, 22, 4])];
            decision_ending(rng, matchup, winner, judging)
        }
    }
}

fn draw_winner(rng: &mut Rng, [first, second]: [&Style; 2]) -> usize {
    // Ten points of skill are worth eight per cent; the listed first is a slight favourite.
    let permille = (540 + 8 * first.skill).saturating_sub(8 * second.skill);
    usize::from(!rng.chance(permille.clamp(150, 850)))
}

fn won_by(winner: usize) -> Outcome {
    match winner {
        0 => Outcome::FirstWins,
        _ => Outcome::SecondWins,
    }
}

fn finish_ending(rng: &mut Rng, matchup: &Matchup, winner: usize, method: &'static str) -> Ending {
    let details = match method {
        KNOCKOUT => rng.pick(KNOCKOUT_DETAILS),
        _ => rng.pick(SUBMISSION_DETAILS),
    };
    stoppage_ending(rng, matchup, won_by(winner), method, details)
}

/// Over before the bell, in an early round more often than in a late one.
fn stoppage_ending(
    rng: &mut Rng,
    matchup: &Matchup,
    outcome: Outcome,
    method: &'static str,
    details: &str,
) -> Ending {
    const WEIGHTS: [u32; 5] = [45, 28, 17, 7, 5];
    let rounds = matchup.rules.rounds;
    let round = rng.weighted_index(&WEIGHTS[..rounds.len().min(WEIGHTS.len())]);
    Ending {
        outcome,
        method,
        details: details.to_owned(),
        round: round + 1,
        secs: rng.between(21, rounds[round] - 1),
    }
}

fn decision_ending(rng: &mut Rng, matchup: &Matchup, winner: usize, judging: Judging) -> Ending {
    let rounds = matchup.rules.rounds;
    Ending {
        outcome: match judging.is_draw() {
            true => Outcome::Draw,
            false => won_by(winner),
        },
        method: judging.method(),
        details: scorecards::describe_cards(rng, judging, rounds.len()),
        round: rounds.len(),
        secs: rounds[rounds.len() - 1],
    }
}

/// The ending that the script asks for.
pub(super) fn scripted_ending(rng: &mut Rng, matchup: &Matchup, twist: Twist) -> Ending {
    let winner = draw_winner(rng, matchup.styles);
    let loser = matchup.last_names[1 - winner];
    match twist {
        Twist::Judged(judging) => decision_ending(rng, matchup, winner, judging),
        Twist::Deduction => {
            let mut ending = decision_ending(rng, matchup, winner, Judging::Deduction);
            // The source glues the note to the first judge's name.
            let note = format!("Point Deducted: Low Blow by {loser}");
            ending.details.insert_str(0, &note);
            ending
        }
        Twist::Ends(method, details) => {
            let details = details.replace("{loser}", loser);
            stoppage_ending(rng, matchup, won_by(winner), method, &details)
        }
        Twist::NoContest(method, details) => {
            let details = details.replace("{loser}", loser);
            stoppage_ending(rng, matchup, Outcome::NoContest, method, &details)
        }
    }
}
