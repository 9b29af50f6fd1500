//! CSV files as columns of text, with the line and digest of every row.
//!
//! One pass takes the bytes apart into records, notes where each begins, sets aside the ones that have too many or too
//! few fields or are no UTF-8, and appends the others to columns of polars.
//!
//! A quote that opens and never closes would make one record of all rows behind it: its first line alone is set
//! aside, and the rows behind it are read.
//!
//! Columns that are never used are dropped there: nothing behind it can see them, and neither the digest nor the text
//! of a row that was set aside holds them.

use std::fmt::Write as _;

use csv::{ByteRecord, ReaderBuilder};
use fdna_model::{Finding, FindingKind, Severity};
use polars::prelude::{StringChunked, StringChunkedBuilder};
use sha2::{Digest, Sha256};

use crate::IngestError;
use crate::limits::{self, MAX_COLUMNS, MAX_LONG_RECORDS, MAX_RECORD_BYTES, MAX_RECORD_LINES};
use crate::row::RowError;

/// Columns of text of one file; row `i` began on `lines[i]`.
pub(crate) struct CsvTable {
    pub(crate) header: Vec<String>,
    pub(crate) lines: Vec<i32>,
    pub(crate) digests: Vec<String>,
    /// Records in the file, those set aside included.
    pub(crate) rows_in: usize,
    pub(crate) findings: Vec<Finding>,
    /// One for each name of the header; an empty field is null.
    columns: Vec<StringChunked>,
}

impl CsvTable {
    /// Reads all columns but the `dropped` ones.
    pub(crate) fn read(file: &str, bytes: &[u8], dropped: &[String]) -> Result<Self, IngestError> {
        Self::scan(file, RecordReader::new(bytes), dropped, None)
    }

    /// The same of a file in which a quote is a character like any other, and a line a row.
    pub(crate) fn read_unquoted(file: &str, bytes: &[u8], dropped: &[String]) -> Result<Self, IngestError> {
        Self::scan(file, RecordReader::unquoted(bytes), dropped, None)
    }

    /// Reads records picked from a file, behind its header; `lines` says where each of them stood there.
    pub(crate) fn read_picked(
        file: &str,
        bytes: &[u8],
        dropped: &[String],
        lines: &[i32],
    ) -> Result<Self, IngestError> {
        Self::scan(file, RecordReader::new(bytes), dropped, Some(lines))
    }

    /// A column by name, the first of those that share it; `None` if the file lacks it or has no rows.
    pub(crate) fn column(&self, name: &str) -> Option<&StringChunked> {
        let place = self.header.iter().position(|header| header == name)?;
        self.columns.get(place).filter(|column| !column.is_empty())
    }

    fn scan(
        file: &str,
        mut records: RecordReader<'_>,
        dropped: &[String],
        lines: Option<&[i32]>,
    ) -> Result<Self, IngestError> {
        let csv_error = |source| IngestError::Csv { file: file.to_owned(), source };
        let mut record = ByteRecord::new();
        let mut table = Self {
            header: Vec::new(),
            lines: Vec::new(),
            digests: Vec::new(),
            rows_in: 0,
            findings: Vec::new(),
            columns: Vec::new(),
        };
        if let Some(place) = records.next(&mut record).map_err(csv_error)? {
            table.header = record.iter().map(|f| String::from_utf8_lossy(f).trim().to_owned()).collect();
            if let Err(refusal) = check_header(&table.header, place.is_endless) {
                return Ok(table.refused(file, refusal));
            }
        }
        let keep = KeptRecords::of(&table.header, dropped);
        let column = |name: &String| StringChunkedBuilder::new(name.as_str().into(), 0);
        let mut columns: Vec<_> = keep.fields(table.header.iter()).map(column).collect();
        let mut endless = 0;
        while let Some(place) = records.next(&mut record).map_err(csv_error)? {
            table.rows_in += 1;
            let line = match lines {
                Some(lines) => lines.get(table.rows_in - 1).copied().unwrap_or(i32::MAX),
                None => i32::try_from(place.line).unwrap_or(i32::MAX),
            };
            endless += usize::from(place.is_endless);
            let bounds = limits::check("quotes that never close", endless, MAX_LONG_RECORDS);
            let cells = table.rows_in.saturating_mul(table.header.len());
            if let Err(refusal) = bounds.and_then(|()| limits::check("cells", cells, limits::max_cells())) {
                return Ok(table.refused(file, refusal));
            }
            match texts(&record, table.header.len(), place.is_endless) {
                Err((kind, reason)) => {
                    let raw = (!keep.drops()).then_some(place.raw);
                    table.findings.push(set_aside(file, line, kind, reason, raw));
                }
                Ok(texts) => {
                    let fields = keep.fields(texts.into_iter());
                    columns.iter_mut().zip(fields).for_each(|(column, text)| {
                        column.append_option((!text.is_empty()).then_some(text));
                    });
                    table.lines.push(line);
                    table.digests.push(keep.digest(&record, place.raw));
                }
            }
        }
        table.header = keep.fields(table.header.iter()).cloned().collect();
        table.columns = columns.into_iter().map(StringChunkedBuilder::finish).collect();
        Ok(table)
    }

