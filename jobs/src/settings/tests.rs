use clap::CommandFactory as _;

use super::*;

fn command(file: &str) -> Result<Command, String> {
    Settings::parse_settings("fightdna.toml".into(), file)?.apply_to(with_environment(crate::Cli::command()))
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
fn a_file_that_nobody_named_names_no_program() {
    let file = "[backfill]\npython = \"/tmp/x\"\n";
    let told = command(file).unwrap_err();
    assert!(told.contains("in [backfill], `python` names a program"), "{told}");
    assert!(told.contains("FIGHTDNA_BACKFILL_PYTHON"), "{told}");
    let named = Settings { is_named: true, ..Settings::parse_settings("x.toml".into(), file).unwrap() };
    named.apply_to(with_environment(crate::Cli::command())).unwrap();
}

/// Whoever adds an option for a program calls its value `PROGRAM`.
#[test]
fn options_that_name_programs_are_known_by_the_name_of_their_value() {
    fn programs(command: &Command, found: &mut Vec<String>) {
        let all = command.get_arguments().filter(|arg| names_program(arg));
        found.extend(all.filter_map(|arg| arg.get_long().map(str::to_owned)));
        command.get_subcommands().for_each(|sub| programs(sub, found));
    }
    let mut found = Vec::new();
    programs(&crate::Cli::command(), &mut found);
    found.sort_unstable();
    found.dedup();
    assert_eq!(found, ["program", "python"]);
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
    assert!(is("FIGHTDNA_LAKE") && is("FIGHTDNA_SERVE_LISTEN") && is("FIGHTDNA_RUN_DRY_RUN"), "{found:?}");
    // Where commands share a variable, it means the same to them.
    let option = |place: &str| place.split(' ').next_back().map(str::to_owned);
    for (name, place) in &found {
        let mut others = found.iter().filter(|(other, _)| other == name);
        assert!(others.all(|(_, other)| option(other) == option(place)), "{name}: {found:?}");
    }
}
