//! One market: its sales, and what is made of them for a day. Whatever is made of sales before a day is kept, since it never
//! changes.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{Months, NaiveDate};
use quick_cache::sync::Cache;

use crate::comparable::{Likeness, WeighedComparables};
use crate::constants::ValuationConstants;
use crate::facts::{Facts, Sale, month_start};
use crate::hedonic::HedonicFit;
use crate::interval::{Intervals, ValueMiss};

/// Months of fits that are kept.
const KEPT: usize = 120;

/// The sales of a market, of houses or of condominiums, whose values are told from one another.
#[derive(Debug)]
pub struct Market {
    pub(crate) constants: Arc<ValuationConstants>,
    /// By day.
    pub(crate) sales: Vec<Sale>,
    /// Of each sale.
    likeness: Vec<Likeness>,
    by_area: BTreeMap<u32, Vec<usize>>,
    fits: Cache<NaiveDate, Option<Arc<MonthFit>>>,
    misses: Cache<NaiveDate, Arc<Vec<ValueMiss>>>,
    intervals: Cache<NaiveDate, Option<Arc<Intervals>>>,
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
        let (fits, misses, intervals) = (Cache::new(KEPT), Cache::new(KEPT), Cache::new(KEPT));
        Self { constants, sales, likeness, by_area, fits, misses, intervals }
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
            weighed.add_sale(place, weight, *residual, rules);
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
        let make = || {
            let Some((fit, sales)) = self.fit_for_day(month).zip(self.quarter_sales(month)) else {
                return Arc::default();
            };
            let known = sales.iter().filter(|sale| fit.hedonic.knows_area(&sale.facts));
            let miss = |sale: &Sale| {
                let (value, weighed) = self.uncentred_value(&fit, &sale.facts, month);
                ValueMiss { weight: weighed.weight, residual: sale.price.ln() - value }
            };
            Arc::new(known.map(miss).collect())
        };
        self.misses.get_or_insert_with(&month, || Ok::<_, ()>(make())).unwrap_or_default()
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
        let behind_newest = month_start(fit.newest).checked_add_months(Months::new(1))?;
        let end = behind_newest.min(fit.before);
        let made =
            self.intervals.get_or_insert_with(&end, || Ok::<_, ()>(self.fit_intervals(end).map(Arc::new)));
        made.unwrap_or_default()
    }

    fn fit_intervals(&self, end: NaiveDate) -> Option<Intervals> {
        let rules = &self.constants.interval;
        let quarters = (1..=rules.quarters)
            .filter_map(|quarter| end.checked_sub_months(Months::new(3 * quarter)))
            .map(|start| self.quarter_misses(start));
        let misses: Vec<ValueMiss> = quarters.flat_map(|misses| misses.to_vec()).collect();
        Intervals::fit_misses(&misses, rules)
    }
}
