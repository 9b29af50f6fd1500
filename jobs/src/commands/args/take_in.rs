//! Captures that a run takes in, and the time that it looks back from.

use chrono::{DateTime, Datelike as _, Utc};
use clap::Args;
use fdna_run::import::source::{CaptureFolder, CapturedAt, SourceFolder};
use fdna_run::product::Product;
use fdna_run::run_job::RunJob;

use super::dates::parse_instant;

#[derive(Args)]
pub(crate) struct KnownArgs {
    /// Make the state as it was known then, such as 2025-01-31, which is its 00:00 UTC, or 2025-01-31T06:00:00Z: of the captures up to this time alone.
    /// The snapshot is made and named, and `current` stays where it is.
    #[arg(long, value_parser = parse_instant, value_name = "TIME")]
    pub(crate) known_at: Option<DateTime<Utc>>,
}

#[derive(Args)]
pub(crate) struct TakeInArgs {
    /// NAME=FOLDER of a capture to take in, such as statsdb=captures/2025-11-02; may be repeated.
    #[arg(long = "source")]
    sources: Vec<SourceFolder>,
    /// NAME=FOLDER of a folder of captures to take in, in the order of their times: every entry whose name
    /// begins with a date or an instant, or ends with `_` and a date, is one, a file or a folder of files; may be
    /// repeated.
    #[arg(long = "captures")]
    captures: Vec<CaptureFolder>,
    /// When it was captured, a day or an instant, or `now`, which leaves dates in names as they are; needed where
    /// neither the folder's name nor those of its files have a date.
    #[arg(long, value_parser = captured_at, value_name = "TIME")]
    captured_at: Option<CapturedAt>,
}

impl KnownArgs {
    /// A run without sources up to the job of this name.
    pub(crate) fn run_until(self, until: &'static str) -> RunJob {
        RunJob { known_at: self.known_at, ..TakeInArgs::without_sources().run_until(Some(until)) }
    }
}

fn captured_at(text: &str) -> Result<CapturedAt, String> {
    if text == "now" {
        return Ok(CapturedAt::Now);
    }
    let at = parse_instant(text).map_err(|error| format!("{error}, or `now`"))?;
    match at.year() {
        1..=9999 => Ok(CapturedAt::At(at)),
        year => Err(format!("{year} is no year of a capture")),
    }
}

impl TakeInArgs {
    pub(crate) fn source_names(&self) -> impl Iterator<Item = &str> {
        let sources = self.sources.iter().map(|source| source.name.as_str());
        sources.chain(self.captures.iter().map(|captures| captures.name.as_str()))
    }

    pub(crate) fn without_sources() -> Self {
        Self { sources: Vec::new(), captures: Vec::new(), captured_at: None }
    }

    /// A run up to the job of this name; to the end without.
    pub(crate) fn run_until(self, until: Option<&'static str>) -> RunJob {
        let Self { sources, captures, captured_at } = self;
        let captured_at = captured_at.unwrap_or_default();
        RunJob { sources, captures, captured_at, until, ..RunJob::new(Product::Mma) }
    }
}
