//! Takes captures in, and turns each into source facts once.

use anyhow::Context as _;
use arrow::array::RecordBatch;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use fdna_ingest::Ingested;
use fdna_lake::{Added, Capture, Fingerprint, Lake, Stage, StageOutput};
use fdna_model::Severity;
use fdna_normalise::quarantine_table;
use fdna_schemas::{SourceContract, SourceGroup};
use serde_json::json;

use crate::context::{Context, Job, Pending};
use crate::exit::{ExitCode, coded};
use crate::report::{Report, Rows};
use crate::source::Source;

/// Raised when the readers of a source change what they make of the same bytes.
const LOGIC: &str = "1";

/// Keeps one capture as received.
pub(crate) struct TakeIn {
    pub(crate) source: Source,
    pub(crate) captured_at: Option<DateTime<Utc>>,
    /// When the run began: the time of a capture that nothing else dates.
    pub(crate) now: DateTime<Utc>,
}

impl Job for TakeIn {
    fn name(&self) -> &'static str {
        "capture"
    }

    fn pending(&self, lake: &Lake, _: &[Pending]) -> anyhow::Result<Pending> {
        let new = self.source.read(self.captured_at, self.now)?;
        refuse_mixing(lake, new.synthetic)?;
        Ok(Pending::of(lake.find_same(&new)?.is_some(), &self.source.describe()))
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<Report> {
        let new = self.source.read(self.captured_at, self.now)?;
        refuse_mixing(&ctx.lake, new.synthetic)?;
        let size: usize = new.files.iter().map(|(_, bytes)| bytes.len()).sum();
        let files = new.files.len();
        Ok(match ctx.writer.add_capture(new)? {
            Added::New(capture) => {
                let line = format!("{} {}: {files} files, {} KiB", capture.source, capture.id, size / 1024);
                Report::changed(self.name(), vec![line])
            }
            Added::AlreadyThere(capture) => {
                Report::unchanged(self.name(), format!("{} {}: the lake has it", capture.source, capture.id))
            }
        })
    }
}

/// A lake of real captures never takes in the sample, nor the other way round: no invented fighter may
/// stand among real ones.
pub(crate) fn refuse_mixing(lake: &Lake, synthetic: bool) -> anyhow::Result<()> {
    let mixed = captures(lake)?.iter().any(|capture| capture.synthetic != synthetic);
    if !mixed {
        return Ok(());
    }
    let (new, old) = if synthetic { ("synthetic", "real") } else { ("real", "synthetic") };
    let root = lake.root().display();
    Err(coded(
        ExitCode::BadData,
        format!("take a {new} capture into a lake of {old} ones ({root}): give another folder with --lake"),
    ))
}

/// Turns every capture that has no facts yet into facts.
pub(crate) struct Ingest;

pub(crate) fn captures(lake: &Lake) -> anyhow::Result<Vec<Capture>> {
    let mut all = Vec::new();
    for source in SourceContract::names() {
        all.extend(lake.captures(source)?);
    }
    Ok(all)
}

fn fingerprint(capture: &Capture) -> Fingerprint {
    Fingerprint::builder("ingest")
        .text("source", &capture.source)
        .text("logic", LOGIC)
        .text("contract", fdna_schemas::contracts_digest())
        // What was set aside is told by capture, so that the same content at another time has its own facts.
        .text("id", &capture.id)
        .digest("capture", capture.content_digest())
        .build()
}

fn stage(capture: &Capture) -> Stage {
    Stage::Facts { source: capture.source.clone() }
}

