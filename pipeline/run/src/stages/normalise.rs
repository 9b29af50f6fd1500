//! Normalises all captures of the statistics source together.

use anyhow::Context as _;
use arrow::array::RecordBatch;
use fdna_lake::{Capture, Fingerprint, Lake, PipelineStage, SnapshotInput, StageOutput, StageTables};
use fdna_normalise::{CaptureMerger, PreparedUnit, STATE_FORMAT};
use fdna_rows::{CaptureFacts, TableCount};
use rayon::prelude::*;
use serde_json::json;

use super::definition::{StageName, StageState};
use super::graph;
use super::graph::add_captures;
use super::normalised::read_each;
use crate::captures::facts::{CaptureOutput, FactsReader};
use crate::captures::lake_view::LakeView;
use crate::context::{Context, PipelineJob as _, StageJob};
use crate::report::{JobReport, RowCounts};

pub struct NormaliseJob;

/// Captures of the statistics source in the order in which they are merged.
fn merge_inputs(lake: &LakeView) -> anyhow::Result<Vec<CaptureOutput>> {
    let mut captures = graph::stage_captures(lake, StageName::Normalise)?;
    captures.sort_by(|(a, _), (b, _)| (a.captured_at, &a.id).cmp(&(b.captured_at, &b.id)));
    Ok(captures)
}

/// Row counts of each capture, for a report.
pub fn row_counts(counts: &[TableCount]) -> Vec<RowCounts> {
    let row = |c: &TableCount| RowCounts {
        capture: c.capture.clone(),
        name: c.table.clone(),
        rows_in: c.rows_in,
        rows_out: c.rows_out,
        set_aside: c.set_aside,
        reasons: Vec::new(),
    };
    counts.iter().map(row).collect()
}

impl StageJob for NormaliseJob {
    const STAGE: StageName = StageName::Normalise;
    const UNCHANGED: &'static str = "no new facts";

    fn make(&self, ctx: &Context, state: &StageState) -> anyhow::Result<JobReport> {
        ctx.progress.show_message("normalise");
        let facts = merge_inputs(&ctx.lake)?;
        let merging = merge_captures(ctx, &facts)?;
        let normalised = merging.finish().context("cannot normalise the facts")?;
        let rows = row_counts(of_newest(&normalised.counts));
        let tables: Vec<(&str, RecordBatch)> =
            normalised.tables.iter().map(|(name, batch)| (name.as_str(), batch.clone())).collect();
        let counts = super::normalised::describe_counts(&normalised.tables);
        let notes = json!({ "rows": rows });
        state.commit_output(&ctx.lake, &ctx.writer, &tables, notes)?;
        let lines = std::iter::once(counts).chain(left_behind(&normalised.tables)?);
        Ok(JobReport { rows, ..JobReport::changed(self.name(), lines.collect()) })
    }
}

/// Results that the newest capture of a layout no longer has: few is a correction of the source, many a capture
/// cut short.
fn left_behind(tables: &[(String, RecordBatch)]) -> anyhow::Result<Option<String>> {
    let (_, results) = tables.iter().find(|(name, _)| name == "results").context("no results")?;
    let gone = results.column_by_name("last_capture").context("no capture for a result")?;
    let (gone, all) = (gone.len() - gone.null_count(), results.num_rows());
    Ok((gone > 0).then(|| {
        format!("the newest capture lacks {gone} of {all} results that earlier ones had; they stay")
    }))
}

/// Captures that are loaded at a time.
const AT_A_TIME: usize = 8;
/// Of more captures than these, a report tells the rows of the newest alone.
const TOLD: usize = 12;
/// File of the output that says where merging stands.
const STATE: &str = "state.bin";
/// The fastest level: what is written is read by the next run.
const ZSTD_LEVEL: i32 = 1;

/// Fingerprint of the merged state after these captures.
fn state_fingerprint(facts: &[CaptureOutput]) -> Fingerprint {
    let builder = Fingerprint::builder("merging")
        .with_text("format", STATE_FORMAT.to_string())
        .with_text("logic", StageName::Normalise.definition().logic)
        .with_text("contract", fdna_schemas::contracts_digest());
    add_captures(builder, facts).build()
}

