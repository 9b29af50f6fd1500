//! Records and career numbers as stated on a day.
//!
//! The captures have names alone, so that a name is tied only where it can mean one fighter: one row of a file, one
//! fighter of ours, and no two days of birth. All else is in doubt, and nobody's record.

use std::collections::{BTreeMap, HashMap};

use fdna_model::{FindingKind, Severity, fold_name};
use fdna_rows::{CaptureFacts, RowsError, TableRow, row_cells};
use fdna_schemas::tables::{
    CareerRowsReader, CareerRowsRow, ContractRow as _, DoubtfulLinksRow, StatedCareersRow,
};
use uuid::Uuid;

use super::SourceStatements;
use super::directory::{DirectoryFighter, EntityDirectory};
use super::facts::{count_rows, record_finding};

/// Name of the source.
const SOURCE: &str = "career";
const RULE: &str = "name";

pub(super) fn career_statements(
    captures: &[&CaptureFacts],
    directory: &EntityDirectory,
    _: &BTreeMap<&str, Vec<TableRow>>,
) -> Result<SourceStatements, RowsError> {
    let (mut told, mut rows, mut doubts) = (SourceStatements::default(), Vec::new(), CareerDoubts::default());
    let mut set_aside: HashMap<&str, usize> = HashMap::new();
    for capture in captures {
        for file in of_files(capture.read_table::<CareerRowsReader<'_>>()?.all_rows()?) {
            for (row, whose) in tie_rows(file, directory) {
                match whose {
                    Ok(fighter) => rows.push(stated_career_row(&row, fighter, capture)),
                    Err(doubt) => {
                        *set_aside.entry(&capture.capture).or_default() += 1;
                        told.findings.push((capture.capture.clone(), doubt.to_finding(&row)));
                        doubts.add_doubt(&row, doubt, &capture.capture);
                    }
                }
            }
        }
    }
    told.counts =
        count_rows(captures, CareerRowsRow::TABLE, |capture| set_aside.get(capture).copied().unwrap_or(0));
    told.tables.push((StatedCareersRow::TABLE, rows));
    told.doubts = doubts.into_rows();
    Ok(told)
}

/// A row of `stated_careers`.
fn stated_career_row(row: &CareerRowsRow<'_>, fighter_id: Uuid, capture: &CaptureFacts) -> TableRow {
    row_cells(&StatedCareersRow {
        fighter_id,
        stated_on: row.stated_on.unwrap_or_else(|| capture.captured_at.date_naive()),
        capture: &capture.capture,
        file: row.file,
        source: SOURCE,
        name: row.name,
        record_w: row.record_w,
        record_l: row.record_l,
        record_d: row.record_d,
        record_nc: row.record_nc,
        career_slpm: row.slpm,
        career_str_acc: row.str_acc,
        career_sapm: row.sapm,
        career_str_def: row.str_def,
        career_td_avg: row.td_avg,
        career_td_acc: row.td_acc,
        career_td_def: row.td_def,
        career_sub_avg: row.sub_avg,
    })
}

/// Reason why a row matches no fighter.
struct CareerDoubt<'a> {
    reason: String,
    /// Fighters that it might mean.
    candidates: Vec<(Uuid, &'a DirectoryFighter)>,
}

impl CareerDoubt<'_> {
    fn to_finding(&self, row: &CareerRowsRow<'_>) -> fdna_model::Finding {
        let severity = if self.candidates.is_empty() { Severity::Note } else { Severity::Quarantine };
        let reason = format!("`{}` is tied to nobody: {}", row.name, self.reason);
        record_finding(row.file, row.line, severity, FindingKind::UnknownFighter, reason)
    }
}

/// The rows of each file.
fn of_files(rows: Vec<CareerRowsRow<'_>>) -> Vec<Vec<CareerRowsRow<'_>>> {
    let mut files: BTreeMap<&str, Vec<CareerRowsRow<'_>>> = BTreeMap::new();
    rows.into_iter().for_each(|row| files.entry(row.file).or_default().push(row));
    files.into_values().collect()
}

/// The rows of a file, each with the one fighter whom it means, whom no other row of the file means.
fn tie_rows<'r, 'd>(
    file: Vec<CareerRowsRow<'r>>,
    directory: &'d EntityDirectory,
) -> Vec<(CareerRowsRow<'r>, Result<Uuid, CareerDoubt<'d>>)> {
    let mut named: HashMap<String, usize> = HashMap::new();
    file.iter().for_each(|row| *named.entry(fold_name(row.name)).or_default() += 1);
    let whose: Vec<_> =
        file.iter().map(|row| resolve_fighter(row, named[&fold_name(row.name)], directory)).collect();
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

/// Resolves a row's fighter; `n` is how often the name occurs in the file.
fn resolve_fighter<'a>(
    row: &CareerRowsRow<'_>,
    n: usize,
    directory: &'a EntityDirectory,
) -> Result<(Uuid, &'a DirectoryFighter), CareerDoubt<'a>> {
    let all = directory.fighters_named(row.name);
    // It is the statistics source that states it: of namesakes, one whom it does not have is not meant.
    let listed: Vec<_> = all.iter().copied().filter(|(_, fighter)| fighter.has_statistics_id).collect();
    let candidates = if listed.is_empty() { all } else { listed };
    let reason = match candidates.as_slice() {
        [] => "nobody of ours is of this name".to_owned(),
        _ if n > 1 => format!("the file has {n} of this name"),
        [(id, fighter)] => match (row.date_of_birth, fighter.born) {
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
    fn add_doubt(&mut self, row: &CareerRowsRow<'_>, doubt: CareerDoubt<'a>, capture: &str) {
        let CareerDoubt { reason, candidates } = doubt;
        for (id, candidate) in candidates {
            let first =
                || DoubtfulCareer { candidate, reason: String::new(), first_seen: capture.to_owned() };
            self.0.entry((row.name.to_owned(), id)).or_insert_with(first).reason.clone_from(&reason);
        }
    }

    fn into_rows(self) -> Vec<TableRow> {
        let row = |((name, id), doubtful): ((String, Uuid), DoubtfulCareer<'_>)| {
            row_cells(&DoubtfulLinksRow {
                kind: "fighter",
                source: SOURCE,
                source_id: &name,
                name: &name,
                candidate: &id.to_string(),
                candidate_name: Some(&doubtful.candidate.name),
                rule: RULE,
                score: 0.5,
                reason: &doubtful.reason,
                first_seen_capture: &doubtful.first_seen,
            })
        };
        self.0.into_iter().map(row).collect()
    }
}
