//! Fighters: the index and the tale of the tape, joined by source id.

use std::collections::BTreeMap;

use chrono::{Datelike as _, NaiveDate};
use fdna_model::{FighterId, Stance};
use fdna_rows::PackedRow;
use fdna_schemas::tables::{FightersRow, StatsdbFighterProfilesReader, StatsdbFightersReader};

use super::capture_facts::{SOURCE, StatsdbFacts};
use super::names::FighterProfile;
use super::units;
use crate::error::NormaliseError;

/// A fighter with what his names rest on.
#[derive(Default)]
pub(super) struct ListedFighter<'a> {
    pub(super) fighter: ResolvedFighter<'a>,
    /// Name in the index.
    pub(super) index: Option<&'a str>,
    /// Name in the tale of the tape, and what stands there.
    pub(super) tape: Option<(&'a str, FighterProfile)>,
}

impl ListedFighter<'_> {
    /// Of everything that is said of him.
    pub(super) fn digest(&self) -> u64 {
        // A field that is not named here does not compile: a change of it alone would be missed.
        let ResolvedFighter { name, nickname, born, height, reach, weight, stance } = &self.fighter;
        let tape = self.tape.as_ref().map(|(name, _)| *name);
        let texts = [self.index, tape, Some(*name), *nickname, stance.map(Stance::name)];
        let numbers = [*height, *reach, *weight, born.map(|day| day.num_days_from_ce())];
        let digest = texts.into_iter().fold(0, units::mix_text);
        numbers.into_iter().fold(digest, units::mix_number)
    }
}

/// A fighter as any layout describes him.
#[derive(Clone, Default, PartialEq)]
pub(super) struct ResolvedFighter<'a> {
    pub(super) name: &'a str,
    pub(super) nickname: Option<&'a str>,
    pub(super) born: Option<NaiveDate>,
    pub(super) height: Option<i32>,
    pub(super) reach: Option<i32>,
    pub(super) weight: Option<i32>,
    pub(super) stance: Option<Stance>,
}

/// Rows of `fighters`, by source id.
pub(super) fn fighter_rows(fighters: BTreeMap<&str, ResolvedFighter<'_>>) -> Vec<PackedRow> {
    let row = |(id, fighter): (&str, ResolvedFighter<'_>)| {
        PackedRow::from_row(&FightersRow {
            fighter_id: FighterId::of(SOURCE, id).0,
            statsdb_id: Some(id),
            feed_athlete_id: None,
            name: fighter.name,
            nickname: fighter.nickname,
            date_of_birth: fighter.born,
            height_in: fighter.height,
            reach_in: fighter.reach,
            weight_lbs: fighter.weight,
            stance: fighter.stance.map(Stance::name),
            country: None,
            last_capture: None,
        })
    };
    fighters.into_iter().map(row).collect()
}

/// Fighters of the six-file layout, by source id.
pub(super) fn read_listed_fighters<'a>(
    facts: &StatsdbFacts<'a>,
) -> Result<BTreeMap<&'a str, ListedFighter<'a>>, NormaliseError> {
    let mut fighters = BTreeMap::new();
    read_tape(facts, &mut fighters)?;
    read_index(facts, &mut fighters)?;
    Ok(fighters)
}

fn read_tape<'a>(
    facts: &StatsdbFacts<'a>,
    fighters: &mut BTreeMap<&'a str, ListedFighter<'a>>,
) -> Result<(), NormaliseError> {
    for row in facts.read_table::<StatsdbFighterProfilesReader<'_>>()?.all_rows()? {
        let born = row.date_of_birth;
        let profile = FighterProfile { born, weight_lbs: row.weight_lbs, height_in: row.height_in };
        let fighter = ResolvedFighter {
            name: row.name,
            nickname: None,
            born,
            height: row.height_in,
            reach: row.reach_in,
            weight: row.weight_lbs,
            stance: row.stance.and_then(Stance::parse),
        };
        let listed = ListedFighter { fighter, index: None, tape: Some((row.name, profile)) };
        fighters.insert(row.fighter_source_id, listed);
    }
    Ok(())
}

/// The index has the source's present names: they go before those of the tape.
fn read_index<'a>(
    facts: &StatsdbFacts<'a>,
    fighters: &mut BTreeMap<&'a str, ListedFighter<'a>>,
) -> Result<(), NormaliseError> {
    for row in facts.read_table::<StatsdbFightersReader<'_>>()?.all_rows()? {
        let listed = fighters.entry(row.fighter_source_id).or_default();
        listed.index = Some(row.name);
        listed.fighter.name = row.name;
        listed.fighter.nickname = row.nickname;
    }
    Ok(())
}
