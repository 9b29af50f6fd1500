//! What the commands print and take: reports, results as fields, errors, settings, folders given in error.

use std::fs::{self, File, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::Path;
use std::process::Output;

use fdna_suite::TestLake;
use serde_json::Value;

use crate::operating::{LATER, NOW, PROGRAM, at, code, first, later, one_run, sample, text};

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn fields(bench: &TestLake, args: &[&str]) -> Value {
    let output = at(bench, NOW, &[args, &["--json"]].concat());
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{args:?}: {error}: {}", text(&output)))
}

fn write(path: &Path, what: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    File::create(path).unwrap().write_all(what.as_bytes()).unwrap();
}

#[test]
fn a_report_tells_what_was_set_aside_and_all_rows_if_asked() {
    let bench = TestLake::new(PROGRAM);
    let short = text(&at(&bench, NOW, &["run", "--source", &first()]));
    assert!(short.contains("ufc_fight_results.csv: 1 of 341 rows set aside"), "{short}");
    assert!(!short.contains("rows in =") && !short.contains("ufc_fighter_tott.csv"), "{short}");
    let all = text(&at(&bench, LATER, &["run", "--verbose", "--source", &later()]));
    assert!(all.contains("rows in =") && all.contains("ufc_fighter_tott.csv"), "{all}");
    assert_eq!(code(&at(&bench, LATER, &["run", "-v", "--quiet"])), 2);
}

#[test]
fn a_run_as_known_at_a_time_ends_with_the_snapshot_that_it_made() {
    let bench = one_run();
    assert_eq!(code(&at(&bench, LATER, &["run", "--source", &later()])), 0);
    let current = bench.snapshot().id.to_string();
    let report = text(&at(&bench, LATER, &["run", "--known-at", "2025-11-15"]));
    let made = report.lines().find(|line| line.starts_with("made snapshot ")).expect(&report);
    let made = made.split(' ').nth(2).unwrap();
    assert!(made != current && report.contains(&format!("snapshot {current} stays current")), "{report}");
    assert!(bench.lake().list_snapshots().unwrap().iter().any(|snapshot| snapshot.id.to_string() == made));
    let wrong = at(&bench, LATER, &["run", "--known-at", "soon"]);
    assert_eq!(code(&wrong), 2);
    assert!(message(&wrong).contains("use a day such as 2025-01-31"), "{}", message(&wrong));
}

#[test]
fn results_and_errors_are_fields_where_json_is_asked() {
    let bench = one_run();
    let verified = fields(&bench, &["verify"]);
    assert!(
        verified["files"].as_u64() > Some(10) && verified["problems"] == Value::Array(Vec::new()),
        "{verified}"
    );
    assert!(fields(&bench, &["verify", "--ledger"])["rows"].is_u64());
    let swept = fields(&bench, &["gc", "--dry-run"]);
    assert!(swept["dry_run"] == true && swept["snapshots"].is_array() && swept["bytes"].is_u64(), "{swept}");
    let planned = fields(&bench, &["run", "--dry-run"]);
    assert_eq!((&planned[0]["job"], &planned[0]["state"]), (&"ingest".into(), &"up_to_date".into()));
    let tables = fields(&bench, &["dictionary"]);
    let bouts = tables.as_array().unwrap().iter().find(|table| table["name"] == "bouts").unwrap();
    assert!(bouts["columns"].as_array().unwrap().iter().all(|column| column["meaning"].is_string()));
    for (args, expected) in [
        (&["ledger", "--show", "nothing of that name", "--json"][..], 2),
        (&["run", "--nonsense", "--json"], 2),
        (&["rollback", "--to", "00000000000000000000000000000000", "--json"], 2),
    ] {
        let output = at(&bench, NOW, args);
        let error: Value = serde_json::from_str(message(&output).lines().last().unwrap())
            .unwrap_or_else(|_| panic!("{}", message(&output)));
        assert_eq!(
            (code(&output), &error["error"]["exit_code"]),
            (expected, &expected.into()),
            "{args:?}: {error}"
        );
        assert!(error["error"]["message"].as_str().is_some_and(|text| !text.is_empty()));
    }
}

#[test]
fn a_folder_that_is_no_lake_is_told_as_such() {
    let bench = TestLake::new(PROGRAM);
    write(&bench.folder().join("lake/passwd"), "");
    let output = at(&bench, NOW, &["status"]);
    assert_eq!(code(&output), 69);
    assert!(
        message(&output).contains("no lake in `lake`: the folder holds other things"),
        "{}",
        message(&output)
    );
}

#[test]
fn a_folder_of_another_source_is_refused_before_anything_is_kept() {
    let bench = one_run();
    let statsdb = sample("statsdb/2025-11-01").replace("statsdb=", "rankings=");
    for args in [["run", "--source", &statsdb], ["run", "--captures", &statsdb.replace("/2025-11-01", "")]] {
        let output = at(&bench, LATER, &args);
        let told = message(&output);
        assert!(code(&output) == 65 && told.contains("this is the layout of statsdb"), "{told}");
        assert!(bench.lake().captures("rankings").unwrap().is_empty());
    }
    let output = at(&bench, LATER, &["run", "--source", &sample("statsdb")]);
    assert_eq!(code(&output), 69);
    assert!(message(&output).contains("1 subfolder named by date: use --captures"), "{}", message(&output));
}

#[test]
fn settings_come_from_the_command_line_the_environment_and_the_file_in_this_order() {
    let bench = TestLake::new(PROGRAM);
    let file = bench.folder().join("fightdna.toml");
    write(&file, &format!("quiet = true\n[run]\nsource = [\"{}\"]\n", first()));
    let run = |quiet: Option<&str>| {
        let mut command = bench.command(&["run"]);
        quiet.map(|value| command.env("FIGHTDNA_QUIET", value));
        command.env("FIGHTDNA_NOW", NOW).output().unwrap()
    };
    let quiet = run(None);
    assert_eq!((code(&quiet), text(&quiet).as_str()), (0, ""), "{}", message(&quiet));
    assert_eq!(bench.lake().captures("statsdb").unwrap().len(), 1);
    assert!(bench.lake().captures("wire").unwrap().is_empty(), "the file named one source alone");
    assert!(text(&run(Some("false"))).contains("nothing new"));
    write(&file, "[run]\nsauce = 1\n");
    let wrong = run(None);
    assert_eq!(code(&wrong), 2);
    assert!(
        message(&wrong).contains("fightdna.toml: in [run], there is no option `sauce`"),
        "{}",
        message(&wrong)
    );
}

#[test]
fn a_settings_file_that_others_could_have_written_is_refused_unless_it_is_named() {
    let bench = TestLake::new(PROGRAM);
    let file = bench.folder().join("fightdna.toml");
    write(&file, &format!("[run]\nsource = [\"{}\"]\n", first()));
    let change = |path: &Path, mode: u32| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    let plan = |named: Option<&str>| {
        let mut command = bench.command(&["run", "--dry-run"]);
        named.map(|named| command.env("FIGHTDNA_CONFIG", named));
        command.env("FIGHTDNA_NOW", NOW).output().unwrap()
    };
    let refused = |folder: u32, own: u32, told: &str| {
        change(bench.folder(), folder);
        change(&file, own);
        let output = plan(None);
        assert_eq!(code(&output), 2, "{told}");
        assert!(
            message(&output).contains(told) && message(&output).contains("FIGHTDNA_CONFIG=./"),
            "{}",
            message(&output)
        );
        assert_eq!(code(&plan(Some("./fightdna.toml"))), 0, "{told}");
    };
    refused(0o755, 0o664, "`chmod go-w fightdna.toml`");
    refused(0o755, 0o646, "`chmod go-w fightdna.toml`");
    refused(0o777, 0o644, "`chmod go-w .`");
    refused(0o775, 0o644, "`chmod go-w .`");
    for (folder, own) in [(0o755, 0o644), (0o700, 0o600), (0o1777, 0o644)] {
        change(bench.folder(), folder);
        change(&file, own);
        assert_eq!(code(&plan(None)), 0, "{folder:o} {own:o}");
    }
    // To give a file away takes root, who is refused then what is another's.
    if chown(&file, Some(65534), None).is_ok() {
        let output = plan(None);
        assert_eq!(code(&output), 2);
        assert!(message(&output).contains("belongs to user 65534"), "{}", message(&output));
        assert_eq!(code(&plan(Some("./fightdna.toml"))), 0);
    }
}
