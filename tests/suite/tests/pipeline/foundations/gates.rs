//! What must hold before `current` moves.

use std::os::unix::fs::PermissionsExt as _;

use fdna_suite::TestLake;

use super::{lake, sample, stderr};

/// An engine for audits that finds what it is told to find.
fn engine(bench: &mut TestLake, rows: u32) {
    let folder = bench.folder().join("bin");
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join("fightdna-sql");
    let script = format!(
        "#!/bin/sh\necho \"$@\" >> {}/asked\necho audit,rows\necho bouts_have_two,{rows}\n",
        folder.display()
    );
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    bench.move_program(&folder);
}

#[test]
fn an_audit_that_returns_rows_keeps_the_snapshot_from_being_served() {
    let mut bench = lake();
    let served = bench.snapshot().id;
    let wire = sample("wire", "wire/2025-11-01");
    engine(&mut bench, 3);
    let output = bench.run(&["run", "--audit", "required", "--source", &wire]);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(76), "{told}{}", stderr(&output));
    assert!(
        told.contains("HELD by gate audit:bouts_have_two: the audit bouts_have_two returns 3 rows"),
        "{told}"
    );
    assert_eq!(bench.snapshot().id, served);
    let status = bench.run(&["status", "--check"]);
    assert_eq!(status.status.code(), Some(79));
    assert!(String::from_utf8_lossy(&status.stdout).contains("ATTENTION held"), "a person is told");
    // Also by what a scheduled run writes, which says nothing else.
    let quiet = bench.run(&["run", "--quiet", "--audit", "required"]);
    let checked = String::from_utf8_lossy(&status.stdout).into_owned();
    for told in [stderr(&output), checked, stderr(&quiet)] {
        assert!(told.contains("held by gate audit:bouts_have_two: the audit"), "{told}");
        assert!(told.contains("to publish it: --accept audit:bouts_have_two"), "{told}");
    }

    engine(&mut bench, 0);
    let output = bench.run(&["run", "--audit", "required"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_ne!(bench.snapshot().id, served);
    let asked = std::fs::read_to_string(bench.folder().join("bin/asked")).unwrap();
    let next = bench.snapshot().id.to_string();
    assert!(
        asked.lines().all(|line| line.contains(&format!("--snapshot {next}"))),
        "the next one is audited: {asked}"
    );
}

#[test]
fn an_audit_can_be_accepted_by_name() {
    let mut bench = lake();
    let served = bench.snapshot().id;
    engine(&mut bench, 3);
    let wire = sample("wire", "wire/2025-11-01");
    let args = ["run", "--audit", "required", "--source", &wire, "--accept", "audit:bouts_have_two"];
    let output = bench.run(&args);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_ne!(bench.snapshot().id, served);
}

#[test]
fn a_snapshot_that_is_held_has_no_rows_in_the_ledger() {
    let mut bench = lake();
    engine(&mut bench, 1);
    let wire = sample("wire", "wire/2025-11-01");
    let run = |args: &[&str]| {
        let day = "2025-11-20T12:00:00Z";
        bench.command(args).env("FIGHTDNA_NOW", day).output().unwrap()
    };
    assert_eq!(run(&["run", "--audit", "required", "--source", &wire]).status.code(), Some(76));
    assert!(!bench.lake().root().join("ledger").exists());
    assert!(run(&["run", "--accept", "audit:bouts_have_two", "--audit", "required"]).status.success());
    assert!(bench.lake().root().join("ledger").exists(), "the sample's fight week is at hand on that day");
}
