//! The matchups of an event's card in short: each what the matchup of its fighters gives, or why there is none.

use fdna_api::{Failure, MATCHUP_NOTES, MatchupSummary, MetaExtra};

use super::{body, meetings, side, values};
use crate::dataset::Status;
use crate::dataset::Whole;
use crate::dataset::bouts::BoutRow;
use crate::respond::Answer;
use crate::routes::dna::Version;
use crate::routes::events::find_row;
use crate::routes::page::list;
use crate::routes::{Asked, to_json};
use crate::splice::Object;

/// The main event first; bouts that were called off are none. As of the day of the event, unless another is asked.
pub(crate) fn event_matchups(data: Whole<'_>, asked: &Asked) -> Result<Answer, Failure> {
    let event = &data.events.rows[find_row(&data, asked)?];
    let day = asked.params.date("as_of").unwrap_or(event.date);
    let bouts =
        event.bouts.iter().map(|&row| &data.bouts.rows[row]).filter(|bout| bout.status != Status::Off);
    let mut found = 0;
    let mut items = Vec::new();
    for bout in bouts {
        let summary = sides(data, bout, day).and_then(|[a, b]| summary([&a, &b], asked));
        found += usize::from(summary.is_ok());
        let item = Object::new().field("bout", &bout.compact);
        let [a, b] = bout.fighters.map(|fighter| data.fighter_compact(fighter, asked.shown()));
        let item = item.field("fighter_a", &a).field("fighter_b", &b);
        items.push(
            match summary {
                Ok(summary) => item.field("matchup", &summary).field("error", b"null"),
                Err(failure) => item.field("matchup", b"null").field("error", &to_json(&failure)?),
            }
            .finish(),
        );
    }
    let body = Object::new()
        .field("event", &event.compact)
        .field("as_of", &to_json(&day.to_string())?)
        .field("notes", &to_json(&MATCHUP_NOTES)?)
        .field("matchups", &list(&items));
    Ok(asked.answer(body.finish(), MetaExtra::Matchups { count: items.len(), with_matchup: found }))
}

fn sides<'d>(data: Whole<'d>, bout: &BoutRow, day: chrono::NaiveDate) -> Result<[Version<'d>; 2], Failure> {
    let [a, b] = bout.fighters;
    Ok([Version::choose(data, a, Some(day))?, Version::choose(data, b, Some(day))?])
}

/// All of a matchup but its metrics and pairings, which take most of its room.
fn summary(sides: [&Version<'_>; 2], asked: &Asked) -> Result<Vec<u8>, Failure> {
    let [a, b] = sides;
    let (insights, withheld) = values::insights(sides);
    let href = format!(
        "/v1/mma/matchups/{}/{}/dna?as_of={}",
        a.data.fighters.rows[a.fighter].id, b.data.fighters.rows[b.fighter].id, a.day
    );
    let summary = MatchupSummary { href: &href, physical: body::physical(sides), insights, withheld };
    let shown = asked.shown();
    Ok(Object::new()
        .field("a", &side(a, shown)?)
        .field("b", &side(b, shown)?)
        .and(&to_json(&summary)?)
        .field("previous_meetings", &to_json(&meetings::previous(sides))?)
        .finish())
}
