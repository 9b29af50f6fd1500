//! Leads as CSV: lines of an export, which no spreadsheet runs, and records of an import, which takes an export back.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

use chrono::SecondsFormat;
use csv::{ByteRecord, ReaderBuilder};
use sha2::{Digest as _, Sha256};

use crate::fields::FieldRules;
use crate::lead::{Metadata, StoredLead};
use crate::store::imports::ImportRecord;

/// Columns before those of metadata.
const COLUMNS: [&str; 9] =
    ["id", "account", "name", "email", "phone", "status", "source", "created_at", "updated_at"];

/// Columns that are read; the others of an export are told anew by the store.
const READ_COLUMNS: [&str; 5] = ["name", "email", "phone", "status", "source"];

/// Columns that a file of refused lines has in front.
pub const REFUSED_COLUMNS: [&str; 2] = ["refused_line", "refused_reason"];

const METADATA: &str = "metadata.";

/// Why a file of leads cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CsvError {
    #[error(
        "the header has a column that there is not, number {0}: there are name, email, phone, status, source and metadata.KEY; \
         id, account, created_at, updated_at, refused_line and refused_reason are passed over"
    )]
    UnknownColumn(usize),
    #[error("the header repeats the column {0}")]
    RepeatedColumn(String),
    #[error("the header has no column `name`")]
    NoName,
    #[error("the header is not in UTF-8")]
    HeaderNotText,
    #[error("cannot read the file")]
    Read(#[source] csv::Error),
}

/// A record of a file of leads.
pub struct CsvRecord {
    /// The line that it begins in, or the first of the blank lines before it.
    pub line: u64,
    /// Its cells as they stand in the file.
    pub cells: Vec<Vec<u8>>,
    /// The lead, or why there is none.
    pub read: Result<ImportRecord, String>,
}

/// Reads a file of leads.
pub struct LeadCsvReader<R> {
    reader: csv::Reader<R>,
    rules: FieldRules,
    header: Vec<String>,
    /// Records that were read.
    count: i64,
}

impl<R: Read> LeadCsvReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// It cannot be read, or has a column that there is not, or one twice.
    pub fn open(file: R, rules: FieldRules) -> Result<Self, CsvError> {
        let mut reader = ReaderBuilder::new().flexible(true).from_reader(file);
        let header = reader.byte_headers().map_err(CsvError::Read)?.clone();
        let texts = header.iter().map(|cell| std::str::from_utf8(cell).map(|text| text.trim().to_owned()));
        let mut header: Vec<String> = texts.collect::<Result<_, _>>().map_err(|_| CsvError::HeaderNotText)?;
        if let Some(first) = header.first_mut()
            && let Some(rest) = first.strip_prefix('\u{feff}')
        {
            *first = rest.to_owned();
        }
        let mut seen = BTreeSet::new();
        for (place, name) in header.iter().enumerate() {
            let is_metadata = name.strip_prefix(METADATA).is_some_and(|key| !key.is_empty());
            if !is_metadata && !COLUMNS.contains(&&**name) && !REFUSED_COLUMNS.contains(&&**name) {
                return Err(CsvError::UnknownColumn(place + 1));
            }
            if !seen.insert(name) {
                return Err(CsvError::RepeatedColumn(name.clone()));
            }
        }
        if !header.iter().any(|name| name == "name") {
            return Err(CsvError::NoName);
        }
        Ok(Self { reader, rules, header, count: 0 })
    }

    /// The header, without what a file of refused lines has in front.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.header.iter().map(String::as_str).filter(|name| !REFUSED_COLUMNS.contains(name))
    }

    /// The next record; `None` at the end.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn next_record(&mut self) -> Result<Option<CsvRecord>, CsvError> {
        let mut record = ByteRecord::new();
        if !self.reader.read_byte_record(&mut record).map_err(CsvError::Read)? {
            return Ok(None);
        }
        self.count += 1;
        let line = record.position().map_or(0, csv::Position::line);
        let is_own =
            |place: &usize| self.header.get(*place).is_none_or(|name| !REFUSED_COLUMNS.contains(&&**name));
        let cells = (0..record.len()).filter(is_own).map(|place| record[place].to_vec()).collect();
        Ok(Some(CsvRecord { line, cells, read: self.read_record(&record) }))
    }

    fn read_record(&self, record: &ByteRecord) -> Result<ImportRecord, String> {
        let (found, wanted) = (record.len(), self.header.len());
        if found != wanted {
            return Err(format!("it has {found} cells, and the header {wanted}"));
        }
        let (mut fields, mut metadata, mut status) = (Vec::new(), Metadata::new(), None);
        let mut digest = Sha256::new();
        let named: BTreeMap<&String, &[u8]> = self.header.iter().zip(record).collect();
        for (name, cell) in named {
            let text = std::str::from_utf8(cell).map_err(|_| format!("`{name}` is not in UTF-8"))?;
            let is_read = name.starts_with(METADATA) || READ_COLUMNS.contains(&&**name);
            if !is_read || text.trim().is_empty() {
                continue;
            }
            digest.update(format!("{}:{name}={}:{text};", name.len(), text.len()));
            let text = unguard_text(text).to_owned();
            match name.strip_prefix(METADATA) {
                Some(key) => drop(metadata.insert(key.to_owned(), text)),
                None if name == "status" => {
                    status = Some(self.rules.read_status(&text).map_err(|wrong| wrong.to_string())?);
                }
                None => fields.push((name.clone(), text)),
            }
        }
        let new = self.rules.read_lead(fields, metadata).map_err(|wrong| wrong.to_string())?;
        Ok(ImportRecord { record: self.count, digest: digest.finalize().into(), new, status })
    }
}

