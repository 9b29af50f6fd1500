//! Values against prices, out of time: each quarter's sales valued by the sales before it.

use std::collections::BTreeMap;

use chrono::{Datelike as _, Months, NaiveDate, TimeDelta};
use rayon::prelude::*;

use crate::facts::Sale;
use crate::hedonic::{median, median_of_middle};
use crate::interval::{NEAR, ONE_DEVIATION, quantile};
use crate::market::Market;
use crate::ratio_study::{RatioStudy, ValuePricePair};

/// Places with fewer sales than this are no slice of their own.
const MIN_PLACE_SALES: usize = 50;

/// Validity of values on one slice of sales.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredSlice {
    /// `all`, a type of dwelling, `from` and the first day of a quarter, `price_tenth` and its number, or `area` or `neighborhood` and
    /// its name.
    pub slice: String,
    pub first_cut: NaiveDate,
    pub until: NaiveDate,
    pub asked: usize,
    pub valued: usize,
    /// Median of the absolute error as a share of the price; shares within 5, 10 and 20 %; the median error with its sign.
    pub median_error: Option<f64>,
    pub within: Option<[f64; 3]>,
    pub bias: Option<f64>,
    /// What values said of that before: the mean chance of an error within 5, 10 and 20 %.
    pub stated_within: Option<[f64; 3]>,
    /// Median of the forecast standard deviations, and what it was to be: half of the span of the middle 68.3 % of errors.
    pub forecast_deviation: Option<f64>,
    pub error_deviation: Option<f64>,
    /// Share of prices that intervals are to hold.
    pub interval_level: f64,
    /// Share that they held, shares above and below them, and their median width as a share of the value.
    pub interval_coverage: Option<f64>,
    pub interval_above: Option<f64>,
    pub interval_below: Option<f64>,
    pub interval_width: Option<f64>,
    /// The same errors of the median price of the area's last year, for the same sales.
    pub area_median: (Option<f64>, Option<f64>),
    /// And of its median price per floor area, times the floor area.
    pub comparable_median: (Option<f64>, Option<f64>),
    /// And of the median price of the comparables that are listed, as they sold.
    pub plain_comparables: (Option<f64>, Option<f64>),
    /// Ratios of values to prices; `None` of too few sales.
    pub study: Option<RatioStudy>,
}

/// One sale that was valued as of the first day of its quarter, or not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BacktestedSale {
    pub sale: Sale,
    /// First day of its quarter, and the first behind it.
    pub cut: NaiveDate,
    pub until: NaiveDate,
    pub value: Option<BacktestedValue>,
    area_median: Option<f64>,
    comparable_median: Option<f64>,
}

/// A value, before the price was known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BacktestedValue {
    /// US dollars.
    pub value: f64,
    pub interval: (f64, f64),
    pub forecast_deviation: f64,
    pub within: [f64; 3],
    /// US dollars: the median price of the comparables that are listed.
    plain_comparables: Option<f64>,
}

/// The sales of a market in its last years, valued quarter by quarter.
#[derive(Debug, Clone, PartialEq)]
pub struct Backtest {
    /// Share of prices that intervals are to hold.
    pub level: f64,
    /// By quarter, houses before condominiums, and day.
    pub sales: Vec<BacktestedSale>,
}

