//! A lake that was copied is the lake: verified, run again without anything new, and read where nothing can be written.

use std::path::Path;
use std::process::Command;

use fdna_suite::TestLake;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fightdna-under-test");

fn sample(source: &str, folder: &str) -> String {
    format!("{source}={}/../../data/sample/{folder}", env!("CARGO_MANIFEST_DIR"))
}

fn published() -> TestLake {
    let bench = TestLake::new(PROGRAM);
    bench.ok(&["run", "--source", &sample("statsdb", "statsdb/2025-11-01")]);
    bench.ok(&["run", "--source", &sample("feed", "feed/2025-11-01")]);
    bench
}

/// Copies `lake` of one folder into the other with a shell command, as an operator would.
fn copied(from: &TestLake, command: &str) -> TestLake {
    let to = TestLake::new(PROGRAM);
    let done = Command::new("sh")
        .args(["-c", command])
        .env("FROM", from.folder())
        .env("TO", to.folder())
        .status()
        .expect("a shell");
    assert!(done.success(), "{command}");
    to
}

fn is_the_lake(copy: &TestLake, snapshot: &str, what: &str) {
    copy.ok(&["verify"]);
    assert!(copy.ok(&["run"]).contains("nothing new"), "{what}");
    assert_eq!(copy.snapshot().id.to_string(), snapshot, "{what}");
}

#[test]
fn a_copy_by_any_tool_is_the_lake() {
    let bench = published();
    let snapshot = bench.snapshot().id.to_string();
    for command in [
        "cp -r \"$FROM/lake\" \"$TO/lake\"",
        "cp -a \"$FROM/lake\" \"$TO/lake\"",
        "tar -C \"$FROM\" -cf - lake | tar -C \"$TO\" -xf -",
    ] {
        is_the_lake(&copied(&bench, command), &snapshot, command);
    }
}

#[test]
fn a_copy_that_is_taken_while_runs_go_on_serves_what_its_pointer_names() {
    let bench = published();
    let whole = bench.copy();
    for _ in 0..4 {
        let mut run = whole.command(&["run", "--source", &sample("feed", "feed-later/2025-11-15")]);
        let mut run = run.stdout(std::process::Stdio::null()).spawn().expect("a run");
        // In the order that the README gives: the pointer first, so that what it names is there when it is copied. Files
        // under temporary names may be gone before they are copied, of which cp complains.
        let copy = copied(
            &whole,
            "mkdir \"$TO/lake\" && cp -a \"$FROM/lake/current.json\" \"$TO/lake/\" && cd \"$FROM/lake\" && \
             for part in *; do test \"$part\" = current.json || cp -a \"$part\" \"$TO/lake/\" 2>\"$TO/said\" || \
             ! grep -v '/\\.tmp-' \"$TO/said\" || exit 1; done",
        );
        run.wait().expect("the run ends");
        copy.tables();
        copy.ok(&["run", "--source", &sample("feed", "feed-later/2025-11-15")]);
        whole.ok(&["run"]);
        assert_eq!(copy.snapshot().id, whole.snapshot().id);
        copy.ok(&["verify"]);
    }
}

#[test]
fn without_the_right_to_write_everything_can_be_read() {
    let bench = published();
    let lake = bench.folder().join("lake");
    read_only(&lake);
    for args in
        [&["verify"][..], &["status"], &["snapshots", "list"], &["captures", "list"], &["run", "--dry-run"]]
    {
        bench.ok(args);
    }
    assert!(bench.snapshot().tables.len() > 20);
}

/// No right to write for anybody; whoever runs the tests as root keeps it, and asks the same.
fn read_only(folder: &Path) {
    let done = Command::new("chmod").args(["-R", "a-w"]).arg(folder).status().expect("chmod");
    assert!(done.success());
}
