//! Lakes to look at, made by the program itself.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use fdna_lake::Lake;

/// The embedded synthetic sample, taken through the whole program.
pub(crate) fn sample_lake() -> (tempfile::TempDir, Lake) {
    lake(&[])
}

/// What `fightdna run` makes with these arguments.
pub(crate) fn lake(args: &[&str]) -> (tempfile::TempDir, Lake) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("lake");
    let mut run = Command::new(fightdna());
    run.args(["run", "--quiet", "--lake"]).arg(&root).args(args).env("RUST_LOG", "warn");
    let output = run.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (folder, Lake::open(root))
}

/// The program `fightdna` of these sources: `FIGHTDNA_BIN`, or as cargo builds it now. As a dependency it would
/// draw its data frames into the build of this crate, with other features than it has by itself.
pub(crate) fn fightdna() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| std::env::var_os("FIGHTDNA_BIN").map_or_else(build, PathBuf::from)).clone()
}

fn build() -> PathBuf {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let args = ["build", "--locked", "--bin", "fightdna", "--message-format", "json"];
    let output = Command::new(cargo).current_dir(root).args(args).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let messages = String::from_utf8_lossy(&output.stdout).into_owned();
    let made = |line: &str| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        (message["target"]["name"] == "fightdna").then_some(())?;
        Some(PathBuf::from(message["executable"].as_str()?))
    };
    messages.lines().find_map(made).expect("cargo says where it put the program")
}
