//! Endings of a fighter's bouts, and the times of the finishes.

use std::collections::BTreeMap;

use fdna_model::{BoutFact, FighterId, Method, Outcome, Side};

use fdna_dna::count_as_i32;

use crate::career_index::CareerIndex;

/// Bouts of one version that ended in one way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishRow {
    pub fighter: FighterId,
    pub version: i32,
    pub ending: BoutEnding,
    pub bouts: i32,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct BoutEnding {
    /// win, loss, draw, `no_contest` or overturned.
    pub result: &'static str,
    pub method: &'static str,
    pub round: i32,
    /// As the source words it; empty for what is no finish.
    pub detail: String,
}

/// When the finished wins or losses of one version ended, in seconds.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishTimes {
    pub fighter: FighterId,
    pub version: i32,
    /// win or loss.
    pub result: &'static str,
    pub bouts: i32,
    /// Quartiles, the second being the median.
    pub quartiles: [f64; 3],
}

/// By fighter, version and ending; by fighter, version and result.
pub(crate) fn finish_profiles(league: &CareerIndex<'_>) -> (Vec<FinishRow>, Vec<FinishTimes>) {
    let (mut rows, mut times) = (Vec::new(), Vec::new());
    for career in league.careers() {
        let mut endings: BTreeMap<BoutEnding, i32> = BTreeMap::new();
        let mut secs: BTreeMap<&'static str, Vec<i32>> = BTreeMap::new();
        let mut next = 0;
        for (v, until) in &career.versions {
            for side in career.rows[next..*until].iter().map(|row| &league.sides[*row]) {
                let ending = bout_ending(side.bout, side.side);
                if let Some(total) = side.bout.total_secs.filter(|_| is_finish(side.bout)) {
                    let secs = secs.entry(ending.result).or_default();
                    secs.insert(secs.partition_point(|other| *other < total), total);
                }
                *endings.entry(ending).or_default() += 1;
            }
            next = *until;
            let (fighter, version) = (league.versions[*v].fighter, league.versions[*v].version);
            let row = |(ending, bouts): (&BoutEnding, &i32)| FinishRow {
                fighter,
                version,
                ending: ending.clone(),
                bouts: *bouts,
            };
            rows.extend(endings.iter().map(row));
            let time = |(result, secs): (&&'static str, &Vec<i32>)| FinishTimes {
                fighter,
                version,
                result,
                bouts: count_as_i32(secs.len()),
                quartiles: [0.25, 0.5, 0.75].map(|share| quantile(secs, share)),
            };
            times.extend(secs.iter().map(time));
        }
    }
    // "loss" sorts before "win", as the rows of the other table do.
    (rows, times)
}

fn is_finish(bout: &BoutFact) -> bool {
    bout.outcome == Outcome::Win && bout.method.is_finish()
}

fn bout_ending(bout: &BoutFact, side: Side) -> BoutEnding {
    let result = match bout.winner {
        _ if bout.method == Method::Overturned => "overturned",
        _ if bout.outcome == Outcome::NoContest => "no_contest",
        None => "draw",
        Some(winner) if winner == side => "win",
        Some(_) => "loss",
    };
    let detail = bout.method_detail.clone().filter(|_| is_finish(bout)).unwrap_or_default();
    BoutEnding { result, method: bout.method.name(), round: bout.last_round, detail }
}

/// Of sorted values, by linear interpolation between the two nearest ranks.
fn quantile(sorted: &[i32], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let rank = share * f64::from(count_as_i32(last));
    let below = (0..last).take_while(|i| f64::from(count_as_i32(*i + 1)) <= rank).count();
    let [low, high] = [below, (below + 1).min(last)].map(|i| f64::from(sorted[i]));
    low + (rank - f64::from(count_as_i32(below))) * (high - low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_lie_between_the_nearest_ranks() {
        let of = |secs: &[i32]| [0.25, 0.5, 0.75].map(|share| format!("{:.1}", quantile(secs, share)));
        assert_eq!(of(&[10]), ["10.0", "10.0", "10.0"]);
        assert_eq!(of(&[10, 20]), ["12.5", "15.0", "17.5"]);
        assert_eq!(of(&[0, 10, 20, 30, 40]), ["10.0", "20.0", "30.0"]);
    }
}
