//! `fightdna export`: what was published, as a folder of Delta tables with a Croissant document.

use std::path::PathBuf;

use chrono::{DateTime, TimeDelta, Utc};
use clap::Args;
use fdna_export::{ExportError, ExportFolder, ExportedFiles};
use fdna_lake::Lake;
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::product::Product;
use serde_json::json;

use crate::output::CommandReport;

#[derive(Args)]
pub(crate) struct ExportArgs {
    /// Folder of the tables, outside of the lake; made where there is none.
    #[arg(long, value_name = "DIR", env = "FIGHTDNA_EXPORT_OUT")]
    out: PathBuf,
    /// Remove files that no version of the last N days needs: older versions can then not be read.
    #[arg(long, value_name = "N")]
    keep_days: Option<u32>,
}

impl ExportArgs {
    pub(crate) fn run(&self, lake: &Lake, now: DateTime<Utc>) -> anyhow::Result<CommandReport> {
        let product = Product::of_lake(lake).unwrap_or(Product::Mma);
        let folder = ExportFolder::new(&self.out);
        let exported = folder.update(lake, product.name());
        let exported = exported.map_err(|error| match error {
            ExportError::InLake { .. } | ExportError::OtherLake { .. } => {
                error_with_code(ExitCode::Usage, error.to_string())
            }
            ExportError::OtherWriter { .. } | ExportError::Parse { .. } => {
                error_with_code(ExitCode::BadData, error.to_string())
            }
            error => error.into(),
        })?;
        let removed = match self.keep_days {
            Some(days) => folder.remove_before(now - TimeDelta::days(days.into()))?,
            None => 0,
        };
        Ok(self.report(&exported, removed))
    }

    fn report(&self, exported: &ExportedFiles, removed: u64) -> CommandReport {
        let out = self.out.display();
        let mut lines: Vec<String> = exported
            .added
            .iter()
            .map(|(version, snapshot)| format!("version {version}: snapshot {snapshot}"))
            .collect();
        lines.push(match exported.commits {
            0 => format!("nothing new: {out} has all {} versions", exported.versions),
            commits => format!("{commits} commits written; {out} has {} versions", exported.versions),
        });
        if removed > 0 {
            lines.push(format!("{removed} files removed, which no kept version needs"));
        }
        let added = exported.added.iter();
        let added = added.map(|(version, snapshot)| json!({ "version": version, "snapshot": snapshot }));
        let json = json!({
            "out": self.out, "added": added.collect::<Vec<_>>(), "commits": exported.commits,
            "versions": exported.versions, "removed": removed,
        });
        let code = if exported.commits + removed == 0 { ExitCode::NothingToDo } else { ExitCode::Done };
        CommandReport::new(lines.join("\n") + "\n", &json, code)
    }
}
