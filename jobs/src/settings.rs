//! Options that are set elsewhere than on the command line: `FIGHTDNA_*` in the environment, and `fightdna.toml`.
//!
//! The command line stands above the environment, that above the file, that above the defaults: clap keeps that order
//! once each option knows its variable, and has what the file says for its default.

use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::{Arg, ArgAction, Command};
use toml::{Table, Value};

/// Names another file.
const CONFIG: &str = "FIGHTDNA_CONFIG";
/// Read where it is there.
const FILE: &str = "fightdna.toml";

/// Gives each option without a variable its own: FIGHTDNA_, the command, the option.
pub(crate) fn with_environment(command: Command) -> Command {
    named(command, "FIGHTDNA")
}

fn named(command: Command, prefix: &str) -> Command {
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
        command.mut_subcommand(&name, |sub| named(sub, &prefix))
    })
}

/// Whether an option says how something is done; help and version say what.
fn is_setting(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Set | ArgAction::Append | ArgAction::SetTrue)
}

/// What the file says.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    file: PathBuf,
    table: Table,
}

impl Settings {
    /// Reads the file that the environment names, else the one in the current folder if it is there.
    ///
    /// # Errors
    /// It cannot be read, or is no TOML.
    pub(crate) fn read() -> Result<Self, String> {
        let named = std::env::var_os(CONFIG).filter(|name| !name.is_empty()).map(PathBuf::from);
        let file = named.clone().unwrap_or_else(|| FILE.into());
        match std::fs::read_to_string(&file) {
            Ok(text) => Self::of(file, &text),
            Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => {
                Ok(Self::default())
            }
            Err(error) => Err(format!("Cannot read the settings file {}: {error}", file.display())),
        }
    }

    fn of(file: PathBuf, text: &str) -> Result<Self, String> {
        let table = text.parse().map_err(|error| format!("Settings file {}: {error}", file.display()))?;
        Ok(Self { file, table })
    }

    /// Makes what the file says the default of its options.
    ///
    /// # Errors
    /// It names an option or command that is none, or gives it what it cannot be.
    pub(crate) fn apply(&self, command: Command) -> Result<Command, String> {
        applied(command, &self.table).map_err(|why| format!("Settings file {}: {why}", self.file.display()))
    }
}

