//! Values against prices, out of time: each quarter's sales valued by the sales before it.

use std::collections::BTreeMap;

use chrono::{Datelike as _, Months, NaiveDate, TimeDelta};

use crate::facts::Sale;
use crate::hedonic::median;
use crate::market::Market;

/// Validity of values on one slice of sales.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredSlice {
    /// `all`, a type of dwelling, or `from` and the first day of a quarter.
    pub slice: String,
    pub first_cut: NaiveDate,
    pub until: NaiveDate,
    pub asked: usize,
    pub valued: usize,
    /// Median of the absolute error as a share of the price; the share within 20 %; the median error with its sign.
    pub median_error: Option<f64>,
    pub within_20: Option<f64>,
    pub bias: Option<f64>,
    /// Share of prices that intervals are to hold.
    pub interval_level: f64,
    /// Share that they held, and their median width as a share of the value.
    pub interval_coverage: Option<f64>,
    pub interval_width: Option<f64>,
    /// The same errors of the median price of the area's last year, for the same sales.
    pub area_median: (Option<f64>, Option<f64>),
    /// And of its median price per floor area, times the floor area.
    pub comparable_median: (Option<f64>, Option<f64>),
}

/// One sale that was valued, or not.
#[derive(Debug, Clone, Copy)]
struct BacktestedSale {
    price: f64,
    /// Value and interval.
    value: Option<(f64, f64, f64)>,
    area_median: Option<f64>,
    comparable_median: Option<f64>,
}

/// Values the sales of the last years, quarter by quarter, of houses and of condominiums; empty for a market that has too few.
#[must_use]
pub fn measure_markets(markets: &[&Market]) -> Vec<MeasuredSlice> {
    let newest = markets.iter().filter_map(|market| Some((market.sale_span()?.1, *market)));
    let Some((last, market)) = newest.max_by_key(|(last, _)| *last) else { return Vec::new() };
    let (years, level) = (market.constants.validity.years, market.constants.interval.level);
    let mut slices: BTreeMap<String, (NaiveDate, NaiveDate, Vec<BacktestedSale>)> = BTreeMap::new();
    for quarter in (0..years * 4).rev() {
        let Some(cut) = quarter_start(last).checked_sub_months(Months::new(3 * quarter)) else { continue };
        let Some(until) = cut.checked_add_months(Months::new(3)) else { continue };
        for market in markets.iter().filter(|market| market.fit_for_day(cut).is_some()) {
            let medians = AreaMedians::before_cut(market, cut);
            for sale in market.quarter_sales(cut).unwrap_or_default() {
                let valued = market.value_dwelling(&sale.facts, cut).ok();
                let tried = BacktestedSale {
                    price: sale.price,
                    value: valued.map(|v| (v.value, v.interval.0, v.interval.1)),
                    area_median: medians.median_price(sale),
                    comparable_median: medians.by_floor_area(sale),
                };
                for slice in ["all".to_owned(), sale.facts.kind.name().to_owned(), format!("from {cut}")] {
                    let entry = slices.entry(slice).or_insert((cut, until, Vec::new()));
                    entry.1 = until;
                    entry.2.push(tried);
                }
            }
        }
    }
    slices
        .into_iter()
        .map(|(slice, (from, until, tried))| MeasuredSlice {
            interval_level: level,
            ..measure_slice(slice, from, until, &tried)
        })
        .collect()
}

fn quarter_start(day: NaiveDate) -> NaiveDate {
    let month = day.month0() / 3 * 3 + 1;
    NaiveDate::from_ymd_opt(day.year(), month, 1).unwrap_or(day)
}

/// Medians of an area in the last year before a day, without any model.
struct AreaMedians {
    prices: BTreeMap<u32, f64>,
    per_floor_area: BTreeMap<u32, f64>,
}

impl AreaMedians {
    fn before_cut(market: &Market, cut: NaiveDate) -> Self {
        let (mut prices, mut per_floor_area): (BTreeMap<u32, Vec<f64>>, BTreeMap<u32, Vec<f64>>) =
            Default::default();
        let from = cut - TimeDelta::days(365);
        for sale in market.sales.iter().filter(|sale| sale.day >= from && sale.day < cut) {
            let Some(area) = sale.facts.area else { continue };
            prices.entry(area).or_default().push(sale.price);
            if let Some(floor) = sale.facts.log_floor_area().and(sale.facts.floor_area) {
                per_floor_area.entry(area).or_default().push(sale.price / floor);
            }
        }
        let medians = |all: BTreeMap<u32, Vec<f64>>| {
            all.into_iter().filter_map(|(area, values)| Some((area, median(values)?))).collect()
        };
        Self { prices: medians(prices), per_floor_area: medians(per_floor_area) }
    }

    fn median_price(&self, sale: &Sale) -> Option<f64> {
        self.prices.get(&sale.facts.area?).copied()
    }

    fn by_floor_area(&self, sale: &Sale) -> Option<f64> {
        let floor = sale.facts.log_floor_area().and(sale.facts.floor_area)?;
        Some(self.per_floor_area.get(&sale.facts.area?)? * floor)
    }
}

fn measure_slice(
    slice: String,
    first_cut: NaiveDate,
    until: NaiveDate,
    tried: &[BacktestedSale],
) -> MeasuredSlice {
    let valued: Vec<(&BacktestedSale, (f64, f64, f64))> =
        tried.iter().filter_map(|tried| Some((tried, tried.value?))).collect();
    let errors = |value: &dyn Fn(&BacktestedSale) -> Option<f64>| {
        let of = |(tried, _): &(&BacktestedSale, _)| Some((value(tried)? / tried.price - 1.0).abs());
        let errors: Vec<f64> = valued.iter().filter_map(of).collect();
        let within = share_of(errors.iter().filter(|error| **error <= 0.2).count(), errors.len());
        (median(errors), within)
    };
    let (median_error, within_20) = errors(&|tried| tried.value.map(|value| value.0));
    let held = valued.iter().filter(|(tried, (_, low, high))| (*low..=*high).contains(&tried.price)).count();
    MeasuredSlice {
        slice,
        first_cut,
        until,
        asked: tried.len(),
        valued: valued.len(),
        median_error,
        within_20,
        bias: median(valued.iter().map(|(tried, (value, ..))| value / tried.price - 1.0).collect()),
        interval_level: 0.0,
        interval_coverage: share_of(held, valued.len()),
        interval_width: median(valued.iter().map(|(_, (value, low, high))| (high - low) / value).collect()),
        area_median: errors(&|tried| tried.area_median),
        comparable_median: errors(&|tried| tried.comparable_median),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of sales")]
pub(crate) fn share_of(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

impl MeasuredSlice {
    /// Share of sales that were valued.
    #[must_use]
    pub fn coverage(&self) -> Option<f64> {
        share_of(self.valued, self.asked)
    }
}
