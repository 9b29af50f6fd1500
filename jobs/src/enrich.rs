//! Adds what is told about events, bouts and fighters, and how each source stands.

use anyhow::Context as _;
use arrow::array::RecordBatch;
use fdna_lake::sha256_of;
use fdna_rows::TableSet;
use fdna_schemas::{SourceContract, SourceGroup, TableWriter, Tables};
use serde_json::json;

use crate::context::{Context, PipelineJob as _, StageJob};
use crate::facts;
use crate::ingest::{CaptureOutput, of_groups};
use crate::normalise::{load, rows};
use crate::normalised;
use crate::report::JobReport;
use crate::stage_graph::{self, DERIVATION_FACTS, StageName, StageState};

pub(crate) struct EnrichJob;

/// Groups of sources that tell something here.
const GROUPS: [SourceGroup; 6] = [
    SourceGroup::Rankings,
    SourceGroup::Career,
    SourceGroup::Media,
    SourceGroup::Editorial,
    SourceGroup::Wire,
    SourceGroup::Videos,
];

impl StageJob for EnrichJob {
    const STAGE: StageName = StageName::Enrich;
    const UNCHANGED: &'static str = "nothing new is told";

    fn make(&self, ctx: &Context, state: &StageState) -> anyhow::Result<JobReport> {
        ctx.progress.say("enrich");
        let before = |name: StageName| ctx.lake.output(name)?.context("find the tables of the stages before");
        let [history, linked] = [before(StageName::Normalise)?, before(StageName::Link)?];
        let all = stage_graph::captures(&ctx.lake, StageName::Enrich)?;
        let sources = sources(&all)?;
        let set = normalised::read(&ctx.lake, &[&history, &linked])?;
        let told = of_groups(all, &GROUPS);
        let facts = load(&ctx.lake, &told)?;
        let enriched = fdna_enrich::enrich(&set, facts).context("add what is told")?;
        let mut tables = enriched.tables;
        tables.push(("sources".to_owned(), sources));
        let line = normalised::counts(&tables);
        let rows = rows(&enriched.counts);
        let tables: Vec<(&str, RecordBatch)> = tables.iter().map(|(n, b)| (n.as_str(), b.clone())).collect();
        let notes = json!({ "rows": rows, DERIVATION_FACTS: derivation_facts(&set)? });
        state.commit(&ctx.lake, &ctx.writer, &tables, notes)?;
        Ok(JobReport { rows, ..JobReport::changed(self.name(), vec![line]) })
    }
}

/// Digest of the facts that derivation reads: what else changes in these tables is nothing to it.
fn derivation_facts(set: &TableSet) -> anyhow::Result<String> {
    let facts = fdna_normalise::facts(|name| set.0.get(name)).context("read the facts")?;
    Ok(sha256_of(&facts))
}

/// One row a source: what has come of it, and when.
fn sources(used: &[CaptureOutput]) -> anyhow::Result<RecordBatch> {
    let names: Vec<&str> = SourceContract::names().collect();
    let contracts: Vec<_> = names.iter().filter_map(|name| SourceContract::get(name)).collect();
    let of = |name: &str| used.iter().filter(|(c, _)| c.source == name).collect::<Vec<_>>();
    let newest: Vec<Option<&CaptureOutput>> =
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
