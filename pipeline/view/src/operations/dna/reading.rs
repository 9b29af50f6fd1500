//! Reads a metric of a fighter on the asked day: as his version holds it, or, of what moves with the days, as it is
//! then.

use std::cell::OnceCell;
use std::collections::HashMap;

use chrono::{Months, NaiveDate};
use fdna_compare::{OnTheDay, PublishedValue, on_the_day, percentile_in_pool};
use fdna_schemas::{Confidence, Metric};

use crate::dataset::CompleteDataset;
use crate::dataset::dna::MetricRow;

/// A pool holds fighters of the class with an eligible bout in so many months before the day.
const ACTIVE: Months = Months::new(36);
/// Fewer fighters than these are no pool.
const MIN_POOL: usize = 30;
/// Smallest weight of a value that others are compared with.
const MIN_WEIGHT: f64 = 0.30;

/// Whose metrics are read, and as of when.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HistoryQuery<'d> {
    /// Row of the fighter.
    pub(crate) fighter: usize,
    /// Class of the version that holds on the day.
    pub(crate) weight_class: Option<&'d str>,
    pub(crate) day: NaiveDate,
}

/// A metric on the day.
#[derive(Debug, Clone)]
pub(crate) struct MetricReading<'a> {
    pub(crate) status: &'a str,
    pub(crate) value: Option<f64>,
    pub(crate) raw_value: Option<f64>,
    pub(crate) bouts: i32,
    pub(crate) confidence: &'a str,
    pub(crate) reasons: Vec<&'a str>,
}

impl<'a> MetricReading<'a> {
    pub(crate) fn of(data: CompleteDataset<'_>, stored: &MetricRow<'a>, whose: HistoryQuery<'_>) -> Self {
        let reading = match of_the_day(data, stored.metric, whose.fighter, whose.day) {
            Some(now) => Self {
                status: now.status,
                value: now.value,
                raw_value: now.raw_value,
                bouts: now.bouts.unwrap_or(stored.numbers.bouts),
                confidence: now.confidence.name(),
                reasons: now.reasons.to_vec(),
            },
            None => Self {
                status: stored.status,
                value: stored.numbers.value,
                raw_value: stored.numbers.raw_value,
                bouts: stored.numbers.bouts,
                confidence: stored.confidence,
                reasons: stored.reasons.split_whitespace().collect(),
            },
        };
        reading.cap_confidence(data, stored.metric, whose)
    }

    /// No value is more than of medium confidence that the newest bouts are not in, and no time that goes on after
    /// all that the sources tell is more than of low confidence.
    fn cap_confidence(mut self, data: CompleteDataset<'_>, metric: &Metric, whose: HistoryQuery<'_>) -> Self {
        let without = data.derived.pasts[whose.fighter].bouts_without_statistics(whose.day);
        let is_after_facts = !data.tells_until(whose.day);
        let caps = [
            (!metric.of_the_day && without > 0, Confidence::Medium, "newest_bouts_without_statistics"),
            (!metric.of_the_day && is_after_facts, Confidence::Medium, "after_facts_until"),
            (metric.of_the_day && is_after_facts, Confidence::Low, "after_facts_until"),
        ];
        for (is_so, cap, reason) in caps {
            if is_so && Confidence::of(self.confidence) > cap {
                self.confidence = cap.name();
                self.reasons.push(reason);
            }
        }
        self
    }

    /// As far as comparing needs it.
    pub(crate) fn published(&self, stored: &MetricRow<'_>) -> PublishedValue<'static> {
        PublishedValue {
            value: self.value,
            raw_value: self.raw_value,
            confidence: Confidence::of(self.confidence),
            ..stored.published()
        }
    }
}

pub(super) fn of_the_day(
    data: CompleteDataset<'_>,
    metric: &Metric,
    fighter: usize,
    day: NaiveDate,
) -> Option<OnTheDay> {
    on_the_day(metric, &data.derived.pasts[fighter], day)
}

/// Place among the active fighters of the class on the day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PoolPlace {
    pub(crate) value: f64,
    pub(crate) pool_size: i32,
}

/// A place, or why there is none.
pub(crate) type PlacedValue = Result<PoolPlace, &'static str>;

/// Whom fighters are compared with on a day. Of metrics that move with the days the pools are made here, when they are
/// first asked for; those of the others are stored.
#[derive(Debug)]
pub(crate) struct PercentilePools<'d> {
    data: CompleteDataset<'d>,
    day: NaiveDate,
    /// By class: rows of the active fighters.
    members: OnceCell<HashMap<&'d str, Vec<usize>>>,
}

impl<'d> PercentilePools<'d> {
    pub(crate) fn new(data: CompleteDataset<'d>, day: NaiveDate) -> Self {
        Self { data, day, members: OnceCell::new() }
    }

    /// The place of a reading.
    pub(crate) fn place(
        &self,
        stored: &MetricRow<'_>,
        reading: &MetricReading<'_>,
        whose: HistoryQuery<'_>,
    ) -> PlacedValue {
        let is_light = stored.numbers.weight.is_some_and(|weight| weight < MIN_WEIGHT);
        let value = reading.value.ok_or(if is_light { "weight_below_0.30" } else { "no_value" })?;
        let class = whose.weight_class.ok_or("no_weight_class")?;
        if stored.metric.of_the_day {
            let pool = self.values(stored.metric, class);
            if pool.len() < MIN_POOL {
                return Err("pool_below_30");
            }
            let pool_size = i32::try_from(pool.len()).unwrap_or(i32::MAX);
            return Ok(PoolPlace {
                value: percentile_in_pool(value, &pool, stored.metric.direction),
                pool_size,
            });
        }
        let place = stored.numbers.percentile.zip(stored.numbers.pool_size);
        place.map(|(value, pool_size)| PoolPlace { value, pool_size }).ok_or("pool_below_30")
    }

    fn values(&self, metric: &Metric, class: &str) -> Vec<f64> {
        let members = self.members.get_or_init(|| self.by_class()).get(class);
        let value = |&fighter: &usize| {
            let now = of_the_day(self.data, metric, fighter, self.day)?;
            let is_enough = now.bouts.is_none_or(|bouts| f64::from(bouts) >= f64::from(metric.min.value));
            now.raw_value.filter(|_| is_enough)
        };
        members.into_iter().flatten().filter_map(value).collect()
    }

    fn by_class(&self) -> HashMap<&'d str, Vec<usize>> {
        let since = self.day.checked_sub_months(ACTIVE).unwrap_or(NaiveDate::MIN);
        let dna = &self.data.derived.dna;
        let mut members: HashMap<&str, Vec<usize>> = HashMap::new();
        for version in dna.of_day(Some(self.day)).filter(|version| version.dates.last_bout_date >= since) {
            if let Some(class) = dna.weight_class(version.row) {
                members.entry(class).or_default().push(version.fighter);
            }
        }
        members
    }
}
