//! Context of every job: the lake, the time, and a place to say what it is doing.

use std::sync::Mutex;

use anyhow::Context as _;
use chrono::{DateTime, Utc};
use fdna_lake::{LakeWriter, SnapshotId};

use crate::captures::lake_view::LakeView;
use crate::ingest::isolation::ReaderIsolation;
use crate::progress::RunProgress;
use crate::report::JobReport;
use crate::stages::definition::{StageName, StageState};

/// A run's surroundings. Jobs read no clock and no environment: it is all here.
pub(crate) struct Context {
    pub(crate) lake: LakeView,
    pub(crate) writer: LakeWriter,
    /// When the run began.
    pub(crate) now: DateTime<Utc>,
    pub(crate) progress: RunProgress,
    /// The snapshot that was audited before it was published.
    pub(crate) audited: Mutex<Option<SnapshotId>>,
    /// Where captures are read.
    pub(crate) isolation: ReaderIsolation,
}

/// Whether a job has anything to do, in words.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case", tag = "state", content = "what")]
pub(crate) enum PendingOutput {
    UpToDate(String),
    ToDo(String),
    /// Earlier jobs decide.
    Follows(String),
}

impl PendingOutput {
    /// A job whose work depends on an earlier job that has something to do.
    pub(crate) fn after_pending(earlier: &[Self], what: &str) -> Option<Self> {
        let decided = earlier.iter().all(|p| matches!(p, Self::UpToDate(_)));
        (!decided).then(|| Self::Follows(what.to_owned()))
    }

    pub(crate) fn from_presence(is_there: bool, what: &str) -> Self {
        if is_there { Self::UpToDate(what.to_owned()) } else { Self::ToDo(what.to_owned()) }
    }
}

impl std::fmt::Display for PendingOutput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::UpToDate(what) => write!(f, "up to date: {what}"),
            Self::ToDo(what) => write!(f, "to do: {what}"),
            Self::Follows(what) => write!(f, "follows: {what}"),
        }
    }
}

/// One step of a run. A job finds its inputs in the lake, by their fingerprints: nothing is handed from job to
/// job that a run which resumes would not find. `fightdna run --dry-run` prints what the same list of jobs says is pending.
pub(crate) trait PipelineJob {
    fn name(&self) -> &'static str;

    /// The stage that it is, if it is one.
    fn stage(&self) -> Option<StageName> {
        None
    }

    /// The work that `run` would do, without doing it.
    ///
    /// # Errors
    /// The lake or a source cannot be read.
    fn pending(&self, lake: &LakeView, earlier: &[PendingOutput]) -> anyhow::Result<PendingOutput>;

    /// # Errors
    /// The job could not be done; what was committed before stays.
    fn run(&self, ctx: &Context) -> anyhow::Result<JobReport>;
}

/// A job that makes the output of a stage, unless that has been made of the same inputs.
pub(crate) trait StageJob {
    const STAGE: StageName;
    /// Line of the report where the output exists.
    const UNCHANGED: &'static str;

    /// Makes the output and commits it to `state`.
    ///
    /// # Errors
    /// As for [`PipelineJob::run`].
    fn make(&self, ctx: &Context, state: &StageState) -> anyhow::Result<JobReport>;
}

impl<J: StageJob> PipelineJob for J {
    fn name(&self) -> &'static str {
        J::STAGE.as_str()
    }

    fn stage(&self) -> Option<StageName> {
        Some(J::STAGE)
    }

    fn pending(&self, lake: &LakeView, earlier: &[PendingOutput]) -> anyhow::Result<PendingOutput> {
        let about = J::STAGE.definition().about;
        match PendingOutput::after_pending(earlier, about) {
            Some(follows) => Ok(follows),
            None => Ok(PendingOutput::from_presence(lake.stage_output(J::STAGE)?.is_some(), about)),
        }
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<JobReport> {
        let missing = || format!("no input for {}; run the stages before it first", self.name());
        let state = ctx.lake.stage_state(J::STAGE)?.with_context(missing)?;
        if state.output.is_some() {
            return Ok(JobReport::unchanged(self.name(), J::UNCHANGED));
        }
        self.make(ctx, &state)
    }
}
