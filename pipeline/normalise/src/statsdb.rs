//! One capture of the statistics source, in any of its layouts, resolved by itself: rows to entities, gates.

mod bout_rows;
mod bouts;
mod detail;
mod events;
mod fighters;
mod gates;
mod ids;
mod incremental;
mod names;
mod rounds;
mod scorecards;
mod units;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use fdna_model::{Finding, FindingKind, Severity};
use fdna_rows::{CaptureFacts, TableCount, TableRow};
use fdna_schemas::TableReader;

pub(crate) use self::incremental::PreviousCapture;
pub use self::units::PreparedUnit;
use crate::NormaliseError;

/// Name of the source in ids, and of its layout of six files.
const SOURCE: &str = "statsdb";
/// The layout that is keyed by the source's ids.
const IDS: &str = "statsdb-ids";
/// The source's own pages: the tables of the six files, of the pages that a capture happens to hold.
pub(crate) const PAGES: &str = "statsdb-html";

/// A capture's rows under our own ids.
pub(crate) struct ResolvedCapture {
    pub(crate) tables: BTreeMap<&'static str, Vec<TableRow>>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) counts: Vec<TableCount>,
    /// Places of rows that stand as the capture before has them, by table.
    pub(crate) unchanged: BTreeMap<&'static str, Vec<usize>>,
}

/// Resolves one capture with what it holds itself. `previous` is the capture before, if of the six-file layout:
/// what rests on the same rows, names and judges as there is not resolved again.
pub(crate) fn resolve(
    prepared: &PreparedUnit,
    previous: &mut PreviousCapture,
) -> Result<ResolvedCapture, NormaliseError> {
    let capture = &prepared.facts;
    let facts = StatsdbFacts { capture };
    let captured_on = capture.captured_at.date_naive();
    match capture.source.as_str() {
        SOURCE => incremental::resolve(prepared, previous, captured_on),
        PAGES => {
            *previous = PreviousCapture::default();
            incremental::resolve(prepared, &mut PreviousCapture::default(), captured_on)
        }
        IDS => {
            *previous = PreviousCapture::default();
            ids::resolve(&facts, captured_on)
        }
        other => Err(NormaliseError::UnknownSource(other.to_owned())),
    }
}

/// Whether captures of the layout are resolved by what they differ in from the one before.
pub(crate) fn is_resolved_again(source: &str) -> bool {
    source == SOURCE
}

/// The facts tables of the capture.
struct StatsdbFacts<'a> {
    capture: &'a CaptureFacts,
}

impl<'a> StatsdbFacts<'a> {
    fn is_of_pages(&self) -> bool {
        self.capture.source == PAGES
    }

    fn read(&self, table: &'a str) -> Result<TableReader<'a>, NormaliseError> {
        let batch = self.capture.tables.get(table).ok_or_else(|| fdna_rows::RowsError::MissingTable {
            capture: self.capture.capture.clone(),
            table: table.to_owned(),
        })?;
        Ok(TableReader::new(table, batch))
    }

    /// Lines of a file that ingest set aside.
    fn refused_lines(&self, file: &str) -> Result<BTreeSet<i32>, NormaliseError> {
        let reader = TableReader::new("quarantine", &self.capture.set_aside);
        let lines = reader.texts("file")?.into_iter().zip(reader.counts("line")?);
        Ok(lines.filter(|(f, _)| *f == file).map(|(_, line)| line).collect())
    }
}

/// Findings, and the rows that they set aside.
#[derive(Default)]
struct FindingLog {
    findings: Vec<Finding>,
    set_aside: HashSet<(String, i32)>,
}

/// Where a facts row stood.
#[derive(Clone, Copy)]
struct FactPosition<'a> {
    file: &'a str,
    line: i32,
}

impl FindingLog {
    fn note(
        &mut self,
        at: FactPosition<'_>,
        kind: FindingKind,
        key: Option<&str>,
        reason: impl Into<String>,
    ) {
        self.push(at, Severity::Note, kind, key, reason.into());
    }

    fn set_aside(
        &mut self,
        at: FactPosition<'_>,
        kind: FindingKind,
        key: Option<&str>,
        reason: impl Into<String>,
    ) {
        self.set_aside.insert((at.file.to_owned(), at.line));
        self.push(at, Severity::Quarantine, kind, key, reason.into());
    }

    /// A row that says what another one said: counted as set aside, lost to nobody.
    fn set_aside_as_note(&mut self, at: FactPosition<'_>, kind: FindingKind, reason: impl Into<String>) {
        self.set_aside.insert((at.file.to_owned(), at.line));
        self.push(at, Severity::Note, kind, None, reason.into());
    }

    fn push(
        &mut self,
        at: FactPosition<'_>,
        severity: Severity,
        kind: FindingKind,
        key: Option<&str>,
        reason: String,
    ) {
        self.findings.push(Finding {
            kind,
            severity,
            file: at.file.to_owned(),
            line: at.line,
            key: key.map(str::to_owned),
            reason,
            raw: None,
        });
    }

    fn counts(&self, facts: &StatsdbFacts<'_>) -> Result<Vec<TableCount>, NormaliseError> {
        let mut of_file: BTreeMap<&str, HashSet<i32>> = BTreeMap::new();
        for (file, line) in &self.set_aside {
            of_file.entry(file).or_default().insert(*line);
        }
        facts
            .capture
            .tables
            .iter()
            .map(|(table, batch)| {
                let reader = TableReader::new(table, batch);
                let files = reader.texts("file")?;
                let lines = reader.counts("line")?;
                let here = files
                    .iter()
                    .zip(lines)
                    .filter(|(file, line)| of_file.get(*file).is_some_and(|lines| lines.contains(line)));
                let (rows_in, set_aside) = (reader.rows(), here.count());
                Ok(TableCount {
                    capture: facts.capture.capture.clone(),
                    table: table.clone(),
                    rows_in,
                    rows_out: rows_in - set_aside,
                    set_aside,
                })
            })
            .collect()
    }
}
