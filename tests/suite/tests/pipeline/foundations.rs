//! What a run builds on: ids that were published, the captures that the lake has had, the pointer, decisions of
//! people. Where one of them is gone or odd, nothing that was published moves and nothing invented takes its place.

#![expect(clippy::disallowed_methods, reason = "plays the disk that damages a file behind the lake's back")]

mod captures;
mod damage;
mod gates;
mod ids;
mod pointer;
mod shards;

use std::collections::BTreeSet;
use std::process::Output;
use std::sync::LazyLock;

use fdna_suite::{TestLake, rows};

const PROGRAM: &str = env!("CARGO_BIN_EXE_fightdna-under-test");

fn sample(source: &str, folder: &str) -> String {
    format!("{source}={}/../../data/sample/{folder}", env!("CARGO_MANIFEST_DIR"))
}

/// A lake that published three times: a schedule that nobody has fought yet, with its ids; a newer one; and the
/// statistics of those bouts, which come later and under other ids of their source.
static PUBLISHED: LazyLock<TestLake> = LazyLock::new(|| {
    let (statistics, schedule) = (sample("statsdb", "statsdb/2025-11-01"), sample("feed", "feed/2025-11-01"));
    TestLake::shared(
        PROGRAM,
        &[
            &["run", "--source", &statistics, "--source", &schedule],
            &["run", "--captures", &sample("feed", "feed-later")],
            &["run", "--source", &sample("statsdb", "statsdb-later/2025-12-01")],
        ],
    )
});

fn lake() -> TestLake {
    PUBLISHED.copy()
}

/// Kind and id of everything that the current snapshot has a name for, aliases too.
fn ids(bench: &TestLake) -> BTreeSet<(String, String)> {
    let tables = bench.tables();
    let column = |table: &str, name: &str| -> Vec<(String, String)> {
        rows(&tables[table]).iter().map(|row| (row["kind"].clone(), row[name].clone())).collect()
    };
    column("identities", "entity_id").into_iter().chain(column("aliases", "alias_id")).collect()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What the program says when it ends with this exit code.
fn refused(bench: &TestLake, code: i32, args: &[&str]) -> String {
    let output = bench.run(args);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {}", stderr(&output));
    stderr(&output)
}
