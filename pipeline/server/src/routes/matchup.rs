//! Two fighters beside each other, as of a date.

mod body;
mod card;
mod meetings;
mod values;

use fdna_api::{Failure, MATCHUP_NOTES, Matchup, MetaExtra};

pub(crate) use card::event_matchups;

use super::derived::derived;
use super::dna::Version;
use super::named::{Kind, row};
use super::{Asked, to_json};
use crate::dataset::Whole;
use crate::dataset::images::Shown;
use crate::params::must_be;
use crate::respond::Answer;
use crate::splice::Object;

pub(crate) fn matchup_dna(data: Whole<'_>, asked: &Asked) -> Result<Answer, Failure> {
    let sides = sides(data, asked)?;
    let [a, b] = &sides;
    let as_of = a.day.to_string();
    let (insights, withheld) = values::insights([a, b]);
    let matchup = Matchup {
        as_of: &as_of,
        notes: MATCHUP_NOTES,
        physical: body::physical([a, b]),
        metrics: values::metrics([a, b]),
        pairings: values::pairings([a, b]),
        insights,
        withheld,
    };
    let body = Object::new()
        .field("a", &side(a, asked.shown())?)
        .field("b", &side(b, asked.shown())?)
        .and(&to_json(&matchup)?)
        .field("common_opponents", &meetings::common([a, b], asked.shown())?)
        .field("previous_meetings", &to_json(&meetings::previous([a, b]))?);
    Ok(asked.answer(body.finish(), MetaExtra::None {}))
}

/// Both fighters' versions, as of the same day.
fn sides<'d>(data: Whole<'d>, asked: &Asked) -> Result<[Version<'d>; 2], Failure> {
    let find = |i: usize| {
        let id = asked.ids.get(i).map_or("", String::as_str);
        row(&data, Kind::Fighter, id)
    };
    let (a, b) = (find(0)?, find(1)?);
    if a == b {
        return Err(must_be("fighterB", "another fighter than `fighterA`"));
    }
    let day = asked.params.date("as_of");
    Ok([Version::choose(data, a, day)?, Version::choose(data, b, day)?])
}

/// Who a side is, and which version speaks for him.
fn side(version: &Version<'_>, shown: Shown) -> Result<Vec<u8>, Failure> {
    let fighter = version.data.fighter_compact(version.fighter, shown);
    Ok(Object::new().field("fighter", &fighter).and(&to_json(&derived(version))?).finish())
}
