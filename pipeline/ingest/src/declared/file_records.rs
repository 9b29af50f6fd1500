//! A file as records: for each column that is read its text, whatever the format.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bytes::Bytes;
use fdna_model::{Finding, FindingKind, Severity};
use fdna_schemas::{CatalogColumn, CatalogFile, CatalogSource, ColumnRule, FileFormat};

use super::file_content::FileContent;
use super::html_records::{self, HtmlPlace};
use super::json_path::{JsonPath, PathBinding};
use super::workbook::{self, SheetRow};
use crate::csv_reader::{CsvReader, digest};
use crate::html_page::HtmlPage;
use crate::limits::{self, MAX_COLUMNS};
use crate::parse::one_space;
use crate::record_files::refused;
use crate::row::RowError;

/// Lines of titles that may stand before a header.
const MAX_TITLES: usize = 100;

/// One record of a file.
pub(super) struct FileRecord {
    /// Line of a text file; place among the records of any other, 1 first.
    pub(super) line: i32,
    pub(super) digest: String,
    /// For each column that is read, in the contract's order.
    pub(super) cells: Vec<Option<String>>,
    pub(super) place: RecordPlace,
    /// Why it cannot be taken for a row, whatever its values.
    pub(super) refusal: Option<String>,
}

/// Where a record stands in its file, for a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RecordPlace {
    /// Its line, or its place among the records.
    Line,
    /// Another line than the number by which it is known.
    OtherLine(i32),
    /// What the path of the records goes through.
    Path(Vec<PathBinding>),
}

impl FileRecord {
    pub(super) fn new(line: i32, digest: String, cells: Vec<Option<String>>) -> Self {
        Self { line, digest, cells, place: RecordPlace::Line, refusal: None }
    }

    /// For a finding: what it says, as far as it is read.
    pub(super) fn text(&self) -> String {
        let cells = self.cells.iter().map(|cell| cell.as_deref().unwrap_or(""));
        cells.collect::<Vec<_>>().join(" | ")
    }
}

/// The records of one file.
#[derive(Default)]
pub(super) struct FileRecords {
    pub(super) records: Vec<FileRecord>,
    /// Those set aside included.
    pub(super) rows_in: usize,
    /// Records that could not be taken apart, and notes.
    pub(super) findings: Vec<Finding>,
    /// Of a document, that of its records.
    pub(super) path: Option<JsonPath>,
}

/// Columns that are read, each with its name in the file.
pub(super) struct WantedColumns<'a> {
    pub(super) declared: &'a CatalogFile,
    pub(super) columns: Vec<&'a CatalogColumn>,
    /// What the star of the file's name stands for.
    pub(super) star: &'a str,
}

impl FileRecords {
    pub(super) fn of(
        source: &CatalogSource,
        declared: &CatalogFile,
        name: &str,
        content: &FileContent,
    ) -> Result<Self, RowError> {
        let columns = declared.columns.iter().filter(|column| column.is_read()).collect();
        let wanted = WantedColumns { declared, columns, star: declared.star_of(name).unwrap_or_default() };
        let text = match (content, declared.format) {
            (FileContent::Document(games), FileFormat::Retrosheet) => return wanted.retrosheet(name, games),
            (FileContent::Document(sets), FileFormat::ResultSets) => return wanted.result_sets(name, sets),
            (FileContent::Document(document), _) => return wanted.json(name, document),
            (FileContent::Bytes(text), _) => text,
        };
        match declared.format {
            FileFormat::Csv => wanted.csv(source, name, text),
            // The parquet crate panics on some damaged pages, which must be an error of that file alone.
            FileFormat::Parquet => catch_unwind(AssertUnwindSafe(|| wanted.parquet(name, text.clone())))
                .unwrap_or_else(|_| Err(unreadable("its bytes are damaged: the reader of Parquet stopped"))),
            FileFormat::Xlsx => catch_unwind(AssertUnwindSafe(|| wanted.workbook(name, text)))
                .unwrap_or_else(|_| {
                    Err(unreadable("its bytes are damaged: the reader of workbooks stopped"))
                }),
            FileFormat::Html => wanted.html(text),
            FileFormat::Jsonl => wanted.json_lines(source, name, text),
            FileFormat::Json | FileFormat::ResultSets | FileFormat::Retrosheet | FileFormat::Script => {
                Err(unreadable("it is no document"))
            }
        }
    }

    pub(super) fn set_aside(&self) -> usize {
        self.findings.iter().filter(|finding| finding.severity == Severity::Quarantine).count()
    }

