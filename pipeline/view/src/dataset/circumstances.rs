//! Deductions, weights and late replacements, by bout.

use std::collections::{BTreeSet, HashMap};

use arrow::array::RecordBatch;
use fdna_api::{Circumstances, Deduction, Id, ShortNotice, WeighIn};
use fdna_schemas::TableReader;
use uuid::Uuid;

use super::bouts::BoutPairings;
use super::{DatasetError, SnapshotTables, json};

/// What a bout answers of which no source speaks.
pub(crate) const UNKNOWN: &[u8] = br#"{"deductions":null,"weigh_ins":null,"short_notices":null}"#;

/// The circumstances of each bout of which a source speaks, ready to be sent.
pub(crate) fn read(
    tables: &SnapshotTables,
    pairings: &BoutPairings,
) -> Result<HashMap<Uuid, Box<[u8]>>, DatasetError> {
    let mut by_bout: HashMap<Uuid, Circumstances<'_>> = HashMap::new();
    for bout in judged(&tables.round_scorecards)? {
        by_bout.entry(bout).or_default().deductions = Some(Vec::new());
    }
    for (bout, deduction) in deductions(&tables.deductions, pairings)? {
        by_bout.entry(bout).or_default().deductions.get_or_insert_default().push(deduction);
    }
    for (bout, weigh_in) in weigh_ins(&tables.weigh_ins, pairings)? {
        by_bout.entry(bout).or_default().weigh_ins.get_or_insert_default().push(weigh_in);
    }
    for (bout, notice) in short_notices(&tables.short_notices, pairings)? {
        by_bout.entry(bout).or_default().short_notices.get_or_insert_default().push(notice);
    }
    by_bout.iter().map(|(bout, circumstances)| Ok((*bout, json(circumstances)?))).collect()
}

/// Bouts whose rounds are known from a source that also names deductions: none there means none.
fn judged(round_scorecards: &RecordBatch) -> Result<BTreeSet<Uuid>, DatasetError> {
    let table = TableReader::new("round_scorecards", round_scorecards);
    Ok(table.ids("bout_id")?.into_iter().collect())
}

type CircumstanceRows<T> = Result<Vec<(Uuid, T)>, DatasetError>;

fn deductions<'a>(batch: &'a RecordBatch, pairings: &BoutPairings) -> CircumstanceRows<Deduction<'a>> {
    let table = TableReader::new("deductions", batch);
    let whose = whose("deductions", &table, pairings)?;
    let (rounds, points) = (table.counts("round")?, table.counts("points")?);
    let (reasons, sources) = (table.strings("reason")?, table.texts("source")?);
    let row = |(i, (bout, fighter_id)): (usize, (Uuid, Id))| {
        let (round, points) = (rounds[i], points[i]);
        (bout, Deduction { fighter_id, round, points, reason: reasons[i], source: sources[i] })
    };
    Ok(whose.into_iter().enumerate().map(row).collect())
}

fn weigh_ins<'a>(batch: &'a RecordBatch, pairings: &BoutPairings) -> CircumstanceRows<WeighIn<'a>> {
    let table = TableReader::new("weigh_ins", batch);
    let whose = whose("weigh_ins", &table, pairings)?;
    let (weights, missed) = (table.floats("weight_lbs")?, table.bools("is_missed")?);
    let sources = table.texts("source")?;
    let row = |(i, (bout, fighter_id)): (usize, (Uuid, Id))| {
        let (weight_lbs, is_missed) = (weights[i], missed[i]);
        (bout, WeighIn { fighter_id, weight_lbs, is_missed, source: sources[i] })
    };
    Ok(whose.into_iter().enumerate().map(row).collect())
}

fn short_notices<'a>(batch: &'a RecordBatch, pairings: &BoutPairings) -> CircumstanceRows<ShortNotice<'a>> {
    let table = TableReader::new("short_notices", batch);
    let whose = whose("short_notices", &table, pairings)?;
    let (days, sources) = (table.counts("notice_days")?, table.texts("source")?);
    let row = |(i, (bout, fighter_id)): (usize, (Uuid, Id))| {
        (bout, ShortNotice { fighter_id, notice_days: days[i], source: sources[i] })
    };
    Ok(whose.into_iter().enumerate().map(row).collect())
}

/// Bout and fighter of each row. The fighter is one of the bout's.
fn whose(
    table: &'static str,
    reader: &TableReader<'_>,
    pairings: &BoutPairings,
) -> Result<Vec<(Uuid, Id)>, DatasetError> {
    let rows = reader.ids("bout_id")?.into_iter().zip(reader.ids("fighter_id")?);
    let check = |(bout, fighter): (Uuid, Uuid)| {
        let dangling = |what, id| DatasetError::Dangling { table, what, id };
        let fighters = pairings.fighters_of(bout).ok_or(dangling("bout", bout))?;
        let is_known = fighters.contains(&fighter);
        is_known.then_some((bout, Id(fighter))).ok_or(dangling("fighter", fighter))
    };
    rows.map(check).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unknown_has_the_fields_of_what_is_known() {
        assert_eq!(&*json(&Circumstances::default()).unwrap(), UNKNOWN);
    }
}
