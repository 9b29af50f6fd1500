//! Layouts of several CSV files: every file of the source's contract becomes one facts table.

use std::cell::RefCell;

use arrow::array::RecordBatch;
use bytes::Bytes;
use fdna_model::{Finding, FindingKind, Severity};
use fdna_schemas::{ColumnError, SourceContract, SourceFile, Table, TableWriter, Tables, batches_to_one};

use crate::csv_table::CsvTable;
use crate::row::{Columns, Refusal, Row, Seen, of_file};
use crate::{FileCount, IngestError, Ingested};

/// Rows of a file as the facts table, and what was refused.
pub(crate) type Read = Result<(RecordBatch, Vec<Finding>), ColumnError>;

/// Reads the rows of the file that feeds the named table.
pub(crate) type Reader = fn(&str, &Table, &Lines<'_>) -> Read;

/// A source of several CSV files.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    pub(crate) source: &'static str,
    pub(crate) reader: Reader,
    /// Columns of a facts table that make the id which a second row is refused for; none where rows have none.
    pub(crate) identity: fn(&str) -> &'static [&'static str],
}

/// Reads the files that the contract of the source names. A file that is missing is a fatal finding and no table.
///
/// # Errors
/// A file cannot be taken apart into rows.
pub(crate) fn ingest(layout: Layout, files: &[(String, Bytes)]) -> Result<Ingested, IngestError> {
    let contract = contract(layout)?;
    let mut ingested = Ingested { tables: Vec::new(), findings: Vec::new(), counts: Vec::new() };
    for file in &contract.files {
        let Some(bytes) = find(files, &file.name) else {
            let reason = format!("`{}` is not in the capture", file.name);
            ingested.findings.push(of_file(file, FindingKind::MissingFile, Severity::Fatal, reason));
            continue;
        };
        let csv = CsvTable::read(&file.name, bytes)?;
        ingested.add(file, read_file(file, contract, csv, layout.reader, &mut Seen::default())?);
    }
    Ok(ingested)
}

pub(crate) fn contract(layout: Layout) -> Result<&'static SourceContract, IngestError> {
    SourceContract::get(layout.source).ok_or_else(|| IngestError::UnknownSource(layout.source.into()))
}

pub(crate) fn find<'a>(files: &'a [(String, Bytes)], name: &str) -> Option<&'a Bytes> {
    files.iter().find(|(n, _)| n == name).map(|(_, bytes)| bytes)
}

/// What one file became.
pub(crate) struct ReadFile {
    pub(crate) batch: RecordBatch,
    pub(crate) findings: Vec<Finding>,
    pub(crate) count: FileCount,
}

impl Ingested {
    fn add(&mut self, file: &SourceFile, read: ReadFile) {
        self.tables.push((file.table.clone(), read.batch));
        self.findings.extend(read.findings);
        self.counts.push(read.count);
    }
}

pub(crate) fn read_file(
    file: &SourceFile,
    contract: &SourceContract,
    mut csv: CsvTable,
    reader: Reader,
    seen: &mut Seen,
) -> Result<ReadFile, IngestError> {
    let mut findings = std::mem::take(&mut csv.findings);
    let table_error = |source| IngestError::Table { table: file.table.clone(), source };
    let table = Tables::get().table(&file.table).map_err(|_| {
        table_error(ColumnError::Missing { table: file.table.clone(), column: String::new() })
    })?;
    let mut count =
        FileCount { file: file.name.clone(), rows_in: csv.rows_in, rows_out: 0, set_aside: findings.len() };
    let batch = match Columns::bind(&csv, file, &contract.null_tokens, &mut findings) {
        Some(columns) => {
            let lines =
                Lines { file, csv: &csv, columns: &columns, seen: RefCell::new(std::mem::take(seen)) };
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
pub(crate) struct Lines<'a> {
    file: &'a SourceFile,
    csv: &'a CsvTable,
    columns: &'a Columns<'a>,
    seen: RefCell<Seen>,
}

/// A row that was read, with where it stood.
pub(crate) struct Kept<T> {
    index: usize,
    pub(crate) value: T,
}

impl Lines<'_> {
    /// Reads every row; what is refused becomes a finding with line, reason and text.
    pub(crate) fn read<T>(
        &self,
        mut reader: impl FnMut(&Row<'_>, &mut Seen, i32, &str) -> Result<T, Refusal>,
    ) -> (Vec<Kept<T>>, Vec<Finding>) {
        let (mut kept, mut refused, mut seen) = (Vec::new(), Vec::new(), self.seen.borrow_mut());
        for (index, (line, digest)) in self.csv.lines.iter().zip(&self.csv.digests).enumerate() {
            let row = self.columns.row(index);
            match reader(&row, &mut seen, *line, digest) {
                Ok(value) => kept.push(Kept { index, value }),
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
    pub(crate) fn writer<'t, T>(&self, table: &'t Table, kept: &[Kept<T>]) -> TableWriter<'t> {
        TableWriter::new(table)
            .texts("file", kept.iter().map(|_| &self.file.name))
            .int32s("line", kept.iter().map(|k| Some(self.csv.lines[k.index])))
            .texts("row_digest", kept.iter().map(|k| &self.csv.digests[k.index]))
    }
}
