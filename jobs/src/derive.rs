//! Derives every DNA version that the facts support.

use anyhow::Context as _;
use chrono::{Days, NaiveDate};
use fdna_lake::{Fingerprint, Lake, Stage, StageOutput};
use fdna_model::{Facts, FactsAsOf};
use fdna_schemas::{Catalogue, DEFINITION_VERSION, Tables};
use serde_json::json;

use crate::context::{Context, Job, Pending};
use crate::normalise::follows;
use crate::report::Report;

/// Raised when derivation makes something else of the same facts and catalogue.
const LOGIC: &str = "1";

/// Tables that facts are read from.
const INPUTS: [&str; 3] = ["bouts", "results", "round_stats"];

pub(crate) struct DeriveDna;

fn fingerprint(normalised: &StageOutput) -> anyhow::Result<Fingerprint> {
    let mut builder = Fingerprint::builder("derive")
        .text("logic", LOGIC)
        .text("definition", DEFINITION_VERSION)
        .text("contract", fdna_schemas::contracts_digest());
    for name in INPUTS {
        let entry = normalised.table(name).with_context(|| format!("find normalised table {name}"))?;
        builder = builder.digest(name, &entry.sha256);
    }
    Ok(builder.build())
}

impl Job for DeriveDna {
    fn name(&self) -> &'static str {
        "derive"
    }

    fn pending(&self, _: &Lake, earlier: &[Pending]) -> anyhow::Result<Pending> {
        Ok(follows(earlier, "Fight DNA of all fighters"))
    }

    fn run(&self, ctx: &mut Context) -> anyhow::Result<Report> {
        let normalised = ctx.normalised.as_ref().context("derive without normalised tables")?;
        let fingerprint = fingerprint(normalised)?;
        if let Some(there) = ctx.lake.stage(&Stage::Derived, &fingerprint)? {
            ctx.derived = Some(there);
            return Ok(Report::unchanged(self.name(), "no new bouts, results or statistics"));
        }
        ctx.progress.say("derive Fight DNA");
        let facts = load_facts(&ctx.lake, normalised)?;
        let catalogue = Catalogue::get();
        let versions = fdna_derive::derive_versions(FactsAsOf::cut(&facts, after_all(&facts)), catalogue)?;
        let table = fdna_derive::to_table(&versions, Tables::get().table("dna_versions")?, catalogue)?;
        let fighters = versions.iter().filter(|v| v.version == 1).count();
        let notes = json!({ "versions": versions.len(), "fighters": fighters });
        ctx.derived = Some(ctx.writer.commit_stage(
            &Stage::Derived,
            &fingerprint,
            &[("dna_versions", table)],
            notes,
        )?);
        let metrics = catalogue.metrics.len();
        let line = format!(
            "{} versions of {fighters} fighters, {metrics} metrics each, definition {DEFINITION_VERSION}",
            versions.len()
        );
        Ok(Report::changed(self.name(), vec![line]))
    }
}

fn load_facts(lake: &Lake, normalised: &StageOutput) -> anyhow::Result<Facts> {
    let tables = INPUTS.map(|name| lake.read_stage_table(normalised, name).map(|batch| (name, batch)));
    let tables = tables.into_iter().collect::<Result<Vec<_>, _>>()?;
    let find = |name: &str| tables.iter().find(|(n, _)| *n == name).map(|(_, batch)| batch);
    fdna_normalise::facts(find).context("read the facts")
}

/// The first day on which every bout is past.
fn after_all(facts: &Facts) -> NaiveDate {
    let last = facts.bouts().last().map_or(NaiveDate::MIN, |bout| bout.date);
    last.checked_add_days(Days::new(1)).unwrap_or(NaiveDate::MAX)
}
