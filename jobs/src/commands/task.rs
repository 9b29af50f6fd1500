//! What a command with several tasks comes to.

use crate::output::CommandReport;
use crate::run::run_job::RunJob;

/// An answer, or a run that is still to be done.
pub(crate) enum CommandTask {
    Report(CommandReport),
    Run { run: Box<RunJob>, dry_run: bool },
}
