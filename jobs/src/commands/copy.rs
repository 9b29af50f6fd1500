//! `fightdna copy`: a lake into another folder or object store.

use std::path::PathBuf;

use chrono::{DateTime, Utc};
use clap::Args;
use fdna_lake::Lake;
use serde_json::json;

use crate::output::CommandReport;

#[derive(Args)]
pub(crate) struct CopyArgs {
    /// Folder or address of the copy; it has no current snapshot yet.
    #[arg(long, value_name = "LAKE")]
    to: PathBuf,
}

impl CopyArgs {
    pub(crate) fn run(&self, lake: &Lake, now: DateTime<Utc>) -> anyhow::Result<CommandReport> {
        let to = Lake::open(&self.to);
        let copied = to.writer("fightdna copy", now)?.copy_from(lake)?;
        let text =
            format!("{} files, {} bytes copied to {}\n", copied.files, copied.bytes, self.to.display());
        Ok(CommandReport::done(text, &json!({ "files": copied.files, "bytes": copied.bytes, "to": self.to })))
    }
}
