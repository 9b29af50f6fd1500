//! The program `fightdna-sql`, from outside.

#![expect(
    clippy::disallowed_methods,
    reason = "tests play the disk that damages a file behind the lake's back"
)]

#[path = "oracle/lake.rs"]
mod lake;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn sql(lake: &Path, args: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fightdna-sql"));
    command.args(args).env("FIGHTDNA_LAKE", lake);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn ok(lake: &Path, args: &[&str], input: &str) -> String {
    let output = sql(lake, args, input);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Exit code and what is said on standard error.
fn fails(lake: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = sql(lake, args, "");
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// Every file with its content.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(files(&path));
        } else {
            all.insert(path.display().to_string(), std::fs::read(&path).unwrap());
        }
    }
    all
}

#[test]
fn a_lake_is_asked_and_stays_as_it_was() {
    let (_folder, lake) = lake::sample_lake();
    let root = lake.root();
    let mut backfill = Command::new(lake::fightdna());
    backfill
        .args(["backfill", "--quiet", "--as-of", "2018-06-01", "--as-of", "2021-06-01", "--lake"])
        .arg(root);
    assert!(backfill.status().unwrap().success());
    let before = files(root);

    let count = "SELECT count(*) AS bouts, min(event_date) AS since FROM bouts";
    assert!(ok(root, &["query", count], "").contains("bouts"));
    let (csv, json) =
        (ok(root, &["query", count, "--format", "csv"], ""), ok(root, &["--format", "json", "query"], count));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let (bouts, since) = (json[0]["bouts"].as_i64().unwrap(), json[0]["since"].as_str().unwrap());
    assert_eq!(csv, format!("bouts,since\n{bouts},{since}\n"));
    assert!(bouts > 100 && since.len() == 10, "{json}");

    let tables = ok(root, &["tables", "--format", "csv"], "");
    assert!(tables.contains(&format!("bouts,{bouts},")) && tables.contains("version_metrics,"), "{tables}");
    for panel in ["panel_wide", "panel_long"] {
        let sql = format!("SELECT DISTINCT as_of FROM {panel} ORDER BY as_of");
        let dates = ok(root, &["query", &sql, "--format", "csv"], "");
        assert_eq!(dates, "as_of\n2018-06-01\n2021-06-01\n");
    }
    let id = lake.current_snapshot().unwrap().unwrap().to_string();
    let one = ok(root, &["query", "--snapshot", &id, "--format", "csv", "SELECT 1 AS one;"], "");
    assert_eq!(one, "one\n1\n");
    let input = &lake.snapshot(&lake.current_snapshot().unwrap().unwrap()).unwrap().inputs[0];
    let stage = format!("{}/{}", input.stage, input.fingerprint);
    assert!(ok(root, &["tables", "--stage", &stage], "").contains("rows"));

    // What would write, reach outside, or change the settings is no SELECT or is refused.
    let outside = root.join("outside.csv");
    let parquet = lake.snapshot_files(&lake.snapshot(&id.parse().unwrap()).unwrap()).unwrap().remove(0).path;
    for refused in [
        format!("COPY (SELECT 1) TO '{}'", outside.display()),
        format!("COPY (SELECT 1) TO '{}' (FORMAT parquet)", parquet.display()),
        format!("SELECT 1); COPY (SELECT 1) TO '{}'; SELECT * FROM (SELECT 1", outside.display()),
        format!("SELECT 1; COPY (SELECT 1) TO '{}'", outside.display()),
        format!("ATTACH '{}'", root.join("x.duckdb").display()),
        format!("SELECT * FROM read_text('{}')", root.join("current.json").display()),
        "SET enable_external_access = true".to_owned(),
        "INSTALL httpfs".to_owned(),
        "SELECT nothing FROM bouts".to_owned(),
        String::new(),
    ] {
        let (code, error) = fails(root, &["query", &refused]);
        assert_eq!(code, Some(2), "{refused}: {error}");
        assert!(error.starts_with("fightdna-sql: cannot answer the query: "), "{error}");
    }
    assert!(files(root) == before, "the lake has changed");
}

#[test]
fn an_audit_tells_by_its_code_and_damage_is_told_before_anything_is_read() {
    let (_folder, lake) = lake::sample_lake();
    let root = lake.root();
    let report = ok(root, &["audit"], "");
    assert!(report.ends_with(" audits, 0 failed\n"), "{report}");
    let rows = ok(root, &["audit", "--format", "csv"], "");
    assert!(rows.lines().skip(1).all(|line| line.ends_with(",0")) && rows.lines().count() > 10, "{rows}");

    let manifest = lake.snapshot(&lake.current_snapshot().unwrap().unwrap()).unwrap();
    let file = lake.snapshot_files(&manifest).unwrap().remove(1).path;
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[9] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let (code, error) = fails(root, &["query", "SELECT 1"]);
    assert_eq!(code, Some(65), "{error}");
    assert!(error.contains("cannot read the lake: checksum mismatch in `"), "{error}");
    std::fs::remove_file(&file).unwrap();
    assert_eq!(fails(root, &["tables"]).0, Some(69));
}

#[test]
fn what_is_not_there_is_told_by_the_code() {
    let folder = tempfile::tempdir().unwrap();
    let (code, error) = fails(folder.path(), &["tables"]);
    assert_eq!(code, Some(69), "{error}");
    assert!(error.contains("no current snapshot in"), "{error}");
    for args in [
        &["query", "--snapshot", "0123456789abcdef0123456789abcdef", "SELECT 1"][..],
        &["tables", "--stage", "normalised/0123456789abcdef0123456789abcdef"],
        &["tables", "--stage", "somewhere"],
        &["tables", "--threads", "0"],
        &["magic"],
    ] {
        assert_eq!(fails(folder.path(), args).0, Some(2), "{args:?}");
    }
}

#[test]
fn fightdna_runs_the_program_beside_it_or_says_how_to_install_it() {
    let (_folder, lake) = lake::sample_lake();
    let beside = tempfile::tempdir().unwrap();
    let fightdna = beside.path().join("fightdna");
    std::fs::copy(lake::fightdna(), &fightdna).unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::new(&fightdna);
        command.args(args).args(["--lake", lake.root().to_str().unwrap()]);
        command.env("PATH", beside.path()).env_remove("FIGHTDNA_LAKE").output().unwrap()
    };
    let output = run(&["sql", "tables"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(69), "{error}");
    assert!(error.contains("tools/build-sql"), "{error}");
    let output = run(&["run", "--audit", "required", "--json"]);
    assert_eq!(output.status.code(), Some(69), "{}", String::from_utf8_lossy(&output.stderr));

    std::fs::copy(env!("CARGO_BIN_EXE_fightdna-sql"), beside.path().join("fightdna-sql")).unwrap();
    let output = run(&["sql", "query", "SELECT 1 AS one", "--format", "csv"]);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "one\n1\n");
    assert_eq!(run(&["sql", "query", "SELECT nothing"]).status.code(), Some(2));
    let report = |args: &[&str]| {
        let output = run(args);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let jobs = report["jobs"].as_array().unwrap().iter();
        let has_run = jobs.filter(|job| job["job"] == "audit").count() == 1;
        (has_run, report["not_run"].as_array().unwrap().iter().any(|name| name == "audit"))
    };
    assert_eq!(report(&["run", "--audit", "required", "--json"]), (true, false));
    assert_eq!(report(&["run", "--json"]), (false, true));
    let output = run(&["audit"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8(output.stdout).unwrap().ends_with(" 0 failed\n"));
}
