//! What every job gets: the lake, the time, and a place to say what it is doing.

use chrono::{DateTime, Utc};
use fdna_lake::{Lake, StageOutput, Writer};

use crate::progress::Progress;
use crate::report::Report;

/// A run's surroundings. Jobs read no clock and no environment: it is all here.
pub struct Context {
    pub lake: Lake,
    pub writer: Writer,
    /// When the run began.
    pub now: DateTime<Utc>,
    pub(crate) progress: Progress,
    /// Outputs of this run's stages, for the later ones.
    pub(crate) facts: Vec<CaptureOutput>,
    pub(crate) normalised: Option<StageOutput>,
    pub(crate) derived: Option<StageOutput>,
}

/// The facts of one capture.
pub(crate) struct CaptureOutput {
    pub(crate) capture: fdna_lake::Capture,
    pub(crate) facts: StageOutput,
}

/// Whether a job has anything to do, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pending {
    UpToDate(String),
    ToDo(String),
    /// Earlier jobs decide.
    Follows(String),
}

impl std::fmt::Display for Pending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::UpToDate(what) => write!(f, "up to date: {what}"),
            Self::ToDo(what) => write!(f, "to do: {what}"),
            Self::Follows(what) => write!(f, "follows: {what}"),
        }
    }
}

/// One step of a run. `fightdna run --dry-run` prints what the same list of jobs says is pending.
pub trait Job {
    fn name(&self) -> &'static str;

    /// What `run` would do, without doing it.
    ///
    /// # Errors
    /// The lake or a source cannot be read.
    fn pending(&self, lake: &Lake, earlier: &[Pending]) -> anyhow::Result<Pending>;

    /// # Errors
    /// The job could not be done; what was committed before stays.
    fn run(&self, ctx: &mut Context) -> anyhow::Result<Report>;
}
