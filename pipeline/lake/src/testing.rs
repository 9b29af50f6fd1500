//! Builders that the tests of several modules share.

use arrow::array::RecordBatch;
use bytes::Bytes;
use chrono::{DateTime, NaiveDate, Utc};
use fdna_schemas::{TableWriter, Tables};
use tempfile::TempDir;

use crate::{CaptureRef, Fingerprint, Lake, NewCapture, PipelineStage, SnapshotDraft, SnapshotInput};

pub(crate) fn lake() -> (TempDir, Lake) {
    let folder = tempfile::tempdir().unwrap();
    let lake = Lake::open(folder.path().join("lake"));
    (folder, lake)
}

pub(crate) fn noon() -> DateTime<Utc> {
    day(15)
}

/// A JSON file of the lake with other words and the digest that fits them, as someone would edit it who means to.
pub(crate) fn edited(text: &[u8], from: &str, to: &str) -> Bytes {
    let text = std::str::from_utf8(text).unwrap();
    let (_, rest) = text.split_once("\",\n").unwrap();
    assert!(rest.contains(from), "{from}");
    crate::seal::seal_json(format!("{{\n{}", rest.replacen(from, to, 1)).as_bytes()).unwrap()
}

/// Noon of a day of December 2024.
pub(crate) fn day(day: u32) -> DateTime<Utc> {
    NaiveDate::from_ymd_opt(2024, 12, day).unwrap().and_hms_opt(12, 0, 0).unwrap().and_utc()
}

/// Source events with these ids, in ascending order.
pub(crate) fn events<S: AsRef<str>>(ids: &[S]) -> RecordBatch {
    assert!(ids.is_sorted_by(|a, b| a.as_ref() < b.as_ref()));
    let n = i32::try_from(ids.len()).unwrap();
    let on = NaiveDate::from_ymd_opt(2020, 1, 1).unwrap();
    TableWriter::new(Tables::get().table("statsdb_events").unwrap())
        .texts("file", ids.iter().map(|_| "events.csv"))
        .int32s("line", (0..n).map(|i| Some(i + 2)))
        .texts("row_digest", ids.iter().map(|id| format!("digest of {}", id.as_ref())))
        .texts("event_source_id", ids)
        .texts("event", ids.iter().map(|id| format!("Event {}", id.as_ref())))
        .dates("event_date", (0..n).map(|i| on.checked_add_days(chrono::Days::new(i.unsigned_abs().into()))))
        .strings("location", ids.iter().enumerate().map(|(i, id)| (i % 3 > 0).then_some(id.as_ref())))
        .finish()
        .unwrap()
}

/// A table without rows.
pub(crate) fn empty(table: &str) -> RecordBatch {
    RecordBatch::new_empty(Tables::get().table(table).unwrap().arrow_schema())
}

pub(crate) fn capture(captured_at: DateTime<Utc>, text: &str) -> NewCapture {
    NewCapture {
        source: "statsdb".to_owned(),
        captured_at,
        synthetic: true,
        files: vec![
            ("fighters.csv".to_owned(), Bytes::from_static(b"id\n")),
            ("events.csv".to_owned(), Bytes::copy_from_slice(text.as_bytes())),
        ],
    }
}

pub(crate) fn normalised() -> PipelineStage {
    PipelineStage::Normalised
}

pub(crate) fn fingerprint(text: &str) -> Fingerprint {
    Fingerprint::builder("test").with_text("x", text).build()
}

/// A snapshot of events with these ids, which came of the inputs of that name on that day of December 2024.
pub(crate) fn draft(ids: &[&str], input: &str, on: u32) -> SnapshotDraft {
    SnapshotDraft {
        tables: vec![
            ("statsdb_events".to_owned(), events(ids).into()),
            ("fighters".to_owned(), empty("fighters").into()),
        ],
        contract_version: "2024-01-01.1".to_owned(),
        licences: Vec::new(),
        definition_versions: vec!["1".to_owned()],
        inputs: vec![SnapshotInput { stage: normalised(), fingerprint: fingerprint(input) }],
        captures: vec![CaptureRef { source: "statsdb".to_owned(), id: "c".to_owned(), captured_at: day(on) }],
        synthetic: true,
        facts_until: NaiveDate::from_ymd_opt(2020, 1, 1),
        known_at: None,
    }
}
