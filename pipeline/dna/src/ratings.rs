//! Elo ratings over contests of two: strength of opposition, no probability of winning.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use fdna_schemas::RatingSettings;

use crate::timeline::SubjectId;

/// A contest with a known outcome. Contests of one date, or of another `D` by which they follow one another, are rated from the
/// ratings before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatedContest<D = NaiveDate> {
    /// The caller's number of it.
    pub contest: usize,
    pub date: D,
    pub subjects: [SubjectId; 2],
    /// Of the first: 1 won, 0.5 drawn, 0 lost.
    pub score: f64,
    /// Factor by which the contest moves the ratings.
    pub weight: f64,
    /// By how much the winner won, where ratings move by it.
    pub margin: Option<f64>,
    /// Rating points that the place of the contest is worth to the first.
    pub advantage: f64,
    /// Number of the season: between two that follow one another ratings fall back towards the start once.
    pub season: i32,
    pub periods: i32,
}

/// One side of a rated contest.
#[derive(Debug, Clone, PartialEq)]
pub struct RatedSide<D = NaiveDate> {
    pub subject: SubjectId,
    pub contest: usize,
    pub date: D,
    pub opponent: SubjectId,
    /// Before the date.
    pub before: f64,
    pub opponent_before: f64,
    /// Rating points that the place of the contest is worth to the side.
    pub advantage: f64,
    /// K with all its factors.
    pub k_factor: f64,
    pub score: f64,
    pub delta: f64,
    /// After all contests of the date.
    pub after: f64,
    /// Rated contests of the subject, those of the date included.
    pub contests: i32,
}

/// A rating, and the rated contests and periods that it rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatingState {
    pub rating: f64,
    pub contests: i32,
    pub periods: i32,
    /// Of the newest of them.
    pub season: i32,
}

fn subject_index(subject: SubjectId) -> usize {
    subject.0 as usize
}

/// Ratings of all subjects over time.
#[derive(Debug)]
pub struct EloRatings<D = NaiveDate> {
    settings: RatingSettings,
    /// Oldest first.
    pub sides: Vec<RatedSide<D>>,
    /// By subject: each date with rated contests, and its state after it.
    states: Vec<Vec<(D, RatingState)>>,
}

impl<D: Copy + Ord> EloRatings<D> {
    /// `contests` oldest first.
    #[must_use]
    pub fn new(contests: &[RatedContest<D>], settings: RatingSettings) -> Self {
        let subjects = contests.iter().flat_map(|contest| contest.subjects);
        let states =
            vec![Vec::new(); subjects.map(|subject| subject_index(subject) + 1).max().unwrap_or_default()];
        let mut ratings = Self { settings, sides: Vec::new(), states };
        for day in contests.chunk_by(|a, b| a.date == b.date) {
            ratings.add_day(day);
        }
        ratings
    }

    /// The changes of one date are summed, from the ratings before it.
    fn add_day(&mut self, contests: &[RatedContest<D>]) {
        let mut sides = Vec::new();
        let mut states: BTreeMap<SubjectId, RatingState> = BTreeMap::new();
        for contest in contests {
            for side in [0, 1].map(|side| self.rated_side(contest, side)) {
                let state = states
                    .entry(side.subject)
                    .or_insert_with(|| self.state_in_season(side.subject, contest.season));
                state.rating += side.delta;
                state.contests += 1;
                state.periods += contest.periods;
                sides.push(side);
            }
        }
        let Some(date) = sides.first().map(|side: &RatedSide<D>| side.date) else { return };
        for (subject, state) in states {
            self.states[subject_index(subject)].push((date, state));
        }
        let sides = sides
            .into_iter()
            .map(|side| (self.current_state(side.subject), side))
            .map(|(state, side)| RatedSide { after: state.rating, contests: state.contests, ..side });
        let sides: Vec<RatedSide<D>> = sides.collect();
        self.sides.extend(sides);
    }

    fn rated_side(&self, contest: &RatedContest<D>, side: usize) -> RatedSide<D> {
        let [subject, opponent] = [contest.subjects[side], contest.subjects[1 - side]];
        let [own, theirs] = [subject, opponent].map(|side| self.state_in_season(side, contest.season));
        let (before, opponent_before) = (own.rating, theirs.rating);
        let score = if side == 0 { contest.score } else { 1.0 - contest.score };
        let is_newcomer = own.contests < self.settings.newcomer_contests;
        let newcomer = if is_newcomer { self.settings.newcomer_factor } else { 1.0 };
        let slowed = self.settings.slowdown.map_or(1.0, |slowdown| slowdown.divisor_after(own.contests));
        let advantage = if side == 0 { contest.advantage } else { -contest.advantage };
        let lead = before + advantage - opponent_before;
        let by_margin = contest
            .margin
            .zip(self.settings.margin)
            .map_or(1.0, |(margin, settings)| settings.k_multiplier(margin, lead * (2.0 * score - 1.0)));
        let k_factor = self.settings.k * contest.weight * by_margin * newcomer / slowed;
        let expected = 1.0 / (1.0 + 10_f64.powf(-lead / 400.0));
        let (contest, date, delta) = (contest.contest, contest.date, k_factor * (score - expected));
        RatedSide {
            subject,
            contest,
            date,
            opponent,
            before,
            opponent_before,
            advantage,
            k_factor,
            score,
            delta,
            after: before,
            contests: own.contests,
        }
    }

    /// The state of one who has no rated contest yet.
    #[must_use]
    pub fn newcomer_state(&self) -> RatingState {
        RatingState { rating: self.settings.start, contests: 0, periods: 0, season: 0 }
    }

    fn current_state(&self, subject: SubjectId) -> RatingState {
        let last = self.states.get(subject_index(subject)).and_then(|states| states.last());
        last.map_or_else(|| self.newcomer_state(), |(_, state)| *state)
    }

    /// The state before a contest of a season.
    fn state_in_season(&self, subject: SubjectId, season: i32) -> RatingState {
        let state = self.current_state(subject);
        let RatingSettings { start, carry, .. } = self.settings;
        // A season of which nothing is captured lies between two as well.
        let seasons = if state.contests > 0 { season - state.season } else { 0 };
        let rating =
            if seasons > 0 { start + carry.powi(seasons) * (state.rating - start) } else { state.rating };
        RatingState { rating, season, ..state }
    }

    /// The state from contests before a date; `None` without one.
    #[must_use]
    pub fn state_before(&self, subject: SubjectId, date: D) -> Option<RatingState> {
        let states = self.states.get(subject_index(subject))?;
        let passed = states.partition_point(|(day, _)| *day < date);
        passed.checked_sub(1).map(|last| states[last].1)
    }
}

impl EloRatings {
    /// The first day after a date on which the state is another; [`NaiveDate::MAX`] if it stays.
    #[must_use]
    pub fn next_change(&self, subject: SubjectId, date: NaiveDate) -> NaiveDate {
        let states = self.states.get(subject_index(subject)).map(Vec::as_slice).unwrap_or_default();
        let next = states.get(states.partition_point(|(day, _)| *day < date));
        next.and_then(|(day, _)| day.succ_opt()).unwrap_or(NaiveDate::MAX)
    }
}
