//! The list of fighters.

use fdna_api::operations::fighters;
use fdna_api::{Failure, Fighter, MetaExtra};

use super::OperationRequest;
use super::entity_lookup::{EntityKind, row};
use super::page::Page;
use crate::Dataset;
use crate::dataset::fighters::{FighterRow, NameFilter};
use crate::operations::OperationResponse;

pub(crate) fn fighters(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let filter = request.params.get(fighters::Q).map(NameFilter::new);
    let active = request.params.get(fighters::ACTIVE);
    let matches = |fighter: &FighterRow| {
        let is_named = filter.as_ref().is_none_or(|filter| fighter.is_named(filter));
        is_named && active.is_none_or(|active| fighter.is_active == active)
    };
    let rows = data.fighters.rows.iter().enumerate();
    let matching: Vec<usize> = rows.filter(|(_, fighter)| matches(fighter)).map(|(row, _)| row).collect();
    let (page, shown) = (Page::of(data, request, matching.len())?, request.shown());
    let rows = page.take(matching);
    let with_media = rows.iter().filter(|&&row| data.images.primary(row, shown).is_some()).count();
    let rows: Vec<Fighter<'_>> = rows.iter().map(|&row| data.fighter(row, shown)).collect();
    let Page { count, total, limit, offset, next_cursor } = page;
    let known_until = data.known_until.map(|day| day.to_string());
    let meta = MetaExtra::Fighters { count, total, limit, offset, with_media, known_until, next_cursor };
    request.answer(&rows, meta)
}

/// Row of the fighter in the path.
pub(crate) fn find(data: &Dataset, request: &OperationRequest) -> Result<usize, Failure> {
    row(data, EntityKind::Fighter, request.id())
}
