//! Result of a command with several tasks.

use fdna_run::run_job::RunJob;

use crate::output::CommandReport;

/// An answer, or a run that is still to be done.
pub(crate) enum CommandTask {
    Report(CommandReport),
    Run { run: Box<RunJob>, dry_run: bool },
}
