//! One fighter's offence against what the other lets his opponents do.

use fdna_schemas::Confidence;

use crate::published::PublishedValue;

/// An offence and the defence that answers it, by metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetricPairing {
    pub offence: &'static str,
    pub defence: &'static str,
    pub method: PairingMethod,
}

/// How offence and defence make an expectation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairingMethod {
    /// offence × defence ÷ class mean: how much more than usual each brings multiplies.
    RateProduct,
    /// The same with the odds of shares: odds(offence) × odds(allowed) ÷ odds(class mean).
    AllowedOdds,
    /// As before, where the defence states the share that misses: allowed = 1 − defence.
    MissedOdds,
}

impl PairingMethod {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::RateProduct => "offence_times_defence_over_class_mean",
            Self::AllowedOdds => "odds_of_offence_times_odds_of_allowed_over_odds_of_class_mean",
            Self::MissedOdds => "odds_of_offence_times_odds_of_one_less_defence_over_odds_of_class_mean",
        }
    }
}

const fn metric_pairing(
    offence: &'static str,
    defence: &'static str,
    method: PairingMethod,
) -> MetricPairing {
    MetricPairing { offence, defence, method }
}

/// All pairs, in the order of the answer.
pub const PAIRINGS: &[MetricPairing] = &[
    metric_pairing("sig_landed_per_min", "sig_absorbed_per_min", PairingMethod::RateProduct),
    metric_pairing("sig_accuracy", "sig_defense", PairingMethod::MissedOdds),
    metric_pairing("head_accuracy", "head_defense", PairingMethod::MissedOdds),
    metric_pairing("leg_accuracy", "leg_defense", PairingMethod::MissedOdds),
    metric_pairing(
        "distance_landed_per_neutral_min",
        "distance_absorbed_per_neutral_min",
        PairingMethod::RateProduct,
    ),
    metric_pairing("kd_per_15", "kd_absorbed_per_15", PairingMethod::RateProduct),
    metric_pairing("td_landed_per_15", "td_absorbed_per_15", PairingMethod::RateProduct),
    metric_pairing("td_attempted_per_15", "td_faced_per_15", PairingMethod::RateProduct),
    metric_pairing("td_accuracy", "td_defense", PairingMethod::MissedOdds),
    metric_pairing("sub_attempts_per_15", "sub_faced_per_15", PairingMethod::RateProduct),
    metric_pairing("control_share", "controlled_share", PairingMethod::AllowedOdds),
];

/// Value expected from offence and defence together, and the class mean behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpectedValue {
    /// In the unit of the offence.
    pub value: f64,
    /// Mean of the offence's prior mean and what the defence's says is allowed: equal up to the fighters'
    /// classes and the dates of their versions.
    pub class_mean: f64,
}

/// Why there is no expectation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoExpectation {
    /// One fights women, the other men.
    DifferentPopulations,
    ValueMissing,
    /// A side's confidence is below medium.
    Confidence,
    /// A version has no prior, so the class mean is not known.
    NoPrior,
    /// The rule divides by 0 here.
    Undefined,
}

impl NoExpectation {
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::DifferentPopulations => "different_populations",
            Self::ValueMissing => "value_missing",
            Self::Confidence => "confidence",
            Self::NoPrior => "no_prior",
            Self::Undefined => "undefined",
        }
    }
}

/// Sets the offence of one side against the defence of the other.
///
/// # Errors
/// There is no expectation.
pub fn expected_value(
    method: PairingMethod,
    offence: &PublishedValue<'_>,
    defence: &PublishedValue<'_>,
) -> Result<ExpectedValue, NoExpectation> {
    let allowed = |value: f64| if method == PairingMethod::MissedOdds { 1.0 - value } else { value };
    let values = offence.value.zip(defence.value.map(allowed)).ok_or(NoExpectation::ValueMissing)?;
    if offence.confidence.min(defence.confidence) < Confidence::Medium {
        return Err(NoExpectation::Confidence);
    }
    let means = offence.prior_mean.zip(defence.prior_mean.map(allowed)).ok_or(NoExpectation::NoPrior)?;
    let class_mean = f64::midpoint(means.0, means.1);
    let value = match method {
        PairingMethod::RateProduct => scaled_product(values, class_mean),
        PairingMethod::AllowedOdds | PairingMethod::MissedOdds => odds_product(values, class_mean),
    };
    value.map(|value| ExpectedValue { value, class_mean }).ok_or(NoExpectation::Undefined)
}

