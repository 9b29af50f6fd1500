//! Where a command is broken off. A run writes hundreds of files in a few ways: what matters is each way, and whether it
//! is the first time or the last.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::TestLake;

/// The few newest events of the sample, as `--source` takes them: a run on them takes the steps of a run on the whole sample, in
/// half of its time. `folder` is one of the fixtures.
#[must_use]
pub fn few_events(folder: &str) -> String {
    format!("statsdb={}/../fixtures/{folder}", env!("CARGO_MANIFEST_DIR"))
}

impl TestLake {
    /// Runs the program with a fault, as the program under test declares them.
    ///
    /// # Panics
    /// It cannot be started.
    #[must_use]
    pub fn run_with_fault(&self, args: &[&str], fault: &str) -> Output {
        self.command(args).env("FIGHTDNA_FAULT", fault).output().expect("the program starts")
    }

    /// Operations on the disk (`list`) or commit steps (`steps`) of a command, a line each: it runs on a copy.
    ///
    /// # Panics
    /// It fails.
    #[must_use]
    pub fn list_fault_points(&self, args: &[&str], listing: &str) -> String {
        let copy = self.copy();
        let file = copy.folder().join("listed");
        let output = copy.run_with_fault(args, &format!("{listing}:{}", file.display()));
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        std::fs::read_to_string(file).unwrap_or_default()
    }

    /// Files and folders that a command which broke off left behind.
    ///
    /// # Panics
    /// A folder cannot be listed.
    #[must_use]
    pub fn leftovers(&self) -> Vec<PathBuf> {
        leftovers(self.folder())
    }
}

fn leftovers(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let left = |path: PathBuf| match path.is_dir() {
        _ if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".tmp-")) => vec![path],
        true => leftovers(&path),
        false => Vec::new(),
    };
    entries.flat_map(left).collect()
}

/// Which operations of one kind are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TriedOperations {
    First,
    Last,
    FirstAndLast,
}

/// Numbers, from 1, of the operations at which a fault is tried, with the operations: some of each kind. `listed` has an
/// operation a line, as the program under test lists them. With `FIGHTDNA_EVERY_OPERATION` in the environment they are
/// all operations, which takes some ten times as long.
#[must_use]
pub fn fault_points<'a>(listed: &'a str, tried: TriedOperations) -> Vec<(usize, &'a str)> {
    let operations: Vec<(usize, &str)> = (1..).zip(listed.lines()).collect();
    if std::env::var_os("FIGHTDNA_EVERY_OPERATION").is_some() {
        return operations;
    }
    let mut kinds: BTreeMap<String, Vec<(usize, &'a str)>> = BTreeMap::new();
    for (number, operation) in operations {
        kinds.entry(operation_kind(operation)).or_default().push((number, operation));
    }
    let of_kind = |same: &Vec<(usize, &'a str)>| match tried {
        TriedOperations::First => [same[0]; 2],
        TriedOperations::Last => [same[same.len() - 1]; 2],
        TriedOperations::FirstAndLast => [same[0], same[same.len() - 1]],
    };
    let mut points: Vec<(usize, &str)> = kinds.values().flat_map(of_kind).collect();
    points.sort_unstable();
    points.dedup();
    points
}

/// The kind of an operation: without what tells its file from others of its folder: ids, days and names of tables.
#[must_use]
pub fn operation_kind(operation: &str) -> String {
    let has_digit = |name: &str| name.bytes().any(|byte| byte.is_ascii_digit());
    let general = |name: &str| match name.rsplit_once('.') {
        Some((_, extension)) if !has_digit(extension) => format!("*.{extension}"),
        _ if has_digit(name) => "*".to_owned(),
        _ => name.to_owned(),
    };
    operation.split('/').map(general).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_the_last_of_each_kind_are_tried() {
        let listed = "create facts/2025-11-01/bouts.parquet\ncreate facts/2025-11-02/events.parquet\n\
                      create facts/2025-11-01/manifest.json\ncreate facts/2025-11-01/fighters.parquet\n\
                      create facts/2025-11-01/judges.parquet\nrename current.json\n";
        let numbers =
            |tried| fault_points(listed, tried).into_iter().map(|(number, _)| number).collect::<Vec<_>>();
        assert_eq!(numbers(TriedOperations::FirstAndLast), [1, 3, 5, 6]);
        assert_eq!(numbers(TriedOperations::First), [1, 3, 6]);
        assert_eq!(numbers(TriedOperations::Last), [3, 5, 6]);
    }
}
