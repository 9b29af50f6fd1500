//! The lines of a file that were read, and the rows that they became.

use std::collections::HashMap;
use std::sync::OnceLock;

use bytes::Bytes;
use fdna_schemas::{ColumnError, TableReader};

use super::RowIds;

/// A file and its rows.
pub(super) struct KnownRows {
    bytes: Bytes,
    /// Length of the header with its line's end.
    header: usize,
    /// Lines that were one whole record and became a row, in their order.
    lines: Vec<KnownLine>,
    /// Place in [`Self::lines`] by content; made when first asked for.
    by_content: OnceLock<HashMap<Bytes, usize>>,
    /// Of every row of the facts.
    rows: Vec<KnownRow>,
}

struct KnownLine {
    from: usize,
    /// Without the line's end.
    to: usize,
    row: usize,
}

struct KnownRow {
    line: i32,
    digest: String,
    /// What a second row is refused for.
    id: Option<String>,
}

impl KnownRows {
    pub(super) fn new(
        bytes: Bytes,
        facts: &TableReader<'_>,
        identity: &[String],
    ) -> Result<Self, ColumnError> {
        let bytes = bytes.slice(if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }..);
        let rows = rows(facts, identity)?;
        let of_line: HashMap<i32, usize> = rows.iter().enumerate().map(|(i, row)| (row.line, i)).collect();
        let (mut header, mut lines, mut from) = (0, Vec::new(), 0);
        for (number, line) in (1..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
            let content = line.strip_suffix(b"\n").unwrap_or(line);
            let content = content.strip_suffix(b"\r").unwrap_or(content);
            if number == 1 && is_record(content) && content.len() < line.len() {
                header = line.len();
            }
            if let Some(row) = of_line.get(&number).filter(|_| is_record(content)) {
                lines.push(KnownLine { from, to: from + content.len(), row: *row });
            }
            from += line.len();
        }
        Ok(Self { bytes, header, lines, by_content: OnceLock::new(), rows })
    }

    /// The header with its line's end; empty where it is no line of its own, so that nothing is told apart.
    pub(super) fn header(&self) -> &[u8] {
        &self.bytes[..self.header]
    }

    pub(super) fn lines(&self) -> usize {
        self.lines.len()
    }

    pub(super) fn row(&self, place: usize) -> usize {
        self.lines[place].row
    }

    pub(super) fn line(&self, row: usize) -> i32 {
        self.rows[row].line
    }

    /// The unused line that `rest` begins with, the `next` one first, and its length without the line's end.
    pub(super) fn find(&self, next: usize, rest: &[u8], used: &[bool]) -> Option<(usize, usize)> {
        let is_free = |place: &usize| used.get(*place) == Some(&false);
        if let Some(line) = self.lines.get(next).filter(|_| is_free(&next)) {
            let (content, length) = (&self.bytes[line.from..line.to], line.to - line.from);
            let ends = matches!(rest.get(length), None | Some(b'\n'));
            if ends && rest.starts_with(content) {
                return Some((next, length));
            }
        }
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        let content = rest[..length].strip_suffix(b"\r").unwrap_or(&rest[..length]);
        let place = *self.by_content().get(content)?;
        is_free(&place).then_some((place, content.len()))
    }

    fn by_content(&self) -> &HashMap<Bytes, usize> {
        self.by_content.get_or_init(|| {
            let content = |line: &KnownLine| self.bytes.slice(line.from..line.to);
            // Backwards, so that the first of several stands.
            self.lines.iter().enumerate().rev().map(|(place, line)| (content(line), place)).collect()
        })
    }

    /// The ids of these rows on their new lines.
    pub(super) fn ids_of(&self, copied: &[(usize, i32)]) -> RowIds {
        let of_row = |(row, line): &(usize, i32)| {
            let row = &self.rows[*row];
            Some((row.id.clone()?, (*line, row.digest.clone())))
        };
        copied.iter().filter_map(of_row).collect()
    }
}

fn rows(facts: &TableReader<'_>, identity: &[String]) -> Result<Vec<KnownRow>, ColumnError> {
    let mut ids: Vec<Option<String>> = vec![None; facts.rows()];
    for column in identity {
        for (id, part) in ids.iter_mut().zip(parts(facts, column)?) {
            *id = Some(id.take().map_or(part.clone(), |id| format!("{id}/{part}")));
        }
    }
    let rows = facts.counts("line")?.into_iter().zip(facts.texts("row_digest")?).zip(ids);
    Ok(rows.map(|((line, digest), id)| KnownRow { line, digest: digest.to_owned(), id }).collect())
}

/// A column of texts or numbers, as the readers write it into an id.
fn parts(facts: &TableReader<'_>, column: &str) -> Result<Vec<String>, ColumnError> {
    match facts.texts(column) {
        Ok(texts) => Ok(texts.into_iter().map(str::to_owned).collect()),
        Err(_) => Ok(facts.counts(column)?.into_iter().map(|n| n.to_string()).collect()),
    }
}

/// Whether a line is one whole record: no quotes are left open, and nothing in it ends a record.
pub(super) fn is_record(line: &[u8]) -> bool {
    #[derive(PartialEq)]
    enum DeltaState {
        Begin,
        Plain,
        Quoted,
        Closed,
    }
    let mut state = DeltaState::Begin;
    for byte in line {
        state = match (state, byte) {
            (_, b'\r') => return false,
            (DeltaState::Begin | DeltaState::Closed, b'"') => DeltaState::Quoted,
            (DeltaState::Quoted, b'"') => DeltaState::Closed,
            (DeltaState::Quoted, _) => DeltaState::Quoted,
            (_, b',') => DeltaState::Begin,
            _ => DeltaState::Plain,
        };
    }
    !line.is_empty() && state != DeltaState::Quoted
}