fn scaled_product((offence, allowed): (f64, f64), mean: f64) -> Option<f64> {
    (mean > 0.0).then(|| offence * allowed / mean)
}

/// The share whose odds are odds(p)·odds(q)/odds(m), without dividing by 1 − p.
fn odds_product((p, q): (f64, f64), mean: f64) -> Option<f64> {
    let landed = p * q * (1.0 - mean);
    let missed = (1.0 - p) * (1.0 - q) * mean;
    let are_shares = [p, q, mean].iter().all(|share| (0.0..=1.0).contains(share));
    (are_shares && landed + missed > 0.0).then(|| landed / (landed + missed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::tests::{metric, published};
    use fdna_schemas::{Estimator, MetricDefinitions};

    fn of(
        method: PairingMethod,
        offence: (f64, f64),
        defence: (f64, f64),
    ) -> Result<ExpectedValue, NoExpectation> {
        let metric = metric("sig_landed_per_min", None, None);
        let side = |(value, mean)| published(&metric, value, 0.5, mean);
        expected_value(method, &side(offence), &side(defence))
    }

    fn value(method: PairingMethod, offence: (f64, f64), defence: (f64, f64)) -> f64 {
        of(method, offence, defence).unwrap().value
    }

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }

    #[test]
    fn an_average_side_leaves_the_other_as_it_is() {
        near(value(PairingMethod::RateProduct, (5.0, 4.0), (4.0, 4.0)), 5.0);
        near(value(PairingMethod::RateProduct, (4.0, 4.0), (3.0, 4.0)), 3.0);
        near(value(PairingMethod::AllowedOdds, (0.3, 0.2), (0.2, 0.2)), 0.3);
        near(value(PairingMethod::MissedOdds, (0.45, 0.4), (0.6, 0.6)), 0.45);
        near(value(PairingMethod::MissedOdds, (0.4, 0.4), (0.7, 0.6)), 0.3);
    }

    #[test]
    fn two_deviations_multiply_and_shares_stay_shares() {
        near(value(PairingMethod::RateProduct, (6.0, 4.0), (6.0, 4.0)), 9.0);
        // Odds 1 × odds 1 over odds 1/3 are odds 3.
        near(value(PairingMethod::AllowedOdds, (0.5, 0.25), (0.5, 0.25)), 0.75);
        near(value(PairingMethod::AllowedOdds, (1.0, 0.25), (0.5, 0.25)), 1.0);
        near(of(PairingMethod::AllowedOdds, (0.3, 0.2), (0.1, 0.4)).unwrap().class_mean, 0.3);
    }

    #[test]
    fn what_is_missing_or_divides_by_0_has_a_reason() {
        assert_eq!(of(PairingMethod::RateProduct, (1.0, 0.0), (1.0, 0.0)), Err(NoExpectation::Undefined));
        assert_eq!(of(PairingMethod::AllowedOdds, (1.0, 0.5), (0.0, 0.5)), Err(NoExpectation::Undefined));
        assert_eq!(of(PairingMethod::AllowedOdds, (1.2, 0.5), (0.5, 0.5)), Err(NoExpectation::Undefined));
        let metric = metric("sig_landed_per_min", None, None);
        let whole = published(&metric, 4.0, 0.5, 4.0);
        let (no_value, no_prior) =
            (PublishedValue { value: None, ..whole }, PublishedValue { prior_mean: None, ..whole });
        assert_eq!(
            expected_value(PairingMethod::RateProduct, &whole, &no_value),
            Err(NoExpectation::ValueMissing)
        );
        assert_eq!(
            expected_value(PairingMethod::RateProduct, &no_prior, &whole),
            Err(NoExpectation::NoPrior)
        );
        let unsure = PublishedValue { confidence: Confidence::Low, ..whole };
        assert_eq!(
            expected_value(PairingMethod::RateProduct, &whole, &unsure),
            Err(NoExpectation::Confidence)
        );
    }

    #[test]
    fn every_pair_is_in_the_metric_definitions_with_one_unit_and_a_rule_that_fits() {
        for pairing in PAIRINGS {
            let metric = |name| MetricDefinitions::get().metric(name).unwrap();
            let (offence, defence) = (metric(pairing.offence), metric(pairing.defence));
            assert_eq!(offence.unit, defence.unit, "{}", pairing.offence);
            // Rates multiply, shares have odds.
            let is_product = pairing.method == PairingMethod::RateProduct;
            for metric in [offence, defence] {
                assert_eq!(metric.estimator == Estimator::Rate, is_product, "{}", metric.name);
            }
        }
    }
}
