//! Report of a fetch, for a person and for a machine.

use std::fmt::Write as _;

use fdna_fetch::{FetchedBody, FilePlan};
use fdna_run::exit::ExitCode;
use serde::Serialize;

use crate::output::CommandReport;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FetchOutcome {
    /// There is a new capture.
    Captured,
    /// All files came, and are what the newest capture has.
    Unchanged,
    NotDue,
    /// Its host asked for it, and the time is not over.
    LeftAlone,
    /// A dry run.
    WouldAsk,
    Failed,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct FetchReport {
    pub(super) lake: String,
    pub(super) sources: Vec<SourceReport>,
    pub(super) seconds: f64,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct SourceReport {
    source: String,
    pub(super) state: FetchOutcome,
    /// The capture that has the files now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) capture: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) files: Vec<FileReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    #[serde(skip)]
    pub(super) code: ExitCode,
}

/// A file that came, or that would be asked for.
#[derive(Debug, Clone, Serialize)]
pub(super) struct FileReport {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    /// `None` where the file is still what it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attempts: Option<u32>,
    /// Where it would be asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<String>,
    /// Whether it would be asked for only if it is another by now.
    #[serde(skip_serializing_if = "Option::is_none")]
    conditional: Option<bool>,
}

impl FileReport {
    pub(super) fn from_fetched(fetched: &FetchedBody) -> Self {
        Self {
            file: fetched.file.clone(),
            status: Some(fetched.status),
            bytes: fetched.body.as_ref().map(bytes::Bytes::len),
            attempts: Some(fetched.attempts),
            host: None,
            conditional: None,
        }
    }

    pub(super) fn planned(file: &FilePlan, conditional: bool) -> Self {
        Self {
            file: file.file.clone(),
            status: None,
            bytes: None,
            attempts: None,
            host: file.url.host_str().map(str::to_owned),
            conditional: Some(conditional),
        }
    }

    fn to_text(&self) -> String {
        match (self.status, self.bytes, &self.host) {
            (Some(status), Some(bytes), _) => format!("{}: {status}, {bytes} bytes", self.file),
            (Some(status), None, _) => format!("{}: {status}, as it was", self.file),
            (None, _, host) => {
                let condition = if self.conditional == Some(true) { ", if it is another by now" } else { "" };
                format!("{} from {}{condition}", self.file, host.as_deref().unwrap_or_default())
            }
        }
    }
}

impl SourceReport {
    pub(super) fn new(source: &str, state: FetchOutcome) -> Self {
        let (capture, error) = Default::default();
        Self { source: source.to_owned(), state, capture, files: Vec::new(), error, code: ExitCode::Done }
    }

    fn to_text(&self) -> String {
        let capture = self.capture.as_deref().unwrap_or_default();
        let line = match self.state {
            FetchOutcome::Captured => format!("captured {capture}"),
            FetchOutcome::Unchanged => format!("nothing new since {capture}"),
            FetchOutcome::NotDue => "not due".to_owned(),
            FetchOutcome::LeftAlone => "left alone, as its host asked".to_owned(),
            FetchOutcome::WouldAsk => "would ask for".to_owned(),
            FetchOutcome::Failed => format!("FAILED to {}", self.error.as_deref().unwrap_or_default()),
        };
        let files = self.files.iter().map(|file| format!("\n  {:<14} {}", "", file.to_text()));
        format!("  {:<14} {line}{}\n", self.source, files.collect::<String>())
    }
}

impl FetchReport {
    /// # Errors
    /// It cannot be written as JSON.
    pub(crate) fn to_report(&self) -> anyhow::Result<CommandReport> {
        CommandReport::of_record(self.to_text(), self, exit_code(&self.sources))
    }

    fn to_text(&self) -> String {
        let mut out = format!("fetch into lake {}\n\n", self.lake);
        self.sources.iter().for_each(|source| out += &source.to_text());
        if self.sources.is_empty() {
            out += "  the plan has no source\n";
        }
        if self.sources.iter().any(|source| source.state == FetchOutcome::Captured) {
            let _ = writeln!(out, "\nnext:\n  fightdna run --lake {}    takes in what is new", self.lake);
        }
        out
    }

    /// One line a failure.
    pub(crate) fn failures(&self) -> impl Iterator<Item = &str> {
        self.sources.iter().filter_map(|source| source.error.as_deref())
    }
}

/// A failure of the lake goes before one of a source: it will not be gone by the next turn.
fn exit_code(reports: &[SourceReport]) -> ExitCode {
    let failed = || reports.iter().filter(|report| report.state == FetchOutcome::Failed);
    let graver = failed().map(|report| report.code).find(|code| *code != ExitCode::Unavailable);
    match graver.or_else(|| failed().map(|report| report.code).next()) {
        Some(code) => code,
        None if reports.iter().any(|report| report.state == FetchOutcome::Captured) => ExitCode::Done,
        None => ExitCode::NothingToDo,
    }
}
