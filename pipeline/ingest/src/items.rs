//! Sources whose captures are files of records, as JSON, feeds and articles: each record is a row or a finding.

use arrow::array::RecordBatch;
use bytes::Bytes;
use fdna_model::{Finding, FindingKind, Severity};
use fdna_schemas::{ColumnError, SourceContract, TableWriter, Tables};

use crate::csv_table::digest;
use crate::row::{Refusal, of_file};
use crate::{FileCount, IngestError, Ingested};

/// Longest text of a record that a finding quotes.
const QUOTED: usize = 2_000;

/// One record as it stands in its file.
pub(crate) struct Item<I> {
    pub(crate) value: I,
    /// What is read of it, as text: its digest is the row's, and a finding quotes it.
    pub(crate) text: String,
}

/// A record that was read, with where it stood.
pub(crate) struct Kept<T> {
    pub(crate) file: String,
    /// Place of the record in its file, 1 first.
    line: i32,
    digest: String,
    pub(crate) value: T,
}

/// The records of a capture.
pub(crate) struct Items<T> {
    kept: Vec<Kept<T>>,
    findings: Vec<Finding>,
    counts: Vec<FileCount>,
}

/// Reads every file of the capture that the contract of `source` names.
///
/// `take_apart` gives the records of a file, `read` makes a row of one. A file that cannot be taken apart is one
/// fatal finding, and so is a capture without a file.
pub(crate) fn read<I, T>(
    source: &str,
    files: &[(String, Bytes)],
    take_apart: impl Fn(&str, &[u8]) -> Result<Vec<Item<I>>, Refusal>,
    read: impl Fn(&I) -> Result<T, Refusal>,
) -> Result<Items<T>, IngestError> {
    let contract = SourceContract::get(source).ok_or_else(|| IngestError::UnknownSource(source.into()))?;
    let mut items = Items { kept: Vec::new(), findings: Vec::new(), counts: Vec::new() };
    let named = |name: &str| contract.files.iter().any(|file| is_named(&file.name, name));
    for (name, bytes) in files.iter().filter(|(name, _)| named(name)) {
        items.add_file(name, take_apart(name, bytes), &read);
    }
    if let (true, Some(file)) = (items.counts.is_empty(), contract.files.first()) {
        let reason = format!("no `{}` is in the capture", file.name);
        items.findings.push(of_file(file, FindingKind::MissingFile, Severity::Fatal, reason));
    }
    Ok(items)
}

/// `*.json` stands for every name that ends so.
fn is_named(pattern: &str, name: &str) -> bool {
    pattern.strip_prefix('*').map_or(pattern == name, |end| name.ends_with(end))
}

impl<T> Items<T> {
    fn add_file<I>(
        &mut self,
        file: &str,
        items: Result<Vec<Item<I>>, Refusal>,
        read: impl Fn(&I) -> Result<T, Refusal>,
    ) {
        let mut count = FileCount { file: file.to_owned(), rows_in: 0, rows_out: 0, set_aside: 0 };
        match items {
            Ok(items) => {
                count.rows_in = items.len();
                for (line, item) in (1..).zip(items) {
                    match read(&item.value) {
                        Ok(value) => self.kept.push(Kept {
                            file: file.to_owned(),
                            line,
                            digest: digest(item.text.as_bytes()),
                            value,
                        }),
                        Err(refusal) => self.set_aside(file, line, refusal, Some(&item.text)),
                    }
                }
            }
            // Nobody knows how many records it has: the file counts as one.
            Err(refusal) => {
                count.rows_in = 1;
                self.set_aside(file, 0, Refusal { severity: Severity::Fatal, ..refusal }, None);
            }
        }
        count.rows_out = self.kept.iter().filter(|kept| kept.file == file).count();
        count.set_aside = count.rows_in - count.rows_out;
        self.counts.push(count);
    }

    fn set_aside(&mut self, file: &str, line: i32, refusal: Refusal, text: Option<&str>) {
        self.findings.push(Finding {
            kind: refusal.kind,
            severity: refusal.severity,
            file: file.to_owned(),
            line,
            key: None,
            reason: refusal.reason,
            raw: text.map(|text| text.chars().take(QUOTED).collect()),
        });
    }

    /// Sets aside the rows that only all of them together show to be wrong.
    pub(crate) fn set_aside_where(&mut self, why: impl Fn(&Kept<T>, &[Kept<T>]) -> Option<Refusal>) {
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
            self.set_aside(&kept.file, kept.line, refusal, None);
        }
    }

    /// The table of those rows that `pick` finds in the records, with the columns that `write` adds.
    pub(crate) fn table<R>(
        &self,
        name: &str,
        pick: impl Fn(&T) -> Option<&R>,
        write: impl FnOnce(TableWriter<'static>, &[&R]) -> TableWriter<'static>,
    ) -> Result<(String, RecordBatch), IngestError> {
        let error = |source| IngestError::Table { table: name.to_owned(), source };
        let table = Tables::get()
            .table(name)
            .map_err(|_| error(ColumnError::Missing { table: name.to_owned(), column: String::new() }))?;
        let (kept, rows): (Vec<&Kept<T>>, Vec<&R>) =
            self.kept.iter().filter_map(|kept| Some((kept, pick(&kept.value)?))).unzip();
        let writer = TableWriter::new(table)
            .texts("file", kept.iter().map(|k| &k.file))
            .int32s("line", kept.iter().map(|k| Some(k.line)))
            .texts("row_digest", kept.iter().map(|k| &k.digest));
        Ok((name.to_owned(), write(writer, &rows).finish().map_err(error)?))
    }

    pub(crate) fn ingested(self, tables: Vec<(String, RecordBatch)>) -> Ingested {
        Ingested { tables, findings: self.findings, counts: self.counts }
    }
}

/// For a source of one table: every record is a row of it.
#[expect(clippy::unnecessary_wraps, reason = "the form that `Items::table` asks for")]
pub(crate) fn every<T>(row: &T) -> Option<&T> {
    Some(row)
}
