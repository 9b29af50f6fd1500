//! Statements of one row about a fighter's career.

use chrono::NaiveDate;
use fdna_model::FindingKind;
use fdna_schemas::tables::CareerRowsRow;

use crate::fact_rows::RowPlace;
use crate::parse;
use crate::record::missing;
use crate::record_files::JsonObject;
use crate::row::{CsvRow, RowError};
use fdna_schemas::RowBuilder;

/// Columns of the eight numbers, and their names in a JSON list and in a CSV table.
const NUMBERS: [(&str, &str, &str); 8] = [
    ("slpm", "slpm", "SLpM"),
    ("str_acc", "strAcc", "Str_Acc"),
    ("sapm", "sapm", "SApM"),
    ("str_def", "strDef", "Str_Def"),
    ("td_avg", "tdAvg", "TD_Avg"),
    ("td_acc", "tdAcc", "TD_Acc"),
    ("td_def", "tdDef", "TD_Def"),
    ("sub_avg", "subAvg", "Sub_Avg"),
];

/// Wins, losses and draws, which are stated together, and no contests.
const RECORD: [(&str, &str); 4] =
    [("record_w", "wins"), ("record_l", "losses"), ("record_d", "draws"), ("record_nc", "noContests")];

#[derive(Debug, Clone)]
pub(super) struct StatedCareer {
    /// Of the file.
    on: Option<NaiveDate>,
    name: String,
    born: Option<NaiveDate>,
    /// In the order of [`RECORD`].
    record: [Option<i32>; RECORD.len()],
    /// In the order of [`NUMBERS`].
    numbers: Option<[f64; NUMBERS.len()]>,
}

impl StatedCareer {
    pub(super) fn of_object(on: Option<NaiveDate>, fighter: JsonObject<'_>) -> Result<Self, RowError> {
        if !fighter.0.is_object() {
            return Err(RowError::new(FindingKind::UnreadableValue, "the record is no object"));
        }
        let parts = ["name.firstName", "name.lastName"].map(|part| fighter.text(part).unwrap_or_default());
        let name = parse::one_space(&parts.join(" "));
        if name.is_empty() {
            return Err(missing("name"));
        }
        let born = fighter.at("dateOfBirth").map(|value| {
            value.as_str().and_then(parse::iso_date).ok_or_else(|| unreadable("dateOfBirth", value))
        });
        let (record, numbers) = (record(fighter)?, numbers(fighter)?);
        Ok(Self { on, name, born: born.transpose()?, record, numbers })
    }

    pub(super) fn of_row(on: Option<NaiveDate>, row: &CsvRow<'_>) -> Result<Self, RowError> {
        let name = parse::one_space(row.required("fighter_name")?);
        let mut numbers = [0.0; NUMBERS.len()];
        for (number, (column, _, header)) in numbers.iter_mut().zip(NUMBERS) {
            *number = if is_share(column) { row.read(header, percent)? } else { row.read(header, rate)? };
        }
        let born = row.read_optional("DOB", parse::date_in_words)?;
        Ok(Self { on, name, born, record: [None; RECORD.len()], numbers: known(numbers) })
    }
}

/// The day in a file's name, such as `fighters_2023-11-16.json`.
pub(super) fn day_in(name: &str) -> Option<NaiveDate> {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let at_end = stem.len().checked_sub(10).and_then(|at| stem.get(at..));
    [at_end, stem.get(..10)].into_iter().flatten().find_map(parse::iso_date)
}

pub(super) fn push(to: &mut RowBuilder, at: RowPlace<'_>, career: &StatedCareer) {
    let [record_w, record_l, record_d, record_nc] = career.record;
    let numbers = career.numbers.map_or([None; NUMBERS.len()], |numbers| numbers.map(Some));
    let [slpm, str_acc, sapm, str_def, td_avg, td_acc, td_def, sub_avg] = numbers;
    to.push(&CareerRowsRow {
        file: at.file,
        line: at.line,
        row_digest: at.digest,
        stated_on: career.on,
        name: &career.name,
        date_of_birth: career.born,
        record_w,
        record_l,
        record_d,
        record_nc,
        slpm,
        str_acc,
        sapm,
        str_def,
        td_avg,
        td_acc,
        td_def,
        sub_avg,
    });
}

/// A record is stated whole, no contests aside.
fn record(fighter: JsonObject<'_>) -> Result<[Option<i32>; RECORD.len()], RowError> {
    let mut counts = [None; RECORD.len()];
    if fighter.at("record").is_none() {
        return Ok(counts);
    }
    for (i, (column, field)) in RECORD.into_iter().enumerate() {
        let path = format!("record.{field}");
        let count = |value: &serde_json::Value| {
            let count = value.as_i64().and_then(|n| i32::try_from(n).ok()).filter(|n| (0..1000).contains(n));
            count.ok_or_else(|| unreadable(&path, value))
        };
        counts[i] = fighter.at(&path).map(count).transpose()?;
        if counts[i].is_none() && column != "record_nc" {
            return Err(missing(&path));
        }
    }
    Ok(counts)
}

fn numbers(fighter: JsonObject<'_>) -> Result<Option<[f64; NUMBERS.len()]>, RowError> {
    if fighter.at("careerStats").is_none() {
        return Ok(None);
    }
    let mut numbers = [0.0; NUMBERS.len()];
    for (number, (column, field, _)) in numbers.iter_mut().zip(NUMBERS) {
        let path = format!("careerStats.{field}");
        let value = fighter.at(&path).ok_or_else(|| missing(&path))?;
        let most = if is_share(column) { 1.0 } else { MOST };
        let read = value.as_f64().filter(|number| (0.0..=most).contains(number));
        *number = read.ok_or_else(|| unreadable(&path, value))?;
    }
    Ok(known(numbers))
}

/// Far more than anybody does in a minute or in fifteen.
const MOST: f64 = 1000.0;

fn is_share(column: &str) -> bool {
    column.ends_with("_acc") || column.ends_with("_def")
}

/// Of a fighter without statistics the source states eight zeros.
fn known(numbers: [f64; NUMBERS.len()]) -> Option<[f64; NUMBERS.len()]> {
    numbers.iter().any(|number| *number > 0.0).then_some(numbers)
}

/// `57%` to .57, as a list writes it.
fn percent(text: &str) -> Option<f64> {
    let percent = parse::whole(text.strip_suffix('%')?).filter(|percent| *percent <= 100)?;
    Some(f64::from(percent) / 100.0)
}

fn rate(text: &str) -> Option<f64> {
    parse::decimal(text).filter(|rate| *rate <= MOST)
}

fn unreadable(name: &str, value: &serde_json::Value) -> RowError {
    let text: String = value.to_string().chars().take(200).collect();
    RowError::new(FindingKind::UnreadableValue, format!("`{name}` is `{text}`"))
}
