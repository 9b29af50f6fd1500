//! Records and career numbers as stated on a day.
//!
//! The captures have names alone, so that a name is tied only where it can mean one fighter: one row of a file, one
//! fighter of ours, and no two days of birth. All else is in doubt, and nobody's record.

use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDate;
use fdna_model::{FindingKind, Severity, fold_name};
use fdna_rows::{CaptureFacts, CellValue, RowsError, TableLayout, TableRow};
use uuid::Uuid;

use super::SourceStatements;
use super::directory::{DirectoryFighter, EntityDirectory};
use super::facts::{counts, finding, reader};

/// Name of the source.
const SOURCE: &str = "career";
const TABLE: &str = "career_rows";
const RULE: &str = "name";

const RECORD: [&str; 4] = ["record_w", "record_l", "record_d", "record_nc"];
const NUMBERS: [&str; 8] = ["slpm", "str_acc", "sapm", "str_def", "td_avg", "td_acc", "td_def", "sub_avg"];
const COLUMNS: [&str; 18] = [
    "fighter_id",
    "stated_on",
    "capture",
    "file",
    "source",
    "name",
    "record_w",
    "record_l",
    "record_d",
    "record_nc",
    "career_slpm",
    "career_str_acc",
    "career_sapm",
    "career_str_def",
    "career_td_avg",
    "career_td_acc",
    "career_td_def",
    "career_sub_avg",
];

pub(super) fn statements(
    captures: &[&CaptureFacts],
    directory: &EntityDirectory,
    _: &BTreeMap<&str, Vec<TableRow>>,
) -> Result<SourceStatements, RowsError> {
    let layout = TableLayout::new("stated_careers", &COLUMNS)?;
    let (mut told, mut rows, mut doubts) = (SourceStatements::default(), Vec::new(), CareerDoubts::default());
    let mut set_aside: HashMap<&str, usize> = HashMap::new();
    for capture in captures {
        for file in of_files(stated(capture)?) {
            for (row, whose) in tied(file, directory) {
                match whose {
                    Ok(fighter) => rows.push(layout.row(row.values(fighter, capture))),
                    Err(doubt) => {
                        *set_aside.entry(&capture.capture).or_default() += 1;
                        told.findings.push((capture.capture.clone(), doubt.finding(&row)));
                        doubts.add(&row, doubt, &capture.capture);
                    }
                }
            }
        }
    }
    told.counts = counts(captures, TABLE, |capture| set_aside.get(capture).copied().unwrap_or(0));
    told.tables.push(("stated_careers", rows));
    told.doubts = doubts.rows()?;
    Ok(told)
}

/// What one row of a capture states.
struct StatedCareer<'a> {
    file: &'a str,
    line: i32,
    name: &'a str,
    stated_on: Option<NaiveDate>,
    born: Option<NaiveDate>,
    /// In the order of [`RECORD`].
    record: [Option<i32>; RECORD.len()],
    /// In the order of [`NUMBERS`].
    numbers: [Option<f64>; NUMBERS.len()],
}

impl StatedCareer<'_> {
    /// In the order of [`COLUMNS`].
    fn values(&self, fighter: Uuid, capture: &CaptureFacts) -> Vec<CellValue> {
        let stated_on = self.stated_on.unwrap_or_else(|| capture.captured_at.date_naive());
        let head: [CellValue; 6] = [
            fighter.into(),
            stated_on.into(),
            CellValue::text(&capture.capture),
            self.file.into(),
            SOURCE.into(),
            self.name.into(),
        ];
        let record = self.record.map(CellValue::from);
        head.into_iter().chain(record).chain(self.numbers.map(CellValue::from)).collect()
    }
}

fn stated(capture: &CaptureFacts) -> Result<Vec<StatedCareer<'_>>, RowsError> {
    let facts = reader(capture, TABLE)?;
    let (files, lines, names) = (facts.texts("file")?, facts.counts("line")?, facts.texts("name")?);
    let (born, stated_on) = (facts.dates("date_of_birth")?, facts.dates("stated_on")?);
    let record = RECORD.map(|column| facts.int32s(column));
    let record = record.into_iter().collect::<Result<Vec<_>, _>>()?;
    let numbers = NUMBERS.map(|column| facts.floats(column));
    let numbers = numbers.into_iter().collect::<Result<Vec<_>, _>>()?;
    let row = |i: usize| StatedCareer {
        file: files[i],
        line: lines[i],
        name: names[i],
        stated_on: stated_on[i],
        born: born[i],
        record: std::array::from_fn(|column| record[column][i]),
        numbers: std::array::from_fn(|column| numbers[column][i]),
    };
    Ok((0..facts.rows()).map(row).collect())
}

