//! The engine that shares work out over machines.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use fdna_run::engine::ExternalEngine;
use fdna_run::exit::{ExitCode, error_with_code};

/// Who does the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineKind {
    /// This program.
    Native,
    /// This program on the workers of a server that speaks Spark Connect, such as Apache Spark 4 or Sail.
    Connect,
    /// This program on the workers of a Ray cluster.
    Ray,
}

#[derive(Args)]
pub(crate) struct EngineArgs {
    /// Who does the work. An engine hands it to its workers, each of which runs this program; what they leave is checked and
    /// kept here, with the same bytes.
    #[arg(long, value_enum, default_value_t = EngineKind::Native)]
    engine: EngineKind,
    /// Server of the engine: sc://HOST:PORT for `connect`, ray://HOST:PORT for `ray`. Its workers must see the lake and --exchange under
    /// the same paths as this program.
    #[arg(
        long,
        value_name = "ADDRESS",
        value_parser = parse_remote,
        required_if_eq_any([("engine", "connect"), ("engine", "ray")])
    )]
    remote: Option<String>,
    /// Number of tasks that an engine is given. Each takes one core, and the memory that a shard takes.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = parse_tasks)]
    tasks: usize,
    /// Where workers have this program, which must be this very file; by default where it is here.
    #[arg(long, value_name = "PROGRAM")]
    program: Option<PathBuf>,
    /// Python that has the engine's client: the package pyspark-client, or ray with its extra client.
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: PathBuf,
    /// Folder, or address in an object store, in which workers leave what they made, until it is checked; by default the system's
    /// folder for temporary files, or `exchange` in a lake in an object store.
    #[arg(long, value_name = "FOLDER")]
    exchange: Option<PathBuf>,
}

fn parse_remote(text: &str) -> Result<String, String> {
    let address = ["sc://", "ray://"].into_iter().find_map(|scheme| text.strip_prefix(scheme));
    let address = address.filter(|address| !address.is_empty()).map(|_| text.to_owned());
    address.ok_or_else(|| "use an address such as sc://localhost:15002 or ray://localhost:10001".to_owned())
}

fn parse_tasks(text: &str) -> Result<usize, String> {
    let tasks = text.parse().ok().filter(|tasks| (1..=1000).contains(tasks));
    tasks.ok_or_else(|| "use a number from 1 to 1000".to_owned())
}

impl EngineArgs {
    /// The engine, if one is to do the work; `options` are those that its tasks have as this call has them.
    ///
    /// # Errors
    /// The address is one of another engine.
    pub(crate) fn to_engine(&self, options: Vec<String>) -> anyhow::Result<Option<ExternalEngine>> {
        let scheme = match self.engine {
            EngineKind::Native => return Ok(None),
            EngineKind::Connect => "sc://",
            EngineKind::Ray => "ray://",
        };
        let Self { remote, tasks, program, python, exchange, .. } = self;
        let Some(remote) = remote.clone().filter(|remote| remote.starts_with(scheme)) else {
            let what = format!("use an address such as {scheme}localhost for --remote of this engine");
            return Err(error_with_code(ExitCode::Usage, what));
        };
        let (program, python) = (program.clone(), python.clone());
        let exchange = exchange.clone().or_else(|| in_lake(&options));
        Ok(Some(ExternalEngine { remote, python, exchange, program, tasks: *tasks, options }))
    }
}

/// Where workers leave what they made if their lake is in an object store, which may be all that they share.
fn in_lake(options: &[String]) -> Option<PathBuf> {
    let lake = options.iter().skip_while(|option| *option != "--lake").nth(1)?;
    lake.contains("://").then(|| Path::new(lake).join("exchange"))
}

/// A folder as a worker finds it, which runs elsewhere; an address stays as it is.
pub(crate) fn of_worker(folder: &Path) -> String {
    let as_given = folder.display().to_string();
    if as_given.contains("://") {
        return as_given;
    }
    std::path::absolute(folder).map_or(as_given, |folder| folder.display().to_string())
}
