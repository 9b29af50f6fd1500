//! Publishes the stages' tables as one snapshot, and points `current` to it.

use anyhow::Context as _;
use arrow::array::RecordBatch;
use fdna_lake::{CaptureRef, Input, Lake, LakeError, SnapshotId, SnapshotManifest, StageOutput};
use fdna_publish::{GATED, Outputs, assemble, table_names};

use crate::context::{Context, Job, Pending};
use crate::decisions::DecisionFiles;
use crate::normalised::Normalised;
use crate::report::{Made, Report};
use crate::sql::{self, AuditRule};
use crate::view::View;
use crate::{derive, enrich, gates, ingest, published_ids};

pub(crate) struct Publish {
    pub(crate) decisions: DecisionFiles,
    /// Gates that a person accepts.
    pub(crate) accepted: Vec<String>,
    /// Whether the snapshot is audited before it is published.
    pub(crate) audit: Option<AuditRule>,
}

impl Job for Publish {
    fn name(&self) -> &'static str {
        "publish"
    }

    fn pending(&self, lake: &View, earlier: &[Pending]) -> anyhow::Result<Pending> {
        let what = "one snapshot of all tables";
        if let Some(follows) = Pending::behind(earlier, what) {
            return Ok(follows);
        }
        let (normalised, derived) = stages(lake, &self.decisions)?;
        let inputs = inputs(&normalised, &derived);
        let there = match lake.known_at() {
            Some(_) => lake.snapshots()?,
            None => current(lake)?.into_iter().collect(),
        };
        Ok(Pending::of(there.iter().any(|there| is_of(there, &inputs)), what))
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<Report> {
        let (normalised, derived) = stages(&ctx.lake, &self.decisions)?;
        let inputs = inputs(&normalised, &derived);
        if let Some(until) = ctx.lake.known_at() {
            let id = self.commit(ctx, &normalised, &derived)?.id;
            let known_at = until.to_rfc3339();
            let line = format!("snapshot {id} as known at {known_at}; current stays where it is");
            let made = Some(Made { id: id.to_string(), known_at });
            return Ok(Report { made, ..Report::changed(self.name(), vec![line]) });
        }
        let found = find(ctx, &inputs)?;
        if let Found::Whole(id) = found {
            return Ok(Report::unchanged(self.name(), format!("snapshot {id} is made of the same")));
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
            Found::Damaged => Report::changed(self.name(), vec![format!("{line}: mended")]),
            _ if moved => Report::changed(self.name(), vec![line]),
            _ => Report::unchanged(self.name(), format!("{line}: the same tables as before")),
        })
    }
}

impl Publish {
    /// What keeps a snapshot from being published: a person's word, audits, or gates that do not hold.
    fn held(
        &self,
        ctx: &Context,
        found: &Found,
        served: Option<&SnapshotManifest>,
        next: &SnapshotManifest,
    ) -> anyhow::Result<Option<Report>> {
        let is_other = served.is_some_and(|served| served.id != next.id);
        if let Some(hold) = ctx.lake.publications()?.hold.filter(|_| is_other) {
            let line = format!(
                "snapshot {} is made and not published: held by {} ({}); `fightdna snapshots release`",
                next.id, hold.by, hold.reason
            );
            return Ok(Some(Report { is_held: true, ..Report::changed(self.name(), vec![line]) }));
        }
        let mut closed = match served.filter(|_| is_other && matches!(found, Found::Other)) {
            Some(served) => gates::closed(&ctx.lake, served, next)?,
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
        let report = Report::changed(self.name(), vec![line]);
        Ok(Some(Report { closed_gates: closed, is_held: true, ..report }))
    }

    /// Makes the snapshot of these outputs; one of the same tables that is there and whole stays.
    fn commit(
        &self,
        ctx: &Context,
        normalised: &Normalised,
        derived: &StageOutput,
    ) -> anyhow::Result<SnapshotManifest> {
        let outputs = Outputs { normalised: normalised.0.each_ref(), derived };
        let gated = gated(&ctx.lake, outputs)?;
        let captures = ingest::outputs(&ctx.lake)?;
        let synthetic = captures.iter().any(|(capture, _)| capture.synthetic);
        let captures = captures.into_iter().map(|(c, _)| CaptureRef {
            source: c.source,
            id: c.id,
            captured_at: c.captured_at,
        });
        let mut draft = assemble(outputs, &gated, captures.collect(), synthetic)?;
        draft.known_at = ctx.lake.known_at();
        Ok(ctx.writer.commit_snapshot(draft)?)
    }
}

/// The outputs that a snapshot is made of.
fn stages(lake: &View, decisions: &DecisionFiles) -> anyhow::Result<(Normalised, StageOutput)> {
    let normalised =
        enrich::output(lake, decisions)?.context("find the normalised tables: normalise first")?;
    let derived = derive::output(lake, &normalised)?.context("find the DNA versions: derive first")?;
    Ok((normalised, derived))
}

fn inputs(normalised: &Normalised, derived: &StageOutput) -> Vec<Input> {
    normalised.inputs().chain([Input::from(derived)]).collect()
}

/// What there is before publishing.
enum Found {
    /// The current snapshot is of these inputs, and all its bytes are what they were.
    Whole(SnapshotId),
    /// The current snapshot is damaged: it is published anew.
    Damaged,
    Other,
}

fn find(ctx: &Context, inputs: &[Input]) -> anyhow::Result<Found> {
    let checked = ctx.lake.current().and_then(|id| {
        let Some(id) = id else { return Ok(None) };
        let manifest = ctx.lake.snapshot(&id)?;
        // Hashes every table; writes nothing, since the pointer is there already.
        ctx.writer.set_current(&id, ctx.now)?;
        Ok(Some(manifest))
    });
    match checked {
        Ok(Some(current)) if is_of(&current, inputs) => Ok(Found::Whole(current.id)),
        Ok(_) => Ok(Found::Other),
        Err(error) if is_damage(&error) => {
            tracing::warn!(%error, "the current snapshot is damaged, and is made anew");
            Ok(Found::Damaged)
        }
        Err(error) => Err(error.into()),
    }
}

fn is_damage(error: &LakeError) -> bool {
    error.is_damage() || matches!(error, LakeError::NoSnapshot { .. })
}

/// Whether what [`current`] stumbled over is damage, which publishing mends.
pub(crate) fn is_damaged(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(is_damage)
}

pub(crate) fn current(lake: &Lake) -> anyhow::Result<Option<SnapshotManifest>> {
    Ok(lake.current()?.map(|id| lake.snapshot(&id)).transpose()?)
}

/// Whether a build that publishes the tables of this one made it of these inputs.
fn is_of(manifest: &SnapshotManifest, inputs: &[Input]) -> bool {
    let has = |name: &str| manifest.tables.iter().any(|table| table.name == name);
    manifest.contract_version == fdna_schemas::CONTRACT_VERSION
        && table_names().all(has)
        && inputs.len() == manifest.inputs.len()
        && inputs.iter().all(|input| manifest.inputs.contains(input))
}

/// What the gates look at; the rest of the tables is not decoded.
fn gated(lake: &Lake, outputs: Outputs<'_>) -> anyhow::Result<Vec<(&'static str, RecordBatch)>> {
    let read = |(name, columns)| Ok((name, lake.read_stage_columns(outputs.of(name)?, name, columns)?));
    GATED.into_iter().map(read).collect()
}

fn describe(manifest: &SnapshotManifest) -> String {
    let bytes: u64 = manifest.tables.iter().map(|t| t.bytes).sum();
    format!("{} tables, {} KiB of Parquet", manifest.tables.len(), bytes / 1024)
}
