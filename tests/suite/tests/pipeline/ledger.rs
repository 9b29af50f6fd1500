//! The fight-week ledger through the command line: runs at successive times write it, replays write the same, and
//! neither a run that dies nor one that comes late, twice or with a wrong clock loses or doubles a row.

mod merged;
mod shown;
mod tampered;
mod week;

use std::process::Stdio;

use fdna_suite::{TriedOperations, fault_points};
use insta::assert_snapshot;
use week::{ANNOUNCED, REPLACED, Week};

/// A week with all that can happen: an opponent replaced, runs missed, results, one of them overturned.
fn week() -> (Week, Vec<&'static str>) {
    let week = Week::new();
    week.results("2025-03-01T060000Z", &[]);
    week.card("2025-03-20T000000Z", &ANNOUNCED);
    let mut runs = Vec::new();
    let mut run = |now: &'static str| {
        week.run(now);
        runs.push(now);
    };
    run("2025-03-20T01:00:00Z");
    run("2025-03-23T03:00:00Z");
    week.card("2025-03-25T120000Z", &REPLACED);
    run("2025-03-25T13:00:00Z");
    run("2025-03-28T12:00:00Z");
    run("2025-03-29T20:00:00Z");
    let bouts = REPLACED.map(|bout| (bout, "W/L", "Submission"));
    week.results("2025-03-31T060000Z", &bouts);
    run("2025-03-31T07:00:00Z");
    run("2025-04-01T07:00:00Z");
    let [first, _, third] = bouts;
    week.results("2025-04-10T060000Z", &[first, (REPLACED[1], "NC/NC", "Overturned"), third]);
    run("2025-04-10T07:00:00Z");
    (week, runs)
}

#[test]
fn a_replay_writes_the_rows_that_the_runs_wrote() {
    let (week, runs) = week();
    assert_snapshot!("ledger_week", week.text());
    let live = week.digests();
    let now = "2025-06-01T00:00:00Z";
    let runs = runs.join(",");
    let anew = week.copy();
    std::fs::remove_dir_all(anew.bench.folder().join("lake/ledger")).unwrap();
    // That it is gone is noticed; a person says that it is lost for good.
    assert_eq!(anew.output("2025-06-01T00:00:00Z", &["ledger"]).status.code(), Some(65));
    anew.ok("2025-06-01T00:00:00Z", &["repair", "--begin-log", "ledger", "--reason", "a test"]);
    let args = ["ledger", "--replay", "--from", "2025-03-01", "--to", "2025-06-01", "--runs", &runs];
    anew.ok(now, &args);
    assert_eq!(anew.text(), week.text());
    assert_eq!(anew.digests(), live);
    assert!(anew.rows().iter().all(|row| row.recorded_at.to_rfc3339() == "2025-06-01T00:00:00+00:00"));
    // Every place is that of the one ledger, and on top of what runs wrote a replay adds nothing.
    week.ok(now, &args);
    assert_eq!(week.digests(), live);
    anew.verifies();
    week.verifies();
}

#[test]
fn a_replay_without_times_writes_every_checkpoint_that_the_runs_missed() {
    let (week, _) = week();
    let anew = week.copy();
    std::fs::remove_dir_all(anew.bench.folder().join("lake/ledger")).unwrap();
    // That it is gone is noticed; a person says that it is lost for good.
    assert_eq!(anew.output("2025-06-01T00:00:00Z", &["ledger"]).status.code(), Some(65));
    anew.ok("2025-06-01T00:00:00Z", &["repair", "--begin-log", "ledger", "--reason", "a test"]);
    anew.ok("2025-06-01T00:00:00Z", &["ledger", "--replay", "--from", "2025-03-01", "--to", "2025-06-01"]);
    let bout = anew.bout(ANNOUNCED[0]);
    let rows = anew.rows();
    let of_bout = rows.iter().filter(|row| row.bout_id == bout && row.sequence == 1);
    let checkpoints: Vec<String> = of_bout.map(|row| row.checkpoint.to_string()).collect();
    assert_eq!(checkpoints.join(" "), "ANNOUNCED T-7D T-6D T-5D T-4D T-3D T-2D T-1D T-0 RESULT RESULT+24H");
    anew.verifies();
}

#[test]
fn what_runs_missed_is_told_in_the_report_and_not_invented() {
    let week = Week::new();
    week.card("2025-03-20T000000Z", &ANNOUNCED);
    week.run("2025-03-20T01:00:00Z");
    assert_eq!(week.report()[0], "3 rows of 3 bouts: ANNOUNCED 3");
    week.run("2025-03-27T03:00:00Z");
    assert_eq!(week.report()[..2], ["3 rows of 3 bouts: T-3D 3", "missed: T-7D 3, T-6D 3, T-5D 3, T-4D 3"]);
    week.run("2025-03-27T04:00:00Z");
    assert_eq!(week.report(), ["no checkpoint reached and no state changed; 6 rows"]);
}

