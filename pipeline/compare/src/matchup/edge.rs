//! Edge of one side in a metric, and the gates before it is stated.

use fdna_schemas::{Confidence, Direction, Gate, Metric, ValidityClass};

use super::MatchupSide;
use crate::published::PublishedValue;

/// Gate that kept a difference from being stated, in the order of the checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailedGate {
    /// One fights women, the other men: no gate was ever measured on such a pair.
    DifferentPopulations,
    /// A side has no value.
    ValueMissing,
    /// A side's confidence is below medium.
    Confidence,
    /// The metric predicts too little of the next bout: its class is C or D, or it has none.
    ValidityClass,
    /// No |z| was ever measured from which the difference held in past bouts.
    NoGate,
    /// The variance between fighters is not known, or nothing is uncertain: there is no z.
    NoVariance,
    /// |z| is below the gate.
    ZBelowGate,
}

impl FailedGate {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::DifferentPopulations => "different_populations",
            Self::ValueMissing => "value_missing",
            Self::Confidence => "confidence",
            Self::ValidityClass => "validity_class",
            Self::NoGate => "no_gate",
            Self::NoVariance => "no_variance",
            Self::ZBelowGate => "z_below_gate",
        }
    }
}

/// Side that has the edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricEdge {
    /// The better value, or of a neutral metric the higher.
    To(MatchupSide),
    /// Rated, and too small to state.
    None,
    /// Not rated; the failed gate says why.
    NotRated,
}

impl MetricEdge {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::To(side) => side.name(),
            Self::None => "none",
            Self::NotRated => "not_rated",
        }
    }
}

/// One metric of both sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MetricComparison {
    /// Value of A less value of B.
    pub gap: Option<f64>,
    /// Standard deviation of the gap: √(`var_a` + `var_b`), each a·(1−Z).
    pub gap_sd: Option<f64>,
    /// `gap / gap_sd`.
    pub z: Option<f64>,
    pub edge: MetricEdge,
    /// Why there is no edge.
    pub failed: Option<FailedGate>,
    /// Side with the higher value; `None` unless there is an edge.
    pub higher: Option<MatchupSide>,
}

/// Whether the two could ever meet, as their weight classes tell.
#[must_use]
pub fn can_meet(class_a: Option<&str>, class_b: Option<&str>) -> bool {
    let women = |class: &str| class.starts_with("WOMENS_");
    class_a.map(women).zip(class_b.map(women)).is_none_or(|(a, b)| a == b)
}

impl MetricComparison {
    /// The same without an edge where the two could never meet.
    #[must_use]
    pub fn between_classes(self, class_a: Option<&str>, class_b: Option<&str>) -> Self {
        if can_meet(class_a, class_b) {
            return self;
        }
        Self {
            edge: MetricEdge::NotRated,
            failed: Some(FailedGate::DifferentPopulations),
            higher: None,
            ..self
        }
    }
}

/// Compares one metric of A and B.
#[must_use]
pub fn compare_metric(a: &PublishedValue<'_>, b: &PublishedValue<'_>) -> MetricComparison {
    let gap = a.value.zip(b.value).map(|(a, b)| a - b);
    let variance = a.posterior_variance().zip(b.posterior_variance()).map(|(a, b)| a + b);
    let gap_sd = variance.map(f64::sqrt);
    let z = gap.zip(gap_sd.filter(|sd| *sd > 0.0)).map(|(gap, sd)| gap / sd);
    let rated = find_edge(a, b, z);
    MetricComparison {
        gap,
        gap_sd,
        z,
        edge: match rated {
            Ok(higher) => MetricEdge::To(favoured_side(a.metric, higher)),
            Err(FailedGate::ZBelowGate) => MetricEdge::None,
            Err(_) => MetricEdge::NotRated,
        },
        failed: rated.err(),
        higher: rated.ok(),
    }
}

/// The side with the higher value, if every gate is passed.
fn find_edge(
    a: &PublishedValue<'_>,
    b: &PublishedValue<'_>,
    z: Option<f64>,
) -> Result<MatchupSide, FailedGate> {
    let metric = a.metric;
    if a.value.is_none() || b.value.is_none() {
        return Err(FailedGate::ValueMissing);
    }
    if a.confidence.min(b.confidence) < Confidence::Medium {
        return Err(FailedGate::Confidence);
    }
    if !matches!(metric.validity_class, Some(ValidityClass::A | ValidityClass::B)) {
        return Err(FailedGate::ValidityClass);
    }
    let gate = metric.gate.ok_or(FailedGate::NoGate)?;
    let z = z.ok_or(FailedGate::NoVariance)?;
    // Equal values are no difference, whatever the gate.
    if z.abs() < gate.min_z.max(f64::MIN_POSITIVE) {
        return Err(FailedGate::ZBelowGate);
    }
    Ok(if z > 0.0 { MatchupSide::A } else { MatchupSide::B })
}

fn favoured_side(metric: &Metric, higher: MatchupSide) -> MatchupSide {
    match metric.direction {
        Direction::Lower => higher.other(),
        Direction::Higher | Direction::Neutral => higher,
    }
}

