//! Results and scorecards, by bout.

use std::collections::HashMap;

use fdna_api::{BoutResult, Scorecard};
use fdna_schemas::TableReader;
use uuid::Uuid;

use super::bouts::BoutPairings;
use super::{DatasetError, SnapshotTables, judging};

/// A result, and whether the totals of its cards are known, with the points of both.
#[derive(Debug)]
pub(crate) struct KnownResult<'a> {
    pub(crate) result: BoutResult<'a>,
    pub(crate) are_totals_known: bool,
}

/// What becomes of the `results` and `judge_cards` tables.
pub(crate) type ResultTable<'a> = HashMap<Uuid, KnownResult<'a>>;

pub(crate) fn read<'a>(
    tables: &'a SnapshotTables,
    pairings: &BoutPairings,
) -> Result<ResultTable<'a>, DatasetError> {
    let mut cards = judging::read(tables)?;
    let table = TableReader::new("results", &tables.results);
    let (ids, winners) = (table.ids("bout_id")?, table.uuids("winner_id")?);
    let (outcomes, methods) = (table.texts("outcome")?, table.texts("method")?);
    let (details, referees) = (table.strings("method_detail")?, table.strings("referee")?);
    let (rounds, clocks) = (table.int32s("round")?, table.int32s("clock_secs")?);
    let (formats, totals) = (table.strings("time_format")?, table.int32s("total_secs")?);
    let result = |i: usize, scorecards| BoutResult {
        status: if methods[i] == "overturned" { "overturned" } else { "final" },
        outcome: outcomes[i],
        winner_id: winners[i].map(Into::into),
        method: methods[i],
        method_detail: details[i],
        round: rounds[i],
        time: clocks[i].map(clock),
        time_format: formats[i],
        total_seconds: totals[i],
        referee: referees[i],
        scorecards,
    };
    let known = |i: usize| {
        let cards = cards.remove(&ids[i]).unwrap_or_default();
        let are_totals_known = !cards.is_empty() && cards.iter().all(has_totals);
        (ids[i], KnownResult { result: result(i, cards), are_totals_known })
    };
    let results: ResultTable<'a> = (0..table.rows()).map(known).collect();
    ids.iter().try_for_each(|id| check(*id, &results[id].result, pairings))?;
    Ok(results)
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
