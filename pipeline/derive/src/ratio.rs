//! The kernel of all ratios: sums over a career, drawn towards the league.

use chrono::{Days, NaiveDate};
use fdna_schemas::{Confidence, Metric, Term};

use crate::career_index::{CareerIndex, CareerWindow, DnaVersion, FighterCareer};
use crate::columns::{SideRow, place};
use crate::confidence::{ConfidenceReason, Reasons, SampleGround, rate};
use crate::interval;
use crate::metric::{MetricShrinkage, MetricState, MetricStatus};
use crate::prior::{ClassPrior, ClassPriors, SumRatio};

/// The catalogue names a column that no bout has.
#[derive(Debug, thiserror::Error)]
#[error("find column `{column}` of metric `{metric}`")]
pub struct UnknownColumn {
    pub metric: String,
    pub column: String,
}

/// Terms with their columns found.
pub(crate) struct RatioTerms {
    numerator: Vec<(usize, i32)>,
    denominator: Vec<(usize, i32)>,
}

impl RatioTerms {
    pub(crate) fn of(metric: &Metric) -> Result<Self, UnknownColumn> {
        let find = |term: &Term| {
            let unknown = || UnknownColumn { metric: metric.name.clone(), column: term.column.clone() };
            Ok((place(&term.column).ok_or_else(unknown)?, i32::from(term.sign)))
        };
        Ok(Self {
            numerator: metric.numerator.iter().map(find).collect::<Result<_, _>>()?,
            denominator: metric.denominator.iter().map(find).collect::<Result<_, _>>()?,
        })
    }

    /// The bout's part; `None` if it does not carry all columns.
    pub(crate) fn part(&self, side: &SideRow<'_>) -> Option<SumRatio> {
        let sum = |terms: &[(usize, i32)]| -> Option<i32> {
            terms.iter().map(|(place, sign)| side.columns.get(*place).map(|value| sign * value)).sum()
        };
        Some(SumRatio { y: sum(&self.numerator)?.into(), d: sum(&self.denominator)?.into() })
    }

    pub(crate) fn parts(&self, league: &CareerIndex<'_>) -> Vec<Option<SumRatio>> {
        league.sides.iter().map(|side| self.part(side)).collect()
    }
}

/// Running sums of one fighter.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RatioSums {
    pub(crate) ratio: SumRatio,
    /// Bouts that carry the columns, and their rounds.
    pub(crate) bouts: i32,
    pub(crate) rounds: i32,
    /// Bouts with a denominator.
    pub(crate) with_denominator: i32,
    /// Day of the newest bout that carries the columns.
    newest: Option<NaiveDate>,
}

/// Where later bouts lack the columns, a value rests on the past alone after so many days.
const CURRENT: Days = Days::new(365);

impl RatioSums {
    /// Adds a bout, after the earlier ones have faded to `keep` of what they were.
    fn add(&mut self, part: SumRatio, side: &SideRow<'_>, keep: f64) {
        self.ratio = SumRatio { y: self.ratio.y * keep, d: self.ratio.d * keep };
        self.ratio += part;
        self.bouts += 1;
        self.rounds += side.rounds();
        self.newest = Some(side.bout.date);
        self.with_denominator += i32::from(part.d > 0.0);
    }

    /// What a version's confidence rests on.
    fn ground(&self, version: &DnaVersion, weight: f64) -> SampleGround {
        let until = self.newest.and_then(|newest| newest.checked_add_days(CURRENT));
        let is_outdated =
            self.newest < Some(version.last_bout) && until.is_some_and(|until| until < version.valid_from);
        SampleGround { weight, bouts: self.bouts, eligible_bouts: version.eligible_bouts, is_outdated }
    }

    fn exposure(&self, metric: &Metric) -> f64 {
        if metric.min.unit.counts_bouts() {
            f64::from(self.with_denominator)
        } else {
            self.ratio.d / metric.exposure_per()
        }
    }
}

/// Sums of each version. `keep` is what remains of earlier bouts with each new one that carries the columns:
/// 1 for plain sums.
pub(crate) fn sums(league: &CareerIndex<'_>, parts: &[Option<SumRatio>], keep: f64) -> Vec<RatioSums> {
    let mut all = Vec::with_capacity(league.versions.len());
    for FighterCareer { sides, versions } in &league.careers {
        let (mut sums, mut next) = (RatioSums::default(), 0);
        for (_, until) in versions {
            for &row in &sides[next..*until] {
                if let Some(part) = parts[row] {
                    sums.add(part, &league.sides[row], keep);
                }
            }
            next = *until;
            all.push(sums);
        }
    }
    all
}

