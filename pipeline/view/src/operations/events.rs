//! Events and their cards.

use fdna_api::operations::parameters::INCLUDE;
use fdna_api::{Card, CardBout, Failure, MetaExtra};

use super::OperationRequest;
use super::bouts::of_card;
use super::entity_lookup::{EntityKind, entity_row};
use crate::Dataset;
use crate::dataset::Status;
use crate::dataset::events::EventRow;
use crate::operations::OperationResponse;

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
    entity_row(data, EntityKind::Event, request.id()).map(|row| &data.events.rows[row])
}
