//! Predictive validity of a metric for the next observation: measured out of time, so that the confidence of a value can be
//! capped by what its metric is worth.
//!
//! Constants are fitted on observations up to `fitted_to` of the settings; everything is tested on observations after
//! it, each predicted from what was known before it, of subjects with enough earlier ones.

mod fit;
mod gate;
mod predict;
mod season;
mod stabilisation;
mod subject;

use fdna_schemas::{ValidityClass, ValiditySettings};
use serde::{Deserialize, Serialize};

pub use gate::{GateBin, GateMeasured};
pub use season::SeasonValidity;
pub use stabilisation::Stabilisation;
pub(crate) use subject::ValiditySubject;

/// Measured validity of one metric; `None` where there are too few observations.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MetricValidity {
    /// Share of the squared error of the trailing pool mean that the shrunk value removes, weighted by exposure.
    pub r2: Option<f64>,
    /// The same of the raw value.
    pub r2_raw: Option<f64>,
    /// Correlation of odd with even observations, stepped up to the whole.
    pub reliability: Option<f64>,
    /// Share of next observations within the 90 % band.
    pub coverage: Option<f64>,
    /// Observations that were predicted, with their first and last year.
    pub test_observations: usize,
    pub test_years: Option<(i32, i32)>,
    /// Variance between subjects of a pool, in the metric's unit squared.
    pub variance: Option<f64>,
    /// `None` too where subjects do not differ by more than noise.
    pub stabilisation: Option<Stabilisation>,
    /// What values say of the next season.
    pub season: SeasonValidity,
    /// How often the higher value led in the contest, by how clear the difference was.
    pub gate: GateMeasured,
}

impl MetricValidity {
    /// The class that this measurement gives.
    #[must_use]
    pub fn validity_class(&self, settings: &ValiditySettings) -> Option<ValidityClass> {
        let classes = [ValidityClass::A, ValidityClass::B, ValidityClass::C].into_iter().zip(settings.min_r2);
        self.r2.map(|r2| {
            let met = classes.into_iter().find(|(_, least)| r2 >= *least);
            met.map_or(ValidityClass::D, |(class, _)| class)
        })
    }
}

pub(crate) fn measure_validity(subject: &ValiditySubject<'_>) -> MetricValidity {
    let pools: Vec<_> = fit::subjects_by_pool(subject).into_values().collect();
    let min_subjects = subject.settings.min_fitted_subjects;
    let estimate =
        fit::VarianceEstimate::estimate_variances(pools.iter().map(|pool| pool.iter()), min_subjects);
    let fitted = estimate.and_then(|estimate| fit::fit_variance(subject, estimate));
    let variance = fitted.map(|f| f.between);
    let before = subject.values_before();
    let predicted = predict::predict_next(subject, &before, fitted);
    MetricValidity {
        reliability: predict::reliability(subject),
        variance,
        stabilisation: estimate.and_then(|estimate| stabilisation::measure_stabilisation(&pools, estimate)),
        season: season::measure_season(subject, fitted),
        gate: gate::measure_gate(subject, &before, variance),
        ..predicted
    }
}
