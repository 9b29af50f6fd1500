//! The latest bouts against the earlier ones.

use chrono::NaiveDate;
use fdna_dna::{FactMetric, SubjectId, count_as_i32};
use fdna_model::Count;

use crate::career_index::{CareerIndex, DnaVersion};
use crate::columns::SideRow;

/// The metrics of this module, for the test that the metric definitions name the same.
#[cfg(test)]
pub(crate) const METRICS: [&str; 2] = ["trend_sig_diff", "win_streak"];

/// Bouts that are the latest.
const LATEST: usize = 3;

/// A fact about each version, in their order; `None` for a metric of another module.
pub(crate) fn form_facts(league: &CareerIndex<'_>, metric: &str) -> Option<Vec<FactMetric>> {
    Some(match metric {
        "trend_sig_diff" => league.each_version(|_, sides| strike_trend(sides)),
        "win_streak" => {
            let streak = |version: &DnaVersion| {
                win_streak(league, league.subject_of(version.fighter), version.valid_from)
            };
            league.each_version(|version, _| FactMetric::Known(streak(version)))
        }
        _ => return None,
    })
}

/// Significant strike difference per minute of the latest bouts, less that of all before them.
fn strike_trend(sides: &[&SideRow<'_>]) -> FactMetric {
    let Some(split) = sides.len().checked_sub(LATEST).filter(|earlier| *earlier > 0) else {
        return FactMetric::TooFew;
    };
    let (earlier, latest) = sides.split_at(split);
    match per_minute(latest).zip(per_minute(earlier)) {
        Some((latest, earlier)) => FactMetric::Known(latest - earlier),
        None => FactMetric::NotRecorded,
    }
}

fn per_minute(sides: &[&SideRow<'_>]) -> Option<f64> {
    let secs: i32 = sides.iter().filter_map(|side| side.bout.total_secs).sum();
    let landed = |side: &&SideRow<'_>, whose: fdna_model::Side| -> i32 {
        side.bout.rounds.iter().map(|r| r.counts[whose.index()][Count::SigLanded]).sum()
    };
    let diff: i32 = sides.iter().map(|side| landed(side, side.side) - landed(side, side.side.other())).sum();
    (secs > 0).then(|| f64::from(diff) * 60.0 / f64::from(secs))
}

/// Bouts won in a row before a date, with statistics or without; no contests and overturned results are passed over. Of
/// a day with one that was not won, that one counts as the last.
pub(crate) fn win_streak(league: &CareerIndex<'_>, fighter: SubjectId, date: NaiveDate) -> f64 {
    let fought = league.fought_before(fighter, date);
    let mut won = 0;
    for day in fought.chunk_by(|(a, _), (b, _)| a.date == b.date).rev() {
        let rated = || day.iter().filter(|(bout, _)| bout.has_result());
        if rated().any(|(bout, side)| bout.winner != Some(*side)) {
            break;
        }
        won += rated().count();
    }
    f64::from(count_as_i32(won))
}
