//! Deductions, weights and late replacements, by bout.

use std::collections::{BTreeSet, HashMap};

use arrow::array::RecordBatch;
use fdna_api::{Circumstances, Deduction, Id, ShortNotice, WeighIn};
use fdna_schemas::tables::{
    ContractReader as _, DeductionsReader, DeductionsRow, RoundScorecardsReader, ShortNoticesReader,
    ShortNoticesRow, WeighInsReader, WeighInsRow,
};
use uuid::Uuid;

use super::bout_pairings::BoutPairings;
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
    Ok(RoundScorecardsReader::of(round_scorecards).bout_id()?.into_iter().collect())
}

type CircumstanceRows<T> = Result<Vec<(Uuid, T)>, DatasetError>;

fn deductions<'a>(batch: &'a RecordBatch, pairings: &BoutPairings) -> CircumstanceRows<Deduction<'a>> {
    let deduction = |row: DeductionsRow<'a>| {
        let fighter_id = side(DeductionsReader::TABLE, (row.bout_id, row.fighter_id), pairings)?;
        let DeductionsRow { round, points, reason, source, .. } = row;
        Ok((row.bout_id, Deduction { fighter_id, round, points, reason, source }))
    };
    DeductionsReader::of(batch).all_rows()?.into_iter().map(deduction).collect()
}

fn weigh_ins<'a>(batch: &'a RecordBatch, pairings: &BoutPairings) -> CircumstanceRows<WeighIn<'a>> {
    let weigh_in = |row: WeighInsRow<'a>| {
        let fighter_id = side(WeighInsReader::TABLE, (row.bout_id, row.fighter_id), pairings)?;
        let WeighInsRow { weight_lbs, is_missed, source, .. } = row;
        Ok((row.bout_id, WeighIn { fighter_id, weight_lbs, is_missed, source }))
    };
    WeighInsReader::of(batch).all_rows()?.into_iter().map(weigh_in).collect()
}

fn short_notices<'a>(batch: &'a RecordBatch, pairings: &BoutPairings) -> CircumstanceRows<ShortNotice<'a>> {
    let short_notice = |row: ShortNoticesRow<'a>| {
        let fighter_id = side(ShortNoticesReader::TABLE, (row.bout_id, row.fighter_id), pairings)?;
        Ok((row.bout_id, ShortNotice { fighter_id, notice_days: row.notice_days, source: row.source }))
    };
    ShortNoticesReader::of(batch).all_rows()?.into_iter().map(short_notice).collect()
}

/// The fighter of a row, if he is one of its bout's.
fn side(
    table: &'static str,
    (bout, fighter): (Uuid, Uuid),
    pairings: &BoutPairings,
) -> Result<Id, DatasetError> {
    let dangling = |what, id| DatasetError::Dangling { table, what, id };
    let fighters = pairings.fighters_of(bout).ok_or(dangling("bout", bout))?;
    fighters.contains(&fighter).then_some(Id(fighter)).ok_or(dangling("fighter", fighter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unknown_has_the_fields_of_what_is_known() {
        assert_eq!(&*json(&Circumstances::default()).unwrap(), UNKNOWN);
    }
}
