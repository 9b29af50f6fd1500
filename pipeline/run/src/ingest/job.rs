//! Turns each capture into source facts once.

use std::collections::{BTreeMap, VecDeque};

use anyhow::Context as _;
use arrow::array::RecordBatch;
use fdna_lake::{Capture, LakeError, StageOutput, StageTables, in_parallel};
use rayon::prelude::*;

use super::attempts::{ReadAttempts, program_stamp};
use super::reading::{CaptureReading, RefusedCapture};
use super::workers::ReaderPool;
use crate::captures::agreement::EndedHold;
use crate::captures::completeness::{self, JudgedCaptures};
use crate::captures::facts::{self, FactsDelta, WithFacts};
use crate::captures::lake_view::{LakeView, describe_refusal};
use crate::captures::notes::FactsNotes;
use crate::context::{Context, PendingOutput, PipelineJob};
use crate::exit::{ExitCode, error_with_code};
use crate::report::{JobReport, RowCounts};

/// Turns every capture that has no facts yet into facts.
pub(crate) struct IngestJob;

/// Captures that are read at a time.
const AT_A_TIME: usize = 8;
/// Of this many captures each is told by a line of the report; of more, each source by one.
const TOLD_EACH: usize = 12;

impl PipelineJob for IngestJob {
    fn name(&self) -> &'static str {
        "ingest"
    }

    fn pending(&self, lake: &LakeView, earlier: &[PendingOutput]) -> anyhow::Result<PendingOutput> {
        if let Some(follows) = PendingOutput::after_pending(earlier, "captures that have no facts yet") {
            return Ok(follows);
        }
        let captures = lake.with_facts()?;
        let new = captures.iter().filter(|capture| is_to_read(capture, &program_stamp())).count();
        Ok(match new {
            0 => PendingOutput::UpToDate(format!("{} captures have their facts", captures.len())),
            n => PendingOutput::ToDo(format!("{n} of {} captures", captures.len())),
        })
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<JobReport> {
        let captures = ctx.lake.with_facts()?;
        let workers = ReaderPool::new(&ctx.lake, &ctx.isolation);
        let reader = ctx.isolation.stamp();
        let sources: Vec<_> = captures.chunk_by(|a, b| a.0.source == b.0.source).collect();
        // Side by side, since many a source has one large capture; told in the order of their names. Not on rayon's threads:
        // commits wait for threads of their own, which share out their encoding there.
        let of_source = |captures: &[WithFacts]| ingest_source(ctx, &workers, captures, &reader);
        let mut done = IngestedFacts::default();
        in_parallel(sources, of_source)?.into_iter().for_each(|of_source| done.extend(of_source));
        if !done.captures.is_empty() {
            ctx.lake.clear_cache();
        }
        need_one(&ctx.lake)?;
        if done.captures.is_empty() {
            let mut line = format!("{} captures have their facts", captures.len());
            line.extend(given_up(&captures, &reader));
            return Ok(JobReport {
                held: waiting_captures(&ctx.lake)?,
                ..JobReport::unchanged(self.name(), line)
            });
        }
        let mut lines = done.report_lines();
        let judged = ctx.lake.judged_captures()?;
        lines.extend(done.ended_holds(&judged));
        lines.extend(done.shrunk_captures(&judged));
        let is_each_told = done.captures.len() <= TOLD_EACH;
        let is_told = |rows: &RowCounts| is_each_told || rows.set_aside > 0;
        let rows = done.rows.into_iter().filter(is_told).collect();
        let held = waiting_captures(&ctx.lake)?;
        Ok(JobReport { rows, refused: done.refused, held, ..JobReport::changed(self.name(), lines) })
    }
}

/// Outcomes of an ingest.
#[derive(Default)]
struct IngestedFacts {
    /// Source and id.
    captures: Vec<(String, String)>,
    rows: Vec<RowCounts>,
    refused: Vec<String>,
}

impl IngestedFacts {
    fn add_outcome(&mut self, capture: &Capture, outcome: IngestOutcome) {
        self.captures.push((capture.source.clone(), capture.id.clone()));
        match outcome {
            IngestOutcome::Facts(rows) => self.rows.extend(rows),
            IngestOutcome::Refused(refusal) => self.refused.push(refusal),
        }
    }

    fn extend(&mut self, other: Self) {
        self.captures.extend(other.captures);
        self.rows.extend(other.rows);
        self.refused.extend(other.refused);
    }

    fn report_lines(&self) -> Vec<String> {
        if self.captures.len() <= TOLD_EACH {
            return self.captures.iter().map(|(source, id)| format!("{source} {id}")).collect();
        }
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        self.captures.iter().for_each(|(source, _)| *counts.entry(source).or_default() += 1);
        counts.into_iter().map(|(source, n)| format!("{source}: {n} captures")).collect()
    }

