//! Sources that are declared: their contracts in `schemas/catalog/sources` say how files are taken apart, where records
//! stand, which parser reads a column and which values are possible. No source has code of its own here.

mod file_content;
mod file_records;
mod gzip;
mod html_records;
mod json_path;
mod json_records;
mod parquet_records;
mod result_set;
mod retrosheet;
mod script;
mod strict_json;
mod value_shapes;
mod workbook;

use arrow::array::RecordBatch;
use bytes::Bytes;
use fdna_model::{Finding, FindingKind, Severity};
use fdna_schemas::{CatalogFile, CatalogSource, ColumnError, RowBuilder, Table};

use self::file_content::CapturedFile;
use self::file_records::{FileRecord, FileRecords};
use crate::fact_columns::{FactColumn, FactColumns, FactRow};
use crate::fact_rows::RowPlace;
use crate::layout::{contract_of, joined};
use crate::record_files::{refused, unreadable_file};
use crate::row::{RowError, SeenIds};
use crate::{FileCount, IngestError, IngestedCapture};

/// The name under which the contract declares a file: the first that is its. Several forms of one name read one file, each
/// its own records.
fn declared_name<'s>(source: &'s CatalogSource, name: &str) -> Option<&'s str> {
    source.files.iter().find(|file| file.star_of(name).is_some()).map(|file| file.name.as_str())
}

/// Whether a file of this name is one that the source declares.
pub(crate) fn is_declared(source: &CatalogSource, name: &str) -> bool {
    declared_name(source, name).is_some()
}

/// Reads the files of a capture that its contract declares, in the contract's order and then by name.
///
/// # Errors
/// A facts table cannot be built. What is wrong with a file or a row is a finding.
pub(crate) fn ingest(
    source: &CatalogSource,
    files: &[(String, Bytes)],
) -> Result<IngestedCapture, IngestError> {
    ingest_as(source, files, contract_of)
}

fn ingest_as(
    source: &CatalogSource,
    files: &[(String, Bytes)],
    contract_of: impl Fn(&str) -> Result<&'static Table, ColumnError>,
) -> Result<IngestedCapture, IngestError> {
    let mut ingested = IngestedCapture::default();
    let declared = files.iter().filter_map(|(name, bytes)| Some((declared_name(source, name)?, name, bytes)));
    let mut here: Vec<_> = declared.collect();
    here.sort_by_key(|(_, name, _)| *name);
    // File by file, so that one is parsed once for all tables of it; told in the contract's order and then by name.
    let mut forms: Vec<Vec<ReadForm<'_>>> = source.files.iter().map(|_| Vec::new()).collect();
    for (declared_name, name, bytes) in &here {
        let mut file = CapturedFile::new(source, name, bytes);
        let of_name = source.files.iter().zip(&mut forms).filter(|(form, _)| form.name == *declared_name);
        for (declared, read) in of_name {
            let table = contract_of(&declared.table).map_err(|error| table_error(declared, error))?;
            let reader = DeclaredReader { source, declared, table, name };
            read.push(reader.read(&mut file).map_err(|error| table_error(declared, error))?);
        }
    }
    let mut read = Vec::new();
    for (declared, of_form) in source.files.iter().zip(forms) {
        if of_form.is_empty() && !declared.is_optional {
            ingested.findings.push(missing(&declared.name));
        }
        for ReadForm { name, batch, count, findings } in of_form {
            read.push((name, declared.table.clone(), batch));
            ingested.counts.push(count);
            ingested.findings.extend(findings);
        }
    }
    // A table has its rows in the order of the files' names, whichever forms they are of.
    let place = |table: &str| source.files.iter().position(|file| file.table == table);
    read.sort_by_cached_key(|(name, table, _)| (place(table), *name));
    ingested.tables = read.into_iter().map(|(_, table, batch)| (table, batch)).collect();
    if here.is_empty() && source.files.iter().all(|file| file.is_optional) {
        ingested.findings.extend(source.files.first().map(|file| missing(&file.name)));
    }
    ingested.findings.extend(unread(source, files));
    ingested.tables = joined(ingested.tables, contract_of)?;
    Ok(ingested)
}

fn table_error(declared: &CatalogFile, source: ColumnError) -> IngestError {
    IngestError::Table { table: declared.table.clone(), source }
}

