//! Publishes the stages' tables as one snapshot, and points `current` to it.

use arrow::array::RecordBatch;
use fdna_lake::{CaptureRef, Lake, SnapshotInput, SnapshotManifest, StageOutput};
use fdna_publish::{GATED, StageOutputs, assemble_draft, table_names};

use crate::audits::AuditRule;
use crate::captures::lake_view::LakeView;
use crate::context::{Context, PendingOutput, PipelineJob};
use crate::current_snapshot::current_manifest;
use crate::publication::{FoundProblems, PublishRules, inspect_current};
use crate::published_ids;
use crate::report::{JobReport, MadeOutput};
use crate::stages::graph;
use crate::stages::normalised::{NormalisedOutputs, read_each};

pub(crate) struct PublishJob {
    /// Gates that a person accepts.
    pub(crate) accepted: Vec<String>,
    /// Whether the snapshot is audited before it is published.
    pub(crate) audit: Option<AuditRule>,
}

impl PipelineJob for PublishJob {
    fn name(&self) -> &'static str {
        "publish"
    }

    fn pending(&self, lake: &LakeView, earlier: &[PendingOutput]) -> anyhow::Result<PendingOutput> {
        let what = "one snapshot of all tables";
        if let Some(follows) = PendingOutput::after_pending(earlier, what) {
            return Ok(follows);
        }
        let (normalised, derived) = snapshot_stages(lake)?;
        let inputs = snapshot_inputs(&normalised, &derived);
        let there = match lake.known_at() {
            Some(_) => lake.list_snapshots()?,
            None => current_manifest(lake)?.into_iter().collect(),
        };
        Ok(PendingOutput::from_presence(there.iter().any(|there| is_of(there, &inputs)), what))
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<JobReport> {
        let (normalised, derived) = snapshot_stages(&ctx.lake)?;
        let inputs = snapshot_inputs(&normalised, &derived);
        if let Some(until) = ctx.lake.known_at() {
            let id = self.commit_snapshot(ctx, &normalised, &derived)?.id;
            let known_at = until.to_rfc3339();
            let line = format!("snapshot {id} as known at {known_at}; current stays where it is");
            let made = Some(MadeOutput { id: id.to_string(), known_at });
            return Ok(JobReport { made, ..JobReport::changed(self.name(), vec![line]) });
        }
        let found = inspect_current(ctx, |served| is_of(served, &inputs))?;
        if let FoundProblems::Whole(id) = found {
            return Ok(JobReport::unchanged(self.name(), format!("snapshot {id} is made of the same")));
        }
        ctx.progress.show_message("publish");
        let manifest = self.commit_snapshot(ctx, &normalised, &derived)?;
        let rules = PublishRules { accepted: &self.accepted, audit: self.audit };
        // Before the pointer: an id that was served must be known, whatever happens next.
        let record = || published_ids::record_ids(&ctx.writer, ctx.writer.owner(), &manifest).map(drop);
        rules.publish_snapshot(ctx, self.name(), &found, &manifest, record)
    }
}

impl PublishJob {
    /// Makes the snapshot of these outputs; one of the same tables that is there and whole stays.
    fn commit_snapshot(
        &self,
        ctx: &Context,
        normalised: &NormalisedOutputs,
        derived: &StageOutput,
    ) -> anyhow::Result<SnapshotManifest> {
        let outputs = StageOutputs { normalised: &normalised.0, derived };
        let gated = read_gated_tables(&ctx.lake, outputs)?;
        let captures = ctx.lake.usable_captures()?;
        let synthetic = captures.iter().any(|(capture, _)| capture.synthetic);
        let captures = captures.iter().map(|(c, _)| CaptureRef {
            source: c.source.clone(),
            id: c.id.clone(),
            captured_at: c.captured_at,
        });
        let mut draft = assemble_draft(outputs, &gated, captures.collect(), synthetic)?;
        draft.known_at = ctx.lake.known_at();
        Ok(ctx.writer.commit_snapshot(draft)?)
    }
}

/// The outputs that a snapshot is made of.
fn snapshot_stages(lake: &LakeView) -> anyhow::Result<(NormalisedOutputs, StageOutput)> {
    Ok((graph::normalised_outputs(lake)?, graph::derived_output(lake)?))
}

fn snapshot_inputs(normalised: &NormalisedOutputs, derived: &StageOutput) -> Vec<SnapshotInput> {
    normalised.snapshot_inputs().chain([SnapshotInput::from(derived)]).collect()
}

/// Whether a build that publishes the tables of this one made it of these inputs.
fn is_of(manifest: &SnapshotManifest, inputs: &[SnapshotInput]) -> bool {
    let has = |name: &str| manifest.tables.iter().any(|table| table.name == name);
    manifest.contract_version == fdna_schemas::CONTRACT_VERSION
        && table_names().all(has)
        && inputs.len() == manifest.inputs.len()
        && inputs.iter().all(|input| manifest.inputs.contains(input))
}

/// Tables that the gates look at; the rest is not decoded.
fn read_gated_tables(
    lake: &Lake,
    outputs: StageOutputs<'_>,
) -> anyhow::Result<Vec<(&'static str, RecordBatch)>> {
    let read =
        |(name, columns)| Ok((name, lake.read_stage_columns(outputs.output_of(name)?, name, columns)?));
    read_each(GATED, read)
}
