//! Ties the schedule, judging and notice sources to the statistics source.
//!
//! Ids once given never change: the registry of published ids is an input. Where the current snapshot was made of an
//! output that differs in nothing else, that one is up to date, and a run that follows finds nothing new; any other is
//! made of the captures and of every id that was published, as far as it was by the time that is asked for.

use std::collections::BTreeMap;

use anyhow::Context as _;
use arrow::array::RecordBatch;
use fdna_identity::{EntityResolution, LinkDecisions, PublishedIds};
use serde_json::json;

use crate::context::{Context, PipelineJob as _, StageJob};
use crate::ingest::CaptureOutput;
use crate::normalise::{load, rows};
use crate::normalised;
use crate::published_ids::IdRegistry;
use crate::report::JobReport;
use crate::stage_graph::{self, StageName, StageState};

pub(crate) struct LinkJob;

impl StageJob for LinkJob {
    const STAGE: StageName = StageName::Link;
    const UNCHANGED: &'static str = "nothing new to link";

    fn make(&self, ctx: &Context, state: &StageState) -> anyhow::Result<JobReport> {
        ctx.progress.say("link sources");
        let captures = stage_graph::captures(&ctx.lake, StageName::Link)?;
        let history = ctx.lake.output(StageName::Normalise)?.context("find the tables of normalise")?;
        let registry = IdRegistry::open(&ctx.lake, ctx.lake.known_at())?;
        let set = normalised::read(&ctx.lake, &[&history])?;
        let decisions = ctx.lake.decisions().parse()?;
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
        state.commit(&ctx.lake, &ctx.writer, &tables, json!({ "rows": rows }))?;
        Ok(JobReport { rows, ..JobReport::changed(self.name(), lines) })
    }
}

fn link(
    ctx: &Context,
    history: &fdna_rows::TableSet,
    captures: &[CaptureOutput],
    published: PublishedIds,
    decisions: LinkDecisions,
) -> anyhow::Result<fdna_rows::Normalised> {
    let captures = load(&ctx.lake, captures)?;
    fdna_identity::link(EntityResolution { history, captures, published, decisions })
        .context("link the sources")
}
