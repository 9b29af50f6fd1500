//! A file as records: for each column that is read its text, whatever the format.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow::array::{Array as _, ArrayRef, AsArray as _};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use arrow::error::ArrowError;
use bytes::Bytes;
use fdna_model::{Finding, FindingKind, Severity};
use fdna_schemas::{CatalogColumn, CatalogFile, CatalogSource, ColumnRule, FileFormat, without_gz};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;

use super::gzip;
use super::html_records::{self, HtmlPlace};
use super::json_path::{FoundRecord, JsonPath, text_of};
use super::result_set::ResultSet;
use super::retrosheet;
use super::script;
use super::strict_json;
use super::workbook::{self, SheetRow};
use crate::csv_reader::{CsvReader, digest};
use crate::html_page::HtmlPage;
use crate::limits::{self, MAX_COLUMNS, TextFormat};
use crate::parse::one_space;
use crate::record_files::{drop_fields, refused};
use crate::row::RowError;
use crate::text;

/// Lines of titles that may stand before a header.
const MAX_TITLES: usize = 100;

/// What a file holds, decompressed and decoded.
pub(super) struct FileText(Bytes);

impl FileText {
    pub(super) fn open(name: &str, declared: &CatalogFile, bytes: &Bytes) -> Result<Self, RowError> {
        let bytes = if without_gz(name) == name { bytes.clone() } else { gzip::expanded(bytes)? };
        let format = match declared.format {
            FileFormat::Parquet | FileFormat::Xlsx => return Ok(Self(bytes)),
            FileFormat::Csv | FileFormat::Retrosheet => TextFormat::Table,
            FileFormat::Html => TextFormat::Page,
            FileFormat::Json | FileFormat::ResultSets | FileFormat::Jsonl | FileFormat::Script => {
                TextFormat::Json
            }
        };
        let bytes = match &declared.encoding {
            Some(encoding) => text::from_encoding(encoding, &bytes)?,
            None => bytes,
        };
        let decoded = text::decode(format, &bytes)?;
        if !declared.ends_in_returns {
            return Ok(Self(decoded));
        }
        let lines = decoded.iter().map(|byte| if *byte == b'\r' { b'\n' } else { *byte });
        Ok(Self(lines.collect::<Vec<u8>>().into()))
    }
}

/// One record of a file.
pub(super) struct FileRecord {
    /// Line of a text file; place among the records of any other, 1 first.
    pub(super) line: i32,
    pub(super) digest: String,
    /// For each column that is read, in the contract's order.
    pub(super) cells: Vec<Option<String>>,
}

impl FileRecord {
    /// For a finding: what it says, as far as it is read.
    pub(super) fn text(&self) -> String {
        let cells = self.cells.iter().map(|cell| cell.as_deref().unwrap_or(""));
        cells.collect::<Vec<_>>().join(" | ")
    }
}

/// The records of one file.
pub(super) struct FileRecords {
    pub(super) records: Vec<FileRecord>,
    /// Those set aside included.
    pub(super) rows_in: usize,
    /// Records that could not be taken apart, and notes.
    pub(super) findings: Vec<Finding>,
}

/// Columns that are read, each with its name in the file.
struct WantedColumns<'a> {
    declared: &'a CatalogFile,
    columns: Vec<&'a CatalogColumn>,
    /// What the star of the file's name stands for.
    star: &'a str,
}

impl FileRecords {
    pub(super) fn of(
        source: &CatalogSource,
        declared: &CatalogFile,
        name: &str,
        FileText(text): FileText,
    ) -> Result<Self, RowError> {
        let columns = declared.columns.iter().filter(|column| column.is_read()).collect();
        let wanted = WantedColumns { declared, columns, star: declared.star_of(name).unwrap_or_default() };
        match declared.format {
            FileFormat::Csv => wanted.csv(source, name, &text),
            // The parquet crate panics on some damaged pages, which must be an error of that file alone.
            FileFormat::Parquet => catch_unwind(AssertUnwindSafe(|| wanted.parquet(name, text)))
                .unwrap_or_else(|_| Err(unreadable("its bytes are damaged: the reader of Parquet stopped"))),
            FileFormat::Xlsx => catch_unwind(AssertUnwindSafe(|| wanted.workbook(name, &text)))
                .unwrap_or_else(|_| {
                    Err(unreadable("its bytes are damaged: the reader of workbooks stopped"))
                }),
            FileFormat::Html => wanted.html(&text),
            FileFormat::Json => wanted.json(&parsed(&text, source)?),
            FileFormat::Script => wanted.json(&constants(&text, source)?),
            FileFormat::Retrosheet => wanted.json(&retrosheet_games(&text)?),
            FileFormat::ResultSets => wanted.result_sets(name, &parsed(&text, source)?),
            FileFormat::Jsonl => wanted.json_lines(source, name, &text),
        }
    }

