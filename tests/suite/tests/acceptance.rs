//! What the program does on the sample, as its user sees it.

use std::fmt::Write as _;

use arrow::array::RecordBatch;
use arrow::util::pretty::pretty_format_batches;
use fdna_suite::Bench;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fightdna-under-test");

/// What differs from run to run.
fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"run \d{8}T\d{9}Z", "run [RUN]");
    settings.add_filter(r"\(\d+\.\d s\)", "([TIME] s)");
    settings
}

#[test]
fn the_first_run_needs_nothing_and_reports_what_it_built() {
    let bench = Bench::new(PROGRAM);
    let report = bench.ok(&["run"]);
    settings().bind(|| insta::assert_snapshot!("first_run", report));
}

#[test]
fn a_second_run_with_nothing_new_says_so_and_moves_no_pointer() {
    let bench = Bench::new(PROGRAM);
    bench.ok(&["run"]);
    let pointer = || std::fs::read(bench.folder().join("lake/current.json")).unwrap();
    let before = pointer();
    let report = bench.ok(&["run"]);
    assert_eq!(pointer(), before);
    settings().bind(|| insta::assert_snapshot!("second_run", report));
}

#[test]
fn a_dry_run_prints_the_plan_and_touches_nothing() {
    let bench = Bench::new(PROGRAM);
    let plan = bench.ok(&["run", "--dry-run"]);
    assert!(!bench.folder().join("lake").exists());
    bench.ok(&["run"]);
    let again = bench.ok(&["run", "--dry-run"]);
    let nothing = bench.ok(&["publish"]);
    settings()
        .bind(|| insta::assert_snapshot!("dry_run", format!("{plan}\nafter a run\n{again}\n{nothing}")));
}

#[test]
fn every_table_has_the_schema_and_rows_that_it_had() {
    let bench = Bench::new(PROGRAM);
    bench.ok(&["run"]);
    for (name, batch) in bench.tables() {
        insta::assert_snapshot!(format!("table_{name}"), show(&batch));
    }
}

/// Columns with their types, and the first rows of the first columns.
fn show(batch: &RecordBatch) -> String {
    let mut out = String::new();
    let schema = batch.schema();
    for field in schema.fields().iter().take(60) {
        let null = if field.is_nullable() { " or null" } else { "" };
        let _ = writeln!(out, "{}: {}{null}", field.name(), field.data_type());
    }
    if schema.fields().len() > 60 {
        let _ = writeln!(out, "… {} columns in all", schema.fields().len());
    }
    let columns: Vec<usize> = (0..schema.fields().len().min(24)).collect();
    let head = batch.slice(0, batch.num_rows().min(3)).project(&columns).unwrap();
    let _ = write!(out, "\n{} rows\n{}", batch.num_rows(), pretty_format_batches(&[head]).unwrap());
    out
}

#[test]
fn the_same_inputs_give_the_same_bytes_in_another_folder_on_another_day() {
    let (one, two) = (Bench::new(PROGRAM), Bench::new(PROGRAM));
    one.ok(&["run"]);
    let mut command = two.command(&["run"]);
    command.env("RAYON_NUM_THREADS", "1").env("TZ", "Pacific/Kiritimati").env("LC_ALL", "C");
    assert!(command.output().unwrap().status.success());
    assert_eq!(one.snapshot(), two.snapshot());
}

#[test]
fn the_sample_and_real_captures_never_share_a_lake() {
    let bench = Bench::new(PROGRAM);
    bench.ok(&["run"]);
    let source = format!("{}/../../data/sample/statsdb/2025-11-01", env!("CARGO_MANIFEST_DIR"));
    let real = bench.folder().join("2025-11-02");
    std::fs::create_dir(&real).unwrap();
    for entry in std::fs::read_dir(source).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "csv") {
            std::fs::copy(&path, real.join(path.file_name().unwrap())).unwrap();
        }
    }
    let output = bench.run(&["run", "--source", "statsdb=2025-11-02"]);
    assert_eq!(output.status.code(), Some(65));
    assert!(String::from_utf8_lossy(&output.stderr).contains("into a lake of synthetic ones"));
}

#[test]
fn rollback_points_to_the_earlier_snapshot_and_says_so() {
    let bench = Bench::new(PROGRAM);
    let later = format!("statsdb={}/../../data/sample/statsdb-later/2025-12-01", env!("CARGO_MANIFEST_DIR"));
    bench.ok(&["run"]);
    let first = bench.snapshot().id;
    bench.ok(&["run", "--source", &later]);
    let second = bench.snapshot().id;
    let said = bench.ok(&["rollback"]);
    assert_eq!(bench.snapshot().id, first);
    assert!(said.contains(first.as_str()) && said.contains(second.as_str()), "{said}");
    bench.ok(&["rollback", "--to", second.as_str()]);
    assert_eq!(bench.snapshot().id, second);
    let unknown = "0".repeat(32);
    assert_eq!(bench.run(&["rollback", "--to", &unknown]).status.code(), Some(2));
}

#[test]
fn broken_files_are_named_and_leave_the_lake_as_it_was() {
    let bench = Bench::new(PROGRAM);
    let broken = bench.folder().join("2025-11-02");
    std::fs::create_dir(&broken).unwrap();
    std::io::Write::write_all(
        &mut std::fs::File::create(broken.join("ufc_event_details.csv")).unwrap(),
        b"EVENT,DATE\nX,Y\n",
    )
    .unwrap();
    let output = bench.run(&["run", "--source", "statsdb=2025-11-02"]);
    assert_eq!(output.status.code(), Some(65));
    let message = String::from_utf8_lossy(&output.stderr);
    for part in ["column `URL` is missing", "`ufc_fight_stats.csv` is not in the capture"] {
        assert!(message.contains(part), "{message}");
    }
    assert!(bench.lake().current().unwrap().is_none());
    let status = bench.ok(&["status"]);
    assert!(status.contains("failed: ingest failed"), "{status}");
}
