//! End of a run: its outcome, its exit code and its report.

use std::panic::{AssertUnwindSafe, catch_unwind};

use chrono::{DateTime, Utc};
use fdna_lake::Lake;

use crate::current_snapshot::current_manifest;
use crate::exit::{ExitCode, exit_code};
use crate::product::Product;
use crate::quarantine::count_quarantined;
use crate::report::{JobReport, NOT_IMPORTED, NotTaken, RunReport};

/// Stages of the design that this build does not have, or does not run unless asked to.
const NOT_RUN: [&str; 2] = ["ledger", "audit"];

/// Captures that the error of a run names; the rest is counted.
const TOLD: usize = 20;

/// How it ended, also if that was a panic: a fault of ours, and no reason to leave without a report.
pub(super) fn or_panicked(run: impl FnOnce() -> EndedRun) -> EndedRun {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a word");
        EndedRun { reports: Vec::new(), error: Some(anyhow::anyhow!("panicked: {text}")) }
    })
}

/// How the jobs ended.
pub(super) struct EndedRun {
    pub(super) reports: Vec<JobReport>,
    pub(super) error: Option<anyhow::Error>,
}

impl EndedRun {
    pub(super) fn refused_lines(&self) -> Vec<String> {
        self.reports.iter().flat_map(|report| report.refused.clone()).collect()
    }

    fn not_taken(&self) -> impl Iterator<Item = &NotTaken> {
        self.reports.iter().flat_map(|report| &report.not_taken)
    }

    /// Whether a snapshot is made and not published.
    fn is_held(&self) -> bool {
        self.reports.iter().any(|report| !report.closed_gates.is_empty())
    }

    fn held_lines(&self) -> impl Iterator<Item = &String> {
        self.reports.iter().flat_map(|report| &report.held)
    }

    /// Lines for a person to act on: captures that cannot be used or added, or are not believed, and a
    /// snapshot that is not published.
    fn describe_refusal(&self) -> Option<String> {
        let refused = self.refused_lines().into_iter().map(|refused| format!("refused capture {refused}"));
        let not_taken =
            self.not_taken().map(|NotTaken { what, why, .. }| format!("{NOT_IMPORTED} {what}: {why}"));
        let held = self.held_lines().map(|held| format!("held {held}"));
        let gated = self.reports.iter().filter(|report| !report.closed_gates.is_empty());
        let closed = gated.flat_map(|report| {
            let gates = report.closed_gates.iter().map(|gate| format!("held by {gate}"));
            gates.chain(report.lines.iter().cloned())
        });
        let lines: Vec<String> = refused.chain(not_taken).chain(held).chain(closed).collect();
        let more = lines.len().saturating_sub(TOLD);
        let more = (more > 0).then(|| format!("and {more} more, which `fightdna status` names"));
        (!lines.is_empty()).then(|| lines.into_iter().take(TOLD).chain(more).collect::<Vec<_>>().join("\n  "))
    }

    pub(super) fn exit_code(&self) -> ExitCode {
        match &self.error {
            // That there is nothing to go on with follows from what could not be taken in.
            Some(error) => match (exit_code(error), self.not_taken().next()) {
                (ExitCode::Usage, Some(not_taken)) => not_taken.code,
                (code, _) => code,
            },
            None if !self.refused_lines().is_empty() => ExitCode::BadData,
            None if let Some(not_taken) = self.not_taken().next() => not_taken.code,
            None if self.is_held() || self.held_lines().next().is_some() => ExitCode::Held,
            None if self.reports.iter().any(|report| report.changed) => ExitCode::Done,
            None => ExitCode::NothingToDo,
        }
    }

    fn outcome_name(&self) -> &'static str {
        match self.exit_code() {
            _ if self.error.is_some() => "failed",
            ExitCode::BadData | ExitCode::Unavailable => "refused",
            ExitCode::Held if self.is_held() => "held",
            ExitCode::Held => "held_capture",
            ExitCode::NothingToDo => "nothing_to_do",
            _ => "done",
        }
    }
}

/// The report, and the error of a job that failed. The lake may be damaged, which must not hide why that was:
/// what cannot be read for the report is left out of it.
pub(super) fn build_report(
    lake: &Lake,
    run_id: String,
    now: DateTime<Utc>,
    product: Product,
    ended: EndedRun,
) -> (RunReport, Option<anyhow::Error>) {
    let (message, outcome, exit_code) =
        (ended.describe_refusal(), ended.outcome_name(), ended.exit_code().as_u8());
    let error = match (ended.error, &message) {
        (Some(error), Some(refusal)) => Some(error.context(refusal.clone())),
        (error, _) => error,
    };
    let current = or_nothing(current_manifest(lake));
    let report = RunReport {
        run_id,
        started_at: now.to_rfc3339(),
        version: env!("CARGO_PKG_VERSION"),
        lake: lake.root().display().to_string(),
        product,
        synthetic: current.as_ref().is_some_and(|m| m.synthetic),
        outcome,
        exit_code,
        error: error.as_ref().map(|error| format!("{error:#}")).or(message),
        not_run: NOT_RUN
            .into_iter()
            .filter(|name| product == Product::Mma && ended.reports.iter().all(|r| r.job != *name))
            .collect(),
        jobs: ended.reports,
        quarantine: current.as_ref().map(|m| or_nothing(count_quarantined(lake, m))).unwrap_or_default(),
        snapshot_id: current.map(|m| m.id.to_string()),
        log_heads: lake.log_heads().ok(),
        seconds: 0.0,
    };
    (report, error)
}

fn or_nothing<T: Default>(read: anyhow::Result<T>) -> T {
    read.unwrap_or_else(|error| {
        tracing::warn!(error = format!("{error:#}"), "the report is not complete");
        T::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_failure_of_ours_and_its_words_are_kept() {
        let ended = or_panicked(|| panic!("no room for {}", 3));
        assert_eq!((ended.exit_code(), ended.outcome_name()), (ExitCode::Failed, "failed"));
        assert_eq!(ended.error.unwrap().to_string(), "panicked: no room for 3");
        assert!(or_panicked(|| EndedRun { reports: Vec::new(), error: None }).error.is_none());
    }
}
