//! Derives every DNA version that the facts support.

mod shards;

use std::path::PathBuf;

use anyhow::Context as _;
use arrow::array::RecordBatch;
use chrono::{Days, NaiveDate};
use fdna_lake::{Lake, SnapshotManifest};
use fdna_model::{Facts, FactsAsOf};
use fdna_normalise::FACTS_TABLES;
use fdna_schemas::{Catalogue, DEFINITION_VERSION};
use serde_json::json;

use crate::context::{Context, PipelineJob as _, StageJob};
use crate::current_snapshot::current;
use crate::exit::{ExitCode, coded};
use crate::normalised::NormalisedOutputs;
use crate::report::JobReport;
use crate::stage_graph::{self, StageName, StageState};

pub(crate) use shards::{ShardArgs, write as write_shard};

pub(crate) struct DeriveDna {
    /// Folder of shards that were derived elsewhere, to be put together instead.
    pub(crate) shards: Option<PathBuf>,
}

impl StageJob for DeriveDna {
    const STAGE: StageName = StageName::Derive;
    const UNCHANGED: &'static str = "no new bouts, results or statistics";

    fn make(&self, ctx: &Context, state: &StageState) -> anyhow::Result<JobReport> {
        ctx.progress.say("derive Fight DNA");
        let facts = load_facts(&ctx.lake, &stage_graph::normalised(&ctx.lake)?)?;
        let catalogue = Catalogue::get();
        let cut = FactsAsOf::cut(&facts, after_all(&facts));
        let derived = match &self.shards {
            Some(folder) => {
                fdna_derive::derive_with(cut, catalogue, shards::read(folder, state.fingerprint())?)?
            }
            None => fdna_derive::derive(cut, catalogue)?,
        };
        let tables = fdna_derive::to_tables(&derived, catalogue)?;
        let versions = derived.versions.len();
        let fighters = derived.versions.iter().filter(|v| v.version == 1).count();
        // Its tables are as large again: the states are not needed while they are written.
        drop(derived);
        let notes = json!({ "versions": versions, "fighters": fighters });
        state.commit(&ctx.lake, &ctx.writer, &tables, notes)?;
        let metrics = catalogue.metrics.len();
        let line = format!(
            "{} versions of {fighters} fighters, {metrics} metrics each, definition {DEFINITION_VERSION}",
            versions
        );
        Ok(JobReport::changed(self.name(), vec![line]))
    }
}

fn load_facts(lake: &Lake, normalised: &NormalisedOutputs) -> anyhow::Result<Facts> {
    facts_of(|name| {
        let output = normalised.output(name).with_context(|| format!("find normalised table {name}"))?;
        Ok(lake.read_stage_table(output, name)?)
    })
}

/// The facts that the current snapshot rests on.
///
/// # Errors
/// There is none, or it cannot be read.
pub(crate) fn published_facts(lake: &Lake) -> anyhow::Result<(SnapshotManifest, Facts)> {
    let none = || coded(ExitCode::Unavailable, "find a current snapshot: fightdna run makes one");
    let snapshot = current(lake)?.ok_or_else(none)?;
    let facts = facts_of(|name| Ok(lake.read_snapshot_table(&snapshot, name)?))?;
    Ok((snapshot, facts))
}

fn facts_of(read: impl Fn(&str) -> anyhow::Result<RecordBatch>) -> anyhow::Result<Facts> {
    let tables = FACTS_TABLES.map(|name| read(name).map(|batch| (name, batch)));
    let tables = tables.into_iter().collect::<Result<Vec<_>, _>>()?;
    let find = |name: &str| tables.iter().find(|(n, _)| *n == name).map(|(_, batch)| batch);
    fdna_normalise::facts(find).context("read the facts")
}

/// The first day on which every bout is past.
pub(crate) fn after_all(facts: &Facts) -> NaiveDate {
    let last = facts.bouts().last().map_or(NaiveDate::MIN, |bout| bout.date);
    last.checked_add_days(Days::new(1)).unwrap_or(NaiveDate::MAX)
}
