//! Derives every DNA version that the facts support.

use anyhow::Context as _;
use arrow::array::RecordBatch;
use chrono::{Days, NaiveDate};
use fdna_lake::{Fingerprint, Lake, PipelineStage, SnapshotManifest, StageOutput};
use fdna_model::{Facts, FactsAsOf};
use fdna_normalise::FACTS_TABLES;
use fdna_schemas::{Catalogue, DEFINITION_VERSION};
use serde_json::json;

use crate::context::{Context, PendingOutput, PipelineJob};
use crate::decisions::DecisionFiles;
use crate::enrich;
use crate::exit::{ExitCode, coded};
use crate::normalised::NormalisedOutputs;
use crate::publish::current;
use crate::report::JobReport;
use crate::view::LakeView;

/// Raised when derivation makes something else of the same facts and catalogue.
const LOGIC: &str = "3";

pub(crate) struct DeriveDna {
    pub(crate) decisions: DecisionFiles,
}

fn fingerprint(normalised: &NormalisedOutputs) -> anyhow::Result<Fingerprint> {
    let mut builder = Fingerprint::builder("derive")
        .text("logic", LOGIC)
        .text("definition", DEFINITION_VERSION)
        .text("contract", fdna_schemas::contracts_digest());
    for name in FACTS_TABLES {
        let entry = normalised.entry(name).with_context(|| format!("find normalised table {name}"))?;
        builder = builder.digest(name, &entry.sha256);
    }
    Ok(builder.build())
}

/// The versions derived from these normalised tables, where they have been made.
pub(crate) fn output(lake: &LakeView, normalised: &NormalisedOutputs) -> anyhow::Result<Option<StageOutput>> {
    Ok(lake.stage(&PipelineStage::Derived, &fingerprint(normalised)?)?)
}

impl PipelineJob for DeriveDna {
    fn name(&self) -> &'static str {
        "derive"
    }

    fn pending(&self, lake: &LakeView, earlier: &[PendingOutput]) -> anyhow::Result<PendingOutput> {
        let what = "Fight DNA of all fighters";
        if let Some(follows) = PendingOutput::behind(earlier, what) {
            return Ok(follows);
        }
        let normalised = enrich::output(lake, &self.decisions)?.context("find the normalised tables")?;
        Ok(PendingOutput::of(output(lake, &normalised)?.is_some(), what))
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<JobReport> {
        let normalised = enrich::output(&ctx.lake, &self.decisions)?
            .context("find the normalised tables: normalise first")?;
        if output(&ctx.lake, &normalised)?.is_some() {
            return Ok(JobReport::unchanged(self.name(), "no new bouts, results or statistics"));
        }
        ctx.progress.say("derive Fight DNA");
        let facts = load_facts(&ctx.lake, &normalised)?;
        let catalogue = Catalogue::get();
        let derived = fdna_derive::derive(FactsAsOf::cut(&facts, after_all(&facts)), catalogue)?;
        let tables = fdna_derive::to_tables(&derived, catalogue)?;
        let versions = derived.versions.len();
        let fighters = derived.versions.iter().filter(|v| v.version == 1).count();
        // Its tables are as large again: the states are not needed while they are written.
        drop(derived);
        let notes = json!({ "versions": versions, "fighters": fighters });
        ctx.writer.commit_stage(&PipelineStage::Derived, &fingerprint(&normalised)?, &tables, notes)?;
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
