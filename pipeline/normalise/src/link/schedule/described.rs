//! What the schedule says of fighters.

use chrono::NaiveDate;
use fdna_schemas::TableReader;

use super::ScheduleCaptures;
use crate::NormaliseError;
use crate::link::FEED;

/// What the schedule says of a fighter, newest first to speak.
#[derive(Debug, Clone, Default)]
pub(in crate::link) struct DescribedFighter {
    pub(in crate::link) name: String,
    pub(in crate::link) nickname: Option<String>,
    pub(in crate::link) born: Option<NaiveDate>,
    pub(in crate::link) height_in: Option<f64>,
    pub(in crate::link) reach_in: Option<f64>,
    pub(in crate::link) stance: Option<String>,
    pub(in crate::link) country: Option<String>,
}

impl ScheduleCaptures {
    pub(super) fn add_fighters(&mut self, r: &TableReader<'_>) -> Result<(), NormaliseError> {
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
