//! What each fact of a dwelling is worth in money. Facts multiply a value; their shares of its distance from a typical one are by their
//! logarithms (the logarithmic mean Divisia index), so that they add up to it without a rest.

/// What a fact adds to a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FactShare {
    pub fact: &'static str,
    /// US dollars; below zero where it takes away.
    pub amount: f64,
}

/// Shares of effects on the log scale in the distance of a value from a typical one, whose logarithm is given.
pub(crate) fn share_value(typical: f64, effects: &[(&'static str, f64)]) -> Vec<FactShare> {
    let distance: f64 = effects.iter().map(|(_, effect)| effect).sum();
    // Dollars for a unit of the logarithm.
    let scale =
        if distance.abs() < 1e-12 { typical.exp() } else { typical.exp() * distance.exp_m1() / distance };
    effects.iter().map(|(fact, effect)| FactShare { fact, amount: effect * scale }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn shares_add_up_to_the_value(typical in 9.0..15.0_f64, effects in prop::collection::vec(-0.8..0.8_f64, 0..12)) {
            let effects: Vec<(&'static str, f64)> = effects.into_iter().map(|effect| ("fact", effect)).collect();
            let value = (typical + effects.iter().map(|(_, effect)| effect).sum::<f64>()).exp();
            let shares = share_value(typical, &effects);
            let sum: f64 = typical.exp() + shares.iter().map(|share| share.amount).sum::<f64>();
            prop_assert!((sum / value - 1.0).abs() < 1e-9, "{sum} for {value}");
            for (share, (_, effect)) in shares.iter().zip(&effects) {
                prop_assert!(share.amount * effect >= 0.0, "a fact that adds has no share below zero");
            }
        }
    }
}
