//! The list of fighters.

use fdna_api::{Failure, MetaExtra};

use super::{Asked, unknown};
use crate::Dataset;
use crate::dataset::fighters::{FighterRow, Wanted};
use crate::respond::Answer;
use crate::splice::array;

pub(crate) fn fighters(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let wanted = asked.params.text("q").map(Wanted::new);
    let active = asked.params.flag("active");
    let matches = |fighter: &&FighterRow| {
        let is_named = wanted.as_ref().is_none_or(|wanted| fighter.is_named(wanted));
        is_named && active.is_none_or(|active| fighter.is_active == active)
    };
    let matching: Vec<&FighterRow> = data.fighters.rows.iter().filter(matches).collect();
    let (limit, offset) = (asked.params.number("limit"), asked.params.number("offset"));
    let rows: Vec<&[u8]> = matching.iter().skip(offset).take(limit).map(|f| &*f.json).collect();
    // No source of portraits yet, so no row has one.
    let meta = MetaExtra::Fighters { count: rows.len(), total: matching.len(), limit, offset, with_media: 0 };
    let mut out = Vec::new();
    array(&mut out, rows);
    Ok(asked.answer(out, meta))
}

/// Row of the fighter in the path.
pub(crate) fn find(data: &Dataset, asked: &Asked) -> Result<usize, Failure> {
    data.fighters.ids.find(asked.id()).ok_or_else(|| unknown("fighter"))
}
