//! Audits of a snapshot, before it is published or after: queries that must return no rows.

use std::path::Path;
use std::process::Command;
use std::sync::PoisonError;

use fdna_lake::SnapshotId;

use crate::captures::lake_view::LakeView;
use crate::context::{Context, PendingOutput, PipelineJob};
use crate::current_snapshot::NoCurrentSnapshot;
use crate::exit::{ExitCode, error_with_code};
use crate::gates::ClosedGate;
use crate::product::Product;
use crate::programs::{exit_code_of, explain_start_error, hand_on_folder, sql_program};
use crate::report::JobReport;

/// Whether a run audits what it publishes.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum AuditRule {
    /// Audit before publishing; an audit that returns rows blocks the snapshot. Without `fightdna-sql` the run fails.
    Required,
}

/// Audits the snapshot that is served, unless it was audited before it was published.
pub(crate) struct AuditReport;

impl PipelineJob for AuditReport {
    fn name(&self) -> &'static str {
        "audit"
    }

    fn pending(&self, _lake: &LakeView, earlier: &[PendingOutput]) -> anyhow::Result<PendingOutput> {
        let what = "queries over the snapshot that must return no rows";
        Ok(PendingOutput::after_pending(earlier, what)
            .unwrap_or_else(|| PendingOutput::from_presence(false, what)))
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<JobReport> {
        let Some(current) = ctx.lake.current_snapshot()? else {
            let none = NoCurrentSnapshot::new(&ctx.lake, Product::Mma);
            return Ok(JobReport::unchanged(self.name(), none.to_string()));
        };
        let audited = ctx.audited.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if audited.as_ref() == Some(&current) {
            return Ok(JobReport::unchanged(self.name(), "audited before it was published"));
        }
        let failed = failed_audits(ctx, &current)?;
        if failed.is_empty() {
            return Ok(JobReport::unchanged(self.name(), "no audit of the snapshot that is served failed"));
        }
        let failed: Vec<String> = failed.into_iter().map(|gate| gate.why).collect();
        Err(error_with_code(ExitCode::BadData, failed.join("; ")))
    }
}

/// Audits a snapshot: the audits that returned rows.
///
/// # Errors
/// `fightdna-sql` is missing or could not audit.
pub(crate) fn failed_audits(ctx: &Context, snapshot: &SnapshotId) -> anyhow::Result<Vec<ClosedGate>> {
    ctx.progress.show_message("audit");
    let audits = run_audits(ctx.lake.share()?, snapshot)?;
    *ctx.audited.lock().unwrap_or_else(PoisonError::into_inner) = Some(snapshot.clone());
    let failed = audits.into_iter().filter(|(_, rows)| rows != "0");
    let gate = |(name, rows): (String, String)| ClosedGate {
        gate: format!("audit:{name}"),
        why: format!("the audit {name} returns {rows} rows"),
    };
    Ok(failed.map(gate).collect())
}

/// The audits of a snapshot, each with how many rows it returned.
///
/// # Errors
/// `fightdna-sql` is missing, or could not audit.
pub fn run_audits(lake: &Path, snapshot: &SnapshotId) -> anyhow::Result<Vec<(String, String)>> {
    let mut command = Command::new(sql_program());
    command.args(["audit", "--format", "csv", "--snapshot", snapshot.as_str(), "--lake"]).arg(lake);
    hand_on_folder(&mut command);
    let output = explain_start_error(command.output())?;
    let text = String::from_utf8_lossy(&output.stdout);
    // Behind a line of names.
    let lines = text.lines().skip(1).filter_map(|line| line.rsplit_once(','));
    let audits: Vec<(String, String)> =
        lines.map(|(name, rows)| (name.to_owned(), rows.to_owned())).collect();
    let has_failed = audits.iter().any(|(_, rows)| rows != "0");
    if !has_failed && (audits.is_empty() || !output.status.success()) {
        let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(error_with_code(exit_code_of(output.status), why));
    }
    Ok(audits)
}