/// The states of all versions, percentiles left out.
pub(crate) fn states(
    league: &CareerIndex<'_>,
    priors: &ClassPriors<'_>,
    metric: &Metric,
    sums: &[RatioSums],
) -> Vec<MetricState> {
    let versions = league.versions.iter().zip(&league.windows);
    let state = |((version, window), sums): ((&DnaVersion, &CareerWindow), &RatioSums)| {
        state(metric, *sums, priors.at(*window, version.class), version)
    };
    versions.zip(sums).map(state).collect()
}

/// The states of a ratio that is not shrunk, percentiles left out.
pub(crate) fn as_it_was(league: &CareerIndex<'_>, metric: &Metric, sums: &[RatioSums]) -> Vec<MetricState> {
    let states = league.versions.iter().zip(sums);
    states.map(|(version, sums)| plain(metric, *sums, version)).collect()
}

fn plain(metric: &Metric, sums: RatioSums, version: &DnaVersion) -> MetricState {
    let exposure = sums.exposure(metric);
    let own = sums.ratio.scaled(metric);
    let raw_value = (sums.ratio.d > 0.0).then(|| own.y / own.d);
    let none = |status, reason: ConfidenceReason| (status, Confidence::Insufficient, Reasons::from(reason));
    let (status, confidence, reasons) = match () {
        () if sums.bouts == 0 => none(MetricStatus::NotRecorded, ConfidenceReason::NotRecorded),
        () if raw_value.is_none() => none(MetricStatus::NotApplicable, ConfidenceReason::ZeroDenominator),
        () if exposure < f64::from(metric.min.value) => {
            none(MetricStatus::InsufficientSample, ConfidenceReason::BelowMinSample)
        }
        () => match rate(sums.ground(version, 1.0), metric.validity_class) {
            (Confidence::Insufficient, reasons) => {
                (MetricStatus::InsufficientSample, Confidence::Insufficient, reasons)
            }
            (level, reasons) => (MetricStatus::Ok, level, reasons),
        },
    };
    MetricState {
        status,
        value: raw_value.filter(|_| status == MetricStatus::Ok),
        raw_value,
        interval: None,
        sums: Some((sums.ratio.y, sums.ratio.d)),
        exposure,
        bouts: sums.bouts,
        rounds: sums.rounds,
        shrinkage: None,
        confidence,
        reasons,
        percentile: None,
    }
}

fn state(metric: &Metric, sums: RatioSums, prior: Option<ClassPrior>, version: &DnaVersion) -> MetricState {
    let own = sums.ratio.scaled(metric);
    let exposure = sums.exposure(metric);
    let shrinkage = prior.map(|prior| MetricShrinkage {
        weight: prior.weight(own),
        prior_mean: prior.mean,
        prior_strength: prior.strength,
        shrunk: prior.shrink(own),
    });
    let none = |status, reason: ConfidenceReason| (status, Confidence::Insufficient, Reasons::from(reason));
    let (status, confidence, reasons) = match shrinkage {
        _ if sums.bouts == 0 => none(MetricStatus::NotRecorded, ConfidenceReason::NotRecorded),
        _ if sums.ratio.d <= 0.0 => none(MetricStatus::NotApplicable, ConfidenceReason::ZeroDenominator),
        None => none(MetricStatus::InsufficientSample, ConfidenceReason::NoPrior),
        Some(_) if exposure < f64::from(metric.min.value) => {
            none(MetricStatus::InsufficientSample, ConfidenceReason::BelowMinSample)
        }
        Some(MetricShrinkage { weight, .. }) => {
            match rate(sums.ground(version, weight), metric.validity_class) {
                (Confidence::Insufficient, reasons) => {
                    (MetricStatus::InsufficientSample, Confidence::Insufficient, reasons)
                }
                (level, reasons) => (MetricStatus::Ok, level, reasons),
            }
        }
    };
    let stated = shrinkage.filter(|_| status == MetricStatus::Ok);
    MetricState {
        status,
        value: stated.map(|s| s.shrunk),
        raw_value: (sums.ratio.d > 0.0).then(|| own.y / own.d),
        interval: stated.and_then(|s| posterior(metric, s)),
        sums: Some((sums.ratio.y, sums.ratio.d)),
        exposure,
        bouts: sums.bouts,
        rounds: sums.rounds,
        shrinkage,
        confidence,
        reasons,
        percentile: None,
    }
}

/// 5 % and 95 % quantiles; `None` where the variance between fighters is not known.
fn posterior(metric: &Metric, shrinkage: MetricShrinkage) -> Option<(f64, f64)> {
    use fdna_schemas::Estimator::{Difference, Elo, Fact, Proportion, Rate, Share};
    let (mean, variance) = (shrinkage.shrunk, metric.variance? * (1.0 - shrinkage.weight));
    let interval = match metric.estimator {
        Rate => interval::gamma(mean, variance),
        Proportion | Share => interval::beta(mean, variance),
        Difference => interval::normal(mean, variance, metric.range?),
        Fact | Elo => return None,
    };
    Some((interval.low, interval.high))
}
