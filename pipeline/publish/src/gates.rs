//! Gates: what must hold between the tables of a snapshot.

use std::collections::{BTreeMap, HashMap, HashSet};

use arrow::array::RecordBatch;
use fdna_schemas::{ColumnError, TableReader};
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

/// Bouts by id, with their two fighters.
type BoutFighters = HashMap<Uuid, [Uuid; 2]>;

pub(crate) fn check<'a>(
    table: impl Fn(&str) -> Result<&'a RecordBatch, PublishError>,
) -> Result<Vec<GateFailure>, PublishError> {
    let events: HashSet<Uuid> = ids(table("events")?, "events", "event_id")?.into_iter().collect();
    let fighters: HashSet<Uuid> = ids(table("fighters")?, "fighters", "fighter_id")?.into_iter().collect();
    let bouts = bouts(table("bouts")?)?;
    let bout_events = ids(table("bouts")?, "bouts", "event_id")?;
    let mut failures = Vec::new();
    let mut gate = |gate, broken: Vec<Uuid>| {
        if let Some(first) = broken.first() {
            failures.push(GateFailure { gate, cases: broken.len(), first: first.to_string() });
        }
    };
    gate("every bout is of an event", missing(&bout_events, &events));
    let of_bouts: Vec<Uuid> = bouts.values().flatten().copied().collect();
    gate("both fighters of a bout are known", missing(&of_bouts, &fighters));
    let unordered = bouts.iter().filter(|(_, [a, b])| a >= b).map(|(id, _)| *id).collect();
    gate("a bout has two different fighters, and fighter a has the lower id", unordered);
    for name in ["results", "scorecards", "round_stats"] {
        let rows = ids(table(name)?, name, "bout_id")?;
        gate(
            "every result, scorecard and round is of a bout",
            rows.into_iter().filter(|id| !bouts.contains_key(id)).collect(),
        );
    }
    gate("a winner fought the bout", strangers(table("results")?, "results", "winner_id", &bouts)?);
    gate(
        "round statistics are of the bout's fighters",
        strangers(table("round_stats")?, "round_stats", "fighter_id", &bouts)?,
    );
    let versions = ids(table("dna_versions")?, "dna_versions", "fighter_id")?;
    gate("every version is of a fighter", missing(&versions, &fighters));
    gate(
        "statistics have every round up to the last, of both fighters",
        uneven(table("results")?, table("round_stats")?)?,
    );
    failures.extend(order_leak(table("results")?, &bouts)?);
    Ok(failures)
}

fn ids(batch: &RecordBatch, table: &str, column: &str) -> Result<Vec<Uuid>, ColumnError> {
    TableReader::new(table, batch).ids(column)
}

fn missing(ids: &[Uuid], known: &HashSet<Uuid>) -> Vec<Uuid> {
    ids.iter().filter(|id| !known.contains(id)).copied().collect()
}

fn bouts(batch: &RecordBatch) -> Result<BoutFighters, ColumnError> {
    let reader = TableReader::new("bouts", batch);
    let sides = reader.ids("fighter_a_id")?.into_iter().zip(reader.ids("fighter_b_id")?).map(|(a, b)| [a, b]);
    Ok(reader.ids("bout_id")?.into_iter().zip(sides).collect())
}

/// Bouts with a row that names a fighter who is not in them.
fn strangers(
    batch: &RecordBatch,
    table: &str,
    column: &str,
    bouts: &BoutFighters,
) -> Result<Vec<Uuid>, ColumnError> {
    let reader = TableReader::new(table, batch);
    let rows = reader.ids("bout_id")?.into_iter().zip(reader.uuids(column)?);
    let is_stranger = |(bout, fighter): &(Uuid, Option<Uuid>)| {
        fighter.is_some_and(|f| bouts.get(bout).is_some_and(|sides| !sides.contains(&f)))
    };
    Ok(rows.filter(is_stranger).map(|(bout, _)| bout).collect())
}

/// Bouts whose rows of statistics are not two for each round of their result.
fn uneven(results: &RecordBatch, rounds: &RecordBatch) -> Result<Vec<Uuid>, ColumnError> {
    let results = TableReader::new("results", results);
    let last: HashMap<Uuid, i32> =
        results.ids("bout_id")?.into_iter().zip(results.counts("round")?).collect();
    let rounds = TableReader::new("round_stats", rounds);
    let mut rows: BTreeMap<Uuid, (i32, i32)> = BTreeMap::new();
    for (bout, round) in rounds.ids("bout_id")?.into_iter().zip(rounds.counts("round")?) {
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

/// Which fighter is a must not tell who won: the share that a won lies within the 99.9 % interval of one half.
fn order_leak(results: &RecordBatch, bouts: &BoutFighters) -> Result<Option<GateFailure>, ColumnError> {
    let reader = TableReader::new("results", results);
    let (mut decided, mut by_a) = (0u32, 0u32);
    for (bout, winner) in reader.ids("bout_id")?.into_iter().zip(reader.uuids("winner_id")?) {
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
