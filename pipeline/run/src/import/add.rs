//! Takes captures in as they were received.

use std::path::PathBuf;

use chrono::{DateTime, Utc};
use fdna_lake::{AddedCapture, Capture, Lake, NewCapture};

use crate::captures::lake_view::{LakeView, all_captures};
use crate::context::{Context, PendingOutput, PipelineJob};
use crate::exit::{ExitCode, error_with_code};
use crate::import::source::{CaptureFolder, CapturedAt, DatedEntry, FoundCaptures, SourceFolder};
use crate::report::{JobReport, NotTaken};

/// Captures that are in memory at a time, and the bytes beyond which no further one is.
const AT_A_TIME: usize = 8;
const BYTES_AT_A_TIME: usize = 64 << 20;

/// Keeps one capture as received.
pub(crate) struct AddCapture {
    pub(crate) source: SourceFolder,
    pub(crate) captured_at: CapturedAt,
    /// When the run began.
    pub(crate) now: DateTime<Utc>,
}

impl PipelineJob for AddCapture {
    fn name(&self) -> &'static str {
        "capture"
    }

    fn pending(&self, lake: &LakeView, _: &[PendingOutput]) -> anyhow::Result<PendingOutput> {
        let new =
            refuse_mixed(lake, &all_captures(lake)?, self.source.read_captures(self.captured_at, self.now)?)?
                .capture;
        Ok(PendingOutput::from_presence(lake.find_same(&new)?.is_some(), &self.source.describe()))
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<JobReport> {
        let all = all_captures(&ctx.lake)?;
        let read = self.source.read_captures(self.captured_at, self.now);
        let found = match read.and_then(|found| refuse_mixed(&ctx.lake, &all, found)) {
            Ok(found) => found,
            Err(error) => {
                let not_taken = vec![NotTaken::new(self.source.describe(), &error)];
                return Ok(JobReport {
                    not_taken,
                    ..JobReport::unchanged(self.name(), "nothing was taken in")
                });
            }
        };
        let FoundCaptures { capture: new, left_alone } = found;
        let size: usize = new.files.iter().map(|(_, bytes)| bytes.len()).sum();
        let files = new.files.len();
        let mut report = match ctx.writer.add_capture(new)? {
            AddedCapture::New(capture) => {
                ctx.lake.clear_cache();
                let line = format!("{} {}: {files} files, {} KiB", capture.source, capture.id, size / 1024);
                JobReport::changed(self.name(), vec![line])
            }
            AddedCapture::AlreadyThere(capture) => JobReport::unchanged(
                self.name(),
                format!("{} {}: the lake has it", capture.source, capture.id),
            ),
        };
        report.lines.extend(not_files(&left_alone));
        Ok(report)
    }
}

/// Keeps every capture of a folder, in the order of their times; what cannot be taken in is told, and stops nothing.
pub(crate) struct AddCaptures {
    pub(crate) captures: CaptureFolder,
    /// When the run began: a capture cannot be of later.
    pub(crate) now: DateTime<Utc>,
}

impl PipelineJob for AddCaptures {
    fn name(&self) -> &'static str {
        "capture"
    }

    fn pending(&self, lake: &LakeView, _: &[PendingOutput]) -> anyhow::Result<PendingOutput> {
        let (entries, all) = (self.captures.list_entries()?, all_captures(lake)?);
        let known: Vec<Capture> = all.iter().filter(|c| c.source == self.captures.name).cloned().collect();
        let (mut new, mut unusable) = (0, 0);
        for entry in &entries.dated {
            match self.read_entry(lake, &all, entry) {
                Ok(found) => new += usize::from(Lake::find_same_among(&found.capture, &known)?.is_none()),
                Err(_) => unusable += 1,
            }
        }
        let unusable = if unusable > 0 { format!(", {unusable} cannot be taken in") } else { String::new() };
        let (all, from) = (entries.dated.len(), self.captures.describe());
        Ok(PendingOutput::from_presence(new == 0, &format!("{new} of {all} captures in {from}{unusable}")))
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<JobReport> {
        let entries = match self.captures.list_entries() {
            Ok(entries) => entries,
            Err(error) => {
                let not_taken = vec![NotTaken::new(self.captures.describe(), &error)];
                return Ok(JobReport {
                    not_taken,
                    ..JobReport::unchanged(self.name(), "nothing was taken in")
                });
            }
        };
        let all = all_captures(&ctx.lake)?;
        let known = all.iter().filter(|c| c.source == self.captures.name).cloned().collect();
        let mut taking = ImportReport { ctx, known, waiting: Vec::new(), new: 0, there: 0 };
        let (mut not_taken, mut within) = (Vec::new(), Vec::new());
        for entry in &entries.dated {
            match self.read_entry(&ctx.lake, &all, entry) {
                Ok(found) => {
                    within.extend(found.left_alone);
                    taking.take_capture(found.capture)?;
                }
                Err(error) => not_taken.push(NotTaken::new(format!("{:?}", entry.path), &error)),
            }
        }
        taking.keep_captures()?;
        ctx.lake.clear_cache();
        let ImportReport { new, there, .. } = taking;
        let line = format!("{}: {new} new, {there} there already", self.captures.describe());
        let lines = std::iter::once(line).chain(left_alone(&entries.others)).chain(not_files(&within));
        Ok(JobReport { changed: new > 0, not_taken, ..JobReport::changed(self.name(), lines.collect()) })
    }
}

