//! Confidence in a value, and the rules that decided it.

use fdna_schemas::{Confidence, ConfidenceLevel, ConfidenceSettings, ValidityClass};
use serde::{Deserialize, Serialize};

/// A rule that kept the confidence from being higher.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConfidenceReason {
    NotRecorded,
    ZeroDenominator,
    /// There is no contest before the first.
    NoEarlierContest,
    NoPrior,
    BelowMinSample,
    WeightHigh,
    WeightMedium,
    WeightLow,
    ObservationsHigh,
    ObservationsMedium,
    ObservationsLow,
    /// Cap of the metric's validity class.
    ClassA,
    ClassB,
    ClassC,
    ClassD,
    Coverage,
    /// Nothing was measured of it.
    NotMeasured,
    /// Later observations lack its columns, and the newest that has them is more than a year old.
    Outdated,
}

impl ConfidenceReason {
    const ALL: [Self; 18] = [
        Self::NotRecorded,
        Self::ZeroDenominator,
        Self::NoEarlierContest,
        Self::NoPrior,
        Self::BelowMinSample,
        Self::WeightHigh,
        Self::WeightMedium,
        Self::WeightLow,
        Self::ObservationsHigh,
        Self::ObservationsMedium,
        Self::ObservationsLow,
        Self::ClassA,
        Self::ClassB,
        Self::ClassC,
        Self::ClassD,
        Self::Coverage,
        Self::NotMeasured,
        Self::Outdated,
    ];

    /// As published, with the thresholds and the noun of the product.
    fn name(self, settings: &ConfidenceSettings) -> String {
        let noun = &settings.noun;
        let weight = |level: ConfidenceLevel| format!("weight_below_{:.2}", level.min_weight);
        let observations = |level: ConfidenceLevel| format!("{noun}s_below_{}", level.min_observations);
        match self {
            Self::NotRecorded => "not_recorded".to_owned(),
            Self::ZeroDenominator => "zero_denominator".to_owned(),
            Self::NoEarlierContest => format!("no_earlier_{noun}"),
            Self::NoPrior => "no_prior".to_owned(),
            Self::BelowMinSample => "below_min_sample".to_owned(),
            Self::WeightHigh => weight(settings.high),
            Self::WeightMedium => weight(settings.medium),
            Self::WeightLow => weight(settings.low),
            Self::ObservationsHigh => observations(settings.high),
            Self::ObservationsMedium => observations(settings.medium),
            Self::ObservationsLow => observations(settings.low),
            Self::ClassA => "validity_class_a".to_owned(),
            Self::ClassB => "validity_class_b".to_owned(),
            Self::ClassC => "validity_class_c".to_owned(),
            Self::ClassD => "validity_class_d".to_owned(),
            Self::Coverage => format!("coverage_below_{:.2}", settings.min_coverage),
            Self::NotMeasured => "validity_not_measured".to_owned(),
            Self::Outdated => "not_recorded_for_a_year".to_owned(),
        }
    }
}

/// Rules that spoke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Reasons(u32);

impl Reasons {
    /// Names, in the order of the rules.
    #[must_use]
    pub fn names(self, settings: &ConfidenceSettings) -> Vec<String> {
        let has = |reason: &ConfidenceReason| self.0 & (1 << *reason as u32) != 0;
        ConfidenceReason::ALL.into_iter().filter(has).map(|reason| reason.name(settings)).collect()
    }

    fn add_reason(&mut self, reason: ConfidenceReason, applies: bool) {
        self.0 |= u32::from(applies) << reason as u32;
    }
}

impl From<ConfidenceReason> for Reasons {
    fn from(reason: ConfidenceReason) -> Self {
        Self(1 << reason as u32)
    }
}

/// The level that weight and observations allow, with what kept it from the next one. A fact has the weight 1.
pub(crate) fn allowed_level(
    settings: &ConfidenceSettings,
    weight: f64,
    observations: i32,
) -> (Confidence, Reasons) {
    use ConfidenceReason as Reason;
    let levels = [
        (Confidence::High, settings.high, Reason::WeightHigh, Reason::ObservationsHigh),
        (Confidence::Medium, settings.medium, Reason::WeightMedium, Reason::ObservationsMedium),
        (Confidence::Low, settings.low, Reason::WeightLow, Reason::ObservationsLow),
    ];
    let light = |level: &ConfidenceLevel| weight < level.min_weight;
    let few = |level: &ConfidenceLevel| observations < level.min_observations;
    let met = levels.iter().position(|(_, level, ..)| !light(level) && !few(level)).unwrap_or(levels.len());
    let mut reasons = Reasons::default();
    if let Some((_, above, is_light, is_few)) = met.checked_sub(1).map(|above| levels[above]) {
        reasons.add_reason(is_light, light(&above));
        reasons.add_reason(is_few, few(&above));
    }
    (levels.get(met).map_or(Confidence::Insufficient, |(level, ..)| *level), reasons)
}

