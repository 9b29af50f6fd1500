//! What the league did before a date: the mean towards which a fighter is drawn, and how strongly.

use fdna_model::WeightClass;
use fdna_schemas::Metric;

use crate::career_index::{CareerIndex, CareerWindow};

/// Fewer fighter-bouts than this in the window are no league.
const MIN_FIGHTER_BOUTS: i32 = 200;
/// A class's mean leans on the overall mean as if on this many more of its bouts.
const CLASS_PRIOR_BOUTS: f64 = 40.0;

/// Numerator and denominator of one or more bouts, in column units. Sums of counts stay far below 2^53, so
/// they are exact in doubles, in any order; weighted sums are always added in the order of the bouts.
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
    pub(crate) fn scaled(self, metric: &Metric) -> Self {
        Self { y: self.y / metric.numerator_per, d: self.d / metric.denominator_per }
    }
}

/// The prior of one metric, class and date.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ClassPrior {
    /// Mean of the metric.
    pub(crate) mean: f64,
    /// Strength in units of the denominator: `prior_bouts` bouts of average exposure.
    pub(crate) strength: f64,
}

impl ClassPrior {
    /// The shrunk value of these sums, which are in the metric's units.
    pub(crate) fn shrink(&self, own: SumRatio) -> f64 {
        (own.y + self.strength * self.mean) / (own.d + self.strength)
    }

    /// How much of the shrunk value is the fighter's own.
    pub(crate) fn weight(&self, own: SumRatio) -> f64 {
        own.d / (own.d + self.strength)
    }
}

/// Sums over fighter-bouts, and how many of them have a denominator.
#[derive(Debug, Clone, Copy, Default)]
struct RunningTotal {
    fighter_bouts: i32,
    ratio: SumRatio,
}

/// Totals of all bouts before each date, for all classes (place 0) and each class: a window is the
/// difference of two.
pub(crate) struct ClassPriors<'a> {
    metric: &'a Metric,
    /// By number of dates passed and group.
    totals: Vec<[RunningTotal; GROUPS]>,
}

const GROUPS: usize = 1 + WeightClass::ALL.len();

fn group(class: Option<WeightClass>) -> usize {
    class.map_or(0, |class| 1 + class as usize)
}

impl<'a> ClassPriors<'a> {
    /// `parts`: what each side of the league adds, `None` where it does not carry the columns.
    pub(crate) fn of(league: &CareerIndex<'_>, metric: &'a Metric, parts: &[Option<SumRatio>]) -> Self {
        let mut running = [RunningTotal::default(); GROUPS];
        let mut totals = Vec::with_capacity(league.dates.len() + 1);
        totals.push(running);
        for (i, side) in league.sides.iter().enumerate() {
            if let Some(part) = parts[i] {
                for place in std::iter::once(0).chain(side.bout.class.map(|class| group(Some(class)))) {
                    // Control without a takedown counts for the mean, and says nothing of the exposure of a bout.
                    running[place].fighter_bouts += i32::from(part.d > 0.0);
                    running[place].ratio += part;
                }
            }
            if league.sides.get(i + 1).is_none_or(|next| next.bout.date != side.bout.date) {
                totals.push(running);
            }
        }
        Self { metric, totals }
    }

    /// The prior of a class, or of all without one; `None` where the window holds too few bouts.
    pub(crate) fn at(&self, window: CareerWindow, class: Option<WeightClass>) -> Option<ClassPrior> {
        let (all, bouts) = self.window(window, None);
        if bouts < MIN_FIGHTER_BOUTS || all.d <= 0.0 {
            return None;
        }
        let average = all.d / f64::from(bouts);
        let overall = all.y / all.d;
        let mean = class.map_or(overall, |class| {
            let (own, _) = self.window(window, Some(class));
            let lean = CLASS_PRIOR_BOUTS * average;
            (own.y + lean * overall) / (own.d + lean)
        });
        Some(ClassPrior { mean, strength: self.metric.prior_bouts? * average })
    }

    /// Sums of the window in the metric's units, and the fighter-bouts that they come from.
    pub(crate) fn window(&self, window: CareerWindow, class: Option<WeightClass>) -> (SumRatio, i32) {
        let [begin, end] = [window.begin, window.end].map(|place| self.totals[place][group(class)]);
        let ratio = SumRatio { y: end.ratio.y - begin.ratio.y, d: end.ratio.d - begin.ratio.d };
        (ratio.scaled(self.metric), end.fighter_bouts - begin.fighter_bouts)
    }
}
