//! The gates that the statistics of every bout must pass, and the rows that they become.

use std::collections::BTreeMap;

use fdna_model::{BoutId, Count, FighterId, FindingKind, RoundCounts, TimeFormat};
use fdna_rows::PackedRow;
use fdna_schemas::tables::RoundStatsRow;

use super::bout_rows::RefusedBout;
use super::capture_facts::FactPosition;

/// Facts that statistics are checked against: the fighters, and the end of the bout.
pub(super) struct FoughtSide {
    pub(super) id: BoutId,
    pub(super) source_id: String,
    /// As listed.
    pub(super) fighters: [FighterId; 2],
    pub(super) last_round: i32,
    pub(super) clock_secs: i32,
    pub(super) format: Option<TimeFormat>,
}

impl FoughtSide {
    /// `None` where the time format is not known.
    pub(super) fn total_secs(&self) -> Option<i32> {
        self.format.as_ref().and_then(|f| f.total_secs(self.last_round, self.clock_secs))
    }

    /// Fought seconds of a round; `None` where the time format is not known or has no such round.
    pub(super) fn round_secs(&self, round: i32) -> Option<i32> {
        self.format.as_ref().and_then(|f| f.fought_secs(round, self.last_round, self.clock_secs))
    }
}

/// One fighter's round as it came.
pub(super) struct StatLine<'a> {
    pub(super) at: FactPosition<'a>,
    pub(super) round: i32,
    pub(super) counts: &'a RoundCounts,
}

/// The lines of a bout, by round and fighter.
pub(super) type StatSides<'a> = BTreeMap<(i32, FighterId), &'a StatLine<'a>>;

/// The rows of a bout whose statistics pass every gate; an error says which they fail.
pub(super) fn gated_rows(
    bout: &FoughtSide,
    sides: &StatSides<'_>,
    rule: &str,
) -> Result<Vec<PackedRow>, RefusedBout> {
    check_gates(bout, sides)?;
    let row = |((round, fighter), line): (&(i32, FighterId), &&StatLine<'_>)| {
        PackedRow::from_row(&round_row(bout, *fighter, *round, line.counts, rule))
    };
    Ok(sides.iter().map(row).collect())
}

/// Every round up to the last, of both fighters; counts that do not contradict themselves; control of both
/// within the fought time.
fn check_gates(bout: &FoughtSide, sides: &StatSides<'_>) -> Result<(), RefusedBout> {
    for round in 1..=bout.last_round {
        if bout.fighters.iter().any(|fighter| !sides.contains_key(&(round, *fighter))) {
            let reason = format!("round {round} of {} is not there for both fighters", bout.last_round);
            return Err((FindingKind::IncompleteRounds, reason));
        }
    }
    if let Some(((round, _), line)) = sides.iter().find(|((round, _), _)| *round > bout.last_round) {
        let reason =
            format!("line {}: round {round} of a bout that ended in {}", line.at.line, bout.last_round);
        return Err((FindingKind::Contradiction, reason));
    }
    for line in sides.values() {
        if let Some(reason) = line.counts.find_contradiction() {
            return Err((FindingKind::Contradiction, format!("line {}: {reason}", line.at.line)));
        }
    }
    check_control(bout, sides)
}

fn check_control(bout: &FoughtSide, sides: &StatSides<'_>) -> Result<(), RefusedBout> {
    let total = bout.total_secs();
    let control: i32 = sides.values().filter_map(|line| line.counts.control_secs).sum();
    match total {
        Some(total) if control > total => {
            Err((FindingKind::Contradiction, format!("{control} s of control in {total} s of fight")))
        }
        _ => Ok(()),
    }
}

fn round_row<'a>(
    bout: &FoughtSide,
    fighter: FighterId,
    round: i32,
    counts: &RoundCounts,
    rule: &'a str,
) -> RoundStatsRow<'a> {
    RoundStatsRow {
        bout_id: bout.id.0,
        fighter_id: fighter.0,
        round,
        round_secs: bout.round_secs(round),
        knockdowns: counts[Count::Knockdowns],
        sig_landed: counts[Count::SigLanded],
        sig_attempted: counts[Count::SigAttempted],
        total_landed: counts[Count::TotalLanded],
        total_attempted: counts[Count::TotalAttempted],
        td_landed: counts[Count::TdLanded],
        td_attempted: counts[Count::TdAttempted],
        sub_attempts: counts[Count::SubAttempts],
        reversals: counts[Count::Reversals],
        control_secs: counts.control_secs,
        head_landed: counts[Count::HeadLanded],
        head_attempted: counts[Count::HeadAttempted],
        body_landed: counts[Count::BodyLanded],
        body_attempted: counts[Count::BodyAttempted],
        leg_landed: counts[Count::LegLanded],
        leg_attempted: counts[Count::LegAttempted],
        distance_landed: counts[Count::DistanceLanded],
        distance_attempted: counts[Count::DistanceAttempted],
        clinch_landed: counts[Count::ClinchLanded],
        clinch_attempted: counts[Count::ClinchAttempted],
        ground_landed: counts[Count::GroundLanded],
        ground_attempted: counts[Count::GroundAttempted],
        resolved_by: rule,
        last_capture: None,
    }
}
