//! `fightdna backfill --table ratios`, natively and by an engine outside; here a script stands for Python and the engine. With
//! real engines it is `tests/contract/connect`.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
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

/// A script that is called as Python would be, with the SQL to be read: -I, -c, program, remote, observations, folder for what it
/// makes.
fn python(bench: &TestLake, script: &str) -> String {
    let path = bench.folder().join("python");
    put(&path, format!("#!/bin/sh\n{script}\n").as_bytes());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

fn put(path: &Path, bytes: &[u8]) {
    std::io::Write::write_all(&mut fs::File::create(path).unwrap(), bytes).unwrap();
}

fn engine(python: &str) -> Vec<&str> {
    [&ASK[..], &["--engine", "connect", "--remote", "sc://nowhere:1", "--python", python]].concat()
}

/// Copies partitions that the engine made; `change` is run in them.
fn copied(from: &TestLake, change: &str) -> String {
    let made = from.folder().join("lake/panels/ratios");
    format!("cp -r {} \"$5\" && cd \"$5\" && touch _SUCCESS && {change}", made.display())
}

fn refused(bench: &TestLake, script: &str, code: i32, message: &str) {
    let output = bench.run(&engine(&python(bench, script)));
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{script}: {told}");
    assert!(told.contains(message), "{script}: {told}");
    assert!(panels(bench).is_empty(), "{script}");
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

#[test]
fn what_an_engine_made_right_is_kept_with_the_bytes_that_this_program_makes() {
    let bench = published();
    let native = native(&bench);
    // Two dates natively before: the engine is asked for the third alone.
    let script = copied(&native, &format!("rm -r as_of={} as_of={}", DATES[0], DATES[2]));
    bench.ok(&["backfill", "--table", "ratios", "--as-of", DATES[0], "--as-of", DATES[2]]);
    let keep = bench.folder().join("sql");
    let script = format!("cat > {} && {script}", keep.display());
    let python = python(&bench, &script);
    let text = bench.ok(&[&engine(&python)[..], &["--as-of", "1999-01-01", "--json"]].concat());
    let report: Value = serde_json::from_str(&text).unwrap();
    let states: Vec<&str> =
        report["dates"].as_array().unwrap().iter().map(|d| d["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["before_first", "kept", "made", "kept"]);
    assert!(report["engine_seconds"].as_f64().unwrap() > 0.0 && report["bytes"].as_u64().unwrap() > 0);
    assert!(panels(&bench) == panels(&native));
    let sql = fs::read_to_string(keep).unwrap();
    assert!(sql.contains("VALUES (DATE '2021-06-01') AS dates(as_of)"), "{sql}");
    bench.ok(&["verify"]);
    // Nothing is left to ask it for: the script would fail.
    let failing = self::python(&bench, "exit 1");
    assert!(bench.ok(&engine(&failing)).contains("3 there already"));
    bench.ok(&["gc", "--keep", "0"]);
    assert!(panels(&bench) == panels(&native));
}

#[test]
fn what_an_engine_made_wrong_is_refused_by_name_and_nothing_is_kept() {
    let bench = published();
    let native = native(&bench);
    let [a, b, c] = DATES.map(|as_of| format!("as_of={as_of}"));
    for (change, message) in [
        (format!("rm -r {b}"), "there is no partition of 2021-06-01"),
        (format!("rm {b}/*"), "there is no partition of 2021-06-01"),
        (format!("cp -r {b} as_of=2021-06-02"), "`as_of=2021-06-02` was not asked for"),
        (format!("cp -r {b} other"), "`other` was not asked for"),
        (format!("touch {b}/notes.txt"), "`as_of=2021-06-01/notes.txt` is no Parquet file"),
        (format!("cp {a}/part.parquet {b}/part.parquet"), "2021-06-01"),
        (format!("cp {c}/part.parquet {b}/more.parquet"), "2021-06-01"),
        (format!("cp {b}/part.parquet {b}/more.parquet"), "rows, not"),
        (format!("echo x > {c}/part.parquet"), "2025-06-01"),
        (format!("truncate -s -9 {c}/part.parquet"), "2025-06-01"),
        (format!("rm {c}/part.parquet && mkdir {c}/part.parquet"), "part.parquet"),
    ] {
        refused(&bench, &copied(&native, &change), 65, message);
    }
}

/// Wherever somebody else may write, in the shared folder, in the current one or where the environment points, a module of the name
/// that the program imports is not run. What is shared is empty, and what is not is the caller's alone.
#[test]
fn the_program_of_an_engine_imports_nothing_that_others_could_have_put_there() {
    let bench = published();
    let marker = bench.folder().join("planted");
    let module = format!("open({:?}, 'w').close()\n", marker.display().to_string());
    for folder in [bench.folder().to_owned(), bench.folder().join("modules")] {
        fs::create_dir_all(&folder).unwrap();
        put(&folder.join("pyspark.py"), module.as_bytes());
    }
    let told = bench.folder().join("told");
    let shared = format!(
        "out=$(dirname \"$5\"); stat -c %a \"$out\" >> {told}; ls -A \"$out\" >> {told}; \
         cp pyspark.py \"$out\"; exec python3 \"$@\"",
        told = told.display()
    );
    let python = python(&bench, &shared);
    let exchange = bench.folder().join("exchange");
    fs::create_dir(&exchange).unwrap();
    for named in [&["--exchange", "exchange"][..], &[]] {
        let mut command = bench.command(&[&engine(&python)[..], named].concat());
        let output = command.env("PYTHONPATH", bench.folder().join("modules")).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        // Without the real package it says so, and with it that there is no server.
        assert_eq!(output.status.code(), Some(69), "{message}");
        assert!(!marker.exists(), "{named:?}: {message}");
    }
    assert_eq!(fs::read_to_string(told).unwrap(), "1777\n700\n");
    assert_eq!(fs::read_dir(exchange).unwrap().count(), 0);
}

/// Another lake, whose fighters have the same names and other numbers.
#[test]
fn ratios_of_other_facts_are_refused() {
    let bench = published();
    let other = bench.copy();
    let later =
        concat!("statsdb=", env!("CARGO_MANIFEST_DIR"), "/../../data/sample/statsdb-later/2025-12-01");
    other.ok(&["run", "--source", later]);
    let other = native(&other);
    let same = panels(&other) == panels(&native(&bench));
    assert!(!same, "the later capture corrects no fact before 2025-06-01");
    refused(&bench, &copied(&other, "true"), 65, "the panel of");
}

#[test]
fn a_missing_python_package_server_or_folder_says_what_to_do() {
    let bench = published();
    refused(&bench, "echo \"No module named 'pyspark'\" >&2; exit 3", 69, "pip install pyspark-client");
    refused(&bench, "echo refused >&2; exit 4", 69, "reach the engine at sc://nowhere:1: refused");
    refused(&bench, "echo 'no such function' >&2; exit 1", 1, "no such function");
    refused(&bench, "exit 0", 69, "--exchange names a folder that both see");
    let none = bench.folder().join("none").display().to_string();
    let output = bench.run(&engine(&none));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(69) && told.contains("install Python 3"), "{told}");
    for (args, message) in [
        (&["--engine", "connect"][..], "--remote"),
        (&["--engine", "connect", "--remote", "localhost:1"], "use an address such as sc://localhost:15002"),
        (&["--engine", "connect", "--remote", "sc://h:1", "--table", "metrics"], "ratios alone"),
        (&["--engine", "connect", "--remote", "sc://h:1", "--from-lake", "x"], "--from-lake"),
    ] {
        let output = bench.run(&[&ASK[..], args].concat());
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && told.contains(message), "{args:?}: {told}");
    }
    let nowhere = python(&bench, "exit 0");
    let output = bench.run(&[&engine(&nowhere)[..], &["--exchange", "no/such"]].concat());
    assert_eq!(output.status.code(), Some(73), "{}", String::from_utf8_lossy(&output.stderr));
    let plan = bench.ok(&[&engine(&nowhere)[..], &["--dry-run"]].concat());
    assert!(plan.contains("3 to make"), "{plan}");
}
