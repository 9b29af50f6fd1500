//! Two fighters beside each other, as of a date.

mod body;
mod card;
mod meetings;
mod values;

use fdna_api::operations::parameters::AS_OF;
use fdna_api::{Failure, MATCHUP_NOTES, Matchup, MatchupDna, MatchupSide, MetaExtra};

pub(crate) use card::event_matchups;

use super::OperationRequest;
use super::derived::derived;
use super::dna::AskedVersion;
use super::entity_lookup::{EntityKind, entity_row};
use crate::dataset::CompleteDataset;
use crate::dataset::images::ImageVisibility;
use crate::operations::OperationResponse;
use fdna_api::must_be;

pub(crate) fn matchup_dna(
    data: CompleteDataset<'_>,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let sides = sides(data, request)?;
    let [a, b] = &sides;
    let as_of = a.day.to_string();
    let (insights, withheld) = values::insights([a, b])?;
    let matchup = Matchup {
        as_of: &as_of,
        notes: MATCHUP_NOTES,
        physical: body::physical([a, b]),
        metrics: values::metrics([a, b])?,
        pairings: values::pairings([a, b])?,
        insights,
        withheld,
    };
    let answer = MatchupDna {
        a: side(a, request.shown()),
        b: side(b, request.shown()),
        matchup,
        common_opponents: meetings::common([a, b], request.shown()),
        previous_meetings: meetings::previous([a, b]),
    };
    request.answer(&answer, MetaExtra::None {})
}

/// Both fighters' versions, as of the same day.
fn sides<'d>(
    data: CompleteDataset<'d>,
    request: &OperationRequest,
) -> Result<[AskedVersion<'d>; 2], Failure> {
    let find = |i: usize| {
        let id = request.ids.get(i).map_or("", String::as_str);
        entity_row(&data, EntityKind::Fighter, id)
    };
    let (a, b) = (find(0)?, find(1)?);
    if a == b {
        return Err(must_be("fighterB", "another fighter than `fighterA`"));
    }
    let day = request.params.get(AS_OF);
    Ok([AskedVersion::choose(data, a, day)?, AskedVersion::choose(data, b, day)?])
}

/// Who a side is, and which version speaks for him.
fn side<'a>(version: &'a AskedVersion<'_>, shown: ImageVisibility) -> MatchupSide<'a> {
    MatchupSide {
        fighter: version.data.dataset().fighter_compact(version.fighter, shown),
        version: derived(version),
    }
}