    /// The file cannot be used: it counts as one row, since nobody knows how many it has.
    fn refused(self, file: &str, refusal: RowError) -> Self {
        let finding =
            Finding { severity: Severity::Fatal, ..set_aside(file, 0, refusal.kind, refusal.reason, None) };
        let (lines, digests) = (Vec::new(), Vec::new());
        Self { lines, digests, rows_in: 1, findings: vec![finding], ..self }
    }
}

fn check_header(header: &[String], is_endless: bool) -> Result<(), RowError> {
    if is_endless {
        return Err(RowError::new(FindingKind::UnreadableValue, "a quote of the header never closes"));
    }
    limits::check("columns", header.len(), MAX_COLUMNS)
}

/// Records one after the other. Behind one that never ends it goes on with the next line.
struct RecordReader<'b> {
    bytes: &'b [u8],
    /// Where `reader` began: bytes and lines before it.
    from: (usize, u64),
    reader: csv::Reader<&'b [u8]>,
    has_quotes: bool,
}

/// Of a record without an end a finding holds this much.
const SHOWN_BYTES: usize = 2000;

/// Where a record stands.
struct RecordPlace<'b> {
    /// The line on which it begins, the first being 1.
    line: u64,
    /// As received, without spaces around it; of an endless one the first line.
    raw: &'b [u8],
    is_endless: bool,
}

impl<'b> RecordReader<'b> {
    fn new(bytes: &'b [u8]) -> Self {
        Self::of(bytes, true)
    }

    fn unquoted(bytes: &'b [u8]) -> Self {
        Self::of(bytes, false)
    }

    fn of(bytes: &'b [u8], has_quotes: bool) -> Self {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Self { bytes, from: (0, 0), reader: reader(bytes, has_quotes), has_quotes }
    }

    fn next(&mut self, record: &mut ByteRecord) -> Result<Option<RecordPlace<'b>>, csv::Error> {
        if !self.reader.read_byte_record(record)? {
            return Ok(None);
        }
        let (begin, line) = record.position().map_or((0, 1), |at| (at.byte(), at.line()));
        let at = |byte: u64| self.from.0.saturating_add(usize::try_from(byte).unwrap_or(usize::MAX));
        let (begin, end) = (at(begin), at(self.reader.position().byte()));
        // The reader puts a record's beginning before the blank lines that it skips: count them too.
        let rest = self.bytes.get(begin..).unwrap_or_default();
        let blank = rest.iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
        let line = self.from.1 + line + newlines(&rest[..blank]);
        let begin = begin + blank;
        let whole = self.bytes.get(begin..end).unwrap_or_default();
        if !self.has_quotes || !is_endless(whole, end >= self.bytes.len()) {
            return Ok(Some(RecordPlace { line, raw: whole.trim_ascii(), is_endless: false }));
        }
        let first = memchr::memchr(b'\n', whole).map_or(whole.len(), |at| at + 1);
        self.from = (begin + first, line);
        self.reader = reader(&self.bytes[begin + first..], self.has_quotes);
        Ok(Some(RecordPlace { line, raw: whole[..first.min(SHOWN_BYTES)].trim_ascii(), is_endless: true }))
    }
}

fn reader(bytes: &[u8], has_quotes: bool) -> csv::Reader<&[u8]> {
    ReaderBuilder::new().has_headers(false).flexible(true).quoting(has_quotes).from_reader(bytes)
}

