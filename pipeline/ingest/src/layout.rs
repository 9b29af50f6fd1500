//! Sources of CSV files: every file of the source's contract becomes one facts table. The contract says what each column
//! becomes ([`read_declared`]), except for sources whose rows refer to other rows: code reads those.

use std::cell::RefCell;

use arrow::array::RecordBatch;
use bytes::Bytes;
use fdna_model::{Finding, FindingKind, Severity};
use fdna_schemas::{
    ColumnError, ColumnRule, RowBuilder, SourceContract, SourceFile, Table, Tables, batches_to_one,
};

use crate::csv_reader::CsvReader;
use crate::fact_columns::{FactColumn, FactColumns};
use crate::fact_rows::{RowPlace, facts_table};
use crate::row::{BoundHeader, CsvRow, RowError, SeenIds, of_file};
use crate::{FileCount, IngestError, IngestedCapture, statsdb};

/// Rows of a file as the facts table, and what was refused.
pub(crate) type FileRows = Result<(RecordBatch, Vec<Finding>), ColumnError>;

/// Reads the files that the contract of `source` names, in its order; `reader` reads the rows of the file that
/// feeds the named table. A file that is missing is a fatal finding and no table.
///
/// # Errors
/// A facts table cannot be built.
pub(crate) fn ingest(
    source: &str,
    files: &[(String, Bytes)],
    mut reader: impl FnMut(&str, &FileLines<'_>) -> FileRows,
) -> Result<IngestedCapture, IngestError> {
    let contract = contract(source)?;
    let mut ingested = IngestedCapture { tables: Vec::new(), findings: Vec::new(), counts: Vec::new() };
    for (file, bytes) in found(contract, files, &mut ingested.findings) {
        let csv = CsvReader::new(&file.name, bytes, &contract.never_used);
        let read = read_file(contract, &file, csv, &mut reader, &mut SeenIds::default())?;
        ingested.tables.push((file.table, read.batch));
        ingested.findings.extend(read.findings);
        ingested.counts.push(read.count);
    }
    ingested.tables = joined(ingested.tables, contract_of)?;
    Ok(ingested)
}

/// Reads the rows of a file as its contract declares its columns.
pub(crate) fn read_declared(_: &str, lines: &FileLines<'_>) -> FileRows {
    lines.read_columns()
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

/// Reads a file; `seen` are the ids of rows that it does not hold, and behind it those too that it does.
pub(crate) fn read_file(
    source: &SourceContract,
    file: &SourceFile,
    csv: CsvReader<'_>,
    reader: &mut impl FnMut(&str, &FileLines<'_>) -> FileRows,
    seen: &mut SeenIds,
) -> Result<ReadFile, IngestError> {
    let table_error = |source| IngestError::Table { table: file.table.clone(), source };
    let table = contract_of(&file.table).map_err(table_error)?;
    let mut of_header = Vec::new();
    let header = BoundHeader::bind(&csv.header, source, file, &mut of_header);
    let (mut csv, read) = match &header {
        Some(header) => {
            let seen_before = RefCell::new(std::mem::take(seen));
            let lines = FileLines { table, file, header, csv: RefCell::new(csv), seen: seen_before };
            let read = reader(&file.table, &lines).map_err(table_error)?;
            *seen = lines.seen.into_inner();
            (lines.csv.into_inner(), Some(read))
        }
        None => (csv, None),
    };
    // Rows that nobody read are counted: without its columns a file is refused whole, by the finding about them.
    while csv.next_rows().is_some() {}
    let (batch, refused) = match read.filter(|_| !csv.is_refused()) {
        Some(read) => read,
        None => (batches_to_one(table, &[]).map_err(table_error)?, Vec::new()),
    };
    let set_aside = if header.is_some() { csv.findings.len() + refused.len() } else { csv.rows_in };
    let count =
        FileCount { file: file.name.clone(), rows_in: csv.rows_in, rows_out: batch.num_rows(), set_aside };
    let findings = csv.findings.into_iter().chain(of_header).chain(refused).collect();
    Ok(ReadFile { batch, findings, count })
}

/// The rows of one file, some at a time.
pub(crate) struct FileLines<'a> {
    table: &'static Table,
    file: &'a SourceFile,
    csv: RefCell<CsvReader<'a>>,
    header: &'a BoundHeader<'a>,
    seen: RefCell<SeenIds>,
}

/// A row that was read, with where it stood.
pub(crate) struct AcceptedRow<T> {
    line: i32,
    digest: String,
    pub(crate) value: T,
}

impl FileLines<'_> {
    /// Reads every row that was not read before; what is refused becomes a finding with line, reason and text.
    fn each_row(
        &self,
        mut reader: impl FnMut(&CsvRow<'_>, &mut SeenIds, RowPlace<'_>) -> Result<(), RowError>,
    ) -> Vec<Finding> {
        let (mut refused, mut seen, mut csv) = (Vec::new(), self.seen.borrow_mut(), self.csv.borrow_mut());
        while let Some(rows) = csv.next_rows() {
            for (index, (line, digest)) in rows.lines.iter().zip(&rows.digests).enumerate() {
                let row = CsvRow { header: self.header, rows: &rows, index };
                let at = RowPlace { file: &self.file.name, line: *line, digest };
                if let Err(refusal) = reader(&row, &mut seen, at) {
                    refused.push(Finding {
                        kind: refusal.kind,
                        severity: refusal.severity,
                        file: self.file.name.clone(),
                        line: at.line,
                        key: None,
                        reason: refusal.reason,
                        raw: Some(row.text()),
                    });
                }
            }
        }
        refused
    }

    /// Reads the rows, and keeps them with their places.
    pub(crate) fn read<T>(
        &self,
        mut reader: impl FnMut(&CsvRow<'_>, &mut SeenIds, RowPlace<'_>) -> Result<T, RowError>,
    ) -> (Vec<AcceptedRow<T>>, Vec<Finding>) {
        let mut kept = Vec::new();
        let refused = self.each_row(|row, seen, at| {
            let value = reader(row, seen, at)?;
            kept.push(AcceptedRow { line: at.line, digest: at.digest.to_owned(), value });
            Ok(())
        });
        (kept, refused)
    }

    /// The table of the rows, by the columns of the contract.
    fn read_columns(&self) -> FileRows {
        let columns = self.fact_columns()?;
        let place = |name: &&str| self.header.place(name);
        let places = columns.columns().iter().map(|column| column.file_columns().iter().map(place).collect());
        let places: Vec<Vec<Option<usize>>> = places.collect();
        let mut rows = RowBuilder::new(self.table);
        let refused = self.each_row(|row, seen, at| {
            statsdb::check_statistics(self.table, row)?;
            let read = columns.read_row(at.digest, |column, name| row.cell(places[column][name]?))?;
            read.check_key(seen, at).map_err(|(_, why)| why)?;
            columns.push(&mut rows, at, &read);
            Ok(())
        });
        Ok((rows.finish()?, refused))
    }

    fn fact_columns(&self) -> Result<FactColumns<'_>, ColumnError> {
        let read = self.file.columns.iter().filter(|column| column.rule != ColumnRule::Ignored);
        let read = read.map(|column| {
            let missing = || ColumnError::Missing {
                table: self.table.name.clone(),
                column: column.fact_name().to_owned(),
            };
            FactColumn::of_source(column, self.table).ok_or_else(missing)
        });
        let read = read.collect::<Result<Vec<_>, _>>()?;
        Ok(FactColumns::new(read, &self.file.key, "/", self.table, self.header.null_tokens()))
    }

    /// The table of rows that were read, each of which `write` pushes.
    pub(crate) fn table_of<T>(
        &self,
        kept: &[AcceptedRow<T>],
        write: impl Fn(&mut RowBuilder, RowPlace<'_>, &T),
    ) -> Result<RecordBatch, ColumnError> {
        let file = &*self.file.name;
        let rows = kept.iter().map(|AcceptedRow { line, digest, value }| {
            let at = RowPlace { file, line: *line, digest };
            (at, value)
        });
        facts_table(self.table, rows, write)
    }
}

#[cfg(test)]
mod declared_sources;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csv_reader::CHUNK_ROWS;
    use crate::limits::{MAX_LONG_RECORDS, MAX_RECORD_LINES};

    const FILE: &str = "ufc_event_details.csv";

    fn event(n: usize) -> String {
        format!(
            "Event {n},http://ufcstats.com/event-details/{n:016x},\"January 2, 2020\",\"Las Vegas, Nevada, USA\"\n"
        )
    }

    /// Lines and reasons of what is set aside in the file, its count, and the lines of its table.
    fn read(rows: &str) -> (Vec<(i32, String)>, FileCount, Vec<i32>) {
        let text = format!("EVENT,URL,DATE,LOCATION\n{rows}");
        let ingested = crate::ingest("statsdb", &[(FILE.to_owned(), text.into())]).unwrap();
        let findings = ingested.findings.into_iter().filter(|finding| finding.file == FILE);
        let [(table, batch)] = &ingested.tables[..] else { panic!("one file is one table") };
        let lines = fdna_schemas::TableReader::new(table, batch).counts("line").unwrap();
        let [count] = &ingested.counts[..] else { panic!("one file is one count") };
        (findings.map(|finding| (finding.line, finding.reason)).collect(), count.clone(), lines)
    }

    #[test]
    fn rows_know_those_that_were_read_long_before() {
        let n = 2 * CHUNK_ROWS + 1;
        let (findings, count, lines) =
            read(&[(0..n).map(event).collect(), event(7), "a,b\n".to_owned()].concat());
        let last = i32::try_from(n).unwrap() + 1;
        assert_eq!(lines, (2..=last).collect::<Vec<_>>());
        let ragged = (last + 2, "2 fields where the header has 4".to_owned());
        assert_eq!(findings, [ragged, (last + 1, "the same row as line 9".to_owned())]);
        assert_eq!((count.rows_in, count.rows_out, count.set_aside), (n + 2, n, 2));
    }

    #[test]
    fn a_row_that_is_set_aside_leaves_its_id_to_another() {
        let odd = event(1).replace("January 2, 2020", "soon");
        let (findings, count, lines) = read(&[odd.clone(), event(1), odd, event(1)].concat());
        let unreadable = |line| (line, "`DATE` is `soon`".to_owned());
        assert_eq!(findings, [unreadable(2), unreadable(4), (5, "the same row as line 3".to_owned())]);
        assert_eq!((count.rows_in, count.rows_out, count.set_aside, lines), (4, 1, 3, vec![3]));
    }

    #[test]
    fn of_a_file_that_is_refused_behind_its_first_rows_none_is_left() {
        let open = format!("1,\"x\n{}3,z\"\n", "2,y\n".repeat(MAX_RECORD_LINES));
        let rows: String = (0..=CHUNK_ROWS).map(event).collect();
        let (findings, count, lines) = read(&(rows + &open.repeat(MAX_LONG_RECORDS + 1)));
        assert_eq!(findings, [(0, "it has 17 quotes that never close, more than 16".to_owned())]);
        assert_eq!((count.rows_in, count.rows_out, count.set_aside), (1, 0, 1));
        assert!(lines.is_empty());
    }
}
