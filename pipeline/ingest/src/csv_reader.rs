//! CSV files as columns of text, some rows at a time, with the line and digest of every row.
//!
//! One pass takes the bytes apart into records, notes where each begins, sets aside the ones that have too many or too
//! few fields or are no UTF-8, and appends the others to columns of Arrow.
//!
//! Columns that are never used are dropped there: nothing behind it can see them, and neither the digest nor the text
//! of a row that was set aside holds them.

mod records;

use std::fmt::Write as _;

use arrow::array::{Array as _, StringArray, StringBuilder};
use csv::ByteRecord;
use fdna_model::{Finding, FindingKind, Severity};
use sha2::{Digest, Sha256};

use self::records::{RecordPlace, RecordReader};
use crate::limits::{self, MAX_COLUMNS, MAX_LONG_RECORDS};
use crate::row::RowError;

pub(crate) use self::records::is_endless;

/// Rows of a file as columns of text; row `i` began on `lines[i]`.
pub(crate) struct CsvRows {
    pub(crate) lines: Vec<i32>,
    pub(crate) digests: Vec<String>,
    /// One for each name of the header; an empty field is null.
    columns: Vec<StringArray>,
}

impl CsvRows {
    /// Text of a row in the column at this place of the header; `None` if it is empty.
    pub(crate) fn text(&self, row: usize, column: usize) -> Option<&str> {
        let column = &self.columns[column];
        column.is_valid(row).then(|| column.value(row))
    }
}

/// Rows of a file that are held at a time: columns of them all would take more room than the file.
pub(crate) const CHUNK_ROWS: usize = 1 << 12;

/// A CSV file, read some rows at a time.
pub(crate) struct CsvReader<'b> {
    /// Without the dropped columns.
    pub(crate) header: Vec<String>,
    /// Records so far, those set aside included; one of a file that is refused.
    pub(crate) rows_in: usize,
    /// Records so far that were set aside, or the fatal one of a file that is refused.
    pub(crate) findings: Vec<Finding>,
    file: &'b str,
    records: RecordReader<'b>,
    record: ByteRecord,
    keep: KeptRecords,
    /// Of the header, dropped ones included.
    n_fields: usize,
    n_endless: usize,
    /// Where picked records stood.
    lines: Option<&'b [i32]>,
}

impl<'b> CsvReader<'b> {
    /// Of all columns but the `dropped` ones.
    pub(crate) fn new(file: &'b str, bytes: &'b [u8], dropped: &[String]) -> Self {
        Self::begin(file, RecordReader::new(bytes), dropped, None)
    }

    /// As [`Self::new`], of a file in which a quote is a character like any other, and a line a row.
    pub(crate) fn unquoted(file: &'b str, bytes: &'b [u8], dropped: &[String]) -> Self {
        Self::begin(file, RecordReader::unquoted(bytes), dropped, None)
    }

    /// As [`Self::new`], of records picked from a file, behind its header; `lines` says where each stood there.
    pub(crate) fn picked(file: &'b str, bytes: &'b [u8], dropped: &[String], lines: &'b [i32]) -> Self {
        Self::begin(file, RecordReader::new(bytes), dropped, Some(lines))
    }

    fn begin(
        file: &'b str,
        mut records: RecordReader<'b>,
        dropped: &[String],
        lines: Option<&'b [i32]>,
    ) -> Self {
        let mut record = ByteRecord::new();
        let place = records.next(&mut record);
        let names = record.iter().map(|field| String::from_utf8_lossy(field).trim().to_owned());
        let header: Vec<String> = names.collect();
        let checked = match &place {
            Ok(place) => check_header(&header, place.as_ref().is_some_and(|place| place.is_endless)),
            Err(error) => Err(no_csv(error)),
        };
        let keep = KeptRecords::of(&header, dropped);
        let mut reader = Self {
            rows_in: 0,
            findings: Vec::new(),
            file,
            records,
            record,
            n_fields: header.len(),
            n_endless: 0,
            lines,
            header: keep.fields(header.into_iter()).collect(),
            keep,
        };
        if let Err(refusal) = checked {
            reader.refuse(refusal);
        }
        reader
    }

