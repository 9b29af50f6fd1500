//! Source facts to events, bouts, fighters, results, scorecards and round statistics under our own ids.
//!
//! Each capture is resolved by itself, with the names that it holds (`statsdb`), and the resolved
//! captures are then merged in the order of their capture times (`merge`). So a capture says the same
//! whether older ones are there or not, and what an older one adds is visible as such.

mod counts;
mod enrich;
mod facts;
mod layout;
mod link;
mod merge;
mod statsdb;
mod tables;

use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use chrono::{DateTime, Utc};
use fdna_model::Finding;
use fdna_schemas::{ColumnError, TableError, TableWriter, Tables, batches_to_one};

pub use enrich::enrich;
pub use facts::{FACTS_TABLES, FactsError, facts};
pub use link::{DecisionError, Decisions, Linking, link};
pub use tables::TableSet;

/// The facts tables of one capture.
pub struct CaptureFacts {
    /// The source, as captures name it; for the statistics source the layout.
    pub source: String,
    /// Id of the capture.
    pub capture: String,
    pub captured_at: DateTime<Utc>,
    /// By contract name.
    pub tables: BTreeMap<String, RecordBatch>,
    /// What ingest set aside: rows of the `quarantine` table.
    pub set_aside: RecordBatch,
}

/// Normalised tables and what happened on the way.
#[derive(Debug)]
pub struct Normalised {
    /// By contract name, each sorted by its key.
    pub tables: Vec<(String, RecordBatch)>,
    pub counts: Vec<TableCount>,
}

/// Rows of one facts table of one capture: `rows_in == rows_out + set_aside`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableCount {
    pub capture: String,
    pub table: String,
    pub rows_in: usize,
    pub rows_out: usize,
    pub set_aside: usize,
}

#[derive(Debug, thiserror::Error)]
pub enum NormaliseError {
    #[error("find facts table `{table}` of capture `{capture}`")]
    MissingTable { capture: String, table: String },
    #[error("find a layout of the statistics source called `{0}`")]
    UnknownSource(String),
    #[error("read or build a table")]
    Column(#[from] ColumnError),
    #[error("follow a decision")]
    Decision(#[from] DecisionError),
    #[error("find a contract")]
    Contract(#[from] TableError),
}

/// Normalises all captures of the statistics source, given in any order.
///
/// # Errors
/// A facts table is missing or does not follow its contract. Bad rows are findings in `quarantine`.
pub fn normalise(mut captures: Vec<CaptureFacts>) -> Result<Normalised, NormaliseError> {
    captures.sort_by(|a, b| (a.captured_at, &a.capture).cmp(&(b.captured_at, &b.capture)));
    let mut merged = merge::Merged::new()?;
    let mut counts = Vec::new();
    let mut found: BTreeMap<String, Vec<SetAside>> = BTreeMap::new();
    for capture in &captures {
        let resolved = statsdb::resolve(capture)?;
        counts.extend(resolved.counts);
        let findings = resolved.findings.into_iter().map(|f| (capture.capture.clone(), "normalise", f));
        found.entry(capture.capture.clone()).or_default().extend(findings);
        merged.add(&capture.source, &capture.capture, capture.captured_at, resolved.tables);
    }
    for (capture, finding) in merged.agree() {
        found.entry(capture.clone()).or_default().push((capture, "normalise", finding));
    }
    let mut tables = merged.into_tables()?;
    tables.push(("quarantine".to_owned(), quarantine_of_all(&captures, found)?));
    tables.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(Normalised { tables, counts })
}

/// A finding with the capture and the stage that made it.
pub type SetAside = (String, &'static str, Finding);

/// Findings as rows of the `quarantine` table, sorted by its key.
///
/// # Errors
/// The contract of the table is another than this build's.
pub fn quarantine_table(mut rows: Vec<SetAside>) -> Result<RecordBatch, NormaliseError> {
    rows.sort_by(|a, b| quarantine_key(a).cmp(&quarantine_key(b)));
    rows.dedup_by(|a, b| quarantine_key(a) == quarantine_key(b));
    let table = Tables::get().table("quarantine")?;
    let batch = TableWriter::new(table)
        .texts("capture", rows.iter().map(|r| &r.0))
        .texts("stage", rows.iter().map(|r| r.1))
        .texts("file", rows.iter().map(|r| &r.2.file))
        .int32s("line", rows.iter().map(|r| Some(r.2.line)))
        .texts("kind", rows.iter().map(|r| r.2.kind.name()))
        .texts("severity", rows.iter().map(|r| r.2.severity.name()))
        .strings("key", rows.iter().map(|r| r.2.key.as_deref()))
        .texts("reason", rows.iter().map(|r| &r.2.reason))
        .strings("raw", rows.iter().map(|r| r.2.raw.as_deref()))
        .finish()?;
    Ok(batch)
}

fn quarantine_key(row: &SetAside) -> (&str, &str, &str, i32, &str, &str) {
    let (capture, stage, finding) = row;
    (capture, stage, &finding.file, finding.line, finding.kind.name(), &finding.reason)
}

/// Sorted by capture, then `ingest` before `normalise`.
fn quarantine_of_all(
    captures: &[CaptureFacts],
    found: BTreeMap<String, Vec<SetAside>>,
) -> Result<RecordBatch, NormaliseError> {
    let mut batches = Vec::new();
    for (capture, found) in found {
        let ingested = captures.iter().filter(|c| c.capture == capture).map(|c| c.set_aside.clone());
        batches.extend(ingested);
        batches.push(quarantine_table(found)?);
    }
    Ok(batches_to_one(Tables::get().table("quarantine")?, &batches)?)
}