/// Merges these captures, from where an earlier run came to with the first of them, and keeps where it stands.
fn merge_captures(ctx: &Context, facts: &[CaptureOutput]) -> anyhow::Result<CaptureMerger> {
    let (mut merging, done) = resume_merge(&ctx.lake, facts)?;
    std::thread::scope(|scope| {
        // What comes next is loaded while this is merged.
        let (sender, receiver) = std::sync::mpsc::sync_channel(1);
        scope.spawn(move || {
            let reader = FactsReader::new(&ctx.lake);
            for some in facts[done..].chunks(AT_A_TIME) {
                let prepared = some.par_iter().map(|(capture, facts)| prepare_unit(&reader, capture, facts));
                let prepared = prepared.collect::<anyhow::Result<Vec<_>>>();
                let failed = prepared.is_err();
                if sender.send(prepared).is_err() || failed {
                    return;
                }
            }
        });
        for prepared in receiver {
            for capture in prepared? {
                merging.add_capture(capture).context("cannot normalise the facts")?;
            }
        }
        anyhow::Ok(())
    })?;
    let state = zstd::Encoder::new(Vec::new(), ZSTD_LEVEL)?;
    let state = merging.write_checkpoint(state).context("cannot write the state of the merge")?.finish()?;
    let files = vec![(STATE.to_owned(), state.into())];
    let notes = json!({ "captures": facts.len() });
    ctx.writer.commit_stage_with(
        &PipelineStage::Merging,
        &state_fingerprint(facts),
        StageTables { files, ..StageTables::default() },
        notes,
    )?;
    Ok(merging)
}

fn prepare_unit(
    reader: &FactsReader<'_>,
    capture: &Capture,
    facts: &StageOutput,
) -> anyhow::Result<PreparedUnit> {
    Ok(PreparedUnit::new(read_capture_facts(reader, capture, facts)?)?)
}

/// The newest merged state of the first captures, and their number.
fn resume_merge(lake: &Lake, facts: &[CaptureOutput]) -> anyhow::Result<(CaptureMerger, usize)> {
    for done in (1..=facts.len()).rev() {
        // What cannot be read here is made again from the facts.
        let Ok(Some(output)) = lake.find_stage(&PipelineStage::Merging, &state_fingerprint(&facts[..done]))
        else {
            continue;
        };
        match lake.read_stage_file(&output, STATE) {
            Ok(bytes) => {
                let state = zstd::decode_all(&bytes[..]).unwrap_or_default();
                if let Some(merging) = CaptureMerger::from_bytes(&state) {
                    return Ok((merging, done));
                }
            }
            Err(error) => tracing::warn!(%error, "where merging stood cannot be read, and is made anew"),
        }
    }
    Ok((CaptureMerger::new()?, 0))
}

/// The merged state after all captures, on which the next run builds.
pub fn merge_state(lake: &LakeView) -> anyhow::Result<Option<SnapshotInput>> {
    let state = lake.find_stage(&PipelineStage::Merging, &state_fingerprint(&merge_inputs(lake)?))?;
    Ok(state.as_ref().map(SnapshotInput::from))
}

/// Counts to be reported: all of few captures, of many the newest.
fn of_newest(counts: &[TableCount]) -> &[TableCount] {
    let captures = counts.chunk_by(|a, b| a.capture == b.capture);
    if captures.clone().count() <= TOLD { counts } else { captures.last().unwrap_or_default() }
}

/// The facts of these captures, whole.
pub fn load_facts<'c>(
    lake: &Lake,
    captures: impl IntoIterator<Item = &'c CaptureOutput>,
) -> anyhow::Result<Vec<CaptureFacts>> {
    let reader = FactsReader::new(lake);
    read_each(captures, |(capture, facts)| read_capture_facts(&reader, capture, facts))
}

fn read_capture_facts(
    reader: &FactsReader<'_>,
    capture: &Capture,
    facts: &StageOutput,
) -> anyhow::Result<CaptureFacts> {
    let mut tables = reader.read_facts(facts)?;
    let set_aside = tables.remove("quarantine").context("no table of what ingest set aside")?;
    Ok(CaptureFacts {
        source: capture.source.clone(),
        capture: capture.id.clone(),
        captured_at: capture.captured_at,
        tables,
        set_aside,
    })
}
