//! Common opponents of two fighters, and their meetings. All fought bouts count, eligible or not.

use fdna_api::{BoutEnd, CommonBout, CommonOpponent, Id, PreviousMeeting};
use fdna_compare::matchup::{self, FoughtBout};
use fdna_model::Method;

use crate::Dataset;
use crate::dataset::Status;
use crate::dataset::bouts::BoutRow;
use crate::dataset::images::ImageVisibility;
use crate::operations::dna::AskedVersion;

/// Opponents that both met before the day.
pub(super) fn common<'d>([a, b]: [&AskedVersion<'d>; 2], shown: ImageVisibility) -> Vec<CommonOpponent<'d>> {
    let data: &'d Dataset = a.data.dataset();
    let bouts = |fighter: usize, fought: &[FoughtBout]| {
        fought.iter().map(|fought| bout(data, &data.bouts.rows[fought.bout], fighter)).collect()
    };
    let opponent = |common: &matchup::CommonOpponent| CommonOpponent {
        opponent: data.fighter_compact(common.opponent, shown),
        a: bouts(a.fighter, &common.a),
        b: bouts(b.fighter, &common.b),
    };
    matchup::common_opponents(&fought(a), &fought(b), a.day).iter().map(opponent).collect()
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
    matchup::previous_meetings(&fought(a), b.fighter, a.day).into_iter().map(meeting).collect()
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
