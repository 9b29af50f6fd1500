//! Records of files that are not tables of rows, such as JSON and calendars: each has a place in its file, a
//! digest, and is either kept or in a finding.

mod json;

use arrow::array::RecordBatch;
use bytes::Bytes;
use fdna_model::{Finding, FindingKind, Severity};
use fdna_schemas::{ColumnError, RowBuilder, Table};

pub(crate) use json::{JsonObject, KnownFields, document, drop_fields, text_of};

use crate::csv_reader::digest;
use crate::fact_rows::{RowPlace, facts_table};
use crate::layout::contract_of;
use crate::row::RowError;
use crate::{FileCount, IngestError, IngestedCapture};

/// A record that was read, with where it stood.
#[derive(Debug, Clone)]
pub(crate) struct LocatedRow<T> {
    pub(crate) file: String,
    /// Place among the records of the file, 1 first.
    pub(crate) line: i32,
    pub(crate) digest: String,
    pub(crate) value: T,
}

/// The records of one file, counted.
pub(crate) struct LocatedRows<'a> {
    file: &'a str,
    count: FileCount,
    findings: &'a mut Vec<Finding>,
}

/// A finding holds this much of a record: enough to find it again.
const RAW_CHARS: usize = 2000;

impl<'a> LocatedRows<'a> {
    pub(crate) fn new(file: &'a str, findings: &'a mut Vec<Finding>) -> Self {
        let count = FileCount { file: file.to_owned(), rows_in: 0, rows_out: 0, set_aside: 0 };
        Self { file, count, findings }
    }

    /// Takes the next record: `text` is what it says, without its parts that are records of their own.
    pub(crate) fn take<T>(&mut self, text: &str, read: Result<T, RowError>) -> Option<LocatedRow<T>> {
        let line = i32::try_from(self.count.rows_in + 1).unwrap_or(i32::MAX);
        self.take_at(line, text, read)
    }

    /// The same of a record whose line in the file is known, which a finding then has.
    pub(crate) fn take_at<T>(
        &mut self,
        line_of_file: i32,
        text: &str,
        read: Result<T, RowError>,
    ) -> Option<LocatedRow<T>> {
        self.count.rows_in += 1;
        let line = i32::try_from(self.count.rows_in).unwrap_or(i32::MAX);
        match read {
            Ok(value) => {
                self.count.rows_out += 1;
                Some(LocatedRow { file: self.file.to_owned(), line, digest: digest(text.as_bytes()), value })
            }
            Err(refusal) => {
                self.count.set_aside += 1;
                self.findings.push(refused(self.file, line_of_file, refusal, Some(text)));
                None
            }
        }
    }

    /// Tells what is no record's own, such as a value of one that is kept.
    pub(crate) fn tell(&mut self, line_of_file: i32, refusal: RowError) {
        self.findings.push(refused(self.file, line_of_file, refusal, None));
    }

    /// The file cannot be taken apart: nobody knows how many records it has, so that it counts as one.
    pub(crate) fn refuse(&mut self, refusal: RowError) {
        self.count.rows_in += 1;
        self.count.set_aside += 1;
        let fatal = RowError { severity: Severity::Fatal, ..refusal };
        self.findings.push(refused(self.file, 0, fatal, None));
    }

    pub(crate) fn finish(self) -> FileCount {
        self.count
    }
}

/// A refused record, or file where `line` is 0, as a finding.
pub(crate) fn refused(file: &str, line: i32, refusal: RowError, text: Option<&str>) -> Finding {
    Finding {
        kind: refusal.kind,
        severity: refusal.severity,
        file: file.to_owned(),
        line,
        key: None,
        reason: refusal.reason,
        raw: text.map(|text| text.chars().take(RAW_CHARS).collect()),
    }
}

/// A file that cannot be taken apart into records: the capture cannot be used.
pub(crate) fn unreadable_file(file: &str, reason: impl Into<String>) -> Finding {
    let refusal = RowError::new(FindingKind::UnreadableValue, reason);
    refused(file, 0, RowError { severity: Severity::Fatal, ..refusal }, None)
}

impl<T> LocatedRow<T> {
    /// With where it stood.
    pub(crate) fn placed(&self) -> (RowPlace<'_>, &T) {
        (RowPlace { file: &self.file, line: self.line, digest: &self.digest }, &self.value)
    }
}

/// A facts table by name, made to its contract.
pub(crate) fn table(
    name: &str,
    make: impl FnOnce(&'static Table) -> Result<RecordBatch, ColumnError>,
) -> Result<(String, RecordBatch), IngestError> {
    let batch = contract_of(name).and_then(make);
    let batch = batch.map_err(|source| IngestError::Table { table: name.to_owned(), source })?;
    Ok((name.to_owned(), batch))
}

/// The facts table of these records, each of which `write` pushes.
pub(crate) fn table_of<T>(
    name: &str,
    rows: &[LocatedRow<T>],
    write: impl Fn(&mut RowBuilder, RowPlace<'_>, &T),
) -> Result<(String, RecordBatch), IngestError> {
    table(name, |table| facts_table(table, rows.iter().map(LocatedRow::placed), write))
}

/// Files of the capture whose name ends so; none at all is a fatal finding.
pub(crate) fn files_that_end<'f>(
    files: &'f [(String, Bytes)],
    ending: &str,
    into: &mut IngestedCapture,
) -> Vec<&'f (String, Bytes)> {
    let mut found: Vec<_> = files.iter().filter(|(name, _)| name.ends_with(ending)).collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    if found.is_empty() {
        into.findings.push(Finding {
            kind: FindingKind::MissingFile,
            ..unreadable_file(&format!("*{ending}"), format!("no file of the capture ends in `{ending}`"))
        });
    }
    found
}
