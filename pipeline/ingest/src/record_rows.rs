//! Sources whose captures are files of records, as JSON, feeds and articles: each record is a row or a finding.

use arrow::array::RecordBatch;
use bytes::Bytes;
use fdna_model::{Finding, FindingKind, Severity};

use crate::fact_rows::{RowPlace, facts_table};
use crate::layout::contract;
use crate::record_files::{self, LocatedRow, LocatedRows, refused};
use crate::row::{RowError, of_file};
use crate::{FileCount, IngestError, IngestedCapture};
use fdna_schemas::RowBuilder;

/// One record as it stands in its file.
pub(crate) struct FactItem<I> {
    pub(crate) value: I,
    /// What is read of it, as text: its digest is the row's, and a finding quotes it.
    pub(crate) text: String,
    /// What cannot be read of it and is no reason to set it aside.
    pub(crate) note: Option<RowError>,
}

impl<I> FactItem<I> {
    pub(crate) fn new(value: I, text: String) -> Self {
        Self { value, text, note: None }
    }
}

/// The records of a capture.
pub(crate) struct FactItems<T> {
    kept: Vec<LocatedRow<T>>,
    findings: Vec<Finding>,
    counts: Vec<FileCount>,
}

/// Reads every file of the capture that the contract of `source` names.
///
/// `parse_records` gives the records of a file, `read` makes a row of one. A file that cannot be taken apart is one
/// fatal finding, and so is a capture without a file.
pub(crate) fn read<I, T>(
    source: &str,
    files: &[(String, Bytes)],
    parse_records: impl Fn(&str, &[u8]) -> Result<Vec<FactItem<I>>, RowError>,
    read: impl Fn(&I) -> Result<T, RowError>,
) -> Result<FactItems<T>, IngestError> {
    let contract = contract(source)?;
    let mut items = FactItems { kept: Vec::new(), findings: Vec::new(), counts: Vec::new() };
    let named = |name: &str| contract.files.iter().any(|file| file.is_named(name));
    for (name, bytes) in files.iter().filter(|(name, _)| named(name)) {
        items.add_file(name, parse_records(name, bytes), &read);
    }
    if let (true, Some(file)) = (items.counts.is_empty(), contract.files.first()) {
        let reason = format!("no `{}` is in the capture", file.name);
        items.findings.push(of_file(file, FindingKind::MissingFile, Severity::Fatal, reason));
    }
    Ok(items)
}

impl<T> FactItems<T> {
    fn add_file<I>(
        &mut self,
        file: &str,
        items: Result<Vec<FactItem<I>>, RowError>,
        read: impl Fn(&I) -> Result<T, RowError>,
    ) {
        let mut records = LocatedRows::new(file, &mut self.findings);
        match items {
            Ok(items) => {
                for item in items {
                    let kept = records.take(&item.text, read(&item.value));
                    if let (Some(kept), Some(note)) = (&kept, item.note) {
                        records.tell(kept.line, note);
                    }
                    self.kept.extend(kept);
                }
            }
            Err(refusal) => records.refuse(refusal),
        }
        self.counts.push(records.finish());
    }

    /// Sets aside the rows that only all of them together show to be wrong.
    pub(crate) fn set_aside_where(
        &mut self,
        why: impl Fn(&LocatedRow<T>, &[LocatedRow<T>]) -> Option<RowError>,
    ) {
        let refusals: Vec<_> = self.kept.iter().map(|kept| why(kept, &self.kept)).collect();
        let all = std::mem::take(&mut self.kept);
        for (kept, refusal) in all.into_iter().zip(refusals) {
            let Some(refusal) = refusal else {
                self.kept.push(kept);
                continue;
            };
            if let Some(count) = self.counts.iter_mut().find(|count| count.file == kept.file) {
                count.rows_out -= 1;
                count.set_aside += 1;
            }
            self.findings.push(refused(&kept.file, kept.line, refusal, None));
        }
    }

    /// The table of those rows that `pick` finds in the records, each of which `write` pushes.
    pub(crate) fn table<R>(
        &self,
        name: &str,
        pick: impl Fn(&T) -> Option<&R>,
        write: impl Fn(&mut RowBuilder, RowPlace<'_>, &R),
    ) -> Result<(String, RecordBatch), IngestError> {
        let placed = self.kept.iter().map(LocatedRow::placed);
        let rows = placed.filter_map(|(at, value)| Some((at, pick(value)?)));
        record_files::table(name, |table| facts_table(table, rows, write))
    }

    pub(crate) fn ingested(self, tables: Vec<(String, RecordBatch)>) -> IngestedCapture {
        IngestedCapture { tables, findings: self.findings, counts: self.counts }
    }
}

/// For a source of one table: every record is a row of it.
#[expect(clippy::unnecessary_wraps, reason = "the form that `Items::table` asks for")]
pub(crate) fn every<T>(row: &T) -> Option<&T> {
    Some(row)
}
