//! Metrics derived in shards, as on several machines, and put together.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use fdna_suite::TestLake;

use super::{PROGRAM, stderr};

/// A lake of one run.
static RUN: LazyLock<TestLake> = LazyLock::new(|| TestLake::shared(PROGRAM, &[&["run"]]));

/// A lake whose versions are still to be derived, and the files that they were.
fn normalised() -> (TestLake, BTreeMap<String, Vec<u8>>) {
    let bench = RUN.copy();
    let derived = bench.lake().root().join("derived");
    let files = files(&derived);
    assert!(files.keys().any(|name| name.ends_with("dna_versions.parquet")), "{:?}", files.keys());
    std::fs::remove_dir_all(derived).unwrap();
    (bench, files)
}

/// Bytes of every file below a folder, by its path.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn derive_shard(bench: &TestLake, shard: usize, of: usize) {
    let output = bench.run(&["derive", "--shard", &format!("{shard}/{of}"), "--into", "shards"]);
    assert!(output.status.success(), "{}", stderr(&output));
}

/// How putting the shards together is refused: exit code and error.
fn refusal(bench: &TestLake) -> (Option<i32>, String) {
    let output = bench.run(&["derive", "--from-shards", "shards"]);
    assert!(!bench.lake().root().join("derived").exists(), "nothing is written");
    (output.status.code(), stderr(&output))
}

#[test]
fn what_comes_of_shards_is_byte_for_byte_what_one_machine_derives() {
    for of in [1, 2, 7] {
        let (bench, whole) = normalised();
        for shard in 1..=of {
            derive_shard(&bench, shard, of);
        }
        assert!(!bench.lake().root().join("derived").exists(), "a shard leaves the lake as it is");
        let output = bench.run(&["derive", "--from-shards", "shards"]);
        assert!(output.status.success(), "{}", stderr(&output));
        let derived = files(&bench.lake().root().join("derived"));
        assert_eq!(derived.keys().collect::<Vec<_>>(), whole.keys().collect::<Vec<_>>(), "of {of}");
        for (name, bytes) in &derived {
            assert!(*bytes == whole[name], "{name} of {of} shards");
        }
        let published = bench.snapshot().id;
        bench.ok(&["run"]);
        assert_eq!(bench.snapshot().id, published);
    }
}

#[test]
fn a_shard_that_is_missing_damaged_or_foreign_is_named() {
    let (bench, _) = normalised();
    let (code, error) = refusal(&bench);
    assert!(code == Some(69) && error.contains("shards"), "{code:?} {error}");
    derive_shard(&bench, 1, 3);
    derive_shard(&bench, 3, 3);
    let (code, error) = refusal(&bench);
    assert!(code == Some(65) && error.contains("1 of 3 are missing: derive-2-of-3"), "{code:?} {error}");
    derive_shard(&bench, 2, 3);
    derive_shard(&bench, 1, 2);
    let (code, error) = refusal(&bench);
    assert!(code == Some(65) && error.contains("is one of"), "{code:?} {error}");
    let shards = bench.folder().join("shards");
    let names = || std::fs::read_dir(&shards).unwrap().map(|entry| entry.unwrap().path());
    let find = |start: &str, end: &str| {
        let is_it = |path: &std::path::PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy();
            name.starts_with(start) && name.ends_with(end)
        };
        names().find(is_it).unwrap()
    };
    std::fs::remove_file(find("derive-1-of-2.", ".json")).unwrap();
    let part = find("sig_accuracy.", ".part");
    let bytes = std::fs::read(&part).unwrap();
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    for damaged in [damaged, bytes[..9].to_vec(), [&bytes[..], b"x"].concat()] {
        std::fs::write(&part, damaged).unwrap();
        let (code, error) = refusal(&bench);
        assert!(
            code == Some(65) && error.contains("is not what it was when it was written"),
            "{code:?} {error}"
        );
        assert!(error.contains("sig_accuracy."), "{error}");
    }
    // Derived once more it is whole, and what is whole stays.
    (1..=3).for_each(|shard| derive_shard(&bench, shard, 3));
    assert!(std::fs::read(&part).unwrap() == bytes);
    assert!(!names().any(|path| path.file_name().unwrap().to_string_lossy().starts_with(".tmp-")));
    let manifest = find("derive-3-of-3.", ".json");
    let text = std::fs::read_to_string(&manifest).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    json["fingerprint"] = "0".repeat(32).into();
    std::fs::write(&manifest, json.to_string()).unwrap();
    let (code, error) = refusal(&bench);
    assert!(
        code == Some(65) && error.contains("derive-3-of-3.") && error.contains("was derived of other facts"),
        "{code:?} {error}"
    );
}

