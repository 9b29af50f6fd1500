//! The matchups of an event's card in short: each what the matchup of its fighters gives, or why there is none.

use fdna_api::{Failure, MATCHUP_NOTES, MatchupSummary, MetaExtra};

use super::{body, meetings, side, values};
use crate::dataset::CompleteDataset;
use crate::dataset::Status;
use crate::dataset::bouts::BoutRow;
use crate::json_splice::JsonObject;
use crate::operations::OperationResponse;
use crate::operations::dna::AskedVersion;
use crate::operations::events::find_row;
use crate::operations::page::list;
use crate::operations::{OperationRequest, to_json};

/// The main event first; bouts that were called off are none. As of the day of the event, unless another is asked.
pub(crate) fn event_matchups(
    data: CompleteDataset<'_>,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let event = &data.events.rows[find_row(&data, request)?];
    let day = request.params.date("as_of").unwrap_or(event.date);
    let bouts =
        event.bouts.iter().map(|&row| &data.bouts.rows[row]).filter(|bout| bout.status != Status::Off);
    let mut found = 0;
    let mut items = Vec::new();
    for bout in bouts {
        let summary = sides(data, bout, day).and_then(|[a, b]| summary([&a, &b], request));
        found += usize::from(summary.is_ok());
        let item = JsonObject::new().field("bout", &bout.compact);
        let [a, b] = bout.fighters.map(|fighter| data.fighter_compact(fighter, request.shown()));
        let item = item.field("fighter_a", &a).field("fighter_b", &b);
        items.push(
            match summary {
                Ok(summary) => item.field("matchup", &summary).field("error", b"null"),
                Err(failure) => item.field("matchup", b"null").field("error", &to_json(&failure)?),
            }
            .finish(),
        );
    }
    let body = JsonObject::new()
        .field("event", &event.compact)
        .field("as_of", &to_json(&day.to_string())?)
        .field("notes", &to_json(&MATCHUP_NOTES)?)
        .field("matchups", &list(&items));
    Ok(request.answer(body.finish(), MetaExtra::Matchups { count: items.len(), with_matchup: found }))
}

fn sides<'d>(
    data: CompleteDataset<'d>,
    bout: &BoutRow,
    day: chrono::NaiveDate,
) -> Result<[AskedVersion<'d>; 2], Failure> {
    let [a, b] = bout.fighters;
    Ok([AskedVersion::choose(data, a, Some(day))?, AskedVersion::choose(data, b, Some(day))?])
}

/// All of a matchup but its metrics and pairings, which take most of its room.
fn summary(sides: [&AskedVersion<'_>; 2], request: &OperationRequest) -> Result<Vec<u8>, Failure> {
    let [a, b] = sides;
    let (insights, withheld) = values::insights(sides);
    let href = format!(
        "/v1/mma/matchups/{}/{}/dna?as_of={}",
        a.data.fighters.rows[a.fighter].id, b.data.fighters.rows[b.fighter].id, a.day
    );
    let summary = MatchupSummary { href: &href, physical: body::physical(sides), insights, withheld };
    let shown = request.shown();
    Ok(JsonObject::new()
        .field("a", &side(a, shown)?)
        .field("b", &side(b, shown)?)
        .and(&to_json(&summary)?)
        .field("previous_meetings", &to_json(&meetings::previous(sides))?)
        .finish())
}
