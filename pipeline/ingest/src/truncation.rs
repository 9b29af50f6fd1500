//! Checks that the tables of a capture end as files do that were written to their end.

use std::collections::BTreeMap;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::limits::TextFormat;
use crate::{IngestError, declared, layout, text};
use fdna_schemas::CatalogSource;

/// How a table ends that may have been cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileEnd {
    /// The last row has no line end: all of it may be there, or not.
    NoLineEnd,
    /// The last row lacks fields, or the quote that closes one: it was cut.
    CutRow,
}

/// The tables of a capture that do not end with a line end; those that cannot be decoded are refused elsewhere.
///
/// # Errors
/// The source is unknown.
pub fn ends(source: &str, files: &[(String, Bytes)]) -> Result<BTreeMap<String, FileEnd>, IngestError> {
    let is_read: &dyn Fn(&str) -> bool = match CatalogSource::get(source) {
        Some(declared) => &|name| declared::is_declared(declared, name),
        None => {
            let contract = layout::contract(source)?;
            &|name| contract.files.iter().any(|file| file.is_named(name))
        }
    };
    let is_table = |name: &str| TextFormat::of(name) == Some(TextFormat::Table) && is_read(name);
    let tables = files.iter().filter(|(name, _)| is_table(name));
    let end = |(name, bytes): &(String, Bytes)| {
        Some((name.clone(), end(&text::decode(TextFormat::Table, bytes).ok()?)?))
    };
    Ok(tables.filter_map(end).collect())
}

fn end(text: &[u8]) -> Option<FileEnd> {
    // Quotes that close are told from those that do not by all that stands before them.
    if text.is_empty() || text.ends_with(b"\n") {
        return None;
    }
    let (mut is_first, mut is_quoted, mut fields, mut of_header) = (true, false, 1, None);
    for byte in text {
        match byte {
            b'"' if is_first || is_quoted => (is_first, is_quoted) = (is_quoted, !is_quoted),
            _ if is_quoted => {}
            b'\n' => {
                of_header.get_or_insert(fields);
                (is_first, fields) = (true, 1);
            }
            b',' => (is_first, fields) = (true, fields + 1),
            _ => is_first = false,
        }
    }
    let is_cut = is_quoted || of_header.is_none_or(|header| fields < header);
    Some(if is_cut { FileEnd::CutRow } else { FileEnd::NoLineEnd })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_was_cut_is_told_from_one_that_only_may_have_been() {
        let end = |text: &str| end(text.as_bytes());
        for whole in ["", "a,b\n", "a,b\n1,2\n", "a,b\r\n1,2\r\n", "a,b\n1,\"2\n\"\n"] {
            assert_eq!(end(whole), None, "{whole:?}");
        }
        for maybe in ["a,b\n1,2", "a,b\n\"1,\n\",\"2\"", "a,b\n1,2,3"] {
            assert_eq!(end(maybe), Some(FileEnd::NoLineEnd), "{maybe:?}");
        }
        for cut in ["a,b", "a,b\n1", "a,b\n1,\"2", "a,b\n1,\"2,3\n4,5"] {
            assert_eq!(end(cut), Some(FileEnd::CutRow), "{cut:?}");
        }
    }

    #[test]
    fn only_tables_that_the_source_reads_are_looked_at() {
        let files = ["rankings.csv", "notes.txt"].map(|name| (name.to_owned(), Bytes::from("a,b\n1,2")));
        assert_eq!(
            ends("rankings", &files).unwrap(),
            BTreeMap::from([("rankings.csv".to_owned(), FileEnd::NoLineEnd)])
        );
        assert_eq!(ends("feed", &files).unwrap(), BTreeMap::new());
    }
}