    /// The next rows; `None` behind the last one, or once the file is refused.
    pub(crate) fn next_rows(&mut self) -> Option<CsvRows> {
        if self.is_refused() {
            return None;
        }
        let mut columns: Vec<_> = self.header.iter().map(|_| StringBuilder::new()).collect();
        let (mut lines, mut digests) = (Vec::new(), Vec::new());
        while lines.len() < CHUNK_ROWS {
            let (line, place) = match self.next_record() {
                Ok(Some(next)) => next,
                Ok(None) => break,
                Err(refusal) => {
                    self.refuse(refusal);
                    return None;
                }
            };
            match texts(&self.record, self.n_fields, place.is_endless) {
                Err((kind, reason)) => {
                    let raw = (!self.keep.drops()).then_some(place.raw);
                    self.findings.push(set_aside(self.file, line, kind, reason, raw));
                }
                Ok(texts) => {
                    let fields = self.keep.fields(texts.into_iter());
                    columns.iter_mut().zip(fields).for_each(|(column, text)| {
                        column.append_option((!text.is_empty()).then_some(text));
                    });
                    lines.push(line);
                    digests.push(self.keep.digest(&self.record, place.raw));
                }
            }
        }
        let columns = columns.iter_mut().map(StringBuilder::finish).collect();
        (!lines.is_empty()).then_some(CsvRows { lines, digests, columns })
    }

    /// Whether the file cannot be used: no row of it counts, not those read before either.
    pub(crate) fn is_refused(&self) -> bool {
        self.refusal().is_some()
    }

    fn refusal(&self) -> Option<&Finding> {
        self.findings.first().filter(|finding| finding.severity == Severity::Fatal)
    }

    /// That the file can be used, as far as it was read.
    ///
    /// # Errors
    /// Why it is refused.
    pub(crate) fn check_usable(&self) -> Result<(), RowError> {
        let refusal = self.refusal();
        refusal.map_or(Ok(()), |finding| Err(RowError::new(finding.kind, finding.reason.clone())))
    }

    /// Takes the next record, and says where it stands.
    fn next_record(&mut self) -> Result<Option<(i32, RecordPlace<'b>)>, RowError> {
        let read = self.records.next(&mut self.record).map_err(|error| no_csv(&error))?;
        let Some(place) = read else { return Ok(None) };
        self.n_endless += usize::from(place.is_endless);
        limits::check("quotes that never close", self.n_endless, MAX_LONG_RECORDS)?;
        let line = match self.lines {
            Some(lines) => lines.get(self.rows_in).copied().unwrap_or(i32::MAX),
            None => i32::try_from(place.line).unwrap_or(i32::MAX),
        };
        self.rows_in += 1;
        limits::check("cells", self.rows_in.saturating_mul(self.n_fields), limits::max_cells())?;
        Ok(Some((line, place)))
    }

    /// The file cannot be used: it counts as one row, since nobody knows how many it has.
    fn refuse(&mut self, refusal: RowError) {
        let finding = set_aside(self.file, 0, refusal.kind, refusal.reason, None);
        self.findings = vec![Finding { severity: Severity::Fatal, ..finding }];
        self.rows_in = 1;
    }
}

fn no_csv(error: &csv::Error) -> RowError {
    RowError::new(FindingKind::UnreadableValue, format!("it is no CSV: {error}"))
}