fn newlines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// Whether a record goes on for longer than any does, or to the end of the file within quotes.
pub(crate) fn is_endless(record: &[u8], is_last: bool) -> bool {
    let lines = || memchr::memchr_iter(b'\n', record.trim_ascii_end()).count();
    record.len() > MAX_RECORD_BYTES || lines() > MAX_RECORD_LINES || (is_last && ends_in_quotes(record))
}

/// Whether the last field of a record is quoted and its quotes do not close.
pub(crate) fn ends_in_quotes(record: &[u8]) -> bool {
    let (mut is_first, mut is_quoted) = (true, false);
    for byte in record {
        match byte {
            b'"' if is_first || is_quoted => (is_first, is_quoted) = (is_quoted, !is_quoted),
            _ if is_quoted => {}
            b',' | b'\n' | b'\r' => is_first = true,
            _ => is_first = false,
        }
    }
    is_quoted
}

/// Which fields of a record are kept.
struct KeptRecords(Option<Vec<bool>>);

impl KeptRecords {
    fn of(header: &[String], dropped: &[String]) -> Self {
        let kept: Vec<bool> = header.iter().map(|name| !dropped.contains(name)).collect();
        Self(kept.contains(&false).then_some(kept))
    }

    fn drops(&self) -> bool {
        self.0.is_some()
    }

    fn fields<T>(&self, fields: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
        let is_kept = |i: usize| self.0.as_ref().is_none_or(|kept| kept[i]);
        fields.enumerate().filter(move |(i, _)| is_kept(*i)).map(|(_, field)| field)
    }

    /// Of the row as received, or of what is kept of it.
    fn digest(&self, record: &ByteRecord, raw: &[u8]) -> String {
        if !self.drops() {
            return digest(raw);
        }
        digest(&self.fields(record.iter()).collect::<Vec<_>>().join(&b'\x1f'))
    }
}

/// The fields of a record, or why it is set aside.
fn texts(record: &ByteRecord, expected: usize, is_endless: bool) -> Result<Vec<&str>, (FindingKind, String)> {
    if is_endless {
        return Err((FindingKind::UnreadableValue, "a quote opens here that never closes".to_owned()));
    }
    if record.len() != expected {
        let reason = format!("{} fields where the header has {expected}", record.len());
        return Err((FindingKind::FieldCount, reason));
    }
    let fields = record.iter().enumerate().map(|(i, field)| {
        std::str::from_utf8(field).map_err(|_| (FindingKind::NotUtf8, format!("field {} is no UTF-8", i + 1)))
    });
    fields.collect()
}

fn set_aside(file: &str, line: i32, kind: FindingKind, reason: String, raw: Option<&[u8]>) -> Finding {
    Finding {
        kind,
        severity: Severity::Quarantine,
        file: file.to_owned(),
        line,
        key: None,
        reason,
        raw: raw.map(|raw| String::from_utf8_lossy(raw).into_owned()),
    }
}

