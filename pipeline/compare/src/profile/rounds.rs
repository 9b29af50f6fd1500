//! Rates of one round, and how they fall from the first to the third.

use serde::{Deserialize, Serialize};

/// Actions of one side, summed over the bouts that reached a round.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundActions {
    pub knockdowns: i64,
    pub sig_landed: i64,
    pub sig_attempted: i64,
    pub total_landed: i64,
    pub td_landed: i64,
    pub td_attempted: i64,
    pub sub_attempts: i64,
    /// In bouts whose control is known for both.
    pub control_secs: i64,
}

/// Sums of one round.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundSums {
    pub round: i32,
    /// Bouts that reached it.
    pub bouts: i32,
    pub secs: i64,
    /// Of that, in bouts whose control is known for both.
    pub control_known_secs: i64,
    pub own: RoundActions,
    pub opponent: RoundActions,
}

/// Rates of one side, or of one less the other; `None` where there is nothing to divide by.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RoundActionRates {
    pub sig_landed_per_min: Option<f64>,
    pub sig_attempted_per_min: Option<f64>,
    pub total_landed_per_min: Option<f64>,
    pub knockdowns_per_15: Option<f64>,
    pub td_landed_per_15: Option<f64>,
    pub td_attempted_per_15: Option<f64>,
    pub sub_attempts_per_15: Option<f64>,
    pub sig_accuracy: Option<f64>,
    pub td_accuracy: Option<f64>,
    pub control_share: Option<f64>,
}

impl RoundActionRates {
    fn from_sums(actions: &RoundActions, sums: &RoundSums) -> Self {
        let per = |count: i64, secs: f64| ratio_of(count, sums.secs).map(|rate| rate * secs);
        Self {
            sig_landed_per_min: per(actions.sig_landed, 60.0),
            sig_attempted_per_min: per(actions.sig_attempted, 60.0),
            total_landed_per_min: per(actions.total_landed, 60.0),
            knockdowns_per_15: per(actions.knockdowns, 900.0),
            td_landed_per_15: per(actions.td_landed, 900.0),
            td_attempted_per_15: per(actions.td_attempted, 900.0),
            sub_attempts_per_15: per(actions.sub_attempts, 900.0),
            sig_accuracy: ratio_of(actions.sig_landed, actions.sig_attempted),
            td_accuracy: ratio_of(actions.td_landed, actions.td_attempted),
            control_share: ratio_of(actions.control_secs, sums.control_known_secs),
        }
    }

    /// Each rate less the other's.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        Self {
            sig_landed_per_min: difference_of(self.sig_landed_per_min, other.sig_landed_per_min),
            sig_attempted_per_min: difference_of(self.sig_attempted_per_min, other.sig_attempted_per_min),
            total_landed_per_min: difference_of(self.total_landed_per_min, other.total_landed_per_min),
            knockdowns_per_15: difference_of(self.knockdowns_per_15, other.knockdowns_per_15),
            td_landed_per_15: difference_of(self.td_landed_per_15, other.td_landed_per_15),
            td_attempted_per_15: difference_of(self.td_attempted_per_15, other.td_attempted_per_15),
            sub_attempts_per_15: difference_of(self.sub_attempts_per_15, other.sub_attempts_per_15),
            sig_accuracy: difference_of(self.sig_accuracy, other.sig_accuracy),
            td_accuracy: difference_of(self.td_accuracy, other.td_accuracy),
            control_share: difference_of(self.control_share, other.control_share),
        }
    }
}

/// Rates of one round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoundProfile {
    pub own: RoundActionRates,
    pub opponent: RoundActionRates,
    /// Own less the opponents'.
    pub differential: RoundActionRates,
}

impl RoundProfile {
    #[must_use]
    pub fn from_sums(sums: &RoundSums) -> Self {
        let (own, opponent) =
            (RoundActionRates::from_sums(&sums.own, sums), RoundActionRates::from_sums(&sums.opponent, sums));
        Self { own, opponent, differential: own.minus(&opponent) }
    }
}