impl AddCaptures {
    fn read_entry(&self, lake: &Lake, all: &[Capture], entry: &DatedEntry) -> anyhow::Result<FoundCaptures> {
        self.captures.read_entry(entry, self.now).and_then(|found| refuse_mixed(lake, all, found))
    }
}

/// Captures on their way into the lake, some at a time.
struct ImportReport<'a> {
    ctx: &'a Context,
    known: Vec<Capture>,
    waiting: Vec<NewCapture>,
    new: usize,
    there: usize,
}

impl ImportReport<'_> {
    fn take_capture(&mut self, capture: NewCapture) -> anyhow::Result<()> {
        self.waiting.push(capture);
        let files = self.waiting.iter().flat_map(|capture| &capture.files);
        let bytes: usize = files.map(|(_, bytes)| bytes.len()).sum();
        if self.waiting.len() >= AT_A_TIME || bytes > BYTES_AT_A_TIME { self.keep_captures() } else { Ok(()) }
    }

    fn keep_captures(&mut self) -> anyhow::Result<()> {
        if let Some(first) = self.waiting.first() {
            self.ctx.progress.show_message(&format!("take in {} {}", first.source, first.captured_at));
        }
        let added = self.ctx.writer.add_captures(&mut self.known, std::mem::take(&mut self.waiting))?;
        self.new += added.iter().filter(|added| added.is_new()).count();
        self.there += added.iter().filter(|added| !added.is_new()).count();
        Ok(())
    }
}

/// Entries of captures that are no files.
fn not_files(entries: &[String]) -> Option<String> {
    (!entries.is_empty()).then(|| {
        tracing::warn!(?entries, "left alone: they are no files");
        format!("left alone, since they are no files: {}", entries.join(", "))
    })
}

/// A capture that may come into this lake, and is of the source that it is given as.
fn refuse_mixed(lake: &Lake, all: &[Capture], found: FoundCaptures) -> anyhow::Result<FoundCaptures> {
    refuse_mixing(lake, all, found.capture.synthetic)?;
    if let Some(why) = fdna_ingest::misplaced(&found.capture.source, &found.capture.files) {
        return Err(error_with_code(ExitCode::BadData, why));
    }
    Ok(found)
}

/// Entries that are no captures, since their names begin with no time.
fn left_alone(others: &[PathBuf]) -> Option<String> {
    let names = others.iter().filter_map(|path| path.file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned()).collect::<Vec<_>>().join(", ");
    (!names.is_empty()).then(|| {
        tracing::warn!(%names, "left alone: their names begin with no date");
        format!("left alone, since their names begin with no date: {names}")
    })
}

/// A lake of real captures never takes in the sample, nor the other way round: no invented fighter may
/// stand among real ones.
pub fn refuse_mixing(lake: &Lake, captures: &[Capture], synthetic: bool) -> anyhow::Result<()> {
    if captures.iter().all(|capture| capture.synthetic == synthetic) {
        return Ok(());
    }
    let (new, old) = if synthetic { ("synthetic", "real") } else { ("real", "synthetic") };
    let root = lake.root().display();
    Err(error_with_code(
        ExitCode::BadData,
        format!(
            "cannot import a {new} capture: the lake {root} has {old} ones; give another folder with --lake"
        ),
    ))
}
