//! Place of a value among the active subjects of the pool.

use chrono::NaiveDate;
use fdna_schemas::{Direction, EngineSettings, Metric};

use crate::metric::{MetricPercentile, MetricState};
use crate::prior::PoolPriors;
use crate::ratio::RatioSums;
use crate::timeline::{PoolDay, SubjectVersion, Timeline, whole};

/// Of shrunk values: every member's sums up to the day, drawn towards the priors of the day.
pub(crate) fn of_shrunk(
    timeline: &Timeline,
    priors: &PoolPriors<'_>,
    settings: &EngineSettings,
    metric: &Metric,
    sums: &[RatioSums],
    states: &mut [MetricState],
) {
    let own: Vec<_> = sums.iter().map(|sums| sums.ratio.scaled(metric)).collect();
    let worth = |pool: &PoolDay, worth: &mut Vec<f64>| {
        let Some(prior) = priors.at(pool.window, Some(pool.pool)) else { return };
        let members = pool.members.iter().map(|&m| own[m]);
        worth.extend(
            members
                .filter(|m| prior.weight(*m) >= settings.confidence.low.min_weight)
                .map(|m| prior.shrink(m)),
        );
    };
    place(timeline, settings.min_pool_subjects, metric.direction, worth, states);
}

/// What a fact of the subject of a version is on a day.
pub type PercentileDay<'a> = &'a dyn Fn(&SubjectVersion, NaiveDate) -> Option<f64>;

/// Of facts: every member's as of the day of the pool, where its sample meets the metric's minimum. A fact
/// that moves with time is given `at` a version and a day; the others are what they were after the latest observation.
pub(crate) fn of_facts(
    timeline: &Timeline,
    settings: &EngineSettings,
    metric: &Metric,
    at: Option<PercentileDay<'_>>,
    states: &mut [MetricState],
) {
    let is_enough = |state: &MetricState| state.exposure >= f64::from(metric.min.value);
    let known: Vec<Option<f64>> = states.iter().map(|s| s.raw_value.filter(|_| is_enough(s))).collect();
    let worth = |pool: &PoolDay, worth: &mut Vec<f64>| {
        let member = |&m: &usize| match at {
            Some(at) => known[m].and_then(|_| at(&timeline.versions[m], pool.date)),
            None => known[m],
        };
        worth.extend(pool.members.iter().filter_map(member));
    };
    place(timeline, settings.min_pool_subjects, metric.direction, worth, states);
}

fn place(
    timeline: &Timeline,
    min_pool: usize,
    direction: Direction,
    worth: impl Fn(&PoolDay, &mut Vec<f64>),
    states: &mut [MetricState],
) {
    let mut values = Vec::new();
    for pool in &timeline.pool_days {
        values.clear();
        worth(pool, &mut values);
        if values.len() < min_pool {
            continue;
        }
        for &version in &pool.begun {
            let state = &mut states[version];
            state.percentile = state.value.map(|value| MetricPercentile {
                value: rank(value, &values, direction),
                pool_size: whole(values.len()),
            });
        }
    }
}

/// 100 · (worse + half of equal) / n.
#[expect(clippy::float_cmp, reason = "the same sums and prior make the same bits")]
fn rank(value: f64, pool: &[f64], direction: Direction) -> f64 {
    let lower_is_better = direction == Direction::Lower;
    let (mut worse, mut equal) = (0_u32, 0_u32);
    for other in pool {
        worse += u32::from(if lower_is_better { *other > value } else { *other < value });
        equal += u32::from(*other == value);
    }
    100.0 * (f64::from(worse) + f64::from(equal) / 2.0) / f64::from(whole(pool.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_near_100_at_whichever_end_it_stands() {
        let pool = [1.0, 2.0, 3.0, 4.0];
        assert!((rank(4.0, &pool, Direction::Higher) - 87.5).abs() < 1e-12);
        assert!((rank(4.0, &pool, Direction::Neutral) - 87.5).abs() < 1e-12);
        assert!((rank(4.0, &pool, Direction::Lower) - 12.5).abs() < 1e-12);
        assert!((rank(2.0, &[2.0; 40], Direction::Lower) - 50.0).abs() < 1e-12);
    }
}
