//! `fightdna repair`: what `verify` names, made anew where it can be.

use chrono::{DateTime, Utc};
use clap::{Args, ValueEnum};
use fdna_lake::{Lake, LakeWriter, LogName};
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::product::Product;
use serde_json::json;

use super::verification::PrintedProblem;
use super::verify::find_problems;
use crate::output::CommandReport;

#[derive(Args)]
pub(crate) struct RepairArgs {
    /// Remove old snapshots and reports of runs that are damaged and cannot be made anew.
    #[arg(long)]
    discard: bool,
    /// Begin a log anew that is damaged, cut or gone, with what there is. What it says beyond that is lost: which
    /// captures were withdrawn, what was served when.
    #[arg(long, value_enum, requires = "reason")]
    begin_log: Option<RepairLog>,
    /// Why a log begins anew.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// By whom; without, the user of the operating system.
    #[arg(long, value_name = "NAME", env = "USER", default_value = "unknown")]
    by: String,
}

#[derive(Clone, Copy, ValueEnum)]
enum RepairLog {
    Captures,
    Publications,
    Ledger,
}

impl RepairArgs {
    pub(crate) fn run(&self, lake: &Lake, now: DateTime<Utc>) -> anyhow::Result<CommandReport> {
        let writer = lake.writer("fightdna repair", now)?;
        let mut lines = Vec::new();
        if let Some(log) = self.begin_log {
            lines.extend(self.begin_log(log, &writer)?);
        }
        let done = writer.repair(self.discard)?;
        drop(writer);
        lines.extend(done.mended.iter().map(|line| format!("mended {line}")));
        lines.extend(done.removed.iter().map(|line| format!("removed {line}")));
        let (_, left) = find_problems(lake)?;
        let run = Product::of_lake(lake).unwrap_or(Product::Mma).run_command();
        let run = format!("{run} --lake {}", lake.root().display());
        let code = if left.is_empty() { ExitCode::Done } else { ExitCode::BadData };
        lines.extend(left.iter().map(PrintedProblem::to_line));
        lines.push(match code {
            ExitCode::Done => format!("nothing is damaged; `{run}` makes anew what it needs"),
            _ => format!("what is BROKEN only a run (`{run}`), a backup, or a withdrawal can mend"),
        });
        let json = json!({ "mended": done.mended, "removed": done.removed, "left": left });
        Ok(CommandReport::new(lines.join("\n") + "\n", &json, code))
    }

    fn begin_log(&self, log: RepairLog, writer: &LakeWriter) -> anyhow::Result<Vec<String>> {
        let (lake, reason) = (writer.lake(), self.reason.as_deref().unwrap_or_default());
        let name = match log {
            RepairLog::Captures => LogName::Captures,
            RepairLog::Publications => LogName::Publications,
            RepairLog::Ledger if writer.lose_ledger(&self.by, reason)? => {
                return Ok(vec!["the ledger goes on without the parts that are lost".to_owned()]);
            }
            RepairLog::Ledger => {
                return Err(error_with_code(
                    ExitCode::Usage,
                    "cannot begin the ledger anew: no part of it is missing",
                ));
            }
        };
        if lake.check_log(name).is_ok() {
            return Err(error_with_code(
                ExitCode::Usage,
                format!("cannot begin the log of {name} anew: it is whole"),
            ));
        }
        let aside = writer.begin_log_anew(name, &format!("{}: {reason}", self.by))?;
        let mut lines = vec![format!("the log of {name} begins anew")];
        lines.extend(aside.map(|aside| format!("what was there before stays in {aside}")));
        if let RepairLog::Captures = log {
            let found = writer.list_found_captures()?;
            lines.push(format!("{} captures found in raw/, all of which count", found.len()));
        } else {
            writer.note_current()?;
        }
        Ok(lines)
    }
}
