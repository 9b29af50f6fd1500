//! Bouts and their round statistics.

use fdna_api::{BoutDetail, BoutStats, CardBout, Failure, IncludedStats, MetaExtra};

use super::OperationRequest;
use super::entity_lookup::{EntityKind, entity_row};
use crate::Dataset;
use crate::dataset::bouts::BoutRow;
use crate::dataset::images::ImageVisibility;
use crate::operations::OperationResponse;

/// A bout of a card, its event and circumstances.
pub(crate) fn bout(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let bout = find(data, request)?;
    let detail = BoutDetail {
        bout: data.bout(bout, request.shown()),
        event: data.event_compact(bout.event),
        circumstances: bout.circumstances(),
    };
    request.answer(&detail, MetaExtra::None {})
}

/// The bout in short, its event, fighters, rounds, totals and circumstances.
pub(crate) fn bout_stats(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let bout = find(data, request)?;
    let [fighter_a, fighter_b] = bout.fighters.map(|fighter| data.fighter_compact(fighter, request.shown()));
    let IncludedStats { round_stats, stat_totals } = stats(data, bout);
    let answer = BoutStats {
        bout: bout.compact(),
        event: data.event_compact(bout.event),
        fighter_a,
        fighter_b,
        round_stats,
        stat_totals,
        circumstances: bout.circumstances(),
    };
    request.answer(&answer, MetaExtra::None {})
}

/// A bout as an element of a card.
pub(crate) fn of_card<'a>(
    data: &'a Dataset,
    bout: &'a BoutRow,
    shown: ImageVisibility,
    with_stats: bool,
) -> CardBout<'a> {
    CardBout { bout: data.bout(bout, shown), stats: with_stats.then(|| stats(data, bout)) }
}

fn stats<'a>(data: &'a Dataset, bout: &BoutRow) -> IncludedStats<'a> {
    let stats = bout.stats.as_ref();
    IncludedStats {
        round_stats: stats.map(|stats| stats.rounds()).unwrap_or_default(),
        stat_totals: stats.map(|stats| stats.totals_by_fighter(data.snapshot_id())),
    }
}

fn find<'a>(data: &'a Dataset, request: &OperationRequest) -> Result<&'a BoutRow, Failure> {
    entity_row(data, EntityKind::Bout, request.id()).map(|row| &data.bouts.rows[row])
}
