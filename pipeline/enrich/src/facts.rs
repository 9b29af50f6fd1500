//! Facts of what is told, as the readers here take them.

use chrono::{DateTime, Utc};
use fdna_model::{Finding, FindingKind, Severity};
use fdna_rows::{CaptureFacts, TableCount};

/// Rows of the table in each capture, of which `set_aside` gives those that were not used.
pub(super) fn count_rows(
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
pub(super) fn record_finding(
    file: &str,
    line: i32,
    severity: Severity,
    kind: FindingKind,
    reason: String,
) -> Finding {
    Finding { kind, severity, file: file.to_owned(), line, key: None, reason, raw: None }
}

/// A stated time of publication, if it was past when the item was captured: one of the future would stand before all news
/// until then, so that it is noted and taken for unknown.
pub(super) fn checked_publication(
    stated: Option<DateTime<Utc>>,
    capture: &CaptureFacts,
    (file, line): (&str, i32),
    findings: &mut Vec<(String, Finding)>,
) -> Option<DateTime<Utc>> {
    let is_past = stated.is_none_or(|at| at <= capture.captured_at);
    if let (Some(at), false) = (stated, is_past) {
        let reason = format!("it is dated {}, after it was captured", at.format("%Y-%m-%dT%H:%M:%SZ"));
        let note = record_finding(file, line, Severity::Note, FindingKind::UnreadableValue, reason);
        findings.push((capture.capture.clone(), note));
    }
    stated.filter(|_| is_past)
}

/// A list as the tables write it.
pub(super) fn to_json_list<T: serde::Serialize>(list: &[T]) -> String {
    serde_json::to_string(list).unwrap_or_else(|_| "[]".to_owned())
}

/// Texts of a list that a facts table holds.
pub(super) fn parse_json_list(list: &str) -> Vec<String> {
    serde_json::from_str(list).unwrap_or_default()
}
