//! What the operations do not answer: the lineage of a value, and SQL.

use fdna_lake::Lake;
use fdna_mcp::{
    ErrorCode, ExplainQuestion, Explained, LakeAnswers, LakeName, QueryRows, Refusal, SqlQuestion,
};

use super::run_query::run_query;
use crate::commands::explain::{ExplainArgs, lineage_failure};

/// The lakes that are served.
#[derive(Debug)]
pub(super) struct LakeReader {
    pub(super) mma: Lake,
    pub(super) catalog: Option<Lake>,
}

impl LakeAnswers for LakeReader {
    fn explain(&self, question: &ExplainQuestion, snapshot: &str) -> Result<Explained, Refusal> {
        let ExplainQuestion { table, key, column, .. } = question.clone();
        let row = ExplainArgs::for_row(table, key, column, snapshot.to_owned()).trace_row(&self.mma);
        let explained = row
            .and_then(|row| Ok(Explained { lineage: row.to_json()?, metric_address: row.metric_address() }));
        explained.map_err(|error| {
            let failure = lineage_failure(&error);
            Refusal::new(failure.code, failure.message)
        })
    }

    fn query(&self, question: &SqlQuestion, snapshot: &str) -> Result<QueryRows, Refusal> {
        let lake = match question.lake {
            LakeName::Mma => Some(&self.mma),
            LakeName::Catalog => self.catalog.as_ref(),
        };
        let lake = lake.ok_or_else(|| {
            let message = "No multi-sport catalog is served here: `fightdna mcp --catalog-lake` names one";
            Refusal::new(ErrorCode::SnapshotNotAvailable, message)
        })?;
        run_query(lake.root(), snapshot, question)
    }
}
