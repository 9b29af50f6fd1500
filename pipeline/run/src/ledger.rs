//! The job that writes the fight week down as it is known now, or replays it from captures.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;
use arrow::array::RecordBatch;
use chrono::{DateTime, SubsecRound as _, TimeDelta, Utc};
use fdna_lake::{Fingerprint, FingerprintBuilder, Lake, LedgerDue, LedgerHead, StageOutput};
use fdna_ledger::{
    CaptureTime, ChainFault, Checkpoint, LedgerEntry, LedgerHistory, LedgerState, RecordedRows, from_table,
    to_table,
};
use fdna_schemas::{SourceContract, SourceGroup};
use uuid::Uuid;

use crate::captures::lake_view::LakeView;
use crate::context::{Context, PendingOutput, PipelineJob};
use crate::exit::{ExitCode, error_with_code};
use crate::report::{JobReport, count_with_noun};
use crate::stages::graph;
use crate::stages::normalised::read_each;

/// The times for which rows are written.
#[derive(Debug, Clone)]
pub enum ReplaySpan {
    Now,
    /// Every capture and checkpoint from one time to another.
    Replay(DateTime<Utc>, DateTime<Utc>),
    /// As if runs had been at these times.
    Runs(Vec<DateTime<Utc>>),
}

/// Appends to the ledger what is to be written down.
pub(crate) struct RecordLedger {
    pub(crate) when: ReplaySpan,
    pub(crate) now: DateTime<Utc>,
}

impl PipelineJob for RecordLedger {
    fn name(&self) -> &'static str {
        "ledger"
    }

    fn pending(&self, lake: &LakeView, earlier: &[PendingOutput]) -> anyhow::Result<PendingOutput> {
        let what = "checkpoints of the fight week";
        if let Some(follows) = PendingOutput::after_pending(earlier, what) {
            return Ok(follows);
        }
        Ok(match self.recorded_rows(lake, self.now)?.map_or(0, |new| new.rows.entries.len()) {
            0 => PendingOutput::from_presence(true, what),
            rows => PendingOutput::ToDo(format!("{rows} rows of the fight week")),
        })
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<JobReport> {
        ctx.progress.show_message("write the ledger");
        let new = self.recorded_rows(&ctx.lake, ctx.now)?;
        let recorded = new.as_ref().map(|new| &new.rows).filter(|rows| !rows.entries.is_empty());
        let report = match (&new, recorded) {
            (Some(new), Some(recorded)) => {
                let last = recorded.entries.last().map(|entry| entry.row_digest.as_str()).unwrap_or_default();
                let rows = to_table(&recorded.entries, i64::try_from(new.rows_before + 1)?)?;
                let head = ctx.writer.append_ledger(&rows, last, ctx.now)?;
                JobReport::changed(self.name(), describe_added(recorded, &head))
            }
            _ => {
                // A run that broke off may have left the head behind.
                let head = ctx.writer.mark_ledger(ctx.now)?;
                JobReport::unchanged(self.name(), no_rows(head.as_ref()))
            }
        };
        if let Some(due) = new.and_then(|new| new.due) {
            ctx.writer.write_ledger_due(&due)?;
        }
        Ok(report)
    }
}

/// Rows that a run added, by checkpoint, and checkpoints that it missed.
fn describe_added(recorded: &RecordedRows, head: &LedgerHead) -> Vec<String> {
    let RecordedRows { entries, missed } = recorded;
    let bouts: BTreeSet<Uuid> = entries.iter().map(|entry| entry.bout_id).collect();
    let (rows, written) = (entries.len(), by_checkpoint(entries.iter().map(|entry| entry.checkpoint)));
    let first =
        format!("{} of {}: {written}", count_with_noun(rows, "row"), count_with_noun(bouts.len(), "bout"));
    let missed = (!missed.is_empty()).then(|| by_checkpoint(missed.iter().map(|missed| missed.checkpoint)));
    let last = format!("{} rows in all, head {}", head.rows, head.head.get(..16).unwrap_or_default());
    [Some(first), missed.map(|missed| format!("missed: {missed}")), Some(last)]
        .into_iter()
        .flatten()
        .collect()
}

/// How often each checkpoint, in their order.
fn by_checkpoint(checkpoints: impl Iterator<Item = Checkpoint>) -> String {
    let mut counts: BTreeMap<Checkpoint, usize> = BTreeMap::new();
    checkpoints.for_each(|checkpoint| *counts.entry(checkpoint).or_default() += 1);
    let counts: Vec<String> = counts.into_iter().map(|(checkpoint, n)| format!("{checkpoint} {n}")).collect();
    counts.join(", ")
}

/// Rows to be added.
struct NewRows {
    /// Rows that there are.
    rows_before: usize,
    rows: RecordedRows,
    /// When there is something to add again; `None` for a replay, and where rows are added, since another run at once may
    /// add more.
    due: Option<LedgerDue>,
}

fn no_rows(head: Option<&LedgerHead>) -> String {
    match head {
        None => "no bout has come to a checkpoint".to_owned(),
        Some(head) => format!("no checkpoint reached and no state changed; {} rows", head.rows),
    }
}

