//! The value of a dwelling on a day, and why there may be none.

use chrono::{Datelike as _, NaiveDate};

use crate::comparable::{Comparable, Likeness, WeighedComparables};
use crate::fact_shares::{FactShare, share_value};
use crate::facts::{Facts, Sale, years_since_2000};
use crate::market::{Market, MonthFit};

/// Why a dwelling has no value.
#[derive(Debug, Clone, PartialEq)]
pub enum NoValue {
    /// Too few sales of the market are known before the day.
    NoMarket,
    /// The newest sale of the market is too old.
    Stale {
        newest: NaiveDate,
    },
    /// No sale of its area is known before the day, or its area is not.
    UnknownArea,
    /// It is described, and no property that is known is on its block, near it on its street, or of its zip.
    UnknownPlace,
    /// It was built in a year behind the next.
    NotBuilt {
        year: i32,
    },
    TooFewComparables {
        found: usize,
        needed: usize,
    },
    /// Nothing tells how far prices are from values: too few were compared.
    NoInterval,
}

impl std::fmt::Display for NoValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoMarket => f.write_str("too few sales of its market are known before that day"),
            Self::Stale { newest } => {
                write!(
                    f,
                    "the newest sale that is known of its market before that day is of {newest}, too long ago"
                )
            }
            Self::UnknownPlace => f.write_str(
                "no property that is known is on that block, near that number of the street, or of that zip",
            ),
            Self::UnknownArea => f.write_str("no sale of its area is known before that day"),
            Self::NotBuilt { year } => write!(f, "it was built in {year}, after that day"),
            Self::TooFewComparables { found, needed } => {
                write!(f, "{found} comparable sales are known before that day, and {needed} are needed")
            }
            Self::NoInterval => {
                f.write_str("too few earlier values can be held against prices, so that no interval is known")
            }
        }
    }
}

/// Confidence in a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    Low,
    Medium,
    High,
}

impl Confidence {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// Value of a dwelling.
#[derive(Debug, Clone, PartialEq)]
pub struct Valuation {
    /// The sales are those before this day.
    pub as_of: NaiveDate,
    /// US dollars.
    pub value: f64,
    /// US dollars, both ends.
    pub interval: (f64, f64),
    /// Share of prices that intervals are to hold.
    pub level: f64,
    /// Forecast standard deviation, as a share of the value: half of the span that holds the middle 68.3 % of errors of the like.
    pub forecast_deviation: f64,
    /// Chance that the value is within 5, 10 and 20 % of the price.
    pub within: [f64; 3],
    /// US dollars: what the mean dwelling sold in the market was worth on that day, and what each fact of this one, its place, its
    /// comparables and the errors of earlier values add. All together are the value.
    pub typical_value: f64,
    pub fact_shares: Vec<FactShare>,
    /// US dollars: what facts, trend and place explain without the comparables.
    pub explained: f64,
    /// Share of the comparables in what is added to it.
    pub weight: f64,
    /// How many sales have weight enough to be comparables.
    pub comparables_found: usize,
    /// Of those, how many no capture had on that day yet: sales come late.
    pub captured_later: usize,
    /// Those of most weight.
    pub comparables: Vec<Comparable>,
    pub confidence: Confidence,
    /// Rules that keep the confidence from being higher.
    pub reasons: Vec<&'static str>,
    /// Sales that were fitted, and the newest of them.
    pub sales: usize,
    pub newest_sale: NaiveDate,
}

/// Who said the facts of a dwelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FactOrigin {
    Captured,
    /// Captured, and some said otherwise by whoever asks.
    Corrected,
    /// By whoever asks, of a dwelling that no capture has.
    Described,
}

impl Market {
    /// The value as of a day, of sales before it.
    ///
    /// # Errors
    /// It has none; the reason says why.
    pub fn value_dwelling(&self, subject: &Facts, as_of: NaiveDate) -> Result<Valuation, NoValue> {
        self.value_facts(subject, as_of, FactOrigin::Captured)
    }

