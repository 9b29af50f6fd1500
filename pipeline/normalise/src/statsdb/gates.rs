//! The gates that the statistics of every bout must pass, and the rows that they become.

use std::collections::BTreeMap;

use fdna_model::{BoutId, Count, FighterId, FindingKind, RoundCounts, TimeFormat};
use fdna_rows::{CellValue, TableLayout, TableRow};

use super::bout_rows::RefusedBout;
use super::capture_facts::FactPosition;
use crate::error::NormaliseError;

/// What statistics are held against: who fought, and when it ended.
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
    pub(super) counts: RoundCounts,
}

/// The lines of a bout, by round and fighter.
pub(super) type StatSides<'a> = BTreeMap<(i32, FighterId), &'a StatLine<'a>>;

/// The layout of `round_stats`, in the order that [`rows`] gives values in.
pub(super) fn layout() -> Result<TableLayout, NormaliseError> {
    let counts = Count::ALL.map(Count::name);
    let names = ["bout_id", "fighter_id", "round", "round_secs", "control_secs", "resolved_by"];
    Ok(TableLayout::new("round_stats", &[names.as_slice(), counts.as_slice()].concat())?)
}

/// The rows of a bout whose statistics pass every gate; an error says which they fail.
pub(super) fn rows(
    bout: &FoughtSide,
    sides: &StatSides<'_>,
    rule: &'static str,
    layout: &TableLayout,
) -> Result<Vec<TableRow>, RefusedBout> {
    pass(bout, sides)?;
    let row = |((round, fighter), line): (&(i32, FighterId), &&StatLine<'_>)| {
        round_row(bout, *fighter, *round, line, rule, layout)
    };
    Ok(sides.iter().map(row).collect())
}

/// Every round up to the last, of both fighters; counts that do not contradict themselves; control of both
/// within the fought time.
fn pass(bout: &FoughtSide, sides: &StatSides<'_>) -> Result<(), RefusedBout> {
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
        if let Some(reason) = line.counts.contradiction() {
            return Err((FindingKind::Contradiction, format!("line {}: {reason}", line.at.line)));
        }
    }
    control(bout, sides)
}

fn control(bout: &FoughtSide, sides: &StatSides<'_>) -> Result<(), RefusedBout> {
    let total = bout.total_secs();
    let control: i32 = sides.values().filter_map(|line| line.counts.control_secs).sum();
    match total {
        Some(total) if control > total => {
            Err((FindingKind::Contradiction, format!("{control} s of control in {total} s of fight")))
        }
        _ => Ok(()),
    }
}

fn round_row(
    bout: &FoughtSide,
    fighter: FighterId,
    round: i32,
    line: &StatLine<'_>,
    rule: &'static str,
    layout: &TableLayout,
) -> TableRow {
    let head: [CellValue; 6] = [
        bout.id.0.into(),
        fighter.0.into(),
        round.into(),
        bout.round_secs(round).into(),
        line.counts.control_secs.into(),
        rule.into(),
    ];
    layout.row(head.into_iter().chain(Count::ALL.map(|c| line.counts[c].into())))
}
