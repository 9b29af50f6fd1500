//! Causes of differences between published numbers and the facts: the first that can be shown.

use chrono::Days;
use fdna_model::{BoutFact, Facts, FighterId};

use super::statistic::{self, CareerStatistic, CareerValues};
use super::totals::{CareerCounts, CareerSums, CareerTotals};

/// Days after the cut whose bouts the numbers may hold already.
pub(super) const AROUND_THE_CUT: Days = Days::new(14);

/// A cause, with what shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DifferenceCause {
    /// Every published value is the exact one's neighbour: the facts agree, the rounding does not.
    Rounding,
    /// All eight are equal without the last bout, or with those of the days after the cut.
    AroundTheCut,
    /// Counts for the bouts of which the facts have no statistics would give the published eight.
    BoutWithoutStatistics {
        secs: i64,
    },
    /// Most of the eight are equal, and so is the time: counts of a bout were restated.
    CountsRestated,
    /// More counts and at least so many more seconds give the published eight: bouts that the facts lack.
    BoutsMissing {
        secs: i64,
    },
    Unexplained,
}

impl DifferenceCause {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Rounding => "rounding",
            Self::AroundTheCut => "around_the_cut",
            Self::BoutWithoutStatistics { .. } => "bout_without_statistics",
            Self::CountsRestated => "counts_restated",
            Self::BoutsMissing { .. } => "bouts_missing",
            Self::Unexplained => "unexplained",
        }
    }

    pub(super) fn describe(&self) -> String {
        match self {
            Self::Rounding => "within one unit of the last place".to_owned(),
            Self::AroundTheCut => "equal with one bout less, or those of two more weeks".to_owned(),
            Self::BoutWithoutStatistics { secs } => {
                format!("the facts have bouts of {secs} s without statistics, which the numbers can hold")
            }
            Self::CountsRestated => "all but one or two equal: counts restated".to_owned(),
            Self::BoutsMissing { secs } => format!("bouts missing in the facts: at least {secs} s of fight"),
            Self::Unexplained => "unexplained".to_owned(),
        }
    }
}

pub(super) fn find_cause(
    published: &CareerValues,
    totals: &CareerTotals,
    later: Option<&CareerTotals>,
    careers: &CareerSums,
    fighter: FighterId,
    facts: &Facts,
) -> DifferenceCause {
    let differing = || statistic::ALL.into_iter().zip(published).filter(|(s, p)| !is_near(*s, **p, totals));
    let is =
        |totals: Option<&CareerTotals>| totals.is_some_and(|totals| totals.published_values() == *published);
    if differing().count() == 0 {
        DifferenceCause::Rounding
    } else if is(later) || is(careers.but_last(fighter)) {
        DifferenceCause::AroundTheCut
    } else if differing().count() <= 2 {
        DifferenceCause::CountsRestated
    } else {
        let unknown = secs_without_statistics(fighter, facts, careers);
        let secs = unknown.into_iter().find(|secs| can_be_had(published, totals, totals.secs + secs));
        let missing = || missing_secs(published, totals).map(|secs| DifferenceCause::BoutsMissing { secs });
        let cause = secs.map(|secs| DifferenceCause::BoutWithoutStatistics { secs }).or_else(missing);
        cause.unwrap_or(DifferenceCause::Unexplained)
    }
}

/// Whether the published value is the whole number of units on either side of the exact one.
fn is_near(statistic: CareerStatistic, published: i64, totals: &CareerTotals) -> bool {
    let (numerator, denominator) = totals.ratio_terms(statistic);
    if denominator == 0 {
        return published == 0;
    }
    (published * denominator - numerator * statistic.scale()).abs() < denominator
}

