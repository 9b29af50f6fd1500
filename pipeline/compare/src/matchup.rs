//! Two fighters beside each other: differences, what may be said of them, and whom both met.
//!
//! Never a winner: no picks, no odds, no probability of winning. Everything is a mirror: with the fighters
//! swapped, every side changes and nothing else does.

mod edge;
mod meetings;
mod pairing;
mod physical;

pub use edge::{FailedGate, MetricComparison, MetricEdge, can_meet, compare_metric, metric_insight};
pub use meetings::{CommonOpponent, FoughtBout, common_opponents, previous_meetings};
pub use pairing::{ExpectedValue, MetricPairing, NoExpectation, PAIRINGS, PairingMethod, expected_value};
pub use physical::{PhysicalDifference, PhysicalFacts, age_years, difference, stance_relation};

/// One of the two, as they were asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchupSide {
    A,
    B,
}

impl MatchupSide {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::B => "b",
        }
    }

    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    /// This side's of a pair.
    #[must_use]
    pub fn of<T: Copy>(self, pair: [T; 2]) -> T {
        match self {
            Self::A => pair[0],
            Self::B => pair[1],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PublishedValue;
    use crate::published::tests::metric;
    use fdna_schemas::Confidence;
    use proptest::prelude::*;

    fn mirrored(edge: MetricEdge) -> MetricEdge {
        if let MetricEdge::To(side) = edge { MetricEdge::To(side.other()) } else { edge }
    }

    prop_compose! {
        fn state()(
            value in prop::option::weighted(0.9, 0.0..10.0),
            weight in prop::option::weighted(0.9, 0.0..=1.0),
            confidence in 0..4,
        ) -> (Option<f64>, Option<f64>, Confidence) {
            let words = ["insufficient", "low", "medium", "high"];
            (value, weight, Confidence::of(words[usize::try_from(confidence).unwrap()]))
        }
    }

    proptest! {
        #[test]
        fn with_the_fighters_swapped_everything_is_mirrored(
            a in state(),
            b in state(),
            variance in prop::option::weighted(0.8, 0.0..5.0),
            gate in prop::option::weighted(0.8, 0.0..2.0),
            name in prop::sample::select(vec!["td_landed_per_15", "sig_absorbed_per_min", "td_attempted_per_15"]),
        ) {
            let metric = metric(name, variance, gate);
            let published = |(value, weight, confidence): (Option<f64>, Option<f64>, Confidence)| PublishedValue {
                metric: &metric,
                value,
                raw_value: value,
                weight,
                prior_mean: None,
                prior_strength: None,
                confidence,
            };
            let (a, b) = (published(a), published(b));
            let (ab, ba) = (compare_metric(&a, &b), compare_metric(&b, &a));
            prop_assert_eq!(ab.gap, ba.gap.map(|gap| 0.0 - gap));
            prop_assert_eq!(ab.z, ba.z.map(|z| 0.0 - z));
            prop_assert_eq!((ab.gap_sd, ab.failed), (ba.gap_sd, ba.failed));
            prop_assert_eq!((ab.edge, ab.higher), (mirrored(ba.edge), ba.higher.map(MatchupSide::other)));
            let side = |c: &MetricComparison| metric_insight(&metric, c).map(|i| i.map(|(side, ..)| side));
            prop_assert_eq!(side(&ab), side(&ba).map(|i| i.map(MatchupSide::other)));
            let rated = matches!(ab.edge, MetricEdge::To(_));
            prop_assert_eq!(rated, ab.failed.is_none());
            prop_assert!(!rated || ab.z.unwrap().abs() >= gate.unwrap());
        }
    }
}
