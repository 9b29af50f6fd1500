//! Whom both met, and when they met each other. All fought bouts count, eligible or not.

use fdna_api::{BoutEnd, CommonBout, Failure, Id, PreviousMeeting};
use fdna_compare::matchup::{self, CommonOpponent, FoughtBout};
use fdna_model::Method;

use crate::Dataset;
use crate::dataset::Status;
use crate::dataset::bouts::BoutRow;
use crate::dataset::images::ImageVisibility;
use crate::json_splice::{JsonObject, array};
use crate::operations::dna::AskedVersion;
use crate::operations::to_json;

/// Opponents that both met before the day, as an array.
pub(super) fn common([a, b]: [&AskedVersion<'_>; 2], shown: ImageVisibility) -> Result<Vec<u8>, Failure> {
    let common = matchup::common_opponents(&fought(a), &fought(b), a.day);
    let items = common.iter().map(|item| opponent(&a.data, [a.fighter, b.fighter], item, shown));
    let items = items.collect::<Result<Vec<_>, _>>()?;
    let mut out = Vec::new();
    array(&mut out, items.iter().map(Vec::as_slice));
    Ok(out)
}

fn opponent(
    data: &Dataset,
    [a, b]: [usize; 2],
    common: &CommonOpponent,
    shown: ImageVisibility,
) -> Result<Vec<u8>, Failure> {
    let bouts = |fighter: usize, fought: &[FoughtBout]| {
        let bouts = fought.iter().map(|f| bout(data, &data.bouts.rows[f.bout], fighter));
        to_json(&bouts.collect::<Vec<_>>())
    };
    let item = JsonObject::new().field("opponent", &data.fighter_compact(common.opponent, shown));
    Ok(item.field("a", &bouts(a, &common.a)?).field("b", &bouts(b, &common.b)?).finish())
}

fn bout<'d>(data: &'d Dataset, bout: &BoutRow, fighter: usize) -> CommonBout<'d> {
    let (date, end) = (bout.date.to_string(), end(data, bout));
    CommonBout { bout_id: Id(bout.id), date, end, outcome: outcome(bout, fighter) }
}

/// Where and how the bout ended.
fn end<'d>(data: &'d Dataset, bout: &BoutRow) -> BoutEnd<'d> {
    let result = bout.result.as_ref();
    BoutEnd {
        event_name: &data.events.rows[bout.event].name,
        method: result.and_then(|result| result.method).map(Method::name),
        round: result.and_then(|result| result.round),
        time: result.and_then(|result| result.clock.as_deref()).map(str::to_owned),
    }
}

/// Bouts of the two before the day, newest first.
pub(super) fn previous<'d>([a, b]: [&AskedVersion<'d>; 2]) -> Vec<PreviousMeeting<'d>> {
    let data: &'d Dataset = a.data.dataset();
    let meeting = |fought: FoughtBout| {
        let bout = &data.bouts.rows[fought.bout];
        PreviousMeeting {
            bout_id: Id(bout.id),
            event_id: Id(data.events.rows[bout.event].id),
            date: bout.date.to_string(),
            outcome_a: outcome(bout, a.fighter),
            outcome_b: outcome(bout, b.fighter),
            end: end(data, bout),
        }
    };
    matchup::meetings(&fought(a), b.fighter, a.day).into_iter().map(meeting).collect()
}

/// Fought bouts of a side, newest first.
fn fought(version: &AskedVersion<'_>) -> Vec<FoughtBout> {
    let data = version.data;
    let rows = data.fighters.rows[version.fighter].bouts.iter();
    let fought = rows.filter(|&&row| data.bouts.rows[row].status == Status::Completed);
    let of = |&row: &usize| {
        let bout = &data.bouts.rows[row];
        let [a, b] = bout.fighters;
        FoughtBout { bout: row, opponent: if a == version.fighter { b } else { a }, date: bout.date }
    };
    fought.map(of).collect()
}

/// How it ended for the fighter; `None` where the result is not known.
fn outcome(bout: &BoutRow, fighter: usize) -> Option<&'static str> {
    let side = usize::from(bout.fighters[0] != fighter);
    bout.result.as_ref().map(|result| result.outcomes[side])
}
