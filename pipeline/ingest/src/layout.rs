//! Layouts of several CSV files: every file of the source's contract becomes one facts table.

use std::cell::RefCell;

use arrow::array::RecordBatch;
use bytes::Bytes;
use fdna_model::{Finding, FindingKind, Severity};
use fdna_schemas::{ColumnError, SourceContract, SourceFile, Table, TableWriter, Tables, batches_to_one};

use crate::csv_table::CsvTable;
use crate::row::{CsvRow, RowColumns, RowError, SeenIds, of_file};
use crate::{FileCount, IngestError, IngestedCapture};

/// Rows of a file as the facts table, and what was refused.
pub(crate) type ReadFn = Result<(RecordBatch, Vec<Finding>), ColumnError>;

/// Reads the rows of the file that feeds the named table, whatever files were read before.
pub(crate) type SourceReader = fn(&str, &Table, &FileLines<'_>) -> ReadFn;

/// A source of several CSV files, each of which is read by itself.
#[derive(Clone, Copy)]
pub(crate) struct SourceLayout {
    pub(crate) source: &'static str,
    pub(crate) reader: SourceReader,
    /// Columns of a facts table that make the id which a second row is refused for; none where rows have none.
    pub(crate) identity: fn(&str) -> &'static [&'static str],
}

impl SourceLayout {
    /// # Errors
    /// As for [`ingest`].
    pub(crate) fn ingest(self, files: &[(String, Bytes)]) -> Result<IngestedCapture, IngestError> {
        ingest(self.source, files, self.reader)
    }
}

/// Reads the files that the contract of `source` names, in its order; `reader` reads the rows of the file that
/// feeds the named table. A file that is missing is a fatal finding and no table.
///
/// # Errors
/// A file cannot be taken apart into rows.
pub(crate) fn ingest(
    source: &str,
    files: &[(String, Bytes)],
    mut reader: impl FnMut(&str, &Table, &FileLines<'_>) -> ReadFn,
) -> Result<IngestedCapture, IngestError> {
    let contract = contract(source)?;
    let mut ingested = IngestedCapture { tables: Vec::new(), findings: Vec::new(), counts: Vec::new() };
    for (file, bytes) in found(contract, files, &mut ingested.findings) {
        let csv = CsvTable::read(&file.name, bytes, &contract.never_used)?;
        let read = read_file(contract, &file, csv, &mut reader, &mut SeenIds::default())?;
        ingested.tables.push((file.table, read.batch));
        ingested.findings.extend(read.findings);
        ingested.counts.push(read.count);
    }
    ingested.tables = joined(ingested.tables)?;
    Ok(ingested)
}

pub(crate) fn contract(source: &str) -> Result<&'static SourceContract, IngestError> {
    SourceContract::get(source).ok_or_else(|| IngestError::UnknownSource(source.into()))
}

/// The capture's files under their own names, in the contract's order and then by name; each that is missing is
/// a finding.
fn found<'a>(
    contract: &SourceContract,
    files: &'a [(String, Bytes)],
    findings: &mut Vec<Finding>,
) -> Vec<(SourceFile, &'a Bytes)> {
    let mut found = Vec::new();
    for file in &contract.files {
        let mut here: Vec<_> = files.iter().filter(|(name, _)| file.is_named(name)).collect();
        here.sort_by_key(|(name, _)| name);
        if here.is_empty() {
            let reason = format!("`{}` is not in the capture", file.name);
            findings.push(of_file(file, FindingKind::MissingFile, Severity::Fatal, reason));
        }
        found.extend(
            here.into_iter().map(|(name, bytes)| (SourceFile { name: name.clone(), ..file.clone() }, bytes)),
        );
    }
    found
}

/// The file of this very name.
pub(crate) fn find<'a>(files: &'a [(String, Bytes)], name: &str) -> Option<&'a Bytes> {
    files.iter().find(|(n, _)| n == name).map(|(_, bytes)| bytes)
}

/// One batch a table: several files of one form feed one.
fn joined(read: Vec<(String, RecordBatch)>) -> Result<Vec<(String, RecordBatch)>, IngestError> {
    let mut tables: Vec<(String, Vec<RecordBatch>)> = Vec::new();
    for (table, batch) in read {
        match tables.iter_mut().find(|(name, _)| *name == table) {
            Some((_, batches)) => batches.push(batch),
            None => tables.push((table, vec![batch])),
        }
    }
    let join = |(table, batches): (String, Vec<RecordBatch>)| {
        if let [batch] = &batches[..] {
            return Ok((table, batch.clone()));
        }
        let batch = contract_of(&table).and_then(|contract| batches_to_one(contract, &batches));
        let batch = batch.map_err(|source| IngestError::Table { table: table.clone(), source })?;
        Ok((table, batch))
    };
    tables.into_iter().map(join).collect()
}

