//! How far a value can be relied on, and which rules said so.

use fdna_schemas::{Confidence, ValidityClass};

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident $text:literal),+ $(,)?) => {
        /// A rule that kept the confidence from being higher.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Reason { $($(#[$doc])* $name),+ }

        impl Reason {
            const ALL: &'static [(Self, &'static str)] = &[$((Self::$name, $text)),+];
        }
    };
}

reasons! {
    NotRecorded "not_recorded",
    ZeroDenominator "zero_denominator",
    /// There is no bout before the first.
    NoEarlierBout "no_earlier_bout",
    NoPrior "no_prior",
    BelowMinSample "below_min_sample",
    Weight70 "weight_below_0.70",
    Weight50 "weight_below_0.50",
    Weight30 "weight_below_0.30",
    Bouts5 "bouts_below_5",
    Bouts3 "bouts_below_3",
    Bouts2 "bouts_below_2",
    ClassC "validity_class_c",
    ClassD "validity_class_d",
    Coverage80 "coverage_below_0.80",
}

/// Rules that spoke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Reasons(u16);

impl Reasons {
    /// Names, in the order of the rules.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let has = move |reason: Reason| self.0 & (1 << reason as u16) != 0;
        Reason::ALL.iter().filter(move |(reason, _)| has(*reason)).map(|(_, name)| *name)
    }

    fn add(&mut self, reason: Reason, applies: bool) {
        self.0 |= u16::from(applies) << reason as u16;
    }
}

impl From<Reason> for Reasons {
    fn from(reason: Reason) -> Self {
        Self(1 << reason as u16)
    }
}

/// Smallest weight and number of bouts of a level, with the rules that say so.
type Level = (Confidence, (f64, Reason), (i32, Reason));

/// Highest first.
const LEVELS: [Level; 3] = [
    (Confidence::High, (0.70, Reason::Weight70), (5, Reason::Bouts5)),
    (Confidence::Medium, (0.50, Reason::Weight50), (3, Reason::Bouts3)),
    (Confidence::Low, (0.30, Reason::Weight30), (2, Reason::Bouts2)),
];

/// Smallest weight of a value, and of a fighter to compare one with.
pub(crate) const MIN_WEIGHT: f64 = LEVELS[2].1.0;

/// The level that weight and bouts allow, with what kept it from the next one. A fact has the weight 1.
pub(crate) fn allowed(weight: f64, bouts: i32) -> (Confidence, Reasons) {
    let meets = |(_, (min_weight, _), (min_bouts, _)): &Level| weight >= *min_weight && bouts >= *min_bouts;
    let met = LEVELS.iter().position(meets).unwrap_or(LEVELS.len());
    let mut reasons = Reasons::default();
    if let Some((_, (min_weight, light), (min_bouts, few))) = met.checked_sub(1).map(|above| LEVELS[above]) {
        reasons.add(light, weight < min_weight);
        reasons.add(few, bouts < min_bouts);
    }
    (LEVELS.get(met).map_or(Confidence::Insufficient, |(level, ..)| *level), reasons)
}

/// The level of a shrunk value: what weight and bouts allow, lowered by the caps.
pub(crate) fn rate(
    weight: f64,
    bouts: i32,
    eligible_bouts: i32,
    class: Option<ValidityClass>,
) -> (Confidence, Reasons) {
    let (level, mut reasons) = allowed(weight, bouts);
    let class_cap = match class {
        Some(ValidityClass::C) => Confidence::Medium,
        Some(ValidityClass::D) => Confidence::Low,
        Some(ValidityClass::A | ValidityClass::B) | None => Confidence::High,
    };
    // bouts / eligible < 0.8, in integers.
    let coverage_cap = if 5 * bouts < 4 * eligible_bouts { Confidence::Medium } else { Confidence::High };
    let rule = if class_cap == Confidence::Medium { Reason::ClassC } else { Reason::ClassD };
    reasons.add(rule, class_cap < level);
    reasons.add(Reason::Coverage80, coverage_cap < level);
    (level.min(class_cap).min(coverage_cap), reasons)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn of(weight: f64, bouts: i32, eligible: i32, class: ValidityClass) -> String {
        let (level, reasons) = rate(weight, bouts, eligible, Some(class));
        let reasons: Vec<&str> = reasons.names().collect();
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
