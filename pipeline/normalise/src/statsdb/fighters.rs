//! Fighters: the index and the tale of the tape, joined by source id.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use fdna_model::{FighterId, Stance};

use super::names::{Names, Profile};
use super::{Facts, SOURCE};
use crate::NormaliseError;
use crate::layout::{Layout, Row, Value};

pub(super) struct Fighters {
    pub(super) rows: Vec<Row>,
    pub(super) names: Names,
}

/// What any layout says of a fighter.
#[derive(Default)]
pub(super) struct Fighter<'a> {
    pub(super) name: &'a str,
    pub(super) nickname: Option<&'a str>,
    pub(super) born: Option<NaiveDate>,
    pub(super) height: Option<i32>,
    pub(super) reach: Option<i32>,
    pub(super) weight: Option<i32>,
    pub(super) stance: Option<Stance>,
}

pub(super) fn resolve(facts: &Facts<'_>) -> Result<Fighters, NormaliseError> {
    let mut names = Names::default();
    let mut fighters: BTreeMap<&str, Fighter<'_>> = BTreeMap::new();
    read_tape(facts, &mut names, &mut fighters)?;
    read_index(facts, &mut names, &mut fighters)?;
    Ok(Fighters { rows: rows(fighters)?, names })
}

/// Rows of `fighters`, by source id.
pub(super) fn rows(fighters: BTreeMap<&str, Fighter<'_>>) -> Result<Vec<Row>, NormaliseError> {
    let layout = Layout::new(
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
            Value::Null,
            f.name.into(),
            f.nickname.into(),
            f.born.into(),
            f.height.into(),
            f.reach.into(),
            f.weight.into(),
            f.stance.map(Stance::name).into(),
            Value::Null,
        ])
    });
    Ok(rows.collect())
}

fn read_tape<'a>(
    facts: &Facts<'a>,
    names: &mut Names,
    fighters: &mut BTreeMap<&'a str, Fighter<'a>>,
) -> Result<(), NormaliseError> {
    let tape = facts.read("statsdb_fighter_profiles")?;
    let (ids, name) = (tape.texts("fighter_source_id")?, tape.texts("name")?);
    let (born, stance) = (tape.dates("date_of_birth")?, tape.strings("stance")?);
    let (height, reach, weight) =
        (tape.int32s("height_in")?, tape.int32s("reach_in")?, tape.int32s("weight_lbs")?);
    for i in 0..tape.rows() {
        let profile = Profile { born: born[i], weight_lbs: weight[i], height_in: height[i] };
        names.add_tape(ids[i], name[i], profile);
        fighters.insert(
            ids[i],
            Fighter {
                name: name[i],
                nickname: None,
                born: born[i],
                height: height[i],
                reach: reach[i],
                weight: weight[i],
                stance: stance[i].and_then(Stance::parse),
            },
        );
    }
    Ok(())
}

/// The index has the source's present names: they go before those of the tape.
fn read_index<'a>(
    facts: &Facts<'a>,
    names: &mut Names,
    fighters: &mut BTreeMap<&'a str, Fighter<'a>>,
) -> Result<(), NormaliseError> {
    let index = facts.read("statsdb_fighters")?;
    let (ids, name, nickname) =
        (index.texts("fighter_source_id")?, index.texts("name")?, index.strings("nickname")?);
    for i in 0..index.rows() {
        names.add_index(ids[i], name[i]);
        let fighter = fighters.entry(ids[i]).or_default();
        fighter.name = name[i];
        fighter.nickname = nickname[i];
    }
    Ok(())
}
