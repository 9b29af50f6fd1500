//! Ties the schedule, judging and notice sources to the statistics source.

use std::collections::BTreeMap;

use anyhow::Context as _;
use arrow::array::RecordBatch;
use fdna_lake::{Capture, Fingerprint, Lake, Stage, StageOutput};
use fdna_normalise::Linking;
use fdna_schemas::SourceGroup;
use serde_json::json;

use crate::context::{Context, Job, Pending};
use crate::ingest::{of_groups, outputs};
use crate::normalise::{add_captures, load, rows};
use crate::report::Report;
use crate::{normalise, normalised};

/// Raised when linking makes something else of the same facts.
const LOGIC: &str = "1";

pub(crate) struct Link;

const GROUPS: [SourceGroup; 3] = [SourceGroup::Schedule, SourceGroup::Judging, SourceGroup::Notice];

fn inputs(lake: &Lake) -> anyhow::Result<Vec<(Capture, StageOutput)>> {
    Ok(of_groups(outputs(lake)?, &GROUPS))
}

fn fingerprint(history: &StageOutput, captures: &[(Capture, StageOutput)]) -> Fingerprint {
    let builder = Fingerprint::builder("link")
        .text("logic", LOGIC)
        .text("contract", fdna_schemas::contracts_digest())
        .digest("history", history.content_digest());
    add_captures(builder, captures).build()
}

/// The linked tables of all captures, where they have been made.
pub(crate) fn output(lake: &Lake, history: &StageOutput) -> anyhow::Result<Option<StageOutput>> {
    Ok(lake.stage(&Stage::Normalised, &fingerprint(history, &inputs(lake)?))?)
}

impl Job for Link {
    fn name(&self) -> &'static str {
        "link"
    }

    fn pending(&self, lake: &Lake, earlier: &[Pending]) -> anyhow::Result<Pending> {
        let what = "events, bouts and fighters of all sources";
        if let Some(follows) = Pending::behind(earlier, what) {
            return Ok(follows);
        }
        let history = normalise::output(lake)?.context("find the tables of the statistics source")?;
        Ok(Pending::of(output(lake, &history)?.is_some(), what))
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<Report> {
        let history = normalise::output(&ctx.lake)?.context("find the tables of the statistics source")?;
        if output(&ctx.lake, &history)?.is_some() {
            return Ok(Report::unchanged(self.name(), "nothing new to link"));
        }
        ctx.progress.say("link sources");
        let captures = inputs(&ctx.lake)?;
        let set = normalised::read(&ctx.lake, &[&history])?;
        let facts = captures.iter().map(|(c, f)| load(&ctx.lake, c, f)).collect::<anyhow::Result<_>>()?;
        let linked = fdna_normalise::link(Linking { history: &set, captures: facts, published: None })
            .context("link the sources")?;
        let unchanged: BTreeMap<&str, &RecordBatch> = set.0.iter().map(|(n, b)| (n.as_str(), b)).collect();
        let mut tables = linked.tables;
        // What linking leaves as it was stays where it is.
        tables.retain(|(name, batch)| unchanged.get(name.as_str()).is_none_or(|before| *before != batch));
        let line = normalised::counts(&tables);
        let rows = rows(&linked.counts);
        let tables: Vec<(&str, RecordBatch)> = tables.iter().map(|(n, b)| (n.as_str(), b.clone())).collect();
        let notes = json!({ "rows": rows });
        ctx.writer.commit_stage(&Stage::Normalised, &fingerprint(&history, &captures), &tables, notes)?;
        Ok(Report { rows, ..Report::changed(self.name(), vec![line]) })
    }
}
