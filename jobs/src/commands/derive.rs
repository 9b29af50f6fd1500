//! `fightdna derive`: the DNA versions, or a shard of them.

use std::path::{Path, PathBuf};

use clap::Args;
use fdna_run::captures::lake_view::LakeView;
use fdna_run::part_file::fill_folder;
use fdna_run::shard::ShardSpec;
use fdna_run::stages::shards;
use fdna_schemas::MetricDefinitions;
use serde_json::json;

use super::args::engine::EngineArgs;
use super::args::take_in::KnownArgs;
use crate::output::CommandReport;

#[derive(Args)]
pub(crate) struct DeriveArgs {
    #[command(flatten)]
    pub(crate) known: KnownArgs,
    #[command(flatten)]
    pub(crate) shards: ShardArgs,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

#[derive(Args)]
pub(crate) struct ShardArgs {
    /// Derive one of N shards of the metrics, such as 2/7, and write it into a folder; the lake stays as it is. Each of N
    /// machines derives another one of the same lake or of copies of it.
    #[arg(long, value_name = "I/N", requires = "into", conflicts_with_all = ["from_shards", "remote"])]
    pub(crate) shard: Option<ShardSpec>,
    /// Folder that the shard is written into.
    #[arg(long, value_name = "FOLDER", requires = "shard")]
    pub(crate) into: Option<PathBuf>,
    /// Folder of all N shards: puts them together instead of deriving. A shard that is missing, damaged or of other inputs
    /// is named, and nothing is written.
    #[arg(long, value_name = "FOLDER", conflicts_with = "remote")]
    pub(crate) from_shards: Option<PathBuf>,
}

/// Derives a shard and writes it into a folder.
///
/// # Errors
/// The lake is not normalised, or the folder cannot be written.
pub(crate) fn write_shard(view: &LakeView, shard: ShardSpec, into: &Path) -> anyhow::Result<CommandReport> {
    let manifest = fill_folder(into, |folder| shards::write_shard(view, shard, folder))?;
    let text = format!(
        "derived shard {}/{}: {} of {} metrics, {} KiB in {}\nwhen all {} are in one folder: fightdna derive --from-shards FOLDER\n",
        shard.number,
        shard.of,
        manifest.metrics.len(),
        MetricDefinitions::get().metrics.len(),
        manifest.bytes() / 1024,
        into.display(),
        shard.of,
    );
    Ok(CommandReport::done(text, &json!(manifest)))
}
