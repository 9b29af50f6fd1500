//! One round, strike by strike.
//!
//! Every strike gets a position, a target and a hit or miss, and is counted under both. So
//! targets, positions and significant strikes agree by construction, as they do in the source.

use super::endings::{Ending, KNOCKOUT, SUBMISSION};
use super::random::Rng;
use super::style::Style;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) landed: u32,
    pub(super) attempted: u32,
}

impl Tally {
    fn add_attempt(&mut self, is_landed: bool) {
        self.attempted += 1;
        self.landed += u32::from(is_landed);
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self { landed: self.landed + other.landed, attempted: self.attempted + other.attempted }
    }
}

/// Counts of one fighter in one round.
#[derive(Clone, Debug, Default)]
pub(super) struct RoundNumbers {
    pub(super) knockdowns: u32,
    /// Head, body, leg.
    pub(super) targets: [Tally; 3],
    /// Distance, clinch, ground.
    pub(super) positions: [Tally; 3],
    /// Strikes that are not significant: short ones in the clinch and on the ground.
    pub(super) others: Tally,
    pub(super) takedowns: Tally,
    pub(super) submissions: u32,
    pub(super) reversals: u32,
    pub(super) control_secs: u32,
}

impl RoundNumbers {
    pub(super) fn significant_strikes(&self) -> Tally {
        let [head, body, leg] = self.targets;
        head.plus(body).plus(leg)
    }

    pub(super) fn total_strikes(&self) -> Tally {
        self.significant_strikes().plus(self.others)
    }
}

/// Position indices.
const DISTANCE: usize = 0;
const CLINCH: usize = 1;
const GROUND: usize = 2;

/// All rounds of a bout, each with the numbers of both fighters.
pub(super) fn simulate_bout(
    rng: &mut Rng,
    styles: [&Style; 2],
    lengths: &[u32],
    ending: &Ending,
) -> Vec<[RoundNumbers; 2]> {
    let mut rounds: Vec<[RoundNumbers; 2]> = (1..=ending.round)
        .map(|round| {
            let is_last = round == ending.round;
            let secs = if is_last { ending.secs } else { lengths[round - 1] };
            fight_round(rng, styles, secs, ending.outcome.winner())
        })
        .collect();
    if let (Some(winner), Some(last)) = (ending.outcome.winner(), rounds.last_mut()) {
        show_finish(rng, &mut last[winner], ending.method);
    }
    rounds
}

fn fight_round(rng: &mut Rng, styles: [&Style; 2], secs: u32, winner: Option<usize>) -> [RoundNumbers; 2] {
    let mut both = [RoundNumbers::default(), RoundNumbers::default()];
    for corner in 0..2 {
        both[corner].takedowns = simulate_wrestling(rng, styles[corner], styles[1 - corner], secs);
    }
    share_control(rng, styles, secs, &mut both);
    let standing = secs - both[0].control_secs - both[1].control_secs;
    for corner in 0..2 {
        // The better fighter of the night does a little more of everything.
        let form = match winner {
            None => 100,
            Some(winner) if winner == corner => 112,
            Some(_) => 90,
        };
        simulate_striking(rng, styles[corner], standing, form, &mut both[corner]);
        simulate_grappling(rng, styles[corner], &mut both, corner);
    }
    both
}

fn simulate_wrestling(rng: &mut Rng, own: &Style, other: &Style, secs: u32) -> Tally {
    let attempted = rng.draw_count(own.takedowns * secs / 900);
    let permille = (own.takedown_skill + 200).saturating_sub(other.takedown_defence);
    Tally { landed: rng.draw_successes(attempted, permille), attempted }
}

/// Control comes from takedowns and from leaning on the fence; both together leave a tenth of
/// the round at least.
fn share_control(rng: &mut Rng, styles: [&Style; 2], secs: u32, both: &mut [RoundNumbers; 2]) {
    let wanted = [0, 1].map(|corner: usize| {
        let style = styles[corner];
        let down = both[corner].takedowns.landed * rng.between(8, style.hold);
        let fence = if rng.chance(450) { rng.between(1, 12 + style.clinch / 4) } else { 0 };
        down + fence
    });
    let most = secs * 9 / 10;
    let sum: u32 = wanted.iter().sum();
    for (numbers, wanted) in both.iter_mut().zip(wanted) {
        numbers.control_secs = if sum > most { wanted * most / sum } else { wanted };
    }
}

fn simulate_striking(rng: &mut Rng, style: &Style, standing: u32, form: u32, numbers: &mut RoundNumbers) {
    let varied = form * rng.between(70, 130) / 100;
    let on_feet = style.pace * standing * varied / 60_000;
    let on_top = style.ground_pace * numbers.control_secs * varied / 60_000;
    for _ in 0..on_feet {
        let position = if rng.chance(style.clinch) { CLINCH } else { DISTANCE };
        throw_strike(rng, style, position, form, numbers);
    }
    for _ in 0..on_top {
        throw_strike(rng, style, GROUND, form, numbers);
    }
    let chin_checks = numbers.targets[0].landed;
    numbers.knockdowns = rng.draw_successes(chin_checks, style.power / 2).min(2);
}

fn throw_strike(rng: &mut Rng, style: &Style, position: usize, form: u32, numbers: &mut RoundNumbers) {
    // Close in, and at the leg, more lands: shares as in the source's sums.
    const EASE_OF_POSITION: [u32; 3] = [0, 250, 260];
    const EASE_OF_TARGET: [u32; 3] = [0, 260, 380];
    let target = match position {
        GROUND => rng.weighted_index(&[88, 10, 2]),
        _ => rng.weighted_index(&style.targets),
    };
    let ease = EASE_OF_POSITION[position].max(EASE_OF_TARGET[target]);
    let is_landed = rng.chance((style.aim * form / 100 + ease).min(930));
    numbers.positions[position].add_attempt(is_landed);
    numbers.targets[target].add_attempt(is_landed);
}

/// Short strikes, submission attempts and reversals: what happens where there is control.
fn simulate_grappling(rng: &mut Rng, style: &Style, both: &mut [RoundNumbers; 2], corner: usize) {
    let [top, under] = [both[corner].control_secs, both[1 - corner].control_secs];
    let numbers = &mut both[corner];
    let attempted = rng.between(0, 4) + rng.below(top / 3 + under / 8 + 1);
    numbers.others = Tally { landed: rng.draw_successes(attempted, 760), attempted };
    numbers.submissions = rng.draw_count(style.submissions * (top + under / 3) / 900);
    numbers.reversals = rng.draw_count(under * 2);
}

/// A finish leaves its mark on the last round.
fn show_finish(rng: &mut Rng, winner: &mut RoundNumbers, method: &str) {
    match method {
        SUBMISSION => winner.submissions = winner.submissions.max(1),
        KNOCKOUT => {
            if winner.targets[0].landed == 0 {
                winner.targets[0].add_attempt(true);
                winner.positions[DISTANCE].add_attempt(true);
            }
            if rng.chance(650) {
                winner.knockdowns = winner.knockdowns.max(1);
            }
        }
        _ => {}
    }
}
