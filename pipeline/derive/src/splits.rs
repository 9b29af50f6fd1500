//! Sums of a fighter's bouts of one kind: against southpaws, in one class, over five rounds.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use fdna_model::{FactsAsOf, FighterId, WeightClass};
use fdna_schemas::{Catalogue, Metric};
use rayon::prelude::*;

use crate::career_index::{CareerIndex, FighterCareer, whole};
use crate::columns::SideRow;
use crate::ratio::{RatioTerms, UnknownColumn};

/// A kind of bout.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SplitKey {
    pub dimension: &'static str,
    pub key: String,
}

/// State of one kind after a version that added to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitRow {
    pub fighter: FighterId,
    pub key: SplitKey,
    pub version: i32,
    pub valid_from: NaiveDate,
    pub bouts: i32,
    pub rounds: i32,
    pub last_bout: NaiveDate,
    /// Row before it, and the sides that it adds.
    earlier: Option<usize>,
    added: Vec<usize>,
}

/// Sums of one metric in every row.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitSums {
    /// Name of the metric.
    pub metric: String,
    pub numerator: Vec<i64>,
    pub denominator: Vec<i64>,
    /// Bouts that carry the columns.
    pub bouts: Vec<i32>,
}

/// All rows, and the sums of every metric that splits show.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FighterSplits {
    /// By fighter, dimension, key and version.
    pub rows: Vec<SplitRow>,
    pub metrics: Vec<SplitSums>,
}

pub(crate) fn splits(
    league: &CareerIndex<'_>,
    catalogue: &Catalogue,
) -> Result<FighterSplits, UnknownColumn> {
    let mut rows = Vec::new();
    for career in &league.careers {
        add_career(league, career, &mut rows);
    }
    let metrics: Vec<&Metric> = catalogue.metrics.iter().filter(|m| m.split).collect();
    let metrics = metrics.par_iter().map(|metric| sums(league, metric, &rows)).collect::<Result<_, _>>()?;
    Ok(FighterSplits { rows, metrics })
}

fn add_career(league: &CareerIndex<'_>, career: &FighterCareer, rows: &mut Vec<SplitRow>) {
    let mut by_key: BTreeMap<SplitKey, Vec<SplitRow>> = BTreeMap::new();
    let mut next = 0;
    for (v, until) in &career.versions {
        let version = &league.versions[*v];
        for &row in &career.sides[next..*until] {
            let side = &league.sides[row];
            for key in keys(side, league.facts) {
                let states = by_key.entry(key.clone()).or_default();
                if states.last().is_none_or(|last| last.version != version.version) {
                    let (bouts, rounds) = states.last().map_or((0, 0), |last| (last.bouts, last.rounds));
                    states.push(SplitRow {
                        fighter: version.fighter,
                        key,
                        version: version.version,
                        valid_from: version.valid_from,
                        bouts,
                        rounds,
                        last_bout: side.bout.date,
                        earlier: None,
                        added: Vec::new(),
                    });
                }
                if let Some(state) = states.last_mut() {
                    state.bouts += 1;
                    state.rounds += side.rounds();
                    state.added.push(row);
                }
            }
        }
        next = *until;
    }
    for states in by_key.into_values() {
        for (n, state) in states.into_iter().enumerate() {
            rows.push(SplitRow { earlier: (n > 0).then(|| rows.len() - 1), ..state });
        }
    }
}

/// The kinds that a bout is of. One whose value is not known is of none of that dimension.
fn keys(side: &SideRow<'_>, facts: FactsAsOf<'_>) -> Vec<SplitKey> {
    let bout = side.bout;
    let result = match bout.winner {
        _ if !bout.has_result() => "no_contest",
        None => "draw",
        Some(winner) if winner == side.side => "win",
        Some(_) => "loss",
    };
    let key = |dimension, key: Option<String>| key.map(|key| SplitKey { dimension, key });
    let keys = [
        key("opponent_stance", facts.stance(side.opponent()).map(|s| s.name().to_owned())),
        key("result", Some(result.to_owned())),
        key("scheduled_rounds", bout.scheduled_rounds.map(|rounds| rounds.to_string())),
        key("title", Some(if bout.is_title { "title" } else { "no_title" }.to_owned())),
        key("weight_class", bout.class.map(WeightClass::name).map(str::to_owned)),
    ];
    keys.into_iter().flatten().collect()
}

fn sums(league: &CareerIndex<'_>, metric: &Metric, rows: &[SplitRow]) -> Result<SplitSums, UnknownColumn> {
    let parts = RatioTerms::of(metric)?.parts(league);
    let mut sums = SplitSums {
        metric: metric.name.clone(),
        numerator: Vec::with_capacity(rows.len()),
        denominator: Vec::with_capacity(rows.len()),
        bouts: Vec::with_capacity(rows.len()),
    };
    for row in rows {
        let carrying: Vec<_> = row.added.iter().filter_map(|side| parts[*side]).collect();
        let before = |series: &[i64]| row.earlier.map_or(0, |earlier| series[earlier]);
        let y = before(&sums.numerator) + carrying.iter().map(|part| int(part.y)).sum::<i64>();
        let d = before(&sums.denominator) + carrying.iter().map(|part| int(part.d)).sum::<i64>();
        let bouts = row.earlier.map_or(0, |earlier| sums.bouts[earlier]) + whole(carrying.len());
        sums.numerator.push(y);
        sums.denominator.push(d);
        sums.bouts.push(bouts);
    }
    Ok(sums)
}

/// A sum of counts as the whole number that it is.
#[expect(clippy::cast_possible_truncation, reason = "sums of counts are whole and far below 2^53")]
pub(crate) fn int(sum: f64) -> i64 {
    sum as i64
}
