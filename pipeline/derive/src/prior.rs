//! What the league did before a date: the mean towards which a fighter is shrunk, and how strongly.

use chrono::{Months, NaiveDate};
use fdna_model::WeightClass;
use rayon::prelude::*;

use crate::kernel::{Kernel, Ratio};
use crate::side::SideRow;

/// The window is [t − 5 calendar years, t); 29 February counts as the 28th.
const WINDOW: Months = Months::new(60);
/// Fewer fighter-bouts than this in the window are no league.
const MIN_FIGHTER_BOUTS: i64 = 200;
/// A class's mean leans on the overall mean as if on this many more of its bouts.
const CLASS_PRIOR_BOUTS: f64 = 40.0;

/// The prior of one metric, class and date.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Prior {
    /// Mean of the metric.
    pub(crate) mean: f64,
    /// Strength in units of the denominator: `prior_bouts` bouts of average exposure.
    pub(crate) strength: f64,
}

/// Sums over fighter-bouts with a denominator.
#[derive(Debug, Clone, Copy, Default)]
struct Total {
    n: i64,
    ratio: Ratio,
}

/// Totals of all bouts before each date, for all classes (place 0) and each class: a window is the
/// difference of two, exact in integers.
pub(crate) struct Priors {
    dates: Vec<NaiveDate>,
    /// By metric, then group, then number of dates passed.
    totals: Vec<Vec<Vec<Total>>>,
}

impl Priors {
    /// `sides` oldest first.
    pub(crate) fn of(sides: &[SideRow], kernels: &[Kernel<'_>]) -> Self {
        let mut dates: Vec<NaiveDate> = sides.iter().map(|s| s.date).collect();
        dates.dedup();
        let totals = kernels.par_iter().map(|kernel| totals(sides, kernel, dates.len())).collect();
        Self { dates, totals }
    }

    /// The prior of the `metric`-th metric for `class` (all classes without one) at `t`; `None` where the
    /// window holds too few bouts.
    pub(crate) fn at(
        &self,
        metric: usize,
        kernel: &Kernel<'_>,
        class: Option<WeightClass>,
        t: NaiveDate,
    ) -> Option<Prior> {
        let begin = self.passed(t.checked_sub_months(WINDOW)?);
        let end = self.passed(t);
        let window = |group: usize| {
            let totals = &self.totals[metric][group];
            Total { n: totals[end].n - totals[begin].n, ratio: totals[end].ratio - totals[begin].ratio }
        };
        let all = window(0);
        if all.n < MIN_FIGHTER_BOUTS || all.ratio.d <= 0 {
            return None;
        }
        let per = kernel.metric.denominator_per;
        let exposure = |total: Total| float(total.ratio.d) / per;
        let average = exposure(all) / float(all.n);
        let overall = float(all.ratio.y) / exposure(all);
        let mean = class.map_or(overall, |class| {
            let own = window(group(class));
            let weight = CLASS_PRIOR_BOUTS * average;
            (float(own.ratio.y) + weight * overall) / (exposure(own) + weight)
        });
        Some(Prior { mean, strength: kernel.metric.prior_bouts * average })
    }

    fn passed(&self, t: NaiveDate) -> usize {
        self.dates.partition_point(|date| *date < t)
    }
}

fn group(class: WeightClass) -> usize {
    1 + class as usize
}

fn totals(sides: &[SideRow], kernel: &Kernel<'_>, n_dates: usize) -> Vec<Vec<Total>> {
    let groups = 1 + WeightClass::ALL.len();
    let mut running = vec![Total::default(); groups];
    let mut totals = vec![Vec::with_capacity(n_dates + 1); groups];
    let mut push = |running: &[Total]| {
        totals.iter_mut().zip(running).for_each(|(series, total)| series.push(*total));
    };
    push(&running);
    for (i, side) in sides.iter().enumerate() {
        if let Some(ratio) = kernel.of(side).filter(|ratio| ratio.d > 0) {
            for place in std::iter::once(0).chain(side.class.map(group)) {
                running[place].n += 1;
                running[place].ratio += ratio;
            }
        }
        if sides.get(i + 1).is_none_or(|next| next.date != side.date) {
            push(&running);
        }
    }
    totals
}

/// Counts of a history fit a double exactly.
#[expect(clippy::cast_precision_loss, reason = "sums of counts stay far below 2^53")]
pub(crate) fn float(count: i64) -> f64 {
    count as f64
}