/// Fought seconds of each bout that would count but has no statistics, and of all of them.
fn secs_without_statistics(fighter: FighterId, facts: &Facts, careers: &CareerSums) -> Vec<i64> {
    let is_of_theirs = |bout: &&BoutFact| bout.fighters.contains(&fighter) && careers.counts_day(bout.date);
    let bouts = facts.bouts().iter().filter(is_of_theirs).filter(|bout| bout.rounds.is_empty());
    let mut secs: Vec<i64> = bouts.filter_map(|bout| bout.total_secs).map(i64::from).collect();
    secs.push(secs.iter().sum());
    secs.retain(|secs| *secs > 0);
    secs
}

/// More time than thirty bouts of five rounds is no missing bout.
const MOST_SECS: i64 = 30 * 5 * 300;

/// The least time to add so that the published eight can be had by adding counts as well.
fn missing_secs(published: &CareerValues, totals: &CareerTotals) -> Option<i64> {
    (1..=MOST_SECS).find(|more| can_be_had(published, totals, totals.secs + more))
}

fn can_be_had(published: &CareerValues, totals: &CareerTotals, secs: i64) -> bool {
    let [slpm, acc, sapm, def, td_avg, td_acc, _, sub] = *published;
    let landed = largest_allowed(slpm, 100, 60, secs, totals.own.sig_landed);
    let absorbed = largest_allowed(sapm, 100, 60, secs, totals.opponents.sig_landed);
    let taken = largest_allowed(td_avg, 100, 900, secs, totals.own.td_landed);
    let attempts = largest_allowed(sub, 10, 900, secs, totals.own.sub_attempts);
    let misses = |counts: &CareerCounts| counts.sig_attempted - counts.sig_landed;
    landed.is_some_and(|n| has_room(n, acc, misses(&totals.own)))
        && absorbed.is_some_and(|n| has_room(n, 99 - def, misses(&totals.opponents)))
        && taken.is_some_and(|n| has_room(n, td_acc, totals.own.td_attempted - totals.own.td_landed))
        && attempts.is_some()
}

/// The most that a published rate allows in this time, if it allows what the facts have. A hair more than half
/// a unit is left on either side for the steps of rounding.
fn largest_allowed(units: i64, scale: i64, per_secs: i64, secs: i64, have: i64) -> Option<i64> {
    let in_time = |units_times_100: i64| units_times_100 * secs;
    let (low, high) = (in_time(100 * units - 56), in_time(100 * units + 56));
    let unit = 100 * scale * per_secs;
    let (low, high) = (low.max(0).div_euclid(unit) + i64::from(low > 0 && low % unit != 0), high / unit);
    (low <= high && high >= have).then_some(high)
}

/// Whether so many landed at a share of so many percent leave room for the misses that the facts have.
fn has_room(landed: i64, percent: i64, misses: i64) -> bool {
    percent <= 0 || 100 * landed / percent - landed >= misses
}

#[cfg(test)]
mod tests {
    use super::*;

    fn career(secs: i64, landed: i64, attempted: i64) -> CareerTotals {
        let own = CareerCounts { sig_landed: landed, sig_attempted: attempted, ..CareerCounts::default() };
        let opponents = CareerCounts { sig_landed: 5, sig_attempted: 20, ..CareerCounts::default() };
        CareerTotals { secs, bouts: 1, own, opponents }
    }

    #[test]
    fn a_career_with_one_bout_more_can_be_had_by_adding_and_one_with_less_cannot() {
        let (less, more) = (career(900, 30, 60), career(1800, 90, 150));
        let secs = missing_secs(&more.published_values(), &less).unwrap();
        assert!((1..=900).contains(&secs), "{secs}");
        // Fewer landed in more time than the facts have landed at all.
        let mut fewer = less.published_values();
        fewer[0] = 0;
        assert_eq!(missing_secs(&fewer, &less), None);
    }

    #[test]
    fn neighbours_of_the_exact_value_are_near() {
        let totals = career(900, 30, 61);
        // 30 of 61 is 49.18 percent.
        let near = [48, 49, 50, 51].map(|percent| is_near(CareerStatistic::StrAcc, percent, &totals));
        assert_eq!(near, [false, true, true, false]);
    }
}
