//! The matchups of an event's card in short: each what the matchup of its fighters gives, or why there is none.

use chrono::NaiveDate;
use fdna_api::operations::parameters::AS_OF;
use fdna_api::{
    EventMatchups, Failure, MATCHUP_NOTES, MatchupInShort, MatchupOfBout, MatchupSummary, MetaExtra,
};

use super::{body, meetings, side, values};
use crate::Dataset;
use crate::dataset::CompleteDataset;
use crate::dataset::Status;
use crate::dataset::bouts::BoutRow;
use crate::operations::OperationRequest;
use crate::operations::OperationResponse;
use crate::operations::dna::AskedVersion;
use crate::operations::entity_lookup::{EntityKind, entity_row};

/// The main event first; bouts that were called off are none. As of the day of the event, unless another is asked.
pub(crate) fn event_matchups(
    data: CompleteDataset<'_>,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let row = entity_row(&data, EntityKind::Event, request.id())?;
    let event = &data.events.rows[row];
    let day = request.params.get(AS_OF).unwrap_or(event.date);
    let bouts =
        event.bouts.iter().map(|&row| &data.bouts.rows[row]).filter(|bout| bout.status != Status::Off);
    let compared: Vec<_> = bouts.map(|bout| (bout, sides(data, bout, day))).collect();
    let matchups: Vec<MatchupOfBout<'_>> =
        compared.iter().map(|(bout, sides)| matchup(&data, bout, sides, (day, request))).collect();
    let found = matchups.iter().filter(|item| item.matchup.is_some()).count();
    let meta = MetaExtra::Matchups { count: matchups.len(), with_matchup: found };
    let event = data.event_compact(row);
    request.answer(&EventMatchups { event, as_of: day.to_string(), notes: MATCHUP_NOTES, matchups }, meta)
}

fn matchup<'a>(
    data: &'a Dataset,
    bout: &'a BoutRow,
    sides: &'a Result<[AskedVersion<'a>; 2], Failure>,
    (day, request): (NaiveDate, &OperationRequest),
) -> MatchupOfBout<'a> {
    let [fighter_a, fighter_b] = bout.fighters.map(|fighter| data.fighter_compact(fighter, request.shown()));
    let compared = sides.as_ref().map_err(Failure::clone).and_then(|[a, b]| in_short([a, b], request));
    let (matchup, error) = match compared {
        Ok(matchup) => (Some(matchup), None),
        Err(error) => (None, Some(error)),
    };
    let [record_a, record_b] = bout.fighters.map(|fighter| data.current_record(fighter, Some(day)));
    MatchupOfBout { bout: bout.facts(), fighter_a, fighter_b, record_a, record_b, matchup, error }
}

fn sides<'d>(
    data: CompleteDataset<'d>,
    bout: &BoutRow,
    day: NaiveDate,
) -> Result<[AskedVersion<'d>; 2], Failure> {
    let [a, b] = bout.fighters;
    Ok([AskedVersion::choose(data, a, Some(day))?, AskedVersion::choose(data, b, Some(day))?])
}

/// All of a matchup but its metrics and pairings, which take most of its room.
fn in_short<'a>(
    sides: [&'a AskedVersion<'a>; 2],
    request: &OperationRequest,
) -> Result<MatchupInShort<'a>, Failure> {
    let [a, b] = sides;
    let (insights, withheld) = values::insights(sides)?;
    let href = format!(
        "/v1/mma/matchups/{}/{}/dna?as_of={}",
        a.data.fighters.rows[a.fighter].id, b.data.fighters.rows[b.fighter].id, a.day
    );
    Ok(MatchupInShort {
        a: side(a, request.shown()),
        b: side(b, request.shown()),
        summary: MatchupSummary { href, physical: body::physical(sides), insights, withheld },
        previous_meetings: meetings::previous(sides),
    })
}
