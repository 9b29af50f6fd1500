//! What the schedule says of fighters.

use chrono::NaiveDate;
use fdna_rows::RowsError;
use fdna_schemas::TableReader;

use super::ScheduleCaptures;
use crate::FEED;

/// What the schedule says of a fighter, newest first to speak.
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
    pub(super) fn add_fighters(&mut self, r: &TableReader<'_>) -> Result<(), RowsError> {
        let (spaces, ids, names) = (r.texts("id_space")?, r.texts("fighter_source_id")?, r.texts("name")?);
        let (nicknames, born) = (r.strings("nickname")?, r.dates("date_of_birth")?);
        let (heights, reaches) = (r.floats("height_in")?, r.floats("reach_in")?);
        let (stances, countries) = (r.strings("stance")?, r.strings("country")?);
        for i in (0..r.rows()).filter(|i| spaces[*i] == FEED) {
            let known = self.fighters.entry(ids[i].to_owned()).or_default();
            names[i].clone_into(&mut known.name);
            known.nickname = nicknames[i].map(str::to_owned).or(known.nickname.take());
            known.born = born[i].or(known.born);
            known.height_in = heights[i].or(known.height_in);
            known.reach_in = reaches[i].or(known.reach_in);
            known.stance = stances[i].map(str::to_owned).or(known.stance.take());
            known.country = countries[i].map(str::to_owned).or(known.country.take());
        }
        Ok(())
    }
}
