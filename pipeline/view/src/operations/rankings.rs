//! Official rankings, and a fighter's places in them.

use fdna_api::operations::parameters::AS_OF;
use fdna_api::operations::rankings;
use fdna_api::{Failure, MetaExtra, RankedPlace, Ranking, RankingSnapshot, Rankings};

use super::OperationRequest;
use crate::Dataset;
use crate::dataset::rankings::RankingEntry;
use crate::operations::OperationResponse;

/// The newest snapshot, the newest before a day, or the one that stood on it; without places where there is none so old.
pub(crate) fn rankings(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let (division, as_of) = (request.params.get(rankings::DIVISION), request.params.get(AS_OF));
    let on = request.params.get(rankings::ON);
    let snapshot = data.rankings.newest(as_of, on);
    let places = snapshot.into_iter().flat_map(|snapshot| data.rankings.places(snapshot));
    let asked_for = places.filter(|place| division.is_none_or(|word| place.division() == word));
    let positions: Vec<RankedPlace<'_>> = asked_for.map(|place| position(data, request, place)).collect();
    let [as_of, on] = [as_of, on].map(|day| day.map(|day| day.to_string()));
    let meta = MetaExtra::Rankings { count: positions.len(), division, as_of, on };
    let snapshot = snapshot.map_or_else(RankingSnapshot::default, |snapshot| snapshot.wire());
    request.answer(&Rankings { snapshot, positions }, meta)
}

fn position<'a>(data: &'a Dataset, request: &OperationRequest, place: RankingEntry<'a>) -> RankedPlace<'a> {
    RankedPlace {
        position: place.wire(),
        fighter_name: place.name(),
        fighter: place.fighter.map(|row| data.fighter_compact(row, request.shown())),
    }
}

/// A fighter's places in the newest snapshot; `None` where there is no snapshot.
pub(crate) fn ranking(data: &Dataset, fighter: usize) -> Option<Ranking<'_>> {
    let snapshot = data.rankings.newest(None, None)?;
    let places = data.rankings.places(snapshot).filter(|place| place.fighter == Some(fighter));
    Some(Ranking { snapshot: snapshot.wire(), positions: places.map(|place| place.wire()).collect() })
}
