//! Ratios whose denominator is weighted by what the opponent lets others do: a minute against one who
//! concedes little counts for less than a minute.

use fdna_schemas::Metric;

use crate::prior::{PoolPriors, SumRatio};
use crate::ratio::RatioSums;
use crate::timeline::Timeline;

/// The opponents' metric that weighs: its priors, and its sums in every version.
pub(crate) struct OpponentMetric<'a> {
    pub(crate) metric: &'a Metric,
    pub(crate) priors: PoolPriors<'a>,
    pub(crate) sums: Vec<RatioSums>,
}

impl OpponentMetric<'_> {
    /// The opponent's shrunk value before the contest over the mean of its pool at that date; `None` where it has none
    /// yet, or the pool has none.
    fn opponent_factor(&self, timeline: &Timeline, row: usize) -> Option<f64> {
        let mean = self.priors.prior_for(timeline.row_windows[row], timeline.rows[row].pool)?.mean;
        let version = timeline.before[timeline.rows[row].opponent?]?;
        let own = self.sums[version].ratio.to_metric_units(self.metric);
        let prior = self.priors.prior_for(timeline.windows[version], timeline.versions[version].pool)?;
        (mean > 0.0 && own.d > 0.0).then(|| prior.shrunk_value(own) / mean)
    }
}

/// The parts with their denominators weighted by `theirs`; by 1 where that is not known.
pub(crate) fn weigh_parts(
    timeline: &Timeline,
    parts: Vec<Option<SumRatio>>,
    theirs: &OpponentMetric<'_>,
) -> Vec<Option<SumRatio>> {
    let weigh = |(row, part): (usize, Option<SumRatio>)| {
        part.map(|part| SumRatio {
            y: part.y,
            d: part.d * theirs.opponent_factor(timeline, row).unwrap_or(1.0),
        })
    };
    parts.into_iter().enumerate().map(weigh).collect()
}
