//! Panels of ratios that an engine outside makes: Apache Spark or Sail, over Spark Connect.
//!
//! The engine is given a table of observations, which is a file of the lake, and one SQL text, by a short Python program, and
//! writes Parquet into a folder outside of the lake. Nothing of it is believed: each partition is held to its contract and to
//! what the observations add up to, and only when all of them are right is any of them encoded and committed, by the same
//! code as panels that this program makes. So its bytes are the same.

use std::collections::BTreeMap;
use std::fs::Permissions;
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use anyhow::Context as _;
use arrow::array::RecordBatch;
use chrono::NaiveDate;
use clap::ValueEnum;
use fdna_lake::{
    Fingerprint, ForeignPartition, Lake, LakeWriter, PipelineStage, SnapshotManifest, StageOutput,
    read_foreign_partition,
};
use fdna_model::FactsAsOf;
use fdna_normalise::FACTS_TABLES;
use fdna_panel::{RatioCheck, ratios_sql};
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::stages::derivation_facts::{after_all, published_facts};
use fdna_schemas::tables::{BoutObservationsRow, ContractRow as _, PanelRatiosRow};
use fdna_schemas::{MetricDefinitions, Tables};
use rayon::prelude::*;
use serde::Serialize;
use tempfile::TempDir;

use crate::commands::args::dates;

/// The Python program; `jobs/connect/requirements.txt` names its packages.
const PROGRAM: &str = include_str!("../../../connect/ratios.py");
/// Its exit codes for a missing Python package, and for a missing server.
const MISSING: i32 = 3;
const UNREACHABLE: i32 = 4;

/// Raised when the observations of the same facts come out otherwise.
const LOGIC: &str = "1";

/// Lines of what the Python program says that an error repeats.
const TOLD: usize = 8;

/// What makes panels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineKind {
    /// This program.
    Native,
    /// A server that speaks Spark Connect, such as Apache Spark 4 or Sail.
    Connect,
}

#[derive(clap::Args)]
pub(crate) struct EngineArgs {
    /// What makes the panels. With `connect` an engine outside makes those of ratios, and this program checks and keeps them.
    #[arg(long, value_enum, default_value_t = EngineKind::Native)]
    pub(super) engine: EngineKind,
    /// Server that speaks Spark Connect, for --engine connect. It must see the lake's folder and --exchange under the same
    /// paths as this program.
    #[arg(long, value_name = "sc://HOST:PORT", value_parser = parse_remote, required_if_eq("engine", "connect"))]
    remote: Option<String>,
    /// Python that has the package pyspark-client, or pyspark with its Connect client.
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: PathBuf,
    /// Folder in which the engine leaves what it made, until it is checked; by default the system's folder for temporary files.
    #[arg(long, value_name = "FOLDER")]
    exchange: Option<PathBuf>,
}

fn parse_remote(text: &str) -> Result<String, String> {
    let address = text.strip_prefix("sc://").filter(|address| !address.is_empty());
    address.map(|_| text.to_owned()).ok_or_else(|| "use an address such as sc://localhost:15002".to_owned())
}

/// Duration of the engine, and size of its output.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct EngineReport {
    /// Until it had written all partitions, its start and Python's with it.
    pub(crate) engine_seconds: f64,
    /// Bytes of its Parquet.
    pub(crate) bytes: u64,
}

/// Observations for an engine, against which its answers are checked.
pub(super) struct Observations {
    /// The file.
    path: PathBuf,
    pub(super) check: RatioCheck,
}

impl Observations {
    /// Of the facts that a snapshot rests on, kept in the lake for the next time.
    pub(super) fn for_snapshot(writer: &LakeWriter, snapshot: &SnapshotManifest) -> anyhow::Result<Self> {
        let lake = writer.lake();
        let fingerprint = observations_fingerprint(snapshot)?;
        let (output, batch) = match find_observations(lake, &fingerprint)? {
            Some(kept) => kept,
            None => {
                let (_, facts) = published_facts(lake)?;
                let cut = FactsAsOf::cut_at(&facts, after_all(&facts));
                let batch = fdna_derive::observation_table(cut, MetricDefinitions::get())
                    .context("cannot make observations")?;
                let tables = [(BoutObservationsRow::TABLE, batch.clone())];
                let notes = serde_json::Value::Null;
                (writer.commit_stage(&PipelineStage::Observations, &fingerprint, &tables, notes)?, batch)
            }
        };
        let file = lake.stage_files(&output)?.into_iter().next().context("no observations")?;
        let path = std::path::absolute(&file.path).context("cannot find the folder of the lake")?;
        Ok(Self { path, check: RatioCheck::new(&batch)? })
    }
}

