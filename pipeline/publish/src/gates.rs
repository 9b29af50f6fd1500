//! Gates: what must hold between the tables of a snapshot.

use std::collections::{BTreeMap, HashMap, HashSet};

use arrow::array::RecordBatch;
use fdna_schemas::ColumnError;
use fdna_schemas::tables::{
    BoutsReader, ContractReader, DnaVersionsReader, EventsReader, FightersReader, ResultsReader,
    RoundStatsReader, ScorecardsReader,
};
use uuid::Uuid;

use crate::PublishError;

/// A gate that failed: how often, and the first case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateFailure {
    pub gate: &'static str,
    pub cases: usize,
    pub first: String,
}

impl std::fmt::Display for GateFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({} times, first {})", self.gate, self.cases, self.first)
    }
}

/// Columns that the gates look at, by table; `event_date` is for the date until which a snapshot has facts.
pub const GATED: [(&str, &[&str]); 7] = [
    ("bouts", &["bout_id", "event_id", "event_date", "fighter_a_id", "fighter_b_id"]),
    ("dna_versions", &["fighter_id"]),
    ("events", &["event_id"]),
    ("fighters", &["fighter_id"]),
    ("results", &["bout_id", "winner_id", "round"]),
    ("round_stats", &["bout_id", "fighter_id", "round"]),
    ("scorecards", &["bout_id"]),
];

/// The columns [`GATED`], by table.
#[derive(Clone, Copy)]
pub(crate) struct GatedTables<'a>(pub(crate) &'a [(&'a str, RecordBatch)]);

impl<'a> GatedTables<'a> {
    pub(crate) fn read_table<R: ContractReader<'a>>(self) -> Result<R, PublishError> {
        let table = self.0.iter().find(|(name, _)| *name == R::TABLE);
        table.map(|(_, batch)| R::of(batch)).ok_or_else(|| PublishError::MissingTable(R::TABLE.to_owned()))
    }
}

/// Bouts by id, with their two fighters.
type BoutFighters = HashMap<Uuid, [Uuid; 2]>;

pub(crate) fn check_gates(tables: GatedTables<'_>) -> Result<Vec<GateFailure>, PublishError> {
    let events: HashSet<Uuid> = tables.read_table::<EventsReader<'_>>()?.event_id()?.into_iter().collect();
    let fighters: HashSet<Uuid> =
        tables.read_table::<FightersReader<'_>>()?.fighter_id()?.into_iter().collect();
    let bouts_table: BoutsReader<'_> = tables.read_table()?;
    let results: ResultsReader<'_> = tables.read_table()?;
    let round_stats: RoundStatsReader<'_> = tables.read_table()?;
    let scorecards: ScorecardsReader<'_> = tables.read_table()?;
    let versions: DnaVersionsReader<'_> = tables.read_table()?;
    let bouts = bout_fighters(bouts_table)?;
    let mut failures = Vec::new();
    let mut gate = |gate, broken: Vec<Uuid>| {
        if let Some(first) = broken.first() {
            failures.push(GateFailure { gate, cases: broken.len(), first: first.to_string() });
        }
    };
    gate("every bout is of an event", missing_ids(&bouts_table.event_id()?, &events));
    let of_bouts: Vec<Uuid> = bouts.values().flatten().copied().collect();
    gate("both fighters of a bout are known", missing_ids(&of_bouts, &fighters));
    let unordered = bouts.iter().filter(|(_, [a, b])| a >= b).map(|(id, _)| *id).collect();
    gate("a bout has two different fighters, and fighter a has the lower id", unordered);
    for rows in [results.bout_id()?, scorecards.bout_id()?, round_stats.bout_id()?] {
        gate(
            "every result, scorecard and round is of a bout",
            rows.into_iter().filter(|id| !bouts.contains_key(id)).collect(),
        );
    }
    let winners = results.bout_id()?.into_iter().zip(results.winner_id()?);
    let winners = winners.filter_map(|(bout, winner)| Some((bout, winner?)));
    gate("a winner fought the bout", unknown_fighters(winners, &bouts));
    let in_rounds = round_stats.bout_id()?.into_iter().zip(round_stats.fighter_id()?);
    gate("round statistics are of the bout's fighters", unknown_fighters(in_rounds, &bouts));
    gate("every version is of a fighter", missing_ids(&versions.fighter_id()?, &fighters));
    gate(
        "statistics have every round up to the last, of both fighters",
        uneven_rounds(results, round_stats)?,
    );
    failures.extend(order_leak(results, &bouts)?);
    Ok(failures)
}

fn missing_ids(ids: &[Uuid], known: &HashSet<Uuid>) -> Vec<Uuid> {
    ids.iter().filter(|id| !known.contains(id)).copied().collect()
}

fn bout_fighters(table: BoutsReader<'_>) -> Result<BoutFighters, ColumnError> {
    let sides = table.fighter_a_id()?.into_iter().zip(table.fighter_b_id()?).map(|(a, b)| [a, b]);
    Ok(table.bout_id()?.into_iter().zip(sides).collect())
}

/// Bouts of which a row names a fighter who is not in them.
fn unknown_fighters(rows: impl Iterator<Item = (Uuid, Uuid)>, bouts: &BoutFighters) -> Vec<Uuid> {
    let is_stranger =
        |(bout, fighter): &(Uuid, Uuid)| bouts.get(bout).is_some_and(|sides| !sides.contains(fighter));
    rows.filter(is_stranger).map(|(bout, _)| bout).collect()
}

/// Bouts whose rows of statistics are not two for each round of their result.
fn uneven_rounds(results: ResultsReader<'_>, rounds: RoundStatsReader<'_>) -> Result<Vec<Uuid>, ColumnError> {
    let last: HashMap<Uuid, i32> = results.bout_id()?.into_iter().zip(results.round()?).collect();
    let mut rows: BTreeMap<Uuid, (i32, i32)> = BTreeMap::new();
    for (bout, round) in rounds.bout_id()?.into_iter().zip(rounds.round()?) {
        let (count, newest) = rows.entry(bout).or_default();
        *count += 1;
        *newest = round.max(*newest);
    }
    let is_uneven = |(bout, (count, newest)): (Uuid, (i32, i32))| {
        let even = last.get(&bout).is_some_and(|last| newest == *last && count == 2 * last);
        (!even).then_some(bout)
    };
    Ok(rows.into_iter().filter_map(is_uneven).collect())
}

/// Fewer decided bouts than this say nothing about a leak.
const ENOUGH_BOUTS: f64 = 1000.0;
/// 99.9 % two-sided quantile of the normal distribution.
const Z_999: f64 = 3.290_527;

/// The order of fighters a and b must not reveal the winner: the share that a won lies within the 99.9 % interval of
/// one half.
fn order_leak(results: ResultsReader<'_>, bouts: &BoutFighters) -> Result<Option<GateFailure>, ColumnError> {
    let (mut decided, mut by_a) = (0u32, 0u32);
    for (bout, winner) in results.bout_id()?.into_iter().zip(results.winner_id()?) {
        let (Some(winner), Some([a, _])) = (winner, bouts.get(&bout)) else { continue };
        decided += 1;
        by_a += u32::from(winner == *a);
    }
    let (n, won) = (f64::from(decided), f64::from(by_a));
    let leaks = n >= ENOUGH_BOUTS && (won / n - 0.5).abs() > Z_999 * (0.25 / n).sqrt();
    Ok(leaks.then(|| GateFailure {
        gate: "which fighter is a says nothing about who won",
        cases: 1,
        first: format!("fighter a won {by_a} of {decided} decided bouts"),
    }))
}
