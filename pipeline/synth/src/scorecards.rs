//! Three judges and their totals, as the source writes them into one text.
//!
//! The source writes the loser's total first, whichever way round the bout is listed. In a draw
//! there is no loser and either order occurs.

use super::endings::{MAJORITY, SPLIT, UNANIMOUS};
use super::names::JUDGES;
use super::random::Rng;

/// How the three judges divide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judging {
    Unanimous,
    Split,
    Majority,
    /// All three for the winner, a point taken from the loser.
    Deduction,
    /// All three for the winner, the judges' names missing.
    Nameless,
    MajorityDraw,
    SplitDraw,
    UnanimousDraw,
}

impl Judging {
    pub(super) fn is_draw(self) -> bool {
        matches!(self, Self::MajorityDraw | Self::SplitDraw | Self::UnanimousDraw)
    }

    pub(super) fn method(self) -> &'static str {
        match self {
            Self::Unanimous | Self::Deduction | Self::Nameless | Self::UnanimousDraw => UNANIMOUS,
            Self::Split | Self::SplitDraw => SPLIT,
            Self::Majority | Self::MajorityDraw => MAJORITY,
        }
    }
}

/// One judge's view: the winner's margin in rounds, and points lost besides.
#[derive(Clone, Copy)]
enum JudgeView {
    Winner,
    Loser,
    Even,
    WinnerWithDeduction,
}

/// The text of the three cards.
pub(super) fn describe_cards(rng: &mut Rng, judging: Judging, n_rounds: usize) -> String {
    let judges = draw_judges(rng);
    let mut text = String::new();
    for (judge, view) in judges.into_iter().zip(draw_views(rng, judging)) {
        let (loser, winner) = draw_totals(rng, view, n_rounds);
        if judging != Judging::Nameless {
            text.push_str(judge);
            text.push(' ');
        }
        text.push_str(&format!("{loser} - {winner}."));
    }
    text
}

fn draw_judges(rng: &mut Rng) -> [&'static str; 3] {
    let mut order: Vec<&'static str> = JUDGES.to_vec();
    rng.shuffle(&mut order);
    [order[0], order[1], order[2]]
}

fn draw_views(rng: &mut Rng, judging: Judging) -> [JudgeView; 3] {
    use JudgeView::{Even, Loser, Winner, WinnerWithDeduction};
    let mut views = match judging {
        Judging::Unanimous | Judging::Nameless => [Winner; 3],
        Judging::Deduction => [WinnerWithDeduction; 3],
        Judging::Split => [Winner, Winner, Loser],
        Judging::Majority => [Winner, Winner, Even],
        Judging::MajorityDraw => [Winner, Even, Even],
        Judging::SplitDraw => [Winner, Loser, Even],
        Judging::UnanimousDraw => [Even; 3],
    };
    rng.shuffle(&mut views);
    views
}

/// The totals under the ten-point must system: loser, winner.
fn draw_totals(rng: &mut Rng, view: JudgeView, n_rounds: usize) -> (u32, u32) {
    let n = u32::try_from(n_rounds).unwrap_or(3);
    let needed = n / 2 + 1;
    match view {
        // With an even number of rounds a level card needs nothing; with an odd one, one round
        // was won by two points: 28 - 28, 47 - 47.
        JudgeView::Even => (10 * n - needed, 10 * n - needed),
        JudgeView::Winner => judge_totals(n, rng.between(needed, n), 0),
        JudgeView::Loser => {
            let (fewer, more) = judge_totals(n, needed, 0);
            (more, fewer)
        }
        JudgeView::WinnerWithDeduction => judge_totals(n, rng.between(needed, n), 1),
    }
}

fn judge_totals(n: u32, won: u32, deducted: u32) -> (u32, u32) {
    (10 * n - won - deducted, 10 * n - (n - won))
}
