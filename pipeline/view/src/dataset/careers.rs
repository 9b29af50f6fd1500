//! Records and career numbers as sources stated them, by day.

use std::collections::HashMap;

use arrow::array::RecordBatch;
use chrono::NaiveDate;
use fdna_api::{CareerSnapshot, LEAKAGE_WARNING, StatedRecord};
use fdna_schemas::TableReader;
use uuid::Uuid;

use super::{DatasetError, never_null};

const TABLE: &str = "stated_careers";

/// What one source stated of one fighter on one day.
#[derive(Debug, Clone)]
struct CareerStatement {
    on: NaiveDate,
    source: Box<str>,
    /// Wins, losses, draws.
    record: Option<[i32; 3]>,
    no_contests: Option<i32>,
    /// In the order of [`NUMBERS`].
    numbers: Option<[f64; NUMBERS.len()]>,
}

const NUMBERS: [&str; 8] = [
    "career_slpm",
    "career_str_acc",
    "career_sapm",
    "career_str_def",
    "career_td_avg",
    "career_td_acc",
    "career_td_def",
    "career_sub_avg",
];

/// All that was stated of one fighter, oldest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct StatedCareer(Vec<CareerStatement>);

impl StatedCareer {
    /// What was stated before a day, newest first. A statement of the day itself may know of the day's bouts.
    fn newest(&self, before: Option<NaiveDate>) -> impl Iterator<Item = &CareerStatement> {
        self.0.iter().rev().filter(move |statement| before.is_none_or(|day| statement.on < day))
    }

    /// The newest record that was stated before a day, or ever.
    pub(crate) fn record(&self, before: Option<NaiveDate>) -> Option<StatedRecord<'_>> {
        self.newest(before).find_map(|statement| {
            let [wins, losses, draws] = statement.record?;
            Some(StatedRecord {
                wins,
                losses,
                draws,
                no_contests: statement.no_contests,
                source: &statement.source,
                date: statement.on.to_string(),
            })
        })
    }

    /// The newest numbers that were stated before a day, or ever; nulls where none were.
    pub(crate) fn snapshot(&self, before: Option<NaiveDate>) -> CareerSnapshot<'_> {
        let stated = self.newest(before).find_map(|statement| Some((statement, statement.numbers?)));
        let numbers = stated.map_or([None; NUMBERS.len()], |(_, numbers)| numbers.map(Some));
        let [slpm, str_acc, sapm, str_def, td_avg, td_acc, td_def, sub_avg] = numbers;
        CareerSnapshot {
            career_slpm: slpm,
            career_str_acc: str_acc,
            career_sapm: sapm,
            career_str_def: str_def,
            career_td_avg: td_avg,
            career_td_acc: td_acc,
            career_td_def: td_def,
            career_sub_avg: sub_avg,
            career_source: stated.map(|(statement, _)| &*statement.source),
            career_date: stated.map(|(statement, _)| statement.on.to_string()),
            leakage_warning: LEAKAGE_WARNING,
        }
    }
}

/// By fighter.
pub(crate) type StatedCareers = HashMap<Uuid, StatedCareer>;

pub(crate) fn read(batch: &RecordBatch) -> Result<StatedCareers, DatasetError> {
    let table = TableReader::new(TABLE, batch);
    let (ids, days) = (table.ids("fighter_id")?, table.dates("stated_on")?);
    let sources = table.texts("source")?;
    let record = ["record_w", "record_l", "record_d"].map(|column| table.int32s(column));
    let record = record.into_iter().collect::<Result<Vec<_>, _>>()?;
    let no_contests = table.int32s("record_nc")?;
    let numbers = NUMBERS.map(|column| table.floats(column));
    let numbers = numbers.into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut careers = StatedCareers::new();
    for (i, id) in ids.into_iter().enumerate() {
        careers.entry(id).or_default().0.push(CareerStatement {
            on: never_null(days[i], TABLE, "stated_on")?,
            source: sources[i].into(),
            record: whole(&record, i),
            no_contests: no_contests[i],
            numbers: whole(&numbers, i),
        });
    }
    // Stable: of one day, the later row of the table is the newer.
    careers.values_mut().for_each(|career| career.0.sort_by_key(|statement| statement.on));
    Ok(careers)
}

/// The row's values, if it has all of them.
fn whole<T: Copy + Default, const N: usize>(columns: &[Vec<Option<T>>], row: usize) -> Option<[T; N]> {
    let mut values = [T::default(); N];
    for (value, column) in values.iter_mut().zip(columns) {
        *value = column[row]?;
    }
    Some(values)
}