impl Job for Ingest {
    fn name(&self) -> &'static str {
        "ingest"
    }

    fn pending(&self, lake: &Lake, earlier: &[Pending]) -> anyhow::Result<Pending> {
        if let Some(follows) = Pending::behind(earlier, "captures that have no facts yet") {
            return Ok(follows);
        }
        let captures = with_facts(lake)?;
        let new = captures.iter().filter(|(_, facts)| facts.is_none()).count();
        Ok(match new {
            0 => Pending::UpToDate(format!("{} captures have their facts", captures.len())),
            n => Pending::ToDo(format!("{n} of {} captures", captures.len())),
        })
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<Report> {
        let captures = with_facts(&ctx.lake)?;
        let (mut lines, mut rows, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        for (capture, _) in captures.iter().filter(|(_, facts)| facts.is_none()) {
            ctx.progress.say(&format!("ingest {} {}", capture.source, capture.id));
            lines.push(format!("{} {}", capture.source, capture.id));
            match ingest(ctx, capture)? {
                Outcome::Facts(counted) => rows.extend(counted),
                Outcome::Refused(refusal) => refused.push(refusal),
            }
        }
        need_one(&ctx.lake)?;
        if lines.is_empty() {
            let line = format!("{} captures have their facts", captures.len());
            return Ok(Report::unchanged(self.name(), line));
        }
        Ok(Report { rows, refused, ..Report::changed(self.name(), lines) })
    }
}

/// What became of a capture.
enum Outcome {
    Facts(Vec<Rows>),
    Refused(String),
}

/// What a person is told of a capture that cannot be used.
fn describe_refusal(capture: &Capture, reasons: &[String]) -> String {
    format!("{} {}: {}", capture.source, capture.id, reasons.join("; "))
}

/// Why a capture with these facts is not used; nothing for one that is.
fn reasons(facts: &StageOutput) -> Vec<String> {
    let reasons = facts.notes["refused"].as_array().into_iter().flatten();
    reasons.filter_map(|reason| reason.as_str().map(str::to_owned)).collect()
}

/// Every capture that was found unusable, and why.
pub(crate) fn refused(lake: &Lake) -> anyhow::Result<Vec<String>> {
    let refusal = |(capture, facts): (Capture, Option<StageOutput>)| {
        let reasons = reasons(&facts?);
        (!reasons.is_empty()).then(|| describe_refusal(&capture, &reasons))
    };
    Ok(with_facts(lake)?.into_iter().filter_map(refusal).collect())
}

/// Those of sources that tell of these things.
pub(crate) fn of_groups(
    captures: Vec<(Capture, StageOutput)>,
    groups: &[SourceGroup],
) -> Vec<(Capture, StageOutput)> {
    let is_of = |name: &str| SourceContract::get(name).is_some_and(|source| groups.contains(&source.group));
    captures.into_iter().filter(|(capture, _)| is_of(&capture.source)).collect()
}

/// Without a capture that can be used there is nothing to go on with.
fn need_one(lake: &Lake) -> anyhow::Result<()> {
    if !outputs(lake)?.is_empty() {
        return Ok(());
    }
    let refused = refused(lake)?.join("; refused ");
    if refused.is_empty() {
        let message = "find a capture in the lake: give one with --source statsdb=FOLDER";
        return Err(coded(ExitCode::Usage, message));
    }
    Err(coded(ExitCode::BadData, format!("find a capture in the lake that can be used; refused {refused}")))
}

/// Every capture, and its facts where they have been made.
fn with_facts(lake: &Lake) -> anyhow::Result<Vec<(Capture, Option<StageOutput>)>> {
    let find = |capture: Capture| {
        let facts = lake.stage(&stage(&capture), &fingerprint(&capture))?;
        Ok((capture, facts))
    };
    captures(lake)?.into_iter().map(find).collect()
}

/// The facts of every capture that can be used; an error if some have not been made.
pub(crate) fn outputs(lake: &Lake) -> anyhow::Result<Vec<(Capture, StageOutput)>> {
    let whole = |(capture, facts): (Capture, Option<StageOutput>)| {
        let facts =
            facts.with_context(|| format!("find the facts of capture {}: ingest first", capture.id))?;
        Ok((capture, facts))
    };
    let mut all = with_facts(lake)?.into_iter().map(whole).collect::<anyhow::Result<Vec<_>>>()?;
    all.retain(|(_, facts)| reasons(facts).is_empty());
    Ok(all)
}

fn ingest(ctx: &Context, capture: &Capture) -> anyhow::Result<Outcome> {
    let files = read_files(&ctx.lake, capture)?;
    let Ingested { mut tables, findings, counts } = fdna_ingest::ingest(&capture.source, &files)
        .with_context(|| format!("ingest capture {}", capture.id))?;
    let fatal = findings.iter().filter(|f| f.severity == Severity::Fatal);
    let fatal: Vec<String> = fatal.map(|f| f.reason.clone()).collect();
    let set_aside = findings.iter().map(|f| (capture.id.clone(), "ingest", f.clone())).collect();
    let set_aside = quarantine_table(set_aside)?;
    if !fatal.is_empty() {
        return refuse(ctx, capture, set_aside, &fatal);
    }
    tables.push(("quarantine".to_owned(), set_aside));
    let rows: Vec<Rows> = counts
        .iter()
        .map(|c| Rows {
            capture: capture.id.clone(),
            name: c.file.clone(),
            rows_in: c.rows_in,
            rows_out: c.rows_out,
            set_aside: c.set_aside,
        })
        .collect();
    let tables: Vec<(&str, RecordBatch)> = tables.iter().map(|(n, b)| (n.as_str(), b.clone())).collect();
    let notes = json!({ "capture": capture.id, "rows": rows });
    ctx.writer.commit_stage(&stage(capture), &fingerprint(capture), &tables, notes)?;
    Ok(Outcome::Facts(rows))
}

/// Keeps the findings alone, so that later runs know the capture for one that cannot be used, and go on
/// without it.
fn refuse(
    ctx: &Context,
    capture: &Capture,
    set_aside: RecordBatch,
    reasons: &[String],
) -> anyhow::Result<Outcome> {
    let notes = json!({ "capture": capture.id, "refused": reasons });
    let tables = [("quarantine", set_aside)];
    ctx.writer.commit_stage(&stage(capture), &fingerprint(capture), &tables, notes)?;
    Ok(Outcome::Refused(describe_refusal(capture, reasons)))
}

fn read_files(lake: &Lake, capture: &Capture) -> anyhow::Result<Vec<(String, Bytes)>> {
    let read = |name: &String| Ok((name.clone(), lake.capture_file(capture, name)?));
    capture.files.iter().map(|file| read(&file.name)).collect()
}
