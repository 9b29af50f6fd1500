//! Normalises all captures of the statistics source together.

use anyhow::Context as _;
use arrow::array::RecordBatch;
use fdna_lake::{Capture, Fingerprint, FingerprintBuilder, Lake, Stage, StageOutput};
use fdna_normalise::{CaptureFacts, TableCount};
use fdna_schemas::SourceGroup;
use serde_json::json;

use crate::context::{Context, Job, Pending};
use crate::facts::Reader;
use crate::ingest::{of_groups, outputs};
use crate::report::{Report, Rows};
use crate::view::View;

/// Raised when normalisation makes something else of the same facts.
const LOGIC: &str = "2";

pub(crate) struct Normalise;

fn inputs(lake: &View) -> anyhow::Result<Vec<(Capture, StageOutput)>> {
    Ok(of_groups(outputs(lake)?, &[SourceGroup::Statistics]))
}

fn fingerprint(facts: &[(Capture, StageOutput)]) -> Fingerprint {
    let builder = Fingerprint::builder("normalise")
        .text("logic", LOGIC)
        .text("contract", fdna_schemas::contracts_digest());
    add_captures(builder, facts).build()
}

pub(crate) fn add_captures(
    builder: FingerprintBuilder,
    captures: &[(Capture, StageOutput)],
) -> FingerprintBuilder {
    let add = |builder: FingerprintBuilder, (capture, facts): &(Capture, StageOutput)| {
        builder.text("capture", &capture.id).digest("facts", &facts.fingerprint)
    };
    captures.iter().fold(builder, add)
}

/// The normalised tables of all captures of the statistics source, where they have been made.
pub(crate) fn output(lake: &View) -> anyhow::Result<Option<StageOutput>> {
    Ok(lake.stage(&Stage::Normalised, &fingerprint(&inputs(lake)?))?)
}

/// What a report says of the rows of each capture.
pub(crate) fn rows(counts: &[TableCount]) -> Vec<Rows> {
    let row = |c: &TableCount| Rows {
        capture: c.capture.clone(),
        name: c.table.clone(),
        rows_in: c.rows_in,
        rows_out: c.rows_out,
        set_aside: c.set_aside,
    };
    counts.iter().map(row).collect()
}

impl Job for Normalise {
    fn name(&self) -> &'static str {
        "normalise"
    }

    fn pending(&self, lake: &View, earlier: &[Pending]) -> anyhow::Result<Pending> {
        let what = "bouts, results and counts of all captures";
        match Pending::behind(earlier, what) {
            Some(follows) => Ok(follows),
            None => Ok(Pending::of(output(lake)?.is_some(), what)),
        }
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<Report> {
        if output(&ctx.lake)?.is_some() {
            return Ok(Report::unchanged(self.name(), "no new facts"));
        }
        ctx.progress.say("normalise");
        let facts = inputs(&ctx.lake)?;
        let captures = load(&ctx.lake, &facts)?;
        let normalised = fdna_normalise::normalise(captures).context("normalise the facts")?;
        let rows = rows(&normalised.counts);
        let tables: Vec<(&str, RecordBatch)> =
            normalised.tables.iter().map(|(name, batch)| (name.as_str(), batch.clone())).collect();
        let counts = crate::normalised::counts(&normalised.tables);
        let notes = json!({ "rows": rows });
        ctx.writer.commit_stage(&Stage::Normalised, &fingerprint(&facts), &tables, notes)?;
        let lines = std::iter::once(counts).chain(left_behind(&normalised.tables)?);
        Ok(Report { rows, ..Report::changed(self.name(), lines.collect()) })
    }
}

/// Results that the newest capture of a layout no longer has: few is a correction of the source, many a capture
/// cut short.
fn left_behind(tables: &[(String, RecordBatch)]) -> anyhow::Result<Option<String>> {
    let (_, results) = tables.iter().find(|(name, _)| name == "results").context("find the results")?;
    let gone = results.column_by_name("last_capture").context("find the capture of a result")?;
    let (gone, all) = (gone.len() - gone.null_count(), results.num_rows());
    Ok((gone > 0).then(|| {
        format!("the newest capture lacks {gone} of {all} results that earlier ones had; they stay")
    }))
}

/// The facts of these captures, whole.
pub(crate) fn load(lake: &Lake, captures: &[(Capture, StageOutput)]) -> anyhow::Result<Vec<CaptureFacts>> {
    let mut reader = Reader::new(lake);
    captures.iter().map(|(capture, facts)| read(&mut reader, capture, facts)).collect()
}

fn read(reader: &mut Reader<'_>, capture: &Capture, facts: &StageOutput) -> anyhow::Result<CaptureFacts> {
    let mut tables = reader.read(facts)?;
    let set_aside = tables.remove("quarantine").context("find what ingest set aside")?;
    Ok(CaptureFacts {
        source: capture.source.clone(),
        capture: capture.id.clone(),
        captured_at: capture.captured_at,
        tables,
        set_aside,
    })
}
