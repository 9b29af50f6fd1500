//! The examples for systemd and cron: as closed as can be, and of commands that the program knows.

use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fightdna-under-test");

fn text(name: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../jobs").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every value of a directive, in order.
fn values<'a>(unit: &'a str, directive: &str) -> Vec<&'a str> {
    let value = |line: &'a str| line.split_once('=').filter(|(name, _)| *name == directive).map(|(_, v)| v);
    unit.lines().filter_map(value).collect()
}

/// Whether the program knows all of it: `--help` at the end is read when the rest was.
fn is_known(arguments: &str) -> bool {
    let mut command = Command::new(PROGRAM);
    command.args(arguments.split_whitespace()).arg("--help").output().unwrap().status.success()
}

#[test]
fn units_that_serve_and_run_are_hardened_alike() {
    for name in ["systemd/fightdna-serve.service", "systemd/fightdna-run.service"] {
        let unit = text(name);
        for (directive, value) in [
            ("ProtectSystem", "strict"),
            ("ProtectHome", "true"),
            ("PrivateTmp", "true"),
            ("PrivateDevices", "true"),
            ("NoNewPrivileges", "true"),
            ("MemoryDenyWriteExecute", "true"),
            ("RestrictNamespaces", "true"),
            ("CapabilityBoundingSet", ""),
            ("SystemCallArchitectures", "native"),
            ("WorkingDirectory", "/var/lib/fightdna"),
            ("User", "fightdna"),
        ] {
            assert_eq!(values(&unit, directive), [value], "{name}: {directive}");
        }
        assert_eq!(values(&unit, "SystemCallFilter"), ["@system-service", "~@privileged"], "{name}");
        let families = values(&unit, "RestrictAddressFamilies").concat();
        assert!(families.contains("AF_UNIX") && !families.contains("AF_NETLINK"), "{name}: {families}");
        // What is named by a path is made before it is looked for.
        let made = values(&unit, "StateDirectory").concat();
        for path in values(&unit, "ReadOnlyPaths").join(" ").split_whitespace() {
            let folder = path.strip_prefix("/var/lib/").unwrap();
            assert!(made.split_whitespace().any(|made| made == folder), "{name}: {path} in {made}");
        }
        assert!(!unit.contains("MALLOC_ARENA_MAX"), "{name}: the allocator does not read it");
    }
}

#[test]
fn the_server_listens_on_this_machine_alone_and_waits_for_its_first_snapshot() {
    let unit = text("systemd/fightdna-serve.service");
    let started = values(&unit, "ExecStart").concat();
    assert!(started.contains(" --wait "), "{started}");
    let addresses = started.split_whitespace().zip(started.split_whitespace().skip(1));
    let addresses: Vec<_> = addresses.filter(|(name, _)| name.ends_with("listen")).collect();
    assert_eq!(addresses.len(), 2, "{started}");
    assert!(addresses.iter().all(|(_, address)| address.starts_with("127.0.0.1:")), "{started}");
    let socket = text("systemd/fightdna-serve.socket");
    assert!(values(&socket, "ListenStream").iter().all(|address| address.starts_with("127.0.0.1:")));
}

#[test]
fn every_example_runs_with_the_decisions_and_the_audit_and_is_known_to_the_program() {
    let (serve, run) = (text("systemd/fightdna-serve.service"), text("systemd/fightdna-run.service"));
    let leads = text("systemd/fightdna-leads.service");
    for started in [&serve, &run, &leads].map(|unit| values(unit, "ExecStart")).concat() {
        let (program, arguments) = started.split_once(' ').unwrap();
        assert!(program.ends_with("/fightdna") && is_known(arguments), "{started}");
    }
    let mut runs = vec![values(&run, "ExecStart").concat()];
    assert!(values(&run, "Environment").contains(&"FIGHTDNA_ALIASES=/var/lib/fightdna/decisions"));
    for name in ["cron/fightdna.crontab", "cron/fightdna-fetch.crontab"] {
        let table = text(name);
        assert_eq!(values(&table, "FIGHTDNA_ALIASES"), ["/var/lib/fightdna/decisions"], "{name}");
        assert_eq!(values(&table, "HOME"), ["/var/lib/fightdna"], "{name}");
        for line in table
            .lines()
            .filter(|line| line.starts_with(|first: char| first.is_ascii_digit() || first == '*'))
        {
            let command = line.split("||").next().unwrap();
            let arguments = command.rsplit_once(" fightdna ").unwrap().1;
            assert!(is_known(arguments), "{name}: {arguments}");
            runs.extend(arguments.starts_with("run ").then(|| arguments.to_owned()));
        }
    }
    assert!(runs.len() == 3 && runs.iter().all(|run| run.contains("--audit required")), "{runs:?}");
}