#[test]
fn a_lake_that_is_not_normalised_has_no_shards() {
    let bench = TestLake::new(PROGRAM);
    std::fs::create_dir(bench.folder().join("lake")).unwrap();
    let output = bench.run(&["derive", "--shard", "1/2", "--into", "shards"]);
    assert_eq!(output.status.code(), Some(69), "{}", stderr(&output));
    assert!(!bench.folder().join("shards").exists());
}

#[test]
fn panels_of_shards_are_taken_over_byte_for_byte_and_a_missing_or_foreign_one_is_named() {
    let asked = ["backfill", "--from", "2024-01-01", "--to", "2024-12-01"];
    let backfill = |bench: &TestLake, more: &[&str]| bench.run(&[&asked[..], more].concat());
    let whole = RUN.copy();
    assert!(backfill(&whole, &[]).status.success());
    let whole = files(&whole.lake().root().join("panels"));
    let copies: Vec<TestLake> = (0..3).map(|_| RUN.copy()).collect();
    for (shard, copy) in (1..).zip(&copies) {
        assert!(backfill(copy, &["--shard", &format!("{shard}/3")]).status.success());
    }
    let folders: Vec<String> = copies.iter().map(|copy| copy.lake().root().display().to_string()).collect();
    let from = |folders: &[String]| folders.iter().map(|f| format!("--from-lake={f}")).collect::<Vec<_>>();
    let take_over = |bench: &TestLake, folders: &[String]| {
        let args = from(folders);
        backfill(bench, &args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let bench = RUN.copy();
    let output = take_over(&bench, &folders[..2]);
    assert_eq!(output.status.code(), Some(65), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("4 of 12 panels: 2024-03-01 is in none of the lakes"),
        "{}",
        stderr(&output)
    );
    assert!(!bench.lake().root().join("panels").exists(), "nothing is written");
    let output = take_over(&bench, &folders);
    assert!(output.status.success(), "{}", stderr(&output));
    let made = files(&bench.lake().root().join("panels"));
    assert_eq!(made.keys().collect::<Vec<_>>(), whole.keys().collect::<Vec<_>>());
    for (name, bytes) in &made {
        assert!(*bytes == whole[name], "{name}");
    }
    // Into folders, and no lake is copied; what is there already stays.
    let folders: Vec<String> =
        (1..=3).map(|shard| bench.folder().join(format!("part-{shard}")).display().to_string()).collect();
    for (shard, folder) in (1..).zip(&folders).chain([(3, &folders[2])]) {
        let made = backfill(&bench, &["--shard", &format!("{shard}/3"), "--into", folder]);
        assert!(made.status.success(), "{}", stderr(&made));
    }
    let target = RUN.copy();
    let output = take_over(&target, &folders);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(files(&target.lake().root().join("panels")) == whole);
    // A lake of other statistics has other versions.
    let foreign = RUN.copy();
    foreign.ok(&["run", "--source", &super::sample("statsdb", "statsdb-later/2025-12-01")]);
    let output = take_over(&foreign, &folders);
    assert_eq!(output.status.code(), Some(65));
    assert!(stderr(&output).contains("is of other versions or another build"), "{}", stderr(&output));
}
