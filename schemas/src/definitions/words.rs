//! The closed lists of words of a metric definition.

use serde::{Deserialize, Serialize};

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$note:meta])* $variant:ident $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
        pub enum $name { $($(#[$note])* #[serde(rename = $word)] $variant),+ }

        impl $name {
            /// As written in the metric definitions and on the wire.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }
    };
}

words! {
    Unit {
        PerMin "per_min", Per15Min "per_15_min", Share "share", PerBout "per_bout", Per100 "per_100",
        Min "min", Ratio "ratio", Points "points", Bouts "bouts", Days "days", Rating "rating",
        Per90Min "per_90_min", Per36Min "per_36_min", Per60Min "per_60_min", PerGame "per_game",
    }
}

/// Display format of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Display {
    /// Stands behind the number; empty where none does.
    pub unit: &'static str,
    /// Factor of the number before it is shown.
    pub scale: f64,
    /// Decimals that are shown, so that what is behind them is noise.
    pub decimals: u8,
}

impl Unit {
    /// The display format of a number of this unit.
    #[must_use]
    pub fn display(self) -> Display {
        let (unit, decimals) = match self {
            Self::PerMin => ("per minute", 2),
            Self::Per15Min => ("per 15 minutes", 2),
            Self::Share => return Display { unit: "%", scale: 100.0, decimals: 0 },
            Self::PerBout => ("per bout", 2),
            Self::Per90Min => ("per 90 minutes", 2),
            Self::Per36Min => ("per 36 minutes", 2),
            Self::Per60Min => ("per 60 minutes", 2),
            Self::PerGame => ("per game", 2),
            Self::Per100 => ("per 100", 2),
            Self::Min => ("minutes", 1),
            Self::Ratio | Self::Rating => ("", if self == Self::Ratio { 2 } else { 0 }),
            Self::Points => ("points", 2),
            Self::Bouts => ("bouts", 0),
            Self::Days => ("days", 0),
        };
        Display { unit, scale: 1.0, decimals }
    }
}

words! {
    /// Direction in which the metric is better for the fighter.
    Direction { Higher "higher", Lower "lower", Neutral "neutral" }
}

words! {
    /// Model of a metric's posterior.
    Estimator {
        /// Rate: gamma–Poisson.
        Rate "GP",
        /// Proportion: beta–binomial.
        Proportion "BB",
        /// Shares that sum to one: Dirichlet–multinomial.
        Share "DM",
        /// Difference or bounded share: normal.
        Difference "NN",
        /// A fact: not shrunk.
        Fact "CT",
        /// The house rating: not shrunk.
        Elo "EL",
    }
}

words! {
    /// Kernel that computes the metric: the engine (`fdna-dna`) the first four, `derive` the others.
    Kernel {
        /// Σ numerator / Σ denominator.
        Ratio "ratio",
        /// A ratio whose denominator is weighted by what the opponent lets others do.
        Adjusted "adjusted",
        /// A ratio whose bouts weigh less the longer ago they are.
        Recent "recent",
        /// Σ numerator / Σ denominator of the past as it was, without a prior.
        History "history",
        Form "form",
        Experience "experience",
        Ratings "ratings",
    }
}

words! {
    /// Validity of the metric for the next bout; the class caps the confidence.
    ValidityClass { A "A", B "B", C "C", D "D" }
}

words! {
    /// Level of trust in a value, least first.
    Confidence { Insufficient "insufficient", Low "low", Medium "medium", High "high" }
}

impl Confidence {
    /// As stored. An unknown word earns no trust.
    #[must_use]
    pub fn of(word: &str) -> Self {
        let known = [Self::Low, Self::Medium, Self::High].into_iter().find(|c| c.name() == word);
        known.unwrap_or(Self::Insufficient)
    }
}

words! {
    /// Unit of a minimum sample.
    MinUnit {
        Min "min",
        /// The denominator itself.
        Count "count",
        Takedowns "takedowns",
        /// Bouts with a denominator.
        Bouts "bouts",
        Wins "wins",
        Losses "losses",
        Decisions "decisions",
    }
}

impl MinUnit {
    /// Whether it counts observations with a denominator, rather than the denominator.
    #[must_use]
    pub fn counts_observations(self) -> bool {
        matches!(self, Self::Bouts | Self::Wins | Self::Losses | Self::Decisions)
    }
}