/// The insight that the metric allows: side with the higher value, phrase that follows its name, and gate.
/// `None` for a metric that no insight speaks of.
#[must_use]
pub fn metric_insight<'a>(
    metric: &'a Metric,
    comparison: &MetricComparison,
) -> Option<Result<(MatchupSide, &'a str, Gate), FailedGate>> {
    let phrase = metric.insight.as_deref()?;
    let stated = comparison.higher.zip(metric.gate).map(|(side, gate)| (side, phrase, gate));
    Some(stated.ok_or(comparison.failed.unwrap_or(FailedGate::NoGate)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::tests::{metric, published};
    use expect_test::expect;

    fn line(metric: &Metric, a: &PublishedValue<'_>, b: &PublishedValue<'_>) -> String {
        let c = compare_metric(a, b);
        let said = metric_insight(metric, &c).map_or("-".to_owned(), |i| match i {
            Ok((side, phrase, _)) => format!("{} {phrase}", side.name()),
            Err(failed) => format!("withheld: {}", failed.name()),
        });
        let z = c.z.map_or("none".to_owned(), |z| format!("{z:+.2}"));
        format!("z {z} edge {} {} | {said}", c.edge.name(), c.failed.map_or("", FailedGate::name))
    }

    fn at(metric: &Metric, a: f64, b: f64) -> String {
        line(metric, &published(metric, a, 0.5, 2.0), &published(metric, b, 0.5, 2.0))
    }

    #[test]
    fn a_gap_is_stated_from_the_gate_on() {
        // Both variances are 1·(1 − 0.5): the gap is its own z.
        let metric = metric("td_landed_per_15", Some(1.0), Some(1.0));
        let lines =
            [at(&metric, 3.0, 2.0), at(&metric, 2.99, 2.0), at(&metric, 1.0, 3.5), at(&metric, 2.0, 2.0)];
        expect![[r#"
            z +1.00 edge a  | a lands {} takedowns per 15 min
            z +0.99 edge none z_below_gate | withheld: z_below_gate
            z -2.50 edge b  | b lands {} takedowns per 15 min
            z +0.00 edge none z_below_gate | withheld: z_below_gate"#]]
        .assert_eq(&lines.join("\n"));
    }

    #[test]
    fn a_gate_of_0_does_not_state_equal_values() {
        let metric = metric("td_landed_per_15", Some(1.0), Some(0.0));
        assert!(at(&metric, 2.0, 2.0).contains("z_below_gate"));
        assert!(at(&metric, 2.1, 2.0).contains("edge a"));
    }

    #[test]
    fn where_lower_is_better_the_edge_is_the_lower_sides_and_the_phrase_still_the_highers() {
        let mut absorbed = metric("sig_absorbed_per_min", Some(1.0), Some(0.5));
        absorbed.insight = Some("absorbs more".to_owned());
        expect!["z +1.00 edge b  | a absorbs more"].assert_eq(&at(&absorbed, 3.0, 2.0));
        let neutral = metric("td_attempted_per_15", Some(1.0), Some(0.5));
        expect!["z -1.00 edge b  | b attempts {} takedowns per 15 min"].assert_eq(&at(&neutral, 2.0, 3.0));
    }

    #[test]
    fn the_first_gate_that_fails_is_told() {
        let gated = metric("td_landed_per_15", Some(1.0), Some(0.5));
        let (a, b) = (published(&gated, 9.0, 0.5, 2.0), published(&gated, 1.0, 0.5, 2.0));
        let low = PublishedValue { confidence: Confidence::Low, ..b };
        let none = PublishedValue { value: None, confidence: Confidence::Insufficient, ..b };
        let certain = |p: PublishedValue<'static>| PublishedValue { weight: Some(1.0), ..p };
        let mut lines = vec![line(&gated, &a, &none), line(&gated, &low, &a)];
        let weak = Metric { validity_class: Some(ValidityClass::C), ..gated.clone() };
        lines.push(at(&weak, 9.0, 1.0));
        lines.push(at(&metric("td_landed_per_15", Some(1.0), None), 9.0, 1.0));
        lines.push(at(&metric("td_landed_per_15", None, Some(0.5)), 9.0, 1.0));
        let gated: &'static Metric = Box::leak(Box::new(gated));
        let (a, b) = (certain(published(gated, 9.0, 0.5, 2.0)), certain(published(gated, 1.0, 0.5, 2.0)));
        lines.push(line(gated, &a, &b));
        lines.push(at(&metric("td_accuracy", Some(1.0), Some(0.5)), 0.9, 0.1));
        expect![[r"
            z none edge not_rated value_missing | withheld: value_missing
            z -8.00 edge not_rated confidence | withheld: confidence
            z +8.00 edge not_rated validity_class | withheld: validity_class
            z +8.00 edge not_rated no_gate | withheld: no_gate
            z none edge not_rated no_variance | withheld: no_variance
            z none edge not_rated no_variance | withheld: no_variance
            z +0.80 edge not_rated validity_class | -"]]
        .assert_eq(&lines.join("\n"));
    }

    #[test]
    fn women_and_men_are_never_rated_against_each_other() {
        let clear = MetricComparison {
            gap: Some(2.0),
            gap_sd: Some(0.5),
            z: Some(4.0),
            edge: MetricEdge::To(MatchupSide::A),
            failed: None,
            higher: Some(MatchupSide::A),
        };
        let apart = clear.between_classes(Some("WOMENS_STRAWWEIGHT"), Some("HEAVYWEIGHT"));
        assert_eq!((apart.edge, apart.higher), (MetricEdge::NotRated, None));
        assert_eq!(apart.failed, Some(FailedGate::DifferentPopulations));
        assert_eq!(clear.between_classes(Some("LIGHTWEIGHT"), Some("HEAVYWEIGHT")), clear);
        assert_eq!(clear.between_classes(None, Some("WOMENS_STRAWWEIGHT")), clear);
    }
}
