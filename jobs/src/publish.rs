//! Publishes the stages' tables as one snapshot, and points `current` to it.

use arrow::array::RecordBatch;
use fdna_lake::{CaptureRef, Lake, LakeError, SnapshotId, SnapshotInput, SnapshotManifest, StageOutput};
use fdna_publish::{GATED, StageOutputs, assemble, table_names};

use crate::context::{Context, PendingOutput, PipelineJob};
use crate::current_snapshot::{current, is_damage, is_damaged};
use crate::normalised::{NormalisedOutputs, read_each};
use crate::report::{JobReport, MadeOutput};
use crate::sql::{self, AuditRule};
use crate::view::LakeView;
use crate::{gates, published_ids, stage_graph};

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
        if let Some(follows) = PendingOutput::behind(earlier, what) {
            return Ok(follows);
        }
        let (normalised, derived) = stages(lake)?;
        let inputs = inputs(&normalised, &derived);
        let there = match lake.known_at() {
            Some(_) => lake.snapshots()?,
            None => current(lake)?.into_iter().collect(),
        };
        Ok(PendingOutput::of(there.iter().any(|there| is_of(there, &inputs)), what))
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<JobReport> {
        let (normalised, derived) = stages(&ctx.lake)?;
        let inputs = inputs(&normalised, &derived);
        if let Some(until) = ctx.lake.known_at() {
            let id = self.commit(ctx, &normalised, &derived)?.id;
            let known_at = until.to_rfc3339();
            let line = format!("snapshot {id} as known at {known_at}; current stays where it is");
            let made = Some(MadeOutput { id: id.to_string(), known_at });
            return Ok(JobReport { made, ..JobReport::changed(self.name(), vec![line]) });
        }
        let found = find(ctx, &inputs)?;
        if let FoundProblems::Whole(id) = found {
            return Ok(JobReport::unchanged(self.name(), format!("snapshot {id} is made of the same")));
        }
        ctx.progress.say("publish");
        let manifest = self.commit(ctx, &normalised, &derived)?;
        let line = describe(&manifest);
        let served = current(&ctx.lake).ok().flatten();
        if let Some(held) = self.held(ctx, &found, served.as_ref(), &manifest)? {
            return Ok(held);
        }
        // Before the pointer: an id that was served must be known, whatever happens next.
        published_ids::record(&ctx.writer, ctx.writer.owner(), &manifest)?;
        let moved = ctx.writer.set_current(&manifest.id, ctx.now)?;
        Ok(match found {
            FoundProblems::Damaged => JobReport::changed(self.name(), vec![format!("{line}: mended")]),
            _ if moved => JobReport::changed(self.name(), vec![line]),
            _ => JobReport::unchanged(self.name(), format!("{line}: the same tables as before")),
        })
    }
}

impl PublishJob {
    /// What keeps a snapshot from being published: a person's word, audits, or gates that do not hold.
    fn held(
        &self,
        ctx: &Context,
        found: &FoundProblems,
        served: Option<&SnapshotManifest>,
        next: &SnapshotManifest,
    ) -> anyhow::Result<Option<JobReport>> {
        let is_other = served.is_some_and(|served| served.id != next.id);
        if let Some(hold) = ctx.lake.publications()?.hold.filter(|_| is_other) {
            let line = format!(
                "snapshot {} is made and not published: held by {} ({}); `fightdna snapshots release`",
                next.id, hold.by, hold.reason
            );
            return Ok(Some(JobReport { is_held: true, ..JobReport::changed(self.name(), vec![line]) }));
        }
        let mut closed = match served.filter(|_| is_other && matches!(found, FoundProblems::Other)) {
            Some(served) => match gates::closed(&ctx.lake, served, next) {
                // A damaged snapshot keeps no other from taking its place.
                Err(error) if is_damaged(&error) => Vec::new(),
                Ok(closed) if !closed.is_empty() && unless_damaged(hash(ctx, &served.id))?.is_none() => {
                    Vec::new()
                }
                closed => closed?,
            },
            None => Vec::new(),
        };
        if let Some(AuditRule::Required) = self.audit {
            closed.extend(sql::failed_audits(ctx, &next.id)?);
        }
        closed.retain(|gate| !self.accepted.contains(&gate.gate));
        if closed.is_empty() {
            return Ok(None);
        }
        let accept: Vec<String> = closed.iter().map(|gate| format!("--accept {}", gate.gate)).collect();
        let line =
            format!("snapshot {} is made and not published; to publish it: {}", next.id, accept.join(" "));
        let report = JobReport::changed(self.name(), vec![line]);
        Ok(Some(JobReport { closed_gates: closed, is_held: true, ..report }))
    }

