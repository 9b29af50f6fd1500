//! Bouts and their round statistics.

use fdna_api::{Failure, MetaExtra};

use super::{Asked, unknown};
use crate::Dataset;
use crate::dataset::bouts::BoutRow;
use crate::dataset::stats::NO_STATS;
use crate::respond::Answer;
use crate::splice::Object;

/// A bout of a card, and its event.
pub(crate) fn bout(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let bout = find(data, asked)?;
    let event = &data.events.rows[bout.event];
    let body = Object::of(&bout.json).field("event", &event.compact);
    Ok(asked.answer(body.finish(), MetaExtra::None {}))
}

/// The bout in short, its event, fighters, rounds and totals.
pub(crate) fn bout_stats(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let bout = find(data, asked)?;
    let [a, b] = bout.fighters.map(|row| &data.fighters.rows[row]);
    let body = Object::new()
        .field("bout", &bout.compact)
        .field("event", &data.events.rows[bout.event].compact)
        .field("fighter_a", &a.compact)
        .field("fighter_b", &b.compact)
        .and(stats_json(bout));
    Ok(asked.answer(body.finish(), MetaExtra::None {}))
}

/// A bout as an element of a card.
pub(crate) fn bout_json(bout: &BoutRow, with_stats: bool) -> Vec<u8> {
    if with_stats { Object::of(&bout.json).and(stats_json(bout)).finish() } else { bout.json.to_vec() }
}

fn stats_json(bout: &BoutRow) -> &[u8] {
    bout.stats.as_ref().map_or(NO_STATS, |stats| &stats.json)
}

fn find<'a>(data: &'a Dataset, asked: &Asked) -> Result<&'a BoutRow, Failure> {
    let row = data.bouts.ids.find(asked.id()).ok_or_else(|| unknown("bout"))?;
    Ok(&data.bouts.rows[row])
}