#[test]
fn of_runs_at_once_one_writes_and_the_others_leave_with_their_own_code() {
    let week = Week::new();
    week.card("2025-03-20T000000Z", &ANNOUNCED);
    week.run("2025-03-20T01:00:00Z");
    let now = "2025-03-24T00:00:00Z";
    let lake = week.bench.lake();
    let writer = lake.writer("another run", now.parse().unwrap()).unwrap();
    assert_eq!(week.output(now, &["ledger"]).status.code(), Some(75));
    assert_eq!(week.rows().len(), 3);
    drop(writer);
    let run = |_| week.command(now, &["ledger"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let running: Vec<_> = (0..4).map(run).collect();
    let codes: Vec<_> = running.into_iter().map(|mut run| run.wait().unwrap().code().unwrap()).collect();
    assert!(codes.contains(&0) && codes.iter().all(|code| [0, 75].contains(code)), "{codes:?}");
    assert_eq!(week.rows().len(), 6);
    week.verifies();
}

#[test]
fn a_clock_set_back_writes_nothing_and_a_row_is_never_recorded_before_the_last() {
    let week = Week::new();
    week.card("2025-03-20T000000Z", &ANNOUNCED);
    week.run("2025-03-26T00:00:00Z");
    let before = week.digests();
    week.run("2025-03-24T00:00:00Z");
    assert_eq!(week.digests(), before);
    // A capture that a clock which is behind knows already: its rows would hold before what is there.
    week.card("2025-03-25T180000Z", &REPLACED);
    week.run("2025-03-25T20:00:00Z");
    week.run("2025-03-27T12:00:00Z");
    let rows = week.rows();
    assert!(rows.len() > before.len() && rows.is_sorted_by_key(|row| row.recorded_at));
    week.verifies();
}

#[test]
fn a_capture_that_comes_late_is_valid_before_it_is_recorded() {
    let week = Week::new();
    week.card("2025-03-20T000000Z", &ANNOUNCED);
    week.run("2025-03-24T03:00:00Z");
    week.card("2025-03-22T120000Z", &REPLACED);
    week.run("2025-03-24T09:00:00Z");
    assert_snapshot!(week.text(), @r"
    03-24 02:00 T-6D 1 Plon-Nibwump scheduled
    03-24 02:00 T-6D 1 Glornork-Vorbnork scheduled
    03-24 02:00 T-6D 1 Kwezwobble-Urklop scheduled
    03-24 02:00 T-6D 1 Kwezwobble-Truzz scheduled, 7 days' notice
    03-24 02:00 T-6D 2 Kwezwobble-Urklop cancelled
        /state/bout_status: scheduled -> cancelled (source_change)
    ");
    let late = &week.rows()[3..];
    assert!(late.iter().all(|row| row.recorded_at.to_rfc3339() == "2025-03-24T09:00:00+00:00"));
    week.verifies();
}

/// Kills this command before its durable steps, and lets a run finish what it left. Gives how many steps it has.
fn killed(seeded: &Week, now: &str, args: &[&str]) -> usize {
    let whole = seeded.copy();
    whole.run(now);
    let (before, after) = (seeded.digests(), whole.digests());
    assert!(after.len() > before.len());
    let listing = seeded.copy();
    let file = listing.bench.folder().join("steps");
    let fault = format!("steps:{}", file.display());
    assert!(listing.command(now, args).env("FIGHTDNA_FAULT", fault).output().unwrap().status.success());
    let steps = std::fs::read_to_string(file).unwrap();
    for (step, name) in fault_points(&steps, TriedOperations::FirstAndLast) {
        let week = seeded.copy();
        let output = week.command(now, args).env("FIGHTDNA_FAULT", format!("crash:{step}")).output().unwrap();
        assert!(output.status.code().is_none(), "step {step}, {name}: it was not killed");
        let there = week.digests();
        assert!([&before, &after].contains(&&there), "step {step}: {} rows", there.len());
        week.run(now);
        assert_eq!(week.digests(), after, "step {step}");
        week.ok(now, &["verify"]);
    }
    steps.lines().count()
}

#[test]
fn a_run_that_dies_at_any_commit_step_neither_loses_nor_doubles_a_row() {
    let week = Week::new();
    week.card("2025-03-20T000000Z", &ANNOUNCED);
    week.run("2025-03-20T01:00:00Z");
    // Nothing but the ledger to write: each of its steps, and those of the report.
    let steps = killed(&week, "2025-03-24T03:00:00Z", &["ledger"]);
    assert!(steps >= 12, "if this shrinks, steps are not seen: {steps}");
    // And with a capture to take in, to publish and to write rows of.
    week.card("2025-03-25T120000Z", &REPLACED);
    let steps = killed(&week, "2025-03-25T13:00:00Z", &week.run_args());
    assert!(steps > 60, "{steps}");
}

#[test]
fn rolling_back_and_sweeping_leave_the_ledger_and_a_run_of_an_earlier_state_writes_none() {
    let week = Week::new();
    week.card("2025-03-20T000000Z", &ANNOUNCED);
    week.run("2025-03-20T01:00:00Z");
    week.card("2025-03-25T120000Z", &REPLACED);
    week.run("2025-03-25T13:00:00Z");
    let (digests, now) = (week.digests(), "2025-03-25T14:00:00Z");
    week.ok(now, &["rollback"]);
    assert_eq!(week.digests(), digests);
    week.ok(now, &["gc", "--keep", "0"]);
    assert_eq!(week.digests(), digests);
    week.ok("2025-03-28T00:00:00Z", &["run", "--known-at", "2025-03-21T00:00:00Z"]);
    assert_eq!(week.digests(), digests, "a state of before is no news");
    week.verifies();
    week.run("2025-03-28T12:00:00Z");
    assert!(week.digests().starts_with(&digests) && week.rows().len() > digests.len());
    week.verifies();
}
