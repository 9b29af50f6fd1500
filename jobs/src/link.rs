//! Ties the schedule, judging and notice sources to the statistics source.
//!
//! Ids once given never change: the registry of published ids is an input. So the output has two names: the key of the
//! captures, which says what it is about, and the fingerprint, which has the registry in it as well. Where the current
//! snapshot was made of an output with the same key, that one is up to date, and a run that follows finds nothing new;
//! any other is made of the captures and of every id that was published, as far as it was by the time that is asked for.

use std::collections::BTreeMap;

use anyhow::Context as _;
use arrow::array::RecordBatch;
use fdna_identity::{EntityResolution, LinkDecisions, PublishedIds};
use fdna_lake::{Capture, Fingerprint, PipelineStage, StageOutput};
use fdna_schemas::SourceGroup;
use serde_json::json;

use crate::context::{Context, PendingOutput, PipelineJob};
use crate::decisions::DecisionFiles;
use crate::ingest::{of_groups, outputs};
use crate::normalise::{add_captures, load, rows};
use crate::published_ids::IdRegistry;
use crate::report::JobReport;
use crate::view::LakeView;
use crate::{normalise, normalised, publish};

/// Raised when linking makes something else of the same facts.
const LOGIC: &str = "5";

pub(crate) struct LinkJob {
    pub(crate) decisions: DecisionFiles,
}

const GROUPS: [SourceGroup; 3] = [SourceGroup::Schedule, SourceGroup::Judging, SourceGroup::Notice];

/// Where an output's notes say what it is about.
const KEY: &str = "captures_key";

fn inputs(lake: &LakeView) -> anyhow::Result<Vec<(Capture, StageOutput)>> {
    Ok(of_groups(outputs(lake)?, &GROUPS))
}

/// What an output is about, whatever was published before.
fn captures_key(
    history: &StageOutput,
    captures: &[(Capture, StageOutput)],
    decisions: &DecisionFiles,
) -> Fingerprint {
    let builder = Fingerprint::builder("link")
        .text("logic", LOGIC)
        .text("contract", fdna_schemas::contracts_digest())
        .digest("history", history.content_digest());
    add_captures(decisions.add_to(builder), captures).build()
}

/// What the output is made of: the captures and decisions, and every id that was published.
fn fingerprint(key: &Fingerprint, registry: &IdRegistry) -> Fingerprint {
    Fingerprint::builder("link").digest("captures", key).digest("published_ids", registry.digest()).build()
}

/// Of the current snapshot's outputs, the one that is about this. A snapshot that is damaged has nothing to say: it is
/// made anew.
fn published_output(lake: &LakeView, key: &Fingerprint) -> anyhow::Result<Option<StageOutput>> {
    // What was known at a time does not rest on what has been published since.
    if lake.known_at().is_some() {
        return Ok(None);
    }
    let current = match publish::current(lake) {
        Err(error) if publish::is_damaged(&error) => None,
        current => current?,
    };
    for input in current.iter().flat_map(|current| &current.inputs) {
        if input.stage != PipelineStage::Normalised {
            continue;
        }
        let output = lake.stage(&input.stage, &input.fingerprint)?;
        if let Some(output) = output.filter(|output| output.notes[KEY] == json!(key.to_string())) {
            return Ok(Some(output));
        }
    }
    Ok(None)
}

/// The linked tables of all captures, where they have been made.
pub(crate) fn output(
    lake: &LakeView,
    history: &StageOutput,
    decisions: &DecisionFiles,
) -> anyhow::Result<Option<StageOutput>> {
    let key = captures_key(history, &inputs(lake)?, decisions);
    if let Some(output) = published_output(lake, &key)? {
        return Ok(Some(output));
    }
    let registry = IdRegistry::open(lake, lake.known_at())?;
    Ok(lake.stage(&PipelineStage::Normalised, &fingerprint(&key, &registry))?)
}

impl PipelineJob for LinkJob {
    fn name(&self) -> &'static str {
        "link"
    }

    fn pending(&self, lake: &LakeView, earlier: &[PendingOutput]) -> anyhow::Result<PendingOutput> {
        let what = "events, bouts and fighters of all sources";
        if let Some(follows) = PendingOutput::behind(earlier, what) {
            return Ok(follows);
        }
        let history = normalise::output(lake)?.context("find the tables of the statistics source")?;
        Ok(PendingOutput::of(output(lake, &history, &self.decisions)?.is_some(), what))
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<JobReport> {
        let history = normalise::output(&ctx.lake)?.context("find the tables of the statistics source")?;
        if output(&ctx.lake, &history, &self.decisions)?.is_some() {
            return Ok(JobReport::unchanged(self.name(), "nothing new to link"));
        }
        ctx.progress.say("link sources");
        let captures = inputs(&ctx.lake)?;
        let key = captures_key(&history, &captures, &self.decisions);
        let registry = IdRegistry::open(&ctx.lake, ctx.lake.known_at())?;
        let fingerprint = fingerprint(&key, &registry);
        let set = normalised::read(&ctx.lake, &[&history])?;
        let decisions = self.decisions.parse()?;
        let [same, different] = decisions.counts();
        let linked = link(ctx, &set, &captures, registry.ids()?, decisions)?;
        let unchanged: BTreeMap<&str, &RecordBatch> = set.0.iter().map(|(n, b)| (n.as_str(), b)).collect();
        let mut tables = linked.tables;
        // What linking leaves as it was stays where it is.
        tables.retain(|(name, batch)| unchanged.get(name.as_str()).is_none_or(|before| *before != batch));
        let mut lines = vec![normalised::counts(&tables)];
        if same + different > 0 {
            lines.push(format!("decisions followed: {same} same, {different} different"));
        }
        let rows = rows(&linked.counts);
        let tables: Vec<(&str, RecordBatch)> = tables.iter().map(|(n, b)| (n.as_str(), b.clone())).collect();
        let notes = json!({ "rows": rows, KEY: key.to_string() });
        ctx.writer.commit_stage(&PipelineStage::Normalised, &fingerprint, &tables, notes)?;
        Ok(JobReport { rows, ..JobReport::changed(self.name(), lines) })
    }
}

fn link(
    ctx: &Context,
    history: &fdna_rows::TableSet,
    captures: &[(Capture, StageOutput)],
    published: PublishedIds,
    decisions: LinkDecisions,
) -> anyhow::Result<fdna_rows::Normalised> {
    let captures = load(&ctx.lake, captures)?;
    fdna_identity::link(EntityResolution { history, captures, published, decisions })
        .context("link the sources")
}
