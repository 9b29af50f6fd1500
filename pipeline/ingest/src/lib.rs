//! Source files to source facts: typed rows that keep file, line and digest, and findings for the rest.
//!
//! One module per source. A row is either in a facts table or in a finding: rows in = rows out + rows set
//! aside, per file, in [`FileCount`].

mod address;
pub mod articles;
mod capture_delta;
pub mod cards;
pub mod career;
mod column_parser;
mod csv_reader;
mod declared;
mod error;
mod fact_columns;
mod fact_rows;
pub mod feed;
pub mod feed_captures;
pub mod feed_history;
pub mod feed_tables;
mod html_page;
pub mod images;
mod ingested;
mod instant;
mod layout;
mod limits;
mod misplaced;
#[cfg(test)]
mod mutate;
pub mod news;
mod parse;
mod parsed_value;
mod record;
mod record_files;
mod record_rows;
mod row;
mod rss_atom;
mod schedule;
mod statsdb;
pub mod statsdb_html;
mod table_patch;
#[cfg(test)]
mod testing;
mod text;
mod truncation;
pub mod videos;
pub mod wire;

use bytes::Bytes;
use fdna_model::{Finding, Severity};
use fdna_schemas::CatalogSource;

use self::limits::TextFormat;

pub use capture_delta::{BaseCapture, CaptureDelta, is_told_apart};
pub use error::IngestError;
pub use ingested::{FileCount, IngestedCapture};
pub use limits::{DEFAULT_FILE_MIB, max_file_bytes, set_max_file_mib, too_large};
pub use misplaced::misplaced;
pub use table_patch::{PatchError, PatchOp, TablePatch};
pub use truncation::{FileEnd, ends};

/// Reads one capture of `source`, given as file names and contents.
///
/// # Errors
/// The source is unknown, or a facts table cannot be built. A missing file or column is a fatal finding, so that
/// the report names all of them at once, and so is a file that is no text, no CSV or beyond a bound.
pub fn ingest(source: &str, files: &[(String, Bytes)]) -> Result<IngestedCapture, IngestError> {
    if let Some(source) = CatalogSource::get(source) {
        return declared::ingest(source, files);
    }
    let texts = DecodedTexts::of(source, files)?;
    if texts.refused.iter().any(|finding| finding.severity == Severity::Fatal) {
        return Ok(texts.add_refused(IngestedCapture::default()));
    }
    let ingested = read(source, &texts.files)?;
    Ok(texts.add_refused(ingested))
}

fn read(source: &str, files: &[(String, Bytes)]) -> Result<IngestedCapture, IngestError> {
    match source {
        statsdb_html::SOURCE => statsdb_html::ingest(files),
        cards::SOURCE => cards::ingest(files),
        career::SOURCE => career::ingest(files),
        feed::SOURCE => feed::ingest(files),
        feed_captures::SOURCE => feed_captures::ingest(files),
        feed_history::SOURCE => feed_history::ingest(files),
        feed_tables::SOURCE => feed_tables::ingest(files),
        images::SOURCE => images::ingest(files),
        articles::SOURCE => articles::ingest(files),
        wire::SOURCE => wire::ingest(files),
        news::SOURCE => news::ingest(files),
        videos::SOURCE => videos::ingest(files),
        declared => layout::ingest(declared, files, layout::read_declared),
    }
}

/// The files of a capture as text, those that no source reads as they are.
struct DecodedTexts {
    files: Vec<(String, Bytes)>,
    refused: Vec<Finding>,
}

impl DecodedTexts {
    /// Of a source whose files are a record each, one that is no text is set aside like a record that cannot be
    /// read; of any other it refuses the capture.
    fn of(source: &str, files: &[(String, Bytes)]) -> Result<Self, IngestError> {
        let contract = layout::contract(source)?;
        let is_read = |name: &str| {
            contract.files.iter().any(|file| file.is_named(name))
                || (source == statsdb_html::SOURCE && statsdb_html::is_page(name))
        };
        let (mut texts, mut n_read) = (Self { files: Vec::new(), refused: Vec::new() }, 0);
        for (name, bytes) in files {
            let format = TextFormat::of(name).filter(|_| is_read(name));
            match format.map_or(Ok(bytes.clone()), |format| text::decode(format, bytes)) {
                Ok(text) => texts.files.push((name.clone(), text)),
                Err(refusal) => texts.refused.push(record_files::refused(name, 1, refusal, None)),
            }
            n_read += usize::from(format.is_some());
        }
        let is_record = [articles::SOURCE, statsdb_html::SOURCE].contains(&source);
        if !is_record || n_read == texts.refused.len() {
            texts.refused.iter_mut().for_each(|finding| {
                (finding.severity, finding.line) = (Severity::Fatal, 0);
            });
        }
        Ok(texts)
    }

    /// With the files that were refused, each of which counts as one record.
    fn add_refused(self, mut ingested: IngestedCapture) -> IngestedCapture {
        let count =
            |file: &Finding| FileCount { file: file.file.clone(), rows_in: 1, rows_out: 0, set_aside: 1 };
        ingested.counts.extend(self.refused.iter().map(count));
        if !self.refused.is_empty() {
            ingested.counts.sort_by(|a, b| a.file.cmp(&b.file));
        }
        ingested.findings.extend(self.refused);
        ingested
    }
}
