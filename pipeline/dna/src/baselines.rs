//! The priors of every day on which a version begins, for all to see.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::prior::{PoolPrior, PoolPriors};
use crate::timeline::{PoolId, PriorWindow, Timeline};

/// A day and a pool, or all pools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolPopulation {
    pub valid_from: NaiveDate,
    /// `None` for all.
    pub pool: Option<PoolId>,
    pub(crate) window: PriorWindow,
}

/// One metric's prior in a population.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PoolBaseline {
    /// Mean and strength.
    pub prior: Option<(f64, f64)>,
    /// Observations with a denominator in the window, of the pool.
    pub observations: i32,
}

/// By day and pool, all pools first; a pool without an observation in the window is left out.
pub(crate) fn pool_populations(timeline: &Timeline) -> Vec<PoolPopulation> {
    let mut days: Vec<(NaiveDate, PriorWindow)> =
        timeline.versions.iter().map(|v| v.valid_from).zip(timeline.windows.iter().copied()).collect();
    days.sort_by_key(|(day, _)| *day);
    days.dedup();
    let mut dates = vec![Vec::new(); timeline.n_pools];
    for row in &timeline.rows {
        if let Some(pool) = row.pool {
            dates[usize::from(pool.0)].push(row.date);
        }
    }
    let mut all = Vec::new();
    for (valid_from, window) in days {
        let begin = timeline.dates.get(window.begin).copied().unwrap_or(NaiveDate::MAX);
        let in_window = |dates: &[NaiveDate]| {
            dates.partition_point(|d| *d < begin) < dates.partition_point(|d| *d < valid_from)
        };
        let pools = (0..).map(PoolId).zip(&dates).filter(|(_, dates)| in_window(dates)).map(|(pool, _)| pool);
        let population = |pool| PoolPopulation { valid_from, pool, window };
        all.extend(std::iter::once(None).chain(pools.map(Some)).map(population));
    }
    all
}

pub(crate) fn pool_baselines(populations: &[PoolPopulation], priors: &PoolPriors<'_>) -> Vec<PoolBaseline> {
    let baseline = |p: &PoolPopulation| PoolBaseline {
        prior: priors.prior_for(p.window, p.pool).map(|PoolPrior { mean, strength }| (mean, strength)),
        observations: priors.window_sums(p.window, p.pool).1,
    };
    populations.iter().map(baseline).collect()
}
