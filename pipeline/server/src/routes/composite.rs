//! A fighter with what was asked beside him. Includes add fields and never change the others.

use fdna_api::{
    BoutLine, CareerRates, CareerSnapshot, CareerTotals, ComputedStats, Failure, FighterStats, Id,
    LEAKAGE_WARNING, MetaExtra, StatTotals,
};

use super::fighters::find;
use super::rankings::ranking;
use super::{Asked, to_json};
use crate::Dataset;
use crate::dataset::Status;
use crate::dataset::bouts::BoutRow;
use crate::dataset::images::Shown;
use crate::dataset::stats::{nothing, plus, provenance};
use crate::respond::Answer;
use crate::splice::{Object, array};

pub(crate) fn fighter(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let row = find(data, asked)?;
    let include = asked.params.words("include");
    let mut body = data.fighter_detail(row, asked.shown());
    if include.contains(&"ranking") {
        body = body.field("ranking", &to_json(&ranking(data, row))?);
    }
    let whose = Whose { data, fighter: row, shown: asked.shown() };
    if include.contains(&"next") {
        body = body.field_with("next_bout", |out| next_bout(whose, out));
    }
    if include.contains(&"history") {
        let limit = asked.params.number("history_limit");
        body = body.field_with("history", |out| history(whose, limit, out));
    }
    if include.contains(&"stats") {
        body = body.field("stats", &to_json(&stats(data, row))?);
    }
    let mut applied = vec!["media"];
    applied.extend(include.iter().filter(|word| **word != "media"));
    Ok(asked.answer(body.finish(), MetaExtra::Composite { include: applied }))
}

fn bouts_of(data: &Dataset, fighter: usize, status: Status) -> impl Iterator<Item = &BoutRow> {
    let rows = data.fighters.rows[fighter].bouts.iter();
    rows.map(|&row| &data.bouts.rows[row]).filter(move |bout| bout.status == status)
}

/// 0 where the fighter is fighter a, 1 where he is fighter b.
fn side(bout: &BoutRow, fighter: usize) -> usize {
    usize::from(bout.fighters[0] != fighter)
}

/// Whose bouts are told, and with which images.
#[derive(Clone, Copy)]
struct Whose<'a> {
    data: &'a Dataset,
    fighter: usize,
    shown: Shown,
}

fn parties(whose: Whose<'_>, bout: &BoutRow) -> Object {
    let Whose { data, fighter, shown } = whose;
    let opponent = bout.fighters[1 - side(bout, fighter)];
    Object::new()
        .field("bout", &bout.compact)
        .field("event", &data.events.rows[bout.event].compact)
        .field("opponent", &data.fighter_compact(opponent, shown))
}

/// The earliest bout to come, or null.
fn next_bout(whose: Whose<'_>, out: &mut Vec<u8>) {
    match bouts_of(whose.data, whose.fighter, Status::Upcoming).last() {
        Some(bout) => out.extend(parties(whose, bout).finish()),
        None => out.extend_from_slice(b"null"),
    }
}

/// Fought bouts, newest first.
fn history(whose: Whose<'_>, limit: usize, out: &mut Vec<u8>) {
    let Whose { data, fighter, .. } = whose;
    let item = |bout: &BoutRow| {
        let item = parties(whose, bout);
        let result = bout.result.as_ref();
        let item = item.field("result", result.map_or(b"null", |r| &*r.json));
        let outcome = result.map(|r| r.outcomes[side(bout, fighter)]);
        let outcome = outcome.map_or_else(|| "null".to_owned(), |word| format!("\"{word}\""));
        item.field("outcome", outcome.as_bytes()).finish()
    };
    let items: Vec<Vec<u8>> = bouts_of(data, fighter, Status::Completed).take(limit).map(item).collect();
    array(out, items.iter().map(Vec::as_slice));
}

fn stats(data: &Dataset, fighter: usize) -> FighterStats<'_> {
    let bouts: Vec<BoutLine> =
        bouts_of(data, fighter, Status::Completed).filter_map(|bout| line(data, fighter, bout)).collect();
    let rows = bouts.iter().map(|line| line.own.rounds + line.opponent.rounds).sum();
    let career = (!bouts.is_empty()).then(|| career(&bouts));
    FighterStats {
        career_snapshot: CareerSnapshot { leakage_warning: LEAKAGE_WARNING, ..CareerSnapshot::default() },
        computed: ComputedStats { bouts, career, provenance: provenance(data.snapshot_id(), rows) },
    }
}

fn line(data: &Dataset, fighter: usize, bout: &BoutRow) -> Option<BoutLine> {
    let stats = bout.stats.as_ref()?;
    let side = side(bout, fighter);
    Some(BoutLine {
        bout_id: Id(bout.id),
        event_id: Id(data.events.rows[bout.event].id),
        event_date: bout.date.to_string(),
        opponent_id: Id(data.fighters.rows[bout.fighters[1 - side]].id),
        own: stats.totals[side].clone(),
        opponent: stats.totals[1 - side].clone(),
    })
}

fn career(bouts: &[BoutLine]) -> CareerTotals {
    let own = bouts.iter().fold(nothing(), |sum, line| plus(&sum, &line.own));
    let opponent = bouts.iter().fold(nothing(), |sum, line| plus(&sum, &line.opponent));
    let rates = rates(&own, &opponent);
    CareerTotals { bouts: bouts.len(), own, opponent, rates }
}

fn rates(own: &StatTotals, opponent: &StatTotals) -> CareerRates {
    let ratio = |part: i64, whole: i64| (whole > 0).then(|| part as f64 / whole as f64);
    let per = |count: i64, secs: f64| {
        let fought = own.seconds.filter(|s| *s > 0)?;
        Some(count as f64 * secs / fought as f64)
    };
    let (mine, theirs) = (&own.counts, &opponent.counts);
    CareerRates {
        sig_landed_per_min: per(mine.sig_landed, 60.0),
        sig_absorbed_per_min: per(theirs.sig_landed, 60.0),
        sig_accuracy: ratio(mine.sig_landed, mine.sig_attempted),
        sig_defense: ratio(theirs.sig_attempted - theirs.sig_landed, theirs.sig_attempted),
        td_landed_per_15: per(mine.td_landed, 900.0),
        td_accuracy: ratio(mine.td_landed, mine.td_attempted),
        td_defense: ratio(theirs.td_attempted - theirs.td_landed, theirs.td_attempted),
        sub_attempts_per_15: per(mine.sub_attempts, 900.0),
    }
}
