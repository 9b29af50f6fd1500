//! Matchmaking: the cards of the modern events.

use std::collections::{HashMap, HashSet};

use super::fighters::{Fighter, N_PER_DIVISION, REGULAR_UNTIL, roster_place};
use super::random::Rng;
use super::rules::DIVISIONS;
use super::script;

/// A pair and its division, before anything is known of the bout.
pub(super) struct Pairing {
    pub(super) pair: [usize; 2],
    pub(super) division: usize,
}

/// Makes the cards one event after another, remembering who has met whom.
#[derive(Default)]
pub(super) struct Matchmaker {
    n_bouts: HashMap<usize, u32>,
    n_meetings: HashMap<(usize, usize), u32>,
}

impl Matchmaker {
    /// One card of `n` bouts or, if there are not enough fighters, fewer; main event first.
    pub(super) fn make_card(
        &mut self,
        rng: &mut Rng,
        roster: &[Fighter],
        event: usize,
        n: usize,
    ) -> Vec<Pairing> {
        let mut busy = HashSet::new();
        let mut card: Vec<Pairing> = draw_divisions(rng, n)
            .into_iter()
            .filter_map(|division| self.make_pairing(rng, roster, event, division, &mut busy))
            .collect();
        card.sort_by_key(|pairing| std::cmp::Reverse(self.pairing_fame(roster, pairing)));
        seat_scripted(event, &mut card);
        card
    }

    fn make_pairing(
        &mut self,
        rng: &mut Rng,
        roster: &[Fighter],
        event: usize,
        division: usize,
        busy: &mut HashSet<usize>,
    ) -> Option<Pairing> {
        let first = self.draw_fighter(rng, roster, event, division, busy, None)?;
        busy.insert(first);
        let second = self.draw_fighter(rng, roster, event, division, busy, Some(first));
        let Some(second) = second else {
            busy.remove(&first);
            return None;
        };
        busy.insert(second);
        for fighter in [first, second] {
            *self.n_bouts.entry(fighter).or_default() += 1;
        }
        *self.n_meetings.entry(pair_key(first, second)).or_default() += 1;
        let pair = if rng.chance(500) { [first, second] } else { [second, first] };
        Some(Pairing { pair, division })
    }

    fn draw_fighter(
        &self,
        rng: &mut Rng,
        roster: &[Fighter],
        event: usize,
        division: usize,
        busy: &HashSet<usize>,
        opponent: Option<usize>,
    ) -> Option<usize> {
        let free: Vec<usize> = (0..N_PER_DIVISION)
            .map(|place| roster_place(division, place))
            .filter(|fighter| !busy.contains(fighter) && is_active(&roster[*fighter], event))
            .collect();
        let weights: Vec<u32> =
            free.iter().map(|&fighter| self.booking_weight(roster, fighter, opponent)).collect();
        let is_anyone = weights.iter().any(|&weight| weight > 0);
        is_anyone.then(|| free[rng.weighted_index(&weights)])
    }

    /// Regulars are on every third card, newcomers get their first bout soon, and nobody meets
    /// the same opponent three times.
    fn booking_weight(&self, roster: &[Fighter], fighter: usize, opponent: Option<usize>) -> u32 {
        let is_regular = roster[fighter].career.1 == REGULAR_UNTIL;
        let base = match (is_regular, self.n_bouts.get(&fighter)) {
            (true, _) => 330,
            (false, None) => 300,
            (false, Some(_)) => 110,
        };
        let met = opponent.and_then(|other| self.n_meetings.get(&pair_key(fighter, other)));
        match met {
            None => base,
            Some(1) => base / 8,
            Some(_) => 0,
        }
    }

    fn pairing_fame(&self, roster: &[Fighter], pairing: &Pairing) -> u32 {
        pairing
            .pair
            .iter()
            .map(|fighter| roster[*fighter].style.skill + 4 * self.n_bouts.get(fighter).copied().unwrap_or(0))
            .sum()
    }
}

fn pair_key(one: usize, other: usize) -> (usize, usize) {
    (one.min(other), one.max(other))
}

fn is_active(fighter: &Fighter, event: usize) -> bool {
    (fighter.career.0..=fighter.career.1).contains(&event)
}

/// Every division once in random order, then some again.
fn draw_divisions(rng: &mut Rng, n: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..DIVISIONS.len()).collect();
    rng.shuffle(&mut order);
    let mut again = order.clone();
    rng.shuffle(&mut again);
    order.extend(again);
    order.truncate(n);
    order
}

/// Moves a bout of the division that the script names to the place it names.
fn seat_scripted(event: usize, card: &mut [Pairing]) {
    for position in 0..card.len() {
        let Some(division) = script::division_at((event, position)) else {
            continue;
        };
        if let Some(found) = card.iter().position(|bout| bout.division == division) {
            card.swap(found, position);
        }
    }
}
