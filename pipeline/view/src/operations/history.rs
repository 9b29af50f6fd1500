//! A fighter's bouts: those that he fought, newest first, and the next.

use fdna_api::operations::parameters::AS_OF;
use fdna_api::{Failure, FighterCompact, HistoryItem, NextBout};

use super::OperationRequest;
use super::entity_lookup::fighter_row;
use super::page::page;
use crate::Dataset;
use crate::dataset::Status;
use crate::dataset::bouts::BoutRow;
use crate::dataset::images::ImageVisibility;
use crate::operations::OperationResponse;

/// The records of the composite's history, in pages.
pub(crate) fn fighter_history(
    data: &Dataset,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let whose = HistoryQuery { data, fighter: fighter_row(data, request)?, shown: request.shown() };
    let before = request.params.get(AS_OF);
    let fought = bouts_of(data, whose.fighter, Status::Completed);
    let fought: Vec<&BoutRow> = fought.filter(|bout| before.is_none_or(|day| bout.date < day)).collect();
    let (bouts, meta) = page(data, fought, request)?;
    let items: Vec<HistoryItem<'_>> = bouts.into_iter().map(|bout| item(whose, bout)).collect();
    request.answer(&items, meta)
}

/// Whose bouts are told, and with which images.
#[derive(Clone, Copy)]
pub(crate) struct HistoryQuery<'a> {
    pub(crate) data: &'a Dataset,
    pub(crate) fighter: usize,
    pub(crate) shown: ImageVisibility,
}

impl<'a> HistoryQuery<'a> {
    fn opponent(self, bout: &BoutRow) -> FighterCompact<'a> {
        self.data.fighter_compact(bout.fighters[1 - side(bout, self.fighter)], self.shown)
    }
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
pub(crate) fn history<'a>(whose: HistoryQuery<'a>) -> impl Iterator<Item = HistoryItem<'a>> {
    bouts_of(whose.data, whose.fighter, Status::Completed).map(move |bout| item(whose, bout))
}

/// The earliest bout to come.
pub(crate) fn next_bout(whose: HistoryQuery<'_>) -> Option<NextBout<'_>> {
    let bout = bouts_of(whose.data, whose.fighter, Status::Upcoming).last()?;
    Some(NextBout {
        bout: bout.compact(),
        event: whose.data.event_compact(bout.event),
        opponent: whose.opponent(bout),
    })
}

fn item<'a>(whose: HistoryQuery<'a>, bout: &'a BoutRow) -> HistoryItem<'a> {
    HistoryItem {
        bout: bout.compact(),
        event: whose.data.event_compact(bout.event),
        opponent: whose.opponent(bout),
        result: bout.result(),
        outcome: bout.result.as_ref().map(|result| result.outcomes[side(bout, whose.fighter)]),
    }
}
