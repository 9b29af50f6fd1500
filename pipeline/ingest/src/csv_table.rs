//! CSV files as columns of text, with the line and digest of every row.
//!
//! Two passes. The first takes the bytes apart into records, notes where each begins, and sets aside the
//! ones that polars would refuse the whole file for (too many or too few fields) or misread (no UTF-8,
//! stray quotes). The second lets polars read what is left, rewritten with canonical quoting.

use std::fmt::Write as _;
use std::io::Cursor;

use csv::{ByteRecord, ReaderBuilder, Writer};
use fdna_model::{Finding, FindingKind, Severity};
use polars::prelude::{CsvReadOptions, DataFrame, SerReader, StringChunked};
use sha2::{Digest, Sha256};

use crate::IngestError;

/// Columns of text of one file; row `i` began on `lines[i]`.
pub(crate) struct CsvTable {
    pub(crate) header: Vec<String>,
    pub(crate) lines: Vec<i32>,
    pub(crate) digests: Vec<String>,
    /// Records in the file, those set aside included.
    pub(crate) rows_in: usize,
    pub(crate) findings: Vec<Finding>,
    frame: DataFrame,
}

struct Scan {
    header: Vec<String>,
    lines: Vec<i32>,
    digests: Vec<String>,
    rows_in: usize,
    findings: Vec<Finding>,
    canonical: Vec<u8>,
}

impl CsvTable {
    pub(crate) fn read(file: &str, bytes: &[u8]) -> Result<Self, IngestError> {
        let scan = scan(file, bytes)?;
        let frame = if scan.lines.is_empty() {
            DataFrame::empty()
        } else {
            let options = CsvReadOptions::default().with_has_header(true).with_infer_schema_length(Some(0));
            let reader = options.into_reader_with_file_handle(Cursor::new(scan.canonical));
            let read = reader.finish();
            let mut frame = read.map_err(|source| IngestError::Columns { file: file.to_owned(), source })?;
            frame.rechunk_mut();
            frame
        };
        if frame.height() != scan.lines.len() {
            return Err(IngestError::RowCount {
                file: file.to_owned(),
                scanned: scan.lines.len(),
                columns: frame.height(),
            });
        }
        Ok(Self {
            header: scan.header,
            lines: scan.lines,
            digests: scan.digests,
            rows_in: scan.rows_in,
            findings: scan.findings,
            frame,
        })
    }

    /// A column by name; `None` if the file lacks it or has no rows.
    pub(crate) fn column(&self, name: &str) -> Option<&StringChunked> {
        self.frame.column(name).ok().and_then(|c| c.str().ok())
    }
}

fn scan(file: &str, bytes: &[u8]) -> Result<Scan, IngestError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let csv_error = |source| IngestError::Csv { file: file.to_owned(), source };
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
    let mut record = ByteRecord::new();
    let mut scan = Scan {
        header: Vec::new(),
        lines: Vec::new(),
        digests: Vec::new(),
        rows_in: 0,
        findings: Vec::new(),
        canonical: Vec::with_capacity(bytes.len() + bytes.len() / 16),
    };
    if reader.read_byte_record(&mut record).map_err(csv_error)? {
        scan.header = record.iter().map(|f| String::from_utf8_lossy(f).trim().to_owned()).collect();
    }
    let mut writer = Writer::from_writer(std::mem::take(&mut scan.canonical));
    writer.write_record(&scan.header).map_err(csv_error)?;
    let mut begin = reader.position().clone();
    while reader.read_byte_record(&mut record).map_err(csv_error)? {
        let start = record.position().unwrap_or(&begin).clone();
        let raw = slice(bytes, start.byte(), reader.position().byte());
        begin = reader.position().clone();
        scan.rows_in += 1;
        let line = i32::try_from(first_line(bytes, &start)).unwrap_or(i32::MAX);
        match refusal(&record, scan.header.len()) {
            Some((kind, reason)) => scan.findings.push(set_aside(file, line, kind, reason, raw)),
            None => {
                writer.write_byte_record(&record).map_err(csv_error)?;
                scan.lines.push(line);
                scan.digests.push(digest(raw));
            }
        }
    }
    scan.canonical =
        writer.into_inner().map_err(|e| csv_error(csv::Error::from(std::io::Error::other(e.to_string()))))?;
    Ok(scan)
}

