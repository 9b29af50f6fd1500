//! A fighter's statistics: what a source states, and sums over the round statistics of his bouts.

use fdna_api::{
    BoutLine, CareerRates, CareerTotals, ComputedStats, Failure, FighterStats, Id, MetaExtra, StatTotals,
    StatsOfFighter,
};

use super::OperationRequest;
use super::entity_lookup::fighter_row;
use super::history::{bouts_of, side};
use crate::Dataset;
use crate::dataset::Status;
use crate::dataset::bouts::BoutRow;
use crate::dataset::stats::{nothing, plus, provenance};
use crate::operations::OperationResponse;

/// Who he is, and the record of the composite's `stats`.
pub(crate) fn fighter_stats(
    data: &Dataset,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let row = fighter_row(data, request)?;
    let fighter = data.fighter_compact(row, request.shown());
    request.answer(&StatsOfFighter { fighter, stats: stats(data, row) }, MetaExtra::None {})
}

pub(crate) fn stats(data: &Dataset, fighter: usize) -> FighterStats<'_> {
    let bouts: Vec<BoutLine> =
        bouts_of(data, fighter, Status::Completed).filter_map(|bout| line(data, fighter, bout)).collect();
    let rows = bouts.iter().map(|line| line.own.rounds + line.opponent.rounds).sum();
    let career = (!bouts.is_empty()).then(|| career(&bouts));
    FighterStats {
        career_snapshot: data.fighters.rows[fighter].career.snapshot(None),
        computed: ComputedStats { bouts, career, provenance: provenance(data.snapshot_id(), rows) },
    }
}

fn line(data: &Dataset, fighter: usize, bout: &BoutRow) -> Option<BoutLine> {
    let stats = bout.stats.as_ref()?;
    let side = side(bout, fighter);
    let [a, b] = stats.totals();
    let (own, opponent) = if side == 0 { (a, b) } else { (b, a) };
    Some(BoutLine {
        bout_id: Id(bout.id),
        event_id: Id(data.events.rows[bout.event].id),
        event_date: bout.date.to_string(),
        opponent_id: Id(data.fighters.rows[bout.fighters[1 - side]].id),
        own,
        opponent,
    })
}

fn career(bouts: &[BoutLine]) -> CareerTotals {
    let own = bouts.iter().fold(nothing(), |sum, line| plus(&sum, &line.own));
    let opponent = bouts.iter().fold(nothing(), |sum, line| plus(&sum, &line.opponent));
    let rates = rates(&own, &opponent);
    CareerTotals { bouts: bouts.len(), own, opponent, rates }
}

fn rates(own: &StatTotals, opponent: &StatTotals) -> CareerRates {
    let ratio = |part: i64, whole: i64| (whole > 0).then(|| part as f64 / whole as f64);
    let per = |count: i64, secs: f64| {
        let fought = own.seconds.filter(|s| *s > 0)?;
        Some(count as f64 * secs / fought as f64)
    };
    let (mine, theirs) = (&own.counts, &opponent.counts);
    CareerRates {
        sig_landed_per_min: per(mine.sig_landed, 60.0),
        sig_absorbed_per_min: per(theirs.sig_landed, 60.0),
        sig_accuracy: ratio(mine.sig_landed, mine.sig_attempted),
        sig_defense: ratio(theirs.sig_attempted - theirs.sig_landed, theirs.sig_attempted),
        td_landed_per_15: per(mine.td_landed, 900.0),
        td_accuracy: ratio(mine.td_landed, mine.td_attempted),
        td_defense: ratio(theirs.td_attempted - theirs.td_landed, theirs.td_attempted),
        sub_attempts_per_15: per(mine.sub_attempts, 900.0),
    }
}
