//! Checks that rows of `panel_ratios` that another engine made are what the observations add up to, without adding them up
//! for each fighter.
//!
//! Fighters, versions, bouts and days are compared row by row. Of the sums, each column is added up over the fighters, each
//! times a weight of his own, modulo 2^64. That is linear, so that it can be had from the observations before a date
//! as well, day by day: one wrong cell always changes it, since weights are odd, and several wrong ones cancel out with a
//! chance of one in 2^63 or so. The ratios are then what the sums of their row say.

use std::collections::BTreeMap;

use arrow::array::{Array as _, AsArray as _, Int32Array, RecordBatch};
use arrow::datatypes::{Float64Type, Int32Type};
use chrono::NaiveDate;
use fdna_schemas::tables::{
    BoutObservationsReader, BoutObservationsRow, ContractReader as _, ContractRow as _, PanelRatiosReader,
    PanelRatiosRow,
};
use fdna_schemas::{ColumnError, Metric, MetricDefinitions, TableReader, Term};
use uuid::Uuid;

use crate::PanelError;

/// Numerator, denominator and bouts.
const SUMS: usize = 3;

/// Expected content of panels of ratios, from the observations alone.
#[derive(Debug)]
pub struct RatioCheck {
    metrics: Vec<&'static Metric>,
    /// By fighter, in order of their ids: days with bouts, oldest first, with how many bouts there were up to then.
    careers: Vec<(String, Vec<(NaiveDate, i32)>)>,
    /// Weighted sums up to each day with bouts, [`SUMS`] for each metric.
    totals: BTreeMap<NaiveDate, Vec<u64>>,
}

impl RatioCheck {
    /// `observations` is the table `bout_observations`, in order of its key.
    ///
    /// # Errors
    /// A column is missing or not as its contract says.
    pub fn new(observations: &RecordBatch) -> Result<Self, PanelError> {
        let reader = BoutObservationsReader::of(observations);
        let (days, weights) = (reader.event_date()?, fighter_weights(&reader.fighter_id()?));
        let ids = reader.by_name().texts(BoutObservationsRow::FIGHTER_ID.name)?;
        let metrics: Vec<&Metric> = MetricDefinitions::get().whole_ratios().collect();
        let nothing = || vec![0; SUMS * metrics.len()];
        let mut totals: BTreeMap<NaiveDate, Vec<u64>> = days.iter().map(|day| (*day, nothing())).collect();
        for (place, metric) in metrics.iter().enumerate() {
            let terms = MetricTerms::from_observations(observations, metric)?;
            for (row, day) in days.iter().enumerate() {
                let Some(sums) = terms.row_sums(row) else { continue };
                let Some(totals) = totals.get_mut(day) else { continue };
                for (total, sum) in totals[SUMS * place..].iter_mut().zip(sums) {
                    *total = total.wrapping_add(weights[row].wrapping_mul(sum.cast_unsigned()));
                }
            }
        }
        let mut before = nothing();
        for totals in totals.values_mut() {
            totals.iter_mut().zip(&before).for_each(|(total, before)| *total = total.wrapping_add(*before));
            before.clone_from(totals);
        }
        Ok(Self { metrics, careers: group_careers(&ids, &days), totals })
    }

    /// First day on which any fighter has a row; `None` without observations.
    #[must_use]
    pub fn first_day(&self) -> Option<NaiveDate> {
        self.totals.keys().next()?.succ_opt()
    }

    /// Number of rows of a panel.
    #[must_use]
    pub fn row_count(&self, as_of: NaiveDate) -> usize {
        self.careers.iter().filter(|(_, days)| days.first().is_some_and(|(day, _)| *day < as_of)).count()
    }

    /// `panel` has the rows of `panel_ratios` of this date, in order of its key.
    ///
    /// # Errors
    /// [`PanelError::Wrong`], which names a column and where it can a fighter, or a column is missing or not as its
    /// contract says.
    pub fn check_panel(&self, as_of: NaiveDate, panel: &RecordBatch) -> Result<(), PanelError> {
        let wrong = |what: String| PanelError::Wrong { as_of, what };
        self.check_rows(as_of, panel)?;
        let nothing = vec![0; SUMS * self.metrics.len()];
        let totals = self.totals.range(..as_of).next_back().map_or(&nothing, |(_, totals)| totals);
        let weights = fighter_weights(&PanelRatiosReader::of(panel).fighter_id()?);
        for (metric, totals) in self.metrics.iter().zip(totals.chunks(SUMS)) {
            let columns = RatioColumns::from_panel(panel, metric)?;
            for ((name, column), total) in columns.sums.iter().zip(totals) {
                let weighted = column.iter().zip(&weights);
                let found = weighted.fold(0_u64, |sum, (value, weight)| {
                    sum.wrapping_add(weight.wrapping_mul(value.cast_unsigned()))
                });
                if found != *total {
                    return Err(wrong(format!("`{name}` is not what the bouts before the date add up to")));
                }
            }
            if let Some(row) = columns.wrong_ratio(metric) {
                return Err(wrong(format!(
                    "`{}__raw_value` of row {row} is not the ratio of its sums",
                    metric.name
                )));
            }
        }
        Ok(())
    }

