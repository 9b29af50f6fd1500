//! Ratios whose denominator is weighted by what the opponent lets others do: a minute against one who is
//! seldom hit counts for less than a minute.

use fdna_schemas::Metric;

use crate::career_index::CareerIndex;
use crate::prior::{ClassPriors, SumRatio};
use crate::ratio::RatioSums;

/// The opponents' metric that weighs: its priors, and its sums in every version.
pub(crate) struct OpponentMetric<'a> {
    pub(crate) metric: &'a Metric,
    pub(crate) priors: ClassPriors<'a>,
    pub(crate) sums: Vec<RatioSums>,
}

impl OpponentMetric<'_> {
    /// The opponent's shrunk value before the bout over the mean of the bout's class at that date; `None`
    /// where he has none yet, or the class has none.
    fn factor(&self, league: &CareerIndex<'_>, row: usize) -> Option<f64> {
        let mean = self.priors.at(league.side_windows[row], league.sides[row].bout.class)?.mean;
        let version = league.before[row ^ 1]?;
        let own = self.sums[version].ratio.scaled(self.metric);
        let prior = self.priors.at(league.windows[version], league.versions[version].class)?;
        (mean > 0.0 && own.d > 0.0).then(|| prior.shrink(own) / mean)
    }
}

/// The parts with their denominators weighted by `theirs`; by 1 where that is not known.
pub(crate) fn weigh(
    league: &CareerIndex<'_>,
    parts: Vec<Option<SumRatio>>,
    theirs: &OpponentMetric<'_>,
) -> Vec<Option<SumRatio>> {
    let weigh = |(row, part): (usize, Option<SumRatio>)| {
        part.map(|part| SumRatio { y: part.y, d: part.d * theirs.factor(league, row).unwrap_or(1.0) })
    };
    parts.into_iter().enumerate().map(weigh).collect()
}
