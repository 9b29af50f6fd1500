//! What the operations do not answer: the lineage of a value, and SQL.

use fdna_lake::Lake;
use fdna_mcp::{
    ErrorCode, ExplainQuestion, Explained, LakeAnswers, LakeName, QueryRows, Refusal, SqlQuestion,
};
use fdna_run::exit::{ExitCode, exit_code};

use super::run_query::run_query;
use crate::commands::explain::ExplainArgs;

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
        explained.map_err(|error| refuse_lineage(&error))
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

/// What is wrong with the question is said; what is wrong with the lake is for its operator.
fn refuse_lineage(error: &anyhow::Error) -> Refusal {
    match exit_code(error) {
        ExitCode::Usage => Refusal::new(ErrorCode::InvalidParameter, format!("{error:#}")),
        _ => {
            tracing::error!(error = format!("{error:#}"), "cannot explain a value");
            let message = "The lake cannot be read; the log of the server says why";
            Refusal::new(ErrorCode::SnapshotNotAvailable, message)
        }
    }
}
