//! Empirical Bayes priors: the mean of a pool before a date, and how strongly it draws a subject.

use fdna_schemas::{EngineSettings, Metric};

use crate::timeline::{PoolId, PriorWindow, Timeline};

/// Numerator and denominator of one or more observations, in column units. Sums of counts stay far below 2^53, so
/// they are exact in doubles, in any order; weighted sums are always added in the order of the observations.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct SumRatio {
    pub(crate) y: f64,
    pub(crate) d: f64,
}

impl std::ops::AddAssign for SumRatio {
    fn add_assign(&mut self, other: Self) {
        self.y += other.y;
        self.d += other.d;
    }
}

impl SumRatio {
    /// In the units of the metric.
    pub(crate) fn to_metric_units(self, metric: &Metric) -> Self {
        Self { y: self.y / metric.numerator_per, d: self.d / metric.denominator_per }
    }
}

/// The prior of one metric, pool and date.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PoolPrior {
    /// Mean of the metric.
    pub(crate) mean: f64,
    /// Strength in units of the denominator: `prior_observations` observations of average exposure.
    pub(crate) strength: f64,
}

impl PoolPrior {
    /// The shrunk value of these sums, which are in the metric's units.
    pub(crate) fn shrunk_value(&self, own: SumRatio) -> f64 {
        (own.y + self.strength * self.mean) / (own.d + self.strength)
    }

    /// The subject's own share of the shrunk value.
    pub(crate) fn own_weight(&self, own: SumRatio) -> f64 {
        own.d / (own.d + self.strength)
    }
}

/// Sums over observations, and how many of those have a denominator.
#[derive(Debug, Clone, Copy, Default)]
struct RunningTotal {
    observations: i32,
    ratio: SumRatio,
}

/// Totals of all observations before each date, for all pools (place 0) and each pool: a window is the difference of
/// two.
pub(crate) struct PoolPriors<'a> {
    metric: &'a Metric,
    settings: &'a EngineSettings,
    /// By number of dates passed and group.
    totals: Vec<RunningTotal>,
    n_groups: usize,
}

fn pool_group(pool: Option<PoolId>) -> usize {
    pool.map_or(0, |pool| 1 + usize::from(pool.0))
}

impl<'a> PoolPriors<'a> {
    /// `parts`: what each row of the timeline adds, `None` where it does not carry the columns.
    pub(crate) fn from_timeline(
        timeline: &Timeline,
        settings: &'a EngineSettings,
        metric: &'a Metric,
        parts: &[Option<SumRatio>],
    ) -> Self {
        let n_groups = 1 + timeline.n_pools;
        let mut running = vec![RunningTotal::default(); n_groups];
        let mut totals = Vec::with_capacity((timeline.dates.len() + 1) * n_groups);
        totals.extend_from_slice(&running);
        for (i, row) in timeline.rows.iter().enumerate() {
            if let Some(part) = parts[i] {
                for place in std::iter::once(0).chain(row.pool.map(|pool| pool_group(Some(pool)))) {
                    // A numerator without a denominator counts for the mean, and says nothing of the average exposure.
                    running[place].observations += i32::from(part.d > 0.0);
                    running[place].ratio += part;
                }
            }
            if timeline.rows.get(i + 1).is_none_or(|next| next.date != row.date) {
                totals.extend_from_slice(&running);
            }
        }
        Self { metric, settings, totals, n_groups }
    }

    /// The prior of a pool, or of all without one; `None` where the window holds too few observations.
    pub(crate) fn prior_for(&self, window: PriorWindow, pool: Option<PoolId>) -> Option<PoolPrior> {
        let (all, observations) = self.window_sums(window, None);
        if observations < self.settings.min_prior_observations || all.d <= 0.0 {
            return None;
        }
        let average = all.d / f64::from(observations);
        let overall = all.y / all.d;
        let mean = pool.map_or(overall, |pool| {
            let (own, _) = self.window_sums(window, Some(pool));
            let lean = self.settings.pool_prior_observations * average;
            (own.y + lean * overall) / (own.d + lean)
        });
        Some(PoolPrior { mean, strength: self.metric.prior_observations? * average })
    }

    /// Sums of the window in the metric's units, and the observations that they come from.
    pub(crate) fn window_sums(&self, window: PriorWindow, pool: Option<PoolId>) -> (SumRatio, i32) {
        let totals_at = |dates: usize| self.totals[dates * self.n_groups + pool_group(pool)];
        let [begin, end] = [window.begin, window.end].map(totals_at);
        let ratio = SumRatio { y: end.ratio.y - begin.ratio.y, d: end.ratio.d - begin.ratio.d };
        (ratio.to_metric_units(self.metric), end.observations - begin.observations)
    }
}
