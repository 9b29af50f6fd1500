//! What was set aside, as rows of the `quarantine` table.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::RecordBatch;
use fdna_model::Finding;
use fdna_schemas::{TableReader, Tables, batches_to_one};

use crate::layout::{CellValue, TableLayout, TableRow, to_batch};
use crate::sort_by_key;
use crate::{CaptureFacts, RowsError};

/// A finding with the capture and the stage that made it.
pub type SetAside = (String, &'static str, Finding);

/// Columns in the order of the key, and then the rest.
const COLUMNS: [&str; 9] = ["capture", "stage", "file", "line", "kind", "reason", "severity", "key", "raw"];
const KEY: usize = 6;

/// Findings as rows of the `quarantine` table, sorted by its key.
///
/// # Errors
/// The contract of the table is another than this build's.
pub fn quarantine_table(rows: Vec<SetAside>) -> Result<RecordBatch, RowsError> {
    Ok(to_batch(Tables::get().table("quarantine")?, &sorted(rows_of(rows))?)?)
}

/// One row each, with the values of `COLUMNS`.
#[must_use]
pub fn rows_of(findings: Vec<SetAside>) -> Vec<TableRow> {
    let row = |(capture, stage, finding): SetAside| {
        vec![
            CellValue::Text(capture.into()),
            stage.into(),
            CellValue::Text(finding.file.into()),
            finding.line.into(),
            finding.kind.name().into(),
            CellValue::Text(finding.reason.into()),
            finding.severity.name().into(),
            finding.key.map(Arc::<str>::from).into(),
            finding.raw.map(Arc::<str>::from).into(),
        ]
    };
    findings.into_iter().map(row).collect()
}

/// Rows as the table has them: by key, the first of several of one key.
pub fn sorted(mut rows: Vec<TableRow>) -> Result<Vec<TableRow>, RowsError> {
    rows.sort_by(|a, b| a[..KEY].cmp(&b[..KEY]));
    rows.dedup_by(|a, b| a[..KEY] == b[..KEY]);
    let layout = TableLayout::new("quarantine", &COLUMNS)?;
    Ok(rows.into_iter().map(|row| layout.row(row)).collect())
}

/// The rows of a table that [`quarantine_table`] made, as they stand.
pub fn rows_in(batch: &RecordBatch) -> Result<Vec<TableRow>, RowsError> {
    let reader = TableReader::new("quarantine", batch);
    let layout = TableLayout::new("quarantine", &COLUMNS)?;
    let text = |name| Ok::<_, RowsError>(reader.strings(name)?);
    let (capture, stage, file) = (text("capture")?, text("stage")?, text("file")?);
    let (kind, reason, severity) = (text("kind")?, text("reason")?, text("severity")?);
    let (line, key, raw) = (reader.int32s("line")?, text("key")?, text("raw")?);
    let row = |i: usize| {
        layout.row([
            capture[i].into(),
            stage[i].into(),
            file[i].into(),
            line[i].into(),
            kind[i].into(),
            reason[i].into(),
            severity[i].into(),
            key[i].into(),
            raw[i].into(),
        ])
    };
    Ok((0..reader.rows()).map(row).collect())
}

/// The `quarantine` of earlier steps with what a later one adds, by its key.
pub fn appended(mut rows: Vec<TableRow>, more: &RecordBatch) -> Result<(String, RecordBatch), RowsError> {
    let table = Tables::get().table("quarantine")?;
    rows.extend(rows_in(more)?);
    sort_by_key(table, &mut rows);
    let key = table.key_places();
    rows.dedup_by(|a, b| key.iter().all(|place| a[*place] == b[*place]));
    Ok((table.name.clone(), to_batch(table, &rows)?))
}

/// What ingest set aside of these captures and what was found since, by capture, `ingest` first.
///
/// # Errors
/// As for [`quarantine_table`].
pub fn quarantine_of_all(
    captures: &[CaptureFacts],
    found: BTreeMap<String, Vec<SetAside>>,
) -> Result<RecordBatch, RowsError> {
    let mut batches = Vec::new();
    for (capture, found) in found {
        batches.extend(captures.iter().filter(|c| c.capture == capture).map(|c| c.set_aside.clone()));
        batches.push(quarantine_table(found)?);
    }
    Ok(batches_to_one(Tables::get().table("quarantine")?, &batches)?)
}
