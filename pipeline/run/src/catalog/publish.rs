//! Publishes the tables of all sports as one snapshot, and points `current` to it.

use std::collections::BTreeSet;

use fdna_lake::{
    CaptureRef, DraftTable, PipelineStage, SnapshotDraft, SnapshotInput, SnapshotManifest, StageOutput,
};

use super::sports::sport_inputs;
use crate::captures::lake_view::LakeView;
use crate::context::{Context, PendingOutput, PipelineJob};
use crate::current_snapshot::{current_manifest, is_damaged};
use crate::publication::{FoundProblems, PublishRules, inspect_current};
use crate::report::JobReport;

/// Versions of what snapshots hold as a whole: of the catalog, and of properties.
const CONTRACT_VERSION: &str = "catalog-1";
const PROPERTIES_CONTRACT_VERSION: &str = "properties-1";

/// Measurement of the tables that models made.
pub(crate) type MeasuredOutput = fn(&LakeView, &StageOutput) -> anyhow::Result<Option<StageOutput>>;

pub(crate) struct PublishCatalogJob {
    /// Licences whose sources count.
    pub(crate) licences: BTreeSet<String>,
    /// Of properties, what is published beside the tables of models.
    pub(crate) measured: Option<MeasuredOutput>,
    /// Gates that a person accepts.
    pub(crate) accepted: Vec<String>,
}

impl PipelineJob for PublishCatalogJob {
    fn name(&self) -> &'static str {
        "publish"
    }

    fn pending(&self, lake: &LakeView, earlier: &[PendingOutput]) -> anyhow::Result<PendingOutput> {
        let what = "one snapshot of all sports";
        if let Some(follows) = PendingOutput::after_pending(earlier, what) {
            return Ok(follows);
        }
        let newest = self.newest_tables(lake)?;
        let is_published = served_snapshot(lake)?.is_some_and(|served| self.is_of(&served, &newest));
        Ok(PendingOutput::from_presence(is_published, what))
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<JobReport> {
        let newest = self.newest_tables(&ctx.lake)?;
        let found = inspect_current(ctx, |served| self.is_of(served, &newest))?;
        if let FoundProblems::Whole(_) = found {
            return Ok(JobReport::unchanged(self.name(), "the snapshot that is served is made of the same"));
        }
        // What is served may be of licences that count no more: then a snapshot without it takes its place.
        if newest.is_empty()
            && matches!(found, FoundProblems::Other)
            && ctx.lake.current_snapshot()?.is_none()
        {
            return Ok(JobReport::unchanged(self.name(), "no facts have made tables"));
        }
        let manifest = ctx.writer.commit_snapshot(self.draft_snapshot(&ctx.lake, newest)?)?;
        let rules = PublishRules { accepted: &self.accepted, audit: None };
        rules.publish_snapshot(ctx, self.name(), &found, &manifest, || Ok(()))
    }
}

impl PublishCatalogJob {
    /// The tables of each sport: those of its newest facts, or where they could not be made those that are served.
    fn newest_tables(&self, lake: &LakeView) -> anyhow::Result<Vec<StageOutput>> {
        let served = served_snapshot(lake)?.map(|manifest| manifest.inputs).unwrap_or_default();
        let mut newest = Vec::new();
        for sport in sport_inputs(lake, &self.licences)? {
            let stage = sport.stage();
            let of_now = lake.find_stage(&stage, &sport.fingerprint)?;
            let before = || last_served_output(lake, &served, &stage);
            let output = of_now.map_or_else(before, |output| Ok(Some(output)))?;
            if let Some((measured, output)) = self.measured.zip(output.as_ref()) {
                newest.extend(measured(lake, output)?);
            }
            newest.extend(output);
        }
        Ok(newest)
    }

    /// Whether a snapshot is of these tables, and of the licences that count.
    fn is_of(&self, served: &SnapshotManifest, outputs: &[StageOutput]) -> bool {
        let inputs: BTreeSet<_> =
            outputs.iter().map(|o| (o.stage.to_string(), o.fingerprint.to_string())).collect();
        let there = served.inputs.iter().map(|i| (i.stage.to_string(), i.fingerprint.to_string()));
        let has_licences = served.licences.iter().eq(&self.licences);
        has_licences && there.collect::<BTreeSet<_>>() == inputs
    }

    fn draft_snapshot(&self, lake: &LakeView, newest: Vec<StageOutput>) -> anyhow::Result<SnapshotDraft> {
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
        let usable = lake.usable_captures()?;
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

/// The snapshot that is served; none where it is damaged: then it is published anew.
fn served_snapshot(lake: &LakeView) -> anyhow::Result<Option<SnapshotManifest>> {
    match current_manifest(lake) {
        Err(error) if is_damaged(&error) => Ok(None),
        served => served,
    }
}

/// The tables of a sport that are served.
pub(super) fn served_output(lake: &LakeView, stage: &PipelineStage) -> anyhow::Result<Option<StageOutput>> {
    let served = served_snapshot(lake)?.map(|manifest| manifest.inputs).unwrap_or_default();
    last_served_output(lake, &served, stage)
}

fn last_served_output(
    lake: &LakeView,
    served: &[SnapshotInput],
    stage: &PipelineStage,
) -> anyhow::Result<Option<StageOutput>> {
    let Some(input) = served.iter().find(|input| input.stage == *stage) else { return Ok(None) };
    Ok(lake.find_stage(stage, &input.fingerprint)?)
}
