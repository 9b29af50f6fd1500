//! A fighter's bouts: those that he fought, newest first, and the next.

use fdna_api::Failure;

use super::OperationRequest;
use super::fighters::find;
use super::page::{list, page};
use crate::Dataset;
use crate::dataset::Status;
use crate::dataset::bouts::BoutRow;
use crate::dataset::images::ImageVisibility;
use crate::json_splice::JsonObject;
use crate::operations::OperationResponse;

/// The records of the composite's history, in pages.
pub(crate) fn fighter_history(
    data: &Dataset,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let whose = HistoryQuery { data, fighter: find(data, request)?, shown: request.shown() };
    let fought: Vec<&BoutRow> = bouts_of(data, whose.fighter, Status::Completed).collect();
    let (bouts, meta) = page(data, fought, request)?;
    let items: Vec<_> = bouts.into_iter().map(|bout| item(whose, bout)).collect();
    Ok(request.answer(list(&items), meta))
}

/// Whose bouts are told, and with which images.
#[derive(Clone, Copy)]
pub(crate) struct HistoryQuery<'a> {
    pub(crate) data: &'a Dataset,
    pub(crate) fighter: usize,
    pub(crate) shown: ImageVisibility,
}

/// Newest first.
pub(crate) fn bouts_of(data: &Dataset, fighter: usize, status: Status) -> impl Iterator<Item = &BoutRow> {
    let rows = data.fighters.rows[fighter].bouts.iter();
    rows.map(|&row| &data.bouts.rows[row]).filter(move |bout| bout.status == status)
}

/// 0 where the fighter is fighter a, 1 where he is fighter b.
pub(crate) fn side(bout: &BoutRow, fighter: usize) -> usize {
    usize::from(bout.fighters[0] != fighter)
}

/// Fought bouts, newest first.
pub(crate) fn history(whose: HistoryQuery<'_>) -> impl Iterator<Item = Vec<u8>> {
    bouts_of(whose.data, whose.fighter, Status::Completed).map(move |bout| item(whose, bout))
}

/// The earliest bout to come.
pub(crate) fn next_bout(whose: HistoryQuery<'_>) -> Option<Vec<u8>> {
    let next = bouts_of(whose.data, whose.fighter, Status::Upcoming).last()?;
    Some(parties(whose, next).finish())
}

fn item(whose: HistoryQuery<'_>, bout: &BoutRow) -> Vec<u8> {
    let result = bout.result.as_ref();
    let outcome = result.map(|result| result.outcomes[side(bout, whose.fighter)]);
    let outcome = outcome.map_or_else(|| "null".to_owned(), |word| format!("\"{word}\""));
    let item = parties(whose, bout).field("result", result.map_or(b"null", |result| &*result.json));
    item.field("outcome", outcome.as_bytes()).finish()
}

fn parties(whose: HistoryQuery<'_>, bout: &BoutRow) -> JsonObject {
    let HistoryQuery { data, fighter, shown } = whose;
    let opponent = bout.fighters[1 - side(bout, fighter)];
    JsonObject::new()
        .field("bout", &bout.compact)
        .field("event", &data.events.rows[bout.event].compact)
        .field("opponent", &data.fighter_compact(opponent, shown))
}