    /// The value as of a day; how far prices are from it hangs on who said the facts.
    pub(crate) fn value_facts(
        &self,
        subject: &Facts,
        as_of: NaiveDate,
        origin: FactOrigin,
    ) -> Result<Valuation, NoValue> {
        let fit = self.fit_for_day(as_of).ok_or(NoValue::NoMarket)?;
        let hedonic = &fit.hedonic;
        let constants = &self.constants;
        // A new house may be sold, and is, before the year in which it is finished.
        let is_later = |year: &i32| subject.year_built().is_some() && *year > as_of.year() + 1;
        if let Some(year) = subject.year_built.filter(is_later) {
            return Err(NoValue::NotBuilt { year });
        }
        let stale_years = years_since_2000(as_of) - years_since_2000(hedonic.newest);
        if stale_years > constants.gates.max_stale_years {
            return Err(NoValue::Stale { newest: hedonic.newest });
        }
        if !hedonic.knows_area(subject) {
            return Err(NoValue::UnknownArea);
        }
        let (raw, weighed) = self.uncentred_value(&fit, subject, as_of);
        let (found, needed) = (weighed.ranked.len(), constants.gates.min_comparables);
        if found < needed {
            return Err(NoValue::TooFewComparables { found, needed });
        }
        let intervals = match origin {
            FactOrigin::Described => self.find_described_intervals(hedonic, subject.unknown_facts()),
            FactOrigin::Captured | FactOrigin::Corrected => self.find_intervals(hedonic),
        };
        let intervals = intervals.ok_or(NoValue::NoInterval)?;
        let centre = intervals.centre(raw);
        let value = raw + centre;
        // A quarter is what the residuals have seen already.
        let stale = stale_years - 0.25;
        let error = intervals.forecast_error(subject.kind, raw, weighed.weight, stale, &constants.interval);
        let (low, high) = (error.low, error.high);
        let width = high.exp() - low.exp();
        let weight = weighed.weight_share(&constants.comparables);
        let (confidence, reasons) = self.grade_confidence(subject, &weighed, width, stale_years, origin);
        let of_rank = |(weight, place): &(f64, usize)| {
            self.build_comparable(&fit, subject, as_of, &weighed, (*weight, *place))
        };
        let sales = weighed.ranked.iter().map(|(_, place)| &self.sales[*place]);
        let (typical, mut effects) = hedonic.explain_facts(subject, as_of);
        effects.push(("comparables", weighed.shrunk_residual(&constants.comparables)));
        effects.push(("earlier_errors", centre));
        Ok(Valuation {
            as_of,
            value: value.exp(),
            interval: ((value + low).exp(), (value + high).exp()),
            level: constants.interval.level,
            forecast_deviation: error.deviation,
            within: error.within,
            typical_value: typical.exp(),
            fact_shares: share_value(typical, &effects),
            explained: hedonic.explained_log_price(subject, as_of).exp(),
            weight,
            comparables_found: found,
            captured_later: sales.filter(|sale| sale.captured >= as_of).count(),
            comparables: weighed.ranked.iter().take(constants.comparables.listed).map(of_rank).collect(),
            confidence,
            reasons,
            sales: hedonic.sales,
            newest_sale: hedonic.newest,
        })
    }

    fn build_comparable(
        &self,
        fit: &MonthFit,
        subject: &Facts,
        as_of: NaiveDate,
        weighed: &WeighedComparables,
        (weight, place): (f64, usize),
    ) -> Comparable {
        let rules = &self.constants.comparables;
        let sale: Sale = self.sales[place];
        let off = sale.price.ln() - fit.hedonic.explained_log_price(&sale.facts, sale.day);
        Comparable {
            sale,
            weight,
            share: weight / (weighed.weight + rules.prior_weight),
            similarity: Likeness::from_facts(subject, as_of).similarity(&self.likeness[place], rules),
            adjusted_price: (fit.hedonic.explained_log_price(subject, as_of) + off).exp(),
            distance: subject.distance_metres(&sale.facts),
            is_same_property: sale.facts.is_same_property(subject),
        }
    }

    fn grade_confidence(
        &self,
        subject: &Facts,
        weighed: &WeighedComparables,
        width: f64,
        stale_years: f64,
        origin: FactOrigin,
    ) -> (Confidence, Vec<&'static str>) {
        let rules = &self.constants.confidence;
        let weight = weighed.weight_share(&self.constants.comparables);
        let mut level = Confidence::High;
        let mut reasons = Vec::new();
        let mut cap = |highest: Confidence, reason: &'static str| {
            if highest < Confidence::High {
                level = level.min(highest);
                reasons.push(reason);
            }
        };
        let by = |is_high: bool, is_medium: bool| match (is_high, is_medium) {
            (true, _) => Confidence::High,
            (_, true) => Confidence::Medium,
            _ => Confidence::Low,
        };
        cap(by(weight >= rules.high.min_weight, weight >= rules.medium.min_weight), "shrinkage_weight");
        let found = weighed.ranked.len();
        cap(by(found >= rules.high.min_comparables, found >= rules.medium.min_comparables), "comparables");
        cap(by(width <= rules.high.max_width, width <= rules.medium.max_width), "interval_width");
        cap(by(stale_years <= rules.stale_medium, stale_years <= rules.stale_low), "stale_sales");
        if subject.log_floor_area().is_none() {
            cap(Confidence::Low, "floor_area_not_stated");
        }
        if origin != FactOrigin::Captured {
            cap(Confidence::Medium, "facts_as_described");
        }
        (level, reasons)
    }
}
