//! Bytes taken apart into records, with the line on which each begins.
//!
//! A quote that opens and never closes would make one record of all rows behind it: its first line alone is set
//! aside, and the rows behind it are read.

use csv::{ByteRecord, ReaderBuilder};

use crate::limits::{MAX_RECORD_BYTES, MAX_RECORD_LINES};

/// Records one after the other. Behind one that never ends it goes on with the next line.
pub(super) struct RecordReader<'b> {
    bytes: &'b [u8],
    /// Where `reader` began: bytes and lines before it.
    from: (usize, u64),
    reader: csv::Reader<&'b [u8]>,
    has_quotes: bool,
}

/// Of a record without an end a finding holds this much.
const SHOWN_BYTES: usize = 2000;

/// Where a record stands.
pub(super) struct RecordPlace<'b> {
    /// The line on which it begins, the first being 1.
    pub(super) line: u64,
    /// As received, without spaces around it; of an endless one the first line.
    pub(super) raw: &'b [u8],
    pub(super) is_endless: bool,
}

impl<'b> RecordReader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self::of(bytes, true)
    }

    pub(super) fn unquoted(bytes: &'b [u8]) -> Self {
        Self::of(bytes, false)
    }

    fn of(bytes: &'b [u8], has_quotes: bool) -> Self {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Self { bytes, from: (0, 0), reader: reader(bytes, has_quotes), has_quotes }
    }

    pub(super) fn next(&mut self, record: &mut ByteRecord) -> Result<Option<RecordPlace<'b>>, csv::Error> {
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
fn ends_in_quotes(record: &[u8]) -> bool {
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