impl Backtest {
    /// Values the sales of the last years, of houses and of condominiums; empty for a market that has too few.
    #[must_use]
    pub fn value_sales(markets: &[&Market]) -> Self {
        let newest = markets.iter().filter_map(|market| Some((market.sale_span()?.1, *market)));
        let Some((last, market)) = newest.max_by_key(|(last, _)| *last) else {
            return Self { level: 0.0, sales: Vec::new() };
        };
        let (years, level) = (market.constants.validity.years, market.constants.interval.level);
        let mut sales = Vec::new();
        for quarter in (0..years * 4).rev() {
            let Some(cut) = quarter_start(last).checked_sub_months(Months::new(3 * quarter)) else {
                continue;
            };
            let Some(until) = cut.checked_add_months(Months::new(3)) else { continue };
            for market in markets.iter().filter(|market| market.fit_for_day(cut).is_some()) {
                let medians = AreaMedians::before_cut(market, cut);
                let own = market.quarter_sales(cut).unwrap_or_default();
                sales.par_extend(own.par_iter().map(|sale| BacktestedSale {
                    sale: *sale,
                    cut,
                    until,
                    value: BacktestedValue::of_dwelling(market, sale, cut),
                    area_median: medians.median_price(sale),
                    comparable_median: medians.by_floor_area(sale),
                }));
            }
        }
        Self { level, sales }
    }

    /// Validity of all sales.
    #[must_use]
    pub fn measure_all(&self) -> MeasuredSlice {
        measure_slice("all".to_owned(), self.level, &self.sales.iter().collect::<Vec<_>>())
    }

    /// Validity by slice; `name` says what a place of the facts is called.
    #[must_use]
    pub fn measure_slices<'n>(&self, name: impl Fn(u32) -> &'n str) -> Vec<MeasuredSlice> {
        let tenths = self.price_tenths();
        let mut slices: BTreeMap<String, Vec<&BacktestedSale>> = BTreeMap::new();
        for (tried, tenth) in self.sales.iter().zip(tenths) {
            let facts = &tried.sale.facts;
            let own = ["all".to_owned(), facts.kind.name().to_owned(), format!("from {}", tried.cut)];
            let tenth = tenth.map(|tenth| format!("price_tenth {tenth:02}"));
            let place = |what: &str, place: Option<u32>| place.map(|place| format!("{what} {}", name(place)));
            let places = [place("area", facts.area), place("neighborhood", facts.neighborhood)];
            for slice in own.into_iter().chain(tenth).chain(places.into_iter().flatten()) {
                slices.entry(slice).or_default().push(tried);
            }
        }
        let is_place = |slice: &str| slice.starts_with("area ") || slice.starts_with("neighborhood ");
        slices.retain(|slice, sales| !is_place(slice) || sales.len() >= MIN_PLACE_SALES);
        slices.into_par_iter().map(|(slice, tried)| measure_slice(slice, self.level, &tried)).collect()
    }

    /// The tenth of each sale that was valued, the cheapest first: by the mean of the price and of the value, whose level is made up for.
    /// By prices alone chance puts high values into low tenths.
    fn price_tenths(&self) -> Vec<Option<usize>> {
        let ratios =
            self.sales.iter().filter_map(|tried| Some(tried.value?.value / tried.sale.price)).collect();
        let median_ratio = median_of_middle(ratios).unwrap_or(1.0);
        let proxy =
            |tried: &BacktestedSale| Some(f64::midpoint(tried.value?.value / median_ratio, tried.sale.price));
        let mut order: Vec<(f64, usize)> =
            self.sales.iter().enumerate().filter_map(|(at, tried)| Some((proxy(tried)?, at))).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut tenths = vec![None; self.sales.len()];
        for (rank, (_, at)) in order.iter().enumerate() {
            tenths[*at] = Some(10 * rank / order.len() + 1);
        }
        tenths
    }
}

