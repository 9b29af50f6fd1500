//! Results and scorecards, by bout.

use std::collections::HashMap;

use fdna_api::{BoutResult, Scorecard};
use fdna_schemas::tables::{ContractReader as _, ResultsReader, ResultsRow};
use uuid::Uuid;

use super::bout_pairings::BoutPairings;
use super::{DatasetError, SnapshotTables, judging};

/// A result, and whether the totals of its cards are known, with the points of both.
#[derive(Debug)]
pub(crate) struct KnownResult<'a> {
    pub(crate) result: BoutResult<'a>,
    pub(crate) are_totals_known: bool,
}

impl KnownResult<'_> {
    /// How it ended for a fighter: win, loss, draw or `no_contest`.
    pub(crate) fn outcome_of(&self, fighter: Uuid) -> &'static str {
        match (self.result.outcome, self.result.winner_id) {
            ("win", Some(winner)) if winner.0 == fighter => "win",
            ("win", _) => "loss",
            ("draw", _) => "draw",
            _ => "no_contest",
        }
    }
}

/// What becomes of the `results` and `judge_cards` tables.
pub(crate) type ResultTable<'a> = HashMap<Uuid, KnownResult<'a>>;

pub(crate) fn read<'a>(
    tables: &'a SnapshotTables,
    pairings: &BoutPairings,
) -> Result<ResultTable<'a>, DatasetError> {
    let mut cards = judging::read(tables)?;
    let rows = ResultsReader::of(&tables.results).all_rows()?;
    let known = |row: &ResultsRow<'a>| {
        let cards = cards.remove(&row.bout_id).unwrap_or_default();
        let are_totals_known = !cards.is_empty() && cards.iter().all(has_totals);
        (row.bout_id, KnownResult { result: wire(row, cards), are_totals_known })
    };
    let results: ResultTable<'a> = rows.iter().map(known).collect();
    rows.iter().try_for_each(|row| check(row.bout_id, &results[&row.bout_id].result, pairings))?;
    Ok(results)
}

fn wire<'a>(row: &ResultsRow<'a>, scorecards: Vec<Scorecard<'a>>) -> BoutResult<'a> {
    BoutResult {
        status: if row.method == "overturned" { "overturned" } else { "final" },
        outcome: row.outcome,
        winner_id: row.winner_id.map(Into::into),
        method: row.method,
        method_detail: row.method_detail,
        round: Some(row.round),
        time: Some(clock(row.clock_secs)),
        time_format: Some(row.time_format),
        total_seconds: row.total_secs,
        referee: row.referee,
        scorecards,
    }
}

/// A result belongs to a bout, and its winner fought in it.
fn check(bout: Uuid, result: &BoutResult<'_>, pairings: &BoutPairings) -> Result<(), DatasetError> {
    let dangling = |what, id| DatasetError::Dangling { table: "results", what, id };
    let fighters = pairings.fighters_of(bout).ok_or(dangling("bout", bout))?;
    match result.winner_id {
        Some(winner) if !fighters.contains(&winner.0) => Err(dangling("winner", winner.0)),
        _ => Ok(()),
    }
}

fn has_totals(card: &Scorecard<'_>) -> bool {
    card.score_a.is_some() && card.score_b.is_some()
}

fn clock(secs: i32) -> String {
    format!("{}:{:02}", secs / 60, secs % 60)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_clock_has_two_digits_of_seconds() {
        assert_eq!((super::clock(65).as_str(), super::clock(300).as_str()), ("1:05", "5:00"));
    }
}
