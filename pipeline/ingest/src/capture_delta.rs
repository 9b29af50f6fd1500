//! A capture as its difference from another of the same source: lines that the other has are not read again.
//!
//! Exact by how CSV is read: the reader stands between two records, so that a line which was one whole record
//! there is the same record here. Only such lines are taken over, and only where the other capture made a row of
//! them; all else is read as ever, with the ids of the rows that were taken over known to it. Where that does not
//! do (another header, a file more or less, a row before its double, much that is new) there is no difference,
//! and the capture is to be read whole.

mod known;

use std::collections::HashMap;

use arrow::array::RecordBatch;
use bytes::Bytes;
use csv::{ByteRecord, ReaderBuilder};
use fdna_model::Finding;
use fdna_schemas::{SourceContract, SourceFile, TableReader};

use self::known::KnownRows;
use crate::csv_reader::{CsvReader, is_endless};
use crate::layout::{self, ReadFile};
use crate::limits::{TextFormat, max_cells};
use crate::row::SeenIds;
use crate::table_patch::TablePatch;
use crate::{FileCount, IngestError, text};

/// A capture that others are told apart from, with its facts.
pub struct BaseCapture {
    contract: &'static SourceContract,
    files: Vec<(String, Bytes)>,
    known: Vec<KnownRows>,
}

/// What a capture has that its base has not, and how the two make its facts.
#[derive(Debug)]
pub struct CaptureDelta {
    /// By contract name: the rows that are new, and the script that puts them among those of the base.
    pub tables: Vec<(String, RecordBatch, TablePatch)>,
    /// All findings of the capture.
    pub findings: Vec<Finding>,
    pub counts: Vec<FileCount>,
}

/// Of this many lines one may be new: beyond, reading the file whole costs little more.
const NEW_IN: usize = 12;

/// Sources of which a capture is much like the one before.
const TOLD_APART: [&str; 2] = ["statsdb", "statsdb-ids"];

/// Whether captures of the source can be told apart line by line.
#[must_use]
pub fn is_told_apart(source: &str) -> bool {
    TOLD_APART.contains(&source)
}

impl BaseCapture {
    /// `tables` are the facts of these files, whole. `None` if no difference can be told from them.
    ///
    /// # Errors
    /// A table does not follow its contract.
    pub fn new(
        source: &str,
        files: Vec<(String, Bytes)>,
        tables: &[(String, RecordBatch)],
    ) -> Result<Option<Self>, IngestError> {
        if !is_told_apart(source) {
            return Ok(None);
        }
        let (contract, mut known) = (layout::contract(source)?, Vec::new());
        for file in &contract.files {
            let batch = tables.iter().find(|(name, _)| *name == file.table).map(|(_, batch)| batch);
            let (Some(bytes), Some(batch)) = (layout::find(&files, &file.name), batch) else {
                return Ok(None);
            };
            let Ok(text) = text::decode(TextFormat::Table, bytes) else { return Ok(None) };
            let table_error = |source| IngestError::Table { table: file.table.clone(), source };
            let known_file = KnownRows::new(text, &TableReader::new(&file.table, batch), &file.key);
            known.push(known_file.map_err(table_error)?);
        }
        Ok(Some(Self { contract, files, known }))
    }

    /// What a capture of these files has that this one has not; `None` where it is to be read whole.
    ///
    /// # Errors
    /// A facts table cannot be built.
    pub fn difference(&self, files: &[(String, Bytes)]) -> Result<Option<CaptureDelta>, IngestError> {
        let mut whole = CaptureDelta { tables: Vec::new(), findings: Vec::new(), counts: Vec::new() };
        for (file, known) in self.contract.files.iter().zip(&self.known) {
            let Some(bytes) = layout::find(files, &file.name) else { return Ok(None) };
            // What is no text is refused when it is read whole.
            let Ok(text) = text::decode(TextFormat::Table, bytes) else { return Ok(None) };
            let Some((read, script)) = self.file(file, known, &text)? else { return Ok(None) };
            whole.tables.push((file.table.clone(), read.batch, script));
            whole.findings.extend(read.findings);
            whole.counts.push(read.count);
        }
        Ok(Some(whole))
    }