    /// Holds that ended by themselves with one of the captures.
    fn ended_holds(&self, judged: &JudgedCaptures) -> Vec<String> {
        let is_new = |ended: &&EndedHold| {
            self.captures.iter().any(|(source, id)| (source, id) == (&ended.source, &ended.ended_by))
        };
        judged.ended.iter().filter(is_new).map(EndedHold::describe).collect()
    }

    /// Captures that have fewer rows than before, and are believed.
    fn shrunk_captures(&self, judged: &JudgedCaptures) -> Vec<String> {
        let of_new = self.captures.iter().filter_map(|name| Some((&name.0, judged.lessened.get(name)?)));
        let mut lines: Vec<String> = of_new
            .flat_map(|(source, files)| files.iter().map(move |file| format!("{source} {file}")))
            .collect();
        let more = lines.len().saturating_sub(TOLD_EACH);
        lines.truncate(TOLD_EACH);
        lines.extend((more > 0).then(|| format!("{more} more files have fewer rows than before")));
        lines
    }
}

/// Outcome of one capture.
enum IngestOutcome {
    Facts(Vec<RowCounts>),
    Refused(String),
}

/// Attempts to read a capture that failed for what may be the machine's sake.
fn read_attempts(facts: &StageOutput) -> Option<ReadAttempts> {
    FactsNotes::from_facts(facts).attempts
}

/// Whether a capture is still to be read, or once more: the reason to refuse it may have been the machine's.
fn is_to_read((_, facts): &WithFacts, reader: &str) -> bool {
    let attempts = facts.as_ref().map(read_attempts);
    attempts.is_none_or(|attempts| attempts.is_some_and(|attempts| !attempts.is_given_up(reader)))
}

/// Ingests the captures of one source that have no facts, in the order of their times.
fn ingest_source(
    ctx: &Context,
    workers: &ReaderPool<'_>,
    captures: &[WithFacts],
    reader: &str,
) -> anyhow::Result<IngestedFacts> {
    let new = captures.iter().filter(|capture| is_to_read(capture, reader));
    let attempts: BTreeMap<&str, Option<ReadAttempts>> =
        new.clone().map(|(capture, facts)| (&*capture.id, facts.as_ref().and_then(read_attempts))).collect();
    let mut queue: VecDeque<&Capture> = new.map(|(capture, _)| capture).collect();
    let mut done = IngestedFacts::default();
    let Some(first) = queue.front() else { return Ok(done) };
    let mut bases = BaseCaptures::new(captures, &first.source);
    while let Some(first) = queue.front() {
        ctx.progress.show_message(&format!("ingest {} {}", first.source, first.id));
        let base = bases.base_of(first);
        // Without a base the first becomes one, and the others are told apart from it.
        let n = if base.is_none() && bases.are_used { 1 } else { AT_A_TIME.min(queue.len()) };
        let next: Vec<&Capture> = queue.iter().take(n).copied().collect();
        let read = next.into_par_iter().map(|capture| {
            workers
                .read_capture(capture, base.as_ref())
                .with_context(|| format!("cannot ingest capture {}", capture.id))
        });
        let read: Vec<CaptureReading> = read.collect::<anyhow::Result<_>>()?;
        // One that is too different from the base is the next base: what follows is told apart from that.
        let first_complete = read.iter().position(|read| read.is_whole());
        let whole = first_complete.filter(|_| bases.are_used).map_or(read.len(), |at| at + 1);
        let batch: Vec<&Capture> = queue.drain(..whole).collect();
        let work = batch.iter().copied().zip(read).collect();
        let kept = in_parallel(work, |(capture, read): (&Capture, CaptureReading)| {
            let before = attempts.get(&*capture.id).cloned().flatten();
            keep_facts(ctx, capture, read.with_attempt(before, reader))
        })?;
        for (capture, (output, outcome)) in batch.into_iter().zip(kept) {
            bases.add_capture(capture, &output);
            done.add_outcome(capture, outcome);
        }
    }
    Ok(done)
}

/// The whole facts of a source, of which the nearest capture is the base of a new one.
struct BaseCaptures {
    are_used: bool,
    whole: Vec<(Capture, StageOutput)>,
}

impl BaseCaptures {
    fn new(captures: &[WithFacts], source: &str) -> Self {
        let mut bases = Self { are_used: fdna_ingest::is_told_apart(source), whole: Vec::new() };
        let there = captures.iter().filter_map(|(capture, facts)| Some((capture, facts.as_ref()?)));
        there.for_each(|(capture, facts)| bases.add_capture(capture, facts));
        bases
    }

