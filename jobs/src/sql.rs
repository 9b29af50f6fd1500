//! `fightdna sql` and `fightdna audit`: the program `fightdna-sql`, as cargo runs its subcommands. It is linked
//! to the SQL engine, so that this one needs no library beside it.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::sync::PoisonError;

use anyhow::Context as _;
use fdna_lake::SnapshotId;

use crate::catalog::hand_on_folder;
use crate::context::{Context, PendingOutput, PipelineJob};
use crate::exit::{ExitCode, coded};
use crate::gates::ClosedGate;
use crate::report::JobReport;
use crate::view::LakeView;

const PROGRAM: &str = "fightdna-sql";

/// Arguments for the other program, as they are.
#[derive(clap::Args)]
pub(crate) struct SqlArgs {
    /// Arguments of `fightdna-sql`; `--help` lists them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

impl SqlArgs {
    /// Runs it on the lake and hands its exit code on. An option of its own, such as `--lake`, wins.
    ///
    /// # Errors
    /// It is neither beside this program nor on the `PATH`, or cannot be started.
    pub(crate) fn run(&self, first: Option<&str>, lake: &Path, json: bool) -> anyhow::Result<ExitCode> {
        let mut command = Command::new(program());
        command.args(first).args(&self.args).env("FIGHTDNA_LAKE", lake);
        if json {
            command.args(["--format", "json"]);
        }
        hand_on_folder(&mut command);
        Ok(code(started(command.status())?))
    }
}

/// Whether a run audits what it publishes.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum AuditRule {
    /// Audit before publishing; an audit that returns rows blocks the snapshot. Without `fightdna-sql` the run fails.
    Required,
}

/// Audits the snapshot that is served, unless it was audited before it was published.
pub(crate) struct AuditReport;

impl PipelineJob for AuditReport {
    fn name(&self) -> &'static str {
        "audit"
    }

    fn pending(&self, _lake: &LakeView, earlier: &[PendingOutput]) -> anyhow::Result<PendingOutput> {
        let what = "queries over the snapshot that must return no rows";
        Ok(PendingOutput::behind(earlier, what).unwrap_or_else(|| PendingOutput::of(false, what)))
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<JobReport> {
        let Some(current) = ctx.lake.current()? else {
            return Ok(JobReport::unchanged(self.name(), "no snapshot is served"));
        };
        let audited = ctx.audited.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if audited.as_ref() == Some(&current) {
            return Ok(JobReport::unchanged(self.name(), "audited before it was published"));
        }
        let failed = failed_audits(ctx, &current)?;
        if failed.is_empty() {
            return Ok(JobReport::unchanged(self.name(), "no audit of the snapshot that is served failed"));
        }
        let failed: Vec<String> = failed.into_iter().map(|gate| gate.why).collect();
        Err(coded(ExitCode::BadData, failed.join("; ")))
    }
}

/// Audits a snapshot: the audits that returned rows.
///
/// # Errors
/// `fightdna-sql` is missing or could not audit.
pub(crate) fn failed_audits(ctx: &Context, snapshot: &SnapshotId) -> anyhow::Result<Vec<ClosedGate>> {
    ctx.progress.say("audit");
    let audits = audits(ctx.lake.root(), snapshot)?;
    *ctx.audited.lock().unwrap_or_else(PoisonError::into_inner) = Some(snapshot.clone());
    let failed = audits.into_iter().filter(|(_, rows)| rows != "0");
    let gate = |(name, rows): (String, String)| ClosedGate {
        gate: format!("audit:{name}"),
        why: format!("the audit {name} returns {rows} rows"),
    };
    Ok(failed.map(gate).collect())
}

/// The audits of a snapshot, each with how many rows it returned.
///
/// # Errors
/// As for [`failed_audits`].
pub(crate) fn audits(lake: &Path, snapshot: &SnapshotId) -> anyhow::Result<Vec<(String, String)>> {
    let mut command = Command::new(program());
    command.args(["audit", "--format", "csv", "--snapshot", snapshot.as_str(), "--lake"]).arg(lake);
    hand_on_folder(&mut command);
    let output = started(command.output())?;
    let text = String::from_utf8_lossy(&output.stdout);
    // Behind a line of names.
    let lines = text.lines().skip(1).filter_map(|line| line.rsplit_once(','));
    let audits: Vec<(String, String)> =
        lines.map(|(name, rows)| (name.to_owned(), rows.to_owned())).collect();
    let has_failed = audits.iter().any(|(_, rows)| rows != "0");
    if !has_failed && (audits.is_empty() || !output.status.success()) {
        let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(coded(code(output.status), why));
    }
    Ok(audits)
}

pub(crate) fn started<T>(result: std::io::Result<T>) -> anyhow::Result<T> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Err(missing()),
        result => result.with_context(|| format!("run `{PROGRAM}`")),
    }
}

/// The one beside this program; else its name, to be found on the `PATH`.
pub(crate) fn program() -> OsString {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let beside =
        std::env::current_exe().ok().map(|own| own.with_file_name(&name)).filter(|path| path.is_file());
    beside.map_or_else(|| name.into(), Into::into)
}

fn missing() -> anyhow::Error {
    let message = format!(
        "run `{PROGRAM}`: it is neither beside this program nor on the PATH; \
         `tools/build-sql` in the repository builds it"
    );
    coded(ExitCode::Unavailable, message)
}

pub(crate) fn code(status: ExitStatus) -> ExitCode {
    let codes = [ExitCode::Done, ExitCode::Usage, ExitCode::BadData, ExitCode::Unavailable];
    let same = |code: &ExitCode| status.code() == Some(code.number().into());
    codes.into_iter().find(same).unwrap_or(ExitCode::Failed)
}
