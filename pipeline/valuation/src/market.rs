//! One market: its sales, and what is made of them for a day. Whatever is made of sales before a day is kept, since it never
//! changes.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{Months, NaiveDate};
use quick_cache::sync::Cache;

use crate::comparable::{Likeness, WeighedComparables};
use crate::constants::ValuationConstants;
use crate::facts::{Facts, Sale, UnknownFacts, month_start};
use crate::hedonic::HedonicFit;
use crate::interval::{Intervals, ValueMiss};

/// Months of fits that are kept.
const KEPT: usize = 120;

/// Sales of a quarter that are valued again with facts hidden, at most: one request waits for them.
const DESCRIBED_SALES: usize = 150;

/// The sales of a market, of houses or of condominiums, whose values are told from one another.
#[derive(Debug)]
pub struct Market {
    pub(crate) constants: Arc<ValuationConstants>,
    /// By day.
    pub(crate) sales: Vec<Sale>,
    /// Of each sale.
    pub(crate) likeness: Vec<Likeness>,
    by_area: BTreeMap<u32, Vec<usize>>,
    fits: Cache<NaiveDate, Option<Arc<MonthFit>>>,
    misses: Cache<NaiveDate, Arc<Vec<ValueMiss>>>,
    intervals: Cache<NaiveDate, Option<Arc<Intervals>>>,
    /// Of dwellings of which facts are not known.
    described_intervals: Cache<(NaiveDate, UnknownFacts), Option<Arc<Intervals>>>,
}

/// A fit on the sales before a month, and what the sales to the end of the month are off it.
#[derive(Debug)]
pub(crate) struct MonthFit {
    pub(crate) hedonic: HedonicFit,
    /// Place of the first sale that has a residual.
    first: usize,
    residuals: Vec<f64>,
}

impl Market {
    /// Prices under `least_price` are left out: they are none of a dwelling.
    #[must_use]
    pub fn new(
        constants: Arc<ValuationConstants>,
        least_price: f64,
        sales: impl IntoIterator<Item = Sale>,
    ) -> Self {
        let mut sales: Vec<Sale> =
            sales.into_iter().filter(|sale| sale.price >= least_price.max(1.0)).collect();
        sales.sort_by(|a, b| {
            (a.day, a.facts.property).cmp(&(b.day, b.facts.property)).then(a.price.total_cmp(&b.price))
        });
        let mut by_area: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (place, sale) in sales.iter().enumerate() {
            if let Some(area) = sale.facts.area {
                by_area.entry(area).or_default().push(place);
            }
        }
        let likeness = sales.iter().map(|sale| Likeness::from_facts(&sale.facts, sale.day)).collect();
        Self {
            constants,
            sales,
            likeness,
            by_area,
            fits: Cache::new(KEPT),
            misses: Cache::new(KEPT),
            intervals: Cache::new(KEPT),
            described_intervals: Cache::new(KEPT),
        }
    }

    /// First and last day of its sales.
    #[must_use]
    pub fn sale_span(&self) -> Option<(NaiveDate, NaiveDate)> {
        Some((self.sales.first()?.day, self.sales.last()?.day))
    }

    /// The month behind that of the newest sale. Later months have the sales before them in common, and so their fit.
    fn last_fitted_month(&self) -> Option<NaiveDate> {
        month_start(self.sales.last()?.day).checked_add_months(Months::new(1))
    }

    /// Fits a month, so many before the last one, with its intervals: a value of it need not wait for that.
    pub(crate) fn prepare_month(&self, months_back: u32) {
        let month =
            self.last_fitted_month().and_then(|last| last.checked_sub_months(Months::new(months_back)));
        if let Some(fit) = month.and_then(|month| self.fit_for_day(month)) {
            self.find_intervals(&fit.hedonic);
        }
    }

    /// The fit that holds in the month of a day; `None` if the sales before it are too few.
    pub(crate) fn fit_for_day(&self, day: NaiveDate) -> Option<Arc<MonthFit>> {
        let month = month_start(day).min(self.last_fitted_month()?);
        let made = self.fits.get_or_insert_with(&month, || Ok::<_, ()>(self.make_fit(month).map(Arc::new)));
        made.unwrap_or_default()
    }

    fn make_fit(&self, month: NaiveDate) -> Option<MonthFit> {
        let rules = &self.constants.fit;
        let hedonic = HedonicFit::fit_sales(&self.sales, month, rules)?;
        let end = month.checked_add_months(Months::new(1))?;
        let end = self.sales.partition_point(|sale| sale.day < end);
        let first = self.sales.partition_point(|sale| sale.day < month) - hedonic.sales;
        let reach = rules.clip * hedonic.deviation;
        let residual = |sale: &Sale| {
            (sale.price.ln() - hedonic.explained_log_price(&sale.facts, sale.day)).clamp(-reach, reach)
        };
        let residuals = self.sales[first..end].iter().map(residual).collect();
        Some(MonthFit { hedonic, first, residuals })
    }

