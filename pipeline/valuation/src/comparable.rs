//! Sales weighted by how like they are to a dwelling.

use chrono::NaiveDate;

use crate::constants::Comparables;
use crate::facts::{Facts, Sale, years_since_2000};

/// A sale that spoke for a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparable {
    pub sale: Sale,
    /// Its weight; a sale alike in everything, today, and of neither the block nor the street has 1.
    pub weight: f64,
    /// Its share in the value's distance from what facts, trend and place explain; the rest, up to 1, is of other comparables and of
    /// what draws that distance to zero.
    pub share: f64,
    /// Likeness of floor area, lot and year of building, from 0 to 1.
    pub similarity: f64,
    /// US dollars: the price that it says for the dwelling, its facts and its day made up for.
    pub adjusted_price: f64,
    /// Metres, where both places are known.
    pub distance: Option<f64>,
    /// Whether it is an earlier sale of the dwelling itself.
    pub is_same_property: bool,
}

/// Features of a dwelling for similarity, computed once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Likeness {
    log_floor: Option<f64>,
    log_lot: Option<f64>,
    built: Option<f64>,
    /// Of the sale.
    years: f64,
}

impl Likeness {
    pub(crate) fn from_facts(facts: &Facts, day: NaiveDate) -> Self {
        let (log_floor, log_lot, built) = (facts.log_floor_area(), facts.log_lot_area(), facts.year_built());
        Self { log_floor, log_lot, built, years: years_since_2000(day) }
    }

    /// Sum of the squares of distances.
    fn squared_unlikeness(&self, other: &Self, rules: &Comparables) -> f64 {
        squared_distance(self.log_floor, other.log_floor, rules.log_floor_area)
            + squared_distance(self.log_lot, other.log_lot, rules.log_lot_area)
            + squared_distance(self.built, other.built, rules.year_built)
    }

    pub(crate) fn similarity(&self, other: &Self, rules: &Comparables) -> f64 {
        (-self.squared_unlikeness(other, rules)).exp()
    }

    /// What the weight of every sale is the smaller by for facts that are not known of the dwelling: they make no sale less like it than
    /// another.
    pub(crate) fn unknown_factor(&self) -> f64 {
        let unknown = [self.log_floor, self.log_lot, self.built].iter().filter(|fact| fact.is_none()).count();
        f64::from(u8::try_from(unknown).unwrap_or_default()).exp().recip()
    }

    /// The weight of a sale for a dwelling on the day of `self`; 0 where it is next to nothing.
    pub(crate) fn sale_weight(&self, own: &Facts, sale: &Facts, likeness: &Self, rules: &Comparables) -> f64 {
        let age = (self.years - likeness.years).max(0.0) * rules.decay_per_year;
        if sale.is_same_property(own) {
            return rules.same_property * (-age).exp();
        }
        let unlikeness = self.squared_unlikeness(likeness, rules);
        if unlikeness > rules.max_unlikeness {
            return 0.0;
        }
        let is_same = |a: Option<u32>, b: Option<u32>| a.is_some() && a == b;
        let block = if is_same(own.block, sale.block) { rules.same_block } else { 0.0 };
        let street = if is_same(own.street, sale.street) { rules.same_street } else { 0.0 };
        let kind = if own.kind == sale.kind { 1.0 } else { rules.other_type };
        kind * (-age - unlikeness).exp() * (1.0 + block + street)
    }
}

/// Square of the distance in units of `scale`; 1 where one of them is unknown.
fn squared_distance(a: Option<f64>, b: Option<f64>, scale: f64) -> f64 {
    match (a, b) {
        (Some(a), Some(b)) => ((a - b) / scale).powi(2),
        (None, None) => 0.0,
        _ => 1.0,
    }
}

/// Weighted sum over all comparables.
#[derive(Debug, Clone, Default)]
pub(crate) struct WeighedComparables {
    /// Sum of weights.
    pub(crate) weight: f64,
    residuals: f64,
    /// Sales of enough weight, by weight and then newest first: places among the market's sales.
    pub(crate) ranked: Vec<(f64, usize)>,
}

impl WeighedComparables {
    /// It is a comparable from so much weight up.
    pub(crate) fn add_sale(&mut self, place: usize, weight: f64, residual: f64, min_weight: f64) {
        if weight == 0.0 {
            return;
        }
        self.weight += weight;
        self.residuals += weight * residual;
        if weight >= min_weight {
            self.ranked.push((weight, place));
        }
    }

    /// By how much they sold above what is explained, pulled to zero.
    pub(crate) fn shrunk_residual(&self, rules: &Comparables) -> f64 {
        self.residuals / (self.weight + rules.prior_weight)
    }

    /// Their share in it.
    pub(crate) fn weight_share(&self, rules: &Comparables) -> f64 {
        self.weight / (self.weight + rules.prior_weight)
    }
}