impl RecordLedger {
    /// The rows to be added; `None` where an earlier run found that there are none yet.
    fn recorded_rows(&self, lake: &LakeView, now: DateTime<Utc>) -> anyhow::Result<Option<NewRows>> {
        refuse_cut(lake)?;
        let entries = read_entries(lake)?;
        if let Some(fault) = find_faults(lake, &entries)?.into_iter().next() {
            let message = format!("cannot add to the ledger: row {}, {}", fault.row, fault.what);
            return Err(error_with_code(ExitCode::BadData, message));
        }
        if matches!(self.when, ReplaySpan::Now) && is_quiet(lake, &ledger_inputs(lake, entries.last())?, now)
        {
            return Ok(None);
        }
        let history = read_history(lake)?;
        let mut book = LedgerState::from_entries(&entries, &history);
        // To the millisecond, as the table keeps it.
        let recorded_at = now.trunc_subsecs(3);
        let rows = match &self.when {
            ReplaySpan::Now => book.record_run(&history, now, recorded_at),
            ReplaySpan::Replay(from, to) => {
                fdna_ledger::replay_rows(&mut book, &history, [*from, *to], recorded_at)
            }
            ReplaySpan::Runs(runs) => fdna_ledger::replay_runs(&mut book, &history, runs, recorded_at),
        };
        let due = match self.when {
            ReplaySpan::Now if rows.entries.is_empty() => {
                let inputs = ledger_inputs(lake, entries.last())?;
                Some(LedgerDue::new(inputs, now, book.next_due(&history, now)))
            }
            ReplaySpan::Now | ReplaySpan::Replay(..) | ReplaySpan::Runs(_) => None,
        };
        Ok(Some(NewRows { rows_before: entries.len(), rows, due }))
    }
}

/// Raised when other rows are made of the same.
const LOGIC: &str = "1";

/// Inputs of the rows: captures, the tables made of them, and the last row that is there, which seals all before.
fn ledger_inputs(lake: &LakeView, last: Option<&LedgerEntry>) -> anyhow::Result<Fingerprint> {
    let (normalised, derived) = (graph::normalised_outputs(lake)?, graph::derived_output(lake)?);
    let outputs = normalised.0.iter().chain([&derived]);
    let builder = Fingerprint::builder("ledger")
        .with_text("logic", LOGIC)
        .with_text("contract", fdna_schemas::contracts_digest())
        .with_text("last", last.map(|entry| entry.row_digest.as_str()).unwrap_or_default());
    let builder = graph::add_captures(builder, &*lake.usable_captures()?);
    let add = |builder: FingerprintBuilder, output: &StageOutput| {
        builder.with_digest("output", output.content_digest())
    };
    Ok(outputs.fold(builder, add).build())
}

/// Whether an earlier run found that nothing is to be added yet. What cannot be read is found out again.
fn is_quiet(lake: &Lake, inputs: &Fingerprint, now: DateTime<Utc>) -> bool {
    lake.ledger_due()
        .unwrap_or_else(|error| {
            tracing::warn!(%error, "when the ledger is due cannot be read, and is found out again");
            None
        })
        .is_some_and(|due| due.is_quiet(inputs, now))
}

/// Nothing is added to a ledger of which rows are missing.
fn refuse_cut(lake: &Lake) -> anyhow::Result<()> {
    lake.check_ledger().map_err(|error| {
        let advice = "put ledger/ back from a backup; or go on without the rows that are lost: \
                      `fightdna repair --begin-log ledger --reason TEXT`, and `fightdna ledger --replay` fills what \
                      the captures still tell";
        error_with_code(ExitCode::BadData, format!("{error}: {advice}"))
    })
}

/// History of the lake's captures, as far as it has been normalised and derived.
fn read_history(lake: &LakeView) -> anyhow::Result<LedgerHistory> {
    let (normalised, derived) = (graph::normalised_outputs(lake)?, graph::derived_output(lake)?);
    let read = |(name, columns): (&'static str, &[&str])| -> anyhow::Result<(&str, RecordBatch)> {
        let output = normalised.output_of(name).unwrap_or(&derived);
        let batch = match columns {
            [] => lake.read_stage_table(output, name)?,
            columns => lake.read_stage_columns(output, name, columns)?,
        };
        Ok((name, batch))
    };
    let tables = read_each(LedgerHistory::required_tables(), read)?;
    let find = |name: &str| tables.iter().find(|(n, _)| *n == name).map(|(_, batch)| batch);
    Ok(LedgerHistory::read_history(find, &capture_times(lake)?)?)
}

/// The captures that can be used.
fn capture_times(lake: &LakeView) -> anyhow::Result<Vec<CaptureTime>> {
    let usable = lake.usable_captures()?;
    let taken = usable.iter().filter_map(|(capture, _)| {
        let contract = SourceContract::get(&capture.source)?;
        let groups: Vec<SourceGroup> = contract.feeds().into_iter().collect();
        let next_within = contract.expected_every_hours.map(|hours| TimeDelta::hours(hours.into()));
        Some(CaptureTime { source: capture.source.clone(), groups, at: capture.captured_at, next_within })
    });
    Ok(taken.collect())
}

/// Every row of the ledger.
///
/// # Errors
/// A part is damaged or cannot be read.
pub fn read_entries(lake: &Lake) -> anyhow::Result<Vec<LedgerEntry>> {
    let mut entries = Vec::new();
    for part in lake.ledger_parts()? {
        let rows = from_table(&lake.read_ledger_part(&part)?);
        entries.extend(rows.with_context(|| format!("cannot read part {} of the ledger", part.number))?);
    }
    Ok(entries)
}

/// Faults of the rows. The head may be behind, after a run that broke off, and then is not checked.
pub fn find_faults(lake: &Lake, entries: &[LedgerEntry]) -> anyhow::Result<Vec<ChainFault>> {
    let head = lake.ledger_head()?;
    let is_behind = head.as_ref().is_none_or(|head| head.rows < entries.len() as u64);
    let last = head.as_ref().filter(|_| !is_behind).map(|head| head.head.as_str());
    Ok(fdna_ledger::find_faults(entries, last))
}