/// Significant strikes attempted per minute: round 3 less round 1, on the same bouts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoundFade {
    pub own: f64,
    pub opponent: f64,
    /// Own less the opponents'.
    pub differential: f64,
}

/// The fade over comparable bouts; `None` if there are none.
#[must_use]
pub fn round_fade(comparable: &[RoundSums]) -> Option<RoundFade> {
    let round = |n: i32| comparable.iter().find(|sums| sums.round == n).map(RoundProfile::from_sums);
    let (first, third) = (round(1)?, round(3)?);
    let change = |pick: fn(&RoundProfile) -> &RoundActionRates| {
        difference_of(pick(&third).sig_attempted_per_min, pick(&first).sig_attempted_per_min)
    };
    let (own, opponent) = (change(|r| &r.own)?, change(|r| &r.opponent)?);
    Some(RoundFade { own, opponent, differential: own - opponent })
}

fn difference_of(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    Some(a? - b?)
}

#[expect(clippy::cast_precision_loss, reason = "sums of counts stay far below 2^53")]
fn ratio_of(part: i64, whole: i64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn strikes(sig_landed: i64, sig_attempted: i64, control_secs: i64) -> RoundActions {
        RoundActions { sig_landed, sig_attempted, control_secs, ..RoundActions::default() }
    }

    fn round(round: i32, secs: i64, known: i64, own: RoundActions, opponent: RoundActions) -> RoundSums {
        RoundSums { round, bouts: 1, secs, control_known_secs: known, own, opponent }
    }

    #[test]
    fn rates_divide_by_the_rounds_own_time_and_control_by_the_time_in_which_it_is_known() {
        let own = RoundActions { td_landed: 1, td_attempted: 4, knockdowns: 1, ..strikes(30, 60, 75) };
        let sums = round(2, 600, 300, own, strikes(10, 0, 0));
        let profile = RoundProfile::from_sums(&sums);
        expect![[r#"
            RoundActionRates { sig_landed_per_min: Some(3.0), sig_attempted_per_min: Some(6.0), total_landed_per_min: Some(0.0), knockdowns_per_15: Some(1.5), td_landed_per_15: Some(1.5), td_attempted_per_15: Some(6.0), sub_attempts_per_15: Some(0.0), sig_accuracy: Some(0.5), td_accuracy: Some(0.25), control_share: Some(0.25) }
        "#]]
        .assert_eq(&format!("{:?}\n", profile.own));
        let differential = profile.differential;
        assert_eq!((differential.sig_landed_per_min, differential.sig_accuracy), (Some(2.0), None));
        assert_eq!(differential.control_share, Some(0.25));
    }

    #[test]
    fn a_round_that_nobody_reached_has_no_rates() {
        let profile = RoundProfile::from_sums(&RoundSums { round: 5, ..RoundSums::default() });
        assert_eq!(profile.own, RoundActionRates::default());
        assert_eq!(profile.differential, RoundActionRates::default());
    }

    #[test]
    fn control_that_is_known_in_no_bout_is_null_and_not_0() {
        let profile = RoundProfile::from_sums(&round(1, 300, 0, strikes(5, 10, 0), strikes(5, 10, 0)));
        assert_eq!((profile.own.control_share, profile.own.sig_landed_per_min), (None, Some(1.0)));
    }

    #[test]
    fn the_fade_is_the_third_round_less_the_first() {
        let rounds = [
            round(1, 600, 0, strikes(0, 100, 0), strikes(0, 80, 0)),
            round(3, 600, 0, strikes(0, 70, 0), strikes(0, 90, 0)),
        ];
        let fade = round_fade(&rounds).unwrap();
        expect!["-3.0 +1.0 -4.0"]
            .assert_eq(&format!("{:+.1} {:+.1} {:+.1}", fade.own, fade.opponent, fade.differential));
    }

    #[test]
    fn without_comparable_bouts_there_is_no_fade() {
        assert_eq!(round_fade(&[]), None);
        let empty = |n| RoundSums { round: n, ..RoundSums::default() };
        assert_eq!(round_fade(&[empty(1), empty(3)]), None);
    }
}
