//! Sums over a fighter's career, all promotions, from the first day that the source counts.

use std::collections::HashMap;

use chrono::NaiveDate;
use fdna_model::{BoutFact, Count, Facts, FactsAsOf, FighterId, Side};

use super::statistic::{self, CareerStatistic, CareerValues};

/// Sums behind the statistics: own counts and the opponents'.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CareerTotals {
    pub(super) secs: i64,
    pub(super) bouts: usize,
    pub(super) own: CareerCounts,
    pub(super) opponents: CareerCounts,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CareerCounts {
    pub(super) sig_landed: i64,
    pub(super) sig_attempted: i64,
    pub(super) td_landed: i64,
    pub(super) td_attempted: i64,
    pub(super) sub_attempts: i64,
}

impl CareerCounts {
    fn add_bout(&mut self, bout: &BoutFact, side: Side) {
        for round in &bout.rounds {
            let counts = &round.counts[side.index()];
            let count_of = |count: Count| i64::from(counts[count]);
            self.sig_landed += count_of(Count::SigLanded);
            self.sig_attempted += count_of(Count::SigAttempted);
            self.td_landed += count_of(Count::TdLanded);
            self.td_attempted += count_of(Count::TdAttempted);
            self.sub_attempts += count_of(Count::SubAttempts);
        }
    }
}

impl CareerTotals {
    fn add_bout(&mut self, bout: &BoutFact, side: Side) {
        self.secs += bout.total_secs.map_or(0, i64::from);
        self.bouts += 1;
        self.own.add_bout(bout, side);
        self.opponents.add_bout(bout, side.other());
    }

    /// Numerator and denominator of a statistic; a rate's have its minutes in them.
    pub(super) fn ratio_terms(&self, statistic: CareerStatistic) -> (i64, i64) {
        let (own, opponents) = (&self.own, &self.opponents);
        match statistic {
            CareerStatistic::SlPm => (own.sig_landed * 60, self.secs),
            CareerStatistic::StrAcc => (own.sig_landed, own.sig_attempted),
            CareerStatistic::SaPm => (opponents.sig_landed * 60, self.secs),
            CareerStatistic::StrDef => {
                (opponents.sig_attempted - opponents.sig_landed, opponents.sig_attempted)
            }
            CareerStatistic::TdAvg => (own.td_landed * 900, self.secs),
            CareerStatistic::TdAcc => (own.td_landed, own.td_attempted),
            CareerStatistic::TdDef => (opponents.td_attempted - opponents.td_landed, opponents.td_attempted),
            CareerStatistic::SubAvg => (own.sub_attempts * 900, self.secs),
        }
    }

    /// The eight, as the source would publish them.
    pub(super) fn published_values(&self) -> CareerValues {
        statistic::ALL.map(|statistic| {
            let (numerator, denominator) = self.ratio_terms(statistic);
            statistic.published_units(numerator, denominator)
        })
    }
}

/// First day of which the source counts bouts.
const FIRST_COUNTED: NaiveDate = NaiveDate::from_ymd_opt(2000, 11, 17).expect("a date");

/// Careers up to a day.
pub(super) struct CareerSums {
    as_of: NaiveDate,
    totals: HashMap<FighterId, CareerTotals>,
    /// Without each fighter's last bout.
    but_last: HashMap<FighterId, CareerTotals>,
}

impl CareerSums {
    /// Bouts before `as_of`.
    pub(super) fn from_facts(facts: &Facts, as_of: NaiveDate) -> Self {
        let mut careers = Self { as_of, totals: HashMap::new(), but_last: HashMap::new() };
        for bout in FactsAsOf::cut_at(facts, as_of).bouts().iter().filter(|bout| bout.is_eligible()) {
            for side in Side::BOTH {
                let fighter = bout.fighters[side.index()];
                let totals = careers.totals.entry(fighter).or_default();
                careers.but_last.insert(fighter, *totals);
                totals.add_bout(bout, side);
            }
        }
        careers
    }

    /// Whether the source counts bouts of this day.
    pub(super) fn counts_day(&self, date: NaiveDate) -> bool {
        (FIRST_COUNTED..self.as_of).contains(&date)
    }

    /// `None` for a fighter without a bout that counts.
    pub(super) fn totals_of(&self, fighter: FighterId) -> Option<&CareerTotals> {
        self.totals.get(&fighter)
    }

    pub(super) fn but_last(&self, fighter: FighterId) -> Option<&CareerTotals> {
        self.but_last.get(&fighter)
    }
}
