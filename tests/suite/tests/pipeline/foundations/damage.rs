//! What is damaged is said, and nothing that was published moves.

use std::path::{Path, PathBuf};

use super::{ids, lake};

/// Every file of the lake, but those whose content means nothing: the lock's, and the room that is kept for a full disk.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.file_name().is_none_or(|name| name != "lock" && name != "reserve") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Numbers that are the same in each run of the tests.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

fn flip(path: &Path, bit: usize) {
    let mut bytes = std::fs::read(path).unwrap();
    bytes[bit / 8] ^= 1 << (bit % 8);
    // Another file under the name: the same bytes may have several.
    std::fs::remove_file(path).unwrap();
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn every_flipped_bit_is_named() {
    let bench = lake();
    bench.ok(&["run", "--source", &super::sample("wire", "wire/2025-11-01")]);
    let lake = bench.lake();
    let all = files(lake.root());
    let is_json = |path: &&PathBuf| path.extension().is_some_and(|e| e == "json" || e == "jsonl");
    let json: Vec<PathBuf> = all.iter().filter(is_json).cloned().collect();
    let mut numbers = Numbers(7);
    let mut asked = 0;
    for list in [&all, &json] {
        for _ in 0..200 {
            let path = &list[numbers.below(list.len())];
            let size = usize::try_from(std::fs::metadata(path).unwrap().len()).unwrap();
            let bit = numbers.below(size * 8);
            flip(path, bit);
            let problems = lake.verify().unwrap().problems;
            let folder = path.parent().unwrap();
            let named =
                problems.iter().any(|p| p.path == *path || p.path == folder || folder.starts_with(&p.path));
            assert!(named, "{} bit {bit}: {problems:?}", path.display());
            flip(path, bit);
            asked += 1;
        }
    }
    assert_eq!(asked, 400);
    assert_eq!(lake.verify().unwrap().problems, []);
}

#[test]
fn after_damage_to_any_file_repair_and_a_run_come_to_the_same_ids() {
    let whole = lake();
    let (served, before) = (whole.snapshot().id, ids(&whole));
    let names: Vec<PathBuf> = files(whole.lake().root())
        .iter()
        .map(|path| path.strip_prefix(whole.lake().root()).unwrap().to_owned())
        .collect();
    let mut numbers = Numbers(11);
    let mut refused = 0;
    for _ in 0..24 {
        let bench = whole.copy();
        let name = &names[numbers.below(names.len())];
        let path = bench.lake().root().join(name);
        let size = usize::try_from(std::fs::metadata(&path).unwrap().len()).unwrap();
        flip(&path, numbers.below(size * 8));
        let _ = bench.run(&["repair", "--discard"]);
        let run = bench.run(&["run"]);
        let what = format!("{}: {}", name.display(), super::stderr(&run));
        if run.status.success() {
            assert_eq!(bench.snapshot().id, served, "{what}");
            assert_eq!(ids(&bench), before, "{what}");
        } else {
            // Only what nothing but a backup has: a capture's files, and the logs.
            assert!(name.starts_with("raw") || name.starts_with("log"), "{what}");
            assert!(what.contains("raw/") || what.contains("log/"), "{what}");
            refused += 1;
        }
    }
    assert!(refused < 20, "{refused} of 24 refused: hardly anything was repaired");
}

#[test]
fn a_ledger_that_is_gone_or_cut_is_named() {
    let bench = lake();
    let day = ("FIGHTDNA_NOW", "2025-11-20T12:00:00Z");
    let run = |args: &[&str]| bench.command(args).env(day.0, day.1).output().unwrap();
    assert!(run(&["run", "--source", &super::sample("wire", "wire/2025-11-01")]).status.success());
    let folder = bench.lake().root().join("ledger");
    assert!(folder.is_dir(), "the sample's fight week is at hand on that day");
    std::fs::rename(&folder, bench.folder().join("aside")).unwrap();
    for args in [&["verify"][..], &["verify", "--ledger"]] {
        let output = run(args);
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(65), "{told}");
        assert!(told.contains("ledger"), "{told}");
    }
    // Nothing is added to what is left.
    assert_eq!(run(&["run"]).status.code(), Some(65));
    assert!(!folder.is_dir());
}
