//! `fightdna sql` and `fightdna audit`: the program `fightdna-sql`, as cargo runs its subcommands.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use fdna_run::exit::ExitCode;
use fdna_run::programs::{exit_code_of, explain_start_error, hand_on_folder, sql_program};

/// Arguments for the other program, as they are.
#[derive(clap::Args)]
pub(crate) struct SqlArgs {
    /// Arguments of `fightdna-sql`; `--help` lists them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

impl SqlArgs {
    /// Runs it on the lake and hands its exit code on. An option of its own, such as `--lake`, wins.
    ///
    /// # Errors
    /// It is neither beside this program nor on the `PATH`, or cannot be started.
    pub(crate) fn run(&self, first: Option<&str>, lake: &Path, json: bool) -> anyhow::Result<ExitCode> {
        let mut command = Command::new(sql_program());
        command.args(first).args(&self.args).env("FIGHTDNA_LAKE", lake);
        if json {
            command.args(["--format", "json"]);
        }
        hand_on_folder(&mut command);
        Ok(exit_code_of(explain_start_error(command.status())?))
    }
}
