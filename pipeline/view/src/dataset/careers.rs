//! Records and career numbers as sources stated them, by day.

use std::collections::HashMap;

use arrow::array::RecordBatch;
use chrono::NaiveDate;
use fdna_api::{CareerSnapshot, LEAKAGE_WARNING, StatedRecord};
use fdna_schemas::tables::{ContractReader as _, StatedCareersReader, StatedCareersRow};
use uuid::Uuid;

use super::DatasetError;

/// What one source stated of one fighter on one day.
#[derive(Debug, Clone)]
struct CareerStatement {
    on: NaiveDate,
    source: Box<str>,
    /// Wins, losses, draws.
    record: Option<[i32; 3]>,
    no_contests: Option<i32>,
    /// In the order of the contract.
    numbers: Option<[f64; NUMBERS]>,
}

/// A record that a source states.
#[derive(Debug, Clone, Copy)]
pub(super) struct DatedRecord<'a> {
    pub(super) on: NaiveDate,
    pub(super) source: &'a str,
    /// Wins, losses, draws.
    pub(super) record: [i32; 3],
    pub(super) no_contests: Option<i32>,
}

/// How many numbers a source states of a career.
const NUMBERS: usize = 8;

impl CareerStatement {
    fn of(row: &StatedCareersRow<'_>) -> Self {
        Self {
            on: row.stated_on,
            source: row.source.into(),
            record: whole([row.record_w, row.record_l, row.record_d]),
            no_contests: row.record_nc,
            numbers: whole([
                row.career_slpm,
                row.career_str_acc,
                row.career_sapm,
                row.career_str_def,
                row.career_td_avg,
                row.career_td_acc,
                row.career_td_def,
                row.career_sub_avg,
            ]),
        }
    }

    fn dated_record(&self) -> Option<DatedRecord<'_>> {
        let no_contests = self.no_contests;
        Some(DatedRecord { on: self.on, source: &self.source, record: self.record?, no_contests })
    }
}

/// The values, if all are known.
fn whole<T, const N: usize>(values: [Option<T>; N]) -> Option<[T; N]> {
    let values: Vec<T> = values.into_iter().collect::<Option<_>>()?;
    values.try_into().ok()
}

/// All that was stated of one fighter, oldest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct StatedCareer(Vec<CareerStatement>);

impl StatedCareer {
    /// What was stated before a day, newest first. A statement of the day itself may know of the day's bouts.
    fn newest(&self, before: Option<NaiveDate>) -> impl Iterator<Item = &CareerStatement> {
        self.0.iter().rev().filter(move |statement| before.is_none_or(|day| statement.on < day))
    }

    /// The records that were stated before a day, newest first, then those of the day and later, oldest first.
    pub(super) fn nearest_records(&self, day: Option<NaiveDate>) -> impl Iterator<Item = DatedRecord<'_>> {
        let later = self.0.iter().filter(move |statement| day.is_some_and(|day| statement.on >= day));
        self.newest(day).chain(later).filter_map(CareerStatement::dated_record)
    }

    /// The newest record that was stated before a day, or ever.
    pub(crate) fn record(&self, before: Option<NaiveDate>) -> Option<StatedRecord<'_>> {
        let stated = self.newest(before).find_map(CareerStatement::dated_record)?;
        let [wins, losses, draws] = stated.record;
        Some(StatedRecord {
            wins,
            losses,
            draws,
            no_contests: stated.no_contests,
            source: stated.source,
            date: stated.on.to_string(),
        })
    }

    /// The newest numbers that were stated before a day, or ever; nulls where none were.
    pub(crate) fn snapshot(&self, before: Option<NaiveDate>) -> CareerSnapshot<'_> {
        let stated = self.newest(before).find_map(|statement| Some((statement, statement.numbers?)));
        let numbers = stated.map_or([None; NUMBERS], |(_, numbers)| numbers.map(Some));
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
    let mut careers = StatedCareers::new();
    for row in StatedCareersReader::of(batch).all_rows()? {
        careers.entry(row.fighter_id).or_default().0.push(CareerStatement::of(&row));
    }
    // Stable: of one day, the later row of the table is the newer.
    careers.values_mut().for_each(|career| career.0.sort_by_key(|statement| statement.on));
    Ok(careers)
}
