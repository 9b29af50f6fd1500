//! House rating: Elo over all bouts with a known outcome. Strength of opposition, no probability of winning.

use chrono::{Days, NaiveDate};
use fdna_dna::{EloRatings, FactMetric, RatedContest, SubjectId, count_as_i32};
use fdna_model::{BoutFact, BoutId, FighterId, Method, Side};
use fdna_schemas::RatingSettings;

use crate::career_index::{CareerIndex, DnaVersion};
use crate::columns::SideRow;

/// The metrics of this module, for the test that the metric definitions name the same.
#[cfg(test)]
pub(crate) const METRICS: [&str; 4] =
    ["house_rating", "opponent_rating_mean", "opponent_rating_mean_last3", "rating_change_365d"];

const FINISH: f64 = 1.25;
/// A split or majority decision was nearly the other way.
const CLOSE: f64 = 0.5;

/// A fighter's side of a rated bout.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingRow {
    pub fighter: FighterId,
    pub bout: BoutId,
    pub date: NaiveDate,
    pub opponent: FighterId,
    /// Before the date.
    pub before: f64,
    pub opponent_before: f64,
    /// K with all its factors.
    pub k_factor: f64,
    /// 1 won, 0.5 draw, 0 lost.
    pub score: f64,
    pub delta: f64,
    /// After all bouts of the date.
    pub after: f64,
}

/// Ratings of all fighters over time.
pub(crate) struct HouseRatings<'a> {
    league: &'a CareerIndex<'a>,
    elo: EloRatings,
}

impl<'a> HouseRatings<'a> {
    pub(crate) fn from_league(league: &'a CareerIndex<'a>, settings: RatingSettings) -> Self {
        let rated = league.facts.bouts().iter().enumerate().filter(|(_, bout)| bout.has_result());
        let contests: Vec<RatedContest> =
            rated.map(|(place, bout)| rated_contest(league, place, bout)).collect();
        Self { league, elo: EloRatings::new(&contests, settings) }
    }

    /// By fighter and bout.
    pub(crate) fn rating_rows(&self) -> Vec<RatingRow> {
        let rows = self.elo.sides.iter().map(|side| RatingRow {
            fighter: self.league.fighter_of(side.subject),
            bout: self.league.facts.bouts()[side.contest].id,
            date: side.date,
            opponent: self.league.fighter_of(side.opponent),
            before: side.before,
            opponent_before: side.opponent_before,
            k_factor: side.k_factor,
            score: side.score,
            delta: side.delta,
            after: side.after,
        });
        let mut rows: Vec<RatingRow> = rows.collect();
        rows.sort_by_key(|row| (row.fighter, row.bout));
        rows
    }

    /// A fact about each version, in their order; `None` for a metric of another module.
    pub(crate) fn rating_facts(&self, metric: &str) -> Option<Vec<FactMetric>> {
        let league = self.league;
        Some(match metric {
            "house_rating" => league.each_version(|version, _| self.rating_fact(version)),
            "opponent_rating_mean" => self.mean_opponents(usize::MAX),
            "opponent_rating_mean_last3" => self.mean_opponents(3),
            "rating_change_365d" => league.each_version(|version, _| self.change_fact(version)),
            _ => return None,
        })
    }

    /// The value on any date of a metric of this module that moves with time; `None` without a rated bout.
    pub(crate) fn value_at(&self, metric: &str, fighter: SubjectId, date: NaiveDate) -> Option<f64> {
        let now = self.elo.state_before(fighter, date)?.rating;
        match metric {
            "house_rating" => Some(now),
            "rating_change_365d" => {
                Some(now - self.elo.state_before(fighter, date.checked_sub_days(Days::new(365))?)?.rating)
            }
            _ => None,
        }
    }

    /// The first day after a date on which what [`Self::value_at`] gives may be another.
    pub(crate) fn next_change(&self, metric: &str, fighter: SubjectId, date: NaiveDate) -> NaiveDate {
        let until = self.elo.next_change(fighter, date);
        let a_year = Days::new(365);
        let of_then = date.checked_sub_days(a_year).map(|then| self.elo.next_change(fighter, then));
        let then = of_then.and_then(|until| until.checked_add_days(a_year)).unwrap_or(NaiveDate::MAX);
        if metric == "house_rating" { until } else { until.min(then) }
    }

    fn rating_fact(&self, version: &DnaVersion) -> FactMetric {
        let now = self.elo.state_before(self.league.subject_of(version.fighter), version.valid_from);
        now.map_or(FactMetric::TooFew, |now| FactMetric::Rated(now.rating, now.contests, now.periods))
    }

    fn change_fact(&self, version: &DnaVersion) -> FactMetric {
        let (fighter, date) = (self.league.subject_of(version.fighter), version.valid_from);
        match (self.elo.state_before(fighter, date), self.value_at("rating_change_365d", fighter, date)) {
            (None, _) => FactMetric::TooFew,
            (Some(_), None) => FactMetric::NoEarlierContest,
            (Some(now), Some(change)) => FactMetric::Rated(change, now.contests, now.periods),
        }
    }

    /// The mean of what the opponents of the newest bouts were rated before them.
    fn mean_opponents(&self, newest: usize) -> Vec<FactMetric> {
        let before = |side: &SideRow<'_>| {
            let opponent = self.league.subject_of(side.opponent());
            self.elo.state_before(opponent, side.bout.date).unwrap_or(self.elo.newcomer_state()).rating
        };
        let before: Vec<f64> = self.league.sides.iter().map(before).collect();
        self.league.timeline.each_version(|_, rows| {
            let rows = &rows[rows.len().saturating_sub(newest)..];
            let sum: f64 = rows.iter().map(|row| before[*row]).sum();
            if rows.is_empty() {
                FactMetric::TooFew
            } else {
                FactMetric::Known(sum / f64::from(count_as_i32(rows.len())))
            }
        })
    }
}

fn rated_contest(league: &CareerIndex<'_>, place: usize, bout: &BoutFact) -> RatedContest {
    let score = match bout.winner {
        None => 0.5,
        Some(Side::A) => 1.0,
        Some(Side::B) => 0.0,
    };
    RatedContest {
        contest: place,
        date: bout.date,
        subjects: bout.fighters.map(|fighter| league.subject_of(fighter)),
        score,
        weight: method_weight(bout.method),
        margin: None,
        advantage: 0.0,
        season: 0,
        periods: bout.last_round,
    }
}

/// A disqualification is plain.
fn method_weight(method: Method) -> f64 {
    match method {
        Method::DecisionSplit | Method::DecisionMajority => CLOSE,
        method if method.is_finish() => FINISH,
        _ => 1.0,
    }
}