/// The contract of a facts table.
pub(crate) fn contract_of(table: &str) -> Result<&'static Table, ColumnError> {
    let missing = |_| ColumnError::Missing { table: table.to_owned(), column: String::new() };
    Tables::get().table(table).map_err(missing)
}

/// What one file became.
pub(crate) struct ReadFile {
    pub(crate) batch: RecordBatch,
    pub(crate) findings: Vec<Finding>,
    pub(crate) count: FileCount,
}

/// Reads a file that was taken apart; `seen` are the ids of rows that it does not hold, and behind it those too
/// that it does.
pub(crate) fn read_file(
    source: &SourceContract,
    file: &SourceFile,
    mut csv: CsvTable,
    reader: &mut impl FnMut(&str, &Table, &FileLines<'_>) -> ReadFn,
    seen: &mut SeenIds,
) -> Result<ReadFile, IngestError> {
    let mut findings = std::mem::take(&mut csv.findings);
    let table_error = |source| IngestError::Table { table: file.table.clone(), source };
    let table = contract_of(&file.table).map_err(table_error)?;
    let mut count =
        FileCount { file: file.name.clone(), rows_in: csv.rows_in, rows_out: 0, set_aside: findings.len() };
    let batch = match RowColumns::bind(&csv, source, file, &mut findings) {
        Some(columns) => {
            let lines =
                FileLines { file, csv: &csv, columns: &columns, seen: RefCell::new(std::mem::take(seen)) };
            let (batch, refused) = reader(&file.table, table, &lines).map_err(table_error)?;
            *seen = lines.seen.into_inner();
            count.set_aside += refused.len();
            findings.extend(refused);
            batch
        }
        // Without its columns a file is refused whole: the finding is fatal.
        None => {
            count.set_aside = count.rows_in;
            batches_to_one(table, &[]).map_err(table_error)?
        }
    };
    count.rows_out = batch.num_rows();
    Ok(ReadFile { batch, findings, count })
}

/// The rows of one file that could be decoded.
pub(crate) struct FileLines<'a> {
    file: &'a SourceFile,
    csv: &'a CsvTable,
    columns: &'a RowColumns<'a>,
    seen: RefCell<SeenIds>,
}

/// A row that was read, with where it stood.
pub(crate) struct AcceptedRow<T> {
    index: usize,
    pub(crate) value: T,
}

/// One value of every kept row.
pub(crate) fn each<T, V>(rows: &[AcceptedRow<T>], value: impl Fn(&T) -> V) -> Vec<V> {
    rows.iter().map(|row| value(&row.value)).collect()
}

impl FileLines<'_> {
    /// Reads every row; what is refused becomes a finding with line, reason and text.
    pub(crate) fn read<T>(
        &self,
        mut reader: impl FnMut(&CsvRow<'_>, &mut SeenIds, i32, &str) -> Result<T, RowError>,
    ) -> (Vec<AcceptedRow<T>>, Vec<Finding>) {
        let (mut kept, mut refused, mut seen) = (Vec::new(), Vec::new(), self.seen.borrow_mut());
        for (index, (line, digest)) in self.csv.lines.iter().zip(&self.csv.digests).enumerate() {
            let row = self.columns.row(index);
            match reader(&row, &mut seen, *line, digest) {
                Ok(value) => kept.push(AcceptedRow { index, value }),
                Err(refusal) => refused.push(Finding {
                    kind: refusal.kind,
                    severity: refusal.severity,
                    file: self.file.name.clone(),
                    line: *line,
                    key: None,
                    reason: refusal.reason,
                    raw: Some(row.text()),
                }),
            }
        }
        (kept, refused)
    }

    /// A writer that already has file, line and digest of the kept rows.
    pub(crate) fn writer<'t, T>(&self, table: &'t Table, kept: &[AcceptedRow<T>]) -> TableWriter<'t> {
        TableWriter::new(table)
            .texts("file", kept.iter().map(|_| &self.file.name))
            .int32s("line", kept.iter().map(|k| Some(self.csv.lines[k.index])))
            .texts("row_digest", kept.iter().map(|k| &self.csv.digests[k.index]))
    }
}
