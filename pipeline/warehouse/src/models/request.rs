//! Request to run models: captures, their facts, and which rows of them.

use chrono::{DateTime, NaiveDate, Utc};
use fdna_lake::{Fingerprint, Lake, PipelineStage};
use serde::Deserialize;

use crate::WarehouseError;
use crate::views::engine_path;

/// A capture whose facts the models read.
#[derive(Debug, Clone, Deserialize)]
pub struct CapturedFacts {
    /// Name of the source.
    pub source: String,
    /// Id of the capture.
    pub capture: String,
    /// When it was captured.
    pub captured_at: DateTime<Utc>,
    /// Of its facts.
    pub fingerprint: Fingerprint,
}

/// Selection and order of the rows of facts that the models meet.
#[derive(Debug, Clone, Copy, Default)]
pub struct RowSelection {
    /// In another order than the engine yields them, which no model may show: one that picks a row without saying which
    /// makes another table of them.
    pub is_shuffled: bool,
    /// Those of earlier days alone. Of an instant, the day ends at noon in UTC, when no league plays. Rows that bear no
    /// date stay: they are about a game or a player whose row has one.
    pub before: Option<NaiveDate>,
}

/// What models are to run over.
#[derive(Debug, Clone, Deserialize)]
pub struct ModelsRequest {
    /// Facts of all captures.
    pub facts: Vec<CapturedFacts>,
    /// Version of what the models are run by.
    #[serde(default)]
    pub logic: String,
    /// Output of an earlier run, whose tables stay where nothing that they are made of changed.
    #[serde(default)]
    pub earlier: Option<Fingerprint>,
}

/// A table of facts of one capture.
pub(super) struct FactsFile<'a> {
    pub(super) captured: &'a CapturedFacts,
    pub(super) table: String,
    /// As the engine takes it.
    pub(super) path: String,
    pub(super) sha256: String,
}

/// Files of the facts of these captures.
pub(super) fn facts_files<'a>(
    lake: &Lake,
    facts: &'a [CapturedFacts],
) -> Result<Vec<FactsFile<'a>>, WarehouseError> {
    let mut files = Vec::new();
    for captured in facts {
        let stage = PipelineStage::Facts { source: captured.source.clone() };
        let output = lake.find_stage(&stage, &captured.fingerprint)?;
        let fingerprint = captured.fingerprint.clone();
        let output = output.ok_or(WarehouseError::NoOutput { stage, fingerprint })?;
        for file in lake.stage_files(&output)? {
            let path = engine_path(&file.path)?;
            let sha256 = output.table(&file.table).map(|table| table.sha256.clone()).unwrap_or_default();
            files.push(FactsFile { captured, table: file.table, path, sha256 });
        }
    }
    Ok(files)
}
