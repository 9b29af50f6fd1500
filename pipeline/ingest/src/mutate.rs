//! Broken files for the property tests: fixtures with bytes cut, flipped or doubled, values replaced by others,
//! and nesting without end.

use bytes::Bytes;
use fdna_model::{Finding, FindingKind, Severity};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::{FileCount, IngestedCapture};

#[derive(Debug, Clone)]
enum TableChange {
    Cut(Index),
    Flip(Index, u8),
    Double(Index, Index),
    Remove(Index, Index),
    Insert(Index, &'static str),
}

/// Texts that readers stumble over.
const STUMBLING_BLOCKS: [&str; 12] = [
    "null",
    "{}",
    "[]",
    "\"\"",
    "-1",
    "1e999",
    "99999999999999999999999999",
    "\u{0}",
    "---\n",
    "<a>",
    "]]>",
    "\u{202e}é😀",
];

fn change() -> impl Strategy<Value = TableChange> {
    let at = any::<Index>;
    prop_oneof![
        at().prop_map(TableChange::Cut),
        (at(), any::<u8>()).prop_map(|(i, byte)| TableChange::Flip(i, byte)),
        (at(), at()).prop_map(|(a, b)| TableChange::Double(a, b)),
        (at(), at()).prop_map(|(a, b)| TableChange::Remove(a, b)),
        (at(), prop::sample::select(&STUMBLING_BLOCKS[..]))
            .prop_map(|(i, text)| TableChange::Insert(i, text)),
    ]
}

/// One of the fixtures after one to six changes.
pub(crate) fn broken(fixtures: &'static [&'static [u8]]) -> impl Strategy<Value = Vec<u8>> {
    let changes = prop::collection::vec(change(), 1..6);
    (prop::sample::select(fixtures), changes).prop_map(|(fixture, changes)| {
        changes.into_iter().fold(fixture.to_vec(), |bytes, change| apply(bytes, &change))
    })
}

fn apply(mut bytes: Vec<u8>, change: &TableChange) -> Vec<u8> {
    let at = |index: &Index, bytes: &[u8]| index.index(bytes.len() + 1);
    let range = |a: &Index, b: &Index, bytes: &[u8]| {
        let (a, b) = (at(a, bytes), at(b, bytes));
        a.min(b)..a.max(b)
    };
    match change {
        TableChange::Cut(i) => bytes.truncate(at(i, &bytes)),
        TableChange::Flip(i, byte) => {
            let at = at(i, &bytes);
            if let Some(b) = bytes.get_mut(at) {
                *b ^= byte;
            }
        }
        TableChange::Double(a, b) => {
            let part = bytes[range(a, b, &bytes)].to_vec();
            bytes.extend(part);
        }
        TableChange::Remove(a, b) => {
            let range = range(a, b, &bytes);
            bytes.drain(range);
        }
        TableChange::Insert(i, text) => {
            let at = at(i, &bytes);
            bytes.splice(at..at, text.bytes());
        }
    }
    bytes
}

/// What must hold of every capture, however broken.
pub(crate) fn check(source: &str, name: &str, bytes: &[u8]) {
    let files = [(name.to_owned(), Bytes::copy_from_slice(bytes))];
    let first = crate::ingest(source, &files).unwrap();
    let again = crate::ingest(source, &files).unwrap();
    assert_eq!(format!("{first:?}"), format!("{again:?}"), "the same bytes give another output");
    let [FileCount { rows_in, rows_out, set_aside, .. }] = first.counts[..] else { panic!("no count") };
    assert_eq!(rows_in, rows_out + set_aside);
    let is_of_kept = |f: &&Finding| f.severity == Severity::Note && f.kind == FindingKind::UnreadableValue;
    let told = first.findings.len() - first.findings.iter().filter(is_of_kept).count();
    assert_eq!(set_aside, told, "what is set aside is told");
    assert_eq!(rows_out, rows(&first));
}

/// Rows of all tables.
pub(crate) fn rows(ingested: &IngestedCapture) -> usize {
    ingested.tables.iter().map(|(_, batch)| batch.num_rows()).sum()
}

/// Ingests one fixture.
pub(crate) fn ingest(source: &str, name: &str, bytes: &'static [u8]) -> IngestedCapture {
    crate::ingest(source, &[(name.to_owned(), Bytes::from_static(bytes))]).unwrap()
}

/// A column as text, null as `-`.
pub(crate) fn column(ingested: &IngestedCapture, table: &str, column: &str) -> Vec<String> {
    let (_, batch) = ingested.tables.iter().find(|(name, _)| name == table).unwrap();
    let array = batch.column_by_name(column).unwrap();
    let options = arrow::util::display::FormatOptions::default().with_null("-");
    let format = arrow::util::display::ArrayFormatter::try_new(array, &options).unwrap();
    (0..batch.num_rows()).map(|i| format.value(i).to_string()).collect()
}

/// Place, kind and reason of every finding.
pub(crate) fn findings(ingested: &IngestedCapture) -> String {
    let line = |f: &fdna_model::Finding| format!("{} {} {}: {}\n", f.file, f.line, f.kind.name(), f.reason);
    ingested.findings.iter().map(line).collect()
}
