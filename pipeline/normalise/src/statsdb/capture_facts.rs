//! The facts of one capture of the statistics source, what is found wrong with them, and what they come to.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use fdna_model::{Finding, FindingKind, Severity};
use fdna_rows::{CaptureFacts, PackedRow, TableCount};
use fdna_schemas::TableReader;
use fdna_schemas::tables::{ContractReader, QuarantineReader, StatsdbResultsRow};

use crate::error::NormaliseError;

/// Name of the source in ids, and of its layout of six files.
pub(super) const SOURCE: &str = "statsdb";
/// The layout that is keyed by the source's ids.
pub(super) const IDS: &str = "statsdb-ids";
/// The source's own pages: the tables of the six files, of the pages that a capture happens to hold.
pub(crate) const PAGES: &str = "statsdb-html";

/// A capture's rows under our own ids.
pub(crate) struct ResolvedCapture {
    pub(crate) tables: BTreeMap<&'static str, Vec<PackedRow>>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) counts: Vec<TableCount>,
    /// Places of rows that stand as the capture before has them, by table.
    pub(crate) unchanged: BTreeMap<&'static str, Vec<usize>>,
}

/// The facts tables of the capture.
pub(super) struct StatsdbFacts<'a> {
    pub(super) capture: &'a CaptureFacts,
}

impl<'a> StatsdbFacts<'a> {
    pub(super) fn is_of_pages(&self) -> bool {
        self.capture.source == PAGES
    }

    pub(super) fn read_table<R: ContractReader<'a>>(&self) -> Result<R, NormaliseError> {
        Ok(self.capture.read_table()?)
    }

    /// Lines of a file that ingest set aside.
    pub(super) fn refused_lines(&self, file: &str) -> Result<BTreeSet<i32>, NormaliseError> {
        let reader = QuarantineReader::of(&self.capture.set_aside);
        let lines = reader.file()?.into_iter().zip(reader.line()?);
        Ok(lines.filter(|(f, _)| *f == file).map(|(_, line)| line).collect())
    }
}

/// Findings, and the rows that they set aside.
#[derive(Default)]
pub(super) struct FindingLog {
    pub(super) findings: Vec<Finding>,
    pub(super) set_aside: HashSet<(String, i32)>,
}

/// Position of a facts row.
#[derive(Clone, Copy)]
pub(super) struct FactPosition<'a> {
    pub(super) file: &'a str,
    pub(super) line: i32,
}

impl FindingLog {
    pub(super) fn add_note(
        &mut self,
        at: FactPosition<'_>,
        kind: FindingKind,
        key: Option<&str>,
        reason: impl Into<String>,
    ) {
        self.push_finding(at, Severity::Note, kind, key, reason.into());
    }

    pub(super) fn set_aside(
        &mut self,
        at: FactPosition<'_>,
        kind: FindingKind,
        key: Option<&str>,
        reason: impl Into<String>,
    ) {
        self.set_aside.insert((at.file.to_owned(), at.line));
        self.push_finding(at, Severity::Quarantine, kind, key, reason.into());
    }

    /// A row that says what another one said: counted as set aside, lost to nobody.
    pub(super) fn set_aside_as_note(
        &mut self,
        at: FactPosition<'_>,
        kind: FindingKind,
        reason: impl Into<String>,
    ) {
        self.set_aside.insert((at.file.to_owned(), at.line));
        self.push_finding(at, Severity::Note, kind, None, reason.into());
    }

    fn push_finding(
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

    pub(super) fn count_tables(&self, facts: &StatsdbFacts<'_>) -> Result<Vec<TableCount>, NormaliseError> {
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
                // All facts tables say so where a row stood.
                let files = reader.texts(StatsdbResultsRow::FILE.name)?;
                let lines = reader.counts(StatsdbResultsRow::LINE.name)?;
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