    /// Sets aside what stands where records should, beside those that were found.
    ///
    /// # Errors
    /// None was: believed, the file would have no records.
    pub(super) fn add_odd(&mut self, file: &str, found: usize, odd: Vec<String>) -> Result<(), RowError> {
        if let (0, Some(why)) = (found, odd.first()) {
            return Err(unreadable(why));
        }
        self.rows_in += odd.len();
        self.findings.extend(odd.into_iter().map(|why| refused(file, 0, unreadable(why), None)));
        Ok(())
    }

    /// A finding about a record: by its line, or by its place in the document, which has no lines.
    pub(super) fn finding(
        &self,
        file: &str,
        record: &FileRecord,
        why: RowError,
        text: Option<&str>,
    ) -> Finding {
        let (line, reason) = match (self.path_of(record), &record.place) {
            (Some(path), _) => (0, format!("`{path}`: {}", why.reason)),
            (None, RecordPlace::OtherLine(line)) => (*line, why.reason),
            (None, _) => (record.line, why.reason),
        };
        refused(file, line, RowError { reason, ..why }, text)
    }

    /// Where a record of a document stands, such as `days[0].games[3]`.
    fn path_of(&self, record: &FileRecord) -> Option<String> {
        match &record.place {
            RecordPlace::Path(bounds) if !bounds.is_empty() => Some(self.path.as_ref()?.place_of(bounds)),
            _ => None,
        }
    }

    /// The refusal of a record because of another of this number, told by where that one stands.
    pub(super) fn because_of(&self, number: i32, why: RowError) -> RowError {
        let other = self.records.binary_search_by_key(&number, |record| record.line);
        let Ok(Some(other)) = other.map(|at| self.records.get(at)) else { return why };
        let place = match &other.place {
            RecordPlace::OtherLine(line) => format!("line {line}"),
            _ => self.path_of(other).map_or_else(|| format!("line {number}"), |path| format!("`{path}`")),
        };
        RowError { reason: why.reason.replace(&format!("line {number}"), &place), ..why }
    }
}

pub(super) fn unreadable(reason: impl Into<String>) -> RowError {
    RowError::new(FindingKind::UnreadableValue, reason)
}

fn no_header(first: Option<&str>) -> RowError {
    let reason = format!("no line of it begins with `{}`, as its header does", first.unwrap_or_default());
    RowError::new(FindingKind::MissingColumn, reason)
}

/// How many lines stand before the header, and the text from it on.
fn behind_titles<'t>(text: &'t [u8], first: &str) -> Result<(i32, &'t [u8]), RowError> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
    let mut record = csv::ByteRecord::new();
    for _ in 0..MAX_TITLES {
        let read = reader.read_byte_record(&mut record);
        if !read.map_err(|error| unreadable(format!("it is no CSV: {error}")))? {
            break;
        }
        let field = record.get(0).map(|field| one_space(&String::from_utf8_lossy(field)));
        if field.as_deref() == Some(first) {
            let begin = record.position().and_then(|at| usize::try_from(at.byte()).ok()).unwrap_or_default();
            let (before, rest) = text.split_at_checked(begin).unwrap_or((text, b""));
            return Ok((line(memchr::memchr_iter(b'\n', before).count()), rest));
        }
    }
    Err(no_header(Some(first)))
}

pub(super) fn line(place: usize) -> i32 {
    i32::try_from(place).unwrap_or(i32::MAX)
}

