//! Layouts of several CSV files: every file of the source's contract becomes one facts table.

use std::cell::RefCell;

use arrow::array::RecordBatch;
use bytes::Bytes;
use fdna_model::{Finding, FindingKind, Severity};
use fdna_schemas::tables::ContractRow;
use fdna_schemas::{ColumnError, RowBuilder, SourceContract, SourceFile, Table, Tables, batches_to_one};

use crate::csv_table::CsvTable;
use crate::fact_rows::{RowPlace, facts_table};
use crate::row::{CsvRow, RowColumns, RowError, SeenIds, of_file};
use crate::{FileCount, IngestError, IngestedCapture};

/// Rows of a file as the facts table, and what was refused.
pub(crate) type ReadFn = Result<(RecordBatch, Vec<Finding>), ColumnError>;

/// Reads the rows of the file that feeds the named table, whatever files were read before.
pub(crate) type SourceReader = fn(&str, &FileLines<'_>) -> ReadFn;

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
    mut reader: impl FnMut(&str, &FileLines<'_>) -> ReadFn,
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
    ingested.tables = joined(ingested.tables, contract_of)?;
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
pub(crate) fn joined(
    read: Vec<(String, RecordBatch)>,
    contract_of: impl Fn(&str) -> Result<&'static Table, ColumnError>,
) -> Result<Vec<(String, RecordBatch)>, IngestError> {
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
    reader: &mut impl FnMut(&str, &FileLines<'_>) -> ReadFn,
    seen: &mut SeenIds,
) -> Result<ReadFile, IngestError> {
    let mut findings = std::mem::take(&mut csv.findings);
    let table_error = |source| IngestError::Table { table: file.table.clone(), source };
    let table = contract_of(&file.table).map_err(table_error)?;
    let mut count =
        FileCount { file: file.name.clone(), rows_in: csv.rows_in, rows_out: 0, set_aside: findings.len() };
    let batch = match RowColumns::bind(&csv, source, file, &mut findings) {
        Some(columns) => {
            let seen_before = RefCell::new(std::mem::take(seen));
            let lines = FileLines { table, file, csv: &csv, columns: &columns, seen: seen_before };
            let (batch, refused) = reader(&file.table, &lines).map_err(table_error)?;
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
    table: &'static Table,
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

/// Where a row that is read goes.
pub(crate) struct RowSink<'a> {
    pub(crate) at: RowPlace<'a>,
    seen: &'a mut SeenIds,
    pub(crate) rows: &'a mut RowBuilder,
}

impl RowSink<'_> {
    /// Refuses the second row of an id.
    pub(crate) fn check(&mut self, id: &str) -> Result<(), RowError> {
        self.seen.check(id, self.at)
    }

    /// Takes what the row becomes.
    pub(crate) fn push(&mut self, row: &impl ContractRow) {
        self.rows.push(row);
    }
}

impl FileLines<'_> {
    /// Reads every row; what is refused becomes a finding with line, reason and text.
    pub(crate) fn read<T>(
        &self,
        mut reader: impl FnMut(&CsvRow<'_>, &mut SeenIds, RowPlace<'_>) -> Result<T, RowError>,
    ) -> (Vec<AcceptedRow<T>>, Vec<Finding>) {
        let (mut kept, mut refused, mut seen) = (Vec::new(), Vec::new(), self.seen.borrow_mut());
        for index in 0..self.csv.lines.len() {
            let (row, at) = (self.columns.row(index), self.at(index));
            match reader(&row, &mut seen, at) {
                Ok(value) => kept.push(AcceptedRow { index, value }),
                Err(refusal) => refused.push(Finding {
                    kind: refusal.kind,
                    severity: refusal.severity,
                    file: self.file.name.clone(),
                    line: at.line,
                    key: None,
                    reason: refusal.reason,
                    raw: Some(row.text()),
                }),
            }
        }
        (kept, refused)
    }

    fn at(&self, index: usize) -> RowPlace<'_> {
        RowPlace { file: &self.file.name, line: self.csv.lines[index], digest: &self.csv.digests[index] }
    }

    /// The table of those rows that `read` pushes; the others it refuses.
    pub(crate) fn table(
        &self,
        read: impl Fn(&CsvRow<'_>, &mut RowSink<'_>) -> Result<(), RowError>,
    ) -> ReadFn {
        let mut rows = RowBuilder::new(self.table);
        let (_, refused) = self.read(|row, seen, at| read(row, &mut RowSink { at, seen, rows: &mut rows }));
        Ok((rows.finish()?, refused))
    }

    /// The table of rows that were read, each of which `write` pushes.
    pub(crate) fn table_of<T>(
        &self,
        kept: &[AcceptedRow<T>],
        write: impl Fn(&mut RowBuilder, RowPlace<'_>, &T),
    ) -> Result<RecordBatch, ColumnError> {
        facts_table(self.table, kept.iter().map(|row| (self.at(row.index), &row.value)), write)
    }
}