/// Sample behind a ratio.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SampleGround {
    /// Of the subject's own sums; 1 where nothing is shrunk.
    pub(crate) weight: f64,
    /// Observations that carry the columns, of so many.
    pub(crate) observations: i32,
    pub(crate) total_observations: i32,
    /// Whether later observations lack the columns, and the newest that has them is more than a year old.
    pub(crate) is_outdated: bool,
}

/// The level of a ratio: what weight and observations allow, lowered by the caps.
pub(crate) fn rate_ratio(
    settings: &ConfidenceSettings,
    ground: SampleGround,
    class: Option<ValidityClass>,
) -> (Confidence, Reasons) {
    let (level, mut reasons) = allowed_level(settings, ground.weight, ground.observations);
    let covered = f64::from(ground.observations) / f64::from(ground.total_observations);
    let has_gaps = covered < settings.min_coverage;
    let coverage_cap = if has_gaps { settings.caps.coverage } else { Confidence::High };
    reasons.add_reason(ConfidenceReason::Coverage, coverage_cap < level);
    let (level, mut reasons) = cap_level(settings, (level, reasons), class);
    let level = level.min(coverage_cap);
    reasons.add_reason(ConfidenceReason::Outdated, ground.is_outdated);
    (if ground.is_outdated { lower_level(level) } else { level }, reasons)
}

fn lower_level(level: Confidence) -> Confidence {
    match level {
        Confidence::High => Confidence::Medium,
        Confidence::Medium => Confidence::Low,
        level => level,
    }
}

/// A level under the cap of its validity class.
fn cap_level(
    settings: &ConfidenceSettings,
    (level, mut reasons): (Confidence, Reasons),
    class: Option<ValidityClass>,
) -> (Confidence, Reasons) {
    let cap = settings.caps.cap_of(class);
    let rule = match class {
        Some(ValidityClass::A) => ConfidenceReason::ClassA,
        Some(ValidityClass::B) => ConfidenceReason::ClassB,
        Some(ValidityClass::C) => ConfidenceReason::ClassC,
        Some(ValidityClass::D) => ConfidenceReason::ClassD,
        None => ConfidenceReason::NotMeasured,
    };
    reasons.add_reason(rule, cap < level);
    (level.min(cap), reasons)
}

/// A level of what has no validity class: nobody knows what it is worth for the next contest.
pub(crate) fn not_measured(
    settings: &ConfidenceSettings,
    level: (Confidence, Reasons),
) -> (Confidence, Reasons) {
    cap_level(settings, level, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use fdna_schemas::MetricDefinitions;

    fn settings() -> &'static ConfidenceSettings {
        &MetricDefinitions::get().settings.confidence
    }

    fn of(weight: f64, observations: i32, total_observations: i32, class: ValidityClass) -> String {
        let ground = SampleGround { weight, observations, total_observations, is_outdated: false };
        let (level, reasons) = rate_ratio(settings(), ground, Some(class));
        format!("{} [{}]", level.name(), reasons.names(settings()).join(" "))
    }

    #[test]
    fn levels_need_weight_and_observations_and_caps_lower_them() {
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
            let ground = SampleGround { weight, observations: 9, total_observations: 10, is_outdated: true };
            let (level, reasons) = rate_ratio(settings(), ground, class);
            format!("{} {:?}", level.name(), reasons.names(settings()))
        };
        assert_eq!(of(0.9, Some(ValidityClass::A)), r#"medium ["not_recorded_for_a_year"]"#);
        assert_eq!(
            of(0.6, Some(ValidityClass::A)),
            r#"low ["weight_below_0.70", "not_recorded_for_a_year"]"#
        );
        assert_eq!(of(0.9, Some(ValidityClass::D)), r#"low ["validity_class_d", "not_recorded_for_a_year"]"#);
        assert_eq!(of(0.9, None), r#"low ["validity_not_measured", "not_recorded_for_a_year"]"#);
        let (level, reasons) = not_measured(settings(), allowed_level(settings(), 1.0, 9));
        assert_eq!(
            (level, reasons.names(settings()).join(" ").as_str()),
            (Confidence::Medium, "validity_not_measured")
        );
    }
}
