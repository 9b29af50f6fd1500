//! Bouts and their round statistics.

use fdna_api::{Failure, MetaExtra};

use super::named::{EntityKind, row};
use super::{OperationRequest, written};
use crate::Dataset;
use crate::dataset::bouts::BoutRow;
use crate::dataset::circumstances;
use crate::dataset::images::ImageVisibility;
use crate::dataset::stats::NO_STATS;
use crate::json_splice::JsonObject;
use crate::operations::OperationResponse;

/// A bout of a card, its event and circumstances.
pub(crate) fn bout(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let bout = find(data, request)?;
    let event = &data.events.rows[bout.event];
    let body = data.bout_json(bout, request.shown()).field("event", &event.compact);
    let body = body.and(circumstances(bout));
    Ok(request.answer(body.finish(), MetaExtra::None {}))
}

/// The bout in short, its event, fighters, rounds, totals and circumstances.
pub(crate) fn bout_stats(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let bout = find(data, request)?;
    let [a, b] = bout.fighters.map(|fighter| data.fighter_compact(fighter, request.shown()));
    let body = JsonObject::new()
        .field("bout", &bout.compact)
        .field("event", &data.events.rows[bout.event].compact)
        .field("fighter_a", &a)
        .field("fighter_b", &b)
        .and(&stats_json(data, bout)?)
        .and(circumstances(bout));
    Ok(request.answer(body.finish(), MetaExtra::None {}))
}

/// A bout as an element of a card.
pub(crate) fn of_card(
    data: &Dataset,
    bout: &BoutRow,
    shown: ImageVisibility,
    with_stats: bool,
) -> Result<Vec<u8>, Failure> {
    let body = data.bout_json(bout, shown);
    Ok(if with_stats { body.and(&stats_json(data, bout)?).finish() } else { body.finish() })
}

fn circumstances(bout: &BoutRow) -> &[u8] {
    bout.circumstances.as_deref().unwrap_or(circumstances::UNKNOWN)
}

fn stats_json(data: &Dataset, bout: &BoutRow) -> Result<Vec<u8>, Failure> {
    match &bout.stats {
        Some(stats) => written(stats.json(data.snapshot_id())),
        None => Ok(NO_STATS.to_vec()),
    }
}

fn find<'a>(data: &'a Dataset, request: &OperationRequest) -> Result<&'a BoutRow, Failure> {
    find_row(data, request).map(|row| &data.bouts.rows[row])
}

/// Row of the bout in the path.
pub(crate) fn find_row(data: &Dataset, request: &OperationRequest) -> Result<usize, Failure> {
    row(data, EntityKind::Bout, request.id())
}
