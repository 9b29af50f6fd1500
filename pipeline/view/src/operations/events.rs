//! Events and their cards.

use fdna_api::operations::events;
use fdna_api::operations::parameters::{INCLUDE, PROMOTION};
use fdna_api::{Card, CardBout, Event, Failure, MetaExtra, PreparedJson};

use super::OperationRequest;
use super::bouts::of_card;
use super::entity_lookup::{EntityKind, row};
use super::page::Page;
use crate::Dataset;
use crate::dataset::Status;
use crate::dataset::events::EventRow;
use crate::operations::OperationResponse;

/// Newest first; of those to come, the next first.
pub(crate) fn events(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let (status, date) = (request.params.get(events::STATUS), request.params.get(events::DATE));
    let (from, to) = request.params.span()?;
    let promotion = request.params.get(PROMOTION);
    let matches = |event: &&EventRow| {
        let in_status = match status {
            "upcoming" => event.status == Status::Upcoming,
            "recent" => event.status == Status::Completed,
            _ => true,
        };
        in_status
            && date.is_none_or(|day| event.date == day)
            && from.is_none_or(|day| event.date >= day)
            && to.is_none_or(|day| event.date <= day)
            && promotion.is_none_or(|code| event.promotion == Some(code))
    };
    let mut matching: Vec<&EventRow> = data.events.rows.iter().filter(matches).collect();
    if status == "upcoming" {
        matching.reverse();
    }
    let page = Page::of(data, request, matching.len())?;
    let rows: Vec<PreparedJson<'_, Event<'_>>> = page.take(matching.iter().map(|event| event.json()));
    let [date, from, to] = [date, from, to].map(|day| day.map(|day| day.to_string()));
    let Page { count, total, limit, next_cursor, .. } = page;
    let (status, known_until) = (status.to_owned(), data.known_until.map(|day| day.to_string()));
    let meta = MetaExtra::Events { count, total, status, date, from, to, known_until, limit, next_cursor };
    request.answer(&rows, meta)
}

pub(crate) fn event(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let event = find(data, request)?;
    request.answer(&event.json(), MetaExtra::None {})
}

pub(crate) fn card(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let event = find(data, request)?;
    let with_stats = request.params.get(INCLUDE).contains(&"stats");
    let bout = |&row: &usize| of_card(data, &data.bouts.rows[row], request.shown(), with_stats);
    let bouts: Vec<CardBout<'_>> = event.bouts.iter().map(bout).collect();
    // Media and results are always on, whether asked for or not.
    let mut include = vec!["media", "results"];
    include.extend(with_stats.then_some("stats"));
    let off = event.bouts.iter().filter(|&&row| data.bouts.rows[row].status == Status::Off).count();
    let meta = MetaExtra::Card { include, bouts: bouts.len() - off, off };
    request.answer(&Card { event: event.json(), bouts }, meta)
}

fn find<'a>(data: &'a Dataset, request: &OperationRequest) -> Result<&'a EventRow, Failure> {
    find_row(data, request).map(|row| &data.events.rows[row])
}

/// Row of the event in the path.
pub(crate) fn find_row(data: &Dataset, request: &OperationRequest) -> Result<usize, Failure> {
    row(data, EntityKind::Event, request.id())
}
