//! Place of a value among the active subjects of the pool.

use chrono::NaiveDate;
use fdna_schemas::{Direction, EngineSettings, Metric};

use crate::metric::{MetricPercentile, MetricState};
use crate::prior::{PoolPriors, SumRatio};
use crate::ratio::RatioSums;
use crate::timeline::{ActivePools, PoolDay, SubjectId, Timeline, whole};

/// Of shrunk values: every member's sums up to the day, drawn towards the priors of the day.
pub(crate) fn of_shrunk(
    timeline: &Timeline,
    priors: &PoolPriors<'_>,
    settings: &EngineSettings,
    metric: &Metric,
    sums: &[RatioSums],
    states: &mut [MetricState],
) {
    let own = |version: usize| sums[version].ratio.scaled(metric);
    let on = |day: &PoolDay| {
        let prior = priors.at(day.window, Some(day.pool))?;
        let min_weight = settings.confidence.low.min_weight;
        Some(move |own: SumRatio| (prior.weight(own) >= min_weight).then(|| prior.shrink(own)))
    };
    place(timeline, settings.min_pool_subjects, metric.direction, own, on, states);
}

/// What a fact of a subject is on a day.
pub type PercentileDay<'a> = &'a dyn Fn(NaiveDate) -> Box<dyn Fn(SubjectId) -> Option<f64> + 'a>;

/// Of facts: every member's as of the day of the pool, where its sample meets the metric's minimum. A fact
/// that moves with time is given `at` a day, then of a subject; the others are what they were after the latest observation.
pub(crate) fn of_facts(
    timeline: &Timeline,
    settings: &EngineSettings,
    metric: &Metric,
    at: Option<PercentileDay<'_>>,
    states: &mut [MetricState],
) {
    let is_enough = |state: &MetricState| state.exposure >= f64::from(metric.min.value);
    let known: Vec<Option<f64>> = states.iter().map(|s| s.raw_value.filter(|_| is_enough(s))).collect();
    let (min_pool, direction) = (settings.min_pool_subjects, metric.direction);
    if let Some(at) = at {
        let enter = |version: usize| known[version].map(|_| timeline.versions[version].subject);
        let on = |day: &PoolDay| {
            let at = at(day.date);
            Some(move |subject: Option<SubjectId>| at(subject?))
        };
        place(timeline, min_pool, direction, enter, on, states);
    } else {
        let on = |_: &PoolDay| Some(|value| value);
        place(timeline, min_pool, direction, |version| known[version], on, states);
    }
}

/// Places the versions that begin on each day of a pool. `enter` gives what is needed of a version, and `on`, for a day,
/// what that is worth on it; without it, or for a member of no worth, there is nothing to compare.
fn place<T: Copy, W: Fn(T) -> Option<f64>>(
    timeline: &Timeline,
    min_pool: usize,
    direction: Direction,
    enter: impl Fn(usize) -> T,
    on: impl Fn(&PoolDay) -> Option<W>,
    states: &mut [MetricState],
) {
    let mut pools = ActivePools::new(timeline);
    let mut ranks = PoolRanks::default();
    for day in &timeline.pool_days {
        let members = pools.on(day, &enter);
        ranks.of(day.begun.iter().filter_map(|&version| states[version].value));
        let Some(worth) = on(day).filter(|_| !ranks.values.is_empty()) else { continue };
        members.filter_map(worth).for_each(|value| ranks.meet(value));
        if ranks.pool_size < min_pool {
            continue;
        }
        for &version in &day.begun {
            let state = &mut states[version];
            state.percentile = state.value.map(|value| MetricPercentile {
                value: ranks.percentile(value, direction),
                pool_size: whole(ranks.pool_size),
            });
        }
    }
}

/// How many of a pool are below, equal to and above each of a few values. Few begin on a day and many are in force, so
/// that the few are sorted, and each of the many is looked up among them.
#[derive(Default)]
struct PoolRanks {
    /// Sorted, each once.
    values: Vec<f64>,
    /// Members between the value before and this one; the last are above all.
    between: Vec<u32>,
    equal: Vec<u32>,
    pool_size: usize,
}

impl PoolRanks {
    /// Begins anew with the values that are to be placed.
    fn of(&mut self, values: impl Iterator<Item = f64>) {
        self.values.clear();
        self.values.extend(values);
        self.values.sort_by(f64::total_cmp);
        // The same sums and prior make the same bits; 0 and -0 are equal.
        self.values.dedup();
        self.between.clear();
        self.between.resize(self.values.len() + 1, 0);
        self.equal.clear();
        self.equal.resize(self.values.len(), 0);
        self.pool_size = 0;
    }

    /// Counts a member of the pool.
    fn meet(&mut self, member: f64) {
        let place = self.below(member);
        if self.values.get(place).is_some_and(|value| *value <= member) {
            self.equal[place] += 1;
        } else {
            self.between[place] += 1;
        }
        self.pool_size += 1;
    }

    fn below(&self, value: f64) -> usize {
        self.values.partition_point(|other| *other < value)
    }

    /// 100 · (worse + half of equal) / n, of a value that was given to [`Self::of`].
    fn percentile(&self, value: f64, direction: Direction) -> f64 {
        let place = self.below(value);
        let worse: u32 = if direction == Direction::Lower {
            self.between[place + 1..].iter().sum::<u32>() + self.equal[place + 1..].iter().sum::<u32>()
        } else {
            self.between[..=place].iter().sum::<u32>() + self.equal[..place].iter().sum::<u32>()
        };
        let equal = self.equal[place];
        100.0 * (f64::from(worse) + f64::from(equal) / 2.0) / f64::from(whole(self.pool_size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rank(value: f64, pool: &[f64], direction: Direction) -> f64 {
        let mut ranks = PoolRanks::default();
        ranks.of([2.5, value].into_iter());
        pool.iter().for_each(|member| ranks.meet(*member));
        ranks.percentile(value, direction)
    }

    #[test]
    fn the_best_is_near_100_at_whichever_end_it_stands() {
        let pool = [1.0, 2.0, 3.0, 4.0];
        assert!((rank(4.0, &pool, Direction::Higher) - 87.5).abs() < 1e-12);
        assert!((rank(4.0, &pool, Direction::Neutral) - 87.5).abs() < 1e-12);
        assert!((rank(4.0, &pool, Direction::Lower) - 12.5).abs() < 1e-12);
        assert!((rank(2.0, &[2.0; 40], Direction::Lower) - 50.0).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn ranks_are_those_of_counting(
            pool in prop::collection::vec((-3_i8..4).prop_map(|n| f64::from(n) / 2.0), 1..50),
            placed in prop::collection::vec((-3_i8..4).prop_map(|n| f64::from(n) / 2.0), 1..9),
            lower in any::<bool>(),
        ) {
            let direction = if lower { Direction::Lower } else { Direction::Higher };
            let mut ranks = PoolRanks::default();
            ranks.of(placed.iter().copied());
            pool.iter().for_each(|member| ranks.meet(*member));
            for value in placed {
                let worse = pool.iter().filter(|other| if lower { **other > value } else { **other < value });
                let equal = pool.iter().filter(|other| (**other - value).abs() < 1e-9);
                let counted = worse.count() as f64 + equal.count() as f64 / 2.0;
                prop_assert!((ranks.percentile(value, direction) - 100.0 * counted / pool.len() as f64).abs() < 1e-9);
            }
        }
    }
}