    /// The comparables of a dwelling among the sales before a day of the month of the fit.
    pub(crate) fn weigh_comparables(
        &self,
        fit: &MonthFit,
        subject: &Facts,
        day: NaiveDate,
    ) -> WeighedComparables {
        let rules = &self.constants.comparables;
        let own = Likeness::from_facts(subject, day);
        let min_weight = rules.min_weight * own.unknown_factor();
        let mut weighed = WeighedComparables::default();
        let of_area = subject.area.and_then(|area| self.by_area.get(&area)).map_or(&[][..], Vec::as_slice);
        let from = of_area.partition_point(|place| *place < fit.first);
        for &place in &of_area[from..] {
            let Some(residual) = fit.residuals.get(place - fit.first) else { break };
            let sale = &self.sales[place];
            if sale.day >= day {
                break;
            }
            let weight = own.sale_weight(subject, &sale.facts, &self.likeness[place], rules);
            weighed.add_sale(place, weight, *residual, min_weight);
        }
        weighed.ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        weighed
    }

    /// Logarithm of the value before it is centred, and its comparables.
    pub(crate) fn uncentred_value(
        &self,
        fit: &MonthFit,
        subject: &Facts,
        day: NaiveDate,
    ) -> (f64, WeighedComparables) {
        let weighed = self.weigh_comparables(fit, subject, day);
        let explained = fit.hedonic.explained_log_price(subject, day);
        (explained + weighed.shrunk_residual(&self.constants.comparables), weighed)
    }

    /// Residuals of values of the month's first day in the quarter from then on.
    fn quarter_misses(&self, month: NaiveDate) -> Arc<Vec<ValueMiss>> {
        let make = || Arc::new(self.value_quarter(month, usize::MAX, |facts| *facts));
        self.misses.get_or_insert_with(&month, || Ok::<_, ()>(make())).unwrap_or_default()
    }

    /// Residuals of the values of so many sales of a quarter at most, spread over it, as `known` knows them.
    fn value_quarter(
        &self,
        month: NaiveDate,
        at_most: usize,
        known: impl Fn(&Facts) -> Facts,
    ) -> Vec<ValueMiss> {
        let Some((fit, sales)) = self.fit_for_day(month).zip(self.quarter_sales(month)) else {
            return Vec::new();
        };
        let miss = |sale: &Sale| {
            let (value, weighed) = self.uncentred_value(&fit, &known(&sale.facts), month);
            ValueMiss {
                kind: sale.facts.kind,
                weight: weighed.weight,
                value,
                residual: sale.price.ln() - value,
            }
        };
        let step = sales.len().div_ceil(at_most).max(1);
        sales.iter().filter(|sale| fit.hedonic.knows_area(&sale.facts)).step_by(step).map(miss).collect()
    }

    /// The newest sale of a property before a day.
    pub(crate) fn newest_sale_of(&self, property: u32, day: NaiveDate) -> Option<&Sale> {
        let before = &self.sales[..self.sales.partition_point(|sale| sale.day < day)];
        before.iter().rev().find(|sale| sale.facts.property == Some(property))
    }

    /// The sales of the three months from a day on.
    pub(crate) fn quarter_sales(&self, from: NaiveDate) -> Option<&[Sale]> {
        let until = from.checked_add_months(Months::new(3))?;
        let place = |day| self.sales.partition_point(|sale: &Sale| sale.day < day);
        Some(&self.sales[place(from)..place(until)])
    }

    /// Intervals for the month of a day, from the quarters that ended before it. Where sales end earlier, from the last
    /// quarters that have some.
    pub(crate) fn find_intervals(&self, fit: &HedonicFit) -> Option<Arc<Intervals>> {
        let end = interval_end(fit)?;
        let make = || self.fit_intervals(end, |month| self.quarter_misses(month).to_vec());
        self.intervals.get_or_insert_with(&end, || Ok::<_, ()>(make())).unwrap_or_default()
    }

    /// The same for a dwelling of which facts are not known: those sales are valued again as if they were not known of them either, so
    /// that what is missing widens the interval by as much as it is worth.
    pub(crate) fn find_described_intervals(
        &self,
        fit: &HedonicFit,
        unknown: UnknownFacts,
    ) -> Option<Arc<Intervals>> {
        let end = interval_end(fit)?;
        let value = |month| self.value_quarter(month, DESCRIBED_SALES, |facts| facts.hide_facts(unknown));
        let make = || Ok::<_, ()>(self.fit_intervals(end, value));
        self.described_intervals.get_or_insert_with(&(end, unknown), make).unwrap_or_default()
    }

    fn fit_intervals(
        &self,
        end: NaiveDate,
        misses: impl Fn(NaiveDate) -> Vec<ValueMiss>,
    ) -> Option<Arc<Intervals>> {
        let rules = &self.constants.interval;
        let quarters = (1..=rules.quarters)
            .filter_map(|quarter| end.checked_sub_months(Months::new(3 * quarter)))
            .flat_map(misses);
        Intervals::fit_misses(&quarters.collect::<Vec<ValueMiss>>(), rules).map(Arc::new)
    }
}

/// The day before which the quarters of intervals end.
fn interval_end(fit: &HedonicFit) -> Option<NaiveDate> {
    let behind_newest = month_start(fit.newest).checked_add_months(Months::new(1))?;
    Some(behind_newest.min(fit.before))
}
