//! Official rankings, and a fighter's places in them.

use fdna_api::{Failure, MetaExtra, Ranking, RankingSnapshot};

use super::page::list;
use super::{OperationRequest, to_json};
use crate::Dataset;
use crate::dataset::rankings::RankingEntry;
use crate::json_splice::JsonObject;
use crate::operations::OperationResponse;

/// The newest snapshot, the newest before a day, or the one that stood on it; without places where there is none so old.
pub(crate) fn rankings(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let (division, as_of) = (request.params.given_word("division"), request.params.date("as_of"));
    let on = request.params.date("on");
    let snapshot = data.rankings.newest(as_of, on);
    let head = snapshot.map_or_else(RankingSnapshot::default, |snapshot| snapshot.wire());
    let places = snapshot.into_iter().flat_map(|snapshot| data.rankings.places(snapshot));
    let asked_for = places.filter(|place| division.is_none_or(|word| place.division() == word));
    let rows = asked_for.map(|place| position(data, request, place)).collect::<Result<Vec<_>, _>>()?;
    let body = JsonObject::of(&to_json(&head)?).field("positions", &list(&rows));
    let [as_of, on] = [as_of, on].map(|day| day.map(|day| day.to_string()));
    Ok(request.answer(body.finish(), MetaExtra::Rankings { count: rows.len(), division, as_of, on }))
}

fn position(data: &Dataset, request: &OperationRequest, place: RankingEntry<'_>) -> Result<Vec<u8>, Failure> {
    let fighter = place.fighter.map(|row| data.fighter_compact(row, request.shown()));
    let position = JsonObject::of(&to_json(&place.wire())?).field("fighter_name", &to_json(&place.name())?);
    Ok(position.field("fighter", fighter.as_deref().unwrap_or(b"null")).finish())
}

/// A fighter's places in the newest snapshot; `None` where there is no snapshot.
pub(crate) fn ranking(data: &Dataset, fighter: usize) -> Option<Ranking<'_>> {
    let snapshot = data.rankings.newest(None, None)?;
    let places = data.rankings.places(snapshot).filter(|place| place.fighter == Some(fighter));
    Some(Ranking { snapshot: snapshot.wire(), positions: places.map(|place| place.wire()).collect() })
}
