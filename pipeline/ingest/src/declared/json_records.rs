//! Records of documents: JSON, its lines, result sets, and what is made one, as modules of constants and event files.

use fdna_model::FindingKind;
use fdna_schemas::{CatalogColumn, CatalogSource, ColumnType};
use serde_json::Value;

use super::file_content::parse_json;
use super::file_records::{FileRecord, FileRecords, RecordPlace, WantedColumns, line, unreadable};
use super::json_path::{FoundRecord, JsonPath, PathBinding, text_of};
use super::result_set::ResultSet;
use super::value_shapes::{KnownShapes, ValueShape, shape_of};
use crate::csv_reader::digest;
use crate::record_files::refused;
use crate::row::RowError;

/// The paths of each column, and the shapes that they read.
#[derive(Default)]
struct JsonColumns {
    paths: Vec<Vec<JsonPath>>,
    shapes: KnownShapes,
}

impl JsonColumns {
    /// What stands at the first of these paths that leads to something.
    ///
    /// # Errors
    /// A value is of a shape that no path of the contract reads.
    fn cell(
        &self,
        paths: &[JsonPath],
        document: &Value,
        found: &FoundRecord<'_>,
    ) -> Result<Option<String>, String> {
        for path in paths {
            let value = path.value(document, found, &self.shapes)?.filter(|value| !value.is_null());
            if let Some(value) = value {
                self.shapes.check_end(path, value)?;
                return Ok(text_of(value));
            }
        }
        Ok(None)
    }
}

/// Whether a column takes lists and objects.
fn is_json(column: &CatalogColumn) -> bool {
    column.kind == ColumnType::Json || column.parse.as_deref() == Some("json")
}

