//! A fighter's versions: one after each date with eligible bouts.

use chrono::{Days, NaiveDate};
use fdna_model::{FighterId, WeightClass};

use crate::confidence::{Confidence, Reason, rate};
use crate::kernel::{Kernel, Ratio};
use crate::prior::{Prior, Priors, float};
use crate::side::SideRow;

/// A fighter's state after his n-th date with eligible bouts.
#[derive(Debug, Clone, PartialEq)]
pub struct DnaVersion {
    pub fighter: FighterId,
    /// From 1.
    pub version: i32,
    /// Day after the last bout in it.
    pub valid_from: NaiveDate,
    /// Class of the latest eligible bout that has one.
    pub class: Option<WeightClass>,
    pub eligible_bouts: i32,
    pub eligible_rounds: i32,
    pub first_bout: NaiveDate,
    pub last_bout: NaiveDate,
    /// In the order of the catalogue.
    pub metrics: Vec<MetricState>,
}

/// Whether there is a value, and why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Ok,
    InsufficientSample,
    /// No eligible bout carries the columns.
    NotRecorded,
    /// The denominator is 0.
    NotApplicable,
}

impl Status {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::InsufficientSample => "insufficient_sample",
            Self::NotRecorded => "not_recorded",
            Self::NotApplicable => "not_applicable",
        }
    }
}

/// One metric of one version.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricState {
    pub status: Status,
    /// Shrunk value, in the metric's unit; only if the status is ok.
    pub value: Option<f64>,
    /// Numerator over denominator, in the metric's unit; `None` without a denominator.
    pub raw_value: Option<f64>,
    /// Sums, in column units.
    pub numerator: i64,
    pub denominator: i64,
    /// Eligible bouts that carry the columns, and their rounds.
    pub bouts: i32,
    pub rounds: i32,
    /// Weight of the fighter's own sums in the value, 0 to 1.
    pub weight: Option<f64>,
    pub prior_mean: Option<f64>,
    /// In units of the denominator.
    pub prior_strength: Option<f64>,
    pub confidence: Confidence,
    pub reasons: Vec<Reason>,
}

/// Running sums of one metric.
#[derive(Clone, Copy, Default)]
struct Sums {
    ratio: Ratio,
    bouts: i32,
    rounds: i32,
}

/// The versions of one fighter, from his sides oldest first.
pub(crate) fn of_career(career: &[&SideRow], kernels: &[Kernel<'_>], priors: &Priors) -> Vec<DnaVersion> {
    let Some(first) = career.first() else { return Vec::new() };
    let mut sums = vec![Sums::default(); kernels.len()];
    let mut versions = Vec::new();
    let (mut class, mut bouts, mut rounds) = (None, 0, 0);
    for (i, side) in career.iter().enumerate() {
        bouts += 1;
        rounds += side.rounds;
        class = side.class.or(class);
        sums.iter_mut().zip(kernels).for_each(|(sums, kernel)| sums.add(kernel, side));
        // Several bouts on one date make one version, after all of them.
        if career.get(i + 1).is_some_and(|next| next.date == side.date) {
            continue;
        }
        let Some(valid_from) = side.date.checked_add_days(Days::new(1)) else { continue };
        let state = |(m, (sums, kernel)): (usize, (&Sums, &Kernel<'_>))| {
            sums.state(kernel, priors.at(m, kernel, class, valid_from), bouts)
        };
        versions.push(DnaVersion {
            fighter: first.fighter,
            version: i32::try_from(versions.len() + 1).unwrap_or(i32::MAX),
            valid_from,
            class,
            eligible_bouts: bouts,
            eligible_rounds: rounds,
            first_bout: first.date,
            last_bout: side.date,
            metrics: sums.iter().zip(kernels).enumerate().map(state).collect(),
        });
    }
    versions
}

impl Sums {
    fn add(&mut self, kernel: &Kernel<'_>, side: &SideRow) {
        if let Some(ratio) = kernel.of(side) {
            self.ratio += ratio;
            self.bouts += 1;
            self.rounds += side.rounds;
        }
    }

    fn state(&self, kernel: &Kernel<'_>, prior: Option<Prior>, eligible_bouts: i32) -> MetricState {
        let metric = kernel.metric;
        let (y, d) = (float(self.ratio.y), float(self.ratio.d) / metric.denominator_per);
        let estimate = prior.map(|p| (p, d / (d + p.strength)));
        let exposure = float(self.ratio.d) / metric.exposure_per();
        let none = |status, reason| (status, Confidence::Insufficient, vec![reason]);
        let (status, confidence, reasons) = match estimate {
            _ if self.bouts == 0 => none(Status::NotRecorded, Reason::NotRecorded),
            _ if self.ratio.d <= 0 => none(Status::NotApplicable, Reason::ZeroDenominator),
            None => none(Status::InsufficientSample, Reason::NoPrior),
            Some(_) if exposure < f64::from(metric.min.value) => {
                none(Status::InsufficientSample, Reason::BelowMinSample)
            }
            Some((_, weight)) => match rate(weight, self.bouts, eligible_bouts, metric.validity_class) {
                (Confidence::Insufficient, reasons) => {
                    (Status::InsufficientSample, Confidence::Insufficient, reasons)
                }
                (level, reasons) => (Status::Ok, level, reasons),
            },
        };
        let shrunk = estimate.map(|(p, _)| (y + p.strength * p.mean) / (d + p.strength));
        MetricState {
            status,
            value: shrunk.filter(|_| status == Status::Ok),
            raw_value: (self.ratio.d > 0).then(|| y / d),
            numerator: self.ratio.y,
            denominator: self.ratio.d,
            bouts: self.bouts,
            rounds: self.rounds,
            weight: estimate.map(|(_, weight)| weight),
            prior_mean: estimate.map(|(p, _)| p.mean),
            prior_strength: estimate.map(|(p, _)| p.strength),
            confidence,
            reasons,
        }
    }
}