fn find_observations(
    lake: &Lake,
    fingerprint: &Fingerprint,
) -> anyhow::Result<Option<(StageOutput, RecordBatch)>> {
    let read = || {
        let Some(output) = lake.find_stage(&PipelineStage::Observations, fingerprint)? else {
            return Ok(None);
        };
        let batch = lake.read_stage_table(&output, BoutObservationsRow::TABLE)?;
        Ok(Some((output, batch)))
    };
    match read() {
        Err(error) if fdna_lake::LakeError::is_damage(&error) => Ok(None),
        read => Ok(read?),
    }
}

fn observations_fingerprint(snapshot: &SnapshotManifest) -> anyhow::Result<Fingerprint> {
    let builder = Fingerprint::builder("observations")
        .with_text("logic", LOGIC)
        .with_text("contract", fdna_schemas::contracts_digest())
        .with_text("version", Tables::get().table(BoutObservationsRow::TABLE)?.version.to_string());
    let with = |builder: fdna_lake::FingerprintBuilder, name: &str| {
        let entry = snapshot.table(name);
        let entry = entry.with_context(|| format!("no table {name} in the current snapshot"))?;
        anyhow::Ok(builder.with_digest(name, &entry.sha256))
    };
    Ok(FACTS_TABLES.into_iter().try_fold(builder, with)?.build())
}

/// Panels of an engine, checked.
pub(super) struct EnginePanels {
    /// Removed when this is dropped.
    _exchange: TempDir,
    observations: Observations,
    partitions: BTreeMap<NaiveDate, Vec<PathBuf>>,
    pub(super) report: EngineReport,
}

impl EngineArgs {
    /// Has the engine make panels of these dates, on each of which there is a fighter, and checks all of them.
    ///
    /// # Errors
    /// Python, a package or the server is not there; the engine fails; or a partition is missing, was not asked for or is
    /// not what it must be.
    pub(super) fn make_panels(
        &self,
        observations: Observations,
        dates: &[NaiveDate],
    ) -> anyhow::Result<EnginePanels> {
        let parent = self.exchange.clone().unwrap_or_else(std::env::temp_dir);
        let parent = std::path::absolute(parent).context("cannot find the folder of --exchange")?;
        let exchange = exchange_folder(&parent, self.exchange.is_some()).map_err(|error| {
            error_with_code(
                ExitCode::CannotWrite,
                format!("cannot make a folder in `{}`: {error}", parent.display()),
            )
        })?;
        let (sql, out) = (ratios_sql(MetricDefinitions::get(), dates), exchange.path().join("ratios"));
        let begun = Instant::now();
        self.run_engine(&sql, &observations.path, &out)?;
        let engine_seconds = begun.elapsed().as_secs_f64();
        let partitions = list_partitions(&out, dates)?;
        let sizes = partitions.values().flatten().map(|file| std::fs::metadata(file).map_or(0, |m| m.len()));
        let report = EngineReport { engine_seconds, bytes: sizes.sum() };
        let panels = EnginePanels { _exchange: exchange, observations, partitions, report };
        dates.par_iter().try_for_each(|&as_of| panels.checked_panel(as_of).map(|_| ()))?;
        Ok(panels)
    }