fn applied(mut command: Command, table: &Table) -> Result<Command, String> {
    for (name, value) in table {
        let is_command = command.get_subcommands().any(|sub| sub.get_name() == name && !sub.is_hide_set());
        if let (Value::Table(inner), true) = (value, is_command) {
            let mut failed = None;
            command = command.mut_subcommand(name, |sub| {
                let unchanged = sub.clone();
                applied(sub, inner).unwrap_or_else(|why| {
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
        let Some(id) = command.get_arguments().find(is_meant).map(|arg| arg.get_id().clone()) else {
            return Err(unknown(&command, name));
        };
        let values = values(value)
            .ok_or_else(|| format!("`{name}` must be text, a number, true or false, or a list"))?;
        command = command.mut_arg(id, |arg| arg.default_values(values));
    }
    Ok(command)
}

fn unknown(command: &Command, name: &str) -> String {
    let options = command.get_arguments().filter(|arg| is_setting(arg)).filter_map(Arg::get_long);
    let commands = command.get_subcommands().filter(|sub| !sub.is_hide_set()).map(Command::get_name);
    let commands: Vec<String> = commands.map(|name| format!("[{name}]")).collect();
    let options: Vec<&str> = options.collect();
    format!("there is no option `{name}`; there is {} {}", options.join(", "), commands.join(" "))
        .trim_end()
        .to_owned()
}

/// As they would stand on the command line.
fn values(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {
            Some(vec![value.to_string()])
        }
        Value::Array(items) => items.iter().map(|item| values(item)?.pop()).collect(),
        Value::Table(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn command(file: &str) -> Result<Command, String> {
        Settings::of("fightdna.toml".into(), file)?.apply(with_environment(crate::Cli::command()))
    }

    fn text(command: Command, args: &[&str], name: &str) -> Option<String> {
        let matches = command.try_get_matches_from([&["fightdna"], args].concat()).unwrap();
        let (_, sub) = matches.subcommand().unwrap();
        let raw = sub.try_get_raw(name).ok().flatten()?;
        Some(raw.map(|value| value.to_string_lossy()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn the_command_line_stands_above_the_file_and_that_above_the_default() {
        let file = "lake = \"/srv/lake\"\n[serve]\nlisten = \"0.0.0.0:80\"\n[gc]\nkeep = 3\n";
        let get = |args: &[&str], name: &str| text(command(file).unwrap(), args, name);
        assert_eq!(get(&["serve"], "listen").as_deref(), Some("0.0.0.0:80"));
        assert_eq!(get(&["serve", "--listen", "127.0.0.1:1"], "listen").as_deref(), Some("127.0.0.1:1"));
        assert_eq!(get(&["gc"], "keep").as_deref(), Some("3"));
        assert_eq!(get(&["gc"], "keep_daily").as_deref(), Some("0"));
        assert_eq!(get(&["gc"], "lake").as_deref(), Some("/srv/lake"));
        assert_eq!(get(&["status", "--lake", "other"], "lake").as_deref(), Some("other"));
    }

    #[test]
    fn a_list_is_an_option_that_is_repeated_and_true_a_flag() {
        let file = "quiet = true\n[run]\nsource = [\"statsdb=a\", \"feed=b\"]\ndry-run = true\n";
        let get = |name: &str| text(command(file).unwrap(), &["run"], name);
        assert_eq!(get("sources").as_deref(), Some("statsdb=a feed=b"));
        let matches = command(file).unwrap().try_get_matches_from(["fightdna", "run"]).unwrap();
        assert!(matches.get_flag("quiet") && matches.subcommand().unwrap().1.get_flag("dry_run"));
    }

    #[test]
    fn what_is_no_option_is_named_with_what_is() {
        for (file, why) in [
            ("lakes = 1", "there is no option `lakes`; there is lake, json"),
            ("[gc]\nkeeep = 1", "in [gc], there is no option `keeep`; there is keep"),
            ("[nonsense]\nkeep = 1", "there is no option `nonsense`"),
            ("[run.source]\na = 1", "`source` must be text, a number"),
            ("lake = ", "fightdna.toml:"),
        ] {
            let told = command(file).unwrap_err();
            assert!(told.contains(why) && told.starts_with("Settings file fightdna.toml"), "{told}");
        }
    }

    #[test]
    fn every_option_has_a_variable_of_its_own() {
        fn variables(command: &Command, found: &mut Vec<(String, String)>) {
            for arg in command.get_arguments().filter(|arg| is_setting(arg)) {
                let name = arg.get_env().map(|name| name.to_string_lossy().into_owned());
                if let (Some(name), Some(long)) = (name, arg.get_long()) {
                    found.push((name, format!("{} {long}", command.get_name())));
                } else {
                    assert!(arg.get_long().is_none(), "{:?} of {}", arg.get_long(), command.get_name());
                }
            }
            command.get_subcommands().for_each(|sub| variables(sub, found));
        }
        let mut found = Vec::new();
        variables(&with_environment(crate::Cli::command()), &mut found);
        let is = |name: &str| found.iter().any(|(variable, _)| variable == name);
        assert!(
            is("FIGHTDNA_LAKE") && is("FIGHTDNA_SERVE_LISTEN") && is("FIGHTDNA_RUN_DRY_RUN"),
            "{found:?}"
        );
        // Where commands share a variable, it means the same to them.
        let option = |place: &str| place.split(' ').next_back().map(str::to_owned);
        for (name, place) in &found {
            let mut others = found.iter().filter(|(other, _)| other == name);
            assert!(others.all(|(_, other)| option(other) == option(place)), "{name}: {found:?}");
        }
    }
}
