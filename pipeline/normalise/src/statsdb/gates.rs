//! The gates that the statistics of every bout must pass, and the rows that they become.

use std::collections::BTreeMap;

use fdna_model::{BoutId, Count, FighterId, FindingKind, RoundCounts, TimeFormat};

use super::At;
use super::entry::Refused;
use crate::NormaliseError;
use crate::layout::{Layout, Row, Value};

/// What statistics are held against: who fought, and when it ended.
pub(super) struct Fought {
    pub(super) id: BoutId,
    pub(super) source_id: String,
    /// As listed.
    pub(super) fighters: [FighterId; 2],
    pub(super) last_round: i32,
    pub(super) clock_secs: i32,
    pub(super) format: Option<TimeFormat>,
}

impl Fought {
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
pub(super) struct Line<'a> {
    pub(super) at: At<'a>,
    pub(super) round: i32,
    pub(super) counts: RoundCounts,
}

/// The lines of a bout, by round and fighter.
pub(super) type Sides<'a> = BTreeMap<(i32, FighterId), &'a Line<'a>>;

/// The layout of `round_stats`, in the order that [`rows`] gives values in.
pub(super) fn layout() -> Result<Layout, NormaliseError> {
    let counts = Count::ALL.map(Count::name);
    let names = ["bout_id", "fighter_id", "round", "round_secs", "control_secs", "resolved_by"];
    Ok(Layout::new("round_stats", &[names.as_slice(), counts.as_slice()].concat())?)
}

/// The rows of a bout whose statistics pass every gate; an error says which they fail.
pub(super) fn rows(
    bout: &Fought,
    sides: &Sides<'_>,
    rule: &'static str,
    layout: &Layout,
) -> Result<Vec<Row>, Refused> {
    pass(bout, sides)?;
    let row = |((round, fighter), line): (&(i32, FighterId), &&Line<'_>)| {
        round_row(bout, *fighter, *round, line, rule, layout)
    };
    Ok(sides.iter().map(row).collect())
}

/// Every round up to the last, of both fighters; counts that do not contradict themselves; control of both
/// within the fought time.
fn pass(bout: &Fought, sides: &Sides<'_>) -> Result<(), Refused> {
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

fn control(bout: &Fought, sides: &Sides<'_>) -> Result<(), Refused> {
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
    bout: &Fought,
    fighter: FighterId,
    round: i32,
    line: &Line<'_>,
    rule: &'static str,
    layout: &Layout,
) -> Row {
    let head: [Value; 6] = [
        bout.id.0.into(),
        fighter.0.into(),
        round.into(),
        bout.round_secs(round).into(),
        line.counts.control_secs.into(),
        rule.into(),
    ];
    layout.row(head.into_iter().chain(Count::ALL.map(|c| line.counts[c].into())))
}