    fn run_engine(&self, sql: &str, observations: &Path, out: &Path) -> anyhow::Result<()> {
        let remote = self.remote.as_deref().unwrap_or_default();
        // A file of the caller's alone, never in the shared folder. pyspark needs a program that is a file.
        let mut program = tempfile::NamedTempFile::with_suffix(".py")
            .context("cannot make a file for the engine's program")?;
        program.write_all(PROGRAM.as_bytes()).context("cannot write the engine's program")?;
        let mut command = Command::new(&self.python);
        // Isolated: nothing is imported from the current folder, from the program's, or from where the environment says.
        command.arg("-I").arg(program.path()).arg(remote).args([observations, out]);
        let python = self.python.display();
        let output = output_of(command, sql).map_err(|error| {
            let hint = if error.kind() == ErrorKind::NotFound {
                ": install Python 3, or name it with --python"
            } else {
                ""
            };
            error_with_code(ExitCode::Unavailable, format!("cannot run `{python}`: {error}{hint}"))
        })?;
        let lines = last_lines(&output);
        match output.status.code() {
            Some(0) => Ok(()),
            Some(MISSING) => Err(error_with_code(
                ExitCode::Unavailable,
                format!(
                    "run `{python}`: {lines}; packages are its own, and none of PYTHONPATH or of ~/.local: \
                     `python3 -m venv venv && venv/bin/pip install pyspark-client` makes one that has it, for --python venv/bin/python"
                ),
            )),
            Some(UNREACHABLE) => Err(error_with_code(
                ExitCode::Unavailable,
                format!("cannot reach the engine at {remote}: {lines}"),
            )),
            _ => Err(error_with_code(
                ExitCode::Failed,
                format!("cannot make ratios on the engine at {remote}: {lines}"),
            )),
        }
    }
}

/// An empty folder for what the engine writes; nothing of ours is ever put into it. In a folder that a person named, the engine
/// may be another user's: it may write there then, and so may others, but nobody may take away what is not his.
fn exchange_folder(parent: &Path, is_named: bool) -> std::io::Result<TempDir> {
    let private = Permissions::from_mode(0o700);
    let folder =
        tempfile::Builder::new().prefix("fightdna-ratios-").permissions(private).tempdir_in(parent)?;
    if is_named {
        std::fs::set_permissions(folder.path(), Permissions::from_mode(0o1777))?;
    }
    Ok(folder)
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

fn last_lines(output: &Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = stderr.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() {
        output.status.to_string()
    } else {
        lines[lines.len().saturating_sub(TOLD)..].join("\n  ")
    }
}

impl EnginePanels {
    /// The rows of a date, held to the contract and to the observations.
    pub(super) fn checked_panel(&self, as_of: NaiveDate) -> anyhow::Result<RecordBatch> {
        let files = self.partitions.get(&as_of).map(Vec::as_slice).unwrap_or_default();
        let partition = ForeignPartition {
            table: PanelRatiosRow::TABLE,
            column: PanelRatiosRow::AS_OF.name,
            day: as_of,
            rows: self.observations.check.row_count(as_of),
            files,
        };
        let refused = || format!("what the engine made of {as_of} cannot be used");
        let rows = read_foreign_partition(&partition).with_context(refused)?;
        self.observations.check.check_panel(as_of, &rows).with_context(refused)?;
        Ok(rows)
    }
}

/// The Parquet files of each date. What engines leave beside them, such as `_SUCCESS`, begins with `_` or `.`.
fn list_partitions(out: &Path, dates: &[NaiveDate]) -> anyhow::Result<BTreeMap<NaiveDate, Vec<PathBuf>>> {
    let refuse =
        |why: String| error_with_code(ExitCode::BadData, format!("what the engine made is wrong: {why}"));
    let mut found: BTreeMap<NaiveDate, Vec<PathBuf>> = BTreeMap::new();
    for (name, folder) in visible_entries(out)? {
        let as_of = name.strip_prefix("as_of=").and_then(|day| dates::parse_day(day).ok());
        let as_of = as_of.filter(|as_of| dates.contains(as_of));
        let as_of = as_of.ok_or_else(|| refuse(format!("`{name}` was not asked for")))?;
        for (file, path) in visible_entries(&folder)? {
            if !file.ends_with(".parquet") {
                return Err(refuse(format!("`{name}/{file}` is no Parquet file")));
            }
            found.entry(as_of).or_default().push(path);
        }
    }
    match dates.iter().find(|as_of| !found.contains_key(as_of)) {
        Some(missing) => Err(refuse(format!("there is no partition of {missing}"))),
        None => Ok(found),
    }
}

fn visible_entries(folder: &Path) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let unreadable = |error: std::io::Error| {
        let why = "where the engine runs on another machine, --exchange names a folder that both see";
        error_with_code(
            ExitCode::Unavailable,
            format!("cannot read what the engine wrote in `{}`: {error}; {why}", folder.display()),
        )
    };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with(['_', '.']) {
            found.push((name, path));
        }
    }
    found.sort();
    Ok(found)
}
