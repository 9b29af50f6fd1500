//! Metrics that move with the days, on the day of a panel: what the versions hold of them is of their first days.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::error::ArrowError;
use chrono::NaiveDate;
use fdna_compare::{FighterPast, OnTheDay, on_the_day};
use fdna_schemas::{Catalogue, ColumnError, Metric, TableReader};

use crate::gather::text_type;

/// What happened between versions: the tables `bouts` and `ratings`, at least [`Self::BOUTS`] and [`Self::RATINGS`] of
/// them.
#[derive(Debug, Clone, Copy)]
pub struct DayHistory<'a> {
    pub bouts: &'a RecordBatch,
    pub ratings: &'a RecordBatch,
}

impl DayHistory<'_> {
    /// The columns of `bouts` that panels need.
    pub const BOUTS: [&'static str; 4] = ["event_date", "status", "fighter_a_id", "fighter_b_id"];
    /// The columns of `ratings` that panels need.
    pub const RATINGS: [&'static str; 3] = ["fighter_id", "event_date", "rating_after"];

    /// What each fighter has been through, eligible bouts aside.
    pub(crate) fn pasts(self) -> Result<BTreeMap<String, FighterPast>, ColumnError> {
        let mut pasts: BTreeMap<String, FighterPast> = BTreeMap::new();
        let bouts = TableReader::new("bouts", self.bouts);
        let (days, statuses) = (bouts.days("event_date")?, bouts.strings("status")?);
        for name in ["fighter_a_id", "fighter_b_id"] {
            for (i, id) in bouts.texts(name)?.into_iter().enumerate() {
                if statuses[i] == Some("completed") {
                    pasts.entry(id.to_owned()).or_default().fought.push(days[i]);
                }
            }
        }
        pasts.values_mut().for_each(|past| past.fought.sort_unstable());
        let ratings = TableReader::new("ratings", self.ratings);
        let (ids, days) = (ratings.texts("fighter_id")?, ratings.days("event_date")?);
        let after = ratings.floats("rating_after")?;
        let mut order: Vec<usize> = (0..ratings.rows()).collect();
        order.sort_by_key(|&i| days[i]);
        for i in order {
            let Some(rating) = after[i] else { continue };
            pasts.entry(ids[i].to_owned()).or_default().rate(days[i], rating);
        }
        Ok(pasts)
    }
}

/// The metrics that move with the days, with their places in the catalogue.
pub(crate) fn moving() -> impl Iterator<Item = (usize, &'static Metric)> {
    Catalogue::get().metrics.iter().enumerate().filter(|(_, metric)| metric.of_the_day)
}

/// The moving metrics of the fighters of a panel on its day.
pub(crate) struct DayMetrics {
    /// By place in the catalogue, then fighter.
    metrics: Vec<(usize, Vec<OnTheDay>)>,
}

impl DayMetrics {
    pub(crate) fn of(pasts: &[&FighterPast], day: NaiveDate) -> Self {
        let of = |metric| pasts.iter().filter_map(|past| on_the_day(metric, past, day)).collect();
        Self { metrics: moving().map(|(place, metric)| (place, of(metric))).collect() }
    }

    /// The cells of a metric, by its place in the catalogue, fighter by fighter.
    pub(crate) fn cells(&self, place: usize, suffix: &str) -> Result<ArrayRef, ArrowError> {
        let now = self.metrics.iter().find(|(at, _)| *at == place).map_or(&[][..], |(_, now)| now);
        let floats = |of: fn(&OnTheDay) -> Option<f64>| -> ArrayRef {
            Arc::new(now.iter().map(of).collect::<Float64Array>())
        };
        Ok(match suffix {
            "value" => floats(|now| now.value),
            "raw_value" => floats(|now| now.raw_value),
            "weight" => floats(|_| None),
            _ => {
                let words: StringArray = now.iter().map(|now| Some(now.confidence.name())).collect();
                cast(&words, &text_type())?
            }
        })
    }
}
