//! Work on an external engine, of Spark Connect or Ray: it schedules, and this program does the work, once for each task, on the
//! workers.
//!
//! A short Python program hands the engine the arguments of each task and this program's path and digest. What a task makes it
//! leaves in a folder that workers and caller see; what it prints comes back over the engine's own protocol, and has the digests of
//! what it left. So a file that nobody answered for is not used, whoever may write into the folder.

use std::fs::Permissions;
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use anyhow::Context as _;
use fdna_lake::{ObjectFolder, sha256};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tempfile::TempDir;

use crate::exit::{ExitCode, error_with_code};
use crate::programs::sql_program;

/// The Python program; `connect/requirements.txt` names its packages.
const SCRIPT: &str = include_str!("../connect/tasks.py");
/// Its exit codes for a missing Python package, and for a missing server.
const MISSING: i32 = 3;
const UNREACHABLE: i32 = 4;

/// Of a task: an engine counts a core for each.
const THREADS: usize = 1;

/// Lines of what a program says that an error repeats.
const TOLD: usize = 8;

/// An engine, and what its workers need.
#[derive(Debug, Clone)]
pub struct ExternalEngine {
    /// Address of the server: `sc://localhost:15002` of one that speaks Spark Connect, `ray://localhost:10001` of Ray.
    pub remote: String,
    /// Python that has its client.
    pub python: PathBuf,
    /// Folder that workers and caller see under the same path; that of temporary files without.
    pub exchange: Option<PathBuf>,
    /// Where workers have this program; where it is here without.
    pub program: Option<PathBuf>,
    /// Number of tasks that work is divided into.
    pub tasks: usize,
    /// Options of this call that those of a task have as well: the lake, and what a run of it depends on.
    pub options: Vec<String>,
}

/// What a run on an engine took.
#[derive(Debug, Clone, Default, Serialize)]
pub struct EngineReport {
    /// From the call of Python to its end.
    pub engine_seconds: f64,
    pub tasks: usize,
    /// Machines that did any of them.
    pub machines: usize,
    /// Of the longest task.
    pub longest_seconds: f64,
    /// Of the task that needed the most memory.
    pub peak_kib: u64,
}

impl std::fmt::Display for EngineReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { engine_seconds, tasks, machines, longest_seconds, peak_kib } = self;
        let peak = peak_kib / 1024;
        write!(
            f,
            "{tasks} tasks on {machines} machines of the engine in {engine_seconds:.1} s, the longest {longest_seconds:.1} s and {peak} MiB"
        )
    }
}

/// What the tasks printed, in their order.
#[derive(Debug)]
pub struct EngineAnswers<T> {
    pub answers: Vec<anyhow::Result<T>>,
    pub report: EngineReport,
}

impl<T> EngineAnswers<T> {
    /// All answers, where nothing is of use without the others.
    ///
    /// # Errors
    /// That of the first task that failed.
    pub fn into_all(self) -> anyhow::Result<(Vec<T>, EngineReport)> {
        Ok((self.answers.into_iter().collect::<anyhow::Result<_>>()?, self.report))
    }
}

/// How a task ended on a worker.
#[derive(Debug, Deserialize)]
struct TaskEnd {
    worker: String,
    #[serde(flatten)]
    outcome: TaskOutcome,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum TaskOutcome {
    /// The worker has no such program.
    Missing {
        missing: String,
    },
    /// It has another file, of this path and digest.
    Other {
        other: String,
    },
    Ended {
        code: i32,
        out: String,
        errors: String,
        seconds: f64,
        peak_kib: u64,
    },
}

/// A folder for what tasks leave; it goes with this value.
#[derive(Debug)]
pub struct ExchangeFolder {
    folder: TempDir,
    /// Where workers leave it, if they share nothing but an object store.
    in_store: Option<(String, ObjectFolder)>,
}

impl ExchangeFolder {
    /// The folder for files of tasks, as this program sees it. It is one below: a task that is late does not make it again where
    /// it has gone.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("parts")
    }

    /// The same folder as workers are told of it.
    #[must_use]
    pub fn of_workers(&self) -> PathBuf {
        self.in_store.as_ref().map_or_else(|| self.path(), |(address, _)| PathBuf::from(address))
    }