impl WantedColumns<'_> {
    /// Where each column stands in a header; `None` for one that the file may lack, or that is no column of it.
    pub(super) fn places(&self, header: &[String]) -> Result<Vec<Option<usize>>, RowError> {
        limits::check("columns", header.len(), MAX_COLUMNS)?;
        let place = |column: &&CatalogColumn| {
            let place = header.iter().position(|name| *name == column.name);
            let may_lack = column.rule == ColumnRule::Optional || column.name.starts_with(['@', '$']);
            if place.is_none() && !may_lack {
                let reason = format!("column `{}` is missing", column.name);
                return Err(RowError::new(FindingKind::MissingColumn, reason));
            }
            Ok(place)
        };
        self.columns.iter().map(place).collect()
    }

    /// A note for each column of a file that the contract does not name.
    pub(super) fn unknown(&self, name: &str, header: &[String]) -> Vec<Finding> {
        let known = |header: &&String| self.declared.columns.iter().any(|column| column.name == **header);
        let new = header.iter().filter(|header| !known(header));
        new.map(|header| {
            let reason = format!("column `{header}` is not in the contract");
            refused(name, 0, RowError::note(FindingKind::UnknownColumn, reason), None)
        })
        .collect()
    }

    /// A row of a table, of what stands in each of its columns.
    pub(super) fn record(
        &self,
        line: i32,
        digest: String,
        places: &[Option<usize>],
        cell: impl Fn(usize) -> Option<String>,
    ) -> FileRecord {
        let cells = self.columns.iter().zip(places).map(|(column, place)| match &*column.name {
            "@file" => Some(self.star.to_owned()),
            _ => place.and_then(&cell),
        });
        FileRecord::new(line, digest, cells.collect())
    }

    /// A file whose first line names no columns, behind a line with those of the contract.
    fn with_header(&self, text: &[u8]) -> Vec<u8> {
        let names = self.declared.columns.iter().map(|column| column.name.as_str());
        let names = names.filter(|name| !name.starts_with('@')).collect::<Vec<_>>().join(",");
        [names.as_bytes(), b"\n", text].concat()
    }

    fn csv(&self, source: &CatalogSource, name: &str, text: &[u8]) -> Result<FileRecords, RowError> {
        let headed = (!self.declared.has_header).then(|| self.with_header(text));
        let (title_lines, text) = match &self.declared.header {
            Some(first) => behind_titles(text, first)?,
            None => (0, text),
        };
        // The reader sees no titles, and a header that is ours and not the file's.
        let above = title_lines - i32::from(headed.is_some());
        let in_file = |line: i32| line.saturating_add(above);
        let begin = if self.declared.has_quotes { CsvReader::new } else { CsvReader::unquoted };
        let mut csv = begin(name, headed.as_deref().unwrap_or(text), &source.never_used);
        if self.declared.header.is_some() {
            csv.header.iter_mut().for_each(|name| *name = one_space(name));
        }
        csv.check_usable()?;
        let places = self.places(&csv.header)?;
        let (mut records, mut n_empty) = (Vec::new(), 0);
        while let Some(rows) = csv.next_rows() {
            for (row, (line, digest)) in rows.lines.iter().zip(&rows.digests).enumerate() {
                let text = |place: usize| rows.text(row, place);
                let mut texts = (0..csv.header.len()).filter_map(text);
                if self.declared.skips_empty_rows && texts.all(|text| text.trim().is_empty()) {
                    n_empty += 1;
                    continue;
                }
                let cell = |place: usize| text(place).map(str::to_owned);
                records.push(self.record(in_file(*line), digest.clone(), &places, cell));
            }
        }
        csv.check_usable()?;
        let mut findings = self.unknown(name, &csv.header);
        let located = |finding: Finding| Finding { line: in_file(finding.line), ..finding };
        findings.extend(csv.findings.into_iter().map(located));
        Ok(FileRecords { records, rows_in: csv.rows_in - n_empty, findings, path: None })
    }

    /// Rows of a sheet, whose numbers are their lines. What stands above the header is its title.
    fn workbook(&self, name: &str, bytes: &Bytes) -> Result<FileRecords, RowError> {
        let mut rows = workbook::rows(bytes)?.into_iter();
        let is_header = |row: &SheetRow| {
            let first = row.cells.first().and_then(Option::as_deref).map(one_space);
            self.declared.header.as_ref().is_none_or(|name| first.as_ref() == Some(name))
        };
        let header = rows.find(is_header).ok_or_else(|| no_header(self.declared.header.as_deref()))?;
        let header: Vec<String> =
            header.cells.iter().map(|cell| one_space(cell.as_deref().unwrap_or_default())).collect();
        let places = self.places(&header)?;
        let findings = self.unknown(name, &header);
        let mut all = FileRecords { records: Vec::new(), rows_in: 0, findings, path: None };
        for row in rows {
            all.rows_in += 1;
            let texts: Vec<&str> = row.cells.iter().map(|cell| cell.as_deref().unwrap_or_default()).collect();
            let whole = texts.join("\u{1f}");
            if row.cells.len() > header.len() {
                let reason = format!("{} fields where the header has {}", row.cells.len(), header.len());
                let refusal = RowError::new(FindingKind::FieldCount, reason);
                all.findings.push(refused(name, row.number, refusal, Some(&texts.join(" | "))));
                continue;
            }
            let cell = |place: usize| row.cells.get(place).cloned().flatten();
            all.records.push(self.record(row.number, digest(whole.as_bytes()), &places, cell));
        }
        Ok(all)
    }

    fn html(&self, text: &[u8]) -> Result<FileRecords, RowError> {
        let places = self.columns.iter().map(|column| HtmlPlace::parse(&column.name));
        let places = places.collect::<Result<Vec<_>, _>>()?;
        let records = self.declared.records.as_deref().unwrap_or_default();
        let found = html_records::read(&HtmlPage::parse(text)?, records, &places, self.star)?;
        let records = found.into_iter().enumerate().map(|(at, cells)| {
            let mut record = FileRecord::new(line(at + 1), String::new(), cells);
            record.digest = digest(record.text().as_bytes());
            record
        });
        let records: Vec<FileRecord> = records.collect();
        Ok(FileRecords { rows_in: records.len(), records, findings: Vec::new(), path: None })
    }
}