    fn file(
        &self,
        file: &SourceFile,
        known: &KnownRows,
        bytes: &[u8],
    ) -> Result<Option<(ReadFile, TablePatch)>, IngestError> {
        let Some(walk) = walk(known, bytes) else { return Ok(None) };
        let csv = CsvReader::picked(&file.name, &walk.picked, &self.contract.never_used, &walk.lines);
        let mut seen = SeenIds::with(known.ids_of(&walk.copied));
        let mut read = layout::read_file(self.contract, file, csv, &mut layout::read_declared, &mut seen)?;
        if seen.is_late {
            return Ok(None);
        }
        read.count.rows_in += walk.copied.len();
        read.count.rows_out += walk.copied.len();
        let script = script(&file.table, &read.batch, &walk.copied, known);
        let script = script.map_err(|source| IngestError::Table { table: file.table.clone(), source })?;
        Ok(Some((read, script)))
    }

    /// The files, as they were given.
    #[must_use]
    pub fn files(&self) -> &[(String, Bytes)] {
        &self.files
    }
}

/// A file taken apart into what the base has and what is to be read.
struct DeltaWalk {
    /// Rows of the base, with the lines on which they stand here.
    copied: Vec<(usize, i32)>,
    /// The header and every record that is to be read, as they stand.
    picked: Vec<u8>,
    /// Where each of these records stands.
    lines: Vec<i32>,
}

/// `None` where the file is to be read whole.
fn walk(known: &KnownRows, bytes: &[u8]) -> Option<DeltaWalk> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if known.header().is_empty() || !bytes.starts_with(known.header()) {
        return None;
    }
    let mut walk = DeltaWalk { copied: Vec::new(), picked: known.header().to_vec(), lines: Vec::new() };
    let (mut at, mut line) = (known.header().len(), 1 + newlines(known.header()));
    let (mut used, mut next) = (vec![false; known.lines()], 0);
    while let Some(byte) = bytes.get(at) {
        if matches!(byte, b'\n' | b'\r') {
            line += i32::from(*byte == b'\n');
            at += 1;
            continue;
        }
        if let Some((place, length)) = known.find(next, &bytes[at..], &used) {
            used[place] = true;
            walk.copied.push((known.row(place), line));
            (at, next) = (at + length, place + 1);
            continue;
        }
        let length = record(&bytes[at..])?;
        if is_endless(&bytes[at..at + length], at + length >= bytes.len()) {
            return None;
        }
        walk.picked.extend_from_slice(&bytes[at..at + length]);
        walk.lines.push(line);
        line += newlines(&bytes[at..at + length]);
        at += length;
        if walk.lines.len() > known.lines() / NEW_IN + 100 {
            return None;
        }
    }
    let columns = 1 + known.header().iter().filter(|byte| **byte == b',').count();
    let is_small = (walk.copied.len() + walk.lines.len()).saturating_mul(columns) <= max_cells();
    is_small.then_some(walk)
}

fn newlines(bytes: &[u8]) -> i32 {
    i32::try_from(bytes.iter().filter(|byte| **byte == b'\n').count()).unwrap_or(i32::MAX)
}

/// Length of the record that begins here, its line's end included. Most are a line; to make a reader costs more
/// than to read one. `None` if it is no CSV.
fn record(bytes: &[u8]) -> Option<usize> {
    let line = bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| end + 1);
    let content = bytes[..line].strip_suffix(b"\n").unwrap_or(&bytes[..line]);
    if known::is_record(content.strip_suffix(b"\r").unwrap_or(content)) {
        return Some(line);
    }
    let mut builder = ReaderBuilder::new();
    let builder = builder.has_headers(false).flexible(true).buffer_capacity(1 << 10);
    let mut reader = builder.from_reader(bytes);
    reader.read_byte_record(&mut ByteRecord::new()).ok()?;
    let length = usize::try_from(reader.position().byte()).unwrap_or(bytes.len());
    Some(length.clamp(1, bytes.len()))
}

/// The rows in the order of their lines.
fn script(
    table: &str,
    new: &RecordBatch,
    copied: &[(usize, i32)],
    known: &KnownRows,
) -> Result<TablePatch, fdna_schemas::ColumnError> {
    let mut script = TablePatch::default();
    let mut new = TableReader::new(table, new).counts("line")?.into_iter().peekable();
    for (row, line) in copied {
        while new.next_if(|new| new < line).is_some() {
            script.add();
        }
        script.copy(*row, line - known.line(*row));
    }
    new.for_each(|_| script.add());
    Ok(script)
}

type RowIds = HashMap<String, (i32, String)>;
