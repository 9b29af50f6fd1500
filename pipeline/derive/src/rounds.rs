//! Sums of a fighter and his opponents in each round.

use fdna_model::{Count, FighterId, RoundFact, Side};

use crate::career_index::CareerIndex;
use crate::columns::SideRow;

/// Counts of a round profile, in the order of its columns; control time follows them.
pub const PROFILE_COUNTS: [Count; 7] = [
    Count::Knockdowns,
    Count::SigLanded,
    Count::SigAttempted,
    Count::TotalLanded,
    Count::TdLanded,
    Count::TdAttempted,
    Count::SubAttempts,
];

/// Rounds of a profile.
const ROUNDS: usize = 5;

/// Bouts that are summed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RoundScope {
    All,
    /// Those whose rounds 1 and 3 both lasted their length, which is the same: the same bouts in every round.
    Comparable,
}

impl RoundScope {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Comparable => "comparable",
        }
    }
}

/// Totals of one fighter in a round of all bouts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RoundTotals {
    pub counts: [i32; PROFILE_COUNTS.len()],
    /// In the bouts whose control is known for both.
    pub control_secs: i32,
}

/// One round of one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundProfile {
    pub fighter: FighterId,
    pub version: i32,
    pub scope: RoundScope,
    /// From 1.
    pub round: i32,
    pub sums: RoundSums,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RoundSums {
    /// Bouts that reached the round.
    pub bouts: i32,
    pub secs: i32,
    /// Of that, in bouts whose control is known for both.
    pub control_known_secs: i32,
    /// Own, and the opponents'.
    pub totals: [RoundTotals; 2],
}

impl RoundSums {
    fn add_round(&mut self, round: &RoundFact, side: Side, control_known: bool) {
        let secs = round.secs.unwrap_or_default();
        self.bouts += 1;
        self.secs += secs;
        self.control_known_secs += if control_known { secs } else { 0 };
        for (totals, side) in self.totals.iter_mut().zip([side, side.other()]) {
            let counts = &round.counts[side.index()];
            for (sum, count) in totals.counts.iter_mut().zip(PROFILE_COUNTS) {
                *sum += counts[count];
            }
            totals.control_secs += counts.control_secs.filter(|_| control_known).unwrap_or_default();
        }
    }
}

/// By fighter, version, scope and round; rounds that no bout reached are left out.
pub(crate) fn round_profiles(league: &CareerIndex<'_>) -> Vec<RoundProfile> {
    let mut rows = Vec::new();
    for career in league.careers() {
        let mut sums = [[RoundSums::default(); ROUNDS]; 2];
        let mut next = 0;
        for (v, until) in &career.versions {
            career.rows[next..*until].iter().for_each(|row| add_side(&mut sums, &league.sides[*row]));
            next = *until;
            let version = &league.versions[*v];
            for (scope, sums) in [RoundScope::All, RoundScope::Comparable].into_iter().zip(&sums) {
                let reached = (1..).zip(sums).filter(|(_, sums)| sums.bouts > 0);
                rows.extend(reached.map(|(round, sums)| RoundProfile {
                    fighter: version.fighter,
                    version: version.version,
                    scope,
                    round,
                    sums: *sums,
                }));
            }
        }
    }
    rows
}

fn add_side(sums: &mut [[RoundSums; ROUNDS]; 2], side: &SideRow<'_>) {
    let bout = side.bout;
    let known = bout.rounds.iter().flat_map(|r| &r.counts).all(|counts| counts.control_secs.is_some());
    for round in &bout.rounds {
        let Some(place) = usize::try_from(round.round - 1).ok().filter(|place| *place < ROUNDS) else {
            continue;
        };
        sums[0][place].add_round(round, side.side, known);
        // Rounds 4 and 5 are not in all of these bouts.
        if place < 3 && bout.has_comparable_rounds() {
            sums[1][place].add_round(round, side.side, known);
        }
    }
}