    /// Gets what workers have left.
    ///
    /// # Errors
    /// The object store cannot be read.
    pub fn collect(&self) -> anyhow::Result<()> {
        let Some((address, there)) = &self.in_store else { return Ok(()) };
        there.download(&self.path()).map_err(|error| {
            let what = format!("cannot get what workers left in `{address}`: {error}");
            error_with_code(ExitCode::Unavailable, what)
        })
    }
}

impl Drop for ExchangeFolder {
    fn drop(&mut self) {
        if let Some((address, there)) = &self.in_store
            && let Err(error) = there.remove()
        {
            tracing::warn!(%error, address, "what workers left could not be removed");
        }
    }
}

impl ExternalEngine {
    /// An empty folder for what tasks leave. In one that a person named, workers may be another user's: they may write there then,
    /// and so may others, but nobody may take away what is not his.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn make_exchange(&self) -> anyhow::Result<ExchangeFolder> {
        let mut parent = self.exchange.clone().unwrap_or_else(std::env::temp_dir);
        let mut in_store = None;
        if parent.to_str().is_some_and(|parent| parent.contains("://")) {
            let address = format!("{}/{}", parent.display(), uuid::Uuid::new_v4());
            let there = ObjectFolder::at(Path::new(&address))
                .map_err(|error| error_with_code(ExitCode::Usage, format!("--exchange: {error}")))?;
            in_store = there.map(|there| (address, there));
            parent = std::env::temp_dir();
        }
        let make = || {
            let private = Permissions::from_mode(0o700);
            let folder = tempfile::Builder::new()
                .prefix("fightdna-engine-")
                .permissions(private)
                .tempdir_in(std::path::absolute(&parent)?)?;
            let exchange = ExchangeFolder { folder, in_store };
            std::fs::create_dir(exchange.path())?;
            if self.exchange.is_some() && exchange.in_store.is_none() {
                for folder in [exchange.folder.path(), &exchange.path()] {
                    std::fs::set_permissions(folder, Permissions::from_mode(0o1777))?;
                }
            }
            std::io::Result::Ok(exchange)
        };
        make().map_err(|error| {
            let what =
                format!("cannot make a folder in `{}` for what workers leave: {error}", parent.display());
            error_with_code(ExitCode::CannotWrite, what)
        })
    }

    /// Runs this program with each of these arguments, and reads the JSON that it prints.
    ///
    /// # Errors
    /// There is no such engine, Python or package. Of a task: its worker has no such program or another, or it failed.
    pub fn run_tasks<T: DeserializeOwned>(&self, tasks: &[Vec<String>]) -> anyhow::Result<EngineAnswers<T>> {
        let begun = Instant::now();
        let ends = self.call_engine(tasks)?;
        let mut report = EngineReport { tasks: tasks.len(), ..EngineReport::default() };
        let mut workers: Vec<&str> = ends.iter().map(|end| end.worker.as_str()).collect();
        workers.sort_unstable();
        workers.dedup();
        report.machines = workers.len();
        let mut answers = Vec::new();
        for (end, arguments) in ends.iter().zip(tasks) {
            answers.push(self.read_answer(end, arguments, &mut report));
        }
        report.engine_seconds = begun.elapsed().as_secs_f64();
        Ok(EngineAnswers { answers, report })
    }

    fn call_engine(&self, tasks: &[Vec<String>]) -> anyhow::Result<Vec<TaskEnd>> {
        let here = std::env::current_exe().context("cannot find this program")?;
        let program = self.program.as_ref().unwrap_or(&here);
        let digest_of = |path: &Path| {
            let bytes = std::fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
            anyhow::Ok(sha256(&bytes))
        };
        let mut files = vec![(program.clone(), digest_of(&here)?)];
        // What it starts for models lies beside it, there as here.
        if let Some(beside) = Some(PathBuf::from(sql_program())).filter(|path| path.is_absolute()) {
            let there = program.with_file_name(beside.file_name().unwrap_or_default());
            files.push((there, digest_of(&beside)?));
        }
        let arguments = |task: &Vec<String>| {
            let all = task.iter().chain(&self.options).map(String::as_str);
            all.chain(["--json"]).map(str::to_owned).collect::<Vec<_>>()
        };
        let job = json!({
            "remote": self.remote,
            "program": program,
            "files": files,
            "threads": THREADS,
            "tasks": tasks.iter().map(arguments).collect::<Vec<_>>(),
        });
        let output = self.run_script(&job.to_string())?;
        let lines =
            output.lines().map(|line| serde_json::from_str(line).context("cannot read what workers said"));
        let ends: Vec<TaskEnd> = lines.collect::<anyhow::Result<_>>()?;
        anyhow::ensure!(
            ends.len() == tasks.len(),
            "workers answered {} of {} tasks",
            ends.len(),
            tasks.len()
        );
        Ok(ends)
    }

    fn read_answer<T: DeserializeOwned>(
        &self,
        end: &TaskEnd,
        arguments: &[String],
        report: &mut EngineReport,
    ) -> anyhow::Result<T> {
        let worker = &end.worker;
        match &end.outcome {
            TaskOutcome::Missing { missing } => Err(error_with_code(
                ExitCode::Unavailable,
                format!(
                    "worker {worker} has no program: {missing}; install it there, and name it with --program"
                ),
            )),
            TaskOutcome::Other { other } => Err(error_with_code(
                ExitCode::BadData,
                format!(
                    "worker {worker} has another build of this program: {other}; each worker must have the very files that are here, \
                     and --program says where"
                ),
            )),
            TaskOutcome::Ended { code: 0, out, seconds, peak_kib, .. } => {
                report.longest_seconds = report.longest_seconds.max(*seconds);
                report.peak_kib = report.peak_kib.max(*peak_kib);
                serde_json::from_str(out).with_context(|| {
                    format!("cannot read what `{}` said on worker {worker}", arguments.join(" "))
                })
            }
            TaskOutcome::Ended { code, errors, .. } => {
                let code = ExitCode::from_number(*code).unwrap_or(ExitCode::Failed);
                let told = last_lines(errors);
                Err(error_with_code(
                    code,
                    format!("`{}` failed on worker {worker}: {told}", arguments.join(" ")),
                ))
            }
        }
    }

    /// What the Python program prints.
    fn run_script(&self, job: &str) -> anyhow::Result<String> {
        // A file of the caller's alone, never in the shared folder. pyspark needs a program that is a file.
        let mut script = tempfile::NamedTempFile::with_suffix(".py")
            .context("cannot make a file for the engine's program")?;
        script.write_all(SCRIPT.as_bytes()).context("cannot write the engine's program")?;
        let mut command = Command::new(&self.python);
        // Isolated: nothing is imported from the current folder, from the program's, or from where the environment says.
        command.arg("-I").arg(script.path());
        let (python, remote) = (self.python.display(), &self.remote);
        let output = output_of(command, job).map_err(|error| {
            let hint = if error.kind() == ErrorKind::NotFound {
                ": install Python 3, or name it with --python"
            } else {
                ""
            };
            error_with_code(ExitCode::Unavailable, format!("cannot run `{python}`: {error}{hint}"))
        })?;
        let lines = || {
            let told = last_lines(&String::from_utf8_lossy(&output.stderr));
            if told.is_empty() { output.status.to_string() } else { told }
        };
        match output.status.code() {
            Some(0) => String::from_utf8(output.stdout).context("cannot read what workers said"),
            Some(MISSING) => Err(error_with_code(
                ExitCode::Unavailable,
                format!(
                    "run `{python}`: {}; packages are its own, and none of PYTHONPATH or of ~/.local: \
                     `python3 -m venv venv && venv/bin/pip install {}` makes one that has it, for --python venv/bin/python",
                    lines(),
                    if remote.starts_with("ray:") { "'ray[client]'" } else { "pyspark-client" }
                ),
            )),
            Some(UNREACHABLE) => Err(error_with_code(
                ExitCode::Unavailable,
                format!("cannot reach the engine at {remote}: {}", lines()),
            )),
            _ => {
                Err(error_with_code(ExitCode::Failed, format!("the engine at {remote} failed: {}", lines())))
            }
        }
    }
}

/// Runs a command with a text on standard input.
fn output_of(mut command: Command, text: &str) -> std::io::Result<Output> {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let stdin = child.stdin.take();
    std::thread::scope(|scope| {
        // It may say much before it has read all. One that does not read says itself why.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(text.as_bytes())));
        child.wait_with_output()
    })
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    lines[lines.len().saturating_sub(TOLD)..].join("\n  ")
}
