//! What the program does on the sample, as its user sees it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use arrow::array::RecordBatch;
use arrow::util::pretty::pretty_format_batches;
use fdna_lake::{PipelineStage, SnapshotManifest};
use fdna_schemas::TableReader;
use fdna_suite::TestLake;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fightdna-under-test");

const FIRST: &str = "statsdb/2025-11-01";
const LATER: &str = "statsdb-later/2025-12-01";

/// `--source` of a sample capture.
fn sample(folder: &str) -> String {
    format!("statsdb={}/../../data/sample/{folder}", env!("CARGO_MANIFEST_DIR"))
}

/// A copy of a sample capture without one file, as a folder of that name for the bench.
fn copy_capture(bench: &TestLake, folder: &str, name: &str, without: &str) {
    let target = bench.folder().join(name);
    std::fs::create_dir(&target).unwrap();
    for entry in std::fs::read_dir(sample(folder).trim_start_matches("statsdb=")).unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap();
        if file != without {
            std::fs::copy(&path, target.join(file)).unwrap();
        }
    }
}

/// Exit code and message of a command that fails.
fn fails(bench: &TestLake, args: &[&str]) -> (i32, String) {
    let output = bench.run(args);
    assert!(!output.status.success(), "{args:?}");
    (output.status.code().unwrap(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// What differs from run to run.
fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"run \d{6}-\d{8}T\d{9}Z", "run [RUN]");
    settings.add_filter(r"\(\d+\.\d s\)", "([TIME] s)");
    settings
}

#[test]
fn the_first_run_needs_nothing_and_reports_what_it_built() {
    let bench = TestLake::new(PROGRAM);
    let report = bench.ok(&["run"]);
    settings().bind(|| insta::assert_snapshot!("first_run", report));
}

#[test]
fn a_second_run_with_nothing_new_says_so_and_moves_no_pointer() {
    let bench = TestLake::shared(PROGRAM, &[&["run"]]).copy();
    let pointer = || std::fs::read(bench.folder().join("lake/current.json")).unwrap();
    let before = pointer();
    let report = bench.ok(&["run"]);
    assert_eq!(pointer(), before);
    settings().bind(|| insta::assert_snapshot!("second_run", report));
}

#[test]
fn a_dry_run_prints_the_plan_and_touches_nothing() {
    let bench = TestLake::new(PROGRAM);
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
    let bench = TestLake::shared(PROGRAM, &[&["run"]]).copy();
    for (name, batch) in bench.tables() {
        insta::assert_snapshot!(format!("table_{name}"), show(&batch));
    }
}

#[test]
fn every_facts_table_has_the_schema_and_rows_that_it_had() {
    let bench = TestLake::shared(PROGRAM, &[&["run"]]).copy();
    let mut outputs = std::fs::read_dir(bench.folder().join("lake/facts/statsdb")).unwrap();
    let fingerprint = outputs.next().unwrap().unwrap().file_name().to_string_lossy().parse().unwrap();
    assert!(outputs.next().is_none(), "one capture has one output");
    let lake = bench.lake();
    let facts = lake
        .find_stage(&PipelineStage::Facts { source: "statsdb".to_owned() }, &fingerprint)
        .unwrap()
        .unwrap();
    for entry in &facts.tables {
        let batch = lake.read_stage_table(&facts, &entry.name).unwrap();
        insta::assert_snapshot!(format!("facts_{}", entry.name), show(&batch));
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
    let (one, two) = (TestLake::new(PROGRAM), TestLake::new(PROGRAM));
    one.ok(&["run"]);
    let mut command = two.command(&["run"]);
    command.env("RAYON_NUM_THREADS", "1").env("TZ", "Pacific/Kiritimati").env("LC_ALL", "C");
    assert!(command.output().unwrap().status.success());
    assert_eq!(but_for_times(one.snapshot()), but_for_times(two.snapshot()));
}

/// How far the logs went is of a run, and has its time in it; nothing else of a snapshot is.
fn but_for_times(manifest: SnapshotManifest) -> SnapshotManifest {
    SnapshotManifest { log_heads: None, ..manifest }
}

#[test]
fn the_sample_and_real_captures_never_share_a_lake() {
    let bench = TestLake::shared(PROGRAM, &[&["run"]]).copy();
    copy_capture(&bench, FIRST, "2025-11-02", "SYNTHETIC.txt");
    let output = bench.run(&["run", "--source", "statsdb=2025-11-02"]);
    assert_eq!(output.status.code(), Some(65));
    assert!(String::from_utf8_lossy(&output.stderr).contains("has synthetic ones"));
}

#[test]
fn rollback_points_to_the_earlier_snapshot_and_says_so() {
    let bench = TestLake::new(PROGRAM);
    let later = sample(LATER);
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
    assert_eq!(fails(&bench, &["rollback", "--to", &unknown]).0, 2);
}

#[test]
fn rolling_back_twice_never_rolls_forward() {
    let bench = TestLake::shared(PROGRAM, &[&["run"]]).copy();
    assert_eq!(fails(&bench, &["rollback"]).0, 2);
    let first = bench.snapshot().id;
    bench.ok(&["run", "--source", &sample(LATER)]);
    bench.ok(&["rollback"]);
    let (code, message) = fails(&bench, &["rollback"]);
    assert_eq!((code, bench.snapshot().id), (2, first));
    assert!(message.contains("nothing is known to have been served before"), "{message}");
}

#[test]
fn broken_files_are_named_and_nothing_is_published_of_them() {
    let bench = TestLake::new(PROGRAM);
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
    assert!(bench.lake().current_snapshot().unwrap().is_none());
    let status = bench.ok(&["status"]);
    assert!(status.contains("failed: ingest failed"), "{status}");
}

const STATISTICS: &str = "ufc_fight_stats.csv";

#[test]
fn a_capture_that_cannot_be_used_is_refused_once_and_stands_in_nobodys_way() {
    let bench = TestLake::new(PROGRAM);
    copy_capture(&bench, FIRST, "2025-10-01", STATISTICS);
    let (code, message) = fails(&bench, &["run", "--source", "statsdb=2025-10-01"]);
    assert!(code == 65 && message.contains(STATISTICS), "{code} {message}");
    let (code, message) = fails(&bench, &["run", "--source", "statsdb=2025-10-01"]);
    assert!(code == 65 && message.contains("no usable capture in the lake"), "{code} {message}");

    bench.ok(&["run", "--source", &sample(FIRST)]);
    let first = bench.snapshot();
    assert!(!bench.ok(&["run"]).contains("REFUSED"));
    bench.ok(&["run", "--source", &sample(LATER)]);
    let second = bench.snapshot();
    assert_ne!(second.id, first.id);
    let captures: Vec<&str> = second.captures.iter().map(|c| &c.id[..8]).collect();
    assert_eq!(captures, ["20251101", "20251201"]);
    let status = bench.ok(&["status"]);
    assert!(status.contains("REFUSED capture statsdb 20251001T000000Z-"), "{status}");
    assert!(status.contains(&format!("`{STATISTICS}` is not in the capture")), "{status}");
    assert!(!bench.ok(&["run", "--dry-run"]).contains("to do"));
}

#[test]
fn what_can_be_used_is_published_though_another_capture_of_the_same_run_is_refused() {
    let (bench, undisturbed) = (TestLake::new(PROGRAM), TestLake::new(PROGRAM));
    undisturbed.ok(&["run", "--source", &sample(FIRST)]);
    copy_capture(&bench, LATER, "2025-12-01", STATISTICS);
    let both = ["run", "--source", "statsdb=2025-12-01", "--source", &sample(FIRST)];
    let output = bench.run(&both);
    assert_eq!(output.status.code(), Some(65));
    let (report, message) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(report.contains("REFUSED capture statsdb 20251201T000000Z-"), "{report}");
    assert!(report.contains("is current") && report.contains(STATISTICS), "{report}");
    assert!(
        message.contains("refused capture statsdb 20251201T") && message.contains(STATISTICS),
        "{message}"
    );
    assert_eq!(bench.snapshot().id, undisturbed.snapshot().id);
    let status = bench.ok(&["status"]);
    assert!(status.contains(": refused: refused capture"), "{status}");
    bench.ok(&both);
}

/// How each bout was decided.
fn methods(bench: &TestLake) -> BTreeMap<String, Option<String>> {
    let results = &bench.tables()["results"];
    let reader = TableReader::new("results", results);
    let bouts = reader.texts("bout_id").unwrap().into_iter().map(str::to_owned);
    let methods = reader.strings("method").unwrap().into_iter().map(|method| method.map(str::to_owned));
    bouts.zip(methods).collect()
}

#[test]
fn a_source_that_goes_back_to_what_it_said_is_believed_again() {
    let bench = TestLake::new(PROGRAM);
    let mut published = Vec::new();
    for (folder, name) in [(FIRST, "2025-11-01"), (LATER, "2025-12-01"), (FIRST, "2026-01-01")] {
        copy_capture(&bench, folder, name, "");
        bench.ok(&["run", "--source", &format!("statsdb={name}")]);
        published.push((bench.snapshot().captures.len(), methods(&bench)));
    }
    let [(1, first), (2, later), (3, again)] = &published[..] else { panic!("{published:?}") };
    let changed: Vec<_> = first.iter().filter(|(bout, method)| later[*bout] != **method).collect();
    assert!(!changed.is_empty());
    assert!(changed.iter().all(|(bout, method)| again[*bout] == **method), "{changed:?}");

    let before = bench.snapshot();
    assert!(bench.ok(&["run", "--source", "statsdb=2026-01-01"]).contains("nothing new"));
    assert_eq!(but_for_times(bench.snapshot()), but_for_times(before));
    bench.ok(&["verify"]);
}

#[test]
fn a_source_of_another_name_is_a_mistake_of_the_command_line() {
    let bench = TestLake::new(PROGRAM);
    let (code, message) = fails(&bench, &["run", "--source", "statdsb=folder"]);
    assert_eq!(code, 2);
    assert!(message.contains("`statdsb`") && message.contains("`statsdb`"), "{message}");
}

#[test]
fn a_lake_that_is_not_there_is_no_empty_lake() {
    let bench = TestLake::new(PROGRAM);
    for command in ["status", "verify"] {
        let (code, message) = fails(&bench, &[command]);
        assert!(code == 69 && message.contains("no such folder"), "{command}: {code} {message}");
    }
}

#[test]
fn an_address_in_use_is_unavailable() {
    let bench = TestLake::shared(PROGRAM, &[&["run"]]).copy();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let (code, message) = fails(&bench, &["serve", "--listen", &address]);
    assert!(code == 69 && message.contains(&address), "{code} {message}");
}

#[test]
fn what_is_set_aside_is_counted_in_the_newest_capture_alone() {
    let bench = TestLake::shared(PROGRAM, &[&["run"]]).copy();
    let report = bench.ok(&["run", "--source", &sample(LATER)]);
    let quarantine = &bench.tables()["quarantine"];
    let captures = TableReader::new("quarantine", quarantine).texts("capture").unwrap().into_iter();
    let (newest, all) = (captures.clone().filter(|c| c.starts_with("20251201")).count(), captures.count());
    assert!(0 < newest && newest < all, "{newest} of {all}");
    let line = report.lines().find(|l| l.contains("set aside in the newest capture, by kind")).unwrap();
    let counts =
        line.split(['(', ':', ',']).filter_map(|part| part.rsplit(' ').next()?.parse::<usize>().ok());
    assert_eq!(counts.sum::<usize>(), newest, "{line}");
    assert!(bench.ok(&["status"]).contains("set aside in the newest capture, by kind:"));
}

#[test]
fn a_capture_cut_short_takes_nothing_away_and_the_report_says_what_it_lacks() {
    let bench = TestLake::shared(PROGRAM, &[&["run"]]).copy();
    let before = bench.tables()["results"].num_rows();
    let sample = format!("{}/../../data/sample/statsdb-later/2025-12-01", env!("CARGO_MANIFEST_DIR"));
    let cut = bench.folder().join("2025-12-01");
    std::fs::create_dir(&cut).unwrap();
    for entry in std::fs::read_dir(sample).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, cut.join(path.file_name().unwrap())).unwrap();
    }
    let results = cut.join("ufc_fight_results.csv");
    let text = std::fs::read_to_string(&results).unwrap();
    let header = text.lines().next().unwrap().to_owned() + "\n";
    std::io::Write::write_all(&mut std::fs::File::create(&results).unwrap(), header.as_bytes()).unwrap();
    let (code, message) = fails(&bench, &["run", "--source", "statsdb=2025-12-01"]);
    assert!(code == 76 && message.contains("`ufc_fight_results.csv` holds its header alone"), "{message}");
    assert_eq!(bench.tables()["results"].num_rows(), before);
    // Believed all the same, it takes nothing away either.
    let capture = message.split("--accept ").nth(1).unwrap().trim();
    let report = bench.ok(&["run", "--accept", capture]);
    assert!(
        report.contains("the newest capture lacks 340 of 340 results that earlier ones had; they stay"),
        "{report}"
    );
    assert_eq!(bench.tables()["results"].num_rows(), before);
}