/// The header of an export with these keys of metadata.
#[must_use]
pub fn header_line(keys: &BTreeSet<String>) -> Vec<String> {
    let metadata = keys.iter().map(|key| format!("{METADATA}{key}"));
    COLUMNS.into_iter().map(str::to_owned).chain(metadata).collect()
}

/// The cells of a lead; `None` if it has metadata of another key.
#[must_use]
pub fn lead_line(stored: &StoredLead, account: Option<&str>, keys: &BTreeSet<String>) -> Option<Vec<String>> {
    let (lead, text) = (&stored.lead, |text: &Option<String>| text.as_deref().map(guard_text));
    let time = |at: &chrono::DateTime<chrono::Utc>| at.to_rfc3339_opts(SecondsFormat::Micros, true);
    if !stored.metadata.keys().all(|key| keys.contains(key)) {
        return None;
    }
    let own = [
        Some(lead.id.to_string()),
        account.map(guard_text),
        Some(guard_text(&lead.name)),
        text(&lead.email),
        text(&lead.phone),
        Some(guard_text(&lead.status)),
        text(&lead.source),
        Some(time(&lead.created_at)),
        Some(time(&lead.updated_at)),
    ];
    let metadata = keys.iter().map(|key| stored.metadata.get(key).map(|text| guard_text(text)));
    Some(own.into_iter().chain(metadata).map(Option::unwrap_or_default).collect())
}

/// A cell as it stands in a file, so that no spreadsheet runs it; an import reads the same value from it.
#[must_use]
pub fn guard_cell(cell: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(cell);
    let is_run = !text.is_empty() && !text.starts_with('\'') && is_guarded(&text);
    if is_run { [b"'", cell].concat() } else { cell.to_vec() }
}

/// What a spreadsheet would take for a formula, and an empty text, which is not one that there is not, get an apostrophe.
fn guard_text(text: &str) -> String {
    if is_guarded(text) { format!("'{text}") } else { text.to_owned() }
}

fn unguard_text(text: &str) -> &str {
    text.strip_prefix('\'').filter(|_| is_guarded(text)).unwrap_or(text)
}

/// With apostrophes before it or without.
fn is_guarded(text: &str) -> bool {
    let formula = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
    let text = text.trim_start_matches('\'');
    text.is_empty() || text.starts_with(formula)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_refused_cell_is_no_formula_and_reads_the_same() {
        for (cell, guard) in [
            ("=1", "'=1"),
            ("+44", "'+44"),
            ("'=1", "'=1"),
            ("\u{ff1d}1", "'\u{ff1d}1"),
            ("Ann", "Ann"),
            ("", ""),
            ("'", "'"),
        ] {
            let guarded = String::from_utf8(guard_cell(cell.as_bytes())).unwrap();
            assert_eq!((guarded.as_str(), unguard_text(&guarded)), (guard, unguard_text(cell)), "{cell}");
        }
    }

    #[test]
    fn a_formula_is_no_formula_any_more() {
        for (text, cell) in [
            ("=1+1", "'=1+1"),
            ("+44", "'+44"),
            ("", "'"),
            ("'", "''"),
            ("'=1", "''=1"),
            ("a=1", "a=1"),
            ("O'Hara", "O'Hara"),
        ] {
            assert_eq!(guard_text(text), cell);
            assert_eq!(unguard_text(cell), text);
        }
        // As people write it, which has no apostrophe.
        assert_eq!(unguard_text("+44 20"), "+44 20");
    }

    proptest! {
        #[test]
        fn any_text_comes_back(text in "['=+\\-@a \t\r]{0,6}|\\PC{0,12}") {
            let cell = guard_text(&text);
            prop_assert_eq!(unguard_text(&cell), text);
            prop_assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']));
        }

        #[test]
        fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let rules = FieldRules::new(&["new".to_owned()], "US".parse().unwrap()).unwrap();
            let file = [b"name,email,metadata.a\n".as_slice(), &bytes].concat();
            let mut reader = LeadCsvReader::open(file.as_slice(), rules).unwrap();
            while let Ok(Some(_)) = reader.next_record() {}
        }
    }
}