/// Why a row is nobody's.
struct CareerDoubt<'a> {
    reason: String,
    /// Whom it might mean.
    candidates: Vec<(Uuid, &'a DirectoryFighter)>,
}

impl CareerDoubt<'_> {
    fn finding(&self, row: &StatedCareer<'_>) -> fdna_model::Finding {
        let severity = if self.candidates.is_empty() { Severity::Note } else { Severity::Quarantine };
        let reason = format!("`{}` is tied to nobody: {}", row.name, self.reason);
        finding(row.file, row.line, severity, FindingKind::UnknownFighter, reason)
    }
}

/// The rows of each file.
fn of_files(rows: Vec<StatedCareer<'_>>) -> Vec<Vec<StatedCareer<'_>>> {
    let mut files: BTreeMap<&str, Vec<StatedCareer<'_>>> = BTreeMap::new();
    rows.into_iter().for_each(|row| files.entry(row.file).or_default().push(row));
    files.into_values().collect()
}

/// The rows of a file, each with the one fighter whom it means, whom no other row of the file means.
fn tied<'r, 'd>(
    file: Vec<StatedCareer<'r>>,
    directory: &'d EntityDirectory,
) -> Vec<(StatedCareer<'r>, Result<Uuid, CareerDoubt<'d>>)> {
    let mut named: HashMap<String, usize> = HashMap::new();
    file.iter().for_each(|row| *named.entry(fold_name(row.name)).or_default() += 1);
    let whose: Vec<_> = file.iter().map(|row| whose(row, named[&fold_name(row.name)], directory)).collect();
    let mut times: HashMap<Uuid, usize> = HashMap::new();
    whose.iter().flatten().for_each(|(id, _)| *times.entry(*id).or_default() += 1);
    let once = |(id, fighter): (Uuid, &'d DirectoryFighter)| match times[&id] {
        1 => Ok(id),
        n => {
            let reason = format!("{n} names of the file are spellings of this one");
            Err(CareerDoubt { reason, candidates: vec![(id, fighter)] })
        }
    };
    file.into_iter().zip(whose).map(|(row, whose)| (row, whose.and_then(once))).collect()
}

/// The one fighter whom a row means whose name stands `n` times in its file.
fn whose<'a>(
    row: &StatedCareer<'_>,
    n: usize,
    directory: &'a EntityDirectory,
) -> Result<(Uuid, &'a DirectoryFighter), CareerDoubt<'a>> {
    let all = directory.namesakes(row.name);
    // It is the statistics source that states it: of namesakes, one whom it does not have is not meant.
    let listed: Vec<_> = all.iter().copied().filter(|(_, fighter)| fighter.has_statistics_id).collect();
    let candidates = if listed.is_empty() { all } else { listed };
    let reason = match candidates.as_slice() {
        [] => "nobody of ours is of this name".to_owned(),
        _ if n > 1 => format!("the file has {n} of this name"),
        [(id, fighter)] => match (row.born, fighter.born) {
            (Some(stated), Some(ours)) if stated != ours => {
                format!("born on {stated}, and the one of this name on {ours}")
            }
            _ => return Ok((*id, *fighter)),
        },
        several => format!("{} fighters are of this name", several.len()),
    };
    Err(CareerDoubt { reason, candidates })
}

/// Rows of `doubtful_links` by name and candidate.
#[derive(Default)]
struct CareerDoubts<'a>(BTreeMap<(String, Uuid), DoubtfulCareer<'a>>);

struct DoubtfulCareer<'a> {
    candidate: &'a DirectoryFighter,
    /// As of the newest capture.
    reason: String,
    first_seen: String,
}

impl<'a> CareerDoubts<'a> {
    /// A name that nobody bears leaves nothing to decide.
    fn add(&mut self, row: &StatedCareer<'_>, doubt: CareerDoubt<'a>, capture: &str) {
        let CareerDoubt { reason, candidates } = doubt;
        for (id, candidate) in candidates {
            let first =
                || DoubtfulCareer { candidate, reason: String::new(), first_seen: capture.to_owned() };
            self.0.entry((row.name.to_owned(), id)).or_insert_with(first).reason.clone_from(&reason);
        }
    }

    fn rows(self) -> Result<Vec<TableRow>, RowsError> {
        let layout = TableLayout::doubtful_links()?;
        let row = |((name, id), doubtful): ((String, Uuid), DoubtfulCareer<'_>)| {
            layout.row([
                "fighter".into(),
                SOURCE.into(),
                CellValue::text(&name),
                CellValue::text(&name),
                CellValue::text(id.to_string()),
                CellValue::text(&doubtful.candidate.name),
                RULE.into(),
                0.5.into(),
                CellValue::text(&doubtful.reason),
                CellValue::text(doubtful.first_seen),
            ])
        };
        Ok(self.0.into_iter().map(row).collect())
    }
}
