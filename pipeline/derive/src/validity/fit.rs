//! Variances between and within fighters: Bühlmann–Straub with the exposures as weights.

use std::collections::BTreeMap;

use fdna_model::WeightClass;

use super::{FITTED_TO, ValiditySubject};
use crate::career_index::whole;

/// Fewer fighters with two bouts than this tell no variance.
const MIN_FIGHTERS: i32 = 50;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FittedVariance {
    /// Between the fighters of a class, in the metric's unit squared.
    pub(super) between: f64,
    /// Of one bout of exposure 1, around the fighter's own mean.
    pub(super) within: f64,
}

/// One fighter's exposures and sums.
#[derive(Clone, Copy, Default)]
struct FitSums {
    bouts: i32,
    d: f64,
    y: f64,
    /// Σ D·x².
    squares: f64,
}

/// Deviations are taken from the mean of the fighter's class, since that is what he is drawn towards. An
/// estimate that is not positive (no signal at all) is replaced by what the prior strength implies.
pub(super) fn fit(subject: &ValiditySubject<'_>) -> Option<FittedVariance> {
    let classes = fighters_by_class(subject);
    let mut within = (0.0, 0);
    let mut n_fighters = 0;
    for s in classes.values().flatten().filter(|s| s.bouts > 1) {
        within.0 += s.squares - s.y * s.y / s.d;
        within.1 += s.bouts - 1;
        n_fighters += 1;
    }
    if n_fighters < MIN_FIGHTERS {
        return None;
    }
    let within = within.0 / f64::from(within.1);
    let (mut numerator, mut denominator, mut exposure, mut bouts) = (0.0, 0.0, 0.0, 0);
    for fighters in classes.values() {
        let d: f64 = fighters.iter().map(|s| s.d).sum();
        let mean = fighters.iter().map(|s| s.y).sum::<f64>() / d;
        let spread: f64 = fighters.iter().map(|s| s.d * (s.y / s.d - mean).powi(2)).sum();
        numerator += spread - f64::from(whole(fighters.len()) - 1) * within;
        denominator += d - fighters.iter().map(|s| s.d * s.d).sum::<f64>() / d;
        exposure += d;
        bouts += fighters.iter().map(|s| s.bouts).sum::<i32>();
    }
    let strength = subject.metric.prior_bouts? * exposure / f64::from(bouts);
    let estimate = numerator / denominator;
    let between = if estimate > 0.0 { estimate } else { within / strength };
    Some(FittedVariance { between, within })
}

/// Sums of every fighter on the bouts to fit on, by the class of his latest one.
fn fighters_by_class(subject: &ValiditySubject<'_>) -> BTreeMap<Option<WeightClass>, Vec<FitSums>> {
    let mut classes: BTreeMap<Option<WeightClass>, Vec<FitSums>> = BTreeMap::new();
    for career in &subject.league.careers {
        let (mut sums, mut class) = (FitSums::default(), None);
        for &side in &career.sides {
            let bout = subject.league.sides[side].bout;
            let Some((x, d)) = subject.outcome(side).filter(|_| bout.date <= *FITTED_TO) else { continue };
            class = bout.class.or(class);
            sums.bouts += 1;
            sums.d += d;
            sums.y += d * x;
            sums.squares += d * x * x;
        }
        if sums.bouts > 0 {
            classes.entry(class).or_default().push(sums);
        }
    }
    classes
}
