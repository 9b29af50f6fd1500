//! `fightdna backfill --table ratios`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;
use arrow::util::display::array_value_to_string;
use fdna_lake::PanelSet;
use fdna_schemas::MetricDefinitions;
use fdna_suite::TestLake;
use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fightdna-under-test");

const DATES: [&str; 3] = ["2019-06-01", "2021-06-01", "2025-06-01"];
const ASK: [&str; 7] = ["backfill", "--as-of", DATES[0], "--as-of", DATES[1], "--as-of", DATES[2]];

fn published() -> TestLake {
    let bench = TestLake::new(PROGRAM);
    let sample = concat!("statsdb=", env!("CARGO_MANIFEST_DIR"), "/../../data/sample/statsdb/2025-11-01");
    bench.ok(&["run", "--source", sample]);
    bench
}

/// The panels that this program makes of the same lake.
fn native(bench: &TestLake) -> TestLake {
    let native = bench.copy();
    native.ok(&[&ASK[..], &["--table", "ratios"]].concat());
    native
}

/// Path and content of every file of a folder.
fn files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    drop(found.insert(path.strip_prefix(root).unwrap().to_owned(), fs::read(&path).unwrap()))
                }
            }
        }
    }
    found
}

fn panels(bench: &TestLake) -> BTreeMap<PathBuf, Vec<u8>> {
    files(&bench.folder().join("lake/panels"))
}

#[test]
fn native_ratios_are_those_of_the_published_versions() {
    let bench = native(&published());
    let lake = bench.lake();
    let versions = bench.tables().remove("dna_versions").unwrap();
    let panel = lake.whole_panel(PanelSet::Ratios, DATES[2].parse().unwrap()).unwrap().unwrap();
    let ratios = lake.read_panel_table(&panel, "panel_ratios").unwrap();
    assert!(ratios.num_rows() > 20);
    let key = |batch: &RecordBatch, row| ["fighter_id", "version"].map(|name| cell(batch, name, row));
    let places: BTreeMap<_, _> = (0..versions.num_rows()).map(|row| (key(&versions, row), row)).collect();
    for row in 0..ratios.num_rows() {
        let of = places[&key(&ratios, row)];
        for metric in MetricDefinitions::get().whole_ratios() {
            for suffix in ["numerator", "denominator", "bouts", "raw_value"] {
                let name = MetricDefinitions::version_column(&metric.name, suffix);
                assert_eq!(cell(&ratios, &name, row), cell(&versions, &name, of), "{name}");
            }
        }
    }
    bench.ok(&["verify"]);
    let again: Value =
        serde_json::from_str(&bench.ok(&[&ASK[..], &["--table", "ratios", "--json"]].concat())).unwrap();
    assert_eq!(again["outcome"], "nothing_to_do");
    // Those of metrics are another set, which knows nothing of it.
    let before = panels(&bench);
    bench.ok(&ASK);
    let after = panels(&bench);
    assert_eq!(after.len(), before.len() + 9);
    assert!(before.iter().all(|(path, bytes)| after.get(path) == Some(bytes)));
}

/// As text: an empty one where there is none.
fn cell(batch: &RecordBatch, column: &str, row: usize) -> String {
    array_value_to_string(&batch[column], row).unwrap()
}
