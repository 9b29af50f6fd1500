//! Captures that are damaged, or made to do damage: each costs itself and nothing else.

mod corpus;
mod cut;
mod fewer;
mod folders;
mod mutations;
mod processes;

use std::path::Path;
use std::process::Output;

use fdna_suite::TestLake;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fightdna-under-test");

fn bench() -> TestLake {
    TestLake::new(PROGRAM)
}

/// Folder of the repository.
fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Every file of a folder, by name.
fn files_of(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let mut files: Vec<_> = paths.map(|path| (name(&path), std::fs::read(&path).unwrap())).collect();
    // A test's captures are as real as any: the sample's mark is left behind.
    files.retain(|(name, _)| name != "SYNTHETIC.txt");
    files.sort();
    files
}

/// Writes a capture into a folder of the bench.
fn write(bench: &TestLake, folder: &str, files: &[(String, Vec<u8>)]) {
    let folder = bench.folder().join(folder);
    std::fs::create_dir_all(&folder).unwrap();
    for (name, bytes) in files {
        std::io::Write::write_all(&mut std::fs::File::create(folder.join(name)).unwrap(), bytes).unwrap();
    }
}

/// A capture of the statistics that can be used.
fn good() -> Vec<(String, Vec<u8>)> {
    files_of(&repository().join("data/sample/statsdb/2025-11-01"))
}

/// Exit code, standard output and standard error.
fn told(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Sources of the captures that the current snapshot is made of.
fn published(bench: &TestLake) -> Vec<String> {
    bench.snapshot().captures.iter().map(|capture| capture.source.clone()).collect()
}
