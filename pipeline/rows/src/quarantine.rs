//! Rows of the `quarantine` table.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use fdna_model::Finding;
use fdna_schemas::tables::{ContractRow as _, QuarantineRow};
use fdna_schemas::{Table, TableError, Tables, batches_to_one};

use crate::layout::{TableRow, from_batch, row_cells, sort_by_key, to_batch};
use crate::{CaptureFacts, RowsError};

/// A finding with the capture and the stage that made it.
pub type SetAside = (String, &'static str, Finding);

fn quarantine_contract() -> Result<&'static Table, TableError> {
    Tables::get().table(QuarantineRow::TABLE)
}

/// Findings as rows of the `quarantine` table, sorted by its key.
///
/// # Errors
/// The contract of the table is another than this build's.
pub fn quarantine_table(rows: Vec<SetAside>) -> Result<RecordBatch, RowsError> {
    Ok(to_batch(quarantine_contract()?, &sort_rows(rows_of(rows))?)?)
}

/// One row each.
#[must_use]
pub fn rows_of(findings: Vec<SetAside>) -> Vec<TableRow> {
    let row = |(capture, stage, finding): SetAside| {
        row_cells(&QuarantineRow {
            capture: &capture,
            stage,
            file: &finding.file,
            line: finding.line,
            kind: finding.kind.name(),
            severity: finding.severity.name(),
            key: finding.key.as_deref(),
            reason: &finding.reason,
            raw: finding.raw.as_deref(),
        })
    };
    findings.into_iter().map(row).collect()
}

/// Rows as the table has them: by key, the first of several of one key.
pub fn sort_rows(mut rows: Vec<TableRow>) -> Result<Vec<TableRow>, RowsError> {
    let table = quarantine_contract()?;
    sort_by_key(table, &mut rows);
    let key = table.key_places();
    rows.dedup_by(|a, b| key.iter().all(|place| a[*place] == b[*place]));
    Ok(rows)
}

/// The rows of a table that [`quarantine_table`] made, as they stand.
pub fn rows_in(batch: &RecordBatch) -> Result<Vec<TableRow>, RowsError> {
    Ok(from_batch(quarantine_contract()?, batch)?)
}

/// The `quarantine` of earlier steps with what a later one adds, by its key.
pub fn append_rows(mut rows: Vec<TableRow>, more: &RecordBatch) -> Result<(String, RecordBatch), RowsError> {
    rows.extend(rows_in(more)?);
    Ok((QuarantineRow::TABLE.to_owned(), to_batch(quarantine_contract()?, &sort_rows(rows)?)?))
}

/// Rows that ingest set aside of these captures and findings since, by capture, `ingest` first.
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
    Ok(batches_to_one(quarantine_contract()?, &batches)?)
}