    /// Makes the snapshot of these outputs; one of the same tables that is there and whole stays.
    fn commit(
        &self,
        ctx: &Context,
        normalised: &NormalisedOutputs,
        derived: &StageOutput,
    ) -> anyhow::Result<SnapshotManifest> {
        let outputs = StageOutputs { normalised: &normalised.0, derived };
        let gated = gated(&ctx.lake, outputs)?;
        let captures = ctx.lake.usable()?;
        let synthetic = captures.iter().any(|(capture, _)| capture.synthetic);
        let captures = captures.iter().map(|(c, _)| CaptureRef {
            source: c.source.clone(),
            id: c.id.clone(),
            captured_at: c.captured_at,
        });
        let mut draft = assemble(outputs, &gated, captures.collect(), synthetic)?;
        draft.known_at = ctx.lake.known_at();
        Ok(ctx.writer.commit_snapshot(draft)?)
    }
}

/// The outputs that a snapshot is made of.
fn stages(lake: &LakeView) -> anyhow::Result<(NormalisedOutputs, StageOutput)> {
    Ok((stage_graph::normalised(lake)?, stage_graph::derived(lake)?))
}

fn inputs(normalised: &NormalisedOutputs, derived: &StageOutput) -> Vec<SnapshotInput> {
    normalised.inputs().chain([SnapshotInput::from(derived)]).collect()
}

/// What there is before publishing.
enum FoundProblems {
    /// The current snapshot is of these inputs, and all its bytes are what they were.
    Whole(SnapshotId),
    /// The current snapshot is damaged: it is published anew.
    Damaged,
    Other,
}

fn find(ctx: &Context, inputs: &[SnapshotInput]) -> anyhow::Result<FoundProblems> {
    let found = ctx.lake.current().and_then(|id| {
        let Some(id) = id else { return Ok(FoundProblems::Other) };
        if !is_of(&ctx.lake.snapshot(&id)?, inputs) {
            return Ok(FoundProblems::Other);
        }
        hash(ctx, &id)?;
        Ok(FoundProblems::Whole(id))
    });
    Ok(unless_damaged(found)?.unwrap_or(FoundProblems::Damaged))
}

/// That the current snapshot has all its bytes.
fn hash(ctx: &Context, current: &SnapshotId) -> Result<(), LakeError> {
    // Writes nothing, since the pointer is there already.
    ctx.writer.set_current(current, ctx.now).map(drop)
}

/// `None` where the current snapshot is damaged.
fn unless_damaged<T>(found: Result<T, LakeError>) -> Result<Option<T>, LakeError> {
    match found {
        Err(error) if is_damage(&error) => {
            tracing::warn!(%error, "the current snapshot is damaged, and is made anew");
            Ok(None)
        }
        found => found.map(Some),
    }
}

/// Whether a build that publishes the tables of this one made it of these inputs.
fn is_of(manifest: &SnapshotManifest, inputs: &[SnapshotInput]) -> bool {
    let has = |name: &str| manifest.tables.iter().any(|table| table.name == name);
    manifest.contract_version == fdna_schemas::CONTRACT_VERSION
        && table_names().all(has)
        && inputs.len() == manifest.inputs.len()
        && inputs.iter().all(|input| manifest.inputs.contains(input))
}

/// What the gates look at; the rest of the tables is not decoded.
fn gated(lake: &Lake, outputs: StageOutputs<'_>) -> anyhow::Result<Vec<(&'static str, RecordBatch)>> {
    let read = |(name, columns)| Ok((name, lake.read_stage_columns(outputs.of(name)?, name, columns)?));
    read_each(GATED, read)
}

fn describe(manifest: &SnapshotManifest) -> String {
    let bytes: u64 = manifest.tables.iter().map(|t| t.bytes).sum();
    format!("{} tables, {} KiB of Parquet", manifest.tables.len(), bytes / 1024)
}