impl WantedColumns<'_> {
    pub(super) fn json(&self, name: &str, document: &Value) -> Result<FileRecords, RowError> {
        self.document(name, document, |found| RecordPlace::Path(found.bounds))
    }

    /// Records of an event file, each on its own line or on the first of its game.
    pub(super) fn retrosheet(&self, name: &str, document: &Value) -> Result<FileRecords, RowError> {
        let number = |value: &Value| value["line"].as_i64().and_then(|line| i32::try_from(line).ok());
        let of_game = |found: &FoundRecord<'_>| match found.bounds.first() {
            Some(PathBinding::Item(game)) => number(&document["games"][*game]),
            _ => None,
        };
        self.document(name, document, |found| {
            number(found.value).or_else(|| of_game(&found)).map_or(RecordPlace::Line, RecordPlace::OtherLine)
        })
    }

    fn document<'v>(
        &self,
        name: &str,
        document: &'v Value,
        place: impl Fn(FoundRecord<'v>) -> RecordPlace,
    ) -> Result<FileRecords, RowError> {
        let whole = if document.is_array() { "$[*]" } else { "$" };
        let path = self.declared.records.as_deref().unwrap_or(whole);
        let path = JsonPath::parse(path).ok_or_else(|| unreadable("the path of its records is none"))?;
        let columns = self.json_columns()?;
        let (found, odd) = path.records(document);
        let records = found.into_iter().enumerate().map(|(at, found)| {
            let mut record = self.json_record(line(at + 1), document, &found, &columns);
            record.place = place(found);
            record
        });
        let records: Vec<FileRecord> = records.collect();
        let mut all = FileRecords { rows_in: records.len(), records, ..FileRecords::default() };
        all.add_odd(name, all.rows_in, odd)?;
        Ok(FileRecords { path: Some(path), ..all })
    }

    /// The paths of each column.
    fn json_columns(&self) -> Result<JsonColumns, RowError> {
        let parse = |name: &str| {
            let path = JsonPath::parse(if name.starts_with('@') { "" } else { name });
            path.ok_or_else(|| unreadable(format!("its contract has no path: `{name}`")))
        };
        let mut columns = JsonColumns::default();
        for column in &self.columns {
            let names = std::iter::once(&column.name).chain(&column.or);
            let paths = names.map(|name| parse(name)).collect::<Result<Vec<_>, _>>()?;
            let end: &[ValueShape] = if is_json(column) {
                &[ValueShape::Object, ValueShape::List, ValueShape::Scalar]
            } else {
                &[ValueShape::Scalar]
            };
            if !column.name.starts_with('@') {
                paths.iter().for_each(|path| columns.shapes.add(path, end));
            }
            columns.paths.push(paths);
        }
        Ok(columns)
    }

    fn json_record(
        &self,
        line: i32,
        document: &Value,
        found: &FoundRecord<'_>,
        columns: &JsonColumns,
    ) -> FileRecord {
        let mut refusal = None;
        let cells = self.columns.iter().zip(&columns.paths).map(|(column, paths)| match &*column.name {
            "@file" => Some(self.star.to_owned()),
            name if name.starts_with("@key") => found.key(name).map(str::to_owned),
            _ => columns.cell(paths, document, found).unwrap_or_else(|why| {
                refusal.get_or_insert(why);
                None
            }),
        });
        let cells: Vec<_> = cells.collect();
        let mut record = FileRecord::new(line, String::new(), cells);
        record.refusal = refusal;
        // What a record takes from above is part of what it says.
        record.digest = digest(record.text().as_bytes());
        record
    }

    /// For each column what the document says of all its rows, at a path that begins with `$`.
    fn of_document(&self, document: &Value) -> Result<Vec<Option<String>>, RowError> {
        let whole = FoundRecord { value: document, bounds: Vec::new() };
        let columns = self.json_columns()?;
        let stated = |(column, paths): (&&CatalogColumn, &Vec<JsonPath>)| match column.name.starts_with('$') {
            true => columns.cell(paths, document, &whole).map_err(unreadable),
            false => Ok(None),
        };
        self.columns.iter().zip(&columns.paths).map(stated).collect()
    }

    pub(super) fn result_sets(&self, name: &str, document: &Value) -> Result<FileRecords, RowError> {
        let text = self.declared.records.as_deref().unwrap_or("$");
        let path = JsonPath::parse(text).ok_or_else(|| unreadable("the path of its records is none"))?;
        let of_document = self.of_document(document)?;
        let mut all =
            FileRecords { path: JsonPath::parse(&format!("{text}.rowSet[*]")), ..FileRecords::default() };
        let (found, odd) = path.records(document);
        all.add_odd(name, found.len(), odd)?;
        for found in found {
            let set = ResultSet::of(found.value).ok_or_else(|| unreadable("it has no headers and rows"))?;
            let header: Vec<String> = set.headers.iter().map(|name| (*name).to_owned()).collect();
            let places = self.places(&header)?;
            all.findings.extend(self.unknown(name, &header));
            for (of_set, row) in set.rows.iter().enumerate() {
                all.rows_in += 1;
                let cell = |place: usize| row.get(place).and_then(text_of);
                let mut record = self.record(line(all.rows_in), String::new(), &places, cell);
                let bounds = found.bounds.iter().cloned().chain([PathBinding::Item(of_set)]);
                record.place = RecordPlace::Path(bounds.collect());
                if row.as_array().is_none_or(|row| row.len() != header.len()) {
                    let why = RowError::new(FindingKind::FieldCount, "it has not the columns of the header");
                    let finding = all.finding(name, &record, why, Some(&row.to_string()));
                    all.findings.push(finding);
                    continue;
                }
                let placed =
                    self.columns.iter().zip(&places).filter_map(|(column, place)| Some((column, (*place)?)));
                let nested = placed.map(|(column, place)| (column, &row[place]));
                let nested = nested.filter(|(column, _)| !is_json(column));
                record.refusal = nested
                    .map(|(column, value)| (column, shape_of(value), value))
                    .find(|(_, shape, _)| *shape != ValueShape::Scalar)
                    .map(|(column, shape, value)| {
                        format!("`{}` is {}: `{value}`", column.name, shape.name())
                    });
                let stated = record.cells.iter_mut().zip(&of_document);
                stated.for_each(|(cell, stated)| *cell = cell.take().or_else(|| stated.clone()));
                record.digest = digest(record.text().as_bytes());
                all.records.push(record);
            }
        }
        Ok(all)
    }

    pub(super) fn json_lines(
        &self,
        source: &CatalogSource,
        name: &str,
        text: &[u8],
    ) -> Result<FileRecords, RowError> {
        let columns = self.json_columns()?;
        let mut all = FileRecords::default();
        for (at, text) in text.split(|byte| *byte == b'\n').enumerate() {
            if text.trim_ascii().is_empty() {
                continue;
            }
            all.rows_in += 1;
            match parse_json(text, source) {
                Ok(value) => {
                    let found = FoundRecord { value: &value, bounds: Vec::new() };
                    all.records.push(self.json_record(line(at + 1), &value, &found, &columns));
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