    fn add_capture(&mut self, capture: &Capture, facts: &StageOutput) {
        if !self.are_used {
            return;
        }
        let notes = FactsNotes::from_facts(facts);
        if notes.base.is_none() && notes.is_usable() {
            let at = self.whole.partition_point(|(c, _)| c.captured_at <= capture.captured_at);
            self.whole.insert(at, (capture.clone(), facts.clone()));
        }
    }

    /// The base of a capture: the newest before it, or the oldest after it.
    fn base_of(&self, capture: &Capture) -> Option<(Capture, StageOutput)> {
        let after = self.whole.partition_point(|(c, _)| c.captured_at <= capture.captured_at);
        self.whole.get(after.saturating_sub(1)).cloned()
    }
}

/// Keeps the facts of a capture. Facts that are no tables by their contracts refuse it like any other fault of its.
fn keep_facts(
    ctx: &Context,
    capture: &Capture,
    reading: CaptureReading,
) -> anyhow::Result<(StageOutput, IngestOutcome)> {
    let committed = commit_facts(ctx, capture, reading);
    let is_no_table = |error: &anyhow::Error| {
        let lake = error.downcast_ref::<LakeError>();
        matches!(lake, Some(LakeError::Contract { .. } | LakeError::Encode { .. }))
    };
    match committed {
        Err(error) if is_no_table(&error) => {
            let why = RefusedCapture::permanent(format!("its facts make no table: {error:#}"));
            commit_facts(ctx, capture, CaptureReading::from_refusal(capture, why)?)
        }
        kept => kept,
    }
}

fn commit_facts(
    ctx: &Context,
    capture: &Capture,
    reading: CaptureReading,
) -> anyhow::Result<(StageOutput, IngestOutcome)> {
    let CaptureReading { tables, notes: found, difference } = reading;
    // Of a capture that cannot be used the findings alone, so that later runs know it for one.
    let is_usable = found.refused.is_empty();
    let difference = difference.filter(|_| is_usable);
    let notes = FactsNotes {
        capture: capture.id.clone(),
        rows: is_usable.then(|| found.rows.clone()),
        refused: found.refused.clone(),
        attempts: found.attempts,
        ends: found.ends,
        base: difference.as_ref().map(|difference| difference.base.clone()),
    };
    let files = difference.iter().map(FactsDelta::to_file).collect::<anyhow::Result<_>>()?;
    let tables: Vec<(&str, RecordBatch)> = tables.iter().map(|(n, b)| (n.as_str(), b.clone())).collect();
    let (stage, fingerprint) = (facts::facts_stage(&capture.source), facts::facts_fingerprint(capture));
    // Where there is an output all the same, its base is gone, or it is a refusal that may not hold.
    ctx.writer.retract_stage(&stage, &fingerprint)?;
    let output = ctx.writer.commit_stage_with(
        &stage,
        &fingerprint,
        StageTables { batches: &tables, files, ..StageTables::default() },
        serde_json::to_value(&notes)?,
    )?;
    Ok(match is_usable {
        true => (output, IngestOutcome::Facts(found.rows)),
        false => (output, IngestOutcome::Refused(describe_refusal(capture, &found.refused))),
    })
}

/// Without a capture that can be used there is nothing to go on with.
fn need_one(lake: &LakeView) -> anyhow::Result<()> {
    if !lake.usable_captures()?.is_empty() {
        return Ok(());
    }
    let waiting = waiting_captures(lake)?.join("; ");
    if !waiting.is_empty() {
        let message = format!("no capture in the lake that is not held: {waiting}");
        return Err(error_with_code(ExitCode::Held, message));
    }
    let refused = lake.describe_refusals()?.join("; refused ");
    if refused.is_empty() {
        let message = "no capture in the lake; give one with --source statsdb=FOLDER";
        return Err(error_with_code(ExitCode::Usage, message));
    }
    Err(error_with_code(ExitCode::BadData, format!("no usable capture in the lake; refused: {refused}")))
}

/// The captures that look cut and that a person is to decide about.
fn waiting_captures(lake: &LakeView) -> anyhow::Result<Vec<String>> {
    let judged = lake.judged_captures()?;
    Ok(completeness::describe_held(judged.held.iter().filter(|held| !held.is_superseded), lake))
}

/// The captures that are not read again, of those that could not be read for want of time or memory.
fn given_up(captures: &[WithFacts], reader: &str) -> Option<String> {
    let is_given_up = |(_, facts): &&WithFacts| {
        facts.as_ref().and_then(read_attempts).is_some_and(|attempts| attempts.is_given_up(reader))
    };
    let names =
        captures.iter().filter(is_given_up).map(|(capture, _)| format!("{} {}", capture.source, capture.id));
    let names: Vec<String> = names.collect();
    (!names.is_empty()).then(|| format!("; given up: {}", names.join(", ")))
}
