//! Layouts of several CSV files: every file of the source's contract becomes one facts table.

use arrow::array::RecordBatch;
use bytes::Bytes;
use fdna_model::{Finding, FindingKind, Severity};
use fdna_schemas::{ColumnError, SourceContract, SourceFile, Table, TableWriter, Tables, batches_to_one};

use crate::csv_table::CsvTable;
use crate::row::{Columns, Refusal, Row, Seen, of_file};
use crate::{FileCount, IngestError, Ingested};

/// Rows of a file as the facts table, and what was refused.
pub(crate) type Read = Result<(RecordBatch, Vec<Finding>), ColumnError>;

/// Reads the files that the contract of `source` names, in its order; `reader` reads the rows of the file that
/// feeds the named table. A file that is missing is a fatal finding and no table.
///
/// # Errors
/// A file cannot be taken apart into rows.
pub(crate) fn ingest(
    source: &str,
    files: &[(String, Bytes)],
    mut reader: impl FnMut(&str, &Table, &Lines<'_>) -> Read,
) -> Result<Ingested, IngestError> {
    let contract = SourceContract::get(source).ok_or_else(|| IngestError::UnknownSource(source.into()))?;
    let mut ingested = Ingested { tables: Vec::new(), findings: Vec::new(), counts: Vec::new() };
    for (file, bytes) in found(contract, files, &mut ingested.findings) {
        read_file(contract, &file, bytes, &mut reader, &mut ingested)?;
    }
    ingested.tables = joined(ingested.tables)?;
    Ok(ingested)
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
        let batch = contract_of(&table).and_then(|contract| batches_to_one(contract, &batches));
        let batch = batch.map_err(|source| IngestError::Table { table: table.clone(), source })?;
        Ok((table, batch))
    };
    tables.into_iter().map(join).collect()
}

fn contract_of(table: &str) -> Result<&'static Table, ColumnError> {
    let missing = |_| ColumnError::Missing { table: table.to_owned(), column: String::new() };
    Tables::get().table(table).map_err(missing)
}

fn read_file(
    source: &SourceContract,
    file: &SourceFile,
    bytes: &[u8],
    reader: &mut impl FnMut(&str, &Table, &Lines<'_>) -> Read,
    into: &mut Ingested,
) -> Result<(), IngestError> {
    let mut csv = CsvTable::read(&file.name, bytes, &source.never_used)?;
    let mut findings = std::mem::take(&mut csv.findings);
    let table_error = |source| IngestError::Table { table: file.table.clone(), source };
    let contract = contract_of(&file.table).map_err(table_error)?;
    let mut count =
        FileCount { file: file.name.clone(), rows_in: csv.rows_in, rows_out: 0, set_aside: findings.len() };
    let batch = match Columns::bind(&csv, source, file, &mut findings) {
        Some(columns) => {
            let lines = Lines { file, csv: &csv, columns: &columns };
            let (batch, refused) = reader(&file.table, contract, &lines).map_err(table_error)?;
            count.set_aside += refused.len();
            findings.extend(refused);
            batch
        }
        // Without its columns a file is refused whole: the finding is fatal.
        None => {
            count.set_aside = count.rows_in;
            batches_to_one(contract, &[]).map_err(table_error)?
        }
    };
    count.rows_out = batch.num_rows();
    into.tables.push((file.table.clone(), batch));
    into.findings.extend(findings);
    into.counts.push(count);
    Ok(())
}

/// The rows of one file that could be decoded.
pub(crate) struct Lines<'a> {
    file: &'a SourceFile,
    csv: &'a CsvTable,
    columns: &'a Columns<'a>,
}

/// A row that was read, with where it stood.
pub(crate) struct Kept<T> {
    index: usize,
    pub(crate) value: T,
}

/// One value of every kept row.
pub(crate) fn each<T, V>(rows: &[Kept<T>], value: impl Fn(&T) -> V) -> Vec<V> {
    rows.iter().map(|row| value(&row.value)).collect()
}

impl Lines<'_> {
    /// Reads every row; what is refused becomes a finding with line, reason and text.
    pub(crate) fn read<T>(
        &self,
        mut reader: impl FnMut(&Row<'_>, &mut Seen, i32, &str) -> Result<T, Refusal>,
    ) -> (Vec<Kept<T>>, Vec<Finding>) {
        let (mut kept, mut refused, mut seen) = (Vec::new(), Vec::new(), Seen::default());
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
