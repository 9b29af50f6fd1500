//! How far a value can be relied on, and which rules said so.

use fdna_schemas::ValidityClass;

/// Levels, lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    Insufficient,
    Low,
    Medium,
    High,
}

impl Confidence {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Insufficient => "insufficient",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// A rule that kept the confidence from being higher.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    NotRecorded,
    ZeroDenominator,
    NoPrior,
    BelowMinSample,
    /// The weight is below what this level needs.
    WeightBelow(Confidence),
    /// There are fewer bouts than this level needs.
    BoutsBelow(Confidence),
    ValidityClass(ValidityClass),
    CoverageBelow80,
}

impl Reason {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NotRecorded => "not_recorded",
            Self::ZeroDenominator => "zero_denominator",
            Self::NoPrior => "no_prior",
            Self::BelowMinSample => "below_min_sample",
            Self::WeightBelow(Confidence::High) => "weight_below_0.70",
            Self::WeightBelow(Confidence::Medium) => "weight_below_0.50",
            Self::WeightBelow(_) => "weight_below_0.30",
            Self::BoutsBelow(Confidence::High) => "bouts_below_5",
            Self::BoutsBelow(Confidence::Medium) => "bouts_below_3",
            Self::BoutsBelow(_) => "bouts_below_2",
            Self::ValidityClass(ValidityClass::A) => "validity_class_a",
            Self::ValidityClass(ValidityClass::B) => "validity_class_b",
            Self::ValidityClass(ValidityClass::C) => "validity_class_c",
            Self::ValidityClass(ValidityClass::D) => "validity_class_d",
            Self::CoverageBelow80 => "coverage_below_0.80",
        }
    }
}

/// Smallest weight and number of bouts of each level, highest first.
const LEVELS: [(Confidence, f64, i32); 3] =
    [(Confidence::High, 0.70, 5), (Confidence::Medium, 0.50, 3), (Confidence::Low, 0.30, 2)];

/// The level that weight and bouts allow, lowered by the caps, with what kept it from the next one.
pub(crate) fn rate(
    weight: f64,
    bouts: i32,
    eligible_bouts: i32,
    class: ValidityClass,
) -> (Confidence, Vec<Reason>) {
    let allowed = LEVELS.iter().position(|(_, w, b)| weight >= *w && bouts >= *b).unwrap_or(LEVELS.len());
    let level = LEVELS.get(allowed).map_or(Confidence::Insufficient, |(level, ..)| *level);
    let mut reasons = Vec::new();
    if let Some((above, min_weight, min_bouts)) = allowed.checked_sub(1).map(|above| LEVELS[above]) {
        reasons.extend((weight < min_weight).then_some(Reason::WeightBelow(above)));
        reasons.extend((bouts < min_bouts).then_some(Reason::BoutsBelow(above)));
    }
    let class_cap = match class {
        ValidityClass::A | ValidityClass::B => Confidence::High,
        ValidityClass::C => Confidence::Medium,
        ValidityClass::D => Confidence::Low,
    };
    // bouts / eligible < 0.8, in integers.
    let coverage_cap = if 5 * bouts < 4 * eligible_bouts { Confidence::Medium } else { Confidence::High };
    let capped = level.min(class_cap).min(coverage_cap);
    reasons.extend((class_cap < level).then_some(Reason::ValidityClass(class)));
    reasons.extend((coverage_cap < level).then_some(Reason::CoverageBelow80));
    (capped, reasons)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn of(weight: f64, bouts: i32, eligible: i32, class: ValidityClass) -> String {
        let (level, reasons) = rate(weight, bouts, eligible, class);
        let reasons: Vec<&str> = reasons.into_iter().map(Reason::name).collect();
        format!("{} [{}]", level.name(), reasons.join(" "))
    }

    #[test]
    fn levels_need_weight_and_bouts_and_caps_lower_them() {
        use ValidityClass::{A, C, D};
        let seen = [
            of(0.70, 5, 5, A),
            of(0.69, 5, 5, A),
            of(0.80, 4, 4, A),
            of(0.49, 2, 2, A),
            of(0.29, 9, 9, A),
            of(0.90, 1, 1, A),
            of(0.80, 9, 9, C),
            of(0.80, 9, 9, D),
            of(0.80, 7, 9, A),
            of(0.80, 8, 10, A),
        ]
        .join("\n");
        expect![[r#"
            high []
            medium [weight_below_0.70]
            medium [bouts_below_5]
            low [weight_below_0.50 bouts_below_3]
            insufficient [weight_below_0.30]
            insufficient [bouts_below_2]
            medium [validity_class_c]
            low [validity_class_d]
            medium [coverage_below_0.80]
            high []"#]]
        .assert_eq(&seen);
    }
}
