//! What each fighter has been through, for the metrics that move with the days.

use arrow::array::RecordBatch;
use fdna_compare::FighterPast;
use fdna_schemas::TableReader;

use super::dna::DnaTable;
use super::{Dataset, DatasetError, Status, never_null};

const TABLE: &str = "ratings";

/// By row of the fighter.
pub(crate) fn read(
    ratings: &RecordBatch,
    dataset: &Dataset,
    dna: &DnaTable,
) -> Result<Vec<FighterPast>, DatasetError> {
    let fighters = &dataset.fighters;
    let mut pasts: Vec<FighterPast> = Vec::with_capacity(fighters.rows.len());
    for (row, fighter) in fighters.rows.iter().enumerate() {
        let bouts = fighter.bouts.iter().rev().map(|&bout| &dataset.bouts.rows[bout]);
        let fought = bouts.filter(|bout| bout.status == Status::Completed).map(|bout| bout.date);
        let mut past = FighterPast { fought: fought.collect(), ..FighterPast::default() };
        dna.versions(row).each_eligible(|day, bouts| past.make_eligible(day, bouts));
        pasts.push(past);
    }
    let table = TableReader::new(TABLE, ratings);
    let (ids, days) = (table.ids("fighter_id")?, table.dates("event_date")?);
    let after = table.floats("rating_after")?;
    let mut order: Vec<usize> = (0..table.rows()).collect();
    order.sort_by_key(|&i| days[i]);
    for i in order {
        let unknown = DatasetError::Dangling { table: TABLE, what: "fighter", id: ids[i] };
        let past = &mut pasts[fighters.ids.row(ids[i]).ok_or(unknown)?];
        let day = never_null(days[i], TABLE, "event_date")?;
        let rating = never_null(after[i], TABLE, "rating_after")?;
        past.rate(day, rating);
    }
    Ok(pasts)
}