/// What one form of a file gave.
struct ReadForm<'f> {
    name: &'f str,
    batch: RecordBatch,
    count: FileCount,
    findings: Vec<Finding>,
}

fn missing(name: &str) -> Finding {
    Finding {
        kind: FindingKind::MissingFile,
        reason: format!("`{name}` is not in the capture"),
        ..unreadable_file(name, "")
    }
}

/// A note for each file that the contract does not declare.
fn unread<'f>(source: &'f CatalogSource, files: &'f [(String, Bytes)]) -> impl Iterator<Item = Finding> + 'f {
    let others = files.iter().filter(|(name, _)| !is_declared(source, name));
    others.map(|(name, _)| {
        let reason =
            format!("`{name}` is kept and not read: the contract of {} has no such file", source.source);
        refused(name, 0, RowError::note(FindingKind::UnknownColumn, reason), None)
    })
}

/// Reads one file.
struct DeclaredReader<'a> {
    source: &'a CatalogSource,
    declared: &'a CatalogFile,
    table: &'static Table,
    name: &'a str,
}

impl<'a> DeclaredReader<'a> {
    fn read(&self, file: &mut CapturedFile<'a>) -> Result<ReadForm<'a>, ColumnError> {
        let (mut rows, mut findings) = (RowBuilder::new(self.table), Vec::new());
        let mut count = FileCount { file: self.name.to_owned(), rows_in: 0, rows_out: 0, set_aside: 0 };
        let content = file.content(self.declared);
        let opened =
            content.and_then(|content| FileRecords::of(self.source, self.declared, self.name, content));
        let columns = self.columns();
        match opened.and_then(|records| Ok((records, columns?))) {
            Err(refusal) => {
                // Nobody knows how many records it has: it counts as one.
                (count.rows_in, count.set_aside) = (1, 1);
                findings.push(refused(self.name, 0, RowError { severity: Severity::Fatal, ..refusal }, None));
            }
            Ok((records, columns)) => {
                count.rows_in = records.rows_in;
                count.set_aside = records.set_aside();
                let mut seen = SeenIds::default();
                for record in &records.records {
                    let at = RowPlace { file: self.name, line: record.line, digest: &record.digest };
                    match self.row(record, &records, &columns, &mut seen) {
                        Ok(row) => {
                            columns.push(&mut rows, at, &row);
                            let notes = row.notes.into_iter();
                            findings.extend(notes.map(|note| records.finding(self.name, record, note, None)));
                            count.rows_out += 1;
                        }
                        Err(refusal) => {
                            count.set_aside += 1;
                            let text = record.text();
                            findings.push(records.finding(self.name, record, refusal, Some(&text)));
                        }
                    }
                }
                findings.extend(records.findings);
            }
        }
        Ok(ReadForm { name: self.name, batch: rows.finish()?, count, findings })
    }

    fn columns(&self) -> Result<FactColumns<'a>, RowError> {
        let read = self.declared.columns.iter().filter(|column| column.is_read());
        let read = read.map(|column| {
            FactColumn::of_catalog(column).ok_or_else(|| {
                let name = column.parse.as_deref().unwrap_or_default();
                RowError::new(FindingKind::UnreadableValue, format!("its contract names no parser: `{name}`"))
            })
        });
        let (read, key) = (read.collect::<Result<Vec<_>, _>>()?, &self.declared.key);
        Ok(FactColumns::new(read, key, " / ", self.table, &self.source.null_tokens))
    }

    /// Reads a record, with a note for each value that is null because it cannot be read.
    fn row(
        &self,
        record: &FileRecord,
        records: &FileRecords,
        columns: &FactColumns<'_>,
        seen: &mut SeenIds,
    ) -> Result<FactRow, RowError> {
        if let Some(reason) = &record.refusal {
            return Err(RowError::new(FindingKind::UnreadableValue, reason));
        }
        let row = columns.read_row(&record.digest, |column, _| record.cells.get(column)?.as_deref())?;
        let at = RowPlace { file: self.name, line: record.line, digest: &record.digest };
        row.check_key(seen, at).map_err(|(first, why)| records.because_of(first, why))?;
        Ok(row)
    }
}

#[cfg(test)]
mod tests;