    pub(super) fn set_aside(&self) -> usize {
        self.findings.iter().filter(|finding| finding.severity == Severity::Quarantine).count()
    }
}

fn parsed(text: &[u8], source: &CatalogSource) -> Result<Value, RowError> {
    let mut document =
        strict_json::read(text).map_err(|error| unreadable(format!("it is no JSON: {error}")))?;
    drop_fields(&mut document, &source.never_used);
    Ok(document)
}

/// A column of Parquet as text. Instants are in UTC whatever zone their column names, which is not looked up.
fn text_column(column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match column.data_type() {
        DataType::Timestamp(unit, Some(_)) => {
            let since_epoch = cast(column, &DataType::Int64)?;
            cast(&cast(&since_epoch, &DataType::Timestamp(*unit, None))?, &DataType::Utf8)
        }
        _ => cast(column, &DataType::Utf8),
    }
}

/// The constants of a module, without what is never used.
fn constants(text: &[u8], source: &CatalogSource) -> Result<Value, RowError> {
    let text = std::str::from_utf8(text).map_err(|_| unreadable("it is no UTF-8"))?;
    let mut document = script::document(text).map_err(unreadable)?;
    drop_fields(&mut document, &source.never_used);
    Ok(document)
}

fn retrosheet_games(text: &[u8]) -> Result<Value, RowError> {
    let text = std::str::from_utf8(text).map_err(|_| unreadable("it is no UTF-8"))?;
    retrosheet::document(text).map_err(unreadable)
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

fn line(place: usize) -> i32 {
    i32::try_from(place).unwrap_or(i32::MAX)
}

impl WantedColumns<'_> {
    /// Where each column stands in a header; `None` for one that the file may lack, or that is no column of it.
    fn places(&self, header: &[String]) -> Result<Vec<Option<usize>>, RowError> {
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
    fn unknown(&self, name: &str, header: &[String]) -> Vec<Finding> {
        let known = |header: &&String| self.declared.columns.iter().any(|column| column.name == **header);
        let new = header.iter().filter(|header| !known(header));
        new.map(|header| {
            let reason = format!("column `{header}` is not in the contract");
            refused(name, 0, RowError::note(FindingKind::UnknownColumn, reason), None)
        })
        .collect()
    }

    /// A row of a table, of what stands in each of its columns.
    fn record(
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
        FileRecord { line, digest, cells: cells.collect() }
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
        Ok(FileRecords { records, rows_in: csv.rows_in - n_empty, findings })
    }

    fn parquet(&self, name: &str, bytes: Bytes) -> Result<FileRecords, RowError> {
        let failed = |error: &dyn std::error::Error| unreadable(format!("it is no Parquet: {error}"));
        let builder = ParquetRecordBatchReaderBuilder::try_new(bytes).map_err(|e| failed(&e))?;
        let header: Vec<String> = builder.schema().fields().iter().map(|f| f.name().clone()).collect();
        let places = self.places(&header)?;
        // Places among the texts, which stand in the columns' order.
        let own: Vec<_> = places.iter().enumerate().map(|(at, place)| place.map(|_| at)).collect();
        let rows = usize::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(usize::MAX);
        limits::check("cells", rows.saturating_mul(header.len()), limits::max_cells())?;
        let mut records = Vec::with_capacity(rows);
        for batch in builder.build().map_err(|e| failed(&e))? {
            let batch = batch.map_err(|e| failed(&e))?;
            let texts = places.iter().map(|place| {
                let column = place.map(|place| text_column(batch.column(place))).transpose();
                column.map_err(|e| failed(&e))
            });
            let texts = texts.collect::<Result<Vec<_>, _>>()?;
            for row in 0..batch.num_rows() {
                let of = |at: usize| {
                    let column = texts[at].as_ref()?.as_string_opt::<i32>()?;
                    (!column.is_null(row)).then(|| column.value(row).to_owned())
                };
                let mut record = self.record(line(records.len() + 1), String::new(), &own, of);
                record.digest = digest(record.text().as_bytes());
                records.push(record);
            }
        }
        Ok(FileRecords { rows_in: records.len(), records, findings: self.unknown(name, &header) })
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
        let mut all = FileRecords { records: Vec::new(), rows_in: 0, findings: self.unknown(name, &header) };
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
            let mut record = FileRecord { line: line(at + 1), digest: String::new(), cells };
            record.digest = digest(record.text().as_bytes());
            record
        });
        let records: Vec<FileRecord> = records.collect();
        Ok(FileRecords { rows_in: records.len(), records, findings: Vec::new() })
    }

    fn json(&self, document: &Value) -> Result<FileRecords, RowError> {
        let whole = if document.is_array() { "$[*]" } else { "$" };
        let path = self.declared.records.as_deref().unwrap_or(whole);
        let path = JsonPath::parse(path).ok_or_else(|| unreadable("the path of its records is none"))?;
        let paths = self.paths()?;
        let found = path.records(document);
        let records: Vec<FileRecord> = found
            .iter()
            .enumerate()
            .map(|(at, found)| self.json_record(line(at + 1), document, found, &paths))
            .collect();
        Ok(FileRecords { rows_in: records.len(), records, findings: Vec::new() })
    }

    fn paths(&self) -> Result<Vec<JsonPath>, RowError> {
        let path = |column: &&CatalogColumn| {
            let path = JsonPath::parse(column.name.strip_prefix('@').map_or(&column.name, |_| ""));
            path.ok_or_else(|| unreadable(format!("its contract has no path: `{}`", column.name)))
        };
        self.columns.iter().map(path).collect()
    }

    fn json_record(
        &self,
        line: i32,
        document: &Value,
        found: &FoundRecord<'_>,
        paths: &[JsonPath],
    ) -> FileRecord {
        let cells = self.columns.iter().zip(paths).map(|(column, path)| match &*column.name {
            "@file" => Some(self.star.to_owned()),
            name if name.starts_with("@key") => found.key(name).map(str::to_owned),
            _ => path.value(document, found).and_then(text_of),
        });
        let cells: Vec<_> = cells.collect();
        let mut record = FileRecord { line, digest: String::new(), cells };
        // What a record takes from above is part of what it says.
        record.digest = digest(record.text().as_bytes());
        record
    }

    /// For each column what the document says of all its rows, at a path that begins with `$`.
    fn of_document(&self, document: &Value) -> Result<Vec<Option<String>>, RowError> {
        let whole = FoundRecord { value: document, bounds: Vec::new() };
        let stated = |column: &&CatalogColumn| {
            if !column.name.starts_with('$') {
                return Ok(None);
            }
            let path = JsonPath::parse(&column.name);
            let path =
                path.ok_or_else(|| unreadable(format!("its contract has no path: `{}`", column.name)))?;
            Ok(path.value(document, &whole).and_then(text_of))
        };
        self.columns.iter().map(stated).collect()
    }

    fn result_sets(&self, name: &str, document: &Value) -> Result<FileRecords, RowError> {
        let path = JsonPath::parse(self.declared.records.as_deref().unwrap_or("$"));
        let path = path.ok_or_else(|| unreadable("the path of its records is none"))?;
        let of_document = self.of_document(document)?;
        let mut all = FileRecords { records: Vec::new(), rows_in: 0, findings: Vec::new() };
        for found in path.records(document) {
            let set = ResultSet::of(found.value).ok_or_else(|| unreadable("it has no headers and rows"))?;
            let header: Vec<String> = set.headers.iter().map(|name| (*name).to_owned()).collect();
            let places = self.places(&header)?;
            all.findings.extend(self.unknown(name, &header));
            for row in set.rows {
                all.rows_in += 1;
                let at = line(all.rows_in);
                match row.as_array().filter(|row| row.len() == header.len()) {
                    Some(cells) => {
                        let mut record =
                            self.record(at, String::new(), &places, |place| text_of(&cells[place]));
                        let stated = record.cells.iter_mut().zip(&of_document);
                        stated.for_each(|(cell, stated)| *cell = cell.take().or_else(|| stated.clone()));
                        record.digest = digest(record.text().as_bytes());
                        all.records.push(record);
                    }
                    None => {
                        let refusal =
                            RowError::new(FindingKind::FieldCount, "it has not the columns of the header");
                        all.findings.push(refused(name, at, refusal, Some(&row.to_string())));
                    }
                }
            }
        }
        Ok(all)
    }

    fn json_lines(&self, source: &CatalogSource, name: &str, text: &[u8]) -> Result<FileRecords, RowError> {
        let paths = self.paths()?;
        let mut all = FileRecords { records: Vec::new(), rows_in: 0, findings: Vec::new() };
        for (at, text) in text.split(|byte| *byte == b'\n').enumerate() {
            if text.trim_ascii().is_empty() {
                continue;
            }
            all.rows_in += 1;
            match parsed(text, source) {
                Ok(value) => {
                    let found = FoundRecord { value: &value, bounds: Vec::new() };
                    all.records.push(self.json_record(line(at + 1), &value, &found, &paths));
                }
                Err(refusal) => {
                    let raw = String::from_utf8_lossy(text);
                    all.findings.push(refused(name, line(at + 1), refusal, Some(&raw)));
                }
            }
        }
        Ok(all)
    }
}
