//! Bouts and their round statistics.

use fdna_api::{Failure, MetaExtra};

use super::named::{Kind, row};
use super::{Asked, written};
use crate::Dataset;
use crate::dataset::bouts::BoutRow;
use crate::dataset::circumstances;
use crate::dataset::images::Shown;
use crate::dataset::stats::NO_STATS;
use crate::respond::Answer;
use crate::splice::Object;

/// A bout of a card, its event and circumstances.
pub(crate) fn bout(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let bout = find(data, asked)?;
    let event = &data.events.rows[bout.event];
    let body = data.bout_json(bout, asked.shown()).field("event", &event.compact);
    let body = body.and(circumstances(bout));
    Ok(asked.answer(body.finish(), MetaExtra::None {}))
}

/// The bout in short, its event, fighters, rounds, totals and circumstances.
pub(crate) fn bout_stats(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let bout = find(data, asked)?;
    let [a, b] = bout.fighters.map(|fighter| data.fighter_compact(fighter, asked.shown()));
    let body = Object::new()
        .field("bout", &bout.compact)
        .field("event", &data.events.rows[bout.event].compact)
        .field("fighter_a", &a)
        .field("fighter_b", &b)
        .and(&stats_json(data, bout)?)
        .and(circumstances(bout));
    Ok(asked.answer(body.finish(), MetaExtra::None {}))
}

/// A bout as an element of a card.
pub(crate) fn of_card(
    data: &Dataset,
    bout: &BoutRow,
    shown: Shown,
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

fn find<'a>(data: &'a Dataset, asked: &Asked) -> Result<&'a BoutRow, Failure> {
    find_row(data, asked).map(|row| &data.bouts.rows[row])
}

/// Row of the bout in the path.
pub(crate) fn find_row(data: &Dataset, asked: &Asked) -> Result<usize, Failure> {
    row(data, Kind::Bout, asked.id())
}
