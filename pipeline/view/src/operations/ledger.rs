//! The fight-week ledger: a bout's rows, and what is known of an event's bouts now.

use std::collections::BTreeMap;

use chrono::NaiveTime;
use fdna_api::operations::bout_ledger;
use fdna_api::operations::parameters::{AS_OF, AT, KNOWN_AT};
use fdna_api::{ErrorCode, Failure, IntelligenceBout, IntelligenceOfBout, LedgerChange, MetaExtra};

use super::OperationRequest;
use super::entity_lookup::{EntityKind, entity_row};
use super::page::Page;
use crate::Dataset;
use crate::dataset::images::ImageVisibility;
use crate::ledger::{Ledger, LedgerRecord, LedgerRowRef};
use crate::operations::OperationResponse;

/// Rows of a bout that were known at a time, the oldest first.
fn places_of<'a>(
    data: &Dataset,
    ledger: &'a Ledger,
    row: usize,
    request: &OperationRequest,
) -> Vec<&'a LedgerRowRef> {
    let (at, known_at) = (request.params.get(AT), request.params.get(KNOWN_AT));
    let as_of = request.params.get(AS_OF).map(|day| day.and_time(NaiveTime::MIN).and_utc());
    let is_known = |place: &&LedgerRowRef| {
        as_of.is_none_or(|day| place.valid_at < day)
            && at.is_none_or(|at| place.valid_at <= at)
            && known_at.is_none_or(|known_at| place.recorded_at <= known_at)
    };
    ledger.of_bout(&data.bouts.all_ids(row)).into_iter().filter(is_known).collect()
}

/// Rows of a bout, the oldest first; of more than `limit` the newest, and page by page the older ones.
pub(crate) fn bout_ledger(
    data: &Dataset,
    ledger: &Ledger,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let row = entity_row(data, EntityKind::Bout, request.id())?;
    let checkpoint = request.params.get(bout_ledger::CHECKPOINT);
    let is_asked = |place: &&LedgerRowRef| checkpoint.is_none_or(|checkpoint| place.checkpoint == checkpoint);
    let places: Vec<&LedgerRowRef> =
        places_of(data, ledger, row, request).into_iter().filter(is_asked).collect();
    let page = Page::among(ledger.head(), request, places.len())?;
    let mut shown = page.take(places.iter().rev());
    shown.reverse();
    let records: Vec<LedgerRecord> = shown.into_iter().map(|place| ledger.row(place)).collect();
    let rows = records.iter().map(|row| row.said().map_err(unreadable));
    let rows: Vec<_> = rows.collect::<Result<_, Failure>>()?;
    let meta = MetaExtra::Ledger {
        count: rows.len(),
        total: places.len(),
        limit: page.limit,
        next_cursor: page.next_cursor,
        checkpoints: checkpoints(places.iter().copied()),
        ledger_moved_at: ledger.moved_at(),
    };
    request.answer(&rows, meta)
}

/// The newest row of each bout of an event that was known at a time, the main event first.
pub(crate) fn event_intelligence(
    data: &Dataset,
    ledger: &Ledger,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let event = &data.events.rows[entity_row(data, EntityKind::Event, request.id())?];
    let rows = |row: &usize| (*row, places_of(data, ledger, *row, request));
    let of_bouts: Vec<(usize, Vec<&LedgerRowRef>)> =
        event.bouts.iter().map(rows).filter(|(_, places)| !places.is_empty()).collect();
    let newest: Vec<(usize, &[&LedgerRowRef], LedgerRecord)> = of_bouts
        .iter()
        .filter_map(|(row, places)| Some((*row, &**places, ledger.row(places.last()?))))
        .collect();
    let mut known = Vec::new();
    let mut unavailable: Option<Vec<String>> = None;
    for (row, places, newest) in &newest {
        let place = newest.card_place().map_err(unreadable)?;
        let bout = newest.known(since_checkpoint(ledger, places)?).map_err(unreadable)?;
        known.push((place, data.bouts.rows[*row].id, with_fighters(data, *row, bout)));
        let missing = missing(newest)?;
        unavailable = Some(match unavailable {
            None => missing,
            Some(before) => before.into_iter().filter(|name| missing.contains(name)).collect(),
        });
    }
    known.sort_by_key(|(place, id, _)| (*place, *id));
    let bouts: Vec<IntelligenceOfBout<'_>> = known.into_iter().map(|(_, _, bout)| bout).collect();
    let meta = MetaExtra::Intelligence {
        count: bouts.len(),
        checkpoints: checkpoints(of_bouts.iter().flat_map(|(_, places)| places.iter().copied())),
        unavailable_sources: unavailable.unwrap_or_default(),
        ledger_moved_at: ledger.moved_at(),
    };
    request.answer(&bouts, meta)
}

/// The bout with its fighters. No portraits: what the ledger says does not change with rights that run out.
fn with_fighters<'a>(data: &'a Dataset, row: usize, known: IntelligenceBout<'a>) -> IntelligenceOfBout<'a> {
    let bout = &data.bouts.rows[row];
    let [fighter_a, fighter_b] =
        bout.fighters.map(|fighter| data.fighter_compact(fighter, ImageVisibility::NONE));
    IntelligenceOfBout { bout: bout.compact(), fighter_a, fighter_b, known }
}

/// Changes of the newest checkpoint's rows, taken together: against the newest row of an earlier checkpoint. None
/// where there is no such row.
fn since_checkpoint(ledger: &Ledger, places: &[&LedgerRowRef]) -> Result<Vec<LedgerChange>, Failure> {
    let newest = places.last().map(|place| place.checkpoint.as_str());
    let of_newest = places.iter().rev().take_while(|place| Some(place.checkpoint.as_str()) == newest);
    let rows: Vec<&&LedgerRowRef> = of_newest.collect();
    if rows.len() == places.len() {
        return Ok(Vec::new());
    }
    let mut changes: Vec<LedgerChange> = Vec::new();
    for place in rows.into_iter().rev() {
        for change in ledger.row(place).diff().map_err(unreadable)? {
            match changes.iter_mut().find(|before| before.path == change.path) {
                Some(before) => *before = LedgerChange { from: before.from.clone(), ..change },
                None => changes.push(change),
            }
        }
    }
    changes.retain(|change| change.from != change.to);
    for change in &mut changes {
        let op = match (change.from.is_null(), change.to.is_null()) {
            (true, _) => "add",
            (_, true) => "remove",
            _ => "replace",
        };
        op.clone_into(&mut change.op);
    }
    Ok(changes)
}

fn missing(row: &LedgerRecord) -> Result<Vec<String>, Failure> {
    let sources = row.sources().map_err(unreadable)?;
    Ok(sources.into_iter().filter(|s| s.status == "unavailable").map(|s| s.name).collect())
}

fn checkpoints<'a>(places: impl Iterator<Item = &'a LedgerRowRef>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    places.for_each(|place| *counts.entry(place.checkpoint.clone()).or_default() += 1);
    counts
}

#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` gives")]
fn unreadable(error: crate::ledger::RowError) -> Failure {
    tracing::error!(%error, "failed to read a row of the ledger");
    Failure::new(ErrorCode::Internal, "answer could not be made")
}

/// 503 before the first row.
pub fn no_ledger(request: &OperationRequest) -> Failure {
    Failure::new(request.operation.unavailable, "The fight-week ledger is empty on this host")
}
