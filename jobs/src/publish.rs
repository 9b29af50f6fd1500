//! Publishes the stages' tables as one snapshot, and points `current` to it.

use anyhow::Context as _;
use arrow::array::RecordBatch;
use fdna_lake::{CaptureRef, Input, Lake, LakeError, SnapshotId, SnapshotManifest, StageOutput};
use fdna_publish::{DERIVED, NORMALISED, assemble};

use crate::context::{Context, Job, Pending};
use crate::normalise::follows;
use crate::report::Report;

pub(crate) struct Publish;

impl Job for Publish {
    fn name(&self) -> &'static str {
        "publish"
    }

    fn pending(&self, _: &Lake, earlier: &[Pending]) -> anyhow::Result<Pending> {
        Ok(follows(earlier, "one snapshot of all tables"))
    }

    fn run(&self, ctx: &mut Context) -> anyhow::Result<Report> {
        let normalised = ctx.normalised.as_ref().context("publish without normalised tables")?;
        let derived = ctx.derived.as_ref().context("publish without derived tables")?;
        let inputs = [normalised, derived].map(input);
        let found = find(ctx, &inputs)?;
        if let Found::Whole(id) = found {
            return Ok(Report::unchanged(self.name(), format!("snapshot {id} is made of the same")));
        }
        ctx.progress.say("publish");
        let tables = tables(&ctx.lake, normalised, derived)?;
        let captures = ctx.facts.iter().map(|c| CaptureRef {
            source: c.capture.source.clone(),
            id: c.capture.id.clone(),
            captured_at: c.capture.captured_at,
        });
        let synthetic = ctx.facts.iter().any(|c| c.capture.synthetic);
        let draft = assemble(tables, inputs.to_vec(), captures.collect(), synthetic)?;
        let manifest = ctx.writer.commit_snapshot(draft)?;
        let moved = ctx.writer.set_current(&manifest.id, ctx.now)?;
        let line = describe(&manifest);
        Ok(match found {
            Found::Damaged => Report::changed(self.name(), vec![format!("{line}: mended")]),
            _ if moved => Report::changed(self.name(), vec![line]),
            _ => Report::unchanged(self.name(), format!("{line}: the same tables as before")),
        })
    }
}

fn input(output: &StageOutput) -> Input {
    Input { stage: output.stage.clone(), fingerprint: output.fingerprint.clone() }
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
    matches!(
        error,
        LakeError::Corrupt { .. }
            | LakeError::Gone { .. }
            | LakeError::NoSnapshot { .. }
            | LakeError::Json { .. }
    )
}

pub(crate) fn current(lake: &Lake) -> anyhow::Result<Option<SnapshotManifest>> {
    Ok(lake.current()?.map(|id| lake.snapshot(&id)).transpose()?)
}

fn is_of(manifest: &SnapshotManifest, inputs: &[Input]) -> bool {
    manifest.contract_version == fdna_schemas::CONTRACT_VERSION
        && inputs.len() == manifest.inputs.len()
        && inputs.iter().all(|input| manifest.inputs.contains(input))
}

fn tables(
    lake: &Lake,
    normalised: &StageOutput,
    derived: &StageOutput,
) -> anyhow::Result<Vec<(String, RecordBatch)>> {
    let of = |output, names: &'static [&'static str]| names.iter().map(move |name| (output, *name));
    of(normalised, &NORMALISED)
        .chain(of(derived, &DERIVED))
        .map(|(output, name)| Ok((name.to_owned(), lake.read_stage_table(output, name)?)))
        .collect()
}

fn describe(manifest: &SnapshotManifest) -> String {
    let bytes: u64 = manifest.tables.iter().map(|t| t.bytes).sum();
    format!("{} tables, {} KiB of Parquet", manifest.tables.len(), bytes / 1024)
}
