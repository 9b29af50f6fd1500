//! The log of runs: from its first moment a run has a report, which says `running` until it ends. One that never ended
//! was killed, and is said to be.

use chrono::{DateTime, Utc};
use fdna_lake::{Lake, LakeWriter};
use serde_json::{Value, json};

const RUNNING: &str = "running";
const KILLED: &str = "killed";

/// Reason of a run that ended without a report.
const WHY: &str = "it ended without a word: the process was killed, or the machine stopped";

/// Writes down that a run begins, and what became of the one before if that could not; gives the run's id.
///
/// # Errors
/// The lake cannot be read or written.
pub fn begin_run(writer: &LakeWriter, now: DateTime<Utc>) -> anyhow::Result<String> {
    let lake = writer.lake();
    if let Some(id) = lake.list_runs()?.last() {
        // Nobody else has the lock: it is not running.
        match lake.read_run(id) {
            Ok(mut report) if report["outcome"] == RUNNING => {
                tracing::warn!(run = id, "the run before was killed");
                (report["outcome"], report["error"]) = (KILLED.into(), WHY.into());
                writer.write_run(id, &report)?;
            }
            Ok(_) => {}
            Err(error) => tracing::warn!(run = id, %error, "the report of the run before cannot be read"),
        }
    }
    let id = lake.next_run_id(now)?;
    let report = json!({
        "run_id": id,
        "started_at": now.to_rfc3339(),
        "version": env!("CARGO_PKG_VERSION"),
        "outcome": RUNNING,
        "process": std::process::id(),
    });
    writer.write_run(&id, &report)?;
    Ok(id)
}

/// A run as its report tells it.
#[derive(Debug, serde::Serialize)]
pub struct RunEnd {
    pub id: String,
    pub started_at: Option<DateTime<Utc>>,
    /// `running`, `done`, `nothing_to_do`, `refused`, `failed` or `killed`.
    pub outcome: String,
    /// None while it runs, after it was killed, and in reports of earlier builds.
    pub exit_code: Option<u64>,
    pub error: Option<String>,
    #[serde(skip)]
    pub seconds: Option<f64>,
}

impl RunEnd {
    fn from_report(id: String, report: &Value) -> Self {
        let text = |key: &str| report[key].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        Self {
            id,
            started_at: text("started_at").and_then(|at| at.parse().ok()),
            outcome: text("outcome").unwrap_or_default(),
            exit_code: report["exit_code"].as_u64(),
            error: text("error"),
            seconds: report["seconds"].as_f64(),
        }
    }

    pub fn is_bad(&self) -> bool {
        matches!(self.outcome.as_str(), "failed" | KILLED)
    }

    pub fn is_good(&self) -> bool {
        matches!(self.outcome.as_str(), "done" | "nothing_to_do")
    }
}

/// The newest run; none before the first.
///
/// # Errors
/// Its report, or the lock, cannot be read.
pub fn last_run(lake: &Lake) -> anyhow::Result<Option<RunEnd>> {
    let Some(id) = lake.list_runs()?.pop() else { return Ok(None) };
    let mut run = RunEnd::from_report(id.clone(), &lake.read_run(&id)?);
    if run.outcome == RUNNING && !lake.is_being_written()? {
        (run.outcome, run.error) = (KILLED.to_owned(), Some(WHY.to_owned()));
    }
    Ok(Some(run))
}

/// The run that began last by its clock, whichever ran last: a clock that was ahead once leaves it behind.
///
/// # Errors
/// The runs cannot be listed.
pub fn latest_by_clock(lake: &Lake) -> anyhow::Result<Option<(String, DateTime<Utc>)>> {
    let began = lake.list_runs()?.into_iter().filter_map(|id| Some((Lake::run_began(&id)?, id)));
    Ok(began.max().map(|(at, id)| (id, at)))
}

/// The newest run that did all it should; reports that cannot be read are passed over.
pub fn last_good(lake: &Lake) -> Option<RunEnd> {
    let ids = lake.list_runs().ok()?.into_iter().rev();
    ids.filter_map(|id| lake.read_run(&id).ok().map(|report| RunEnd::from_report(id, &report)))
        .find(RunEnd::is_good)
}