/// The reader puts a record's beginning before the blank lines that it skips: count them too.
fn first_line(bytes: &[u8], start: &csv::Position) -> u64 {
    let from = usize::try_from(start.byte()).unwrap_or(usize::MAX).min(bytes.len());
    let blank = bytes[from..].iter().take_while(|b| matches!(b, b'\n' | b'\r'));
    start.line() + u64::try_from(blank.filter(|b| **b == b'\n').count()).unwrap_or(0)
}

fn slice(bytes: &[u8], from: u64, to: u64) -> &[u8] {
    let at = |n: u64| usize::try_from(n).unwrap_or(usize::MAX).min(bytes.len());
    bytes[at(from)..at(to).max(at(from))].trim_ascii()
}

fn refusal(record: &ByteRecord, expected: usize) -> Option<(FindingKind, String)> {
    if record.len() != expected {
        let reason = format!("{} fields where the header has {expected}", record.len());
        return Some((FindingKind::FieldCount, reason));
    }
    let bad = record.iter().position(|field| std::str::from_utf8(field).is_err())?;
    Some((FindingKind::NotUtf8, format!("field {} is no UTF-8", bad + 1)))
}

fn set_aside(file: &str, line: i32, kind: FindingKind, reason: String, raw: &[u8]) -> Finding {
    Finding {
        kind,
        severity: Severity::Quarantine,
        file: file.to_owned(),
        line,
        key: None,
        reason,
        raw: Some(String::from_utf8_lossy(raw).into_owned()),
    }
}

/// First 16 hex digits of the SHA-256.
pub(crate) fn digest(raw: &[u8]) -> String {
    Sha256::digest(raw)[..8].iter().fold(String::with_capacity(16), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(table: &CsvTable) -> Vec<(i32, Option<&str>)> {
        let a = table.column("a").unwrap();
        table.lines.iter().copied().zip(a.iter()).collect()
    }

    #[test]
    fn rows_keep_their_lines_across_quoted_line_breaks_and_blank_lines() {
        let table = CsvTable::read("f", b"a,b\n1,\"x\ny\"\n\n2,z\n").unwrap();
        assert_eq!(rows(&table), [(2, Some("1")), (5, Some("2"))]);
    }

    #[test]
    fn ragged_and_undecodable_rows_are_set_aside_with_line_and_text() {
        let table = CsvTable::read("f", b"a,b\n1,2,3\n4,5\n\xff,6\n7\n").unwrap();
        assert_eq!(rows(&table), [(3, Some("4"))]);
        let found: Vec<_> = table.findings.iter().map(|f| (f.line, f.kind)).collect();
        let expected =
            [(2, FindingKind::FieldCount), (4, FindingKind::NotUtf8), (5, FindingKind::FieldCount)];
        assert_eq!(found, expected);
        assert_eq!(table.findings[0].raw.as_deref(), Some("1,2,3"));
        assert_eq!(table.rows_in, 4);
    }

    #[test]
    fn a_stray_quote_inside_a_field_does_not_swallow_the_rest() {
        let table = CsvTable::read("f", b"a,b\n5' 11\" tall,x\n2,y\n").unwrap();
        assert_eq!(rows(&table), [(2, Some("5' 11\" tall")), (3, Some("2"))]);
    }

    #[test]
    fn an_empty_file_has_no_rows() {
        assert_eq!(CsvTable::read("f", b"").unwrap().rows_in, 0);
        assert_eq!(CsvTable::read("f", b"a,b\n").unwrap().rows_in, 0);
    }

    proptest! {
        #[test]
        fn no_bytes_lose_a_row(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            if let Ok(table) = CsvTable::read("f", &bytes) {
                prop_assert_eq!(table.rows_in, table.lines.len() + table.findings.len());
            }
        }

        #[test]
        fn no_text_like_csv_loses_a_row(text in "a,b\n([a-z\"' ,]{0,8}(\n|\r\n|,)){0,20}") {
            let table = CsvTable::read("f", text.as_bytes()).unwrap();
            prop_assert_eq!(table.rows_in, table.lines.len() + table.findings.len());
        }
    }
}
