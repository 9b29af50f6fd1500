//! Round statistics and their sums, by bout.

use std::collections::HashMap;

use arrow::array::RecordBatch;
use fdna_api::{BoutTotals, Counts, Id, RoundStat, StatProvenance, StatTotals};
use fdna_schemas::TableReader;
use rayon::prelude::*;
use serde::Serialize;
use uuid::Uuid;

use super::bouts::Pairings;
use super::{DatasetError, json, never_null};

/// The one source of round statistics.
pub(crate) const SOURCES: &[&str] = &["statsdb"];

/// Statistics of one bout, ready to be sent.
#[derive(Debug)]
pub(crate) struct BoutStats {
    /// `{"round_stats":[…],"stat_totals":{…}}`
    pub(crate) json: Box<[u8]>,
    /// Sums of fighter a and fighter b.
    pub(crate) totals: [StatTotals; 2],
}

/// What a bout without statistics answers.
pub(crate) const NO_STATS: &[u8] = br#"{"round_stats":[],"stat_totals":null}"#;

#[derive(Serialize)]
struct Fragment<'a> {
    round_stats: &'a [RoundStat],
    stat_totals: std::collections::BTreeMap<String, BoutTotals<'a>>,
}

/// Where sums of `round_stats` rows come from.
pub(crate) fn provenance(snapshot_id: &str, rows: usize) -> StatProvenance<'_> {
    StatProvenance { snapshot_id, sources: SOURCES, table: "round_stats", rows }
}

pub(crate) fn read(
    batch: &RecordBatch,
    snapshot_id: &str,
    pairings: &Pairings,
) -> Result<HashMap<Uuid, BoutStats>, DatasetError> {
    let mut by_bout: HashMap<Uuid, Vec<RoundStat>> = HashMap::new();
    for row in rows(batch)? {
        by_bout.entry(row.bout_id.0).or_default().push(row);
    }
    let of_bout = |(bout, mut rows): (Uuid, Vec<RoundStat>)| {
        rows.sort_by_key(|r| (r.round, r.fighter_id));
        let fighters = pairings.fighters_of(bout).ok_or(DatasetError::Dangling {
            table: "round_stats",
            what: "bout",
            id: bout,
        })?;
        Ok((bout, bout_stats(&rows, fighters, snapshot_id)?))
    };
    by_bout.into_par_iter().map(of_bout).collect()
}

fn bout_stats(rows: &[RoundStat], fighters: [Uuid; 2], snapshot_id: &str) -> Result<BoutStats, DatasetError> {
    if let Some(odd) = rows.iter().find(|r| !fighters.contains(&r.fighter_id.0)) {
        let id = odd.fighter_id.0;
        return Err(DatasetError::Dangling { table: "round_stats", what: "fighter", id });
    }
    let of = |fighter: Uuid| rows.iter().filter(move |r| r.fighter_id.0 == fighter);
    let totals = fighters.map(|fighter| sum(of(fighter)));
    let entry = |side: usize| {
        let provenance = provenance(snapshot_id, totals[side].rounds);
        (fighters[side].to_string(), BoutTotals { totals: &totals[side], provenance })
    };
    let fragment = Fragment { round_stats: rows, stat_totals: [entry(0), entry(1)].into() };
    let json = json(&fragment)?;
    Ok(BoutStats { json, totals })
}

fn sum<'a>(rows: impl Iterator<Item = &'a RoundStat>) -> StatTotals {
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

fn rows(batch: &RecordBatch) -> Result<Vec<RoundStat>, DatasetError> {
    let table = TableReader::new("round_stats", batch);
    let (bouts, fighters) = (table.ids("bout_id")?, table.ids("fighter_id")?);
    let (rounds, secs) = (table.int32s("round")?, table.int32s("round_secs")?);
    let control = table.int32s("control_secs")?;
    let counts = Counts::NAMES.iter().map(|name| Ok((*name, table.int32s(name)?)));
    let counts = counts.collect::<Result<Vec<_>, DatasetError>>()?;
    let row = |i: usize| {
        if let Some((column, _)) = counts.iter().find(|(_, numbers)| numbers[i].is_none()) {
            return Err(DatasetError::Null { table: "round_stats", column });
        }
        let mut of_row = counts.iter().map(|(_, numbers)| numbers[i].map_or(0, i64::from));
        Ok(RoundStat {
            bout_id: Id(bouts[i]),
            fighter_id: Id(fighters[i]),
            round: never_null(rounds[i], "round_stats", "round")?,
            round_secs: secs[i],
            // Asked in the order of the names.
            counts: Counts::from_names(|_| of_row.next().unwrap_or_default()),
            control_secs: control[i],
        })
    };
    (0..table.rows()).map(row).collect()
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
