//! Round profile of a fighter, as of a date.

use fdna_api::operations::parameters::AS_OF;
use fdna_api::{
    ComparableRounds, Fade, Failure, FighterRoundProfile, MetaExtra, ROUND_NOTES, Round, RoundProfile,
    RoundRates, RoundSide, RoundTotals,
};
use fdna_compare::profile::{self, RoundActionRates, RoundActions, RoundSums};

use super::OperationRequest;
use super::derived::derived;
use super::dna::AskedVersion;
use super::entity_lookup::fighter_row;
use crate::dataset::CompleteDataset;
use crate::operations::{OperationResponse, not_read};

pub(crate) fn fighter_round_profile(
    data: CompleteDataset<'_>,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let version = AskedVersion::choose(data, fighter_row(&data, request)?, request.params.get(AS_OF))?;
    let stored = data.derived.profiles.of(version.fighter, version.stored.version).map_err(not_read)?;
    let (all, comparable) = (stored.rounds("all"), stored.rounds("comparable"));
    let profile = RoundProfile {
        version: derived(&version),
        notes: ROUND_NOTES,
        rounds: rounds(&all, 5),
        comparable: ComparableRounds { bouts: bouts(&comparable), rounds: rounds(&comparable, 3) },
        fade: fade(&comparable),
    };
    let fighter = data.fighter_compact(version.fighter, request.shown());
    request.answer(&FighterRoundProfile { fighter, profile }, MetaExtra::None {})
}

/// Every bout has a first round.
fn bouts(sums: &[RoundSums]) -> i32 {
    sums.iter().find(|sums| sums.round == 1).map_or(0, |sums| sums.bouts)
}

/// Rounds 1 to `last`. One that no bout reached has no row in the table.
fn rounds(sums: &[RoundSums], last: i32) -> Vec<Round> {
    let of = |round: i32| {
        let found = sums.iter().find(|sums| sums.round == round).copied();
        found.unwrap_or(RoundSums { round, ..RoundSums::default() })
    };
    (1..=last).map(|n| round(&of(n))).collect()
}

fn round(sums: &RoundSums) -> Round {
    let profile = profile::RoundProfile::from_sums(sums);
    let side =
        |actions, rates| RoundSide { totals: totals(actions, sums.control_known_secs), rates: wire(rates) };
    Round {
        round: sums.round,
        bouts_reached: sums.bouts,
        minutes: sums.secs as f64 / 60.0,
        control_known_minutes: sums.control_known_secs as f64 / 60.0,
        own: side(&sums.own, profile.own),
        opponent: side(&sums.opponent, profile.opponent),
        differential: wire(profile.differential),
    }
}

fn totals(actions: &RoundActions, control_known_secs: i64) -> RoundTotals {
    RoundTotals {
        knockdowns: actions.knockdowns,
        sig_landed: actions.sig_landed,
        sig_attempted: actions.sig_attempted,
        total_landed: actions.total_landed,
        td_landed: actions.td_landed,
        td_attempted: actions.td_attempted,
        sub_attempts: actions.sub_attempts,
        control_secs: (control_known_secs > 0).then_some(actions.control_secs),
    }
}

fn wire(rates: RoundActionRates) -> RoundRates {
    RoundRates {
        sig_landed_per_min: rates.sig_landed_per_min,
        sig_attempted_per_min: rates.sig_attempted_per_min,
        total_landed_per_min: rates.total_landed_per_min,
        knockdowns_per_15: rates.knockdowns_per_15,
        td_landed_per_15: rates.td_landed_per_15,
        td_attempted_per_15: rates.td_attempted_per_15,
        sub_attempts_per_15: rates.sub_attempts_per_15,
        sig_accuracy: rates.sig_accuracy,
        td_accuracy: rates.td_accuracy,
        control_share: rates.control_share,
    }
}

fn fade(comparable: &[RoundSums]) -> Fade {
    let fade = profile::round_fade(comparable);
    Fade {
        rate: "sig_attempted_per_min",
        bouts: bouts(comparable),
        own: fade.map(|f| f.own),
        opponent: fade.map(|f| f.opponent),
        differential: fade.map(|f| f.differential),
        reason: fade.is_none().then_some("no_comparable_bouts"),
    }
}
