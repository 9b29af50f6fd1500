//! Round statistics and their sums, by bout.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use arrow::array::{Array as _, Int32Array, RecordBatch};
use fdna_api::{BoutTotals, Counts, Id, RoundStat, StatProvenance, StatTotals};
use fdna_schemas::TableReader;
use uuid::Uuid;

use super::DatasetError;
use super::bouts::BoutPairings;
use super::columns::column;

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
        self.rows.iter().all(|&row| self.columns.control.is_valid(row))
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
    for (row, bout) in TableReader::new(TABLE, batch).ids("bout_id")?.into_iter().enumerate() {
        by_bout.entry(bout).or_default().push(row);
    }
    let of_bout = |(bout, mut rows): (Uuid, Vec<usize>)| {
        let dangling = |what, id| DatasetError::Dangling { table: TABLE, what, id };
        let fighters = pairings.fighters_of(bout).ok_or_else(|| dangling("bout", bout))?;
        let odd = rows.iter().map(|&row| columns.fighters[row]).find(|id| !fighters.contains(id));
        odd.map_or(Ok(()), |id| Err(dangling("fighter", id)))?;
        rows.sort_by_key(|&row| (columns.rounds.value(row), columns.fighters[row]));
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
    fighters: Vec<Uuid>,
    rounds: Int32Array,
    secs: Int32Array,
    control: Int32Array,
    /// In the order of their names.
    counts: Vec<Int32Array>,
}

impl StatColumns {
    fn read(batch: &RecordBatch) -> Result<Self, DatasetError> {
        let numbers = |name| column::<Int32Array>(batch, TABLE, name);
        Ok(Self {
            fighters: TableReader::new(TABLE, batch).ids("fighter_id")?,
            rounds: known(numbers("round")?, "round")?,
            secs: numbers("round_secs")?,
            control: numbers("control_secs")?,
            counts: Counts::NAMES.iter().map(|name| known(numbers(name)?, name)).collect::<Result<_, _>>()?,
        })
    }

    fn wire(&self, bout: Uuid, row: usize) -> RoundStat {
        let secs = |column: &Int32Array| column.is_valid(row).then(|| column.value(row));
        let mut of_row = self.counts.iter().map(|numbers| i64::from(numbers.value(row)));
        RoundStat {
            bout_id: Id(bout),
            fighter_id: Id(self.fighters[row]),
            round: self.rounds.value(row),
            round_secs: secs(&self.secs),
            // Asked in the order of the names.
            counts: Counts::from_names(|_| of_row.next().unwrap_or_default()),
            control_secs: secs(&self.control),
        }
    }
}

/// A column that the contract never leaves null.
fn known(numbers: Int32Array, column: &'static str) -> Result<Int32Array, DatasetError> {
    match numbers.null_count() {
        0 => Ok(numbers),
        _ => Err(DatasetError::Null { table: TABLE, column }),
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
