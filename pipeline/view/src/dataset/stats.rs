//! Round statistics and their sums, by bout.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use arrow::array::RecordBatch;
use fdna_api::{BoutTotals, Counts, Id, RoundStat, StatProvenance, StatTotals};
use fdna_schemas::ColumnError;
use fdna_schemas::tables::{ContractReader as _, RoundStatsReader};
use uuid::Uuid;

use super::DatasetError;
use super::bout_pairings::BoutPairings;

const TABLE: &str = "round_stats";

/// The one source of round statistics.
pub(crate) const SOURCES: &[&str] = &["statsdb"];

/// Statistics of one bout. Its rows stay in their columns until somebody asks for them.
#[derive(Debug)]
pub(crate) struct BoutStats {
    columns: Arc<StatColumns>,
    /// By round and fighter.
    rows: Box<[usize]>,
    bout: Uuid,
    /// Fighter a and fighter b.
    fighters: [Uuid; 2],
}

impl BoutStats {
    /// Both fighters, every round.
    pub(crate) fn rounds(&self) -> Vec<RoundStat> {
        self.wire().collect()
    }

    /// Sums by fighter id.
    pub(crate) fn totals_by_fighter<'a>(&self, snapshot_id: &'a str) -> BTreeMap<String, BoutTotals<'a>> {
        let sums = self.fighters.iter().zip(self.totals());
        let entry = |(fighter, totals): (&Uuid, StatTotals)| {
            let provenance = provenance(snapshot_id, totals.rounds);
            (fighter.to_string(), BoutTotals { totals, provenance })
        };
        sums.map(entry).collect()
    }

    /// Sums of fighter a and fighter b.
    pub(crate) fn totals(&self) -> [StatTotals; 2] {
        self.fighters.map(|fighter| sum(self.wire().filter(|row| row.fighter_id.0 == fighter)))
    }

    /// Whether the control time of every row is known.
    pub(crate) fn is_timed(&self) -> bool {
        self.rows.iter().all(|&row| self.columns.control[row].is_some())
    }

    fn wire(&self) -> impl Iterator<Item = RoundStat> {
        self.rows.iter().map(|&row| self.columns.wire(self.bout, row))
    }
}

/// Where sums of `round_stats` rows come from.
pub(crate) fn provenance(snapshot_id: &str, rows: usize) -> StatProvenance<'_> {
    StatProvenance { snapshot_id, sources: SOURCES, table: TABLE, rows }
}

pub(crate) fn read(
    batch: &RecordBatch,
    pairings: &BoutPairings,
) -> Result<HashMap<Uuid, BoutStats>, DatasetError> {
    let columns = Arc::new(StatColumns::read(batch)?);
    let mut by_bout: HashMap<Uuid, Vec<usize>> = HashMap::new();
    for (row, bout) in RoundStatsReader::of(batch).bout_id()?.into_iter().enumerate() {
        by_bout.entry(bout).or_default().push(row);
    }
    let of_bout = |(bout, mut rows): (Uuid, Vec<usize>)| {
        let dangling = |what, id| DatasetError::Dangling { table: TABLE, what, id };
        let fighters = pairings.fighters_of(bout).ok_or_else(|| dangling("bout", bout))?;
        let odd = rows.iter().map(|&row| columns.fighters[row]).find(|id| !fighters.contains(id));
        odd.map_or(Ok(()), |id| Err(dangling("fighter", id)))?;
        rows.sort_by_key(|&row| (columns.rounds[row], columns.fighters[row]));
        Ok((bout, BoutStats { columns: Arc::clone(&columns), rows: rows.into(), bout, fighters }))
    };
    by_bout.into_iter().map(of_bout).collect()
}

fn sum(rows: impl Iterator<Item = RoundStat>) -> StatTotals {
    rows.fold(nothing(), |total, row| StatTotals {
        rounds: total.rounds + 1,
        seconds: both(total.seconds, row.round_secs.map(i64::from)),
        counts: total.counts.plus(&row.counts),
        control_secs: both(total.control_secs, row.control_secs.map(i64::from)),
    })
}

/// The sum of no rounds.
pub(crate) fn nothing() -> StatTotals {
    StatTotals { rounds: 0, seconds: Some(0), counts: Counts::default(), control_secs: Some(0) }
}

/// Adds two sums; what is unknown in one is unknown in the whole.
pub(crate) fn plus(a: &StatTotals, b: &StatTotals) -> StatTotals {
    StatTotals {
        rounds: a.rounds + b.rounds,
        seconds: both(a.seconds, b.seconds),
        counts: a.counts.plus(&b.counts),
        control_secs: both(a.control_secs, b.control_secs),
    }
}

fn both(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    Some(a? + b?)
}

/// The table's columns.
#[derive(Debug)]
struct StatColumns {
    fighters: Box<[Uuid]>,
    rounds: Box<[i32]>,
    secs: Box<[Option<i32>]>,
    control: Box<[Option<i32>]>,
    /// In the order of their names.
    counts: Vec<Box<[i32]>>,
}

impl StatColumns {
    fn read(batch: &RecordBatch) -> Result<Self, ColumnError> {
        let table = RoundStatsReader::of(batch);
        let counts = Counts::NAMES.iter().map(|name| Ok(table.by_name().counts(name)?.into()));
        Ok(Self {
            fighters: table.fighter_id()?.into(),
            rounds: table.round()?.into(),
            secs: table.round_secs()?.into(),
            control: table.control_secs()?.into(),
            counts: counts.collect::<Result<_, ColumnError>>()?,
        })
    }

    fn wire(&self, bout: Uuid, row: usize) -> RoundStat {
        let mut of_row = self.counts.iter().map(|numbers| i64::from(numbers[row]));
        RoundStat {
            bout_id: Id(bout),
            fighter_id: Id(self.fighters[row]),
            round: self.rounds[row],
            round_secs: self.secs[row],
            // Asked in the order of the names.
            counts: Counts::from_names(|_| of_row.next().unwrap_or_default()),
            control_secs: self.control[row],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fdna_model::Count;

    #[test]
    fn the_wire_has_every_count_of_the_source() {
        assert_eq!(Counts::NAMES, Count::ALL.map(Count::name));
    }

    #[test]
    fn one_unknown_control_time_makes_the_sum_unknown() {
        let mut known = nothing();
        known.control_secs = Some(30);
        assert_eq!(plus(&known, &known).control_secs, Some(60));
        let unknown = StatTotals { control_secs: None, ..nothing() };
        assert_eq!(plus(&known, &unknown).control_secs, None);
        assert_eq!(plus(&known, &unknown).seconds, Some(0));
    }
}
