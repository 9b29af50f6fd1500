//! Content of a file, decompressed, decoded and, if it is a document, parsed: once for all tables that are read of it.

use bytes::Bytes;
use fdna_schemas::{CatalogFile, CatalogSource, FileFormat, without_gz};
use serde_json::Value;

use super::file_records::unreadable;
use super::gzip;
use super::retrosheet;
use super::script;
use super::strict_json;
use crate::limits::TextFormat;
use crate::record_files::drop_fields;
use crate::row::RowError;
use crate::text;

pub(super) enum FileContent {
    /// Of a format whose records are read one after the other.
    Bytes(Bytes),
    /// Without what is never used.
    Document(Value),
}

/// How a form of file wants it taken apart: forms that want the same share what it holds.
type Reading<'s> = (FileFormat, Option<&'s str>, bool);

/// A file of a capture. What it holds is found out when a form of it asks first.
pub(super) struct CapturedFile<'s> {
    source: &'s CatalogSource,
    name: &'s str,
    bytes: &'s Bytes,
    read: Vec<(Reading<'s>, Result<FileContent, RowError>)>,
}

impl<'s> CapturedFile<'s> {
    pub(super) fn new(source: &'s CatalogSource, name: &'s str, bytes: &'s Bytes) -> Self {
        Self { source, name, bytes, read: Vec::new() }
    }

    /// What it holds, as a form of it reads it.
    ///
    /// # Errors
    /// It is not what the form says: no text of that encoding, no document.
    pub(super) fn content(&mut self, form: &'s CatalogFile) -> Result<&FileContent, RowError> {
        let reading = (form.format, form.encoding.as_deref(), form.ends_in_returns);
        let known = self.read.iter().position(|(known, _)| *known == reading);
        let at = known.unwrap_or_else(|| {
            let content = decode_file(self.name, form, self.bytes)
                .and_then(|text| parse_content(self.source, form, text));
            self.read.push((reading, content));
            self.read.len() - 1
        });
        self.read[at].1.as_ref().map_err(Clone::clone)
    }
}

/// A file decompressed and, if it is text, decoded.
fn decode_file(name: &str, form: &CatalogFile, bytes: &Bytes) -> Result<Bytes, RowError> {
    let bytes = if without_gz(name) == name { bytes.clone() } else { gzip::expanded(bytes)? };
    let format = match form.format {
        FileFormat::Parquet | FileFormat::Xlsx => return Ok(bytes),
        FileFormat::Csv | FileFormat::Retrosheet => TextFormat::Table,
        FileFormat::Html => TextFormat::Page,
        FileFormat::Json | FileFormat::ResultSets | FileFormat::Jsonl | FileFormat::Script => {
            TextFormat::Json
        }
    };
    let bytes = match &form.encoding {
        Some(encoding) => text::from_encoding(encoding, &bytes)?,
        None => bytes,
    };
    let decoded = text::decode(format, &bytes)?;
    if !form.ends_in_returns {
        return Ok(decoded);
    }
    let lines = decoded.iter().map(|byte| if *byte == b'\r' { b'\n' } else { *byte });
    Ok(lines.collect::<Vec<u8>>().into())
}

fn parse_content(source: &CatalogSource, form: &CatalogFile, text: Bytes) -> Result<FileContent, RowError> {
    let document = match form.format {
        FileFormat::Csv | FileFormat::Parquet | FileFormat::Xlsx | FileFormat::Html | FileFormat::Jsonl => {
            return Ok(FileContent::Bytes(text));
        }
        FileFormat::Json | FileFormat::ResultSets => parse_json(&text, source)?,
        FileFormat::Script => {
            let mut constants = script::document(as_utf8(&text)?).map_err(unreadable)?;
            drop_fields(&mut constants, &source.never_used);
            constants
        }
        FileFormat::Retrosheet => retrosheet::document(as_utf8(&text)?).map_err(unreadable)?,
    };
    Ok(FileContent::Document(document))
}

/// A JSON document without what is never used.
pub(super) fn parse_json(text: &[u8], source: &CatalogSource) -> Result<Value, RowError> {
    let mut document =
        strict_json::read(text).map_err(|error| unreadable(format!("it is no JSON: {error}")))?;
    drop_fields(&mut document, &source.never_used);
    Ok(document)
}

fn as_utf8(text: &[u8]) -> Result<&str, RowError> {
    std::str::from_utf8(text).map_err(|_| unreadable("it is no UTF-8"))
}
