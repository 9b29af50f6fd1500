//! Fighters: the index and the tale of the tape, joined by source id.

use std::collections::BTreeMap;

use chrono::{Datelike as _, NaiveDate};
use fdna_model::{FighterId, Stance};
use fdna_rows::{CellValue, TableLayout, TableRow};

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
        let fighter = &self.fighter;
        let tape = self.tape.as_ref().map(|(name, _)| *name);
        let texts =
            [self.index, tape, Some(fighter.name), fighter.nickname, fighter.stance.map(Stance::name)];
        let numbers =
            [fighter.height, fighter.reach, fighter.weight, fighter.born.map(|d| d.num_days_from_ce())];
        let digest = texts.into_iter().fold(0, units::mix_text);
        numbers.into_iter().fold(digest, units::mix_number)
    }
}

/// What any layout says of a fighter.
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
pub(super) fn rows(fighters: BTreeMap<&str, ResolvedFighter<'_>>) -> Result<Vec<TableRow>, NormaliseError> {
    let layout = TableLayout::new(
        "fighters",
        &[
            "fighter_id",
            "statsdb_id",
            "feed_athlete_id",
            "name",
            "nickname",
            "date_of_birth",
            "height_in",
            "reach_in",
            "weight_lbs",
            "stance",
            "country",
        ],
    )?;
    let rows = fighters.into_iter().map(|(id, f)| {
        layout.row([
            FighterId::of(SOURCE, id).0.into(),
            id.into(),
            CellValue::Null,
            f.name.into(),
            f.nickname.into(),
            f.born.into(),
            f.height.into(),
            f.reach.into(),
            f.weight.into(),
            f.stance.map(Stance::name).into(),
            CellValue::Null,
        ])
    });
    Ok(rows.collect())
}

/// Fighters of the six-file layout, by source id.
pub(super) fn listed<'a>(
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
    let tape = facts.read("statsdb_fighter_profiles")?;
    let (ids, name) = (tape.texts("fighter_source_id")?, tape.texts("name")?);
    let (born, stance) = (tape.dates("date_of_birth")?, tape.strings("stance")?);
    let (height, reach, weight) =
        (tape.int32s("height_in")?, tape.int32s("reach_in")?, tape.int32s("weight_lbs")?);
    for i in 0..tape.rows() {
        let profile = FighterProfile { born: born[i], weight_lbs: weight[i], height_in: height[i] };
        let fighter = ResolvedFighter {
            name: name[i],
            nickname: None,
            born: born[i],
            height: height[i],
            reach: reach[i],
            weight: weight[i],
            stance: stance[i].and_then(Stance::parse),
        };
        fighters.insert(ids[i], ListedFighter { fighter, index: None, tape: Some((name[i], profile)) });
    }
    Ok(())
}

/// The index has the source's present names: they go before those of the tape.
fn read_index<'a>(
    facts: &StatsdbFacts<'a>,
    fighters: &mut BTreeMap<&'a str, ListedFighter<'a>>,
) -> Result<(), NormaliseError> {
    let index = facts.read("statsdb_fighters")?;
    let (ids, name, nickname) =
        (index.texts("fighter_source_id")?, index.texts("name")?, index.strings("nickname")?);
    for i in 0..index.rows() {
        let listed = fighters.entry(ids[i]).or_default();
        listed.index = Some(name[i]);
        listed.fighter.name = name[i];
        listed.fighter.nickname = nickname[i];
    }
    Ok(())
}
