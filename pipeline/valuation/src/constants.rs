//! The constants, from `valuation.toml`.

use std::collections::BTreeMap;
use std::fmt;

use chrono::NaiveDate;
use serde::Deserialize;

const BUILT_IN: &str = include_str!("valuation.toml");

/// All constants, and why they are what they are.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValuationConstants {
    /// Of the definition of values.
    pub version: String,
    pub history: Vec<Revision>,
    pub(crate) fit: Fit,
    pub(crate) comparables: Comparables,
    pub(crate) gates: Gates,
    pub(crate) interval: Interval,
    pub(crate) confidence: ConfidenceRules,
    pub markets: BTreeMap<String, MarketRules>,
    pub(crate) validity: ValidityRules,
}

/// A version, and its reason.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Revision {
    pub version: String,
    pub date: NaiveDate,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fit {
    pub(crate) window_years: f64,
    pub(crate) decay_per_year: f64,
    pub(crate) min_sales: usize,
    pub(crate) trend_turn_years: f64,
    pub(crate) trend_ridge: f64,
    pub(crate) ridge: f64,
    pub(crate) area_sales: f64,
    pub(crate) neighborhood_sales: f64,
    pub(crate) huber: f64,
    pub(crate) clip: f64,
    pub(crate) rounds: usize,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Comparables {
    pub(crate) prior_weight: f64,
    pub(crate) log_floor_area: f64,
    pub(crate) log_lot_area: f64,
    pub(crate) year_built: f64,
    pub(crate) decay_per_year: f64,
    pub(crate) other_type: f64,
    pub(crate) same_block: f64,
    pub(crate) same_street: f64,
    pub(crate) same_property: f64,
    pub(crate) max_unlikeness: f64,
    pub(crate) min_weight: f64,
    pub(crate) listed: usize,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Gates {
    pub(crate) min_comparables: usize,
    pub(crate) max_stale_years: f64,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Interval {
    pub(crate) level: f64,
    pub(crate) quarters: u32,
    pub(crate) min_residuals: usize,
    pub(crate) bands: Vec<f64>,
    pub(crate) levels: usize,
    pub(crate) band_residuals: f64,
    pub(crate) market_share: f64,
    pub(crate) next_quarter: f64,
    pub(crate) drift: f64,
    pub(crate) centre_share: f64,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConfidenceRules {
    pub(crate) stale_medium: f64,
    pub(crate) stale_low: f64,
    pub(crate) high: LevelRules,
    pub(crate) medium: LevelRules,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LevelRules {
    pub(crate) min_weight: f64,
    pub(crate) min_comparables: usize,
    pub(crate) max_width: f64,
}

/// Rules of one market alone.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarketRules {
    /// City and state.
    pub name: String,
    /// US dollars; a lower price is no price of a dwelling.
    pub least_price: f64,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ValidityRules {
    pub(crate) years: u32,
}

/// The constants cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstantsError(String);

impl fmt::Display for ConstantsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "read the constants of valuation: {}", self.0)
    }
}

impl std::error::Error for ConstantsError {}

impl ValuationConstants {
    /// Those of this build.
    ///
    /// # Errors
    /// A test holds that there are none.
    pub fn built_in() -> Result<Self, ConstantsError> {
        Self::parse(BUILT_IN)
    }

    /// # Errors
    /// The text cannot be read, or its newest revision is of another version than the text.
    pub fn parse(text: &str) -> Result<Self, ConstantsError> {
        let read: Self = toml::from_str(text).map_err(|error| ConstantsError(error.to_string()))?;
        if read.history.last().is_none_or(|last| last.version != read.version) {
            return Err(ConstantsError("the last of its history is of another version".to_owned()));
        }
        if !(0.0..1.0).contains(&read.interval.level)
            || read.fit.trend_turn_years <= 0.0
            || read.interval.levels == 0
        {
            return Err(ConstantsError("a share or a span is out of bounds".to_owned()));
        }
        Ok(read)
    }

    /// Text of these constants, which tells them from others.
    #[must_use]
    pub fn text() -> &'static str {
        BUILT_IN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_constants_of_this_build_are_read_and_others_refused() {
        let built_in = ValuationConstants::built_in().unwrap();
        assert_eq!(built_in.version, built_in.history.last().unwrap().version);
        assert!(
            ValuationConstants::parse(&BUILT_IN.replacen("version = \"2\"", "version = \"3\"", 1)).is_err()
        );
        assert!(ValuationConstants::parse(&BUILT_IN.replace("level = 0.9", "level = 9.0")).is_err());
        assert!(ValuationConstants::parse("version = 1").is_err());
    }
}
