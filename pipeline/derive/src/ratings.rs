//! House rating: Elo over all bouts with a known outcome. Strength of opposition, no probability of winning.

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};
use fdna_model::{BoutFact, BoutId, FighterId, Method, Side};

use crate::career_index::{CareerIndex, DnaVersion, whole};
use crate::columns::SideRow;
use crate::fact::FactMetric;

/// The metrics of this module, for the test that the catalogue names the same.
#[cfg(test)]
pub(crate) const METRICS: [&str; 4] =
    ["house_rating", "opponent_rating_mean", "opponent_rating_mean_last3", "rating_change_365d"];

const START: f64 = 1500.0;
const K: f64 = 64.0;
const FINISH: f64 = 1.25;
/// A split or majority decision was nearly the other way.
const CLOSE: f64 = 0.5;
/// Little is known of a fighter in his first bouts: they move him further.
const NEWCOMER: f64 = 1.5;
const NEWCOMER_BOUTS: i32 = 3;

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
#[derive(Debug, Default)]
pub(crate) struct HouseRatings {
    /// Oldest first.
    pub(crate) rows: Vec<RatingRow>,
    /// By fighter: each date with rated bouts, and his standing after it.
    careers: BTreeMap<FighterId, Vec<(NaiveDate, RatingState)>>,
}

/// A rating, and the rated bouts and rounds that it rests on.
#[derive(Debug, Clone, Copy)]
struct RatingState {
    rating: f64,
    bouts: i32,
    rounds: i32,
}

const BEGINNER: RatingState = RatingState { rating: START, bouts: 0, rounds: 0 };

impl HouseRatings {
    /// `bouts` oldest first.
    pub(crate) fn of(bouts: &[BoutFact]) -> Self {
        let mut ratings = Self::default();
        for day in bouts.chunk_by(|a, b| a.date == b.date) {
            ratings.add_day(day);
        }
        ratings
    }

    /// The changes of one date are summed, from the ratings before it.
    fn add_day(&mut self, bouts: &[BoutFact]) {
        let rated = bouts.iter().filter(|b| b.has_result());
        let mut rows = Vec::new();
        let mut standings: BTreeMap<FighterId, RatingState> = BTreeMap::new();
        for bout in rated {
            for row in Side::BOTH.map(|side| self.row(bout, side)) {
                let standing = standings.entry(row.fighter).or_insert_with(|| self.now(row.fighter));
                standing.rating += row.delta;
                standing.bouts += 1;
                standing.rounds += bout.last_round;
                rows.push(row);
            }
        }
        let Some(date) = rows.first().map(|row: &RatingRow| row.date) else { return };
        for (fighter, standing) in standings {
            self.careers.entry(fighter).or_default().push((date, standing));
        }
        let rows = rows.into_iter().map(|row| RatingRow { after: self.now(row.fighter).rating, ..row });
        let rows: Vec<RatingRow> = rows.collect();
        self.rows.extend(rows);
    }

    fn row(&self, bout: &BoutFact, side: Side) -> RatingRow {
        let [fighter, opponent] = [side, side.other()].map(|side| bout.fighters[side.index()]);
        let (own, theirs) = (self.now(fighter), self.now(opponent));
        let (before, opponent_before) = (own.rating, theirs.rating);
        let score = match bout.winner {
            None => 0.5,
            Some(winner) => f64::from(u8::from(winner == side)),
        };
        let newcomer = if own.bouts < NEWCOMER_BOUTS { NEWCOMER } else { 1.0 };
        let k_factor = K * weight(bout.method) * newcomer;
        let expected = 1.0 / (1.0 + 10_f64.powf((opponent_before - before) / 400.0));
        let delta = k_factor * (score - expected);
        let (bout, date) = (bout.id, bout.date);
        RatingRow {
            fighter,
            bout,
            date,
            opponent,
            before,
            opponent_before,
            k_factor,
            score,
            delta,
            after: before,
        }
    }

    fn now(&self, fighter: FighterId) -> RatingState {
        let last = self.careers.get(&fighter).and_then(|career| career.last());
        last.map_or(BEGINNER, |(_, standing)| *standing)
    }

    /// The standing from bouts before a date; `None` without one.
    fn before(&self, fighter: FighterId, date: NaiveDate) -> Option<RatingState> {
        let career = self.careers.get(&fighter)?;
        let passed = career.partition_point(|(day, _)| *day < date);
        passed.checked_sub(1).map(|last| career[last].1)
    }

    /// A fact about each version, in their order; `None` for a metric of another module.
    pub(crate) fn facts(&self, league: &CareerIndex<'_>, metric: &str) -> Option<Vec<FactMetric>> {
        Some(match metric {
            "house_rating" => league.each_version(|version, _| self.rating(version)),
            "opponent_rating_mean" => league.each_version(|_, sides| self.mean_opponent(sides)),
            "opponent_rating_mean_last3" => {
                league.each_version(|_, sides| self.mean_opponent(&sides[sides.len().saturating_sub(3)..]))
            }
            "rating_change_365d" => league.each_version(|version, _| self.change(version)),
            _ => return None,
        })
    }

    fn rating(&self, version: &DnaVersion) -> FactMetric {
        let now = self.before(version.fighter, version.valid_from);
        now.map_or(FactMetric::TooFew, |now| FactMetric::Rated(now.rating, now.bouts, now.rounds))
    }

    fn change(&self, version: &DnaVersion) -> FactMetric {
        let (fighter, date) = (version.fighter, version.valid_from);
        match (self.before(fighter, date), self.at("rating_change_365d", fighter, date)) {
            (None, _) => FactMetric::TooFew,
            (Some(_), None) => FactMetric::NoEarlierBout,
            (Some(now), Some(change)) => FactMetric::Rated(change, now.bouts, now.rounds),
        }
    }

    /// What a metric of this module that moves with time is on any date; `None` without a rated bout.
    pub(crate) fn at(&self, metric: &str, fighter: FighterId, date: NaiveDate) -> Option<f64> {
        let now = self.before(fighter, date)?.rating;
        match metric {
            "house_rating" => Some(now),
            "rating_change_365d" => {
                Some(now - self.before(fighter, date.checked_sub_days(Days::new(365))?)?.rating)
            }
            _ => None,
        }
    }

    fn mean_opponent(&self, sides: &[&SideRow<'_>]) -> FactMetric {
        let before =
            |side: &&SideRow<'_>| self.before(side.opponent(), side.bout.date).unwrap_or(BEGINNER).rating;
        let sum: f64 = sides.iter().map(before).sum();
        if sides.is_empty() {
            FactMetric::TooFew
        } else {
            FactMetric::Known(sum / f64::from(whole(sides.len())))
        }
    }
}

/// A disqualification is plain.
fn weight(method: Method) -> f64 {
    match method {
        Method::DecisionSplit | Method::DecisionMajority => CLOSE,
        method if method.is_finish() => FINISH,
        _ => 1.0,
    }
}
