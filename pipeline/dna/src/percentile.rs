//! Place of a value among the active subjects of the pool.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use fdna_schemas::{Direction, EngineSettings, Metric};

use crate::metric::{MetricPercentile, MetricState};
use crate::pool_ranks::{DailyValue, NONE, PoolMembership, PoolRank, PoolRanks, ValueDrift};
use crate::prior::{PoolPrior, PoolPriors, SumRatio};
use crate::ratio::RatioSums;
use crate::timeline::{ActivePools, PoolDay, PoolId, SubjectId, Timeline, count_as_i32, place_as_u32};

/// Of shrunk values: every member's sums up to the day, drawn towards the priors of the day.
pub(crate) fn of_shrunk(
    timeline: &Timeline,
    priors: &PoolPriors<'_>,
    settings: &EngineSettings,
    metric: &Metric,
    sums: &[RatioSums],
    states: &mut [MetricState],
) {
    let min_weight = settings.confidence.low.min_weight;
    let entries = timeline.pool_entries.iter();
    let mut members = RatioMembers {
        values: entries.clone().map(|&version| states[version].value.unwrap_or(NONE)).collect(),
        sums: entries.map(|&version| sums[version].ratio.to_metric_units(metric)).collect(),
    };
    let on = |day: &PoolDay| {
        Some(ShrunkRatios { prior: priors.prior_for(day.window, Some(day.pool))?, min_weight })
    };
    place_versions(timeline, settings.min_pool_subjects, metric.direction, &mut members, on, states);
}

/// A subject's fact on a day, and the first later day on which it may differ. Where all move by the same
/// each day, it can be any number that puts the subjects in the same order.
pub type FactOnDay<'a> = &'a dyn Fn(SubjectId, NaiveDate) -> (Option<f64>, NaiveDate);

/// Of facts: every member's as of the day of the pool, where its sample meets the metric's minimum. A fact that moves with
/// time is given `at` a subject and day; the others are what they were after the latest observation.
pub(crate) fn of_facts(
    timeline: &Timeline,
    settings: &EngineSettings,
    metric: &Metric,
    at: Option<FactOnDay<'_>>,
    states: &mut [MetricState],
) {
    let is_enough = |state: &MetricState| state.exposure >= f64::from(metric.min.value);
    let entries = timeline.pool_entries.iter().map(|&version| &states[version]);
    let known = |state: &MetricState| state.raw_value.filter(|_| is_enough(state)).unwrap_or(NONE);
    let mut members = FactMembers {
        timeline,
        at,
        facts: entries.clone().map(known).collect(),
        is_stated: entries.map(|state| state.value.is_some()).collect(),
        until: BTreeMap::new(),
    };
    let on = |_: &PoolDay| Some(StatedFacts);
    place_versions(timeline, settings.min_pool_subjects, metric.direction, &mut members, on, states);
}

/// The versions in force, as the days of their pools pass. An entry is a version's place in [`Timeline::pool_entries`].
trait ActiveVersions<W: DailyValue> {
    /// The member of a version now.
    fn current_member(&self, entry: usize) -> W::Member;

    /// The value that is to be placed of a version that begins; [`NONE`] where it has none.
    fn placed_value(&self, entry: usize) -> f64;

    /// That a day has come, on which `active` are in force; gives what was needed and is needed of those whose fact has
    /// moved.
    fn move_to(&mut self, day: &PoolDay, active: &ActivePools) -> Vec<[W::Member; 2]>;
}