    /// Checks the fighters, and the columns that belong to no metric.
    fn check_rows(&self, as_of: NaiveDate, panel: &RecordBatch) -> Result<(), PanelError> {
        let wrong = |what: String| PanelError::Wrong { as_of, what };
        let reader = PanelRatiosReader::of(panel);
        let ids = reader.by_name().texts(PanelRatiosRow::FIGHTER_ID.name)?;
        let found = reader.version()?.into_iter().zip(reader.eligible_bouts()?).zip(reader.last_bout_date()?);
        let (mut found, mut row) = (ids.into_iter().zip(found), 0);
        for (id, days) in &self.careers {
            let fought = days.partition_point(|(day, _)| *day < as_of);
            let Some(&(last, bouts)) = fought.checked_sub(1).and_then(|last| days.get(last)) else {
                continue;
            };
            let expected = (id.as_str(), ((i32::try_from(fought).unwrap_or(i32::MAX), bouts), last));
            match found.next() {
                Some(found) if found == expected => row += 1,
                Some(found) => {
                    let is = |of: (&str, ((i32, i32), NaiveDate))| {
                        let (id, ((version, bouts), last)) = of;
                        format!("fighter {id}, version {version}, {bouts} bouts, the last on {last}")
                    };
                    return Err(wrong(format!("row {row} is {}, and must be {}", is(found), is(expected))));
                }
                None => return Err(wrong(format!("fighter {id} is missing"))),
            }
        }
        found.next().map_or(Ok(()), |(id, _)| Err(wrong(format!("fighter {id} had no bout before the date"))))
    }
}

/// An odd number for each fighter: ids are digests, so that they are as good as random.
fn fighter_weights(fighters: &[Uuid]) -> Vec<u64> {
    let weight = |(high, low): (u64, u64)| (high ^ low) | 1;
    fighters.iter().map(|id| weight(id.as_u64_pair())).collect()
}

fn group_careers(ids: &[&str], days: &[NaiveDate]) -> Vec<(String, Vec<(NaiveDate, i32)>)> {
    let mut careers: Vec<(String, Vec<(NaiveDate, i32)>)> = Vec::new();
    for (id, day) in ids.iter().zip(days) {
        match careers.last_mut() {
            Some((same, days)) if same == id => match days.last_mut() {
                Some((last, bouts)) if last == day => *bouts += 1,
                last => {
                    let bouts = last.map_or(0, |(_, bouts)| *bouts) + 1;
                    days.push((*day, bouts));
                }
            },
            _ => careers.push(((*id).to_owned(), vec![(*day, 1)])),
        }
    }
    careers
}

/// The columns of the observations that a metric sums.
struct MetricTerms<'a> {
    numerator: Vec<(&'a Int32Array, i64)>,
    denominator: Vec<(&'a Int32Array, i64)>,
}

impl<'a> MetricTerms<'a> {
    fn from_observations(observations: &'a RecordBatch, metric: &Metric) -> Result<Self, ColumnError> {
        let find = |term: &Term| {
            let missing = || ColumnError::Missing {
                table: BoutObservationsRow::TABLE.to_owned(),
                column: term.column.clone(),
            };
            let column = observations.column_by_name(&term.column).ok_or_else(missing)?;
            let column = column.as_primitive_opt::<Int32Type>().ok_or_else(missing)?;
            Ok((column, i64::from(term.sign)))
        };
        let all = |terms: &[Term]| terms.iter().map(find).collect::<Result<_, ColumnError>>();
        Ok(Self { numerator: all(&metric.numerator)?, denominator: all(&metric.denominator)? })
    }

    /// The part of a row in the sums; `None` where it does not carry all columns.
    fn row_sums(&self, row: usize) -> Option<[i64; SUMS]> {
        let sum = |terms: &[(&Int32Array, i64)]| -> Option<i64> {
            let values = terms
                .iter()
                .map(|(column, sign)| column.is_valid(row).then(|| sign * i64::from(column.value(row))));
            values.sum()
        };
        Some([sum(&self.numerator)?, sum(&self.denominator)?, 1])
    }
}

/// The columns of a metric in a panel.
struct RatioColumns<'a> {
    /// Numerator, denominator and bouts, by name.
    sums: [(String, Vec<i64>); SUMS],
    ratios: &'a arrow::array::Float64Array,
}

impl<'a> RatioColumns<'a> {
    fn from_panel(panel: &'a RecordBatch, metric: &Metric) -> Result<Self, ColumnError> {
        let name = |suffix| MetricDefinitions::version_column(&metric.name, suffix);
        let reader = TableReader::new(PanelRatiosRow::TABLE, panel);
        let [y, d, n, raw] = ["numerator", "denominator", "bouts", "raw_value"].map(name);
        let missing =
            || ColumnError::Missing { table: PanelRatiosRow::TABLE.to_owned(), column: raw.clone() };
        let ratios = panel.column_by_name(&raw).and_then(|column| column.as_primitive_opt::<Float64Type>());
        let ratios = ratios.ok_or_else(missing)?;
        let (y_sums, d_sums) = (reader.whole_numbers(&y)?, reader.whole_numbers(&d)?);
        let bouts = reader.counts(&n)?.into_iter().map(i64::from).collect();
        Ok(Self { sums: [(y, y_sums), (d, d_sums), (n, bouts)], ratios })
    }

    /// The first row whose ratio is not that of its sums, bit for bit.
    fn wrong_ratio(&self, metric: &Metric) -> Option<usize> {
        let [(_, y), (_, d), _] = &self.sums;
        (0..self.ratios.len()).find(|&row| {
            let found = self.ratios.is_valid(row).then(|| self.ratios.value(row).to_bits());
            let ratio = || {
                (whole_as_f64(y[row]) / metric.numerator_per)
                    / (whole_as_f64(d[row]) / metric.denominator_per)
            };
            found != (d[row] > 0).then(|| ratio().to_bits())
        })
    }
}

/// Sums of counts are far below 2^53, up to which every whole number is a double.
fn whole_as_f64(sum: i64) -> f64 {
    sum as f64
}
