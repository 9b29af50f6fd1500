//! Sources that are declared: their contracts in `schemas/catalog/sources` say how files are taken apart, where records
//! stand, which parser reads a column and which values are possible. No source has code of its own here.

mod file_content;
mod file_records;
mod gzip;
mod html_records;
mod json_path;
mod json_records;
mod parquet_records;
mod parser;
mod result_set;
mod retrosheet;
mod script;
mod strict_json;
mod value_shapes;
mod workbook;

use arrow::array::RecordBatch;
use bytes::Bytes;
use fdna_model::{Finding, FindingKind, Severity};
use fdna_schemas::tables::ColumnValue;
use fdna_schemas::{CatalogColumn, CatalogFile, CatalogSource, ColumnError, ColumnRule, RowBuilder, Table};

use self::file_content::CapturedFile;
use self::file_records::{FileRecord, FileRecords};
use self::parser::{ColumnParser, ParsedValue};
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

/// A column of the facts table, and where its values come from.
struct FactColumn<'a> {
    column: &'a CatalogColumn,
    parser: ColumnParser,
}

/// The columns of a file that are read, and where what is made of them stands among them.
struct FactColumns<'a> {
    read: Vec<FactColumn<'a>>,
    /// Of the key.
    key: Vec<usize>,
    /// For each column of the facts table behind those of the place; none where another form of file has it.
    in_table: Vec<Option<usize>>,
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
                    match self.row(record, &records, &columns, &mut seen) {
                        Ok((values, notes)) => {
                            let noted =
                                notes.into_iter().map(|note| records.finding(self.name, record, note, None));
                            findings.extend(noted);
                            let place = [
                                ColumnValue::Text(self.name),
                                ColumnValue::Int32(record.line),
                                ColumnValue::Text(&record.digest),
                            ];
                            let read = columns.in_table.iter();
                            let values =
                                read.map(|at| at.map_or(ColumnValue::Null, |at| values[at].as_column()));
                            rows.push_values(place.into_iter().chain(values));
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
            let parser = ColumnParser::of(column).ok_or_else(|| {
                let name = column.parse.as_deref().unwrap_or_default();
                RowError::new(FindingKind::UnreadableValue, format!("its contract names no parser: `{name}`"))
            })?;
            Ok(FactColumn { column, parser })
        });
        let read = read.collect::<Result<Vec<_>, RowError>>()?;
        let place = |name: &String| read.iter().position(|fact| fact.column.column_name() == name);
        let key = self.declared.key.iter().filter_map(place).collect();
        let in_table = self.table.columns.iter().skip(3).map(|own| place(&own.name)).collect();
        Ok(FactColumns { read, key, in_table })
    }

    /// The values of a record, one for each column that is read, and a note for each that is null because it cannot be read.
    fn row(
        &self,
        record: &FileRecord,
        records: &FileRecords,
        columns: &FactColumns<'_>,
        seen: &mut SeenIds,
    ) -> Result<(Vec<ParsedValue>, Vec<RowError>), RowError> {
        if let Some(reason) = &record.refusal {
            return Err(RowError::new(FindingKind::UnreadableValue, reason));
        }
        let (mut values, mut notes) = (Vec::with_capacity(columns.read.len()), Vec::new());
        for (fact, cell) in columns.read.iter().zip(&record.cells) {
            match self.value(fact, cell.as_deref()) {
                // A detail that a row may lack is no reason to lose the row.
                Err(why) if fact.column.rule != ColumnRule::Required => {
                    values.push(ParsedValue::Null);
                    notes.push(RowError { severity: Severity::Note, ..why });
                }
                value => values.push(value?),
            }
        }
        if !columns.key.is_empty() {
            let parts: Vec<String> = columns.key.iter().map(|at| values[*at].text()).collect();
            let id = parts.join(" / ");
            let at = RowPlace { file: self.name, line: record.line, digest: &record.digest };
            if let Err(why) = seen.check(&id, at) {
                return Err(records.because_of(seen.line_of(&id), why));
            }
        }
        Ok((values, notes))
    }

    fn value(&self, fact: &FactColumn<'_>, cell: Option<&str>) -> Result<ParsedValue, RowError> {
        let FactColumn { column, parser } = fact;
        let text = cell.map(str::trim).filter(|text| !self.source.null_tokens.iter().any(|t| t == text));
        let Some(text) = text else {
            return match column.rule {
                ColumnRule::Required => {
                    Err(RowError::new(FindingKind::MissingValue, format!("`{}` has no value", column.name)))
                }
                _ => Ok(ParsedValue::Null),
            };
        };
        let unreadable =
            || RowError::new(FindingKind::UnreadableValue, format!("`{}` is `{text}`", column.name));
        let value = parser.parse(text).ok_or_else(unreadable)?;
        check_bounds(column, &value).map_err(|why| {
            RowError::new(FindingKind::UnreadableValue, format!("`{}` is `{text}`: {why}", column.name))
        })?;
        Ok(value)
    }
}

fn check_bounds(column: &CatalogColumn, value: &ParsedValue) -> Result<(), String> {
    let is_out = value.number().is_some_and(|number| {
        column.min.is_some_and(|min| number < min) || column.max.is_some_and(|max| number > max)
    });
    if is_out {
        return Err("out of the bounds that its contract sets".to_owned());
    }
    let is_out = matches!(value, ParsedValue::Date(day)
        if column.min_date.is_some_and(|min| *day < min) || column.max_date.is_some_and(|max| *day > max));
    if is_out {
        return Err("out of the days that its contract sets".to_owned());
    }
    if !column.values.is_empty() && !column.values.contains(&value.text()) {
        return Err(format!("none of {}", column.values.join(", ")));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
