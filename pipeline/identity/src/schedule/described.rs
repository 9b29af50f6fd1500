//! Descriptions of fighters in the schedule.

use chrono::NaiveDate;
use fdna_rows::RowsError;
use fdna_schemas::tables::ScheduleFightersReader;

use super::ScheduleCaptures;
use crate::source_names::FEED;

/// Description of a fighter in the schedule, the newest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct DescribedFighter {
    pub(crate) name: String,
    pub(crate) nickname: Option<String>,
    pub(crate) born: Option<NaiveDate>,
    pub(crate) height_in: Option<f64>,
    pub(crate) reach_in: Option<f64>,
    pub(crate) stance: Option<String>,
    pub(crate) country: Option<String>,
}

impl ScheduleCaptures {
    pub(super) fn add_fighters(&mut self, fighters: ScheduleFightersReader<'_>) -> Result<(), RowsError> {
        for row in fighters.all_rows()?.into_iter().filter(|row| row.id_space == FEED) {
            let known = self.fighters.entry(row.fighter_source_id.to_owned()).or_default();
            row.name.clone_into(&mut known.name);
            known.nickname = row.nickname.map(str::to_owned).or(known.nickname.take());
            known.born = row.date_of_birth.or(known.born);
            known.height_in = row.height_in.or(known.height_in);
            known.reach_in = row.reach_in.or(known.reach_in);
            known.stance = row.stance.map(str::to_owned).or(known.stance.take());
            known.country = row.country.map(str::to_owned).or(known.country.take());
        }
        Ok(())
    }
}