/// Places the versions that begin on each day of a pool. `on` gives what members are worth on a day; without it there is
/// nothing to compare.
fn place_versions<W: DailyValue>(
    timeline: &Timeline,
    min_pool: usize,
    direction: Direction,
    members: &mut impl ActiveVersions<W>,
    on: impl Fn(&PoolDay) -> Option<W>,
    states: &mut [MetricState],
) {
    let mut active = ActivePools::new(timeline);
    let mut pools: Vec<PoolRanks<W>> = (0..timeline.n_pools).map(|_| PoolRanks::default()).collect();
    let mut percentiles = vec![None; timeline.pool_entries.len()];
    for day in &timeline.pool_days {
        let pool = &mut pools[usize::from(day.pool.0)];
        day.ended.iter().for_each(|&entry| pool.leave_pool(members.current_member(entry as usize)));
        active.advance_day(day);
        for [before, now] in members.move_to(day, &active) {
            pool.leave_pool(before);
            pool.enter_pool(now);
        }
        day.begun.clone().for_each(|entry| pool.enter_pool(members.current_member(entry)));
        let values = day.begun.clone().map(|entry| (entry, members.placed_value(entry)));
        let (placed, values): (Vec<usize>, Vec<f64>) = values.filter(|(_, value)| !value.is_nan()).unzip();
        let Some(today) = on(day).filter(|_| !placed.is_empty()) else { continue };
        let all = active.members_of(day.pool).iter().map(|&entry| members.current_member(entry as usize));
        let ranked = pool.ranked_on(today, all);
        if ranked.size < min_pool {
            continue;
        }
        for (entry, rank) in placed.into_iter().zip(ranked.ranks_of(&values)) {
            let value = percentile_of_rank(rank, ranked.size, direction);
            percentiles[entry] = Some(MetricPercentile { value, pool_size: count_as_i32(ranked.size) });
        }
    }
    for (&version, percentile) in timeline.pool_entries.iter().zip(percentiles) {
        states[version].percentile = percentile;
    }
}

/// 100 · (worse + half of equal) / n.
fn percentile_of_rank(rank: PoolRank, size: usize, direction: Direction) -> f64 {
    let worse = if direction == Direction::Lower { size - rank.below - rank.equal } else { rank.below };
    let [worse, equal, size] = [worse, rank.equal, size].map(|count| f64::from(count_as_i32(count)));
    100.0 * (worse + equal / 2.0) / size
}

/// Of a ratio that is shrunk.
struct RatioMembers {
    /// By entry, in the metric's units.
    sums: Vec<SumRatio>,
    /// By entry.
    values: Vec<f64>,
}

impl ActiveVersions<ShrunkRatios> for RatioMembers {
    fn current_member(&self, entry: usize) -> SumRatio {
        self.sums[entry]
    }

    fn placed_value(&self, entry: usize) -> f64 {
        self.values[entry]
    }

    fn move_to(&mut self, _: &PoolDay, _: &ActivePools) -> Vec<[SumRatio; 2]> {
        Vec::new()
    }
}

/// Sums drawn towards the prior of a day, of those whose own sums have enough weight in that.
#[derive(Debug, Clone, Copy)]
struct ShrunkRatios {
    prior: PoolPrior,
    min_weight: f64,
}

/// The strength of a prior may move by so much until a pool is sorted anew, and the exposure that it takes to be ranked
/// with it: who is no further from that stays open.
const STRENGTH_MOVES: f64 = 0.02;
const OPEN_WITHIN: f64 = 0.04;

impl DailyValue for ShrunkRatios {
    type Member = SumRatio;

    fn value_of(&self, own: SumRatio) -> f64 {
        if self.prior.own_weight(own) >= self.min_weight { self.prior.shrunk_value(own) } else { NONE }
    }

    fn membership_of(&self, own: SumRatio) -> PoolMembership {
        // d / (d + s) ≥ w where d ≥ s · w / (1 − w).
        let enough = self.prior.strength * self.min_weight / (1.0 - self.min_weight);
        match own.d {
            d if d > enough * (1.0 + OPEN_WITHIN) => PoolMembership::In,
            d if d < enough * (1.0 - OPEN_WITHIN) => PoolMembership::Out,
            _ => PoolMembership::Open,
        }
    }