fn check_header(header: &[String], is_endless: bool) -> Result<(), RowError> {
    if is_endless {
        return Err(RowError::new(FindingKind::UnreadableValue, "a quote of the header never closes"));
    }
    limits::check("columns", header.len(), MAX_COLUMNS)
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
    use crate::limits::MAX_RECORD_LINES;
    use proptest::prelude::*;

    /// What is read of a file in all.
    struct ReadCsv {
        header: Vec<String>,
        rows: Vec<(i32, Vec<Option<String>>)>,
        digests: Vec<String>,
        rows_in: usize,
        findings: Vec<Finding>,
    }

    impl ReadCsv {
        fn of(mut reader: CsvReader<'_>) -> Self {
            let (mut rows, mut digests) = (Vec::new(), Vec::new());
            while let Some(next) = reader.next_rows() {
                let text = |row, column| next.text(row, column).map(str::to_owned);
                let texts = |row: usize| (0..reader.header.len()).map(|column| text(row, column)).collect();
                rows.extend(next.lines.iter().enumerate().map(|(row, line)| (*line, texts(row))));
                digests.extend(next.digests);
            }
            if reader.is_refused() {
                rows.clear();
            }
            let CsvReader { header, rows_in, findings, .. } = reader;
            Self { header, rows, digests, rows_in, findings }
        }

        /// Lines, and texts of the first column.
        fn firsts(&self) -> Vec<(i32, Option<&str>)> {
            self.rows.iter().map(|(line, texts)| (*line, texts[0].as_deref())).collect()
        }
    }

    fn read(text: impl AsRef<[u8]>) -> ReadCsv {
        ReadCsv::of(CsvReader::new("f", text.as_ref(), &[]))
    }

    fn read_unquoted(text: &[u8]) -> ReadCsv {
        ReadCsv::of(CsvReader::unquoted("f", text, &[]))
    }

    #[test]
    fn rows_keep_their_lines_across_quoted_line_breaks_and_blank_lines() {
        let csv = read(b"a,b\n1,\"x\ny\"\n\n2,z\n");
        assert_eq!(csv.firsts(), [(2, Some("1")), (5, Some("2"))]);
    }

    #[test]
    fn ragged_and_undecodable_rows_are_set_aside_with_line_and_text() {
        let csv = read(b"a,b\n1,2,3\n4,5\n\xff,6\n7\n");
        assert_eq!(csv.firsts(), [(3, Some("4"))]);
        let found: Vec<_> = csv.findings.iter().map(|f| (f.line, f.kind)).collect();
        let expected =
            [(2, FindingKind::FieldCount), (4, FindingKind::NotUtf8), (5, FindingKind::FieldCount)];
        assert_eq!(found, expected);
        assert_eq!(csv.findings[0].raw.as_deref(), Some("1,2,3"));
        assert_eq!(csv.rows_in, 4);
    }

    #[test]
    fn a_stray_quote_inside_a_field_does_not_swallow_the_rest() {
        let csv = read(b"a,b\n5' 11\" tall,x\n2,y\n");
        assert_eq!(csv.firsts(), [(2, Some("5' 11\" tall")), (3, Some("2"))]);
    }

    #[test]
    fn a_quote_that_never_closes_costs_its_own_row_and_none_behind_it() {
        let rows_behind = (0..1000).map(|n| format!("{n},x\n")).collect::<String>();
        let csv = read(format!("a,b\n1,x\n\n2,\"y\n{rows_behind}"));
        assert_eq!(csv.rows_in, 1002);
        assert_eq!(csv.firsts()[..3], [(2, Some("1")), (5, Some("0")), (6, Some("1"))]);
        let finding = &csv.findings[0];
        assert_eq!((finding.line, finding.raw.as_deref()), (4, Some("2,\"y")));
        let csv = read(format!("a,b\n2,\"y\n{rows_behind}3,\"z\"\n"));
        assert_eq!((csv.rows_in, csv.findings.len()), (1002, 1));
        let csv = read(b"a,b\n1,x\n2,\"y");
        assert_eq!((csv.firsts(), csv.findings[0].line), (vec![(2, Some("1"))], 3));
    }

    #[test]
    fn a_file_of_too_many_open_quotes_columns_or_cells_is_refused_whole() {
        let refused = |text: String| {
            let csv = read(&text);
            assert_eq!((csv.rows_in, csv.findings[0].severity), (1, Severity::Fatal));
            csv.findings[0].reason.clone()
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
        let quoted = read(text);
        let met = [(2, Some("1")), (5, Some("4"))];
        assert_eq!(quoted.firsts(), met, "two quotes meet, and the rows between them are no rows");
        let csv = read_unquoted(text);
        assert_eq!(csv.firsts(), [(2, Some("1")), (3, Some("2")), (4, Some("3")), (5, Some("4"))]);
        assert_eq!(csv.rows[0].1[1].as_deref(), Some("\"x"));
        assert!(csv.findings.is_empty());
    }

    #[test]
    fn an_empty_file_has_no_rows() {
        assert_eq!(read(b"").rows_in, 0);
        assert_eq!(read(b"a,b\n").rows_in, 0);
    }

    #[test]
    fn a_dropped_column_is_nowhere() {
        let dropped = ["odds".to_owned()];
        let read_kept = |text: &str| ReadCsv::of(CsvReader::new("f", text.as_bytes(), &dropped));
        let csv = read_kept("a,odds,b\n1,-150,2\n3,4\n");
        assert_eq!(csv.header, ["a", "b"]);
        assert_eq!(csv.firsts(), [(2, Some("1"))]);
        assert_eq!((csv.findings[0].line, csv.findings[0].raw.as_deref()), (3, None));
        assert_eq!(csv.digests, read_kept("a,odds,b\n1,+900,2\n").digests);
        assert_ne!(csv.digests, read_kept("a,odds,b\n1,-150,3\n").digests);
    }

    proptest! {
        #[test]
        fn no_bytes_lose_a_row(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            for csv in [read(&bytes), read_unquoted(&bytes)] {
                prop_assert_eq!(csv.rows_in, csv.rows.len() + csv.findings.len());
            }
        }

        #[test]
        fn no_text_like_csv_loses_a_row(text in "a,b\n([a-z\"' ,]{0,8}(\n|\r\n|,)){0,20}") {
            let csv = read(&text);
            prop_assert_eq!(csv.rows_in, csv.rows.len() + csv.findings.len());
        }
    }
}
