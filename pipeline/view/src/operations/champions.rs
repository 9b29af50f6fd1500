//! Champions: by the title bouts that were won, and by the official rankings.

mod verdict;

use chrono::NaiveDate;
use fdna_api::operations::champions;
use fdna_api::operations::parameters::AS_OF;
use fdna_api::{Champion, Failure, Id, MetaExtra, RankedChampion, TitleChange, TitleWon, WEIGHT_CLASSES};

use super::{OperationRequest, OperationResponse};
use crate::Dataset;
use crate::dataset::bouts::TITLE_KINDS;
use crate::dataset::rankings::{RankingDay, RankingEntry};
use crate::dataset::titles::WonTitle;

/// Whose titles the captured rankings tell.
const RANKED_PROMOTION: &str = "UFC";

/// Every title that was won or is listed, class by class; of interim ones those that nobody has unified since.
pub(crate) fn champions(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let (promotion, as_of) = (request.params.get(champions::PROMOTION), request.params.get(AS_OF));
    let weight_class = request.params.get(champions::WEIGHT_CLASS);
    let classes = WEIGHT_CLASSES.iter().filter(|class| weight_class.is_none_or(|wanted| wanted == **class));
    let mut titles = Vec::new();
    for class in classes {
        for kind in TITLE_KINDS {
            titles.extend(title(data, request, (class, kind), promotion, as_of));
        }
    }
    let as_of = as_of.map(|day| day.to_string());
    let meta = MetaExtra::Champions { count: titles.len(), promotion, weight_class, as_of };
    request.answer(&titles, meta)
}

/// A title, if anything is known of it.
fn title<'a>(
    data: &'a Dataset,
    request: &OperationRequest,
    (class, kind): (&'static str, &'static str),
    promotion: &str,
    as_of: Option<NaiveDate>,
) -> Option<Champion<'a>> {
    let won = data.title_won(promotion, class, kind, as_of);
    let is_ranked = kind == "undisputed" && promotion == RANKED_PROMOTION;
    let ranked = if is_ranked { listed(data, class, as_of) } else { None };
    if won.is_none() && ranked.is_none() {
        return None;
    }
    let verdict = match &won {
        Some(won) if kind == "interim" => verdict::judge_interim(data, promotion, class, won, as_of),
        won => verdict::judge_undisputed(data, promotion, class, won.as_ref(), as_of),
    };
    let agree = won.as_ref().zip(ranked).and_then(|(won, (snapshot, place))| agree(won, snapshot, place));
    let compact = |row: usize| data.fighter_compact(row, request.shown());
    Some(Champion {
        weight_class: class,
        title_kind: kind,
        champion: verdict
            .as_fresh(data, won.as_ref(), as_of)
            .wire(|row| data.fighter_compact(row, request.shown())),
        last_change: won.as_ref().map(|won| {
            let bout = &data.bouts.rows[won.first_bout];
            TitleChange {
                date: won.since.to_string(),
                bout_id: Id(bout.id),
                event_id: Id(data.events.rows[bout.event].id),
                to: compact(won.fighter),
                from: won.taken_from.map(compact),
            }
        }),
        title_won: won.map(|won| TitleWon { facts: won.wire, fighter: compact(won.fighter) }),
        ranked: ranked.map(|(snapshot, place)| RankedChampion {
            snapshot: snapshot.wire(),
            is_vacant: !place.wire().is_champion,
            fighter_name: place.name(),
            fighter: place.fighter.map(compact),
        }),
        sources_agree: agree,
    })
}

/// The champion's place of a class in the newest snapshot before a day.
fn listed<'a>(
    data: &'a Dataset,
    class: &str,
    as_of: Option<NaiveDate>,
) -> Option<(&'a RankingDay, RankingEntry<'a>)> {
    let snapshot = data.rankings.newest(as_of, None)?;
    let mut places = data.rankings.places(snapshot);
    let place = places.find(|place| place.division() == class && place.is_top())?;
    Some((snapshot, place))
}

fn agree(won: &WonTitle<'_>, snapshot: &RankingDay, place: RankingEntry<'_>) -> Option<bool> {
    if snapshot.date <= won.date {
        return None;
    }
    if !place.wire().is_champion {
        return Some(false);
    }
    place.fighter.map(|fighter| fighter == won.fighter)
}
