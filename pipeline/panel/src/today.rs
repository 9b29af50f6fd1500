//! Metrics that move with the days, on the day of a panel: what the versions hold of them is of their first days.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray as _, Float64Array, Int32Array, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use arrow::error::ArrowError;
use chrono::NaiveDate;
use fdna_compare::{FighterPast, OnTheDay, on_the_day};
use fdna_schemas::tables::{
    BoutsReader, BoutsRow, ContractReader as _, RatingsReader, RatingsRow, ResultsReader, ResultsRow,
};
use fdna_schemas::{ColumnError, Confidence, Metric, MetricDefinitions};

use crate::gather::text_type;
use crate::shrunk::SHRUNK_VALUE;

/// Bouts between versions: the tables `bouts`, `results` and `ratings`, at least [`Self::BOUTS`],
/// [`Self::RESULTS`] and [`Self::RATINGS`] of them.
#[derive(Debug, Clone, Copy)]
pub struct DayHistory<'a> {
    pub bouts: &'a RecordBatch,
    pub results: &'a RecordBatch,
    pub ratings: &'a RecordBatch,
}

impl DayHistory<'_> {
    /// The columns of `bouts` that panels need.
    pub const BOUTS: [&'static str; 5] = [
        BoutsRow::BOUT_ID.name,
        BoutsRow::EVENT_DATE.name,
        BoutsRow::STATUS.name,
        BoutsRow::FIGHTER_A_ID.name,
        BoutsRow::FIGHTER_B_ID.name,
    ];
    /// The columns of `results` that panels need.
    pub const RESULTS: [&'static str; 1] = [ResultsRow::BOUT_ID.name];
    /// The columns of `ratings` that panels need.
    pub const RATINGS: [&'static str; 4] = [
        RatingsRow::FIGHTER_ID.name,
        RatingsRow::EVENT_DATE.name,
        RatingsRow::SCORE.name,
        RatingsRow::RATING_AFTER.name,
    ];

    /// The past of each fighter, eligible bouts aside.
    pub(crate) fn fighter_pasts(self) -> Result<BTreeMap<String, FighterPast>, ColumnError> {
        let mut pasts: BTreeMap<String, FighterPast> = BTreeMap::new();
        let bouts = BoutsReader::of(self.bouts);
        let (days, statuses) = (bouts.event_date()?, bouts.status()?);
        let results = ResultsReader::of(self.results);
        let known: BTreeSet<&str> = results.by_name().texts(ResultsRow::BOUT_ID.name)?.into_iter().collect();
        let ids = bouts.by_name().texts(BoutsRow::BOUT_ID.name)?;
        for side in [BoutsRow::FIGHTER_A_ID, BoutsRow::FIGHTER_B_ID] {
            for (i, id) in bouts.by_name().texts(side.name)?.into_iter().enumerate() {
                if statuses[i] == Some("completed") {
                    let past = pasts.entry(id.to_owned()).or_default();
                    past.fought.push(days[i]);
                    past.unknown.extend((!known.contains(ids[i])).then_some(days[i]));
                }
            }
        }
        for past in pasts.values_mut() {
            past.fought.sort_unstable();
            past.unknown.sort_unstable();
        }
        let ratings = RatingsReader::of(self.ratings);
        let ids = ratings.by_name().texts(RatingsRow::FIGHTER_ID.name)?;
        let after = ratings.rating_after()?.into_iter().zip(ratings.score()?);
        let mut rated: Vec<_> = ratings.event_date()?.into_iter().zip(ids).zip(after).collect();
        rated.sort_by_key(|((day, _), _)| *day);
        for ((day, id), (rating, score)) in rated {
            pasts.entry(id.to_owned()).or_default().add_rated_bout(day, rating, score >= 1.0);
        }
        Ok(pasts)
    }
}

/// The metrics that move with the days, with their places in the metric definitions.
pub(crate) fn moving_metrics() -> impl Iterator<Item = (usize, &'static Metric)> {
    MetricDefinitions::get().metrics.iter().enumerate().filter(|(_, metric)| metric.of_the_day)
}

/// The moving metrics of the fighters of a panel on its day.
pub(crate) struct DayMetrics {
    /// By place in the metric definitions, then fighter.
    metrics: Vec<(usize, Vec<OnTheDay>)>,
    /// By fighter: the newest bouts that are in no version.
    bouts_without_statistics: Int32Array,
}

impl DayMetrics {
    pub(crate) fn from_pasts(pasts: &[&FighterPast], day: NaiveDate) -> Self {
        let values_of = |metric| pasts.iter().filter_map(|past| on_the_day(metric, past, day)).collect();
        Self {
            metrics: moving_metrics().map(|(place, metric)| (place, values_of(metric))).collect(),
            bouts_without_statistics: pasts.iter().map(|past| Some(count_bouts_without(past, day))).collect(),
        }
    }

    pub(crate) fn bouts_without_statistics(&self) -> ArrayRef {
        Arc::new(self.bouts_without_statistics.clone())
    }

    /// Confidences of versions on the day: at most medium where the newest bouts are in none. A fighter has
    /// `per_fighter` cells, one after the other.
    pub(crate) fn cap_confidence(
        &self,
        words: &ArrayRef,
        per_fighter: usize,
    ) -> Result<ArrayRef, ArrowError> {
        let texts = cast(words, &DataType::Utf8)?;
        let capped = texts.as_string::<i32>().iter().enumerate().map(|(cell, word)| {
            let is_capped = word == Some(Confidence::High.name())
                && self.bouts_without_statistics.value(cell / per_fighter) > 0;
            if is_capped { Some(Confidence::Medium.name()) } else { word }
        });
        cast(&capped.collect::<StringArray>(), words.data_type())
    }

    /// The cells of a metric, by its place in the metric definitions, fighter by fighter.
    pub(crate) fn metric_cells(&self, place: usize, suffix: &str) -> Result<ArrayRef, ArrowError> {
        let now = self.metrics.iter().find(|(at, _)| *at == place).map_or(&[][..], |(_, now)| now);
        let floats = |of: fn(&OnTheDay) -> Option<f64>| -> ArrayRef {
            Arc::new(now.iter().map(of).collect::<Float64Array>())
        };
        Ok(match suffix {
            "value" => floats(|now| now.value),
            "raw_value" => floats(|now| now.raw_value),
            "weight" => floats(|_| None),
            SHRUNK_VALUE => floats(|now| now.value.or(now.raw_value)),
            _ => {
                let words: StringArray = now.iter().map(|now| Some(now.confidence.name())).collect();
                cast(&words, &text_type())?
            }
        })
    }
}

fn count_bouts_without(past: &FighterPast, day: NaiveDate) -> i32 {
    i32::try_from(past.bouts_without_statistics(day)).unwrap_or(i32::MAX)
}
