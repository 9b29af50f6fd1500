//! The list of fighters.

use fdna_api::{Failure, MetaExtra};

use super::Asked;
use super::named::{Kind, row};
use crate::Dataset;
use crate::dataset::fighters::{FighterRow, Wanted};
use crate::respond::Answer;
use crate::splice::array;

pub(crate) fn fighters(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let wanted = asked.params.text("q").map(Wanted::new);
    let active = asked.params.flag("active");
    let matches = |fighter: &FighterRow| {
        let is_named = wanted.as_ref().is_none_or(|wanted| fighter.is_named(wanted));
        is_named && active.is_none_or(|active| fighter.is_active == active)
    };
    let rows = data.fighters.rows.iter().enumerate();
    let matching: Vec<usize> = rows.filter(|(_, fighter)| matches(fighter)).map(|(row, _)| row).collect();
    let (limit, offset) = (asked.params.number("limit"), asked.params.number("offset"));
    let page: Vec<usize> = matching.iter().copied().skip(offset).take(limit).collect();
    let shown = asked.shown();
    let with_media = page.iter().filter(|&&row| data.images.primary(row, shown).is_some()).count();
    let rows: Vec<Vec<u8>> = page.iter().map(|&row| data.fighter_json(row, shown)).collect();
    let meta = MetaExtra::Fighters { count: rows.len(), total: matching.len(), limit, offset, with_media };
    let mut out = Vec::new();
    array(&mut out, rows.iter().map(Vec::as_slice));
    Ok(asked.answer(out, meta))
}

/// Row of the fighter in the path.
pub(crate) fn find(data: &Dataset, asked: &Asked) -> Result<usize, Failure> {
    row(data, Kind::Fighter, asked.id())
}
