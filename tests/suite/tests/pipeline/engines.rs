//! `fightdna derive` and `fightdna backfill` by an engine outside; here a script stands for Python and the engine, which runs the tasks one
//! after another. With real engines it is `tests/contract/connect`.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Output;

use fdna_suite::TestLake;
use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fightdna-under-test");

const DATES: [&str; 3] = ["2019-06-01", "2021-06-01", "2025-06-01"];
const ASK: [&str; 7] = ["backfill", "--as-of", DATES[0], "--as-of", DATES[1], "--as-of", DATES[2]];

/// Stands for Python and the engine: does each task, and answers as a worker does. `@` is what a test changes.
const ENGINE: &str = r#"#!/usr/bin/env python3
import json, subprocess, sys
job = json.load(sys.stdin)
assert sys.argv[1] == "-I", sys.argv
for place, task in enumerate(job["tasks"]):
    done = subprocess.run([job["program"], *task], capture_output=True, text=True)
    answer = {"worker": "w", "code": done.returncode, "out": done.stdout, "errors": done.stderr, "seconds": 1.0, "peak_kib": 2048}
    into = task[task.index("--into") + 1]
    @
    print(json.dumps(answer))
"#;

fn published() -> TestLake {
    let bench = TestLake::new(PROGRAM);
    let sample = concat!("statsdb=", env!("CARGO_MANIFEST_DIR"), "/../../data/sample/statsdb/2025-11-01");
    bench.ok(&["run", "--source", sample]);
    bench
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

fn folder(bench: &TestLake, name: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    files(&bench.folder().join("lake").join(name))
}

/// An engine that does `change` to each answer.
fn engine(bench: &TestLake, change: &str) -> String {
    script(bench, &ENGINE.replace('@', change))
}

fn script(bench: &TestLake, text: &str) -> String {
    let path = bench.folder().join("engine");
    put(&path, text);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

fn put(path: &Path, text: &str) {
    std::io::Write::write_all(&mut fs::File::create(path).unwrap(), text.as_bytes()).unwrap();
}

/// By an engine, with the folder of temporary files in the test's own.
fn run_by(bench: &TestLake, python: &str, asked: &[&str]) -> Output {
    let by = ["--engine", "connect", "--remote", "sc://nowhere:1", "--python", python, "--tasks", "2"];
    let mut command = bench.command(&[asked, &by].concat());
    command.env("TMPDIR", bench.folder()).output().unwrap()
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A lake whose versions are still to be derived, and the files that they were.
fn underived(published: &TestLake) -> (TestLake, BTreeMap<PathBuf, Vec<u8>>) {
    let bench = published.copy();
    let derived = folder(&bench, "derived");
    fs::remove_dir_all(bench.folder().join("lake/derived")).unwrap();
    (bench, derived)
}

/// What tasks leave is gone, whatever became of it.
fn assert_nothing_left(bench: &TestLake) {
    let names = fs::read_dir(bench.folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = names.filter(|name| name.to_string_lossy().contains("fightdna-engine-")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn what_workers_derive_and_make_has_the_bytes_that_this_program_makes() {
    let published = published();
    let (bench, derived) = underived(&published);
    let python = engine(&bench, "pass");
    let output = run_by(&bench, &python, &["derive"]);
    assert!(output.status.success(), "{}", told(&output));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("2 tasks on 1 machines of the engine"), "{text}");
    assert!(folder(&bench, "derived") == derived);
    bench.ok(&["run"]);
    assert_eq!(bench.snapshot().id, published.snapshot().id);
    for table in ["metrics", "ratios"] {
        let native = published.copy();
        native.ok(&[&ASK[..], &["--table", table]].concat());
        // One date natively before: the engine is asked for the others alone.
        bench.ok(&["backfill", "--table", table, "--as-of", DATES[1]]);
        let output = run_by(
            &bench,
            &python,
            &[&ASK[..], &["--table", table, "--as-of", "1999-01-01", "--json"]].concat(),
        );
        let report: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", told(&output)));
        let states: Vec<&str> =
            report["dates"].as_array().unwrap().iter().map(|d| d["state"].as_str().unwrap()).collect();
        assert_eq!(states, ["before_first", "made", "kept", "made"]);
        assert_eq!((report["tasks"].as_u64(), report["peak_kib"].as_u64()), (Some(2), Some(2048)));
        let manifests = native.folder().join("lake/panels/manifests");
        for (path, bytes) in files(&manifests) {
            assert!(
                fs::read(bench.folder().join("lake/panels/manifests").join(&path)).unwrap() == bytes,
                "{path:?}"
            );
        }
    }
    bench.ok(&["verify"]);
    // Nothing is left to ask it for: the script would fail.
    let failing = script(&bench, "#!/bin/sh\nexit 1\n");
    assert!(run_by(&bench, &failing, &ASK).status.success());
    assert!(run_by(&bench, &failing, &["derive"]).status.success());
    assert_nothing_left(&bench);
}

/// Each task twice, as an engine does that thinks the first is late.
#[test]
fn a_task_that_is_done_twice_leaves_what_it_leaves_once() {
    let (bench, derived) = underived(&published());
    let twice = "read = lambda: {n: open(f'{into}/{n}', 'rb').read() for n in __import__('os').listdir(into)}\n    \
                 once = read()\n    \
                 __import__('shutil').rmtree(into) if place == 0 else None\n    \
                 again = [subprocess.Popen([job['program'], *task], stdout=subprocess.DEVNULL) for _ in range(3)]\n    \
                 assert [a.wait() for a in again] == [0, 0, 0]\n    \
                 assert once == read()";
    let output = run_by(&bench, &engine(&bench, twice), &["derive"]);
    assert!(output.status.success(), "{}", told(&output));
    assert!(folder(&bench, "derived") == derived);
}

#[test]
fn what_workers_leave_wrong_is_refused_by_name_and_nothing_is_kept() {
    let (bench, _) = underived(&published());
    for (change, code, message) in [
        ("answer = {'worker': 'w', 'missing': 'no such file'}", 69, "worker w has no program: no such file"),
        ("answer = {'worker': 'w', 'other': 'abc'}", 65, "worker w has another build of this program: abc"),
        ("answer['code'], answer['errors'] = 73, 'disk full'", 73, "failed on worker w: disk full"),
        ("if place == 1: break", 1, "answered 1 of 2 tasks"),
        ("__import__('shutil').rmtree(into)", 69, "--exchange names a folder"),
        ("answer['out'] = answer['out'].replace('\"shard\": 2', '\"shard\": 1')", 65, "derive-2-of-2"),
        (
            "if place == 0: answer['out'] = __import__('re').sub('(?<=fingerprint\": \")[0-9a-f]+', 32 * '0', answer['out'])",
            65,
            "derive-1-of-2 was derived of other facts",
        ),
        (
            "if place == 1: [__import__('os').truncate(f'{into}/{n}', 9) for n in __import__('os').listdir(into) if n.endswith('.part')]",
            65,
            "it is damaged",
        ),
    ] {
        let output = run_by(&bench, &engine(&bench, change), &["derive"]);
        assert_eq!(output.status.code(), Some(code), "{change}: {}", told(&output));
        assert!(told(&output).contains(message), "{change}: {}", told(&output));
        assert!(folder(&bench, "derived").is_empty(), "{change}");
    }
    assert_nothing_left(&bench);
}

#[test]
fn panels_that_workers_leave_wrong_are_refused_by_name_and_nothing_is_kept() {
    let bench = published();
    let other = published();
    let later =
        concat!("statsdb=", env!("CARGO_MANIFEST_DIR"), "/../../data/sample/statsdb-later/2025-12-01");
    other.ok(&["run", "--source", later]);
    let elsewhere = format!(
        "import shutil; shutil.rmtree(into); again = [{:?} if a.endswith('/lake') else a for a in task]; \
         done = subprocess.run([job['program'], *again], capture_output=True, text=True); answer['out'] = done.stdout",
        other.folder().join("lake").display().to_string()
    );
    for (change, code, message) in [
        (elsewhere.as_str(), 65, "is of other versions or another build"),
        ("__import__('shutil').rmtree(into)", 69, "--exchange names a folder"),
        ("__import__('shutil').rmtree(into + '/panels')", 65, "is in none of the lakes"),
        (
            "answer['out'] = answer['out'].replace('2019-06-01', '2019-06-02')",
            65,
            "nobody answered for 2019-06-01",
        ),
        (
            "answer['out'] = answer['out'].replace('\"rows\": ', '\"rows\": 1')",
            65,
            "is not what its worker made",
        ),
    ] {
        let output = run_by(&bench, &engine(&bench, change), &ASK);
        assert_eq!(output.status.code(), Some(code), "{change}: {}", told(&output));
        assert!(told(&output).contains(message), "{change}: {}", told(&output));
        assert!(folder(&bench, "panels").is_empty(), "{change}");
    }
    assert_nothing_left(&bench);
}

/// Wherever somebody else may write, in the shared folder, in the current one or where the environment points, a module of the name
/// that the program imports is not run. What is shared is empty, and what is not is the caller's alone.
#[test]
fn the_program_of_an_engine_imports_nothing_that_others_could_have_put_there() {
    let (bench, _) = underived(&published());
    let marker = bench.folder().join("planted");
    let module = format!("open({:?}, 'w').close()\n", marker.display().to_string());
    for folder in [bench.folder().to_owned(), bench.folder().join("modules"), bench.folder().join("exchange")]
    {
        fs::create_dir_all(&folder).unwrap();
        put(&folder.join("pyspark.py"), &module);
    }
    let told = bench.folder().join("told");
    let shared = format!(
        "#!/bin/sh\nstat -c %a {folder}/*/ {folder}/*/*/ >> {told}; exec python3 \"$@\"\n",
        folder = bench.folder().join("exchange").display(),
        told = told.display()
    );
    let python = script(&bench, &shared);
    let by = ["derive", "--engine", "connect", "--remote", "sc://nowhere:1", "--python", &python];
    let output = bench
        .command(&[&by[..], &["--exchange", "exchange"]].concat())
        .env("PYTHONPATH", bench.folder().join("modules"))
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    // Without the real package it says so, and with it that there is no server.
    assert_eq!(output.status.code(), Some(69), "{message}");
    assert!(!marker.exists(), "{message}");
    assert_eq!(fs::read_to_string(told).unwrap(), "1777\n1777\n");
    assert_eq!(fs::read_dir(bench.folder().join("exchange")).unwrap().count(), 1);
}

#[test]
fn a_missing_python_package_server_or_folder_says_what_to_do() {
    let bench = published();
    for (text, code, message) in [
        ("echo \"No module named 'pyspark'\" >&2; exit 3", 69, "pip install pyspark-client"),
        ("echo refused >&2; exit 4", 69, "reach the engine at sc://nowhere:1: refused"),
        ("echo 'no such function' >&2; exit 1", 1, "no such function"),
        ("exit 0", 1, "workers answered 0 of 2 tasks"),
    ] {
        let output = run_by(&bench, &script(&bench, &format!("#!/bin/sh\n{text}\n")), &ASK);
        assert_eq!(output.status.code(), Some(code), "{text}: {}", told(&output));
        assert!(told(&output).contains(message), "{text}: {}", told(&output));
    }
    let none = bench.folder().join("none").display().to_string();
    let output = run_by(&bench, &none, &ASK);
    assert!(
        output.status.code() == Some(69) && told(&output).contains("install Python 3"),
        "{}",
        told(&output)
    );
    let connect = |more: &'static [&'static str]| [&["--engine", "connect"][..], more].concat();
    for (args, message) in [
        (connect(&[]), "--remote"),
        (connect(&["--remote", "localhost:1"]), "use an address such as sc://localhost:15002"),
        (connect(&["--remote", "ray://h:1"]), "use an address such as sc://"),
        (vec!["--engine", "ray"], "--remote"),
        (connect(&["--remote", "sc://h:1", "--tasks", "0"]), "from 1 to 1000"),
        (connect(&["--remote", "sc://h:1", "--from-lake", "x"]), "--from-lake"),
        (connect(&["--remote", "sc://h:1", "--shard", "1/2"]), "--shard"),
        (connect(&["--remote", "sc://h:1", "--vintage"]), "--vintage"),
    ] {
        let output = bench.run(&[&ASK[..], &args].concat());
        assert!(
            output.status.code() == Some(2) && told(&output).contains(message),
            "{args:?}: {}",
            told(&output)
        );
    }
    let python = engine(&bench, "pass");
    let output = run_by(&bench, &python, &[&ASK[..], &["--exchange", "no/such"]].concat());
    assert_eq!(output.status.code(), Some(73), "{}", told(&output));
    let output = run_by(&bench, &python, &[&ASK[..], &["--dry-run"]].concat());
    assert!(String::from_utf8_lossy(&output.stdout).contains("3 to make"));
}
