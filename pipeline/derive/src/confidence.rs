//! How far a value can be relied on, and which rules said so.

use fdna_schemas::{Confidence, ValidityClass};

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident $text:literal),+ $(,)?) => {
        /// A rule that kept the confidence from being higher.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum ConfidenceReason { $($(#[$doc])* $name),+ }

        impl ConfidenceReason {
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
    /// Nothing was measured of it.
    NotMeasured "validity_not_measured",
    /// Later bouts lack its columns, and the newest that has them is more than a year old.
    Outdated "not_recorded_for_a_year",
}

/// Rules that spoke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Reasons(u16);

impl Reasons {
    /// Names, in the order of the rules.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let has = move |reason: ConfidenceReason| self.0 & (1 << reason as u16) != 0;
        ConfidenceReason::ALL.iter().filter(move |(reason, _)| has(*reason)).map(|(_, name)| *name)
    }

    fn add(&mut self, reason: ConfidenceReason, applies: bool) {
        self.0 |= u16::from(applies) << reason as u16;
    }
}

impl From<ConfidenceReason> for Reasons {
    fn from(reason: ConfidenceReason) -> Self {
        Self(1 << reason as u16)
    }
}

/// Smallest weight and number of bouts of a level, with the rules that say so.
type ConfidenceLevel = (Confidence, (f64, ConfidenceReason), (i32, ConfidenceReason));

/// Highest first.
const LEVELS: [ConfidenceLevel; 3] = [
    (Confidence::High, (0.70, ConfidenceReason::Weight70), (5, ConfidenceReason::Bouts5)),
    (Confidence::Medium, (0.50, ConfidenceReason::Weight50), (3, ConfidenceReason::Bouts3)),
    (Confidence::Low, (0.30, ConfidenceReason::Weight30), (2, ConfidenceReason::Bouts2)),
];

/// Smallest weight of a value, and of a fighter to compare one with.
pub(crate) const MIN_WEIGHT: f64 = LEVELS[2].1.0;

/// The level that weight and bouts allow, with what kept it from the next one. A fact has the weight 1.
pub(crate) fn allowed(weight: f64, bouts: i32) -> (Confidence, Reasons) {
    let meets =
        |(_, (min_weight, _), (min_bouts, _)): &ConfidenceLevel| weight >= *min_weight && bouts >= *min_bouts;
    let met = LEVELS.iter().position(meets).unwrap_or(LEVELS.len());
    let mut reasons = Reasons::default();
    if let Some((_, (min_weight, light), (min_bouts, few))) = met.checked_sub(1).map(|above| LEVELS[above]) {
        reasons.add(light, weight < min_weight);
        reasons.add(few, bouts < min_bouts);
    }
    (LEVELS.get(met).map_or(Confidence::Insufficient, |(level, ..)| *level), reasons)
}

/// What a ratio rests on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SampleGround {
    /// Of the fighter's own sums; 1 where nothing is shrunk.
    pub(crate) weight: f64,
    /// Eligible bouts that carry the columns, of so many.
    pub(crate) bouts: i32,
    pub(crate) eligible_bouts: i32,
    /// Whether later bouts lack the columns, and the newest that has them is more than a year old.
    pub(crate) is_outdated: bool,
}

/// The level of a ratio: what weight and bouts allow, lowered by the caps.
pub(crate) fn rate(ground: SampleGround, class: Option<ValidityClass>) -> (Confidence, Reasons) {
    let SampleGround { weight, bouts, eligible_bouts, is_outdated } = ground;
    let (level, mut reasons) = allowed(weight, bouts);
    // bouts / eligible < 0.8, in integers.
    let coverage_cap = if 5 * bouts < 4 * eligible_bouts { Confidence::Medium } else { Confidence::High };
    reasons.add(ConfidenceReason::Coverage80, coverage_cap < level);
    let (level, reasons) = capped((level, reasons), class, coverage_cap);
    let lower = match level {
        Confidence::High => Confidence::Medium,
        Confidence::Medium => Confidence::Low,
        level => level,
    };
    let mut reasons = reasons;
    reasons.add(ConfidenceReason::Outdated, is_outdated);
    (if is_outdated { lower } else { level }, reasons)
}

/// A level under the caps of its validity class, and another cap that has told its own reason.
fn capped(
    (level, mut reasons): (Confidence, Reasons),
    class: Option<ValidityClass>,
    other_cap: Confidence,
) -> (Confidence, Reasons) {
    let (cap, rule) = match class {
        Some(ValidityClass::A | ValidityClass::B) => return (level.min(other_cap), reasons),
        Some(ValidityClass::C) => (Confidence::Medium, ConfidenceReason::ClassC),
        Some(ValidityClass::D) => (Confidence::Low, ConfidenceReason::ClassD),
        None => (Confidence::Medium, ConfidenceReason::NotMeasured),
    };
    reasons.add(rule, cap < level);
    (level.min(cap).min(other_cap), reasons)
}

/// A level of what has no validity class: nobody knows what it is worth for the next bout.
pub(crate) fn not_measured(level: (Confidence, Reasons)) -> (Confidence, Reasons) {
    capped(level, None, Confidence::High)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn of(weight: f64, bouts: i32, eligible: i32, class: ValidityClass) -> String {
        let ground = SampleGround { weight, bouts, eligible_bouts: eligible, is_outdated: false };
        let (level, reasons) = rate(ground, Some(class));
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

    #[test]
    fn what_was_not_recorded_for_a_year_and_what_was_never_measured_is_lowered() {
        let of = |weight: f64, class: Option<ValidityClass>| {
            let ground = SampleGround { weight, bouts: 9, eligible_bouts: 10, is_outdated: true };
            let (level, reasons) = rate(ground, class);
            format!("{} {:?}", level.name(), reasons.names().collect::<Vec<_>>())
        };
        assert_eq!(of(0.9, Some(ValidityClass::A)), r#"medium ["not_recorded_for_a_year"]"#);
        assert_eq!(
            of(0.6, Some(ValidityClass::A)),
            r#"low ["weight_below_0.70", "not_recorded_for_a_year"]"#
        );
        assert_eq!(of(0.9, Some(ValidityClass::D)), r#"low ["validity_class_d", "not_recorded_for_a_year"]"#);
        assert_eq!(of(0.9, None), r#"low ["validity_not_measured", "not_recorded_for_a_year"]"#);
        let (level, reasons) = not_measured(allowed(1.0, 9));
        assert_eq!(
            (level, reasons.names().collect::<Vec<_>>()),
            (Confidence::Medium, vec!["validity_not_measured"])
        );
    }
}
