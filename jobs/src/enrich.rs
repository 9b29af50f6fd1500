//! Adds what is told about events, bouts and fighters, and how each source stands.

use anyhow::Context as _;
use arrow::array::RecordBatch;
use fdna_lake::{Capture, Fingerprint, PipelineStage, StageOutput};
use fdna_schemas::{SourceContract, SourceGroup, TableWriter, Tables};
use serde_json::json;

use crate::context::{Context, PendingOutput, PipelineJob};
use crate::decisions::DecisionFiles;
use crate::ingest::{of_groups, outputs};
use crate::normalise::{add_captures, load, rows};
use crate::normalised::{self, NormalisedOutputs};
use crate::report::JobReport;
use crate::view::LakeView;
use crate::{facts, link, normalise};

/// Raised when this makes something else of the same facts.
const LOGIC: &str = "3";

pub(crate) struct EnrichJob {
    pub(crate) decisions: DecisionFiles,
}

const GROUPS: [SourceGroup; 6] = [
    SourceGroup::Rankings,
    SourceGroup::Career,
    SourceGroup::Media,
    SourceGroup::Editorial,
    SourceGroup::Wire,
    SourceGroup::Videos,
];

/// Tables of the two jobs before, where they have been made.
fn before(lake: &LakeView, decisions: &DecisionFiles) -> anyhow::Result<Option<[StageOutput; 2]>> {
    let Some(history) = normalise::output(lake)? else { return Ok(None) };
    let linked = link::output(lake, &history, decisions)?;
    Ok(linked.map(|linked| [history, linked]))
}

/// All captures count, since `sources` tells of each.
fn fingerprint(before: &[StageOutput; 2], captures: &[(Capture, StageOutput)]) -> Fingerprint {
    let builder = Fingerprint::builder("enrich")
        .text("logic", LOGIC)
        .text("contract", fdna_schemas::contracts_digest())
        .digest("history", before[0].content_digest())
        .digest("linked", before[1].content_digest());
    add_captures(builder, captures).build()
}

/// All normalised tables, where they have been made.
pub(crate) fn output(
    lake: &LakeView,
    decisions: &DecisionFiles,
) -> anyhow::Result<Option<NormalisedOutputs>> {
    let Some(before) = before(lake, decisions)? else { return Ok(None) };
    let enriched = lake.stage(&PipelineStage::Normalised, &fingerprint(&before, &outputs(lake)?))?;
    let [history, linked] = before;
    Ok(enriched.map(|enriched| NormalisedOutputs([history, linked, enriched])))
}

impl PipelineJob for EnrichJob {
    fn name(&self) -> &'static str {
        "enrich"
    }

    fn pending(&self, lake: &LakeView, earlier: &[PendingOutput]) -> anyhow::Result<PendingOutput> {
        let what = "rankings, careers, images, articles, wire, videos and the state of sources";
        match PendingOutput::behind(earlier, what) {
            Some(follows) => Ok(follows),
            None => Ok(PendingOutput::of(output(lake, &self.decisions)?.is_some(), what)),
        }
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<JobReport> {
        if output(&ctx.lake, &self.decisions)?.is_some() {
            return Ok(JobReport::unchanged(self.name(), "nothing new is told"));
        }
        ctx.progress.say("enrich");
        let before = before(&ctx.lake, &self.decisions)?.context("find the linked tables: link first")?;
        let all = outputs(&ctx.lake)?;
        let fingerprint = fingerprint(&before, &all);
        let sources = sources(&all)?;
        let set = normalised::read(&ctx.lake, &before.each_ref())?;
        let told = of_groups(all, &GROUPS);
        let facts = load(&ctx.lake, &told)?;
        let enriched = fdna_enrich::enrich(&set, facts).context("add what is told")?;
        let mut tables = enriched.tables;
        tables.push(("sources".to_owned(), sources));
        let line = normalised::counts(&tables);
        let rows = rows(&enriched.counts);
        let tables: Vec<(&str, RecordBatch)> = tables.iter().map(|(n, b)| (n.as_str(), b.clone())).collect();
        ctx.writer.commit_stage(
            &PipelineStage::Normalised,
            &fingerprint,
            &tables,
            json!({ "rows": rows }),
        )?;
        Ok(JobReport { rows, ..JobReport::changed(self.name(), vec![line]) })
    }
}

/// One row a source: what has come of it, and when.
fn sources(used: &[(Capture, StageOutput)]) -> anyhow::Result<RecordBatch> {
    let names: Vec<&str> = SourceContract::names().collect();
    let contracts: Vec<_> = names.iter().filter_map(|name| SourceContract::get(name)).collect();
    let of = |name: &str| used.iter().filter(|(c, _)| c.source == name).collect::<Vec<_>>();
    let newest: Vec<Option<&(Capture, StageOutput)>> =
        names.iter().map(|name| of(name).into_iter().next_back()).collect();
    let count = |n: usize| Some(i32::try_from(n).unwrap_or(i32::MAX));
    let long = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    Ok(TableWriter::new(Tables::get().table("sources")?)
        .texts("source", &names)
        .texts("group", contracts.iter().map(|c| c.group.name()))
        .texts("feeds", contracts.iter().map(|c| json!(c.feeds_by_name()).to_string()))
        .int32s("captures", names.iter().map(|name| count(of(name).len())))
        .strings("last_capture", newest.iter().map(|n| n.map(|(c, _)| c.id.as_str())))
        .instants("last_captured_at", newest.iter().map(|n| n.map(|(c, _)| c.captured_at)))
        .int64s("rows", newest.iter().map(|n| Some(n.map_or(0, |(_, facts)| long(facts::n_rows(facts))))))
        .int64s(
            "set_aside",
            newest.iter().map(|n| Some(n.map_or(0, |(_, facts)| long(facts::n_set_aside(facts))))),
        )
        .int32s("expected_every_hours", contracts.iter().map(|c| c.expected_every_hours))
        .finish()?)
}
