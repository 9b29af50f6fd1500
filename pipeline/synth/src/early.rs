//! The two events of the nineties, bout by bout.
//!
//! Their formats, tournaments and missing numbers are too particular to be drawn at random.

use super::endings::{Ending, Outcome};
use super::names::JUDGES;
use super::rules::{FIFTEEN_AND_TWO, NO_LIMIT, Rules, THREE_AND_OVERTIME, TWELVE_AND_OVERTIME, TWENTY, TWO};

/// One bout of an early card; fighters by their place among the early ones.
pub(super) struct EarlyBout {
    pub(super) pair: [usize; 2],
    pub(super) class: &'static str,
    pub(super) rules: &'static Rules,
    outcome: Outcome,
    method: &'static str,
    details: &'static str,
    round: usize,
    secs: u32,
}

impl EarlyBout {
    pub(super) fn ending(&self) -> Ending {
        Ending {
            outcome: self.outcome,
            method: self.method,
            details: self.score_details(),
            round: self.round,
            secs: self.secs,
        }
    }

    /// Scores of that time are mostly lost; where the last judge is known, all are.
    fn score_details(&self) -> String {
        match self.details {
            SCORES => format!("{} 28 - 29.{} 28 - 29.{} 27 - 30.", JUDGES[0], JUDGES[1], JUDGES[2]),
            other => other.to_owned(),
        }
    }
}

/// Stands for a full set of scores.
const SCORES: &str = "scores";

const fn early_bout(
    pair: [usize; 2],
    class: &'static str,
    rules: &'static Rules,
    (outcome, method, details): (Outcome, &'static str, &'static str),
    (round, secs): (usize, u32),
) -> EarlyBout {
    EarlyBout { pair, class, rules, outcome, method, details, round, secs }
}

use Outcome::{Draw, FirstWins, NoContest, SecondWins};

const CHOKE: (Outcome, &str, &str) = (FirstWins, "Submission", "Rear Naked Choke ");
const LOCK: (Outcome, &str, &str) = (SecondWins, "Submission", "Armbar From Bottom Guard ");
const STRUCK: (Outcome, &str, &str) = (FirstWins, "KO/TKO", "Punches to Head On Ground ");
const STRUCK_DOWN: (Outcome, &str, &str) = (SecondWins, "KO/TKO", "Punches to Head From Mount ");
const JUDGED: (Outcome, &str, &str) = (FirstWins, "Decision - Unanimous", "");
const JUDGED_SPLIT: (Outcome, &str, &str) = (SecondWins, "Decision - Split", "");

const OPEN: &str = "Open Weight Bout";
const HEAVY: &str = "Heavyweight Bout";
const LIGHT: &str = "Lightweight Bout";
const MIDDLE: &str = "Middleweight Bout";
const TITLE: &str = "UFC Heavyweight Title Bout";

/// Main event first. The pair of the first night's main event had met earlier that night: the
/// first meeting was overturned.
pub(super) const CARDS: [&[EarlyBout]; 2] = [
    &[
        early_bout([0, 1], HEAVY, &TWELVE_AND_OVERTIME, CHOKE, (1, 224)),
        early_bout([2, 3], TITLE, &FIFTEEN_AND_TWO, (Draw, "Other", "Time Expired"), (3, 180)),
        early_bout([4, 5], OPEN, &NO_LIMIT, STRUCK_DOWN, (1, 970)),
        early_bout([6, 7], OPEN, &TWENTY, LOCK, (1, 782)),
        early_bout([5, 8], OPEN, &TWENTY, STRUCK, (1, 96)),
        early_bout(
            [0, 1],
            HEAVY,
            &TWELVE_AND_OVERTIME,
            (NoContest, "Overturned", "Early Stoppage"),
            (1, 111),
        ),
        early_bout([9, 10], HEAVY, &TWELVE_AND_OVERTIME, STRUCK, (1, 647)),
        early_bout([1, 11], HEAVY, &TWELVE_AND_OVERTIME, JUDGED, (2, 180)),
    ],
    &[
        early_bout(
            [2, 0],
            TITLE,
            &THREE_AND_OVERTIME,
            (SecondWins, "Decision - Unanimous", SCORES),
            (3, 300),
        ),
        early_bout([3, 9], HEAVY, &THREE_AND_OVERTIME, JUDGED_SPLIT, (4, 300)),
        early_bout([12, 13], LIGHT, &TWO, JUDGED, (2, 300)),
        early_bout([14, 15], MIDDLE, &TWO, CHOKE, (2, 133)),
        early_bout([10, 11], HEAVY, &TWELVE_AND_OVERTIME, JUDGED, (2, 180)),
        early_bout([4, 8], OPEN, &TWENTY, STRUCK_DOWN, (1, 58)),
        early_bout([6, 1], HEAVY, &THREE_AND_OVERTIME, STRUCK, (2, 71)),
        early_bout([7, 5], OPEN, &NO_LIMIT, LOCK, (1, 287)),
    ],
];
