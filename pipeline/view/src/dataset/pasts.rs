//! Past of each fighter, for the metrics that move with the days.

use arrow::array::RecordBatch;
use fdna_compare::FighterPast;
use fdna_schemas::tables::{ContractReader as _, RatingsReader};

use super::dna::DnaTable;
use super::{Dataset, DatasetError, Status};

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
        let fought = bouts.filter(|bout| bout.status == Status::Completed);
        let unknown = fought.clone().filter(|bout| bout.result.is_none()).map(|bout| bout.date);
        let mut past = FighterPast {
            unknown: unknown.collect(),
            fought: fought.map(|bout| bout.date).collect(),
            ..FighterPast::default()
        };
        dna.versions(row).each_eligible(|day, bouts| past.make_eligible(day, bouts));
        pasts.push(past);
    }
    let mut ratings = RatingsReader::of(ratings).all_rows()?;
    ratings.sort_by_key(|rating| rating.event_date);
    for rating in ratings {
        let fighter = fighters.ids.row_of("fighter", TABLE, rating.fighter_id)?;
        pasts[fighter].add_rated_bout(rating.event_date, rating.rating_after, rating.score >= 1.0);
    }
    Ok(pasts)
}
