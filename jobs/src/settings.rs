//! Options that are set elsewhere than on the command line: `FIGHTDNA_*` in the environment, and `fightdna.toml`.
//!
//! The command line stands above the environment, that above the file, that above the defaults: clap keeps that order
//! once each option knows its variable, and has what the file says for its default.
//!
//! A file that is found rather than named may be anybody's: it is read if nobody but the caller and root could write it, and
//! names no program.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use clap::builder::FalseyValueParser;
use clap::{Arg, ArgAction, Command};
use toml::{Table, Value};

/// Names another file.
const CONFIG: &str = "FIGHTDNA_CONFIG";
/// Read where it is there.
const FILE: &str = "fightdna.toml";

/// Value name of options that take a program.
const PROGRAM: &str = "PROGRAM";

/// Gives each option without a variable its own: FIGHTDNA_, the command, the option.
pub(crate) fn with_environment(command: Command) -> Command {
    name_settings(command, "FIGHTDNA")
}

fn name_settings(command: Command, prefix: &str) -> Command {
    let command = command.mut_args(|arg| match arg.get_long() {
        Some(long) if arg.get_env().is_none() && is_setting(&arg) => {
            let name = format!("{prefix}_{long}").to_uppercase().replace('-', "_");
            let arg = arg.env(name);
            match arg.get_action() {
                ArgAction::SetTrue => arg.value_parser(FalseyValueParser::new()),
                _ => arg,
            }
        }
        _ => arg,
    });
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    names.into_iter().fold(command, |command, name| {
        let prefix = format!("{prefix}_{name}");
        command.mut_subcommand(&name, |sub| name_settings(sub, &prefix))
    })
}

/// Whether an option says how something is done; help and version say what.
fn is_setting(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Set | ArgAction::Append | ArgAction::SetTrue)
}

/// Content of the settings file.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    file: PathBuf,
    table: Table,
    /// Whether somebody named it.
    is_named: bool,
}

impl Settings {
    /// Reads the file that the environment names, else the one in the current folder if it is there.
    ///
    /// # Errors
    /// It cannot be read, or is no TOML; or nobody named it, and others than the caller and root could have written it.
    pub(crate) fn read_file() -> Result<Self, String> {
        let named = std::env::var_os(CONFIG).filter(|name| !name.is_empty()).map(PathBuf::from);
        let path = named.clone().unwrap_or_else(|| FILE.into());
        let unreadable =
            |error: io::Error| format!("Cannot read the settings file {}: {error}", path.display());
        let mut file = match File::open(&path) {
            Err(error) if named.is_none() && error.kind() == ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            file => file.map_err(unreadable)?,
        };
        if named.is_none() {
            // Of what was opened, which another may have been put in the place of.
            let (own, folder) = (file.metadata().map_err(unreadable)?, std::fs::metadata("."));
            let caller = caller_id().map_err(unreadable)?;
            let doubt = describe_doubt(&own, &path, caller).or(describe_doubt(
                &folder.map_err(unreadable)?,
                Path::new("."),
                caller,
            ));
            if let Some(doubt) = doubt {
                return Err(format!(
                    "Settings file {FILE} of the current folder is not used: {doubt}. If you trust it, name it: \
                     {CONFIG}=./{FILE}; {CONFIG}=/dev/null does without it"
                ));
            }
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(unreadable)?;
        Ok(Self { is_named: named.is_some(), ..Self::parse_settings(path, &text)? })
    }

    fn parse_settings(file: PathBuf, text: &str) -> Result<Self, String> {
        let table = text.parse().map_err(|error| format!("Settings file {}: {error}", file.display()))?;
        Ok(Self { file, table, is_named: false })
    }

    /// Makes what the file says the default of its options.
    ///
    /// # Errors
    /// It names an option or command that is none, or gives it what it cannot be.
    pub(crate) fn apply_to(&self, command: Command) -> Result<Command, String> {
        apply_table(command, &self.table, self.is_named)
            .map_err(|why| format!("Settings file {}: {why}", self.file.display()))
    }
}

/// The user whose rights this process has.
fn caller_id() -> io::Result<u32> {
    let own = std::fs::metadata("/proc/self").or_else(|_| tempfile::tempfile()?.metadata())?;
    Ok(own.uid())
}

/// Why others than the caller and root may have written a file, or put another in its place in a folder.
fn describe_doubt(metadata: &Metadata, path: &Path, caller: u32) -> Option<String> {
    const OTHERS_MAY_WRITE: u32 = 0o022;
    const STICKY: u32 = 0o1000;
    let (path, owner, mode) = (path.display(), metadata.uid(), metadata.mode());
    if owner != caller && owner != 0 {
        return Some(format!("`{path}` belongs to user {owner}, and this is run by user {caller}"));
    }
    let is_open = mode & OTHERS_MAY_WRITE != 0 && !(metadata.is_dir() && mode & STICKY != 0);
    is_open.then(|| {
        let mode = mode & 0o7777;
        format!("others may write `{path}` (mode {mode:o}); `chmod go-w {path}` keeps them out")
    })
}

fn apply_table(mut command: Command, table: &Table, is_named: bool) -> Result<Command, String> {
    for (name, value) in table {
        let is_command = command.get_subcommands().any(|sub| sub.get_name() == name && !sub.is_hide_set());
        if let (Value::Table(inner), true) = (value, is_command) {
            let mut failed = None;
            command = command.mut_subcommand(name, |sub| {
                let unchanged = sub.clone();
                apply_table(sub, inner, is_named).unwrap_or_else(|why| {
                    failed = Some(format!("in [{name}], {why}"));
                    unchanged
                })
            });
            if let Some(why) = failed {
                return Err(why);
            }
            continue;
        }
        let is_meant = |arg: &&Arg| arg.get_long() == Some(name) && is_setting(arg);
        let Some(arg) = command.get_arguments().find(is_meant) else {
            return Err(unknown_name(&command, name));
        };
        if !is_named && names_program(arg) {
            let variable = arg.get_env().unwrap_or_default().to_string_lossy();
            return Err(format!(
                "`{name}` names a program, which a file that was only found may not: use --{name}, {variable}, or \
                 {CONFIG} to name the file"
            ));
        }
        let id = arg.get_id().clone();
        let values = argument_values(value)
            .ok_or_else(|| format!("`{name}` must be text, a number, true or false, or a list"))?;
        command = command.mut_arg(id, |arg| arg.default_values(values));
    }
    Ok(command)
}

fn names_program(arg: &Arg) -> bool {
    arg.get_value_names().is_some_and(|names| names.iter().any(|name| name == PROGRAM))
}

fn unknown_name(command: &Command, name: &str) -> String {
    let options = command.get_arguments().filter(|arg| is_setting(arg)).filter_map(Arg::get_long);
    let commands = command.get_subcommands().filter(|sub| !sub.is_hide_set()).map(Command::get_name);
    let commands: Vec<String> = commands.map(|name| format!("[{name}]")).collect();
    let options: Vec<&str> = options.collect();
    format!("there is no option `{name}`; there is {} {}", options.join(", "), commands.join(" "))
        .trim_end()
        .to_owned()
}

/// As they would stand on the command line.
fn argument_values(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {
            Some(vec![value.to_string()])
        }
        Value::Array(items) => items.iter().map(|item| argument_values(item)?.pop()).collect(),
        Value::Table(_) => None,
    }
}

#[cfg(test)]
mod tests;
