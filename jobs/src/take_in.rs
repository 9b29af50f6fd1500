//! Takes captures in as they were received.

use std::path::PathBuf;

use chrono::{DateTime, Utc};
use fdna_lake::{Added, Capture, Lake, NewCapture};

use crate::context::{Context, Job, Pending};
use crate::exit::{ExitCode, coded};
use crate::report::Report;
use crate::source::{Captures, Source};
use crate::view::{View, all_captures};

/// Captures that are in memory at a time.
const AT_A_TIME: usize = 8;

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

    fn pending(&self, lake: &View, _: &[Pending]) -> anyhow::Result<Pending> {
        let new = self.source.read(self.captured_at, self.now)?;
        refuse_mixing(lake, &all_captures(lake)?, new.synthetic)?;
        Ok(Pending::of(lake.find_same(&new)?.is_some(), &self.source.describe()))
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<Report> {
        let new = self.source.read(self.captured_at, self.now)?;
        refuse_mixing(&ctx.lake, &all_captures(&ctx.lake)?, new.synthetic)?;
        let size: usize = new.files.iter().map(|(_, bytes)| bytes.len()).sum();
        let files = new.files.len();
        Ok(match ctx.writer.add_capture(new)? {
            Added::New(capture) => {
                ctx.lake.forget();
                let line = format!("{} {}: {files} files, {} KiB", capture.source, capture.id, size / 1024);
                Report::changed(self.name(), vec![line])
            }
            Added::AlreadyThere(capture) => {
                Report::unchanged(self.name(), format!("{} {}: the lake has it", capture.source, capture.id))
            }
        })
    }
}

/// Keeps every capture of a folder, in the order of their times.
pub(crate) struct TakeInAll {
    pub(crate) captures: Captures,
}

impl Job for TakeInAll {
    fn name(&self) -> &'static str {
        "capture"
    }

    fn pending(&self, lake: &View, _: &[Pending]) -> anyhow::Result<Pending> {
        let (entries, all) = (self.captures.entries()?, all_captures(lake)?);
        let known: Vec<Capture> = all.iter().filter(|c| c.source == self.captures.name).cloned().collect();
        let mut new = 0;
        for entry in &entries.dated {
            let capture = self.captures.read(entry)?;
            refuse_mixing(lake, &all, capture.synthetic)?;
            new += usize::from(Lake::find_same_among(&capture, &known)?.is_none());
        }
        let what = format!("{} of {} captures in {}", new, entries.dated.len(), self.captures.describe());
        Ok(Pending::of(new == 0, &what))
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<Report> {
        let entries = self.captures.entries()?;
        let all = all_captures(&ctx.lake)?;
        let mut known: Vec<Capture> =
            all.iter().filter(|c| c.source == self.captures.name).cloned().collect();
        let (mut new, mut there) = (0, 0);
        for some in entries.dated.chunks(AT_A_TIME) {
            ctx.progress.say(&format!("take in {}", some[0].path.display()));
            let read: Vec<NewCapture> =
                some.iter().map(|entry| self.captures.read(entry)).collect::<anyhow::Result<_>>()?;
            for capture in &read {
                refuse_mixing(&ctx.lake, &all, capture.synthetic)?;
            }
            let added = ctx.writer.add_captures(&mut known, read)?;
            new += added.iter().filter(|added| added.is_new()).count();
            there += added.iter().filter(|added| !added.is_new()).count();
        }
        ctx.lake.forget();
        let line = format!("{}: {new} new, {there} there already", self.captures.describe());
        let lines = std::iter::once(line).chain(left_alone(&entries.others)).collect();
        Ok(Report { changed: new > 0, ..Report::changed(self.name(), lines) })
    }
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
pub(crate) fn refuse_mixing(lake: &Lake, captures: &[Capture], synthetic: bool) -> anyhow::Result<()> {
    if captures.iter().all(|capture| capture.synthetic == synthetic) {
        return Ok(());
    }
    let (new, old) = if synthetic { ("synthetic", "real") } else { ("real", "synthetic") };
    let root = lake.root().display();
    Err(coded(
        ExitCode::BadData,
        format!("take a {new} capture into a lake of {old} ones ({root}): give another folder with --lake"),
    ))
}
