//! The lineage of a row for the servers, which reach no facts themselves.

use chrono::{DateTime, Utc};
use fdna_lake::Lake;
use fdna_lineage::Decision;
use fdna_run::exit::{ExitCode, exit_code};
use fdna_run::lineage::SourceStatement;
use fdna_server::{
    ErrorCode, Failure, LinkDecision, PublishedRow, RowExplainer, RowExplanation, RowStatement,
};

use super::{ExplainArgs, TracedRow};

/// Explains rows of the tables of a lake.
#[derive(Debug)]
pub struct LakeExplainer(Lake);

impl LakeExplainer {
    /// Explains rows of this lake.
    #[must_use]
    pub fn new(lake: Lake) -> Self {
        Self(lake)
    }
}

impl RowExplainer for LakeExplainer {
    fn explain_row(&self, row: &PublishedRow) -> Result<RowExplanation, Failure> {
        let PublishedRow { snapshot_id, table, key, column } = row.clone();
        let traced = ExplainArgs::for_row(table, key, column, snapshot_id).trace_row(&self.0);
        traced.map(explanation).map_err(|error| lineage_failure(&error))
    }
}

/// 404 for what is wrong with the question, as of every name that is nobody's or several entities'; what is wrong with the
/// lake is for its operator.
fn lineage_failure(error: &anyhow::Error) -> Failure {
    match exit_code(error) {
        ExitCode::Usage => Failure::new(ErrorCode::NotFound, format!("{error:#}")),
        _ => {
            tracing::error!(error = format!("{error:#}"), "cannot explain a value");
            let message = "the lake cannot be read; the log of the server says why";
            Failure::new(ErrorCode::SnapshotNotAvailable, message)
        }
    }
}

fn explanation(row: TracedRow) -> RowExplanation {
    let lineage = row.lineage;
    RowExplanation {
        snapshot_id: lineage.snapshot,
        table: lineage.table,
        key: lineage.key,
        cells: lineage.cells,
        column: row.column.map(|column| column.name),
        metric: row.metric_address,
        now: lineage.now,
        before: lineage.before,
        later: lineage.later,
        statements: lineage.statements.into_iter().map(statement).collect(),
        links: lineage.links,
        aliases: lineage.aliases,
        decisions: lineage.decisions.into_iter().map(decision).collect(),
        doubts: lineage.doubts,
        namesakes: lineage.namesakes,
        set_aside: lineage.set_aside,
    }
}

fn statement(stated: SourceStatement) -> RowStatement {
    // As the API writes instants: with the offset.
    let captured_at = stated.captured_at.parse::<DateTime<Utc>>().map(|at| at.to_rfc3339());
    RowStatement {
        source: stated.capture.source,
        capture: stated.capture.id,
        captured_at: captured_at.unwrap_or(stated.captured_at),
        is_active: stated.is_active,
        reason: stated.word.map(|word| word.reason),
        table: stated.table,
        file: stated.file,
        line: stated.line,
        cells: stated.cells,
    }
}

/// Without who decided it, which is the operator's affair.
fn decision(decision: Decision) -> LinkDecision {
    let Decision { is_same, ids, reason, on, .. } = decision;
    LinkDecision { is_same, ids, reason, on }
}
