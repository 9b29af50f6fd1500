//! Publishes the tables of all sports as one snapshot, and points `current` to it.

use std::collections::BTreeSet;

use fdna_lake::{CaptureRef, DraftTable, PipelineStage, SnapshotDraft, SnapshotInput, StageOutput};

use super::models::sports;
use crate::context::{Context, PendingOutput, PipelineJob};
use crate::current_snapshot::current;
use crate::report::JobReport;
use crate::view::LakeView;

/// Versions of what snapshots hold as a whole: of the catalog, and of properties.
const CONTRACT_VERSION: &str = "catalog-1";
const PROPERTIES_CONTRACT_VERSION: &str = "properties-1";

/// What was measured on the tables that models made.
pub(crate) type MeasuredOutput = fn(&LakeView, &StageOutput) -> anyhow::Result<Option<StageOutput>>;

pub(crate) struct PublishCatalogJob {
    /// Licences whose sources count.
    pub(crate) licences: BTreeSet<String>,
    /// Of properties, what is published beside the tables of models.
    pub(crate) measured: Option<MeasuredOutput>,
}

impl PipelineJob for PublishCatalogJob {
    fn name(&self) -> &'static str {
        "publish"
    }

    fn pending(&self, lake: &LakeView, earlier: &[PendingOutput]) -> anyhow::Result<PendingOutput> {
        let what = "one snapshot of all sports";
        if let Some(follows) = PendingOutput::behind(earlier, what) {
            return Ok(follows);
        }
        Ok(PendingOutput::of(self.is_published(lake, &self.newest(lake)?)?, what))
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<JobReport> {
        let newest = self.newest(&ctx.lake)?;
        // What is served may be of licences that count no more: then a snapshot without it takes its place.
        if newest.is_empty() && current(&ctx.lake)?.is_none() {
            return Ok(JobReport::unchanged(self.name(), "no facts have made tables"));
        }
        if self.is_published(&ctx.lake, &newest)? {
            return Ok(JobReport::unchanged(self.name(), "the snapshot that is served is made of the same"));
        }
        let manifest = ctx.writer.commit_snapshot(self.draft(&ctx.lake, newest)?)?;
        let bytes: u64 = manifest.tables.iter().map(|table| table.bytes).sum();
        let line = format!("{} tables, {} KiB of Parquet", manifest.tables.len(), bytes / 1024);
        Ok(match ctx.writer.set_current(&manifest.id, ctx.now)? {
            true => JobReport::changed(self.name(), vec![line]),
            false => JobReport::unchanged(self.name(), format!("{line}: the same tables as before")),
        })
    }
}

impl PublishCatalogJob {
    /// The tables of each sport: those of its newest facts, or where they could not be made those that are served.
    fn newest(&self, lake: &LakeView) -> anyhow::Result<Vec<StageOutput>> {
        let served = current(lake)?.map(|manifest| manifest.inputs).unwrap_or_default();
        let mut newest = Vec::new();
        for sport in sports(lake, &self.licences)? {
            let stage = sport.stage();
            let of_now = lake.stage(&stage, &sport.fingerprint)?;
            let before = || last(lake, &served, &stage);
            let output = of_now.map_or_else(before, |output| Ok(Some(output)))?;
            if let Some((measured, output)) = self.measured.zip(output.as_ref()) {
                newest.extend(measured(lake, output)?);
            }
            newest.extend(output);
        }
        Ok(newest)
    }

    fn is_published(&self, lake: &LakeView, outputs: &[StageOutput]) -> anyhow::Result<bool> {
        let inputs: BTreeSet<_> =
            outputs.iter().map(|o| (o.stage.to_string(), o.fingerprint.to_string())).collect();
        let Some(served) = current(lake)? else { return Ok(false) };
        let there = served.inputs.iter().map(|i| (i.stage.to_string(), i.fingerprint.to_string()));
        let has_licences = served.licences.iter().eq(&self.licences);
        Ok(has_licences && there.collect::<BTreeSet<_>>() == inputs)
    }

    fn draft(&self, lake: &LakeView, newest: Vec<StageOutput>) -> anyhow::Result<SnapshotDraft> {
        let named = |output: &StageOutput| {
            output.notes["captures"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|capture| {
                    let text = |field: &str| capture[field].as_str().unwrap_or_default().to_owned();
                    (text("source"), text("id"))
                })
                .collect::<Vec<_>>()
        };
        let used: BTreeSet<(String, String)> = newest.iter().flat_map(named).collect();
        let usable = lake.usable()?;
        let captures: Vec<_> = usable
            .iter()
            .map(|(capture, _)| capture.clone())
            .filter(|capture| used.contains(&(capture.source.clone(), capture.id.clone())))
            .collect();
        let tables = newest.iter().flat_map(|output| {
            output.tables.iter().map(|table| (table.name.clone(), DraftTable::Stage(output.clone())))
        });
        Ok(SnapshotDraft {
            tables: tables.collect(),
            contract_version: if self.measured.is_some() {
                PROPERTIES_CONTRACT_VERSION
            } else {
                CONTRACT_VERSION
            }
            .to_owned(),
            definition_versions: Vec::new(),
            licences: self.licences.iter().cloned().collect(),
            inputs: newest.iter().map(SnapshotInput::from).collect(),
            synthetic: captures.iter().any(|capture| capture.synthetic),
            captures: captures
                .into_iter()
                .map(|c| CaptureRef { source: c.source, id: c.id, captured_at: c.captured_at })
                .collect(),
            facts_until: None,
            known_at: None,
        })
    }
}

fn last(
    lake: &LakeView,
    served: &[SnapshotInput],
    stage: &PipelineStage,
) -> anyhow::Result<Option<StageOutput>> {
    let Some(input) = served.iter().find(|input| input.stage == *stage) else { return Ok(None) };
    Ok(lake.stage(stage, &input.fingerprint)?)
}
