//! Common parts of the tests of sources: captures written by hand under `tests/fixtures`, tables as text, and
//! captures that went wrong on the way.

use std::fmt::Write as _;
use std::path::Path;

use arrow::array::{Array, RecordBatch};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use bytes::Bytes;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::{IngestedCapture, ingest};

pub(crate) type TestFiles = Vec<(String, Bytes)>;

/// The capture of a source that stands for one case.
pub(crate) fn fixture(source: &str, case: &str) -> TestFiles {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures").join(source).join(case);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: TestFiles = entries
        .map(|entry| entry.unwrap())
        .map(|e| (e.file_name().into_string().unwrap(), std::fs::read(e.path()).unwrap().into()))
        .collect();
    files.sort();
    files
}

/// All tables, findings and counts, a line each; nulls and what tells where a row stood are left out.
pub(crate) fn shown(source: &str, case: &str) -> String {
    text(&ingest(source, &fixture(source, case)).unwrap())
}

pub(crate) fn text(ingested: &IngestedCapture) -> String {
    let mut out = String::new();
    for (name, batch) in &ingested.tables {
        for row in 0..batch.num_rows() {
            let _ = writeln!(out, "{name}: {}", row_text(batch, row));
        }
    }
    for f in &ingested.findings {
        let _ = writeln!(out, "{} {} {}:{}: {}", f.severity.name(), f.kind.name(), f.file, f.line, f.reason);
    }
    for c in &ingested.counts {
        let _ = writeln!(out, "{}: {} in, {} out, {} set aside", c.file, c.rows_in, c.rows_out, c.set_aside);
    }
    out
}

fn row_text(batch: &RecordBatch, row: usize) -> String {
    let hidden = ["file", "row_digest", "id_space"];
    let schema = batch.schema();
    let columns = schema.fields().iter().zip(batch.columns());
    let shown =
        columns.filter(|(field, array)| !hidden.contains(&field.name().as_str()) && array.is_valid(row));
    let cell = |array: &dyn Array| {
        let options = FormatOptions::default();
        ArrayFormatter::try_new(array, &options).unwrap().value(row).to_string()
    };
    shown.map(|(field, array)| format!("{}={}", field.name(), cell(array))).collect::<Vec<_>>().join(" ")
}

/// One thing that happens to a file on its way.
#[derive(Debug, Clone)]
enum FileDamage {
    Cut(Index),
    Flip(Index, u8),
    Remove(Index, usize),
    Repeat(Index, usize),
    Insert(Index, String),
    /// The whole file.
    Replace(String),
}

fn damage() -> impl Strategy<Value = FileDamage> {
    // Texts that readers of dates, numbers, lists and objects stumble over.
    let text = prop_oneof![
        Just("99999999999999999999999999".to_owned()),
        Just("-1".to_owned()),
        Just("1e400".to_owned()),
        Just("null".to_owned()),
        Just("{\"a\":[".repeat(200)),
        Just("[".repeat(100_000)),
        Just("\u{0}\u{feff}\u{202e}É".to_owned()),
        Just("262143-12-31T23:59:60Z".to_owned()),
        "[\\PC\\n]{0,12}",
    ];
    prop_oneof![
        1 => any::<Index>().prop_map(FileDamage::Cut),
        3 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| FileDamage::Flip(at, byte)),
        3 => (any::<Index>(), 1..40usize).prop_map(|(at, n)| FileDamage::Remove(at, n)),
        2 => (any::<Index>(), 1..400usize).prop_map(|(at, n)| FileDamage::Repeat(at, n)),
        3 => (any::<Index>(), text.clone()).prop_map(|(at, text)| FileDamage::Insert(at, text)),
        1 => text.prop_map(FileDamage::Replace),
    ]
}

impl FileDamage {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let n = bytes.len();
        let place = |at: &Index| if n == 0 { 0 } else { at.index(n) };
        match self {
            Self::Cut(at) => bytes.truncate(place(at)),
            Self::Flip(at, byte) => {
                if let Some(b) = bytes.get_mut(place(at)) {
                    *b ^= byte;
                }
            }
            Self::Remove(at, length) => drop(bytes.drain(place(at)..(place(at) + length).min(n))),
            Self::Repeat(at, length) => {
                let part = bytes[place(at)..(place(at) + length).min(n)].to_vec();
                bytes.splice(place(at)..place(at), part);
            }
            Self::Insert(at, text) => drop(bytes.splice(place(at)..place(at), text.bytes())),
            Self::Replace(text) => *bytes = text.clone().into_bytes(),
        }
    }
}

/// The capture of a case with some of its bytes damaged.
pub(crate) fn damaged(source: &str, case: &str) -> impl Strategy<Value = TestFiles> + use<> {
    let files = fixture(source, case);
    proptest::collection::vec((any::<Index>(), damage()), 0..6).prop_map(move |all| {
        let mut files: Vec<(String, Vec<u8>)> =
            files.iter().map(|(name, bytes)| (name.clone(), bytes.to_vec())).collect();
        for (file, damage) in all {
            let n = files.len();
            damage.apply(&mut files[file.index(n)].1);
        }
        files.into_iter().map(|(name, bytes)| (name, bytes.into())).collect()
    })
}

/// Whatever comes in: every row is in a table or set aside, and the same bytes say the same.
pub(crate) fn check_nothing_is_lost(source: &str, files: &TestFiles) -> Result<(), TestCaseError> {
    let (Ok(once), Ok(again)) = (ingest(source, files), ingest(source, files)) else {
        return Err(TestCaseError::fail("a capture is refused by findings, not by an error"));
    };
    prop_assert_eq!(text(&once), text(&again));
    for count in &once.counts {
        prop_assert_eq!(count.rows_in, count.rows_out + count.set_aside, "{}", &count.file);
    }
    let out: usize = once.counts.iter().map(|count| count.rows_out).sum();
    let rows: usize = once.tables.iter().map(|(_, batch)| batch.num_rows()).sum();
    prop_assert_eq!(out, rows);
    let set_aside: usize = once.counts.iter().map(|count| count.set_aside).sum();
    let told = once.findings.iter().filter(|f| f.line > 0).count();
    let refused_whole =
        once.findings.iter().any(|f| f.line == 0 && f.severity == fdna_model::Severity::Fatal);
    prop_assert!(told >= set_aside || refused_whole, "{told} findings for {set_aside} rows set aside");
    Ok(())
}