impl BacktestedValue {
    fn of_dwelling(market: &Market, sale: &Sale, cut: NaiveDate) -> Option<Self> {
        let own = market.value_dwelling(&sale.facts, cut).ok()?;
        let (forecast_deviation, within) = (own.forecast_deviation, own.within);
        let plain_comparables = median(own.comparables.iter().map(|own| own.sale.price).collect());
        Some(Self { value: own.value, interval: own.interval, forecast_deviation, within, plain_comparables })
    }
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

fn measure_slice(slice: String, level: f64, tried: &[&BacktestedSale]) -> MeasuredSlice {
    let valued: Vec<(&BacktestedSale, BacktestedValue)> =
        tried.iter().filter_map(|tried| Some((*tried, tried.value?))).collect();
    let errors = |value: &dyn Fn(&BacktestedSale) -> Option<f64>| -> Vec<f64> {
        valued.iter().filter_map(|(tried, _)| Some((value(tried)? / tried.sale.price - 1.0).abs())).collect()
    };
    let within = |errors: &[f64], near: f64| {
        share_of(errors.iter().filter(|error| **error <= near).count(), errors.len())
    };
    let own = errors(&|tried| tried.value.map(|own| own.value));
    let of_peer = |value: &dyn Fn(&BacktestedSale) -> Option<f64>| {
        let errors = errors(value);
        let near = within(&errors, 0.2);
        (median(errors), near)
    };
    let share = |is_so: &dyn Fn(f64, (f64, f64)) -> bool| {
        let so = valued.iter().filter(|(tried, own)| is_so(tried.sale.price, own.interval)).count();
        share_of(so, valued.len())
    };
    let median_of = |value: &dyn Fn(&BacktestedSale, &BacktestedValue) -> f64| {
        median(valued.iter().map(|(tried, own)| value(tried, own)).collect())
    };
    let mut logs: Vec<f64> = valued.iter().map(|(tried, own)| (tried.sale.price / own.value).ln()).collect();
    logs.sort_unstable_by(f64::total_cmp);
    let ends = quantile(&logs, ONE_DEVIATION).zip(quantile(&logs, 1.0 - ONE_DEVIATION));
    let pair = |(tried, own): &(&BacktestedSale, BacktestedValue)| ValuePricePair {
        value: own.value,
        price: tried.sale.price,
    };
    let pairs: Vec<ValuePricePair> = valued.iter().map(pair).collect();
    MeasuredSlice {
        slice,
        first_cut: tried.iter().map(|tried| tried.cut).min().unwrap_or_default(),
        until: tried.iter().map(|tried| tried.until).max().unwrap_or_default(),
        asked: tried.len(),
        valued: valued.len(),
        within: (!own.is_empty()).then(|| NEAR.map(|near| within(&own, near).unwrap_or_default())),
        median_error: median(own),
        bias: median_of(&|tried, own| own.value / tried.sale.price - 1.0),
        stated_within: (!valued.is_empty())
            .then(|| [0, 1, 2].map(|at| mean(valued.iter().map(|(_, own)| own.within[at])))),
        forecast_deviation: median_of(&|_, own| own.forecast_deviation),
        error_deviation: ends.map(|(low, high)| (high - low) / 2.0),
        interval_level: level,
        interval_coverage: share(&|price, (low, high)| (low..=high).contains(&price)),
        interval_above: share(&|price, (_, high)| price > high),
        interval_below: share(&|price, (low, _)| price < low),
        interval_width: median_of(&|_, own| (own.interval.1 - own.interval.0) / own.value),
        area_median: of_peer(&|tried| tried.area_median),
        comparable_median: of_peer(&|tried| tried.comparable_median),
        plain_comparables: of_peer(&|tried| tried.value?.plain_comparables),
        study: RatioStudy::measure_pairs(&pairs),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a count of sales")]
fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = values.len() as f64;
    values.sum::<f64>() / n
}

#[expect(clippy::cast_precision_loss, reason = "counts of sales")]
pub(crate) fn share_of(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

impl MeasuredSlice {
    /// What the slice is one of: `all`, `type`, `quarter`, `price_tenth`, `area` or `neighborhood`.
    #[must_use]
    pub fn dimension(&self) -> &str {
        match self.slice.split_once(' ') {
            Some(("from", _)) => "quarter",
            Some((dimension, _)) => dimension,
            None if self.slice == "all" => "all",
            None => "type",
        }
    }

    /// Share of sales that were valued.
    #[must_use]
    pub fn coverage(&self) -> Option<f64> {
        share_of(self.valued, self.asked)
    }
}
