//! Adds what is told about events, bouts and fighters, and how each source stands.

use anyhow::Context as _;
use arrow::array::RecordBatch;
use fdna_enrich::LINKED_TABLES;
use fdna_lake::{Lake, sha256_of};
use fdna_rows::{TableRow, row_cells, to_batch};
use fdna_schemas::tables::{ContractRow as _, SourcesRow};
use fdna_schemas::{SourceContract, SourceGroup, Tables};
use serde_json::json;

use super::definition::{StageName, StageState};
use super::derivation_facts::load_derivation_facts;
use super::graph::DERIVATION_FACTS;
use super::normalise::{load_facts, row_counts};
use super::normalised::NormalisedOutputs;
use super::{graph, normalised};
use crate::captures::facts::CaptureOutput;
use crate::captures::lake_view::of_groups;
use crate::captures::notes::FactsNotes;
use crate::context::{Context, PipelineJob as _, StageJob};
use crate::report::JobReport;

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
        ctx.progress.show_message("enrich");
        let before = |name: StageName| ctx.lake.stage_output(name)?.context("no tables of the stages before");
        let [history, linked] = [before(StageName::Normalise)?, before(StageName::Link)?];
        let all = graph::stage_captures(&ctx.lake, StageName::Enrich)?;
        let sources = source_rows(&all)?;
        let outputs = NormalisedOutputs(vec![history, linked]);
        let set = outputs.read_tables(&ctx.lake, &LINKED_TABLES)?;
        let statements = load_facts(&ctx.lake, of_groups(&all, &GROUPS))?;
        let enriched =
            fdna_enrich::enrich_tables(&set, statements).context("cannot add judging and notice")?;
        // The facts below need their room.
        drop(set);
        let mut tables = enriched.tables;
        tables.push(("sources".to_owned(), sources));
        let line = normalised::describe_counts(&tables);
        let rows = row_counts(&enriched.counts);
        let tables: Vec<(&str, RecordBatch)> = tables.iter().map(|(n, b)| (n.as_str(), b.clone())).collect();
        let notes = json!({ "rows": rows, DERIVATION_FACTS: derivation_facts(&ctx.lake, &outputs)? });
        state.commit_output(&ctx.lake, &ctx.writer, &tables, notes)?;
        Ok(JobReport { rows, ..JobReport::changed(self.name(), vec![line]) })
    }
}

/// Digest of the facts that derivation reads: what else changes in these tables is nothing to it.
fn derivation_facts(lake: &Lake, outputs: &NormalisedOutputs) -> anyhow::Result<String> {
    Ok(sha256_of(&load_derivation_facts(lake, outputs)?))
}

/// One row a source: what has come of it, and when.
fn source_rows(used: &[CaptureOutput]) -> anyhow::Result<RecordBatch> {
    let rows: Vec<TableRow> = SourceContract::names()
        .filter_map(|name| Some(source_row(name, SourceContract::get(name)?, used)))
        .collect();
    Ok(to_batch(Tables::get().table(SourcesRow::TABLE)?, &rows)?)
}

fn source_row(source: &str, contract: &SourceContract, used: &[CaptureOutput]) -> TableRow {
    let captures: Vec<&CaptureOutput> = used.iter().filter(|(c, _)| c.source == source).collect();
    let newest = captures.last();
    let notes = newest.map(|(_, facts)| FactsNotes::from_facts(facts));
    let long = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    row_cells(&SourcesRow {
        source,
        group: contract.group.name(),
        feeds: &json!(contract.feeds_by_name()).to_string(),
        captures: i32::try_from(captures.len()).unwrap_or(i32::MAX),
        last_capture: newest.map(|(c, _)| c.id.as_str()),
        last_captured_at: newest.map(|(c, _)| c.captured_at),
        rows: notes.as_ref().map_or(0, |notes| long(notes.n_rows())),
        set_aside: notes.as_ref().map_or(0, |notes| long(notes.n_set_aside())),
        expected_every_hours: contract.expected_every_hours,
    })
}
