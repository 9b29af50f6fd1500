//! The command line as clap has it, completed by the environment and the settings file; its manual and completions.

use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::builder::StyledStr;
use clap::error::ErrorKind;
use clap::{Command, Parser};
use fdna_run::exit::{self, error_with_code};

use crate::output::{print_error, print_text};
use crate::settings::{self, Settings};

/// Commands about no lake: their help leaves out what is only about one.
const WITHOUT_LAKE: [&str; 7] = ["gateway", "keys", "leads", "dictionary", "synth", "completions", "man"];
/// Commands that link sources, and so take decisions about who is who.
const WITH_ALIASES: [&str; 7] = ["run", "normalise", "derive", "publish", "ledger", "identities", "backfill"];

/// Commands that read the multi-sport catalog.
const WITH_CATALOG: [&str; 5] = ["catalog", "properties", "serve", "mcp", "dictionary"];

/// A command line that cannot be run.
pub(crate) enum RefusedLine {
    /// As clap words it; the version is a refusal too.
    Clap(Box<clap::Error>, bool),
    Settings(String, bool),
    /// Not refused: help is printed.
    Help(StyledStr),
}

impl RefusedLine {
    /// Says so, on standard error, and with which code the program ends.
    pub(crate) fn print_refusal(self) -> ExitCode {
        let (message, code, is_json) = match self {
            Self::Help(help) => {
                let text =
                    if std::io::stdout().is_terminal() { help.ansi().to_string() } else { help.to_string() };
                return ExitCode::from(u8::from(print_text(text).is_err()));
            }
            Self::Clap(error, is_json) if !error.use_stderr() || !is_json => {
                let _ = error.print();
                return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
            }
            Self::Clap(error, is_json) => (error.to_string(), 2, is_json),
            Self::Settings(message, is_json) => (message, 2, is_json),
        };
        print_error(message.trim_start_matches("error: ").trim_end(), code, is_json);
        ExitCode::from(code)
    }
}

/// Reads a command line.
///
/// # Errors
/// It, or the settings file, cannot be used; or it asks for help.
pub(crate) fn parse_line<C: Parser>(args: Vec<OsString>) -> Result<C, RefusedLine> {
    let is_json = args.iter().any(|arg| arg == "--json");
    let settings = Settings::read_file().map_err(|why| RefusedLine::Settings(why, is_json))?;
    let command = settings.apply_to(settings::with_environment(C::command()));
    let mut command = command.map_err(|why| RefusedLine::Settings(why, is_json))?;
    let refused = |error: clap::Error| RefusedLine::Clap(Box::new(error), is_json);
    let matches = match command.clone().try_get_matches_from(&args) {
        Err(error) if error.kind() == ErrorKind::DisplayHelp => {
            return Err(RefusedLine::Help(help_text(command, &args)));
        }
        matches => matches.map_err(refused)?,
    };
    C::from_arg_matches(&matches).map_err(|error| refused(error.format(&mut command)))
}

/// The help of the command that is asked about.
fn help_text(command: Command, args: &[OsString]) -> StyledStr {
    let mut shown = hide_unused_options(command);
    for name in args.iter().skip(1).filter_map(|arg| arg.to_str()) {
        if let Some(sub) = shown.find_subcommand(name).filter(|_| name != "help").cloned() {
            shown = sub;
        }
    }
    let is_short = args.iter().any(|arg| arg == "-h");
    if is_short { shown.render_help() } else { shown.render_long_help() }
}

/// Options of all commands, in the help of those alone that use them.
fn hide_unused_options(mut command: Command) -> Command {
    command.build();
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for name in names {
        let is_in = |list: &[&str]| list.contains(&&*name);
        let hidden = [
            ("lake", is_in(&WITHOUT_LAKE)),
            ("aliases", !is_in(&WITH_ALIASES)),
            ("catalog_data", !is_in(&WITH_CATALOG)),
            ("verbose", !is_in(&["run", "ingest", "normalise", "derive", "publish", "ledger"])),
        ];
        command = command.mut_subcommand(&name, |sub| hide_arguments(sub, &hidden));
    }
    command
}

fn hide_arguments(mut command: Command, hidden: &[(&str, bool)]) -> Command {
    for (name, is_hidden) in hidden {
        if command.get_arguments().any(|arg| arg.get_id() == *name) {
            command = command.mut_arg(*name, |arg| arg.hide(*is_hidden));
        }
    }
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    names
        .iter()
        .fold(command, |command, name| command.mut_subcommand(name, |sub| hide_arguments(sub, hidden)))
}

/// A script for a shell.
pub(crate) fn completion_script(command: Command, shell: clap_complete::Shell) -> String {
    let mut out = Vec::new();
    let mut command = settings::with_environment(command);
    clap_complete::generate(shell, &mut command, "fightdna", &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// The manual page of the program, or of one of its commands.
///
/// # Errors
/// There is no such command.
pub(crate) fn manual_page(command: Command, name: Option<&str>) -> anyhow::Result<String> {
    let command = hide_unused_options(settings::with_environment(command));
    let page = match name {
        None => command,
        Some(name) => {
            let found = command.find_subcommand(name).filter(|sub| !sub.is_hide_set()).cloned();
            let none = || {
                error_with_code(
                    exit::ExitCode::Usage,
                    format!("no command `{name}`; `fightdna help` lists them"),
                )
            };
            found.ok_or_else(none)?.name(format!("fightdna-{name}"))
        }
    };
    let mut out = Vec::new();
    clap_mangen::Man::new(page).render(&mut out)?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::Cli;

    fn help_of(name: &str) -> String {
        let command = hide_unused_options(settings::with_environment(Cli::command()));
        command.find_subcommand(name).unwrap().clone().render_long_help().to_string()
    }

    #[test]
    fn options_are_in_the_help_of_commands_that_use_them() {
        assert!(help_of("run").contains("--aliases") && help_of("run").contains("--lake"));
        assert!(help_of("status").contains("--lake") && !help_of("status").contains("--aliases"));
        for name in WITHOUT_LAKE {
            assert!(!help_of(name).contains("--lake"), "{name}");
        }
    }

    #[test]
    fn completions_and_manual_pages_name_the_commands() {
        assert!(completion_script(Cli::command(), clap_complete::Shell::Bash).contains("snapshots"));
        assert!(manual_page(Cli::command(), None).unwrap().contains("snapshots"));
        assert!(manual_page(Cli::command(), Some("serve")).unwrap().contains("listen"));
        assert!(
            manual_page(Cli::command(), Some("nonsense"))
                .unwrap_err()
                .to_string()
                .contains("no command `nonsense`")
        );
    }

    #[test]
    fn help_is_of_the_command_that_is_asked_about() {
        let of = |args: &[&str]| {
            let args: Vec<OsString> = args.iter().map(OsString::from).collect();
            help_text(settings::with_environment(Cli::command()), &args).to_string()
        };
        for args in [&["fightdna", "keys", "issue", "--help"][..], &["fightdna", "help", "keys", "issue"]] {
            assert!(
                of(args).starts_with("Issue a key") && of(args).contains("--account"),
                "{args:?}: {}",
                of(args)
            );
        }
        assert!(of(&["fightdna", "--help"]).contains("snapshots"));
    }

    #[test]
    fn every_command_line_is_one_that_clap_takes() {
        settings::with_environment(Cli::command()).debug_assert();
    }
}
