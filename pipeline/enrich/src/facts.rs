//! Facts of what is told, as the readers here take them.

use fdna_model::{Finding, FindingKind, Severity};
use fdna_rows::{CaptureFacts, TableCount};

/// Rows of the table in each capture, of which `set_aside` gives those that were not used.
pub(super) fn counts(
    captures: &[&CaptureFacts],
    table: &str,
    set_aside: impl Fn(&str) -> usize,
) -> Vec<TableCount> {
    let count = |capture: &&CaptureFacts| {
        let rows_in = capture.tables.get(table).map_or(0, arrow::array::RecordBatch::num_rows);
        let set_aside = set_aside(&capture.capture);
        TableCount {
            capture: capture.capture.clone(),
            table: table.to_owned(),
            rows_in,
            rows_out: rows_in - set_aside,
            set_aside,
        }
    };
    captures.iter().map(count).collect()
}

/// A finding about the record at a place of a file.
pub(super) fn finding(
    file: &str,
    line: i32,
    severity: Severity,
    kind: FindingKind,
    reason: String,
) -> Finding {
    Finding { kind, severity, file: file.to_owned(), line, key: None, reason, raw: None }
}

/// A list as the tables write it.
pub(super) fn json<T: serde::Serialize>(list: &[T]) -> String {
    serde_json::to_string(list).unwrap_or_else(|_| "[]".to_owned())
}

/// Texts of a list that a facts table holds.
pub(super) fn texts(list: &str) -> Vec<String> {
    serde_json::from_str(list).unwrap_or_default()
}
