//! Ties the schedule, judging and notice sources to the statistics source.
//!
//! Ids once given never change: the registry of published ids is an input. Where the current snapshot was made of an
//! output that differs in nothing else, that one is up to date, and a run that follows finds nothing new; any other is
//! made of the captures and of every id that was published, as far as it was by the time that is asked for.

use anyhow::Context as _;
use arrow::array::RecordBatch;
use fdna_identity::{EntityResolution, HISTORY_TABLES};
use serde_json::json;

use crate::context::{Context, PipelineJob as _, StageJob};
use crate::normalise::{load, rows};
use crate::normalised::{self, NormalisedOutputs};
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
        let set = NormalisedOutputs(vec![history.clone()]).read(&ctx.lake, &HISTORY_TABLES)?;
        let decisions = ctx.lake.decisions().parse()?;
        let [same, different] = decisions.counts();
        let (captures, published) = rayon::join(|| load(&ctx.lake, &captures), || registry.ids());
        let (captures, published) = (captures?, published?);
        let linking = EntityResolution { history: &set, captures, published, decisions };
        let linked = fdna_identity::link(linking).context("link the sources")?;
        let mut tables = linked.tables;
        // What linking leaves as it was stays where it is.
        tables.retain(|(name, batch)| set.0.get(name).is_none_or(|before| before != batch));
        if linked.ids.is_any() {
            let names = history.tables.iter().map(|table| table.name.as_str());
            for name in names.filter(|name| !HISTORY_TABLES.contains(name)) {
                let before = ctx.lake.read_stage_table(&history, name)?;
                let renamed = linked.ids.table(name, &before)?;
                tables.extend((renamed != before).then(|| (name.to_owned(), renamed)));
            }
        }
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