    /// With m the mean, s the strength and w the weight of one's own: a shrunk value v moves by at most (1 − w) · |Δm| as the
    /// mean does, and by at most (1 − w) · |v − m| · |Δs| / s as the strength does; no member's w is less than the minimum.
    fn drift_since(&self, then: &Self) -> Option<ValueDrift> {
        let (now, then) = (self.prior, then.prior);
        let moved = (now.strength - then.strength).abs() / now.strength;
        let is_known = (0.0..1.0).contains(&self.min_weight) && moved <= STRENGTH_MOVES;
        is_known.then(|| ValueDrift {
            shift: (1.0 - self.min_weight) * (now.mean - then.mean).abs(),
            stretch: (1.0 - self.min_weight) * moved,
            around: then.mean,
            rounding: 1e-9,
        })
    }
}

/// Of a fact.
struct FactMembers<'a> {
    timeline: &'a Timeline,
    at: Option<FactOnDay<'a>>,
    /// By entry: the fact as it is now, where its sample is enough.
    facts: Vec<f64>,
    is_stated: Vec<bool>,
    /// By pool and day: the entries whose fact may be another from that day.
    until: BTreeMap<PoolId, BTreeMap<NaiveDate, Vec<u32>>>,
}

impl ActiveVersions<StatedFacts> for FactMembers<'_> {
    fn current_member(&self, entry: usize) -> f64 {
        self.facts[entry]
    }

    fn placed_value(&self, entry: usize) -> f64 {
        if self.is_stated[entry] { self.facts[entry] } else { NONE }
    }

    fn move_to(&mut self, day: &PoolDay, active: &ActivePools) -> Vec<[f64; 2]> {
        let Some(at) = self.at else { return Vec::new() };
        let waiting = self.until.entry(day.pool).or_default();
        let later = day.date.succ_opt().map(|next| waiting.split_off(&next)).unwrap_or_default();
        let due = std::mem::replace(waiting, later);
        for entry in day.begun.clone() {
            // It enters after this.
            if !self.facts[entry].is_nan() {
                self.renew_fact(at, day, entry);
            }
        }
        let due = due.into_values().flatten().map(|entry| entry as usize);
        let due = due.filter(|&entry| active.is_active(entry));
        due.map(|entry| self.renew_fact(at, day, entry)).collect()
    }
}

impl FactMembers<'_> {
    /// The fact of a version before, and on this day.
    fn renew_fact(&mut self, at: FactOnDay<'_>, day: &PoolDay, entry: usize) -> [f64; 2] {
        let version = &self.timeline.versions[self.timeline.pool_entries[entry]];
        let (now, until) = at(version.subject, day.date);
        let now = now.unwrap_or(NONE);
        self.until.entry(day.pool).or_default().entry(until).or_default().push(place_as_u32(entry));
        [std::mem::replace(&mut self.facts[entry], now), now]
    }
}

/// Facts as they are.
#[derive(Debug, Clone, Copy)]
struct StatedFacts;

impl DailyValue for StatedFacts {
    type Member = f64;

    fn value_of(&self, fact: f64) -> f64 {
        fact
    }

    fn membership_of(&self, fact: f64) -> PoolMembership {
        if fact.is_nan() { PoolMembership::Out } else { PoolMembership::In }
    }

