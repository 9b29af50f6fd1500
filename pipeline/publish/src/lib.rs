//! What a snapshot is made of, and the gates that it must pass before it is published.

mod gates;

use arrow::array::RecordBatch;
use fdna_lake::{CaptureRef, Input, SnapshotDraft};
use fdna_schemas::{CONTRACT_VERSION, ColumnError, DEFINITION_VERSION, TableReader};

pub use gates::Failure;

/// Tables of a snapshot, by the stage that makes them.
pub const NORMALISED: [&str; 9] = [
    "bouts",
    "corrections",
    "events",
    "fighters",
    "identities",
    "quarantine",
    "results",
    "round_stats",
    "scorecards",
];
pub const DERIVED: [&str; 1] = ["dna_versions"];

#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    #[error("find table `{0}` among the outputs of the stages")]
    MissingTable(String),
    #[error("read a table")]
    Column(#[from] ColumnError),
    #[error("pass the gates: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Gates(Vec<Failure>),
}

/// A snapshot to be, of the given tables.
///
/// # Errors
/// A table is missing, or the tables contradict each other: then nothing is published, and the error names
/// each contradiction.
pub fn assemble(
    tables: Vec<(String, RecordBatch)>,
    inputs: Vec<Input>,
    captures: Vec<CaptureRef>,
    synthetic: bool,
) -> Result<SnapshotDraft, PublishError> {
    let find = |name: &str| {
        let table = tables.iter().find(|(n, _)| n == name);
        table.map(|(_, batch)| batch).ok_or_else(|| PublishError::MissingTable(name.to_owned()))
    };
    for name in NORMALISED.iter().chain(&DERIVED) {
        find(name)?;
    }
    let failures = gates::check(find)?;
    if !failures.is_empty() {
        return Err(PublishError::Gates(failures));
    }
    let facts_until =
        TableReader::new("bouts", find("bouts")?).dates("event_date")?.into_iter().flatten().max();
    Ok(SnapshotDraft {
        tables,
        contract_version: CONTRACT_VERSION.to_owned(),
        definition_versions: vec![DEFINITION_VERSION.to_owned()],
        inputs,
        captures,
        synthetic,
        facts_until,
    })
}