/// First 16 hex digits of the SHA-256 of a row as received.
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
        let table = CsvTable::read("f", b"a,b\n1,\"x\ny\"\n\n2,z\n", &[]).unwrap();
        assert_eq!(rows(&table), [(2, Some("1")), (5, Some("2"))]);
    }

    #[test]
    fn ragged_and_undecodable_rows_are_set_aside_with_line_and_text() {
        let table = CsvTable::read("f", b"a,b\n1,2,3\n4,5\n\xff,6\n7\n", &[]).unwrap();
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
        let table = CsvTable::read("f", b"a,b\n5' 11\" tall,x\n2,y\n", &[]).unwrap();
        assert_eq!(rows(&table), [(2, Some("5' 11\" tall")), (3, Some("2"))]);
    }

    #[test]
    fn a_quote_that_never_closes_costs_its_own_row_and_none_behind_it() {
        let rows_behind = (0..1000).map(|n| format!("{n},x\n")).collect::<String>();
        let table = CsvTable::read("f", format!("a,b\n1,x\n\n2,\"y\n{rows_behind}").as_bytes(), &[]).unwrap();
        assert_eq!(table.rows_in, 1002);
        assert_eq!(rows(&table)[..3], [(2, Some("1")), (5, Some("0")), (6, Some("1"))]);
        let finding = &table.findings[0];
        assert_eq!((finding.line, finding.raw.as_deref()), (4, Some("2,\"y")));
        let table =
            CsvTable::read("f", format!("a,b\n2,\"y\n{rows_behind}3,\"z\"\n").as_bytes(), &[]).unwrap();
        assert_eq!((table.rows_in, table.findings.len()), (1002, 1));
        let table = CsvTable::read("f", b"a,b\n1,x\n2,\"y", &[]).unwrap();
        assert_eq!((rows(&table), table.findings[0].line), (vec![(2, Some("1"))], 3));
    }

    #[test]
    fn a_file_of_too_many_open_quotes_columns_or_cells_is_refused_whole() {
        let refused = |text: String| {
            let table = CsvTable::read("f", text.as_bytes(), &[]).unwrap();
            assert_eq!(
                (table.rows_in, table.lines.len(), table.findings[0].severity),
                (1, 0, Severity::Fatal)
            );
            table.findings[0].reason.clone()
        };
        let open = format!("1,\"x\n{}3,z\"\n", "2,y\n".repeat(MAX_RECORD_LINES));
        assert!(
            refused(format!("a,b\n{}", open.repeat(MAX_LONG_RECORDS + 1))).contains("17 quotes that never")
        );
        assert!(refused(",".repeat(MAX_COLUMNS)).contains("257 columns, more than 256"));
        let rows = limits::max_cells() / 200 + 1;
        let row = format!("{}\n", ",".repeat(199));
        assert!(refused(row.repeat(rows + 1)).contains("cells, more than"));
        assert!(refused("a,\"b\n1,2\n".to_owned()).contains("header"));
    }

    #[test]
    fn without_quotes_a_line_is_a_row_whatever_opens_in_it() {
        let text = b"\xef\xbb\xbfa,b\n1,\"x\n2,y\n3,\"z\n4,w\n";
        let quoted = CsvTable::read("f", text, &[]).unwrap();
        let met = [(2, Some("1")), (5, Some("4"))];
        assert_eq!(rows(&quoted), met, "two quotes meet, and the rows between them are no rows");
        let table = CsvTable::read_unquoted("f", text, &[]).unwrap();
        assert_eq!(rows(&table), [(2, Some("1")), (3, Some("2")), (4, Some("3")), (5, Some("4"))]);
        assert_eq!(table.column("b").unwrap().get(0), Some("\"x"));
        assert!(table.findings.is_empty());
    }

    #[test]
    fn an_empty_file_has_no_rows() {
        assert_eq!(CsvTable::read("f", b"", &[]).unwrap().rows_in, 0);
        assert_eq!(CsvTable::read("f", b"a,b\n", &[]).unwrap().rows_in, 0);
    }

    #[test]
    fn a_dropped_column_is_nowhere() {
        let dropped = ["odds".to_owned()];
        let read = |text: &str| CsvTable::read("f", text.as_bytes(), &dropped).unwrap();
        let table = read("a,odds,b\n1,-150,2\n3,4\n");
        assert_eq!(table.header, ["a", "b"]);
        assert!(table.column("odds").is_none());
        assert_eq!(rows(&table), [(2, Some("1"))]);
        assert_eq!((table.findings[0].line, table.findings[0].raw.as_deref()), (3, None));
        assert_eq!(table.digests, read("a,odds,b\n1,+900,2\n").digests);
        assert_ne!(table.digests, read("a,odds,b\n1,-150,3\n").digests);
    }

    proptest! {
        #[test]
        fn no_bytes_lose_a_row(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            if let Ok(table) = CsvTable::read("f", &bytes, &[]) {
                prop_assert_eq!(table.rows_in, table.lines.len() + table.findings.len());
            }
            if let Ok(table) = CsvTable::read_unquoted("f", &bytes, &[]) {
                prop_assert_eq!(table.rows_in, table.lines.len() + table.findings.len());
            }
        }

        #[test]
        fn no_text_like_csv_loses_a_row(text in "a,b\n([a-z\"' ,]{0,8}(\n|\r\n|,)){0,20}") {
            let table = CsvTable::read("f", text.as_bytes(), &[]).unwrap();
            prop_assert_eq!(table.rows_in, table.lines.len() + table.findings.len());
        }
    }
}