    fn drift_since(&self, _: &Self) -> Option<ValueDrift> {
        Some(ValueDrift::NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn percentiles(values: &[f64], pool: &[f64], direction: Direction) -> Vec<f64> {
        let mut ranks = PoolRanks::default();
        pool.iter().for_each(|member| ranks.enter_pool(*member));
        let day = ranks.ranked_on(StatedFacts, pool.iter().copied());
        day.ranks_of(values).into_iter().map(|rank| percentile_of_rank(rank, day.size, direction)).collect()
    }

    fn rank(value: f64, pool: &[f64], direction: Direction) -> f64 {
        percentiles(&[value], pool, direction)[0]
    }

    #[test]
    fn the_best_is_near_100_at_whichever_end_it_stands() {
        let pool = [1.0, 2.0, 3.0, 4.0];
        assert!((rank(4.0, &pool, Direction::Higher) - 87.5).abs() < 1e-12);
        assert!((rank(4.0, &pool, Direction::Neutral) - 87.5).abs() < 1e-12);
        assert!((rank(4.0, &pool, Direction::Lower) - 12.5).abs() < 1e-12);
        assert!((rank(2.0, &[2.0; 40], Direction::Lower) - 50.0).abs() < 1e-12);
    }

    /// A mean, a strength, and how many enter and leave.
    type PriorDay = (f64, f64, usize, usize);

    fn prior_days() -> impl Strategy<Value = Vec<PriorDay>> {
        let moves = (-0.02_f64..0.02, 0.98_f64..1.02, 0_usize..30, 0_usize..30);
        prop::collection::vec(moves, 1..40).prop_map(|moves| {
            let mut prior = (1.0, 40.0);
            let day = |(mean, strength, enter, leave)| {
                prior = (prior.0 + mean, prior.1 * strength);
                (prior.0, prior.1, enter, leave)
            };
            moves.into_iter().map(day).collect()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn ranks_of_a_pool_are_those_of_counting_as_priors_move_and_members_come_and_go(
            sums in prop::collection::vec((-40_i16..200, 0_i16..120), 1_100..1_800),
            at_once in 300_usize..1_000,
            days in prior_days(),
        ) {
            let sum = |(y, d): &(i16, i16)| SumRatio { y: f64::from(*y), d: f64::from(*d) };
            let sums: Vec<SumRatio> = sums.iter().map(sum).collect();
            let (mut begin, mut end) = (0, at_once);
            let mut pool = PoolRanks::default();
            sums[..end].iter().for_each(|own| pool.enter_pool(*own));
            for (mean, strength, enter, leave) in days {
                let (new, left) = ((end + enter).min(sums.len()), (begin + leave).min(end));
                sums[begin..left].iter().for_each(|own| pool.leave_pool(*own));
                sums[end..new].iter().for_each(|own| pool.enter_pool(*own));
                (begin, end) = (left, new);
                let today = ShrunkRatios { prior: PoolPrior { mean, strength }, min_weight: 0.3 };
                let members = &sums[begin..end];
                let worth: Vec<f64> = members.iter().map(|own| today.value_of(*own)).filter(|v| !v.is_nan()).collect();
                let day = pool.ranked_on(today, members.iter().copied());
                prop_assert_eq!(day.size, worth.len());
                // Few are counted in another way than many.
                for step in [2, 97] {
                    let values: Vec<f64> = worth.iter().copied().step_by(step).collect();
                    for (value, rank) in values.iter().zip(day.ranks_of(&values)) {
                        let below = worth.iter().filter(|other| *other < value).count();
                        let equal = worth.iter().filter(|other| *other <= value).count() - below;
                        prop_assert_eq!(rank, PoolRank { below, equal });
                    }
                }
            }
        }

        #[test]
        fn ranks_of_facts_are_those_of_counting(
            facts in prop::collection::vec(prop::option::of(-3_i8..40), 1..1_400),
            lower in any::<bool>(),
        ) {
            let facts: Vec<f64> = facts.into_iter().map(|fact| fact.map_or(NONE, f64::from)).collect();
            let known: Vec<f64> = facts.iter().copied().filter(|fact| !fact.is_nan()).collect();
            let direction = if lower { Direction::Lower } else { Direction::Higher };
            // Few are counted in another way than many; of many, some are equal.
            for step in [1, 97] {
                let values: Vec<f64> = known.iter().copied().step_by(step).collect();
                for (value, found) in values.iter().zip(percentiles(&values, &facts, direction)) {
                    let worse = known.iter().filter(|other| if lower { *other > value } else { *other < value });
                    let equal = known.iter().filter(|other| (**other - value).abs() < 1e-9).count();
                    let counted = 100.0 * (worse.count() as f64 + equal as f64 / 2.0) / known.len() as f64;
                    prop_assert!((found - counted).abs() < 1e-9);
                }
            }
        }
    }
}
