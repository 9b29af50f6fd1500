//! How well a metric predicts the next bout: measured out of time, so that the confidence of a value can be
//! capped by what its metric is worth.
//!
//! Constants are fitted on bouts up to [`CONSTANTS_FITTED_TO`]; everything is tested on bouts after it, each
//! predicted from what was known before it. Only bouts of fighters with three earlier eligible ones are predicted.

mod fit;
mod gate;
mod predict;

use std::sync::LazyLock;

use chrono::NaiveDate;
use fdna_schemas::{CONSTANTS_FITTED_TO, GATES_MEASURED_TO, Metric, ValidityClass};

use crate::career_index::CareerIndex;
use crate::metric::MetricState;
use crate::prior::{ClassPriors, SumRatio};

pub use gate::{GateBin, GateMeasured};

/// Last day of the bouts that constants are fitted on.
pub static FITTED_TO: LazyLock<NaiveDate> = LazyLock::new(|| day(CONSTANTS_FITTED_TO));
static MEASURED_TO: LazyLock<NaiveDate> = LazyLock::new(|| day(GATES_MEASURED_TO));

/// Fewer predicted fighter-bouts than this measure nothing.
const MIN_TEST_BOUTS: usize = 200;
/// Earlier bouts that a fighter needs to be predicted.
const MIN_EARLIER_BOUTS: i32 = 3;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap_or(NaiveDate::MAX)
}

/// What was measured of one metric; `None` where there are too few bouts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MetricValidity {
    /// Share of the squared error of the trailing class mean that the shrunk value removes, weighted by exposure.
    pub r2: Option<f64>,
    /// The same of the raw value.
    pub r2_raw: Option<f64>,
    /// Correlation of odd with even bouts, stepped up to the whole.
    pub reliability: Option<f64>,
    /// Share of next bouts within the 90 % band.
    pub coverage: Option<f64>,
    /// Fighter-bouts that were predicted, with their first and last year.
    pub test_bouts: usize,
    pub test_years: Option<(i32, i32)>,
    /// Variance between fighters of a class, in the metric's unit squared.
    pub variance: Option<f64>,
    /// How often the higher value led in the bout, by how clear the difference was.
    pub gate: GateMeasured,
}

impl MetricValidity {
    /// The class that this measurement gives.
    #[must_use]
    pub fn class(&self) -> Option<ValidityClass> {
        self.r2.map(|r2| match r2 {
            r2 if r2 >= 0.10 => ValidityClass::A,
            r2 if r2 >= 0.04 => ValidityClass::B,
            r2 if r2 >= 0.01 => ValidityClass::C,
            _ => ValidityClass::D,
        })
    }
}

/// A metric as its measurement sees it.
pub(crate) struct ValiditySubject<'a> {
    pub(crate) league: &'a CareerIndex<'a>,
    pub(crate) metric: &'a Metric,
    /// By side.
    pub(crate) parts: &'a [Option<SumRatio>],
    pub(crate) priors: &'a ClassPriors<'a>,
    /// By version.
    pub(crate) states: &'a [MetricState],
}

impl ValiditySubject<'_> {
    /// What a side did in one bout: its value, and the exposure in the units of the denominator.
    fn outcome(&self, side: usize) -> Option<(f64, f64)> {
        let part = self.parts[side].filter(|part| part.d > 0.0)?.scaled(self.metric);
        Some((part.y / part.d, part.d))
    }
}

pub(crate) fn measure(subject: &ValiditySubject<'_>) -> MetricValidity {
    let fitted = fit::fit(subject);
    let variance = fitted.map(|f| f.between);
    let predicted = predict::predict(subject, fitted);
    MetricValidity {
        reliability: predict::reliability(subject),
        variance,
        gate: gate::measure(subject, variance),
        ..predicted
    }
}
