//! The jobs behind the one binary `fightdna`. A job holds parameters only; its `run` reads as a table of
//! contents. The clock is read here, once, and passed down.

pub mod cli;
mod context;
mod derive;
mod exit;
mod ingest;
mod normalise;
mod operate;
mod progress;
mod publish;
mod report;
mod run;
mod sample;
mod serve;
mod source;
pub mod synth;

pub use cli::Cli;
pub use context::{Context, Job, Pending};
pub use exit::{ExitCode, exit_code};
pub use report::{Report, RunReport};
