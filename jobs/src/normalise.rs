//! Normalises all captures' facts together.

use std::collections::BTreeMap;

use anyhow::Context as _;
use arrow::array::RecordBatch;
use fdna_lake::{Fingerprint, Lake, Stage};
use fdna_normalise::CaptureFacts;
use serde_json::json;

use crate::context::{CaptureOutput, Context, Job, Pending};
use crate::report::{Report, Rows};

/// Raised when normalisation makes something else of the same facts.
const LOGIC: &str = "1";

pub(crate) struct Normalise;

fn fingerprint(facts: &[CaptureOutput]) -> Fingerprint {
    let builder = Fingerprint::builder("normalise")
        .text("logic", LOGIC)
        .text("contract", fdna_schemas::contracts_digest());
    let add = |builder: fdna_lake::FingerprintBuilder, c: &CaptureOutput| {
        builder.text("capture", &c.capture.id).digest("facts", c.facts.content_digest())
    };
    facts.iter().fold(builder, add).build()
}

impl Job for Normalise {
    fn name(&self) -> &'static str {
        "normalise"
    }

    fn pending(&self, _: &Lake, earlier: &[Pending]) -> anyhow::Result<Pending> {
        Ok(follows(earlier, "the facts of all captures"))
    }

    fn run(&self, ctx: &mut Context) -> anyhow::Result<Report> {
        let fingerprint = fingerprint(&ctx.facts);
        if let Some(there) = ctx.lake.stage(&Stage::Normalised, &fingerprint)? {
            ctx.normalised = Some(there);
            return Ok(Report::unchanged(self.name(), "no new facts"));
        }
        ctx.progress.say("normalise");
        let captures = ctx.facts.iter().map(|c| load(&ctx.lake, c)).collect::<anyhow::Result<Vec<_>>>()?;
        let normalised = fdna_normalise::normalise(captures).context("normalise the facts")?;
        let rows: Vec<Rows> = normalised
            .counts
            .iter()
            .map(|c| Rows {
                capture: c.capture.clone(),
                name: c.table.clone(),
                rows_in: c.rows_in,
                rows_out: c.rows_out,
                set_aside: c.set_aside,
            })
            .collect();
        let tables: Vec<(&str, RecordBatch)> =
            normalised.tables.iter().map(|(name, batch)| (name.as_str(), batch.clone())).collect();
        let counts: Vec<String> =
            tables.iter().map(|(name, batch)| format!("{name} {}", batch.num_rows())).collect();
        let notes = json!({ "rows": rows });
        ctx.normalised = Some(ctx.writer.commit_stage(&Stage::Normalised, &fingerprint, &tables, notes)?);
        Ok(Report { rows, ..Report::changed(self.name(), vec![counts.join(", ")]) })
    }
}

/// What a stage can say beforehand: nothing new came, or earlier stages decide.
pub(crate) fn follows(earlier: &[Pending], what: &str) -> Pending {
    if earlier.iter().all(|p| matches!(p, Pending::UpToDate(_))) {
        Pending::UpToDate(what.to_owned())
    } else {
        Pending::Follows(what.to_owned())
    }
}

fn load(lake: &Lake, output: &CaptureOutput) -> anyhow::Result<CaptureFacts> {
    let mut tables = BTreeMap::new();
    for entry in &output.facts.tables {
        tables.insert(entry.name.clone(), lake.read_stage_table(&output.facts, &entry.name)?);
    }
    let set_aside = tables.remove("quarantine").context("find what ingest set aside")?;
    Ok(CaptureFacts {
        capture: output.capture.id.clone(),
        captured_at: output.capture.captured_at,
        tables,
        set_aside,
    })
}
